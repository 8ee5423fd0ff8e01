"""One game as a state machine whose legal next acts are listed at every moment.

A ``Game`` is an immutable state; ``after(act)`` gives the next one. Two seats, 0 and 1, are
fixed; ``turn`` is the seat on turn and side 0 of ``position`` its checkers. Dice come in as
acts, so a game is a plain function of its acts: no generator and no display is involved.

    OPENING  -> each rolls one die, equal dice again (they may double the cube)
    TURN     -> double | roll | resign           the player on turn
    DOUBLED  -> take | pass | beaver | raccoon    the doubler and the other in turns
    PLAY     -> a play | resign                   the player on turn
    RESIGNED -> accept | refuse                   the opponent of the player on turn
    OVER
"""

from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from itertools import product

import numpy as np

from bgai.errors import InputError
from bgai.rules.acts import Act, ActKind, Answer, CubeAct, MakePlay, OpeningDice, Resign, RollDice
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import ROLLS, Roll, roll_of
from bgai.rules.legal_plays import has_legal_play, legal_plays
from bgai.rules.match import MatchScore, Standing
from bgai.rules.outcome import Result, game_points
from bgai.rules.position import OFF, Positions, check_position, starting_position

_DIE = range(1, 7)


class Phase(StrEnum):
    """What a game is waiting for."""

    OPENING = "opening"
    TURN = "turn"
    PLAY = "play"
    DOUBLED = "doubled"
    RESIGNED = "resigned"
    OVER = "over"


class Ending(StrEnum):
    """How a game came to its end."""

    BORNE_OFF = "borne off"
    PASSED = "passed"
    RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won, how, and the points counted (result times cube; under Jacoby perhaps fewer)."""

    winner: int
    points: int
    result: Result
    ending: Ending


class IllegalAct(InputError):
    """An act that the rules don't allow now; the message says why."""


def _frozen(position: Positions) -> Positions:
    position = np.array(position, dtype=np.int8)
    position.flags.writeable = False
    return position


