"""The engines that ours is compared with choose plays from the right side."""

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


class StandIn(ModuleType):
    """gnubg-nn with three plays: on a board the player on roll stands second.

    The one on roll wins the more, the fewer checkers the other has on its ace point.
    """

    def __init__(self) -> None:
        super().__init__("gnubg_nn")
        self.deeper = 0

    def moves(self, board: Any, high: int, low: int) -> tuple[str, ...]:
        assert board[1][5] == 5  # the mover's
        return ("one", "three", "two")

    def board_from_position_key(self, key: str) -> tuple[tuple[int, ...], ...]:
        count = {"one": 1, "two": 2, "three": 3}[key]
        return (2,) + 24 * (0,), (count,) + 24 * (0,)  # the mover second, as before the play

    def probabilities(self, board: Any, plies: int) -> tuple[float, ...]:
        other, on_roll = board
        assert on_roll[0] == 2, "the opponent is on roll after the play"
        self.deeper += plies
        return (0.5 - 0.01 * other[0], 0, 0, 0, 0)


@pytest.mark.parametrize("plies", [0, 1])
def test_candidates_are_judged_with_the_opponent_on_roll(
    plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = StandIn()
    monkeypatch.setitem(sys.modules, "gnubg_nn", engine)
    monkeypatch.syspath_prepend(str(SCRIPTS))
    module = importlib.import_module("search_engines")
    mover = [0, 0, 0, 0, 0, 0, 5, *([0] * 19)]
    chosen = module.Gnubg(plies).decide(mover, [0] * 26, 3, 1)
    assert chosen[0][0] == 3
    assert engine.deeper == 3 * plies  # all three are within the filter
