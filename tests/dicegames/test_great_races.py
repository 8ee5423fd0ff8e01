"""The Great Races: rules, sheet, exact endings, play before them."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bgai.dicegames import random_kernels
from bgai.dicegames.chance_game import Phase, StateError, rolls_of, sample_roll
from bgai.dicegames.expectimax import Expectimax
from bgai.dicegames.great_races import kernels
from bgai.dicegames.great_races.rules import RACES, GreatRaces, RacesState, pairings
from bgai.dicegames.great_races.sheet import (
    NUMBERS,
    Race,
    Sheet,
    SheetError,
    default_sheet,
    parse_sheet,
    read_text,
)
from bgai.dicegames.great_races.solver import MOST_ROLLOUTS, GreatRacesSolver
from bgai.dicegames.great_races.tables import Standing, ending_tables
from bgai.dicegames.great_races.text import GreatRacesKit, last_race
from bgai.dicegames.random_kernels import Seats
from bgai.dicegames.simulate import simulate

SMALL = Sheet(tuple(Race(2, 0, 3, 1) if n in (2, 7) else Race(1, 0, 2, 1) for n in NUMBERS), "test")


def test_ways_to_mark_a_race() -> None:
    able = [
        sum(ways for roll, ways in rolls_of(4) if any(n in pair for pair in pairings(roll)))
        for n in NUMBERS
    ]
    assert able == [171, 302, 461, 580, 727, 834, 727, 580, 461, 302, 171]
    twice = [sum(w for roll, w in rolls_of(4) if (n, n) in pairings(roll)) for n in range(2, 8)]
    assert twice == [1, 6, 19, 36, 61, 90]
    assert len(rolls_of(4)) == 126
    assert sum(len(pairings(roll)) for roll, _ in rolls_of(4)) == 231


@pytest.mark.parametrize(
    ("race", "needs", "chance"),
    [
        (7, (1, 1), Fraction(216, 293)),
        (7, (1, 2), Fraction(10859400, 11933011)),
        (7, (2, 1), Fraction(3011688, 11933011)),
        (2, (1, 1), Fraction(144, 269)),
    ],
)
def test_one_race_open(race: int, needs: tuple[int, int], chance: Fraction) -> None:
    game = GreatRaces(2)
    state = last_race(game, race, needs)
    assert Expectimax(game, exact=True).value(state)[0] == chance
    values, exact = GreatRacesSolver(game).chances(state)
    assert exact
    assert values[0] == pytest.approx(float(chance), abs=1e-14)


def with_open(
    game: GreatRaces,
    needs: dict[int, tuple[int, ...]],
    roller: int,
    won: dict[int, int] | None = None,
) -> RacesState:
    """A state with only some races open; the seats need that many spaces there. ``won`` says
    who has won the others."""
    marks = [[0] * RACES for _ in range(game.seats)]
    for race, prizes in enumerate(game.sheet.races):
        number = race + NUMBERS[0]
        if number in needs:
            for seat, need in enumerate(needs[number]):
                marks[seat][race] = prizes.length - need
        else:
            marks[(won or {}).get(number, race % game.seats)][race] = prizes.length
    return RacesState(tuple(map(tuple, marks)), roller)


@pytest.mark.parametrize(
    ("seats", "needs", "roller"),
    [
        (2, {2: (2, 1), 7: (1, 2)}, 0),
        (2, {3: (2, 2), 12: (2, 1)}, 1),
        (2, {2: (1, 1), 7: (1, 1), 11: (1, 1)}, 0),
    ],
)
def test_endings_against_the_game_tree(
    seats: int, needs: dict[int, tuple[int, ...]], roller: int
) -> None:
    game = GreatRaces(seats)
    state = with_open(game, needs, roller)
    values, exact = GreatRacesSolver(game).chances(state)
    assert exact
    assert values == pytest.approx(Expectimax(game).value(state), abs=1e-12)


@pytest.mark.parametrize("roller", [0, 1, 2])
def test_a_last_race_of_three_against_the_game_tree(roller: int) -> None:
    """All three can still win (who can't may choose anything, and the values differ by it)."""
    game = GreatRaces(3)
    won = {2: 0, 12: 0, 4: 0, 3: 1, 11: 1, 10: 1, 5: 2, 6: 2, 8: 2, 9: 2}
    state = with_open(game, {7: (2, 2, 3)}, roller, won)
    values, exact = GreatRacesSolver(game).chances(state)
    assert exact
    assert min(values) > 0
    assert values == pytest.approx(Expectimax(game).value(state), abs=1e-12)


@pytest.mark.parametrize("roller", [0, 1, 2])
def test_a_beaten_seat_takes_equal_choices_alike(roller: int) -> None:
    """What a seat that can no longer win does decides between the others; it is averaged."""
    game = GreatRaces(3)
    won = {number: 1 if number < 7 else 2 for number in NUMBERS}
    state = with_open(game, {2: (2, 2, 1), 12: (1, 3, 2)}, roller, won)
    values, exact = GreatRacesSolver(game).chances(state)
    assert exact
    assert values[0] == 0
    assert values == pytest.approx(Expectimax(game).value(state), abs=1e-12)
    advice = GreatRacesSolver(game).advise(game.after_roll(state, (1, 1, 6, 6)))
    assert "equal takes any of them alike" in advice.notes[0]


def test_hints_are_sorted_with_errors_and_stop_when_sure() -> None:
    game = GreatRaces(2)
    solver = GreatRacesSolver(game)
    rng = np.random.default_rng(2)
    games = []
    state = game.start()
    for _ in range(12):
        state = game.after_roll(state, sample_roll(game.rolls(state), rng))
        advice = solver.advise(state)
        shares = [values[game.seat(state)] for _, values in advice.acts]
        assert shares == sorted(shares, reverse=True)
        assert len(advice.errors) == len(shares) == len(advice.behind)
        assert advice.behind[0] == 0
        assert all(0 < error < 0.04 for error in advice.errors)
        games.append(int(advice.notes[0].split()[4]))
        for share, behind in zip(shares[1:], advice.behind[1:], strict=True):
            if games[-1] < MOST_ROLLOUTS:  # it stopped because the best was clear
                assert shares[0] - share > 2.9 * behind
        state = game.after_act(state, advice.acts[0][0])
    assert MOST_ROLLOUTS in games
    assert min(games) < MOST_ROLLOUTS


def test_races_by_the_sums_are_those_of_every_race() -> None:
    """The sums kept over an option against those made anew after its marks."""
    game = GreatRaces(3)
    solver = GreatRacesSolver(game)
    sheet, options, net = solver.tables.sheet, solver.tables.options, solver.tables.net
    rng = np.random.default_rng(5)
    for _ in range(300):
        marks = np.array([rng.integers(0, sheet[0] + 1) for _ in range(3)])
        marks = np.where((marks == sheet[0]) & (np.cumsum(marks == sheet[0], 0) > 1), 0, marks)
        standing = kernels.standing_of(marks, sheet)
        open_race = standing.open_race
        if not open_race.any():
            continue
        mover, option = int(rng.integers(3)), options[rng.integers(len(options))]
        margins = [kernels.margin(mover, o, standing, net) for o in range(3)]
        means, variances = np.array(margins).T
        found = kernels.option_worth(
            mover, option, standing, solver.tables,
            np.ascontiguousarray(means), np.ascontiguousarray(variances),
        )  # fmt: skip
        state = RacesState(tuple(map(tuple, marks.tolist())), mover)
        gained = game.scores(state)[mover]
        after = _with_marks(game, state, option)
        new, scores, still = np.array(after.marks), np.array(game.scores(after)), open_race & False
        still[list(game.open_races(after))] = True
        expected = 1.0
        for other in {0, 1, 2} - {mover}:
            then = Standing(new, scores, still)
            expected *= kernels.ahead(*kernels.margin(mover, other, then, net))
        assert found == pytest.approx(expected, abs=1e-12)
        spaces = (new - marks)[mover] * sheet[2] / sheet[0]
        won = sum(sheet[2, r] for r in set(option.tolist()) if open_race[r] and not still[r])
        greedy = kernels.greedy_worth(mover, option, standing, sheet)
        assert greedy == pytest.approx(1000 * won + spaces.sum())
        assert won == scores[mover] - gained


def _with_marks(game: GreatRaces, state: RacesState, option: np.ndarray) -> RacesState:
    """Marks of an option one by one, by the rules."""
    marks = [list(row) for row in state.marks]
    for race in option.tolist():
        current = RacesState(tuple(map(tuple, marks)), state.roller)
        if game.winner(current, race) is None:
            marks[state.roller][race] += 1
    return RacesState(tuple(map(tuple, marks)), state.roller)


def test_compiled_games_are_those_of_the_rules() -> None:
    """Winners of the compiled games, against the same dice and choices by the slow rules."""
    kit = GreatRacesKit(2, {})
    solver, game = kit.advisor, kit.game
    rolls = solver.tables.rolls
    seeds = np.random.default_rng(6).integers(0, 2**63, 25).astype(np.uint64)
    compiled = kit.winners(seeds, ["greedy", "greedy"], [0, 1])
    greedy = kit.player("greedy")
    for seed, winner in zip(seeds, compiled.tolist(), strict=True):
        state, turn = game.start(), 0
        while game.phase(state) is not Phase.OVER:
            number = random_kernels.draw_from(seed, turn % 2, turn // 2, rolls)
            state = game.after_roll(state, rolls_of(4)[number][0])
            state = game.after_act(state, greedy.choose(state, np.random.default_rng(0)))
            turn += 1
        assert game.result(state).index(1) == winner


@pytest.mark.parametrize("seats", [2, 3])
def test_exact_endings_in_games_win_as_often_as_they_say(seats: int) -> None:
    """Best seats in games from an ending's start win the shares of its solution."""
    game = GreatRaces(seats)
    solver = GreatRacesSolver(game)
    needs = {2: (1, 2, 2)[:seats], 7: (4, 3, 3)[:seats]}
    state = with_open(game, needs, 0, {n: n % seats for n in NUMBERS})
    exact, _ = solver.chances(state)
    players = Seats(np.zeros(seats, np.int64), np.arange(seats))
    wins = np.zeros(seats)
    for seed in range(4000):
        marks = np.array(state.marks)
        assert kernels._play_ending(
            np.uint64(seed), players, solver.tables, ending_tables(), 10**7, marks, 0
        )
        wins[kernels.winner_of(marks, solver.tables.sheet)] += 1
    assert wins / 4000 == pytest.approx(exact, abs=0.03)


def test_an_ending_serves_the_states_after_it() -> None:
    game = GreatRaces(2)
    solver = GreatRacesSolver(game)
    state = with_open(game, {2: (2, 2), 12: (2, 2)}, 0)
    ending = solver.ending(state)
    later = game.after_act(state._replace(roll=(1, 1, 3, 4)), (2, 7))
    assert solver.ending(later) is ending
    assert solver.chances(later)[0] == pytest.approx(Expectimax(game).value(later), abs=1e-12)


def test_a_full_game_on_a_small_sheet_is_close_to_its_rollouts() -> None:
    game = GreatRaces(2, SMALL)
    solver = GreatRacesSolver(game)
    rolled = solver.roll_out(game.start(), 2000)
    assert 0.3 < np.mean(rolled == 0) < 0.8
    advice = solver.advise(game.after_roll(game.start(), (1, 1, 3, 4)))
    assert not advice.exact
    assert {act for act, _ in advice.acts} == {(2, 7), (4, 5)}


def test_best_beats_greedy() -> None:
    result = simulate(GreatRacesKit(2, {}), ["best", "greedy"], 1200, 4, mirror=True)
    assert result.shares[0] > 0.5 + 3 * result.errors[0]


def test_marks_second_places_and_ties() -> None:
    game = GreatRaces(3)
    state = with_open(game, {7: (1, 3, 3)}, 0)
    over = game.after_act(state._replace(roll=(3, 3, 4, 4)), (7, 7))
    assert game.phase(over) is Phase.OVER
    # equal marks past the line: the later starter is second
    assert game.places(over, 5) == (0, 2)
    behind = with_open(game, {7: (1, 7, 8)}, 0)
    closed = game.after_act(behind._replace(roll=(3, 3, 4, 4)), (7, 7))
    assert game.places(closed, 5) == (0, None)


def test_equal_totals_mark_two_and_closed_races_lose_marks() -> None:
    game = GreatRaces(2)
    after = game.after_act(game.after_roll(game.start(), (3, 3, 4, 4)), (7, 7))
    assert after.marks[0][5] == 2
    state = with_open(game, {7: (1, 3)}, 0)
    lost = game.after_act(state._replace(roll=(1, 1, 2, 2)), (2, 4))
    assert lost == state._replace(roller=1)


def test_equal_scores_go_to_the_higher_seat() -> None:
    even = Sheet((Race(1, 0, 0, 0),) * RACES, "test")
    game = GreatRaces(2, even)
    marks = ((1,) * RACES, (0,) * RACES)
    assert game.result(RacesState(marks, 0)) == (0, 1)


def test_the_default_sheet_says_that_it_is_derived() -> None:
    sheet = default_sheet()
    assert "derived" in sheet.origin
    ways = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert [race.length for race in sheet.races] == [2 * w + 1 for w in ways]
    assert [race.line for race in sheet.races] == ways
    assert [(race.first, race.second) for race in sheet.races[:6]] == [
        (11, 5),
        (10, 5),
        (9, 4),
        (9, 4),
        (9, 4),
        (9, 4),
    ]


def sheet_text(**changes: str) -> str:
    rows = {n: f"{n} = {{ length = 3, line = 1, first = 5, second = 2 }}" for n in NUMBERS}
    rows.update({int(key[1:]): value for key, value in changes.items()})
    return "[races]\n" + "\n".join(rows.values())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("7 = { length = 0, line = 0, first = 5, second = 2 }", "race 7: field 'length'"),
        ("7 = { length = 3, line = 4, first = 5, second = 2 }", "race 7: field 'line'"),
        ("7 = { length = 3, line = 1, first = -5, second = 2 }", "race 7: field 'first'"),
        ("7 = { length = 3, line = 1, first = 5, second = 6 }", "race 7: field 'second'"),
        ("7 = { length = 3, line = 1, first = 5 }", "race 7: field 'second' is missing"),
        ("7 = { length = 3.5, line = 1, first = 5, second = 2 }", "race 7: field 'length'"),
        ("7 = { length = true, line = 1, first = 5, second = 2 }", "race 7: field 'length'"),
        ("7 = { length = 3, line = 1, first = 5, second = 2, third = 1 }", "field 'third'"),
        ("7 = 5", "race 7: missing"),
        ("", "race 7: missing"),
        ("13 = { length = 3, line = 1, first = 5, second = 2 }", "race 13"),
        ("7 = ", "not TOML"),
    ],
)
def test_a_bad_sheet_is_refused(change: str, message: str) -> None:
    with pytest.raises(SheetError, match=message):
        parse_sheet(sheet_text(n7=change), "sheet.toml")


