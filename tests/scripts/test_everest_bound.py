"""The best response to Everest's best player, against plain value iteration over the rules."""

from pathlib import Path
from types import ModuleType

import pytest

from bgai.dicegames.chance_game import rolls_of
from bgai.dicegames.everest.rules import NUMBERS, Everest, EverestState
from bgai.dicegames.everest.solver import EverestSolver, Tables, marked

Boxes = tuple[int, ...]


@pytest.fixture(scope="module")
def tables() -> Tables:
    return Tables()


@pytest.fixture
def bound(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "scripts"))
    import everest_bound

    return everest_bound


def open_boxes(**boxes: int) -> Boxes:
    return tuple(boxes.get(f"n{number}", 0) for number in range(1, NUMBERS + 1))


def slow_score(states: list[Boxes], start: Boxes, tables: Tables) -> float:
    """Seat 0 responds, seat 1 follows the rule; all states again and again."""
    solver = EverestSolver(Everest(2), tables)
    rolling = {(mine, theirs): 0.5 for mine in states for theirs in states}
    waiting = dict(rolling)

    def after(state: EverestState, seat: int) -> list[Boxes]:
        return [marked(state.boxes[seat], act) for act in solver.sensible_acts(state)]

    mine_after = {
        (mine, roll): after(EverestState((mine, start), 0, roll), 0)
        for mine in states
        for roll, _ in rolls_of(3)
    }
    theirs_after = {}
    for mine, theirs in rolling:
        for roll, _ in rolls_of(3):
            state = EverestState((mine, theirs), 1, roll)
            act = solver.advise(state).best or ()
            theirs_after[mine, theirs, roll] = marked(theirs, act)
    for _ in range(100):
        for mine, theirs in rolling:
            rolling[mine, theirs] = (
                sum(
                    ways
                    * max(
                        waiting[now, theirs] if any(now) else 1.0 for now in mine_after[mine, roll]
                    )
                    for roll, ways in rolls_of(3)
                )
                / 216
            )
            total = 0.0
            for roll, ways in rolls_of(3):
                now = theirs_after[mine, theirs, roll]
                total += ways * (rolling[mine, now] if any(now) else 0.0)
            waiting[mine, theirs] = total / 216
    return (rolling[start, start] + waiting[start, start]) / 2


@pytest.mark.parametrize("start", [open_boxes(n3=1, n7=1, n9=1), open_boxes(n5=2, n6=1)])
def test_the_best_response_is_that_of_value_iteration(
    start: Boxes, tables: Tables, bound: ModuleType
) -> None:
    fast = bound.score(start, tables)
    assert fast == pytest.approx(slow_score(bound.states_of(start)[1:], start, tables), abs=1e-9)
    assert fast >= 0.5 - 1e-9  # it may always play as the rule does


def test_a_box_alone_leaves_nothing_to_choose(tables: Tables, bound: ModuleType) -> None:
    assert bound.score(open_boxes(n4=1), tables) == pytest.approx(0.5)
