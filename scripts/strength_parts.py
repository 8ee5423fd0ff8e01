"""What scripts/strength_table.py measures: contests, decisions, verdicts, families.

Each part writes what it finds into a folder, a file for each engine or contest, and leaves alone
what is there already; contests go on.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bench_search import Given, Turns, ask_other, contact_decisions, measure_bgai, measure_other
from bgai_training.error_map import ErrorMap, family_errors

from bgai.analysis.arena import Contest
from bgai.analysis.arena_file import ArenaFile
from bgai.analysis.decision_error import load_decisions
from bgai.files import write_text
from bgai.notation.position_id import format_position_id
from bgai.notation.xgid import parse_xgid
from bgai.players.engines import engine
from bgai.players.opponents import is_program, player_named
from bgai.players.player import Player
from bgai.players.situation import situation_game
from bgai.rules.acts import CubeAct
from bgai.search.executors import open_executor
from bgai.ui.commands.duel import ArenaOptions

OURS = ("expert@0", "expert@1", "expert@2")
GNUBG = ("gnubg@0", "gnubg@1", "gnubg@2")
SAGE = ("sage@0", "sage@1")
TIMED = 60
"""Contact decisions whose time is taken."""


@dataclass(frozen=True)
class Meeting:
    """A contest of the table: its players, what is played, and how many bouts a helping is."""

    first: str
    second: str
    what: str
    helping: int
    seconds: float | None = None

    @property
    def options(self) -> ArenaOptions:
        """As `bgai duel` has them; deeper players are not judged, no judge here is deeper."""
        shallow = all(name[-2:] in ("@0", "@1") for name in (self.first, self.second))
        reviewed = shallow and is_program(self.second)
        if self.what == "match":
            return ArenaOptions(match=7, review=reviewed, seconds=self.seconds)
        return ArenaOptions(money=self.what == "money", review=reviewed, seconds=self.seconds)

    @property
    def judge(self) -> str:
        """Deeper than both players, except where their play isn't judged."""
        return "expert@2" if self.first.endswith("@1") and self.options.review else "expert@1"

    @property
    def contest(self) -> Contest:
        """What is kept in its file."""
        return self.options.contest(self.first, self.second, 1, self.judge)

    def path(self, folder: Path) -> Path:
        """Its file."""
        return folder / f"{self.first}-{self.second}-{self.what}.duel".replace("@", "")

    def command(self, bouts: int) -> str:
        """What makes the same figures by itself."""
        how = {"match": "--match 7 ", "money": "--money ", "cubeless": ""}[self.what]
        review = "" if self.options.review else " --no-review"
        review += "" if self.seconds is None else f" --time {self.seconds:g}"
        return (
            f"bgai duel {self.first} {self.second} {how}--games {bouts} --seed 1 "
            f"--judge {self.judge}{review}"
        )


KINDS = ("cubeless", "money", "match")
MEETINGS = [
    Meeting(first, second, what, helping)
    for first, second, helpings in (
        ("expert@0", "gnubg@0", (60, 60, 6)),
        ("expert@1", "gnubg@1", (20, 20, 4)),
        ("expert@2", "gnubg@2", (6, 6, 2)),
        ("expert@0", "sage@0", (6, 6, 2)),
        ("expert@1", "sage@1", (2, 2, 2)),
    )
    for what, helping in zip(KINDS, helpings, strict=True)
]
MEETINGS += [  # what joins the others in one rating list
    Meeting("expert@1", "expert@0", "match", 6),
    Meeting("expert@2", "expert@1", "match", 2),
]
MEETINGS.append(Meeting("expert", "gnubg", "money", 10, 0.05))


def contests(folder: Path, minutes: float, workers: int, say: Callable[[str], None]) -> None:
    """Play on in turns, a helping of each contest, until the time is up."""
    end = time.monotonic() + 60 * minutes
    played = dict.fromkeys(MEETINGS, 0)
    with open_executor(workers) as executor:
        while time.monotonic() < end:
            for meeting in MEETINGS:
                if time.monotonic() >= end:
                    return
                with ArenaFile(meeting.path(folder), meeting.contest) as kept:
                    found = kept.result()
                    played[meeting] = (found.bouts if found else 0) + meeting.helping
                    begun = time.monotonic()
                    kept.play(played[meeting], executor)
                took = time.monotonic() - begun
                say(f"{meeting.command(played[meeting])}: {took:.0f} s more")


