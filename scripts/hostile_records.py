"""Hostile records, plays, identifiers, lines and callers. See ``hostile.py``."""

import random
import struct
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from hostile import Driver, Outcome

from bgai.errors import InputError

MATCHES = Path(__file__).resolve().parents[1] / "tests" / "golden" / "matches"
_LAST_ROLLS = "XGID=-BA--------------------ab-:0:0:1:00:0:0:0:0:10"
HANG = 5.0  # seconds after which an input counts as a hang
_SPLICES = (
    b"", b" " * 500, b"\n", b"(", b")", b";", b"[", b"]", b"\\", b":", b"Game 1\n",
    b"7 point match\n", b"9" * 5000, b"\xc2\xb2", b"????", b"Wins 9 points",
    b"Doubles => 2", b";B[double]",
    b"31: 8/5 6/5", b";W[31hefe]", b"Beavers", b";W[resign:2]", b"Concedes", b"24/18*", b"\0" * 8,
    b'{"a":' * 50, b"-1", b"1e999", b"\\ud800", b"null",
)  # fmt: skip


def drivers() -> list[tuple[str, Driver, int]]:
    """Each driver with its name and its count at full scale."""
    files: list[tuple[str, Driver, int]] = [
        (
            f"damaged {Path(name).suffix} files",
            partial(_each, partial(_damaged_files, name), _read),
            count,
        )
        for name, count in (
            ("3-point.mat", 10_000),
            ("3-point.sgf", 10_000),
            ("XCu3RJ0UvDg_Tldl.xg", 2_000),
            ("3-point.json", 5_000),
        )
    ]
    return [
        *files,
        ("texts of plays", partial(_each, _plays, _parse_play), 100_000),
        ("pasted identifiers", partial(_each, _identifiers, _parse_identifier), 300_000),
        ("lines of the external player", partial(_each, _lines, _parse_line), 100_000),
        ("games of the server, 16 callers", _callers, 6_611),
        ("rollouts of the server, 16 callers", _queued_rollouts, 10_000),
    ]


def _each(
    inputs: Callable[[random.Random, int], Iterator[bytes]],
    take: Callable[[bytes], str | None],
    count: int,
) -> Outcome:
    """Have ``take`` read every input: it raises ``InputError`` or returns what went wrong."""
    outcome = Outcome()
    for content in inputs(random.Random(1), count):
        outcome.tried += 1
        begun = time.process_time()
        try:
            wrong = take(content)
            if wrong is not None:
                outcome.failed("wrong", wrong)
        except InputError:
            outcome.refused += 1
        except Exception as error:
            outcome.failed("crashes", f"{type(error).__name__} {error} for {content[:80]!r}")
        if time.process_time() - begun > HANG:
            outcome.failed("hangs", repr(content[:80]))
    return outcome


def _spliced(rng: random.Random, content: bytes) -> bytes:
    short = len(content) < 300  # most of what is left must be sound
    for _ in range(rng.randint(0 if short else 1, 2 if short else 5)):
        at, cut = rng.randint(0, len(content)), rng.choice((0, 0, 1) if short else (0, 1, 7, 40))
        piece = rng.choice(_SPLICES) if rng.random() < 0.7 else rng.randbytes(rng.randint(1, 6))
        piece = piece[:2] if short and rng.random() < 0.8 else piece
        content = content[:at] + piece + content[at + cut :]
    return content


def _damaged_files(name: str, rng: random.Random, count: int) -> Iterator[bytes]:
    from bgai.notation.record_files import format_record, read_record

    suffix = Path(name).suffix
    if suffix == ".json":
        sound = format_record(read_record(MATCHES / "3-point.mat").record, suffix).encode()
    else:
        sound = (MATCHES / name).read_bytes()
    header = b""
    if suffix == ".xg":  # damage what is packed
        header = sound[:20] + bytes(4) + sound[24:8232]
        sound = zlib.decompress(sound[8232 + struct.unpack("<I", sound[20:24])[0] :])
    for _ in range(count):
        content = _spliced(rng, sound)
        packed = header + zlib.compress(content, 1) if header else content
        yield suffix.encode() + b"\0" + packed


def _read(content: bytes) -> str | None:
    from bgai.notation.record_files import format_record, parse_records

    suffix, _, data = content.partition(b"\0")
    for reading in parse_records(data, suffix.decode()):
        if not reading.record.games:
            continue
        text = format_record(reading.record, ".json")
        (back,) = parse_records(text.encode(), ".json")
        if back.record != reading.record:
            return "JSON gives another record back"
    return None


def _plays(rng: random.Random, count: int) -> Iterator[bytes]:
    words = ("8/5", "6/5", "24/18*", "13/8(2)", "bar/22", "6/off", "8/5/3", "8/5 " * 257, "²/5")
    for _ in range(count):
        yield _spliced(rng, " ".join(rng.choices(words, k=rng.randint(1, 5))).encode())


