"""One expectimax for every dice game.

Each seat maximises its own value; values are vectors with one number a seat. Without a depth
the game is solved to its end: every state is visited once, and a group of states that can
return to one another (a loop in which nothing happens) is closed by policy iteration, each
policy's values being the solution of the loop's linear equations. ``exact=True`` computes in
fractions. A seat to which several acts are equal takes any of them alike, which makes a
difference to the others where there are three or more.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from bgai.dicegames.chance_game import A, ChanceGame, Phase, S, StateError
from bgai.dicegames.loops import Equations, Number, components

Vector = tuple[Number, ...]

FIRST_SWEEPS = 10
"""Sweeps of value iteration that find a loop's first policy."""
MOST_POLICIES = 100
TIE = 1e-10
"""Acts that differ less are equal to a seat."""


@dataclass(frozen=True)
class _Node(Generic[S]):
    """Where a state leads: the seat that chooses, or the odds of a roll."""

    following: tuple[S, ...]
    seat: int | None
    odds: tuple[Number, ...]


class Expectimax(Generic[S, A]):
    """Values of the states of ``game``, remembered.

    ``depth`` counts rolls looked ahead; at depth 0 a state about to be rolled is worth
    ``leaf(state)``. ``limit`` bounds the states of a full solution (``StateError`` beyond).
    """

    def __init__(
        self,
        game: ChanceGame[S, A],
        *,
        depth: int | None = None,
        leaf: Callable[[S], Sequence[float]] | None = None,
        exact: bool = False,
        limit: int = 1_000_000,
    ) -> None:
        if (depth is None) != (leaf is None):
            raise ValueError("a depth needs a leaf value, and a leaf value a depth")
        self.game = game
        self.depth = depth
        self.leaf = leaf
        self.exact = exact
        self.limit = limit
        self._solved: dict[S, Vector] = {}
        self._looked: dict[tuple[S, int], Vector] = {}

    def value(self, state: S) -> Vector:
        """The values per seat of ``state`` when every seat plays its best."""
        if self.depth is not None:
            return self._look(state, self.depth)
        if state not in self._solved:
            self._solve(state)
        return self._solved[state]

    def act_values(self, state: S) -> list[tuple[A, Vector]]:
        """Each legal act with the values after it, best for the seat to act first."""
        seat = self.game.seat(state)
        after = [
            (act, self.value(self.game.after_act(state, act))) for act in self.game.acts(state)
        ]
        return sorted(after, key=lambda pair: pair[1][seat], reverse=True)

    # looking ahead a number of rolls

    def _look(self, state: S, depth: int) -> Vector:
        key = (state, depth)
        if key not in self._looked:
            self._looked[key] = self._look_once(state, depth)
        return self._looked[key]

    def _look_once(self, state: S, depth: int) -> Vector:
        phase = self.game.phase(state)
        if phase is Phase.ROLL and depth == 0:
            assert self.leaf is not None
            return tuple(self.leaf(state))
        node = self._node(state)
        if not node.following:
            return self._result(state)
        if node.seat is not None:
            seat = node.seat
            after = [self._look(following, depth) for following in node.following]
            return max(after, key=lambda values: values[seat])
        return self._average(
            (odds, self._look(following, depth - 1))
            for following, odds in zip(node.following, node.odds, strict=True)
        )

    # solving to the end

    def _solve(self, root: S) -> None:
        nodes: dict[S, _Node[S]] = {}

        def following(state: S) -> tuple[S, ...]:
            if len(nodes) + len(self._solved) >= self.limit:
                raise StateError(f"more than {self.limit} states: too many to solve")
            nodes[state] = self._node(state)
            return nodes[state].following

        for group in components(root, following, self._solved.__contains__):
            state = group[0]
            if len(group) > 1 or state in nodes[state].following:
                self._close(group, nodes)
            else:
                self._solved[state] = self._evaluate(state, nodes[state], self._solved)
            for member in group:
                del nodes[member]

    def _node(self, state: S) -> _Node[S]:
        game = self.game
        phase = game.phase(state)
        if phase is Phase.OVER:
            return _Node((), None, ())
        if phase is Phase.ACT:
            after = dict.fromkeys(game.after_act(state, act) for act in game.acts(state))
            return _Node(tuple(after), game.seat(state), ())
        outcomes = game.rolls(state)
        total = sum(ways for _, ways in outcomes)
        merged: dict[S, int] = {}
        for roll, ways in outcomes:
            reached = game.after_roll(state, roll)
            merged[reached] = merged.get(reached, 0) + ways
        odds: list[Number] = [
            Fraction(ways, total) if self.exact else ways / total for ways in merged.values()
        ]
        return _Node(tuple(merged), None, tuple(odds))

    def _evaluate(self, state: S, node: _Node[S], values: dict[S, Vector]) -> Vector:
        if not node.following:
            return self._result(state)
        if node.seat is not None:
            best = self._best(node, values)
            share = self._number(Fraction(1, len(best)))
            return self._average((share, values[after]) for after in best)
        return self._average(
            (odds, values[after]) for after, odds in zip(node.following, node.odds, strict=True)
        )

    def _best(self, node: _Node[S], values: dict[S, Vector]) -> tuple[S, ...]:
        """The states after the acts that are best for the seat to act, all that are equal."""
        assert node.seat is not None
        seat = node.seat
        most = max(values[after][seat] for after in node.following)
        tie = 0 if self.exact else TIE
        return tuple(after for after in node.following if values[after][seat] >= most - tie)

    def _close(self, group: list[S], nodes: dict[S, _Node[S]]) -> None:
        """Value a group of states that lead to one another."""
        equal = self._number(Fraction(1, self.game.seats))
        values: dict[S, Vector] = dict.fromkeys(group, (equal,) * self.game.seats)
        for state in group:
            for after in nodes[state].following:
                if after in self._solved:
                    values[after] = self._solved[after]
        for _ in range(FIRST_SWEEPS if not self.exact else 2):
            for state in group:
                values[state] = self._evaluate(state, nodes[state], values)
        policy: dict[S, tuple[S, ...]] = {}
        for number in range(MOST_POLICIES):
            if not self._improve(policy, group, nodes, values) and number:
                break
            values.update(zip(group, self._loop_values(group, nodes, policy), strict=True))
        for state in group:
            self._solved[state] = values[state]

    def _improve(
        self,
        policy: dict[S, tuple[S, ...]],
        group: list[S],
        nodes: dict[S, _Node[S]],
        values: dict[S, Vector],
    ) -> bool:
        """Let each seat choose anew by ``values``; whether anything changed."""
        changed = False
        for state in group:
            if nodes[state].seat is not None:
                best = self._best(nodes[state], values)
                changed = changed or policy.get(state) != best
                policy[state] = best
        return changed

    def _loop_values(
        self, group: list[S], nodes: dict[S, _Node[S]], policy: dict[S, tuple[S, ...]]
    ) -> list[Vector]:
        """The values of a group when every seat plays ``policy``."""
        position = {state: number for number, state in enumerate(group)}
        equations = Equations()
        for state in group:
            node = nodes[state]
            chosen, odds = node.following, node.odds
            if node.seat is not None:
                chosen = policy[state]
                odds = (self._number(Fraction(1, len(chosen))),) * len(chosen)
            inside: dict[int, Number] = {}
            outside = []
            for after, share in zip(chosen, odds, strict=True):
                if after in position:
                    inside[position[after]] = share
                else:
                    outside.append((share, self._solved[after]))
            equations.add(inside, list(self._average(outside)))
        return equations.solve()

    # numbers

    def _number(self, number: Fraction) -> Number:
        return number if self.exact else float(number)

    def _result(self, state: S) -> Vector:
        return tuple(self._number(Fraction(share)) for share in self.game.result(state))

    def _average(self, weighted: Iterable[tuple[Number, Vector]]) -> Vector:
        sums = [self._number(Fraction(0))] * self.game.seats
        for odds, values in weighted:
            for seat, value in enumerate(values):
                sums[seat] += odds * value
        return tuple(sums)
