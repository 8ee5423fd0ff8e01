"""A table as the person at it sees it, in JSON."""

from dataclasses import asdict
from typing import Any

from bgai.notation.identifiers import format_gnu_id, format_xgid
from bgai.notation.play_text import format_play
from bgai.rules.acts import Act, CubeAct, MakePlay, OpeningDice, Resign, RollDice
from bgai.rules.game import Game
from bgai.rules.play import recover_play
from bgai.rules.position import pip_counts
from bgai.sessions.session import Session
from bgai.ui.web.situations import legal_play_fields, shown_situation


def table_fields(name: str, session: Session, person: int, since: int) -> dict[str, Any]:
    """Terms, seats, standing, the state of the game and its ``events`` from ``since``."""
    return {
        "id": name,
        "terms": asdict(session.terms),
        "seats": [{"name": seat.name, "level": seat.level} for seat in session.seats],
        "person": person,
        "game_number": session.game_number,
        "standing": {
            "length": session.standing.length,
            "points": list(session.standing.points),
            "crawford": session.records[-1].standing.crawford,
            "games": session.standing.games,
        },
        "session_over": session.is_over,
        "acts": len(session.records[-1].acts),
        "events": event_fields(session, since),
        **game_fields(session.game, person),
    }


def game_fields(game: Game, person: int) -> dict[str, Any]:
    """The state of a game. ``checkers`` and ``pips`` are by seat, each in its own numbering."""
    situation = shown_situation(game, person)
    to_play = game.actor == person and game.roll is not None
    outcome = game.outcome
    return {
        "phase": game.phase.value,
        "turn": game.turn,
        "actor": game.actor,
        "roll": None if game.roll is None else list(game.roll),
        "checkers": [game.position_for(seat).tolist()[0] for seat in (0, 1)],
        "pips": [int(pip_counts(game.position_for(seat))[0]) for seat in (0, 1)],
        "cube": {"value": game.cube_value, "owner": game.cube_owner},
        "offered_value": game.offered_value,
        "redoubles": game.redoubles,
        "offer": None if game.offer is None else int(game.offer),
        "legal": [kind.value for kind in game.legal_kinds()] if game.actor == person else [],
        "why_no_double": game.why_no_double() if game.actor == person else None,
        "resignation_levels": [int(level) for level in game.resignation_levels]
        if game.actor == person
        else [],
        "must_pass": to_play and game.must_pass,
        "plays": legal_play_fields(game) if to_play else [],
        "outcome": None
        if outcome is None
        else {
            "winner": outcome.winner,
            "points": outcome.points,
            "result": outcome.result.name.lower(),
            "ending": outcome.ending.value,
        },
        "xgid": format_xgid(situation),
        "gnu_id": format_gnu_id(situation),
    }


def event_fields(session: Session, since: int) -> list[dict[str, Any]]:
    """The acts of the current game from number ``since`` as the page shows them."""
    history = session.history()[since:]
    return [
        {"n": since + index, "seat": before.actor, **_event(before, act)}
        for index, (before, act, _) in enumerate(history)
    ]


def _event(before: Game, act: Act) -> dict[str, Any]:
    fields: dict[str, Any] = {"act": act.kind.value}
    match act:
        case OpeningDice(dice):
            fields["dice"] = list(dice)
        case RollDice(roll):
            fields["dice"] = list(roll)
        case MakePlay(after):
            assert before.roll is not None
            play = () if before.must_pass else recover_play(before.position, after, before.roll)
            fields["roll"] = list(before.roll)
            fields["play"] = format_play(play)
            fields["moves"] = [[move.source, move.destination, move.hit] for move in play]
        case Resign(level):
            fields["level"] = int(level)
        case CubeAct.DOUBLE | CubeAct.BEAVER | CubeAct.RACCOON:
            # What the cube shows if the offer is accepted.
            fields["value"] = before.cube_value * (2 if act is CubeAct.DOUBLE else 4)
    return fields
