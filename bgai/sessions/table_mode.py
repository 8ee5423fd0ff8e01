"""Table mode: a game at a real board, with the rules about disputes.

The engine is strict; people at a board are not. Here dice come from the players, a play is
made and may be changed until the dice are picked up, and what then stands may be wrong:

1. Both dice are rolled together; a cocked die (on a checker, off the right half) is rolled
   again, both dice.
2. Picking up the dice ends the turn. An incomplete or illegal play may be accepted as made or
   a legal one demanded; the opponent's rolling or doubling accepts it.
3. A roll made before the opponent has picked up is void, except where the play was forced
   (it is then taken as made) or there is no contact left (it stands for the next turn).

A game is the list of its events; the state, with its incidents, follows from them.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Any

import numpy as np

from bgai.codec import Leaf
from bgai.errors import InputError
from bgai.rules.acts import (
    Answer,
    CubeAct,
    MakePlay,
    OpeningDice,
    Resign,
    RollDice,
    act_from_json,
    act_to_json,
    dice_pair,
    position_from_text,
    position_to_text,
)
from bgai.rules.dice import Roll, roll_of
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
    """The dice of a seat (None: of the opening roll) lie wrong."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class Rolled:
    """A seat has rolled, in turn or too early."""

    seat: int
    roll: Roll


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """How the checkers stand now, ``(2, 26)`` with the opponent on roll; not final yet."""

    after: Positions


def event_to_json(event: "TableEvent") -> dict[str, Any]:
    """The event as a JSON object, ``{"event": KIND, ...}``; acts of the rules as ``act``."""
    match event:
        case Cocked(seat):
            return {"event": "cocked", "seat": seat}
        case Rolled(seat, roll):
            return {"event": "rolled", "seat": seat, "dice": list(roll)}
        case Made(after):
            return {"event": "made", "after": position_to_text(after)}
        case Sign():
            return {"event": event.value}
    return act_to_json(event)


def event_from_json(fields: Any) -> "TableEvent":
    """Read :func:`event_to_json`. Raises ``InputError``."""
    match fields:
        case {"event": "cocked", "seat": 0 | 1 | None as seat}:
            return Cocked(seat)
        case {"event": "rolled", "seat": 0 | 1 as seat, "dice": dice}:
            return Rolled(seat, roll_of(*dice_pair(dice)))
        case {"event": "made", "after": after}:
            return Made(position_from_text(after))
        case {"event": str(name)} if name in set(Sign):
            return Sign(name)
        case {"act": _}:
            act = act_from_json(fields)
            if not isinstance(act, RollDice | MakePlay):
                return act
    raise InputError(f"{fields!r} is no event at a table")


TableEvent = Annotated[
    OpeningDice | Cocked | Rolled | Made | Sign | CubeAct | Resign | Answer,
    Leaf(event_from_json, event_to_json),
]


class IncidentKind(StrEnum):
    """What can happen at a board that the strict rules don't know."""

    COCKED = "cocked dice"
    VOID = "premature roll void"
    STANDS = "premature roll stands"
    ACCEPTED = "accepted as made"
    DEMANDED = "legal play demanded"


@dataclass(frozen=True, slots=True)
class Incident:
    """Something for the record: ``seat`` did it, after ``events`` events of the game.

    ``fault`` says what was wrong with a play, ``why`` how it came to be accepted or why an
    early roll stands, ``roll`` the dice concerned.
    """

    kind: IncidentKind
    seat: int | None
    events: int
    roll: Roll | None = None
    fault: Fault | None = None
    why: str = ""


