"""What files and processes can suffer: damage, full disks, kills, Ctrl-C. See ``hostile.py``."""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from hostile import Driver, Outcome

from bgai.errors import InputError

ROOT = Path(__file__).resolve().parents[1]
SAVES = ROOT / "tests" / "golden" / "saves"
MATCH = ROOT / "tests" / "golden" / "matches" / "3-point.sgf"
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
HANG = 60.0
RECIPE = """name = "tiny"
[selfplay]
games_at_once = 64
longest_game = 96
[pruning]
hidden = 4
[[stage]]
kind = "td"
games = 100000
contact = [16, 8, 8]
race = [8, 8, 8]
batch = 128
"""


def drivers() -> list[tuple[str, Driver, int]]:
    """Each driver with its name and its count at full scale."""
    return [
        ("damaged saves", damaged_saves, 20_000),
        ("damaged training states", damaged_states, 2_000),
        ("damaged checkpoints", damaged_checkpoints, 1_000),
        ("damaged analyses", damaged_stores, 300),
        ("disk full while writing", full_disks, 5_000),
        ("kill -9 of a game", killed_games, 24),
        ("kill -9 of a training run", killed_runs, 19),
        ("torchrun with 2, 1, 2 processes", process_counts, 1),
        ("Ctrl-C in rollout, duel, analyse, best", interruptions, 60),
    ]


def _damaged(rng: random.Random, content: bytes) -> bytes:
    """A file cut off, filled with zeros, with bytes changed, removed or repeated."""
    start = rng.randrange(len(content))
    end = min(len(content), start + rng.choice((1, 1, 4, 64, 4096)))
    match rng.randrange(5):
        case 0:
            return content[:start]
        case 1:
            return content[:start] + bytes(len(content) - start)
        case 2:
            return content[:start] + rng.randbytes(end - start) + content[end:]
        case 3:
            return content[:start] + content[end:]
    return content[:end] + content[start:]


def _try(outcome: Outcome, use: Callable[[], str | None]) -> None:
    """Count what comes of an input; ``use`` returns what is wrong, if anything."""
    outcome.tried += 1
    begun = time.monotonic()
    try:
        wrong = use()
    except InputError as error:
        outcome.refused += 1
        if "\n" in str(error):
            outcome.failed("wrong", f"more than one line: {error}")
    except Exception as error:
        outcome.failed("crashes", repr(error))
    else:
        if wrong is not None:
            outcome.failed("wrong", wrong)
    if time.monotonic() - begun > HANG:
        outcome.failed("hangs", "")


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def damaged_saves(count: int) -> Outcome:
    """Saves of every kind; what is read must be written and read again alike."""
    from bgai.notation.record import RECORDS
    from bgai.sessions.chouette import CHOUETTES
    from bgai.sessions.consultation import CONSULTATIONS
    from bgai.sessions.session_file import SESSIONS
    from bgai.sessions.table_session import TABLES
    from bgai.sessions.team import TEAM_MATCHES

    formats: list[Any] = [SESSIONS, CHOUETTES, CONSULTATIONS, TEAM_MATCHES, TABLES, RECORDS]
    contents = [path.read_bytes() for path in sorted(SAVES.glob("*.json"))]
    rng, outcome = random.Random(1), Outcome()
    with _folder() as folder:
        path = folder / "game.json"

        def use() -> str | None:
            data = json.loads(path.read_bytes())
            form = next(each for each in formats if each.name == data["format"])
            value = form.read(path)
            return None if form.dump(form.load(form.dump(value))) == form.dump(value) else "changed"

        def read() -> str | None:
            try:
                return use()
            except (ValueError, KeyError, TypeError, StopIteration) as error:
                if isinstance(error, InputError):
                    raise
                SESSIONS.read(path)  # which must refuse it in a line
                return "read"

        for _ in range(count):
            path.write_bytes(_damaged(rng, rng.choice(contents)))
            _try(outcome, read)
    return outcome


