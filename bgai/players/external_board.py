"""The lines GNU Backgammon's external player protocol sends, as states of a game.

A line is FIBS-like: ``board:`` and 52 fields. GNU Backgammon 1.07 fills them in ways of its own,
found by playing it in both seats:

- Players are numbered 0 (O) and 1 (X). Questions to the player on roll name players 0, 1,
  those to the player doubled 1, 0; the scores follow the names.
- ``turn`` is -1 when player 0 is on roll and 1 when player 1 is, also while the other answers
  a double. Checkers of player 1 are positive and count down to 1, those of player 0 negative
  and count up; each bar is at the end its player comes from.
- The flags that say who may double are those of player 1, then of player 0.
- While a double waits the cube shows its value before it; while a beaver does, the doubler is
  asked, the cube shows the value doubled once and its owner is the player who beavered.
- The last field but one says that the Crawford game is over.
- Colour and direction always read as player 1's and say nothing.
"""

from dataclasses import dataclass, replace

import numpy as np

from bgai.errors import InputError
from bgai.notation.texts import excerpt, read_whole
from bgai.rules.acts import CubeAct
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import Roll, roll_of
from bgai.rules.game import Game
from bgai.rules.match import Standing
from bgai.rules.position import BAR, CHECKERS, OFF, POINTS, SLOTS, Positions, check_position

_FIELDS = 52
_BOARD = slice(5, 31)
_TURN, _DICE, _CUBE, _MAY_1, _MAY_0, _DOUBLED = 31, slice(32, 36), 36, 37, 38, 39
_POST_CRAWFORD = 50
_NO_MATCH = 9999  # FIBS's length of an unlimited match
_HIGHEST = 10**6  # number in any field


class ProtocolError(InputError):
    """A line that is none of the protocol's."""


@dataclass(frozen=True, slots=True, eq=False)
class ExternalBoard:
    """A line that asks for a decision. Players are numbered as in GNU Backgammon.

    ``on_roll`` is the player on roll, who has doubled where ``doubled``; ``position`` has
    that player as side 0. ``points`` are the scores of players 0 and 1, ``length`` None in money
    play. ``may_double`` are the flags of players 0 and 1. ``beavered``: the player on roll is
    asked about a beaver (the first one; a raccoon looks the same, only the talk before tells).
    """

    length: int | None
    points: tuple[int, int]
    position: Positions
    on_roll: int
    roll: Roll | None
    cube: int
    may_double: tuple[bool, bool]
    doubled: bool
    beavered: bool
    post_crawford: bool

    @property
    def crawford(self) -> bool:
        """Whether this is the Crawford game."""
        one_away = self.length is not None and self.length - 1 in self.points
        return one_away and not self.post_crawford


def parse_board(line: str) -> ExternalBoard:
    """Read one ``board:`` line. Raises ``ProtocolError`` naming the field."""
    head, *fields = line.strip().strip("\0").split(":")
    if head != "board":
        raise ProtocolError(f"'{line[:40]}' is no board")
    # Names may hold colons: count from the end.
    fields = ["", "", *fields[len(fields) - (_FIELDS - 2) :]]
    if len(fields) != _FIELDS:
        raise ProtocolError(f"a board has {_FIELDS} fields, this one {len(fields)}")
    numbers = [0, 0, *map(_number, fields[2:])]
    if numbers[_TURN] not in (-1, 1):
        raise ProtocolError(f"turn {numbers[_TURN]} must be 1 or -1")
    doubled = bool(numbers[_DOUBLED])
    length, *points = numbers[2:5]
    if min(length, *points) < 0:
        raise ProtocolError(f"length {length} and points {points} must be 0 or more")
    first, second = numbers[_DICE][:2]
    if (first or second) and not (1 <= first <= 6 and 1 <= second <= 6):
        raise ProtocolError(f"dice {first} {second} must be two of 1 to 6, or both 0")
    if numbers[_CUBE] < 1 or numbers[_CUBE].bit_count() != 1:
        raise ProtocolError(f"cube {numbers[_CUBE]} must be a power of two")
    on_roll = 0 if numbers[_TURN] == -1 else 1
    may = (bool(numbers[_MAY_0]), bool(numbers[_MAY_1]))
    beavered = doubled and not may[on_roll]
    swapped = doubled and not beavered
    return ExternalBoard(
        length=length if 0 < length < _NO_MATCH else None,
        points=(points[1], points[0]) if swapped else (points[0], points[1]),
        position=_position(numbers[_BOARD], on_roll),
        on_roll=on_roll,
        roll=roll_of(first, second) if first and not doubled else None,
        cube=numbers[_CUBE],
        may_double=may,
        doubled=doubled,
        beavered=beavered,
        post_crawford=bool(numbers[_POST_CRAWFORD]),
    )


def _number(field: str) -> int:
    sign = -1 if field.startswith("-") else 1
    number = read_whole(field.removeprefix("-"), _HIGHEST)
    if number is None:
        raise ProtocolError(f"a field that is no number, or too great a one: {excerpt(field)}")
    return sign * number


def _position(board: list[int], on_roll: int) -> Positions:
    position = np.zeros((2, SLOTS), dtype=np.int64)
    for slot, count in enumerate(board):
        if count > 0:
            position[0, slot] = count
        elif count < 0:
            position[1, POINTS + 1 - slot] = -count
    if position[0, OFF] or position[1, OFF]:
        raise ProtocolError("a bar at the wrong end of the board")
    position[:, OFF] = CHECKERS - position[:, 1 : BAR + 1].sum(axis=1)
    return check_position(position if on_roll == 1 else position[::-1])


def board_game(board: ExternalBoard, rules: HouseRules, *, redoubles: int | None = None) -> Game:
    """The state a board shows; seats are GNU Backgammon's player numbers.

    ``rules`` are the house rules, which the line doesn't say. ``redoubles`` are the beavers and
    raccoons since the double, where the caller knows better than the line (a raccoon).
    """
    if redoubles is None:
        redoubles = int(board.beavered)
    cube = board.cube >> redoubles
    may = board.may_double
    owner = CubeOwner.CENTRED
    if redoubles:
        owner = CubeOwner.CENTRED if cube == 1 else CubeOwner.ON_ROLL
    elif may[0] != may[1] and cube > 1:
        holder = 0 if may[0] else 1
        owner = CubeOwner.ON_ROLL if holder == board.on_roll else CubeOwner.OPPONENT
    points = board.points if board.length else (0, 0)
    game = Game.set_up(
        board.position,
        turn=board.on_roll,
        roll=board.roll,
        cube=Cube(max(cube, 1), owner),
        standing=Standing(board.length, points, board.crawford),
        rules=replace(rules, beaver_turns=max(rules.beaver_turns, redoubles)),
    )
    if board.doubled:
        game = game.after(CubeAct.DOUBLE)
        for turn in range(redoubles):
            game = game.after(CubeAct.RACCOON if turn % 2 else CubeAct.BEAVER)
        game = replace(game, rules=rules)
    return game
