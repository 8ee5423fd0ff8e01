"""Verdicts that other programs stored in a file: kept beside ours, and written back.

A file's reader makes them of what it finds; plays are still text as the file has it then, and
GNU Backgammon's cube is in match-winning chances. :func:`settled` puts them in our terms by the
state of the game.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bgai.equity.stakes import Stakes, stakes_for
from bgai.errors import InputError
from bgai.notation.play_text import AmbiguousPlayError, format_play, parse_play
from bgai.notation.record import StoredVerdict
from bgai.rules.game import Game

XG, GNU = "eXtreme Gammon", "GNU Backgammon"
_SHOWN = 3  # plays


def settled(verdict: StoredVerdict, game: Game, *, in_chances: bool = False) -> StoredVerdict:
    """A verdict in our terms: ``game`` is the state before the act it is about.

    ``in_chances``: a match's cube figures but the last are the doubler's match-winning chances.
    Plays that the rules don't know stay as the file has them.
    """
    plays = verdict.plays
    if game.roll is not None:
        plays = tuple(replace(each, text=_our_text(game, each.text)) for each in plays)
    cube = verdict.cube
    if cube and in_chances and game.standing.is_match:
        cube = (*_from_chance(game_stakes(game), np.array(cube[:2])).tolist(), 1.0)
    return replace(verdict, plays=plays, cube=cube)


def game_stakes(game: Game) -> Stakes:
    """The stakes of the player on turn, before any double."""
    return stakes_for(game.cube_for(game.turn), game.score_for(game.turn), game.rules)


def match_chances(game: Game, cube: tuple[float, ...]) -> tuple[float, ...]:
    """The way back: match-winning chances of equities; in money play these themselves."""
    if not game.standing.is_match:
        return cube
    return tuple(game_stakes(game).match_chance(np.array(cube)).tolist())


def _from_chance(stakes: Stakes, chances: NDArray[np.float64]) -> NDArray[np.float64]:
    assert stakes.match is not None
    middle, half = stakes.match
    return np.asarray((chances - middle) / half)


def _our_text(game: Game, text: str) -> str:
    assert game.roll is not None
    try:
        return format_play(parse_play(text, game.position, game.roll))
    except AmbiguousPlayError as error:  # as the plays of the game are read
        return format_play(error.candidates[0])
    except InputError:
        return text


def stored_words(verdict: StoredVerdict, made: str = "") -> str:
    """``XG Roller++: 8/5 6/5 +0.214, 24/20 13/11 +0.180``, or the three equities of a cube.

    The first three plays, and the one ``made``.
    """
    short = {XG: "XG", GNU: "GNU"}.get(verdict.by, verdict.by)
    head = f"{short} {verdict.level}".strip()
    if verdict.plays:
        shown = [each for i, each in enumerate(verdict.plays) if i < _SHOWN or each.text == made]
        said = ", ".join(
            f"{each.text} {each.equity:+.3f}"
            + (f" ({each.level})" if each.level != verdict.level else "")
            for each in shown
        )
    else:
        names = ("no double", "double/take", "double/pass")
        said = ", ".join(
            f"{name} {equity:+.3f}" for name, equity in zip(names, verdict.cube, strict=False)
        )
    return f"{head}: {said}"
