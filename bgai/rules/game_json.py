"""Games and terms as JSON: lossless, versioned, checked on reading.

The state holds everything needed to go on; the acts that led there are kept by whoever keeps
a record (:func:`bgai.rules.acts.act_to_json`).
"""

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

from bgai.errors import InputError
from bgai.rules.acts import position_from_text, position_to_text
from bgai.rules.cube import Cube, HouseRules
from bgai.rules.dice import roll_of
from bgai.rules.game import Ending, Game, Outcome, Phase
from bgai.rules.match import Standing, Terms
from bgai.rules.outcome import Result
from bgai.rules.position import check_position

GAME_VERSION = 1

_T = TypeVar("_T")


def game_to_json(game: Game) -> dict[str, Any]:
    """The state as a JSON object."""
    outcome = game.outcome
    return {
        "version": GAME_VERSION,
        "standing": standing_to_json(game.standing),
        "rules": asdict(game.rules),
        "phase": game.phase.value,
        "turn": game.turn,
        "position": position_to_text(game.position),
        "roll": None if game.roll is None else list(game.roll),
        "cube_value": game.cube_value,
        "cube_owner": game.cube_owner,
        "double_offered": game.double_offered,
        "automatic_doubles": game.automatic_doubles,
        "redoubles": game.redoubles,
        "offer": game.offer and int(game.offer),
        "refused": game.refused and int(game.refused),
        "outcome": None
        if outcome is None
        else {
            "winner": outcome.winner,
            "points": outcome.points,
            "result": int(outcome.result),
            "ending": outcome.ending.value,
        },
    }


def game_from_json(data: Mapping[str, Any]) -> Game:
    """Read :func:`game_to_json`. Raises ``InputError`` naming what is wrong."""
    if not isinstance(data, Mapping):
        raise InputError("a game must be a JSON object")
    if data.get("version") != GAME_VERSION:
        raise InputError(f"game version {data.get('version')!r} is not {GAME_VERSION}")
    try:
        return _game(data)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"not a game: {type(error).__name__} {error}") from None


def _game(data: Mapping[str, Any]) -> Game:
    outcome = data["outcome"]
    Cube(data["cube_value"])  # refuses what is no power of two
    return Game(
        standing=standing_from_json(data["standing"]),
        rules=rules_from_json(data["rules"]),
        phase=Phase(data["phase"]),
        turn=_seat(data["turn"]),
        position=check_position(position_from_text(data["position"])),
        roll=None if data["roll"] is None else roll_of(*data["roll"]),
        cube_value=data["cube_value"],
        cube_owner=None if data["cube_owner"] is None else _seat(data["cube_owner"]),
        double_offered=bool(data["double_offered"]),
        automatic_doubles=int(data["automatic_doubles"]),
        redoubles=int(data["redoubles"]),
        offer=None if data["offer"] is None else Result(data["offer"]),
        refused=None if data["refused"] is None else Result(data["refused"]),
        outcome=None
        if outcome is None
        else Outcome(
            _seat(outcome["winner"]),
            int(outcome["points"]),
            Result(outcome["result"]),
            Ending(outcome["ending"]),
        ),
    )


def _seat(value: Any) -> int:
    if value not in (0, 1) or isinstance(value, bool):
        raise InputError(f"seat {value!r} must be 0 or 1")
    return int(value)


def _build(kind: type[_T], data: Any) -> _T:
    """A dataclass from the JSON object of its fields, all of them and no others."""
    names = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    label = kind.__name__.lower()
    if not isinstance(data, Mapping) or set(data) != names:
        raise InputError(f"{label} must have the fields {', '.join(sorted(names))}")
    try:
        return kind(**data)
    except TypeError as error:
        raise InputError(f"{label}: {error}") from None


def standing_to_json(standing: Standing) -> dict[str, Any]:
    """The standing as a JSON object of its fields."""
    return {**asdict(standing), "points": list(standing.points)}


def standing_from_json(data: Any) -> Standing:
    """Read :func:`standing_to_json`. Raises ``InputError``."""
    points = data.get("points") if isinstance(data, Mapping) else None
    if not isinstance(points, list) or [type(each) for each in points] != [int, int]:
        raise InputError(f"standing: points {points!r} must be two whole numbers")
    return _build(Standing, {**data, "points": tuple(points)})


def rules_from_json(data: Any) -> HouseRules:
    """Read ``asdict(HouseRules)``. Raises ``InputError``."""
    return _build(HouseRules, data)


def terms_to_json(terms: Terms) -> dict[str, Any]:
    """The terms as a JSON object of their fields."""
    return asdict(terms)


def terms_from_json(data: Any) -> Terms:
    """Read :func:`terms_to_json`. Raises ``InputError``."""
    rules = rules_from_json(data.get("rules")) if isinstance(data, Mapping) else None
    return _build(Terms, {**data, "rules": rules} if isinstance(data, Mapping) else data)
