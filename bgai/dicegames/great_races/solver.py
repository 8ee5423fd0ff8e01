"""The Great Races: exact with few races open, by tables of the races and rollouts before.

*Endings.* With one to three races open (and few enough conditions) every condition is solved
exactly, loops closed.

*Before.* For each race a table holds mean and variance of the points one seat will win there
over another, by the marks of the two, as if each seat used a fixed share of its chances to
mark it. The chance to end ahead follows from the score and the sums over the open races,
taken to be normal. Simulated players take the pairing that is best by these. For advice the
pairings are rolled out with common dice by such players, more often where they are close.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bgai.dicegames.chance_game import Advice, Phase, Values
from bgai.dicegames.great_races.rules import RACES, GreatRaces, Pairing, RacesState
from bgai.dicegames.great_races.tables import (
    ENDING_RACES,
    Floats,
    Ints,
    Standing,
    grouped_options,
    kernel_tables,
)

ENDING_WORK = 20_000_000
"""Conditions times seats times options an exact ending may have: below a second or so."""
KEPT_ENDINGS = 7
ROLLOUTS, MOST_ROLLOUTS = 200, 2000
"""Games that each act is rolled out at a time, and in all where it stays close."""
ROLLOUT_SEED = 5
CLEAR = 3.0
"""Standard errors by which an act must be behind the best to be given up."""


@dataclass(frozen=True)
class Ending:
    """A solved ending: the open races, all marks at its start and those in the open races
    ``(races, seats)``, open conditions of each race, win chances by condition, seat to roll
    and seat."""

    races: tuple[int, ...]
    marks: Ints
    start: Ints
    room: Ints
    values: Floats

    def holds(self, marks: Ints) -> bool:
        """Whether marks can follow from the start."""
        grown = marks - self.marks
        return bool((grown >= 0).all()) and not np.delete(grown, self.races, axis=1).any()


class GreatRacesSolver:
    """A near-best player, exact in endings."""

    def __init__(self, game: GreatRaces, *, ending_work: int = ENDING_WORK) -> None:
        self.game = game
        self.ending_work = ending_work
        self.tables = kernel_tables(game.sheet)
        self._endings: list[Ending] = []

    # endings

    def ending(self, state: RacesState) -> Ending | None:
        """The solved ending that a state belongs to, or ``None`` where it is too large."""
        if len(self.game.open_races(state)) > ENDING_RACES:
            return None
        for known in self._endings:
            if known.holds(np.array(state.marks)):
                return known
        solved = self.solve_ending(state)
        if solved is not None:
            self._endings = [solved, *self._endings[:KEPT_ENDINGS]]
        return solved

    def solve_ending(self, state: RacesState) -> Ending | None:
        """The ending that starts with a state, or ``None`` where it is too large."""
        from bgai.dicegames.great_races.ending_kernels import solve_ending

        seats = self.game.seats
        races = self.game.open_races(state)
        sheet = np.ascontiguousarray(self.tables.sheet[:, list(races)])
        marks = np.array(state.marks)
        start = np.ascontiguousarray(marks[:, list(races)].T)
        room = np.prod(sheet[0][:, None] - start, axis=1)
        options = grouped_options(races)
        if float(np.prod(room + seats**2)) * seats * len(options.codes) > self.ending_work:
            return None
        points = np.array(self.game.scores(state))
        values = solve_ending(start, sheet, points, room, options)
        return Ending(races, marks, start, room, values)

    def _condition(self, state: RacesState, ending: Ending) -> int:
        """The number of a state in its ending."""
        seats = self.game.seats
        index, stride = 0, 1
        for place, race in enumerate(ending.races):
            first, second = self.game.places(state, race)
            if first is None:
                condition, radix = 0, 1
                for seat in range(seats):
                    condition += (state.marks[seat][race] - int(ending.start[place, seat])) * radix
                    radix *= self.game.sheet.races[race].length - int(ending.start[place, seat])
            else:
                condition = int(ending.room[place]) + first * seats
                condition += first if second is None else second
            index += condition * stride
            stride *= int(ending.room[place]) + seats**2
        return index

    # before an ending

    def estimate(self, state: RacesState) -> Values:
        """Win chances per seat by the tables of the races."""
        from bgai.dicegames.great_races.kernels import ahead, margin

        seats = self.game.seats
        marks = np.array(state.marks)
        open_race = np.zeros(RACES, dtype=np.bool_)
        open_race[list(self.game.open_races(state))] = True
        standing = Standing(marks, np.array(self.game.scores(state)), open_race)
        before = (state.roller - 1) % seats

        def beats(seat: int, other: int) -> float:
            """The later of the two to have rolled is the one that the tables speak of."""
            if (before - seat) % seats <= (before - other) % seats:
                return float(ahead(*margin(seat, other, standing, self.tables.net)))
            return 1.0 - beats(other, seat)

        products = [
            float(np.prod([beats(seat, other) for other in range(seats) if other != seat]))
            for seat in range(seats)
        ]
        return tuple(product / sum(products) for product in products)

    def roll_out(self, state: RacesState, games: int, begin: int = 0) -> Ints:
        """The winning seats of games played on by the tables, with fixed dice: the same for all
        states with the same seat to roll. ``begin`` counts games of those dice before."""
        from bgai.dicegames.great_races.kernels import roll_out

        rng = np.random.default_rng([ROLLOUT_SEED, begin])
        seeds = rng.integers(0, 2**63, games).astype(np.uint64)
        winners: Ints = roll_out(seeds, np.array(state.marks), state.roller, self.tables)
        return winners

    # advice

    def chances(self, state: RacesState) -> tuple[Values, bool]:
        """Win chances per seat with a roll next or at the end, and whether they are exact."""
        if self.game.phase(state) is Phase.OVER:
            return tuple(float(share) for share in self.game.result(state)), True
        ending = self.ending(state)
        if ending is None:
            return self.estimate(state), False
        row = ending.values[self._condition(state, ending), state.roller]
        return tuple(row.tolist()), True

    def advise(self, state: RacesState) -> Advice[Pairing]:
        """Exact values in an ending, sampled ones before; see :meth:`_sampled`."""
        if self.game.phase(state) is not Phase.ACT:
            chances, exact = self.chances(state)
            if not exact:
                chances = self._shares(self.roll_out(state, MOST_ROLLOUTS))
            return Advice((), chances, exact, notes=self._notes(exact))
        # the state before the act first: its ending serves the states after it too
        self.ending(state._replace(roll=()))
        seat = state.roller
        acts = self.game.acts(state)
        following = [self.game.after_act(state, act) for act in acts]
        valued = [self.chances(after) for after in following]
        if not all(exact for _, exact in valued):
            return self._sampled(seat, acts, following)
        rows = [(act, values) for act, (values, _) in zip(acts, valued, strict=True)]
        rows.sort(key=lambda row: -row[1][seat])
        return Advice(tuple(rows), rows[0][1], True, notes=self._notes(True))

    def _sampled(
        self, seat: int, acts: Sequence[Pairing], following: Sequence[RacesState]
    ) -> Advice[Pairing]:
        """Rollouts with common dice for all acts, until the best is clear or there are enough.

        An act clearly behind the best is rolled out no further.
        """
        winners = [np.zeros(0, np.int64) for _ in acts]
        rivals = list(range(len(acts)))
        done = best = 0
        while done < MOST_ROLLOUTS and (len(rivals) > 1 or not done):
            for place in rivals:
                more = self.roll_out(following[place], ROLLOUTS, done)
                winners[place] = np.concatenate([winners[place], more])
            done += ROLLOUTS
            best = max(rivals, key=lambda place: np.mean(winners[place] == seat))
            rivals = [
                place for place in rivals if not _is_behind(winners[place], winners[best], seat)
            ]
        order = sorted(range(len(acts)), key=lambda place: -np.mean(winners[place] == seat))
        order.sort(key=lambda place: place != best)  # the best is one of the last rivals
        shares = [self._shares(winners[place]) for place in order]
        errors = [_error(winners[place] == seat) for place in order]
        behind = [_error(_common(winners[place], winners[order[0]], seat)) for place in order]
        rows = [(acts[place], share) for place, share in zip(order, shares, strict=True)]
        notes = (f"rollouts of up to {done} games with common dice; ± is a standard error",)
        return Advice(
            tuple(rows), shares[0], False, tuple(errors), tuple(behind),
            notes=(*notes, *self._notes(False)),
        )  # fmt: skip

    def _shares(self, winners: Ints) -> Values:
        wins = np.bincount(winners, minlength=self.game.seats)
        return tuple((wins / len(winners)).tolist())

    def _notes(self, exact: bool) -> tuple[str, ...]:
        """What the numbers take for granted."""
        if not exact or self.game.seats == 2:
            return ()
        return ("a seat to which several choices are equal takes any of them alike",)


def _common(one: Ints, other: Ints, seat: int) -> Floats:
    """How much better one act did than another in each game that both were rolled out."""
    games = min(len(one), len(other))
    return (one[:games] == seat).astype(np.float64) - (other[:games] == seat)


def _error(sample: NDArray[Any]) -> float:
    """Standard error of the mean of a sample."""
    return float(sample.std() / len(sample) ** 0.5)


def _is_behind(one: Ints, best: Ints, seat: int) -> bool:
    """Whether an act is behind the best beyond doubt."""
    difference = _common(one, best, seat)
    return bool(-difference.mean() > CLEAR * max(_error(difference), 1 / len(difference)))
