"""Table mode: a game at a real board, with the rules about disputes.

The engine is strict; people at a board are not. Here dice come from the players, a play is
made and may be changed until the dice are picked up, and what then stands may be wrong:

1. Both dice are thrown together; a cocked die (on a checker, off the right half) is thrown
   again, both dice.
2. Picking up the dice ends the turn. An incomplete or illegal play may be accepted as made or
   a legal one demanded; the opponent's throwing or doubling accepts it.
3. A throw made before the opponent has picked up is void, except where the play was forced
   (it is then taken as made) or there is no contact left (it stands for the next turn).

A game is the list of its events; the state, with its incidents, follows from them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import numpy as np

from bgai.errors import InputError
from bgai.rules.acts import (
    Answer,
    CubeAct,
    MakePlay,
    OpeningDice,
    Resign,
    ThrowDice,
    act_from_json,
    act_to_json,
    position_from_text,
    position_to_text,
)
from bgai.rules.dice import Throw, throw_of
from bgai.rules.game import Game, IllegalAct, Phase
from bgai.rules.position import Positions, check_position, has_contact, swap_sides
from bgai.sessions.irregular import Fault, fault_of


class Sign(StrEnum):
    """Events that need no more words than their name."""

    PICK_UP = "pick up"
    ACCEPT_PLAY = "accept play"
    DEMAND_PLAY = "demand play"


@dataclass(frozen=True, slots=True)
class Cocked:
    """The dice of a seat (None: of the opening throw) lie wrong."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class Thrown:
    """A seat has thrown, in turn or too early."""

    seat: int
    throw: Throw


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """How the checkers stand now, ``(2, 26)`` with the opponent on roll; not final yet."""

    after: Positions


TableEvent = OpeningDice | Cocked | Thrown | Made | Sign | CubeAct | Resign | Answer


class IncidentKind(StrEnum):
    """What can happen at a board that the strict rules don't know."""

    COCKED = "cocked dice"
    VOID = "premature throw void"
    STANDS = "premature throw stands"
    ACCEPTED = "accepted as made"
    DEMANDED = "legal play demanded"


@dataclass(frozen=True, slots=True)
class Incident:
    """Something for the record: ``seat`` did it, after ``events`` events of the game.

    ``fault`` says what was wrong with a play, ``why`` how it came to be accepted or why an
    early throw stands, ``throw`` the dice concerned.
    """

    kind: IncidentKind
    seat: int | None
    events: int
    throw: Throw | None = None
    fault: Fault | None = None
    why: str = ""