def damaged_states(count: int) -> Outcome:
    """States of a training run: refused, or exactly what was saved."""
    from bgai_training.runstate import load_state, save_state

    rng, outcome = random.Random(2), Outcome()
    arrays = {str(n): np.random.default_rng(n).normal(size=(n, 7)) for n in range(1, 9)}
    with _folder() as folder:
        path = folder / "state-0.safetensors"
        save_state(path, {"rounds": 3, "arrays": arrays})
        whole = path.read_bytes()

        def use() -> str | None:
            state = load_state(path)
            same = all(np.array_equal(state["arrays"].get(k), v) for k, v in arrays.items())
            return None if same else "numbers changed"

        for _ in range(count):
            path.write_bytes(_damaged(rng, whole))
            _try(outcome, use)
    return outcome


def damaged_checkpoints(count: int) -> Outcome:
    """Networks: refused, or chances from 0 to 1."""
    from bgai.evaluation.checkpoint import load_evaluator, released_checkpoints
    from bgai.rules.position import starting_position

    source = next(iter(released_checkpoints().values()))
    rng, outcome = random.Random(3), Outcome()
    with _folder() as folder:
        shutil.copytree(source, folder / "net")

        def use() -> str | None:
            chances = load_evaluator(str(folder / "net")).evaluate(starting_position()[None])
            return None if ((chances >= 0) & (chances <= 1)).all() else str(chances)

        for _ in range(count):
            name = rng.choice(["model.safetensors", "card.json"])
            whole = (source / name).read_bytes()
            (folder / "net" / name).write_bytes(_damaged(rng, whole))
            _try(outcome, use)
            (folder / "net" / name).write_bytes(whole)
    return outcome


def damaged_stores(count: int) -> Outcome:
    """Files of analyses: used or refused, and what is rescued is sound."""
    from bgai.analysis.analyse import Job, analyse
    from bgai.analysis.rescue import rescue
    from bgai.analysis.store import Store
    from bgai.notation.record_files import read_record
    from bgai.search.engine import HANDMADE, EngineSettings
    from bgai.search.executors import InlineExecutor

    rng, outcome = random.Random(4), Outcome()
    job, settings = Job(read_record(MATCH).record, "m"), EngineSettings(network=HANDMADE)
    with _folder() as folder:
        path, new = folder / "analyses.sqlite", folder / "new.sqlite"
        with Store(path) as store:
            (review,) = analyse([job], settings, store, InlineExecutor())
        whole, sound = path.read_bytes(), set(review.decisions)

        def use() -> str | None:
            with Store(path) as store:
                list(store.finished())
            return None

        def saved() -> str | None:
            rescue(path, new)
            with Store(new) as store:
                found = {each.decision for each in store.worst(None, -1, 10**6)}
            return None if found <= sound else "a decision that was never there"

        for _ in range(count):
            path.write_bytes(_damaged(rng, whole))
            _try(outcome, use)
            new.unlink(missing_ok=True)
            _try(outcome, saved)
    return outcome


def full_disks(count: int) -> Outcome:
    """The disk is full after so many bytes: the file is the old one or the new one."""
    from bgai.files import write_bytes

    rng, outcome = random.Random(5), Outcome()
    with _folder() as folder:
        path = folder / "file"
        for _ in range(count):
            old, new = (rng.randbytes(rng.randrange(1, 40_000)) for _ in range(2))
            path.write_bytes(old)

            def use(old: bytes = old, new: bytes = new) -> str | None:
                limit = resource.getrlimit(resource.RLIMIT_FSIZE)
                resource.setrlimit(resource.RLIMIT_FSIZE, (rng.randrange(40_000), limit[1]))
                try:
                    write_bytes(path, new)
                finally:
                    resource.setrlimit(resource.RLIMIT_FSIZE, limit)
                return None

            _try(outcome, use)
            if path.read_bytes() not in (old, new) or len(list(folder.iterdir())) != 1:
                outcome.failed("wrong", "half a file, or one left behind")
    return outcome


def _environment(folder: Path) -> dict[str, str]:
    paths = os.pathsep.join((str(ROOT), str(ROOT / "training")))
    names = {"BGAI_GAMES_DIR": folder / "games", "BGAI_ANALYSES": folder / "analyses.sqlite"}
    return {**os.environ, "PYTHONPATH": paths, **{k: str(v) for k, v in names.items()}}


