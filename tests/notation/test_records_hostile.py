"""Readers of records before hostile files: limits, no tracebacks, time in proportion to size."""

import json
import resource
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgai.errors import InputError
from bgai.notation.mat import read_mat
from bgai.notation.play_text import parse_play
from bgai.notation.record import RECORDS, RecordError
from bgai.notation.record_files import WRITABLE, format_record, parse_record, parse_records
from bgai.notation.sgf import read_sgf
from bgai.notation.texts import LARGEST_FILE, one_line, read_whole, unpacked
from bgai.rules.dice import Roll
from bgai.rules.play import PlayError
from bgai.rules.position import starting_position

MATCHES = Path(__file__).parents[1] / "golden" / "matches"
HEAD = " 5 point match\n Game 1\n Ann : 0   Bob : 0\n"
XG_HEADER = b"RGMH" + bytes(8228)
BLANKS = " " * 200_000
NINES = "9" * 5000


def xg_file(records: bytes) -> bytes:
    return XG_HEADER + zlib.compress(records, 1)


def xg_match() -> bytes:
    header = bytearray(2560)
    struct.pack_into("<i", header, 92, 5)
    return bytes(header)


def refusal(content: bytes, suffix: str) -> str | None:
    """Why a file is no record at all; None where it is read."""
    try:
        parse_records(content, suffix)
    except InputError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        (f"; [{BLANKS}\n{HEAD}", ".mat"),
        (f'; [Event "{BLANKS}\n{HEAD}', ".mat"),
        (" 5 point match\n Game 1\nA : 0" + " " * 3900 + "x\n", ".mat"),
        (" 5 point match\n Game 1\n" + ": 0 " * 999 + "\n", ".mat"),
        (HEAD + " 1) 31: 8/5" + " " * 3900 + "6/5x\n", ".mat"),
        (HEAD + " 1) " + "31: " * 900 + "\n", ".mat"),
        (HEAD + "\n" * 200_000, ".mat"),
        (f"(;GM[6]{BLANKS}C[x]{BLANKS}x", ".sgf"),
        ("(;GM[6]C[" + "\\]" * 200_000 + "])", ".sgf"),
        ("(;GM[6]C[" + "[" * 400_000 + "])", ".sgf"),
        ("(;GM[6]" + "()" * 100_000 + ")", ".sgf"),
        ("(;GM[6]" + "[]" * 200_000 + ")", ".sgf"),
        ("(;GM[6];W[31" + "a" * 400_000 + "])", ".sgf"),
        ("[" * 200_000, ".json"),
        ('{"format": "bgai match", "version": 1, "games": ' + "[" * 900 + "]" * 900 + "}", ".json"),
    ],
)
def test_reading_takes_time_in_proportion(text: str, suffix: str) -> None:
    """Each took from 20 seconds to hours where a pattern backtracked; they take far below one."""
    begun = time.process_time()
    assert len(refusal(text.encode(), suffix) or "") < 300
    assert time.process_time() - begun < 3


