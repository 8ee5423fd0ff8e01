"""Situations, games, plays and cube decisions as JSON, and back."""

import json
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from bgai.equity.cube_action import CubeDecision
from bgai.errors import InputError
from bgai.evaluation.evaluator import Chances
from bgai.notation.captions import decision_text, score_text
from bgai.notation.diagram import format_diagram, symbol
from bgai.notation.identifiers import parse_identifier
from bgai.notation.play_text import format_play
from bgai.notation.situation import Offer, Seat, Situation
from bgai.players.situation import game_situation
from bgai.rules.acts import CubeAct, position_to_text
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import Roll, parse_roll
from bgai.rules.game import Game
from bgai.rules.match import MatchScore, Standing
from bgai.rules.play import Play, recover_play
from bgai.rules.position import Positions, check_position
from bgai.ui.commands.show import situation_json
from bgai.ui.web.errors import Refusal, naming
from bgai.ui.web.requests import PositionRequest, SituationIn

Whose = Literal["on_roll", "opponent", 0, 1]
"""Whose numbers: the player on roll in the position, the other one, or a seat of a game."""
CHANCES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


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
        roll=None if fields.roll is None else parse_roll(fields.roll),
        offer=Offer[fields.offer.upper()],
        seat=Seat[fields.seat.upper()],
    )


def situation_fields(situation: Situation) -> dict[str, Any]:
    """Everything about a situation: the fields of ``bgai show --json``, and words."""
    seat = situation.seat
    fields: dict[str, Any] = json.loads(situation_json(situation))
    fields["text"] = format_diagram(situation)
    fields["score_text"] = score_text(situation)
    fields["decision"] = decision_text(situation, symbol(seat), symbol(seat.other()))
    return fields


def shown_situation(game: Game, bottom: int = 0) -> Situation:
    """The situation of a game for identifiers and judges: without the points of a session.

    Those sum to zero, and identifiers have no place for negative ones.
    """
    return replace(game_situation(game, bottom), session=(0, 0))


def game_of(situation: Situation, roll: str | None = None) -> Game:
    """The game a situation stands for; seat 0 is the player on roll.

    ``roll`` replaces the one of the situation. Raises ``InputError``.
    """
    score = situation.score
    standing = Standing.start()
    if score is not None:
        standing = Standing(score.length, (score.on_roll, score.opponent), score.crawford)
    dice: Roll | None = situation.roll
    if roll is not None:
        with naming("roll"):
            dice = parse_roll(roll)
        if situation.offer is not Offer.NONE:
            raise InputError("a double waits for its answer: nobody can have rolled")
    game = Game.set_up(
        situation.position,
        roll=dice,
        cube=situation.cube,
        standing=standing,
        rules=situation.rules,
    )
    for act in (CubeAct.DOUBLE, CubeAct.BEAVER, CubeAct.RACCOON)[: situation.offer]:
        game = game.after(act)
    return game


def rolled_game(identifier: str, roll: str | None) -> tuple[Situation, Game]:
    """The situation of an ID and its game with dice rolled. Refuses where there is no roll."""
    situation = situation_of(identifier)
    with naming("id"):
        game = game_of(situation, roll)
    if game.roll is None:
        raise Refusal(400, "roll: the ID carries none, so give two dice such as 31", "roll")
    return situation, game


def chances_fields(chances: Chances, of: Whose = "on_roll") -> dict[str, Any]:
    """The five chances by name, and whose they are."""
    named = zip(CHANCES, chances, strict=True)
    return {"of": of} | {name: round(float(chance), 6) for name, chance in named}


def play_fields(play: Play, after: Positions) -> dict[str, Any]:
    """A play: its text, its moves ``[source, destination, hit]`` and the position after it."""
    return {
        "play": format_play(play),
        "moves": [[move.source, move.destination, move.hit] for move in play],
        "after": position_to_text(after),
    }


def legal_play_fields(game: Game) -> list[dict[str, Any]]:
    """All plays of a game whose dice are rolled; none where the turn is lost."""
    if game.must_pass or game.roll is None:
        return []
    return [
        play_fields(recover_play(game.position, after, game.roll), after) for after in game.plays
    ]


def cube_fields(decision: CubeDecision, of: Whose = "on_roll") -> dict[str, Any]:
    """A cube decision: the verdict, the three equities, what each wrong act costs.

    Equities, match-winning chances and cube points are the doubler's, who is ``of``; ``take`` is
    the other's own winning chance, and each cost is that of the player who acts.
    """
    points = decision.points
    fields = {
        "of": of,
        "verdict": decision.text,
        "action": decision.action.name.lower(),
        "access": decision.access.value,
        "redouble": decision.redouble,
        "no_double": _rounded(decision.no_double),
        "double_take": _rounded(decision.double_take),
        "double_pass": _rounded(decision.double_pass),
        "beaver": _rounded(decision.beaver),
        "cubeless": _rounded(decision.cubeless),
        "equity": _rounded(decision.equity),
        "costs": {act: _rounded(cost) for act, cost in decision.costs.items()},
        "exact": decision.exact,
        "points": {
            "double": _rounded(points.double),
            "cash": _rounded(points.cash),
            "too_good": _rounded(points.too_good),
            "take": _rounded(points.take),
        },
        "match_chances": None,
    }
    if decision.match_chances is not None:
        names = ("no_double", "double_take", "double_pass")
        chances = map(_rounded, decision.match_chances)
        fields["match_chances"] = dict(zip(names, chances, strict=True))
    return fields


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), 6)
