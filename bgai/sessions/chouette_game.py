"""One game of a chouette: the box against a team, one board, a cube for each member.

Every member plays a game of their own against the box: the games share board and dice, and
each is a :class:`bgai.rules.game.Game` with its own cube, so doubles, beavers, Jacoby and
settlement are those of an ordinary game. With one cube for all there is one such game, which
counts for every member. In these games the box is seat 0 and the team seat 1; *seats* of the
chouette are the numbers of its players.

A member whose game is settled (a double passed, a resignation) sits out. The captain rolls
and plays for the team; when the captain's own game is settled the next in line still playing
takes over the board, but the rotation afterwards turns on the captain who began the game.

A turn, in order: everybody on the side on turn says in line whether to double (``Hold``: not
this turn); the cubes offered are answered, beavers too; then the dice are rolled.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any

from bgai.codec import Leaf
from bgai.errors import InputError
from bgai.rules.acts import (
    Act,
    ActKind,
    Answer,
    CubeAct,
    MakePlay,
    OpeningDice,
    Resign,
    RollDice,
    act_from_json,
    act_to_json,
)
from bgai.rules.cube import HouseRules
from bgai.rules.game import Game, IllegalAct, Phase

BOX, TEAM = 0, 1
"""The seats of every game of a chouette."""
_ON_BOARD = (OpeningDice, RollDice, MakePlay)


class Hold(StrEnum):
    """The decision not to double this turn."""

    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class ChouetteAct:
    """An act on the board (``cube`` None) or at one of the cubes, counted from 0."""

    act: Act | Hold
    cube: int | None = None

    @property
    def kind(self) -> str:
        """The name of the act in files."""
        return self.act.value if isinstance(self.act, Hold) else self.act.kind.value


class Ask(StrEnum):
    """What a chouette game waits for."""

    OPENING = "opening"
    DOUBLE = "double"  # double at this cube, or hold
    ANSWER = "answer"  # take, pass, beaver or raccoon
    RESIGNATION = "resignation"
    ROLL = "roll"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is asked, of which seat of the chouette (None: the opening dice of two).

    ``cube`` is the cube concerned, ``game`` the game to look at for the decision.
    """

    ask: Ask
    seat: int | None
    game: Game
    cube: int | None = None