def _bgai(folder: Path, *arguments: str, module: str = "bgai") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        env=_environment(folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def killed_games(count: int) -> Outcome:
    """One game killed again and again: it goes on from the last act that was saved."""
    from bgai.sessions.session_file import SESSIONS

    rng, outcome, acts = random.Random(6), Outcome(), 0
    with _folder() as folder:
        path = folder / "game.json"
        for _ in range(count):
            outcome.tried += 1
            game = _bgai(folder, "play", "--level", "random", "--seed", "1", "--file", str(path))
            assert game.stdin is not None
            assert game.stdout is not None
            game.stdin.write("1\n\n" * 2000)
            game.stdin.flush()
            game.stdout.readline()  # it is played now
            time.sleep(rng.uniform(0.0, 1.0))
            game.kill()
            game.communicate()
            if not path.exists():
                continue
            try:
                session = SESSIONS.read(path)
            except InputError as error:
                outcome.failed("wrong", str(error))
                break
            now = sum(len(record.acts) for record in session.records)
            if now < acts:
                outcome.failed("wrong", f"{acts} acts were saved, {now} are left")
            acts = now
    return outcome


def killed_runs(count: int) -> Outcome:
    """One training run killed again and again: no saved round is lost."""
    from bgai_training.runstate import load_state

    rng, outcome, rounds = random.Random(7), Outcome(), 0
    with _folder() as folder:
        (folder / "tiny.toml").write_text(RECIPE)
        for _ in range(count):
            outcome.tried += 1
            arguments = (str(folder / "tiny.toml"), "--folder", str(folder), "--save-minutes", "0")
            run = _bgai(folder, *arguments, module="bgai_training")
            _wait_for_change(folder / "state-0.safetensors")
            time.sleep(rng.uniform(0.0, 3.0))
            run.kill()
            run.communicate()
            states = []
            for path in folder.glob("state-0.*"):
                states.append(int(load_state(path)["rounds"]))
            if max(states, default=0) < rounds:
                outcome.failed("wrong", f"{rounds} rounds were saved, {states} are left")
            rounds = max(states, default=0)
    return outcome


def _wait_for_change(path: Path) -> None:
    """Wait until a file is written anew, a minute at most."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    deadline = time.monotonic() + HANG
    while time.monotonic() < deadline:
        if path.exists() and path.stat().st_mtime_ns != before:
            return
        time.sleep(0.01)


def process_counts(count: int) -> Outcome:
    """A run with two processes, then one, then two."""
    outcome = Outcome()
    for _ in range(count):
        with _folder() as folder:
            (folder / "tiny.toml").write_text(RECIPE.replace("100000", "20000"))
            for processes in (2, 1, 2):
                outcome.tried += 1
                command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
                command += ["--nproc-per-node", str(processes), "-m", "bgai_training"]
                command += [str(folder / "tiny.toml"), "--folder", str(folder), "--minutes", "0.1"]
                done = subprocess.run(
                    command, env=_environment(folder), capture_output=True, text=True, check=False
                )
                if done.returncode:
                    outcome.failed("crashes", done.stderr[-300:])
    return outcome


def interruptions(count: int) -> Outcome:
    """Ctrl-C at any moment: the exit code of it, "interrupted", no traceback."""
    rng, outcome = random.Random(8), Outcome()
    # Begun in the background by a shell, this program and what it starts would ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with _folder() as folder:
        commands = [
            ("rollout", OPENING, "--trials", "1000000", "--save", str(folder / "trials")),
            ("duel", "handmade", "random", "--games", "1000000"),
            ("analyse", str(MATCH.parent), "--plies", "3"),
            ("best", OPENING, "--rollout", "--trials", "10000000"),
        ]
        for number in range(count):
            outcome.tried += 1
            process = _bgai(folder, *commands[number % len(commands)])
            time.sleep(rng.uniform(0.1, 8.0))
            process.send_signal(signal.SIGINT)
            try:
                _, said = process.communicate(timeout=HANG)
            except subprocess.TimeoutExpired:
                process.kill()
                outcome.failed("hangs", " ".join(commands[number % len(commands)]))
                continue
            # Python itself was starting, or the program's modules were being loaded
            before = process.returncode == -signal.SIGINT and "bgai/program.py" not in said
            if "Traceback" in said and not before:
                outcome.failed("crashes", said[-300:])
            elif not before and (process.returncode != 130 or not said.endswith("interrupted\n")):
                outcome.failed("wrong", f"exit code {process.returncode}: {said[-200:]}")
            (folder / "analyses.sqlite").unlink(missing_ok=True)
    return outcome