def test_a_sheet_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "sheet.toml"
    file.write_text(sheet_text(n2="2 = { length = 4, line = 2, first = 9, second = 3 }"))
    sheet = parse_sheet(read_text(file), str(file))
    assert sheet.races[0] == Race(4, 2, 9, 3)
    assert "sheet.toml" in sheet.origin
    file.write_text("[races]\nextra = 1")
    with pytest.raises(SheetError, match="race extra"):
        parse_sheet(read_text(file), str(file))
    file.write_text("other = 1\n[races]")
    with pytest.raises(SheetError, match="unknown entry 'other'"):
        parse_sheet(read_text(file), str(file))


def test_wrong_pairings_are_refused() -> None:
    game = GreatRaces(2)
    with pytest.raises(StateError, match="don't pair"):
        game.after_act(game.after_roll(game.start(), (1, 2, 3, 4)), (2, 8))
    with pytest.raises(StateError, match="2 to 4 seats"):
        GreatRaces(5)


def test_race_tables_are_fair() -> None:
    """Between equal marks the seat about to roll (the other) is ahead, but not by much."""
    net = GreatRacesSolver(GreatRaces(2)).tables.net
    level = np.array([net[0, race, 0, 0] for race in range(RACES)])
    assert (level < 0).all()
    assert (level > -3).all()
    assert (np.diff(net[0, 5, :13, 0]) > 0).all()