@dataclass(frozen=True, eq=False)
class Game:
    """The state of one game.

    ``rules`` are the house rules agreed on; ``rules_in_force`` those that count. While a double
    is being answered ``cube_value`` is what a pass loses, and twice that is on offer;
    ``redoubles`` counts the beavers and raccoons since the double. ``double_offered`` says that
    somebody has doubled in this game (what Jacoby asks). ``offer`` is a resignation waiting
    for its answer, ``refused`` the highest one refused since the last roll or play.
    """

    standing: Standing = field(default_factory=Standing.start)
    rules: HouseRules = field(default_factory=HouseRules)
    phase: Phase = Phase.OPENING
    turn: int = 0
    position: Positions = field(default_factory=starting_position)
    roll: Roll | None = None
    cube_value: int = 1
    cube_owner: int | None = None
    double_offered: bool = False
    automatic_doubles: int = 0
    redoubles: int = 0
    offer: Result | None = None
    refused: Result | None = None
    outcome: Outcome | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", _frozen(self.position))

    def _key(self) -> tuple[object, ...]:
        values = (getattr(self, each.name) for each in fields(self) if each.name != "position")
        return (*values, self.position.tobytes())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    @classmethod
    def set_up(
        cls,
        position: Positions,
        *,
        turn: int = 0,
        roll: Roll | None = None,
        cube: Cube | None = None,
        standing: Standing | None = None,
        rules: HouseRules | None = None,
    ) -> "Game":
        """A game that starts from any position, the seat ``turn`` on roll or having rolled.

        ``cube`` is seen by that seat. A turned cube means that a double was offered.
        """
        cube = cube or Cube()
        owners = {CubeOwner.ON_ROLL: turn, CubeOwner.OPPONENT: 1 - turn, CubeOwner.CENTRED: None}
        game = cls(
            standing=standing or Standing.start(),
            rules=rules or HouseRules(),
            phase=Phase.TURN if roll is None else Phase.PLAY,
            turn=turn,
            position=check_position(position),
            roll=roll,
            cube_value=cube.value,
            cube_owner=owners[cube.owner],
            double_offered=cube.owner is not CubeOwner.CENTRED,
        )
        if game_points(game.position):
            raise InputError("the game is over in this position")
        if game.standing.winner is not None:
            raise InputError("the match is over at this score")
        return game

    # --- what the state says -------------------------------------------------------------

    @property
    def rules_in_force(self) -> HouseRules:
        """The house rules that count: in a match only a maximum cube does."""
        if self.standing.is_match:
            return HouseRules(False, 0, 0, self.rules.max_cube)
        return self.rules

    @property
    def actor(self) -> int | None:
        """The seat that acts next; None for the opening roll (both) and after the end."""
        match self.phase:
            case Phase.OPENING | Phase.OVER:
                return None
            case Phase.DOUBLED:
                return self.turn if self.redoubles % 2 else 1 - self.turn
            case Phase.RESIGNED:
                return 1 - self.turn
            case _:
                return self.turn

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.OVER

    @property
    def offered_value(self) -> int | None:
        """The cube on offer while a double is answered, else None."""
        return 2 * self.cube_value if self.phase is Phase.DOUBLED else None

    @property
    def counts_gammons(self) -> bool:
        """Whether a gammon counts more than a single game (Jacoby may forbid it)."""
        return self.rules_in_force.counts_gammons(turned=self.double_offered)

    def cube_for(self, seat: int) -> Cube:
        """The cube seen by a seat."""
        if self.cube_owner is None:
            return Cube(self.cube_value, CubeOwner.CENTRED)
        mine = self.cube_owner == seat
        return Cube(self.cube_value, CubeOwner.ON_ROLL if mine else CubeOwner.OPPONENT)

    def score_for(self, seat: int) -> MatchScore | None:
        """The match score seen by a seat; None in money play."""
        return self.standing.score(seat)

    def position_for(self, seat: int) -> Positions:
        """The position with this seat's checkers as side 0, whoever is on turn."""
        return self.position if seat == self.turn else self.position[::-1]

    def points_for(self, result: Result) -> int:
        """The points a win of this kind counts now, with the cube where it is."""
        return self.cube_value * (int(result) if self.counts_gammons else 1)

    # --- legal acts ------------------------------------------------------------------------

    @cached_property
    def plays(self) -> Positions:
        """Positions after each legal play, ``(k, 2, 26)``, the opponent on roll.

        A lost turn is the one row that only swaps the sides. Empty unless dice are rolled.
        """
        if self.phase is not Phase.PLAY or self.roll is None:
            return np.empty((0, 2, 26), dtype=np.int8)
        return legal_plays(self.position, self.roll)

    @property
    def must_pass(self) -> bool:
        """Whether dice are rolled and no play is legal: the turn is lost."""
        return self.phase is Phase.PLAY and not has_legal_play(self.position, self.plays)

    @property
    def resignation_levels(self) -> tuple[Result, ...]:
        """Levels the player on turn may offer now, more than was refused this turn.

        A gammon is no level once a checker is borne off, or where Jacoby counts it single.
        """
        if self.phase not in (Phase.TURN, Phase.PLAY):
            return ()
        highest = Result.BACKGAMMON
        if not self.counts_gammons or self.position[0, OFF] > 0:
            highest = Result.SINGLE
        return tuple(level for level in Result if (self.refused or 0) < level <= highest)

    def why_no_double(self) -> str | None:
        """None when the player on turn may double now, else the reason in words."""
        if self.standing.crawford:
            return "nobody doubles in the Crawford game"
        if self.cube_owner not in (None, self.turn):
            return "the opponent owns the cube"
        limit = self.rules_in_force.max_cube
        if limit is not None and 2 * self.cube_value > limit:
            return f"the cube may not go above {limit}"
        away = self.standing.away(self.turn)
        if away is not None and self.cube_value >= away:
            return "the cube is dead: a win with its value already wins the match"
        if self.phase is not Phase.TURN:
            return "a double is offered before rolling, on one's turn"
        return None

    @property
    def _may_redouble_at_once(self) -> bool:
        rules = self.rules_in_force
        limit = rules.max_cube
        return self.redoubles < rules.beaver_turns and (
            limit is None or 4 * self.cube_value <= limit
        )

    def legal_kinds(self) -> tuple[ActKind, ...]:
        """The kinds of acts that are legal now."""
        resign = (ActKind.RESIGN,) if self.resignation_levels else ()
        match self.phase:
            case Phase.OPENING:
                return (ActKind.OPENING,)
            case Phase.TURN:
                double = (ActKind.DOUBLE,) if self.why_no_double() is None else ()
                return (ActKind.ROLL, *double, *resign)
            case Phase.PLAY:
                return (ActKind.PLAY, *resign)
            case Phase.DOUBLED:
                again = ActKind.RACCOON if self.redoubles % 2 else ActKind.BEAVER
                redouble = (again,) if self._may_redouble_at_once else ()
                return (ActKind.TAKE, ActKind.PASS, *redouble)
            case Phase.RESIGNED:
                return (ActKind.ACCEPT, ActKind.REFUSE)
            case Phase.OVER:
                return ()

    def legal_acts(self) -> tuple[Act, ...]:
        """Every legal act: each roll, each distinct play, each level of resignation."""
        acts: list[Act] = []
        for kind in self.legal_kinds():
            match kind:
                case ActKind.OPENING:
                    acts += [OpeningDice(dice) for dice in product(_DIE, _DIE)]
                case ActKind.ROLL:
                    acts += [RollDice(roll) for roll in ROLLS]
                case ActKind.PLAY:
                    acts += [MakePlay(after) for after in self.plays]
                case ActKind.RESIGN:
                    acts += [Resign(level) for level in self.resignation_levels]
                case ActKind.ACCEPT | ActKind.REFUSE:
                    acts.append(Answer(kind.value))
                case _:
                    acts.append(CubeAct(kind.value))
        return tuple(acts)

    def check(self, act: Act) -> None:
        """Raise ``IllegalAct`` with the reason unless the act is legal now."""
        kinds = self.legal_kinds()
        if act.kind not in kinds:
            reason = self.why_no_double() if act is CubeAct.DOUBLE else None
            allowed = ", ".join(kinds) or "nothing, the game is over"
            raise IllegalAct(f"{act.kind} is not possible: {reason or 'now it is ' + allowed}")
        match act:
            case MakePlay(after) if not (self.plays == after).all(axis=(1, 2)).any():
                raise IllegalAct(f"not a legal play of {self.roll}")
            case Resign(level) if level not in self.resignation_levels:
                levels = ", ".join(each.name.lower() for each in self.resignation_levels)
                raise IllegalAct(f"a {level.name.lower()} can't be offered now, only: {levels}")
            case OpeningDice(dice):
                roll_of(*dice)
            case RollDice(roll):
                roll_of(*roll)

    # --- the next state --------------------------------------------------------------------

    def after(self, act: Act) -> "Game":
        """The state after a legal act. Raises ``IllegalAct`` with the reason otherwise."""
        self.check(act)
        match act:
            case OpeningDice(dice):
                return _open(self, *dice)
            case RollDice(roll):
                return replace(self, phase=Phase.PLAY, roll=roll_of(*roll), refused=None)
            case MakePlay(after):
                return _play(self, after)
            case Resign(level):
                return replace(self, phase=Phase.RESIGNED, offer=level)
            case Answer():
                return _answer_resignation(self, act)
            case _:
                return _turn_cube(self, act)

    def let_stand(self, after: Positions) -> "Game":
        """The state after a play accepted as made at a real board, legal or not.

        ``after`` is the position ``(2, 26)`` after it, the opponent on roll. Raises
        ``IllegalAct`` unless dice are rolled, ``PositionError`` for a position that can't be.
        """
        if self.phase is not Phase.PLAY:
            raise IllegalAct("a play is not possible: no dice are rolled")
        after = check_position(after)
        if after[0, OFF] != self.position[1, OFF]:
            raise IllegalAct("a play bears off none of the other side's checkers")
        return _play(self, after)