@dataclass(frozen=True, eq=False)
class ChouetteGame:
    """The state of one game. ``team`` lists the members in line, the captain first.

    ``holders`` are the members each cube stands for, ``games`` its game, ``held`` the cubes
    that are not to be turned this turn, ``leader`` the cube of the one who plays for the team.
    """

    box: int
    team: tuple[int, ...]
    holders: tuple[tuple[int, ...], ...]
    games: tuple[Game, ...]
    held: frozenset[int] = frozenset()
    leader: int = 0

    @classmethod
    def start(cls, line: tuple[int, ...], rules: HouseRules, *, one_cube: bool) -> "ChouetteGame":
        """A game with the players in line: the box, the captain, the others."""
        box, *team = line
        holders = (tuple(team),) if one_cube else tuple((member,) for member in team)
        return cls(box, tuple(team), holders, tuple(Game(rules=rules) for _ in holders))

    # --- what the state says -------------------------------------------------------------

    @property
    def board(self) -> Game:
        """The game to look at for board, dice and turn: that of the one who plays."""
        return self.games[self.leader]

    @cached_property
    def open_cubes(self) -> tuple[int, ...]:
        """The cubes whose games go on, in line."""
        return tuple(cube for cube, game in enumerate(self.games) if not game.is_over)

    @property
    def is_over(self) -> bool:
        return not self.open_cubes

    @property
    def captain(self) -> int:
        """The captain the game began with: the one the rotation turns on."""
        return self.team[0]

    @property
    def player(self) -> int:
        """The member who rolls and plays for the team now."""
        return self.holders[self.leader][0]

    def speaker(self, cube: int, side: int) -> int:
        """Who decides at a cube: the box, or the member (with one cube the captain)."""
        return self.box if side == BOX else self.holders[cube][0]

    @cached_property
    def waiting(self) -> Waiting | None:
        """What happens next; None when all games are over."""
        if self.is_over:
            return None
        games = [(cube, self.games[cube]) for cube in self.open_cubes]
        for cube, game in games:
            if game.phase is Phase.RESIGNED:
                return self._at_cube(Ask.RESIGNATION, cube)
        board = self.board
        if board.phase is Phase.OPENING:
            return Waiting(Ask.OPENING, None, board)
        roller = self.box if board.turn == BOX else self.player
        if board.phase is Phase.PLAY:
            return Waiting(Ask.PLAY, roller, board)
        for cube, game in games:
            if cube not in self.held and game.why_no_double() is None:
                return self._at_cube(Ask.DOUBLE, cube)
        for cube, game in games:
            if game.phase is Phase.DOUBLED:
                return self._at_cube(Ask.ANSWER, cube)
        return Waiting(Ask.ROLL, roller, board)

    def _at_cube(self, ask: Ask, cube: int) -> Waiting:
        game = self.games[cube]
        assert game.actor is not None
        return Waiting(ask, self.speaker(cube, game.actor), game, cube)

    def settlement(self) -> dict[int, int]:
        """Points of every seat from the games that are over; they sum to zero."""
        points = dict.fromkeys((self.box, *self.team), 0)
        for holders, game in zip(self.holders, self.games, strict=True):
            if game.outcome is None:
                continue
            won = game.outcome.points if game.outcome.winner == BOX else -game.outcome.points
            points[self.box] += won * len(holders)
            for member in holders:
                points[member] -= won
        return points

    def next_line(self) -> tuple[int, ...]:
        """The line of the next game: box, captain, the others. The game must be over.

        The box beats the captain: the captain goes to the back and the next one is captain.
        The captain wins: the captain is the box and the old box goes to the back.
        """
        outcome = self.games[0].outcome  # the captain's
        if outcome is None:
            raise IllegalAct("the captain's game isn't over")
        captain, *others = self.team
        if outcome.winner == BOX:
            return (self.box, *others, captain)
        return (captain, *others, self.box)

    # --- the next state --------------------------------------------------------------------

    def after(self, act: ChouetteAct) -> "ChouetteGame":
        """The state after an act. Raises ``IllegalAct`` with the reason where it isn't legal."""
        if self.waiting is None:
            raise IllegalAct(f"{act.kind} is not possible: the game is over")
        if isinstance(act.act, _ON_BOARD):
            return self._on_board(act)
        cube = act.cube
        if cube is None or not 0 <= cube < len(self.games):
            raise IllegalAct(f"there is no cube {cube}, only 0 to {len(self.games) - 1}")
        if isinstance(act.act, Hold):
            return self._hold(cube)
        return self._cube_act(act.act, cube)

    def _on_board(self, act: ChouetteAct) -> "ChouetteGame":
        waiting = self.waiting
        assert waiting is not None
        if isinstance(act.act, RollDice) and waiting.ask is not Ask.ROLL:
            raise IllegalAct(f"a roll is not possible: the game waits for '{waiting.ask}'")
        if waiting.ask is Ask.RESIGNATION:
            raise IllegalAct("a resignation waits for its answer")
        if act.cube is not None:
            raise IllegalAct("dice and plays belong to the board, not to a cube")
        assert not isinstance(act.act, Hold)
        leader = self.board.after(act.act)  # checked once, the others follow
        games = list(self.games)
        for cube in self.open_cubes:
            game = self.games[cube]
            games[cube] = leader if cube == self.leader else _follow(game, leader, act.act)
        return self._with(games, held=frozenset())

    def _hold(self, cube: int) -> "ChouetteGame":
        waiting = self.waiting
        assert waiting is not None
        if waiting.ask is not Ask.DOUBLE or waiting.cube != cube:
            raise IllegalAct(f"nobody is asked to double at cube {cube} now")
        return replace(self, held=self.held | {cube})

    def _cube_act(self, act: CubeAct | Resign | Answer, cube: int) -> "ChouetteGame":
        waiting, game = self.waiting, self.games[cube]
        assert waiting is not None
        in_turn = waiting.cube == cube
        if act is CubeAct.DOUBLE:
            in_turn = in_turn and waiting.ask is Ask.DOUBLE
        if isinstance(act, Resign):  # offered at any moment of one's turn
            in_turn = waiting.ask in (Ask.DOUBLE, Ask.ROLL, Ask.PLAY)
        if not in_turn:
            raise IllegalAct(
                f"{act.kind} at cube {cube} is not possible: the game waits for '{waiting.ask}'"
                + ("" if waiting.cube is None else f" at cube {waiting.cube}")
            )
        games = list(self.games)
        games[cube] = game.after(act)
        return self._with(games, held=self.held)

    def _with(self, games: list[Game], held: frozenset[int]) -> "ChouetteGame":
        """The state with these games; the next in line leads if the leader's game is over."""
        leader = self.leader
        if games[leader].is_over:
            leader = next((cube for cube, game in enumerate(games) if not game.is_over), leader)
        return replace(self, games=tuple(games), held=held, leader=leader)


def _follow(game: Game, leader: Game, act: Act) -> Game:
    """A game after what happened on the board; ``leader`` is the leader's game after it."""
    if leader.is_over:
        return game.after(act)
    shared = {
        "phase": leader.phase,
        "turn": leader.turn,
        "position": leader.position,
        "roll": leader.roll,
        "refused": None,
    }
    if act.kind is ActKind.OPENING:  # automatic doubles turn all cubes
        shared |= {
            "cube_value": leader.cube_value,
            "automatic_doubles": leader.automatic_doubles,
        }
    return replace(game, **shared)  # type: ignore[arg-type]


def _to_json(act: ChouetteAct) -> dict[str, Any]:
    fields = {"act": act.act.value} if isinstance(act.act, Hold) else act_to_json(act.act)
    return fields if act.cube is None else {**fields, "cube": act.cube}


def _from_json(fields: Any) -> ChouetteAct:
    cube = fields.get("cube") if isinstance(fields, dict) else None
    if cube is not None and type(cube) is not int:
        raise InputError(f"cube {cube!r} must be a number")
    act = Hold.HOLD if fields == {"act": Hold.HOLD.value, "cube": cube} else act_from_json(fields)
    return ChouetteAct(act, cube)


SavedAct = Annotated[ChouetteAct, Leaf(_from_json, _to_json)]
"""An act in a file: acts at a cube carry its number."""