@dataclass(frozen=True, eq=False)
class TableGame:
    """The state at a real board.

    ``made`` is how the checkers stand while the dice lie, ``fault`` what is wrong with a play
    whose dice are picked up and which waits to be accepted or corrected; ``demanded`` says
    that only a legal play will do; ``early`` is a roll that stands for the next turn.
    """

    game: Game = field(default_factory=Game)
    made: Positions | None = None
    fault: Fault | None = None
    demanded: bool = False
    early: Roll | None = None
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
            case Rolled(seat, roll):
                state = self._rolled(seat, roll_of(*roll))
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
            raise IllegalAct("the opening roll is of both" if opening else "whose dice?")
        state = self
        if self.waits_for_claim and seat != self.game.turn:
            state = self._accepted("the opponent rolled")
        elif not opening and (self.game.phase is not Phase.TURN or seat != self.game.turn):
            raise IllegalAct("nobody rolls now")
        return state._note(IncidentKind.COCKED, seat)

    def _rolled(self, seat: int, roll: Roll) -> "TableGame":
        turn = self.game.turn
        if self.waits_for_claim and seat != turn:
            if self.early is not None:
                raise IllegalAct("that roll stands already: accept the play or demand a legal one")
            return self._accepted("the opponent rolled")._rolled(seat, roll)
        if self.game.phase is Phase.PLAY and seat != turn:
            return self._too_early(seat, roll)
        if self.game.phase is not Phase.TURN or seat != turn:
            raise IllegalAct("it is not this player's roll")
        return self._with_game(self.game.after(RollDice(roll)))

    def _too_early(self, seat: int, roll: Roll) -> "TableGame":
        """A roll before the opponent has picked up the dice."""
        if self.early is not None:
            raise IllegalAct("that roll stands already: the play is finished first")
        plays = self.game.plays
        if len(plays) == 1:
            state = self._note(IncidentKind.STANDS, seat, roll, why="the play was forced")
            state = state._finish(self.game.after(MakePlay(plays[0])))
            return state if state.is_over else state._with_game(state.game.after(RollDice(roll)))
        if not bool(has_contact(self.game.position)):
            state = self._note(IncidentKind.STANDS, seat, roll, why="no contact is left")
            return replace(state, early=roll)
        return self._note(IncidentKind.VOID, seat, roll)

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
        state = self._note(IncidentKind.ACCEPTED, game.turn, game.roll, self.fault, why)
        return state._finish(game.let_stand(self.made))

    def _demanded(self) -> "TableGame":
        if self.fault is None:
            raise IllegalAct("there is no faulty play to correct")
        game = self.game
        state = self._note(IncidentKind.DEMANDED, game.turn, game.roll, self.fault)
        return replace(state, made=None, fault=None, demanded=True)

    # --- cube and resignation -------------------------------------------------------------------

    def _act(self, event: OpeningDice | CubeAct | Resign | Answer) -> "TableGame":
        if self.waits_for_claim:
            if event is not CubeAct.DOUBLE:
                raise IllegalAct("a faulty play waits: accept it or demand a legal one")
            if self.early is not None:
                raise IllegalAct("the player has rolled already")
            return self._accepted("the opponent doubled")._act(event)
        game = self.game.after(event)
        return self._finish(game) if game.is_over else self._with_game(game, made=self.made)

    # --- the next state --------------------------------------------------------------------------

    def _finish(self, game: Game) -> "TableGame":
        """The turn is over: the other player rolls, or has rolled."""
        state = self._with_game(game)
        if self.early is None or game.is_over:
            return replace(state, early=None)
        return replace(state._with_game(game.after(RollDice(self.early))), early=None)

    def _with_game(self, game: Game, made: Positions | None = None) -> "TableGame":
        same = game.phase is Phase.PLAY and game.turn == self.game.turn and made is not None
        demanded = self.demanded and game.turn == self.game.turn
        return replace(self, game=game, made=made if same else None, fault=None, demanded=demanded)

    def _note(
        self,
        kind: IncidentKind,
        seat: int | None,
        roll: Roll | None = None,
        fault: Fault | None = None,
        why: str = "",
    ) -> "TableGame":
        incident = Incident(kind, seat, self.events, roll, fault, why)
        return replace(self, incidents=(*self.incidents, incident))
