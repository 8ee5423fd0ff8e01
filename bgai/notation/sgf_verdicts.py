"""GNU Backgammon's verdicts in SGF: ``A`` plays, ``DA`` the cube, ``LU`` luck.

A play is ``letters E ver 3 w wg wbg lg lbg equity 2C 0 1 0.0 1``: five chances of the one who
plays, the cubeful equity (normalised in a match), how deep. ``DA`` has the same with seven numbers
for no double and seven for double and take, of which the last is cubeful: match-winning chances in
a match, an equity in money play. Rollouts (``X``) are passed over.

Other programs' verdicts are written the same way, so that GNU Backgammon shows them; properties
beside them, which it passes over, say whose they are and how deep: ``JD[by][level]`` of the plays,
with a level for each, and ``JC[by][level]`` of cube and luck.
"""

import math
import re
from collections.abc import Sequence

from bgai.errors import InputError
from bgai.notation.entries import Entry, Kind
from bgai.notation.play_text import parse_play
from bgai.notation.record import StoredPlay, StoredVerdict
from bgai.notation.sgf_moves import letters_for, moves_of
from bgai.notation.stored import GNU, XG, match_chances
from bgai.rules.game import Game

Node = dict[str, list[str]]

_NUMBER = r"(-?\d+\.\d+(?:e-?\d+)?)"
_PLAY = re.compile(rf"([a-z]{{0,16}}) E ver \d+ {' '.join([_NUMBER] * 6)} (\d+)(C?)")
_CUBE = re.compile(rf"E ver \d+ (\d+)(C?) \S+ \S+ \S+ {' '.join([_NUMBER] * 14)}")
_LUCK = re.compile(_NUMBER)
_MOST_PLAYS = 2000
_DEEPEST = 4  # plies of GNU Backgammon's own levels


# -- reading ----------------------------------------------------------------------------------


def plays_of(node: Node, seat: int) -> StoredVerdict | None:
    """What a node says of the plays of its roll."""
    found = [_PLAY.match(value.strip()) for value in node.get("A", [])[1:_MOST_PLAYS]]
    levels = node.get("JD", [])[2:]
    plays = []
    for index, match in enumerate(found):
        if match is None or len(match[1]) % 2:
            continue
        *chances, equity = _numbers(match.groups()[1:7])
        level = levels[index] if index < len(levels) else _level(match[8], match[9])
        plays.append(StoredPlay(moves_of(match[1], seat), equity, level, tuple(chances)))
    if not plays:
        return None
    by, level = _by(node, plays[0].level)
    return StoredVerdict(by, level, plays=tuple(plays))


def cube_of(node: Node) -> StoredVerdict | None:
    """What a node says of the cube; in a match its figures are chances."""
    match = _CUBE.match(node.get("DA", [""])[0].strip())
    if match is None:
        return None
    figures = _numbers(match.groups()[2:])
    by, level = _by(node, _level(match[1], match[2]), "JC")
    cube = (figures[6], figures[13], 1.0)
    return StoredVerdict(by, level, cube=cube, chances=tuple(figures[:5]))


def roll_of_node(node: Node) -> StoredVerdict | None:
    """What a node says of the cube before its roll, and of the roll's luck."""
    cube = cube_of(node)
    match = _LUCK.match(node.get("LU", [""])[0].strip().lstrip("+"))
    if match is None:
        return cube
    (value,) = _numbers(match.groups())
    if cube is None:
        return StoredVerdict(_by(node, "", "JC")[0], luck=value)
    return StoredVerdict(cube.by, cube.level, cube=cube.cube, chances=cube.chances, luck=value)


def _numbers(texts: Sequence[str]) -> list[float]:
    return [number if math.isfinite(number := float(text)) else 0.0 for text in texts]


def _level(plies: str, cubeful: str) -> str:
    return f"{plies}-ply" + ("" if cubeful else " cubeless")


def _by(node: Node, level: str, key: str = "JD") -> tuple[str, str]:
    """Who judged, and how deep."""
    said = node.get(key, [])
    return (said[0], said[1]) if len(said) > 1 else (GNU, level)


# -- writing ----------------------------------------------------------------------------------


def verdicts_text(entry: Entry) -> str:
    """The properties of an entry's verdicts, empty where it has none."""
    game = entry.state
    if game is None:
        return ""
    cube = entry.before if entry.kind is Kind.ROLL else entry.stored
    plays = entry.stored if entry.kind is Kind.ROLL else None
    parts = []
    if plays is not None and plays.plays:
        parts.append(_plays_text(plays, game, entry))
    if cube is not None and len(cube.cube) == 3:
        parts.append(_cube_text(cube, game))
    if cube is not None and cube.luck is not None:
        parts.append(f"LU[{cube.luck:+.5f}]")
    if plays is not None and plays.by != GNU:
        levels = (plays.by, plays.level, *(each.level for each in plays.plays))
        parts.append("JD" + "".join(f"[{_plain(each)}]" for each in levels))
    if cube is not None and cube.by != GNU:
        parts.append(f"JC[{_plain(cube.by)}][{_plain(cube.level)}]")
    return "".join(parts)


def _plays_text(verdict: StoredVerdict, game: Game, entry: Entry) -> str:
    values: list[str] = []
    made = 0
    for play in verdict.plays:
        letters = _letters(play.text, game)
        if letters is None:
            continue
        if letters == entry.moves:
            made = len(values)
        chances = " ".join(f"{each:.6f}" for each in play.chances or (0.0,) * 5)
        depth = _depth(play.level, verdict.by)
        values.append(f"[{letters} E ver 3 {chances} {play.equity:.6f} {depth} 0 1 0.000000 1]")
    return f"A[{made}]{''.join(values)}" if values else ""


def _letters(text: str, game: Game) -> str | None:
    if game.roll is None:
        return None
    try:
        return letters_for(game, parse_play(text, game.position, game.roll))
    except InputError:
        return None


def _cube_text(verdict: StoredVerdict, game: Game) -> str:
    no_double, taken = match_chances(game, verdict.cube[:2])
    chances = " ".join(f"{each:.6f}" for each in verdict.chances or (0.0,) * 5)
    depth = _depth(verdict.level, verdict.by)
    return (
        f"DA[E ver 3 {depth} 1 0.000000 1 {chances} {verdict.cube[0]:.6f} {no_double:.6f} "
        f"{chances} {verdict.cube[1]:.6f} {taken:.6f}]"
    )


def _depth(level: str, by: str) -> str:
    """GNU's plies of a level by name: one fewer than eXtreme Gammon counts, and the deepest of
    theirs for what thinks longer."""
    found = re.match(r"(\d)-ply", level)
    plies = int(found[1]) - (by == XG) if found else _DEEPEST
    return f"{max(plies, 0)}C"


def _plain(text: str) -> str:
    return re.sub(r"[\[\]\\:]", "", text)