@dataclass(frozen=True, eq=False)
class TableGame:
    """The state at a real board.

    ``made`` is how the checkers stand while the dice lie, ``fault`` what is wrong with a play
    whose dice are picked up and which waits to be accepted or corrected; ``demanded`` says
    that only a legal play will do; ``early`` is a throw that stands for the next turn.
    """

    game: Game = field(default_factory=Game)
    made: Positions | None = None
    fault: Fault | None = None
    demanded: bool = False
    early: Throw | None = None
    incidents: tuple[Incident, ...] = ()
    events: int = 0

    @property
    def is_over(self) -> bool:
        return self.game.is_over

    @property
    def waits_for_claim(self) -> bool:
        """Whether a faulty play waits for the opponent to accept it or demand a legal one."""
        return self.fault is not None

    def after(self, event: TableEvent) -> "TableGame":
        """The state after an event. Raises ``InputError`` where it can't happen now."""
        if self.is_over:
            raise IllegalAct("the game is over")
        match event:
            case Cocked(seat):
                state = self._cocked(seat)
            case Thrown(seat, throw):
                state = self._thrown(seat, throw_of(*throw))
            case Made(after):
                state = self._made(after)
            case Sign.PICK_UP:
                state = self._picked_up()
            case Sign.ACCEPT_PLAY:
                state = self._accepted("the opponent accepted it")
            case Sign.DEMAND_PLAY:
                state = self._demanded()
            case _:
                state = self._act(event)
        return replace(state, events=self.events + 1)

    # --- dice --------------------------------------------------------------------------------

    def _cocked(self, seat: int | None) -> "TableGame":
        opening = self.game.phase is Phase.OPENING
        if (seat is None) != opening:
            raise IllegalAct("the opening throw is of both" if opening else "whose dice?")
        state = self
        if self.waits_for_claim and seat != self.game.turn:
            state = self._accepted("the opponent threw")
        elif not opening and (self.game.phase is not Phase.TURN or seat != self.game.turn):
            raise IllegalAct("nobody throws now")
        return state._note(IncidentKind.COCKED, seat)

    def _thrown(self, seat: int, throw: Throw) -> "TableGame":
        turn = self.game.turn
        if self.waits_for_claim and seat != turn:
            if self.early is not None:
                raise IllegalAct("that throw stands already: accept the play or demand a legal one")
            return self._accepted("the opponent threw")._thrown(seat, throw)
        if self.game.phase is Phase.PLAY and seat != turn:
            return self._too_early(seat, throw)
        if self.game.phase is not Phase.TURN or seat != turn:
            raise IllegalAct("it is not this player's throw")
        return self._with_game(self.game.after(ThrowDice(throw)))

    def _too_early(self, seat: int, throw: Throw) -> "TableGame":
        """A throw before the opponent has picked up the dice."""
        if self.early is not None:
            raise IllegalAct("that throw stands already: the play is finished first")
        plays = self.game.plays
        if len(plays) == 1:
            state = self._note(IncidentKind.STANDS, seat, throw, why="the play was forced")
            state = state._finish(self.game.after(MakePlay(plays[0])))
            return state if state.is_over else state._with_game(state.game.after(ThrowDice(throw)))
        if not bool(has_contact(self.game.position)):
            state = self._note(IncidentKind.STANDS, seat, throw, why="no contact is left")
            return replace(state, early=throw)
        return self._note(IncidentKind.VOID, seat, throw)

    # --- plays -------------------------------------------------------------------------------

    def _made(self, after: Positions) -> "TableGame":
        if self.game.phase is not Phase.PLAY or self.waits_for_claim:
            raise IllegalAct("no dice lie on the board")
        after = check_position(np.asarray(after))
        after.flags.writeable = False
        return replace(self, made=after)

    def _picked_up(self) -> "TableGame":
        if self.game.phase is not Phase.PLAY or self.waits_for_claim:
            raise IllegalAct("no dice lie on the board")
        made = swap_sides(self.game.position) if self.made is None else self.made
        fault = fault_of(self.game, made)
        if fault is None:
            return self._finish(self.game.after(MakePlay(made)))
        if self.demanded:
            raise IllegalAct(f"a legal play was demanded and this one is {fault}")
        return replace(self, made=made, fault=fault)

    def _accepted(self, why: str) -> "TableGame":
        if self.fault is None or self.made is None:
            raise IllegalAct("there is no faulty play to accept")
        game = self.game
        state = self._note(IncidentKind.ACCEPTED, game.turn, game.throw, self.fault, why)
        return state._finish(game.as_made(self.made))

    def _demanded(self) -> "TableGame":
        if self.fault is None:
            raise IllegalAct("there is no faulty play to correct")
        game = self.game
        state = self._note(IncidentKind.DEMANDED, game.turn, game.throw, self.fault)
        return replace(state, made=None, fault=None, demanded=True)

    # --- cube and resignation -------------------------------------------------------------------

    def _act(self, event: OpeningDice | CubeAct | Resign | Answer) -> "TableGame":
        if self.waits_for_claim:
            if event is not CubeAct.DOUBLE:
                raise IllegalAct("a faulty play waits: accept it or demand a legal one")
            if self.early is not None:
                raise IllegalAct("the player has thrown already")
            return self._accepted("the opponent doubled")._act(event)
        game = self.game.after(event)
        return self._finish(game) if game.is_over else self._with_game(game, made=self.made)

    # --- the next state --------------------------------------------------------------------------

    def _finish(self, game: Game) -> "TableGame":
        """The turn is over: the other player throws, or has thrown."""
        state = self._with_game(game)
        if self.early is None or game.is_over:
            return replace(state, early=None)
        return replace(state._with_game(game.after(ThrowDice(self.early))), early=None)

    def _with_game(self, game: Game, made: Positions | None = None) -> "TableGame":
        same = game.phase is Phase.PLAY and game.turn == self.game.turn and made is not None
        demanded = self.demanded and game.turn == self.game.turn
        return replace(self, game=game, made=made if same else None, fault=None, demanded=demanded)

    def _note(
        self,
        kind: IncidentKind,
        seat: int | None,
        throw: Throw | None = None,
        fault: Fault | None = None,
        why: str = "",
    ) -> "TableGame":
        incident = Incident(kind, seat, self.events, throw, fault, why)
        return replace(self, incidents=(*self.incidents, incident))


def table_event_to_json(event: TableEvent) -> dict[str, Any]:
    """The event as a JSON object, ``{"event": KIND, ...}``; acts of the rules as ``act``."""
    match event:
        case Cocked(seat):
            return {"event": "cocked", "seat": seat}
        case Thrown(seat, throw):
            return {"event": "thrown", "seat": seat, "dice": list(throw)}
        case Made(after):
            return {"event": "made", "after": position_to_text(after)}
        case Sign():
            return {"event": event.value}
    return act_to_json(event)


def table_event_from_json(fields: Any) -> TableEvent:
    """Read :func:`table_event_to_json`. Raises ``InputError``."""
    match fields:
        case {"event": "cocked", "seat": 0 | 1 | None as seat}:
            return Cocked(seat)
        case {"event": "thrown", "seat": 0 | 1 as seat, "dice": [int(first), int(second)]}:
            return Thrown(seat, throw_of(first, second))
        case {"event": "made", "after": str(text)}:
            return Made(position_from_text(text))
        case {"event": str(name)} if name in set(Sign):
            return Sign(name)
        case {"act": _} if isinstance(fields, Mapping):
            act = act_from_json(fields)
            if not isinstance(act, ThrowDice | MakePlay):
                return act
    raise InputError(f"{fields!r} is no event at a table")
