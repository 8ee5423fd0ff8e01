"""BGBlitz's matches and eXtreme Gammon's positions; the same match from three programs."""

import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from bgai.errors import InputError
from bgai.notation.bgf import read_bgf
from bgai.notation.identifiers import parse_identifier
from bgai.notation.record_files import read_record
from bgai.notation.situation import Seat
from bgai.notation.xg import read_xg_position
from bgai.notation.xgid import format_xgid
from bgai.rules.cube import Cube, CubeOwner
from bgai.ui import cli

MATCHES = Path(__file__).parents[1] / "golden" / "matches"
BGF = MATCHES / "XCu3RJ0UvDg_Tldl.bgf"
XG = MATCHES / "XCu3RJ0UvDg_Tldl.xg"


def test_the_same_match_from_bgblitz() -> None:
    reading = read_record(BGF)
    assert reading.problems == ()
    assert reading.record.same_match(read_record(XG).record)
    assert reading.record.same_match(read_record(XG.with_suffix(".mat")).record)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "not a .bgf file"),
        (b"hello\nworld", "not a .bgf file"),
        (b"{}\nworld", "can't be unpacked"),
        (b"{}\n" + zlib.compress(b"no smile"), "damaged .bgf"),
        (b"{}\n" + zlib.compress(b":)\n\0" + b"\xf8" * 100_000), "damaged .bgf"),
        (b"{}\n" + zlib.compress(b":)\n\0\xfa\xfb"), "no games"),
        (b"{}\n" + zlib.compress(b"\0" * 40_000_000, 1), "unpacks to more than"),
    ],
)
def test_damaged_bgf_files_are_refused(content: bytes, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_bgf(content)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_any_damage_is_read_or_refused(data: st.DataObject) -> None:
    header, _, packed = BGF.read_bytes().partition(b"\n")
    smile = bytearray(zlib.decompress(packed, wbits=zlib.MAX_WBITS | 32))
    for _ in range(data.draw(st.integers(1, 4))):
        smile[data.draw(st.integers(4, len(smile) - 1))] = data.draw(st.integers(0, 255))
    try:
        read_bgf(header + b"\n" + zlib.compress(bytes(smile), 1))
    except InputError as error:
        assert len(str(error)) < 300  # noqa: PT017


def position_file(records: list[bytes]) -> bytes:
    """An .xgp file of some records."""
    return b"RGMH" + bytes(8228) + zlib.compress(b"".join(records))


def records_of(kind: int) -> list[bytes]:
    content = XG.read_bytes()
    data = zlib.decompress(content[8232 + struct.unpack("<I", content[20:24])[0] :])
    each = [data[at : at + 2560] for at in range(0, len(data), 2560)]
    return [record for record in each if record[8] == kind]


@pytest.mark.parametrize("play", [0, 1, 2, 9, 20])
def test_a_play_of_an_xgp_file(play: int) -> None:
    """The records of a match, taken for those of a position, give the position of the match."""
    record = read_record(XG).record
    game = record.games[0]
    states = [state for state, act in game.states(record.terms) if act.kind == "play"]
    wanted = states[play]
    found = read_xg_position(
        position_file([records_of(0)[0], records_of(1)[0], records_of(3)[play]])
    )
    assert found.roll == wanted.roll
    assert found.position.tobytes() == wanted.position.tobytes()
    assert found.seat is (Seat.BOTTOM if wanted.turn == 0 else Seat.TOP)
    assert found.cube == wanted.cube_for(wanted.turn)
    assert found.score == wanted.score_for(wanted.turn)


def test_a_cube_decision_of_an_xgp_file() -> None:
    cube = bytearray(records_of(2)[3])
    cube[32:36] = struct.pack("<i", 1)  # player 1 owns a cube of 2
    found = read_xg_position(position_file([records_of(0)[0], records_of(1)[0], bytes(cube)]))
    assert found.roll is None
    mine = struct.unpack_from("<i", cube, 12)[0] == 1
    assert found.cube == Cube(2, CubeOwner.ON_ROLL if mine else CubeOwner.OPPONENT)
    with pytest.raises(InputError, match="without a position"):
        read_xg_position(position_file([records_of(0)[0], records_of(1)[0]]))


def test_files_with_a_position_on_the_command_line(tmp_path: Path) -> None:
    content = position_file([records_of(0)[0], records_of(1)[0], records_of(3)[2]])
    (tmp_path / "one.xgp").write_bytes(content)
    xgid = format_xgid(read_xg_position(content))
    (tmp_path / "one.txt").write_text(f"{xgid}\n\nX:Ann   O:Bob\nScore is ...\n")
    for name in ("one.xgp", "one.txt"):
        said = CliRunner().invoke(cli.app, ["show", str(tmp_path / name)])
        assert said.exit_code == 0, said.output
        assert xgid in said.output
        said = CliRunner().invoke(
            cli.app, ["best", str(tmp_path / name), "--engine", "handmade@0", "--json"]
        )
        assert said.exit_code == 0, said.output
    assert parse_identifier(xgid).roll is not None


def test_batches_take_identifiers_out_of_their_lines(tmp_path: Path) -> None:
    start = "4HPwATDgc/ABMA"
    lines = ("{0} 31", "{0} 3 1", "{0} 3-1", "play {0} with 31", "roll of {0}: 31")
    (tmp_path / "lines").write_text("\n".join(lines).format(start))
    said = CliRunner().invoke(cli.app, ["plays", "--batch", str(tmp_path / "lines")])
    assert said.exit_code == 0, said.output
    assert len({line.split('"plays"')[1] for line in said.output.splitlines()}) == 1
    assert len(said.output.splitlines()) == len(lines)