def kept(path: Path, measure: Callable[[], Any], say: Callable[[str], None]) -> None:
    """Measure something and write it, unless it is there."""
    if path.exists():
        return
    begun = time.monotonic()
    write_text(path, json.dumps(measure()) + "\n")
    say(f"{path.name}: {time.monotonic() - begun:.0f} s")


def decisions(folder: Path, data: Path, python: str, say: Callable[[str], None]) -> None:
    """Decision error and CPU time on rolled-out decisions, cubeless."""
    known = load_decisions(data / "decisions.jsonl")
    turns: Turns = contact_decisions(engine("expert@0").lookahead, TIMED, 1)
    for name in (*OURS, *GNUBG, *SAGE):
        called, plies = name.split("@")

        def measure(called: str = called, plies: str = plies, name: str = name) -> Any:
            if name in OURS:
                return asdict(measure_bgai(engine(name).lookahead, known, turns))
            other = "bgsage" if called == "sage" else called
            return asdict(measure_other(python, other, int(plies), known, turns))

        kept(folder / f"decisions-{name}.json", measure, say)


def families(folder: Path, map_: Path, python: str, say: Callable[[str], None]) -> None:
    """Errors of equity by family of positions, cubeless."""
    reference = ErrorMap.load(map_)
    turn = contact_decisions(engine("expert@0").lookahead, 1, 1)
    for name in (*OURS, *GNUBG, *SAGE):
        called, plies = name.split("@")

        def measure(called: str = called, plies: str = plies, name: str = name) -> Any:
            if name in OURS:
                judge: Any = engine(name).lookahead
            else:
                other = "bgsage" if called == "sage" else called
                judge = ask_other(python, other, int(plies), reference.positions, turn)[0]
            judged = Given(judge.evaluate(reference.positions))
            return [asdict(each) for each in family_errors(judged, reference)]

        kept(folder / f"families-{name}.json", measure, say)


# --- eXtreme Gammon's verdicts ------------------------------------------------------------------


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def play_losses(player: Player, lines: list[dict[str, Any]]) -> tuple[list[float], float]:
    """Equity lost in each decision whose play XG judged, and seconds a decision."""
    lost, seconds, asked = [], 0.0, 0
    for line in lines:
        game = situation_game(parse_xgid(line["id"]))
        if line["level"] == "book" or len(game.plays) < 2:
            continue
        begun = time.perf_counter()
        after = player.choose_play(game).after
        seconds += time.perf_counter() - begun
        asked += 1
        equities = {play["next"]: float(play["equity"]) for play in line["plays"]}
        found = equities.get(format_position_id(after))
        if found is not None:
            lost.append(1000 * (max(equities.values()) - found))
    return lost, seconds / max(asked, 1)


def cube_losses(player: Player, lines: list[dict[str, Any]]) -> list[float]:
    """Equity lost in each decision by doubler and taker together."""
    lost = []
    for line in lines:
        game = situation_game(parse_xgid(line["id"]))
        if game.why_no_double() is not None:
            continue
        waits, doubled = line["nd"], min(line["dt"], line["dp"])
        doubler = max(waits, doubled) - (doubled if player.doubles(game) else waits)
        takes = player.answer_double(game.after(CubeAct.DOUBLE)) is not CubeAct.PASS
        taker = (line["dt"] if takes else line["dp"]) - doubled
        lost.append(1000 * (doubler + taker))
    return lost


def verdicts(folder: Path, data: Path, say: Callable[[str], None]) -> None:
    """Error against the verdicts stored in public match files, with cube and score."""
    plays, cubes = _lines(data / "xg-plays.jsonl"), _lines(data / "xg-cubes.jsonl")
    for name in (*OURS, *GNUBG, *SAGE):

        def measure(name: str = name) -> Any:
            player = player_named(name)
            player.choose_play(situation_game(parse_xgid(plays[0]["id"])))  # loading
            lost, seconds = play_losses(player, plays)
            turned = cube_losses(player, cubes)
            close = getattr(player, "close", None)
            if close is not None:
                close()
            return {"plays": _mean(lost), "seconds": seconds, "cubes": _mean(turned)}

        kept(folder / f"verdicts-{name}.json", measure, say)


def _mean(lost: list[float]) -> dict[str, float]:
    values = np.array(lost)
    error = values.std(ddof=1) / len(values) ** 0.5
    return {"n": len(values), "mean": float(values.mean()), "error": float(error)}