def _open(game: Game, first: int, second: int) -> Game:
    if first != second:
        starter = 0 if first > second else 1
        return replace(game, phase=Phase.PLAY, turn=starter, roll=roll_of(first, second))
    rules = game.rules_in_force
    if game.automatic_doubles >= rules.automatic_doubles or (
        rules.max_cube is not None and 2 * game.cube_value > rules.max_cube
    ):
        return game
    return replace(
        game, cube_value=2 * game.cube_value, automatic_doubles=game.automatic_doubles + 1
    )


def _play(game: Game, after: Positions) -> Game:
    points = -int(game_points(after))  # the opponent is on roll in ``after``
    if points:
        over = replace(game, position=after[::-1], roll=None)
        return _finish(over, game.turn, Result(points), Ending.BORNE_OFF)
    return replace(
        game, phase=Phase.TURN, turn=1 - game.turn, position=after, roll=None, refused=None
    )


def _turn_cube(game: Game, act: CubeAct) -> Game:
    match act:
        case CubeAct.DOUBLE:
            return replace(game, phase=Phase.DOUBLED, double_offered=True, redoubles=0)
        case CubeAct.PASS:
            assert game.actor is not None
            return _finish(game, 1 - game.actor, Result.SINGLE, Ending.PASSED)
        case CubeAct.TAKE:
            # However often it was beavered, the player first doubled owns the cube.
            return replace(
                game,
                phase=Phase.TURN,
                cube_value=2 * game.cube_value,
                cube_owner=1 - game.turn,
                redoubles=0,
            )
        case _:
            return replace(game, cube_value=2 * game.cube_value, redoubles=game.redoubles + 1)


def _answer_resignation(game: Game, answer: Answer) -> Game:
    assert game.offer is not None
    if answer is Answer.ACCEPT:
        return _finish(replace(game, offer=None), 1 - game.turn, game.offer, Ending.RESIGNED)
    phase = Phase.TURN if game.roll is None else Phase.PLAY
    return replace(game, phase=phase, offer=None, refused=game.offer)


def _finish(game: Game, winner: int, result: Result, ending: Ending) -> Game:
    outcome = Outcome(winner, game.points_for(result), result, ending)
    return replace(game, phase=Phase.OVER, outcome=outcome, refused=None, redoubles=0)
