"""The page of scripts/strength_table.py: docs/strength.md and its two pictures."""

import json
import platform
from pathlib import Path
from typing import Any

from search_picture import Curve, draw
from strength_parts import GNUBG, MEETINGS, OURS, SAGE, Meeting

from bgai import __version__
from bgai.analysis.arena import ArenaResult, Estimate
from bgai.analysis.arena_file import ArenaFile
from bgai.analysis.ratings import WIDE, rate
from bgai.analysis.ratings import Meeting as Played
from bgai.errors import InputError
from bgai.files import write_text

COMMAND = "python scripts/strength_table.py runs/strength --data DATA --engines engines/bin/python"
WHAT = {
    "cubeless": "Money games without the cube, points a game",
    "money": "Money games with the cube (Jacoby, beavers), points a game",
    "match": "Matches to 7, part of them won",
}
FEWEST = 8
"""Positions of a family below which nothing is said of it."""
ENGINES = (*OURS, *GNUBG, *SAGE)


def write_page(folder: Path, docs: Path) -> None:
    """Write what the folder has. Raises ``InputError`` where it has nothing."""
    parts = [
        _head(),
        *(_contests(folder, what) for what in WHAT),
        _ratings(folder),
        _decisions(folder),
        _verdicts(folder),
        _families(folder),
    ]
    if not any(parts[1:]):
        raise InputError(f"{folder}: nothing is measured yet")
    write_text(docs / "strength.md", "\n\n".join(part for part in parts if part) + "\n")
    _pictures(folder, docs)


