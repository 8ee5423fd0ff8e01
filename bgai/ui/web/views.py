"""A table as the person at it sees it."""

from typing import Any

from bgai import game_answers as answers
from bgai.analysis.answering import plays_answer
from bgai.answers import LegalPlay
from bgai.notation.identifiers import format_gnu_id
from bgai.notation.play_text import format_play
from bgai.notation.xgid import format_xgid
from bgai.rules.acts import Act, CubeAct, MakePlay, OpeningDice, Resign, RollDice
from bgai.rules.game import Game
from bgai.rules.match import Terms
from bgai.rules.play import recover_play
from bgai.rules.position import pip_counts
from bgai.sessions.session import Session
from bgai.ui.web.situations import shown_situation


def game_answer(
    name: str,
    session: Session,
    person: int,
    since: int,
    verdict: answers.VerdictAnswer | None = None,
) -> answers.GameAnswer:
    """Terms, seats, standing, the state of the game and its ``events`` from ``since``."""
    standing = session.standing
    return answers.GameAnswer(
        id=name,
        terms=_terms(session.terms),
        seats=[answers.SeatState(name=seat.name, level=seat.level) for seat in session.seats],
        person=person,
        game_number=session.game_number,
        standing=answers.StandingState(
            length=standing.length,
            points=standing.points,
            crawford=session.records[-1].standing.crawford,
            games=standing.games,
        ),
        session_over=session.is_over,
        acts=len(session.records[-1].acts),
        events=_events(session, since),
        verdict=verdict,
        **_state(session.game, person),
    )


def _terms(terms: Terms) -> answers.TermsState:
    rules = terms.rules
    return answers.TermsState(
        length=terms.length,
        games=terms.games,
        margin=terms.margin,
        rules=answers.RulesState(
            jacoby=rules.jacoby,
            beaver_turns=rules.beaver_turns,
            automatic_doubles=rules.automatic_doubles,
            max_cube=rules.max_cube,
        ),
    )


def _state(game: Game, person: int) -> dict[str, Any]:
    """The fields of a ``GameAnswer`` that the game alone decides."""
    situation = shown_situation(game, person)
    acting = game.actor == person
    outcome = game.outcome
    return {
        "phase": game.phase.value,
        "turn": game.turn,
        "actor": game.actor,
        "dice": None if game.roll is None else str(game.roll),
        "checkers": [game.position_for(seat).tolist()[0] for seat in (0, 1)],
        "pips": [int(pip_counts(game.position_for(seat))[0]) for seat in (0, 1)],
        "cube": answers.CubeOnTable(value=game.cube_value, owner=game.cube_owner),
        "offered_value": game.offered_value,
        "redoubles": game.redoubles,
        "offer": None if game.offer is None else int(game.offer),
        "legal": [kind.value for kind in game.legal_kinds()] if acting else [],
        "why_no_double": game.why_no_double() if acting else None,
        "resignation_levels": [int(each) for each in game.resignation_levels] if acting else [],
        "must_pass": acting and game.roll is not None and game.must_pass,
        "plays": _plays(game) if acting else [],
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


def _plays(game: Game) -> list[LegalPlay]:
    if game.roll is None or game.must_pass:
        return []
    return plays_answer("", shown_situation(game), game.roll).plays


def _events(session: Session, since: int) -> list[answers.Event]:
    """The acts of the current game from number ``since`` as the page shows them."""
    history = session.history()[since:]
    return [
        answers.Event(n=since + index, seat=before.actor, act=act.kind.value, **_event(before, act))
        for index, (before, act, _) in enumerate(history)
    ]


def _event(before: Game, act: Act) -> dict[str, Any]:
    match act:
        case OpeningDice(dice):
            return {"dice": "".join(map(str, dice))}
        case RollDice(roll):
            return {"dice": str(roll)}
        case MakePlay(after):
            assert before.roll is not None
            play = () if before.must_pass else recover_play(before.position, after, before.roll)
            return {
                "dice": str(before.roll),
                "play": format_play(play),
                "moves": [(move.source, move.destination, move.hit) for move in play],
            }
        case Resign(level):
            return {"level": int(level)}
        case CubeAct.DOUBLE | CubeAct.BEAVER | CubeAct.RACCOON:
            return {"value": before.cube_value * (2 if act is CubeAct.DOUBLE else 4)}
    return {}
