"""Plays in SGF: a pair of letters for each move, without marks of hits."""

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np

from bgai.notation.play_text import AmbiguousPlayError, parse_play
from bgai.rules.game import Game
from bgai.rules.play import Move, Play, PlayError, apply_play, step_stops


def point_of(letter: str, seat: int) -> int:
    """The point of a letter in a seat's own numbering, 25 the bar, 0 off."""
    if letter == "y":
        return 25
    if letter == "z":
        return 0
    number = ord(letter) - ord("a") + 1
    return number if seat == 0 else 25 - number


def moves_of(letters: str, seat: int) -> str:
    """A play as text from its letters, a pair a move."""
    pairs = zip(letters[::2], letters[1::2], strict=True)
    return " ".join(f"{point_of(source, seat)}/{point_of(end, seat)}" for source, end in pairs)


def letters_of(play: Play, seat: int) -> str:
    """The way back."""
    points = (point for move in play for point in (move.source, move.destination))
    return "".join(_letter(point, seat) for point in points)


def _letter(point: int, seat: int) -> str:
    if point in (0, 25):
        return "z" if point == 0 else "y"
    return chr(ord("a") + (point if seat == 0 else 25 - point) - 1)


def letters_for(game: Game, play: Play) -> str:
    """The letters of a play of ``game``'s roll that nobody can read as another one.

    Moves are joined where that is clear; where a checker could also have hit on its way they are
    spelled out die by die.
    """
    assert game.roll is not None
    try:
        after = apply_play(game.position, play)
    except PlayError:  # a play against the rules is taken as it is written
        return letters_of(play, game.turn)
    for spelled in _spellings(game, play):
        letters = letters_of(spelled, game.turn)
        try:
            read = parse_play(moves_of(letters, game.turn), game.position, game.roll)
        except AmbiguousPlayError:
            continue
        except PlayError:
            break
        if np.array_equal(apply_play(game.position, read), after):
            return letters
    return letters_of(play, game.turn)


def _spellings(game: Game, play: Play) -> Iterator[Play]:
    """The play as it is, and with its moves die by die in every way."""
    assert game.roll is not None
    ways = []
    for move in play:
        routes = step_stops(move.source, move.destination, game.roll) or [()]
        ways.append([[move], *(_steps(move, route) for route in routes if len(route))])
    for choice in product(*ways):
        yield tuple(step for steps in choice for step in steps)


def _steps(move: Move, stops: tuple[int, ...]) -> list[Move]:
    points = (move.source, *stops, move.destination)
    return [move._replace(source=source, destination=end) for source, end in pairwise(points)]