@pytest.mark.parametrize(
    ("content", "suffix", "told"),
    [
        (b"x" * (LARGEST_FILE + 1), ".mat", "larger than 8 MB"),
        (f" {NINES[:3000]} point match\n".encode(), ".mat", "line 1: '9999.*at most 999 points"),
        (f" {NINES} point match\n".encode(), ".mat", "line 1: 5013 characters"),
        (HEAD.encode() + b" 1) 31: 8/5 6/5\n" * 6000, ".mat", "line 5004: a game of more than"),
        (b" 5 point match\n" + b" Game 1\n A : 0   B : 0\n" * 6000, ".mat", "more than 5000 games"),
        (b"(;GM[6]\n" * 600, ".sgf", "line 501: more than 500 variations"),
        (b"(;GM[6])" * 6000, ".sgf", "more than 5000 games"),
        (b"(;GM[6]" + b";" * 6000 + b")", ".sgf", "more than 5000 nodes in a game"),
        (f"(;GM[6]MI[length:{NINES}])".encode(), ".sgf", r"MI\[length:9999.*is not a number"),
        ("(;GM[6]MI[length:²])".encode(), ".sgf", "is not a number"),
        (b"(;GM[6]\nC[never closed)", ".sgf", r"line 2: a '\[' that nothing closes"),
        (f'{{"format":"bgai match","version":{NINES}}}'.encode(), ".json", "not JSON"),
        (b"RGMH", ".xg", "doesn't begin with an .xg header"),
        (XG_HEADER + b"damaged", ".xg", "can't be unpacked"),
        (XG_HEADER[:20] + b"\xff" * 8212, ".xg", "can't be unpacked"),
        (xg_file(b"\0" * 40_000_000), ".xg", "unpacks to more than 32 MB"),
        (xg_file(xg_match() + b"\0" * 20_000_000), ".xg", "without a game"),
        (xg_file(bytes([*bytes(8), 3, *bytes(2551)])), ".xg", "no match header"),
    ],
)
def test_what_is_beyond_the_limits_is_refused(content: bytes, suffix: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_records(content, suffix)


def test_a_bomb_and_a_long_comment_take_little_memory(tmp_path: Path) -> None:
    bomb, comment = tmp_path / "bomb.xg", tmp_path / "comment.sgf"
    bomb.write_bytes(xg_file(b"\0" * 300_000_000))
    comment.write_bytes(b"(;GM[6]C[" + b"x" * 8_000_000 + b"])")
    code = (
        "import resource, sys\nfrom pathlib import Path\n"
        "from bgai.errors import InputError\nfrom bgai.notation.record_files import read_records\n"
        f"try: read_records(Path({str(tmp_path / 'small.sgf')!r}))\nexcept InputError: pass\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"for name in ({str(bomb)!r}, {str(comment)!r}):\n"
        "    try: read_records(Path(name))\n    except InputError: pass\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    (tmp_path / "small.sgf").write_text("(;GM[6])")
    grown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(grown.stdout) < 150_000  # kilobytes; it was two million


@pytest.mark.parametrize(
    ("text", "most", "number"),
    [("7", 9, 7), ("007", 9, 7), (" 12 ", 12, 12), ("13", 12, None), ("", 9, None), ("²", 9, None),
     ("٣", 9, None), ("-1", 9, None), ("1_0", 99, None), (NINES, 9, None), ("0" * 4000, 9, 0)],
)  # fmt: skip
def test_whole_numbers(text: str, most: int, number: int | None) -> None:
    assert read_whole(text, most) == number


@given(st.text(st.characters(), max_size=60))
@settings(max_examples=300)
def test_one_line_can_be_written_anywhere(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()
    assert "  " not in line
    line.encode()  # no half of a character
    assert one_line(line) == line


def test_halves_of_characters() -> None:
    assert one_line("\ud83d\ude00 Ann\ud800") == "😀 Ann?"
    data = {
        "format": "bgai match", "version": 1, "players": ["A\ud800", "B\n\nC"], "games": [],
        "terms": {"length": 5, "games": None, "margin": None, "rules": {
            "jacoby": True, "beaver_turns": 1, "automatic_doubles": 0, "max_cube": None}},
        "info": {"event": "\udfff"},
    }  # fmt: skip
    record = RECORDS.load(json.loads(json.dumps(data)))
    assert record.players == ("A?", "B C")
    for suffix in WRITABLE:
        assert format_record(record, suffix).encode()
    text = format_record(record, ".json").replace("A?", "A\\ud800")
    assert parse_record(text.encode(), ".json").record.players == ("A?", "B C")


def test_unpacking_stops_at_the_limit() -> None:
    assert unpacked(zlib.compress(b"x" * 1000)) == b"x" * 1000
    assert unpacked(zlib.compress(b"x" * 1000)[:-5]) is None
    assert unpacked(b"") is None
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(InputError, match="more than 32 MB"):
        unpacked(zlib.compress(b"\0" * 200_000_000, 1))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000


@pytest.mark.parametrize("count", [5, 16, 64, 257, 256 * 3 + 1])
def test_a_play_of_too_many_moves_is_refused(count: int) -> None:
    """257 times the same move was taken for one: a counter of 8 bits came round."""
    with pytest.raises(PlayError):
        parse_play("8/5 " * count + "6/5", starting_position(), Roll(3, 1))


@pytest.mark.parametrize("number", ["²", "٣", NINES, "9" * 15])
def test_numbers_in_rows(number: str) -> None:
    for row in (
        f"Doubles => {number}", f"Wins {number} points", f"{number}) 31: 8/5 6/5",
        f"31: {number}/5", f"31: 8/5({number})",
    ):  # fmt: skip
        parse_or_refuse((HEAD + f" 1) 31: 8/5 6/5    {row}\n").encode(), ".mat")
    parse_or_refuse(f'; [CubeLimit "{number}"]\n{HEAD}'.encode(), ".mat")
    parse_or_refuse(HEAD.replace("Ann : 0", f"Ann : {number}").encode(), ".mat")
    for root in (f"RE[W+{number}]", f"RU[CubeLimit{number}]", f"MI[ws:{number}]"):
        parse_or_refuse(f"(;GM[6]{root};W[31hefe])".encode(), ".sgf")


def parse_or_refuse(content: bytes, suffix: str) -> None:
    """Whatever is read can be written again in every format, or the refusal is one line."""
    refused = refusal(content, suffix)
    if refused is not None:
        assert len(refused.splitlines()) == 1
        return
    for reading in parse_records(content, suffix):
        for written in WRITABLE if reading.record.games else ():
            try:
                text = format_record(reading.record, written)
            except RecordError:
                continue
            parse_records(text.encode(), written)


SAMPLES = ("3-point.mat", "3-point.sgf", "XCu3RJ0UvDg_Tldl.xg")
SPLICES = (
    b"", b" ", b"\n", b"(", b")", b";", b"[", b"]", b"\\", b":", b"Game 1\n", b"3 point match\n",
    b"0", b"99", b"\xff", b"\xc2\xb2", b"????", b"Wins 9 points", b"Doubles => 2", b"B[double]",
    b"31: 8/5 6/5", b"W[31hefe]", b"Beavers", b"resign:2", b"Concedes", b"24/18*", b"\0",
)  # fmt: skip


@given(data=st.data(), name=st.sampled_from(SAMPLES))
@settings(max_examples=60, deadline=None)
def test_damaged_files_are_read_or_refused(data: st.DataObject, name: str) -> None:
    content, suffix = (MATCHES / name).read_bytes(), Path(name).suffix
    if suffix == ".xg":  # damage inside the packed data
        content = zlib.decompress(content[8232 + struct.unpack("<I", content[20:24])[0] :])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        cut = data.draw(st.integers(0, 12))
        piece = data.draw(st.sampled_from(SPLICES) | st.binary(max_size=6))
        content = content[:at] + piece + content[at + cut :]
    parse_or_refuse(xg_file(content) if suffix == ".xg" else content, suffix)


def test_readers_of_one_match_refuse_several() -> None:
    with pytest.raises(RecordError, match="2 matches"):
        read_mat(f"{HEAD}\n{HEAD}")
    with pytest.raises(RecordError, match="2 matches"):
        parse_record(f"{HEAD}\n{HEAD}".encode(), ".mat")
    assert read_sgf("(;GM[6])").problems == ()