def _head() -> str:
    return f"""# Strength

Engines by the same measures, in one run on one machine that other work kept busy ({_processor()});
bgai {__version__}, GNU Backgammon 1.07 as the whole program, Open Sage 2.0 by its package. Plies
are GNU Backgammon's: 0-ply is the bare network. Every figure has its standard error. All of it is
made, a part at a time, by

```
{COMMAND} --minutes 60
```

and each contest by the command beside it too. `gnubg@N` plays with its own evaluation, move
filters, bear-off databases, match equities and cube; `sage@N` with its analyzer. Times of contests
and verdicts are of the wall, on a machine with more to do than cores, and include asking another
process; the Python inside GNU Backgammon takes 10 ms for a play of any depth. Errors of contests
come from pairs of bouts with the same dice: those of fewer than 20 bouts are a guess."""


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(": ", 1)[1] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def _table(head: list[str], rows: list[list[str]]) -> str:
    rule = "|".join("---:" if name not in (head[0], "command") else "---" for name in head)
    lines = [f"| {' | '.join(head)} |", f"|{rule}|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


# --- contests -----------------------------------------------------------------------------------


def _contests(folder: Path, what: str) -> str:
    rows = []
    for meeting in MEETINGS:
        path = meeting.path(folder)
        if meeting.what != what or not path.exists():
            continue
        with ArenaFile(path, meeting.contest) as kept:
            found = kept.result()
        if found is not None:
            rows.append(_contest_row(meeting, found))
    if not rows:
        return ""
    head = ["contest", "n", "as played", "without luck", "PR", "ms a decision", "command"]
    text = f"## {WHAT[what]}\n\n{_table(head, rows)}"
    if what == "cubeless":
        text += (
            "\n\nThe figure is the first player's; luck is taken out by `expert`. PR of both is\n"
            "by the judge of the command, `expert` a ply deeper than both players: it shares its\n"
            "blind spots with one of them. Where no command says `--time`, players are as deep as\n"
            "their names say; where one does, a search that would end too late is not begun."
        )
    return text


def _contest_row(meeting: Meeting, found: ArenaResult) -> list[str]:
    sign = "" if meeting.what == "match" else "+"
    sides = found.sides
    rated = ["-" if not s.counted else f"{500 * s.lost / s.counted:.2f}" for s in sides]
    times = [f"{1000 * s.seconds / max(s.decisions, 1):.3g}" for s in sides]
    assert found.adjusted is not None
    return [
        f"`{meeting.first}` against `{meeting.second}`",
        str(found.bouts),
        _estimate(found.result, sign),
        _estimate(found.adjusted, sign),
        " / ".join(rated),
        " / ".join(times),
        f"`{meeting.command(found.bouts)}`",
    ]


def _estimate(estimate: Estimate, sign: str) -> str:
    return f"{estimate.mean:{sign}.3f} ± {estimate.error:.3f}"


def _ratings(folder: Path) -> str:
    """Elo of all matches, where contests join the players."""
    played = []
    for meeting in MEETINGS:
        path = meeting.path(folder)
        if meeting.what == "match" and path.exists():
            with ArenaFile(path, meeting.contest) as kept:
                found = kept.result()
            if found is not None and found.adjusted is not None:
                played.append(Played(meeting.first, meeting.second, *found.adjusted, found.bouts))
    try:
        rated = rate(played, matches=True)
    except InputError:
        return ""
    rows = [[f"`{r.name}`", f"{r.rating:+.0f} ± {WIDE * r.error:.0f}", str(r.bouts)] for r in rated]
    return f"""## Rating list

Elo of matches to 7 without luck, with intervals of 95%; the mean of all is 0 (`bgai ratings` of
the matches above).

{_table(["player", "Elo", "matches"], rows)}"""


# --- single decisions ---------------------------------------------------------------------------


def _found(folder: Path, part: str) -> dict[str, Any]:
    """What was measured of a part, by engine."""
    paths = {name: folder / f"{part}-{name}.json" for name in ENGINES}
    return {
        name: json.loads(path.read_text(encoding="utf-8"))
        for name, path in paths.items()
        if path.exists()
    }


def _decisions(folder: Path) -> str:
    found = _found(folder, "decisions")
    if not found:
        return ""
    rows = [
        [
            f"`{name}`", f"{row['error']:.2f} ± {row['standard_error']:.2f}", f"{row['rmse']:.4f}",
            f"{row['evaluation_ms']:.3g}", f"{row['decision_ms']:.3g}",
        ]
        for name, row in found.items()
    ]  # fmt: skip
    head = ["engine", "decision error, mEq", "RMSE of equity", "ms an evaluation", "ms a decision"]
    return f"""## Rolled-out decisions

882 decisions between close plays that Open Sage rolled out, cubeless; CPU time, of one core, of
contact decisions. GNU Backgammon's network comes from gnubg-nn here.

{_table(head, rows)}

![Decision error against time](strength-decisions.svg)

`{COMMAND} --only decisions page`"""


def _verdicts(folder: Path) -> str:
    found = _found(folder, "verdicts")
    if not found:
        return ""
    rows = []
    for name, row in found.items():
        plays, cubes = row["plays"], row["cubes"]
        rows.append(
            [
                f"`{name}`",
                f"{plays['mean']:.2f} ± {plays['error']:.2f}", str(plays["n"]),
                f"{cubes['mean']:.2f} ± {cubes['error']:.2f}", str(cubes["n"]),
                f"{1000 * row['seconds']:.3g}",
            ]
        )  # fmt: skip
    head = ["engine", "plays, mEq", "n", "cubes, mEq", "n", "ms a play"]
    return f"""## Verdicts of eXtreme Gammon

Plays and cubes of public matches, by the equities that eXtreme Gammon stored with them (4-ply,
Roller+ or Roller++, without the opening book), with cube and score. The error is what the play or
the cube gave up; doubling and taking are added. Plays that were not stored are left out, which is
why n differs.

{_table(head, rows)}

![Error by the verdicts against time](strength-verdicts.svg)

`{COMMAND} --only verdicts page`"""


def _families(folder: Path) -> str:
    found = _found(folder, "families")
    if not found:
        return ""
    known = [each for rows in found.values() for each in rows if each["positions"] >= FEWEST]
    names = list(dict.fromkeys(each["family"] for each in known))
    rows = []
    for family in names:
        row, count = [family], ""
        for each in found.values():
            one = next(e for e in each if e["family"] == family)
            count = str(one["positions"])
            rmse = f"{1000 * one['rmse']:.0f} ± {1000 * one['rmse_error']:.0f}"
            row.append(f"{rmse} ({1000 * one['bias']:+.0f})")
        rows.append([row[0], count, *row[1:]])
    return f"""## Families of positions

RMSE of equity ± its standard error, in thousandths of a point, and in brackets the bias: what the
side ahead is given too much. Positions of `expert`'s self-play and of rare starts, rolled out to
the end by `expert` at 0-ply, which favours it where its play is wrong; the reference's own error
is taken off.

{_table(["family", "n", *(f"`{name}`" for name in found)], rows)}

`{COMMAND} --only families page`"""


def _pictures(folder: Path, docs: Path) -> None:
    rolled, judged = _found(folder, "decisions"), _found(folder, "verdicts")
    if rolled:
        points = {name: (row["decision_ms"], row["error"]) for name, row in rolled.items()}
        write_text(docs / "strength-decisions.svg", draw(_curves(points)))
    if judged:
        points = {name: (1000 * r["seconds"], r["plays"]["mean"]) for name, r in judged.items()}
        across, up = "time a play (wall)", "error in plays, mEq"
        write_text(docs / "strength-verdicts.svg", draw(_curves(points), across, up))


def _curves(points: dict[str, tuple[float, float]]) -> list[Curve]:
    """A curve for each engine, its depths joined."""
    called = {"expert": "bgai", "gnubg": "gnubg", "sage": "sage"}
    return [
        Curve(
            label,
            [(*at, each.split("@")[1]) for each, at in points.items() if each.startswith(name)],
        )
        for name, label in called.items()
        if any(each.startswith(name) for each in points)
    ]