def _parse_play(content: bytes) -> str | None:
    from bgai.notation.play_text import parse_play
    from bgai.rules.dice import Roll
    from bgai.rules.play import apply_play
    from bgai.rules.position import check_position, starting_position

    start = starting_position()
    play = parse_play(content.decode("latin-1"), start, Roll(3, 1))
    check_position(apply_play(start, play))
    return None if len(play) <= 2 else f"{len(play)} moves of a 31"


def _identifiers(rng: random.Random, count: int) -> Iterator[bytes]:
    sound = (
        b"XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:5:10", b"4HPwATDgc/ABMA:cAkAAAAAAAAA",
        b"Position-ID: 4HPwATDgc/ABMA  Match-ID: cAkAAAAAAAAA",
        b"11ccccchhhjjjjj:66666888dddddoo:N0N:31:W:IW:0:0:5:0",
    )  # fmt: skip
    for _ in range(count):
        yield _spliced(rng, rng.choice(sound))


def _parse_identifier(content: bytes) -> str | None:
    from bgai.notation.identifiers import parse_identifier
    from bgai.notation.xgid import format_xgid, parse_xgid

    situation = parse_identifier(content.decode("latin-1"))
    again = parse_xgid(format_xgid(situation))
    return None if again.position.tobytes() == situation.position.tobytes() else "another position"


def _lines(rng: random.Random, count: int) -> Iterator[bytes]:
    sound = (MATCHES / "external-lines.txt").read_bytes().splitlines()
    for _ in range(count):
        fields = rng.choice(sound).split(b":")
        for _ in range(rng.randint(1, 3)):
            strange = (b"", b"\xb2", b"9" * 5000, str(rng.randint(-30, 40)).encode())
            fields[rng.randrange(len(fields))] = rng.choice(strange)
        yield b":".join(fields)


def _parse_line(content: bytes) -> str | None:
    from bgai.players.external_board import board_game, parse_board
    from bgai.rules.cube import HouseRules

    board_game(parse_board(content.decode("latin-1")), HouseRules())
    return None


def _callers(count: int) -> Outcome:
    """Games begun, listed, found, saved and removed by 16 threads in a folder that is too full."""
    from bgai.ui.web.limits import Limits
    from bgai.ui.web.requests import NewGame
    from bgai.ui.web.tables import Tables

    outcome, lock = Outcome(), threading.Lock()
    new = NewGame(level="random", seed=1, advance=False)
    with tempfile.TemporaryDirectory() as folder:
        tables = Tables(Path(folder), Limits(saved_games=20, tables=4, unfinished_games=10**6))

        def call(number: int) -> None:
            try:
                table = tables.new(new)
                tables.files.listed()
                with tables.find(table.name).lock:
                    table.session.roll()
                    table.save()
                same = tables.find(table.name).acts == 1
                if number % 8:
                    tables.remove(table.name)
            except Exception as error:
                with lock:
                    outcome.failed("crashes", f"{type(error).__name__} {error}")
                return
            if not same:
                with lock:
                    outcome.failed("wrong", "an act is lost")

        with ThreadPoolExecutor(16) as threads:
            list(threads.map(call, range(count)))
        left = len(tables.files.listed())
    outcome.tried = count
    if left != (count + 7) // 8:
        outcome.failed("wrong", f"{left} games are left of {(count + 7) // 8}")
    return outcome


def _queued_rollouts(count: int) -> Outcome:
    """Rollouts asked for by 16 threads, some cancelled: queued or refused, none left over."""
    from bgai.ui.web.errors import Refusal
    from bgai.ui.web.jobs import Jobs
    from bgai.ui.web.limits import Limits
    from bgai.ui.web.requests import RolloutRequest

    outcome, lock, limits = Outcome(), threading.Lock(), Limits(kept_jobs=count)
    jobs = Jobs(limits)
    request = RolloutRequest(id=_LAST_ROLLS, trials=36, plies=0, truncate=1)
    taken = []

    def call(number: int) -> None:
        try:
            job = jobs.start(request)
            if number % 3 == 0:
                job.cancel()
            jobs.find(job.name).answer()
        except Refusal as refusal:
            with lock:
                outcome.refused += refusal.status == 429
                if refusal.status != 429:
                    outcome.failed("wrong", str(refusal))
        except Exception as error:
            with lock:
                outcome.failed("crashes", repr(error))
        else:
            with lock:
                taken.append(job)

    with ThreadPoolExecutor(16) as threads:
        list(threads.map(call, range(count)))
    deadline = time.monotonic() + 60
    while not all(job.is_finished for job in taken) and time.monotonic() < deadline:
        time.sleep(0.01)
    jobs.close()
    outcome.tried = count
    for job in taken:
        if not job.is_finished:
            outcome.failed("hangs", job.state)
        elif job.state == "failed":
            outcome.failed("crashes", str(job.error))
        elif job.state == "done" and job.answer().trials != request.trials:
            outcome.failed("wrong", f"{job.answer().trials} trials")
    if len(taken) + outcome.refused != count:
        outcome.failed("wrong", f"{len(taken)} taken and {outcome.refused} refused of {count}")
    return outcome
