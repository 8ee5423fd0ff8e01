"""Situations and games from what callers send."""

from dataclasses import replace

import numpy as np

from bgai.errors import InputError
from bgai.notation.identifiers import parse_identifier
from bgai.notation.situation import Offer, Seat, Situation
from bgai.players.situation import game_situation, situation_game
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import Roll, parse_roll
from bgai.rules.game import Game
from bgai.rules.match import MatchScore
from bgai.rules.position import check_position
from bgai.ui.web.errors import Refusal, naming
from bgai.ui.web.requests import PositionRequest, SituationIn


def situation_of(identifier: str, field: str = "id") -> Situation:
    """The situation of an identifier; a bad one refuses ``field``."""
    with naming(field):
        return parse_identifier(identifier)


def situation_asked(request: PositionRequest) -> Situation:
    """The situation of a request, by its ID or its fields."""
    if (request.id is None) == (request.situation is None):
        raise Refusal(400, "id: give either id or situation, one of the two", "id")
    if request.id is not None:
        return situation_of(request.id)
    assert request.situation is not None
    with naming("situation"):
        return _situation(request.situation)


def _situation(fields: SituationIn) -> Situation:
    match = fields.match
    return Situation(
        position=check_position(np.array(fields.position, dtype=np.int64)),
        cube=Cube(fields.cube.value, CubeOwner[fields.cube.owner.upper()]),
        score=None
        if match is None
        else MatchScore(match.length, match.on_roll, match.opponent, match.crawford),
        rules=HouseRules(fields.jacoby, int(fields.beavers), 0, fields.max_cube),
        roll=None if fields.dice is None else parse_roll(fields.dice),
        offer=Offer[fields.offer.upper()],
        seat=Seat[fields.seat.upper()],
    )


def shown_situation(game: Game, bottom: int = 0) -> Situation:
    """The situation of a game for identifiers and judges: without the points of a session.

    Those sum to zero, and identifiers have no place for negative ones.
    """
    return replace(game_situation(game, bottom), session=(0, 0))


def game_of(situation: Situation, dice: str | None = None) -> Game:
    """The game a situation stands for; seat 0 is the player on roll.

    ``dice`` replace those of the situation. Raises ``InputError``.
    """
    if dice is not None:
        with naming("dice"):
            roll = parse_roll(dice)
        if situation.offer is not Offer.NONE:
            raise InputError("a double waits for its answer: nobody can have rolled")
        situation = replace(situation, roll=roll)
    return situation_game(situation)


def rolled(identifier: str, dice: str | None) -> tuple[Situation, Roll]:
    """The situation of an ID and the dice rolled. Refuses where there are none."""
    situation = situation_of(identifier)
    with naming("id"):
        game = game_of(situation, dice)
    if game.roll is None:
        raise Refusal(400, "dice: the ID carries none, so give two such as 31", "dice")
    return situation, game.roll
