"""Cubeful rollouts of plays, and the levels that think again by them."""

import numpy as np
import pytest
from search_examples import Pips

from bgai.equity.bearoff_cube import exact_cube_equities, exact_state_worths
from bgai.equity.cubeful import decided_worths
from bgai.equity.stakes import Stakes, match_stakes, money_stakes
from bgai.errors import InputError
from bgai.evaluation.composite import Composite
from bgai.notation.identifiers import parse_identifier
from bgai.players.engines import engine
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import Roll
from bgai.rules.legal_plays import legal_plays
from bgai.rules.match import MatchScore
from bgai.rules.position import Positions, position_from_points, starting_position
from bgai.search.cube_verdict import cube_verdict
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.cubeful_rollout import CubeRollout
from bgai.search.cubeful_trials import Thought
from bgai.search.lookahead import Lookahead
from bgai.search.move_filter import filters_named
from bgai.search.play_rollout import PlayRollout
from bgai.search.roller import ROLLERS, Roller, RollerLevel
from bgai.search.rollout_run import RolloutSettings, VarianceReduction

PLAIN = HouseRules(jacoby=False, beaver_turns=0)
CUBES = {
    "centred": Cube(),
    "mine": Cube(2, CubeOwner.ON_ROLL),
    "theirs": Cube(2, CubeOwner.OPPONENT),
}
BEAROFF = position_from_points({6: 2, 5: 1, 4: 1, 3: 2}, {6: 3, 4: 1, 2: 2})


def searching(stakes: Stakes, plies: int = 0) -> CubefulLookahead:
    lookahead = Lookahead(Composite(Pips(), tables=True), plies, filters=filters_named("all"))
    return CubefulLookahead(lookahead, stakes)


def bearoff_plays() -> Positions:
    return legal_plays(BEAROFF, Roll(3, 2))


@pytest.mark.parametrize("cube", CUBES.values(), ids=CUBES)
def test_with_exact_luck_every_trial_is_the_exact_value(cube: Cube) -> None:
    stakes, after = money_stakes(cube, PLAIN), bearoff_plays()
    run = PlayRollout(after, searching(stakes), RolloutSettings(trials=72, stop_at_tables=False))
    run.step()
    run.step()
    theirs = decided_worths(exact_state_worths(after, stakes, 1), stakes, 1)[:, 0]
    assert run.trials_done == 72
    for worths, exact in zip(run.values[:, :, 5], theirs, strict=True):
        assert worths == pytest.approx(np.full(72, -exact), abs=1e-5)
    found = [each.equity.mean for each in run.result().summaries]
    assert found == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("cube", CUBES.values(), ids=CUBES)
def test_without_variance_reduction_errors_are_honest(cube: Cube) -> None:
    """Chi-square over seeds: the squared deviations in units of the error have a mean of 1."""
    stakes, after = money_stakes(cube, PLAIN), bearoff_plays()[:2]
    exact = decided_worths(exact_state_worths(after, stakes, 1), stakes, 1)[:, 0]
    squares = []
    for seed in range(12):
        settings = RolloutSettings(
            trials=180,
            seed=seed,
            stop_at_tables=False,
            variance_reduction=VarianceReduction.NONE,
            batch=5,
        )
        run = PlayRollout(after, searching(stakes), settings)
        run.step()
        for summary, value in zip(run.result().summaries, exact, strict=True):
            squares.append(((summary.equity.mean - value) / summary.equity.error) ** 2)
    assert 0.4 < np.mean(squares) < 2.0  # 24 of them, two plays on the same dice


def test_a_play_is_the_opponents_cube_decision_seen_from_the_other_side() -> None:
    """After a play the opponent decides on the cube as a cube rollout of theirs would have it."""
    position = position_from_points({6: 4, 7: 2, 3: 2}, {8: 2, 6: 3, 5: 2, 20: 1})
    settings = RolloutSettings(trials=72, truncate=1)
    run = PlayRollout(position[None], searching(money_stakes(rules=PLAIN)), settings)
    cube = CubeRollout(position, searching(money_stakes(rules=PLAIN)), settings)
    while run.trials_done < 72:
        run.step()
    verdict = cube.run().decision
    equity = run.result().summaries[0].equity.mean
    doubled = min(verdict.double_take or 0.0, 1.0)
    assert equity == pytest.approx(max(verdict.no_double, doubled), abs=0.02)


def test_batches_change_nothing_and_an_early_player_does() -> None:
    stakes = match_stakes(Cube(2, CubeOwner.ON_ROLL), MatchScore(9, 1, 3))
    after = legal_plays(starting_position(), Roll(4, 3))[:3]
    values = []
    for batch, thought in ((1, None), (2, None), (2, Thought(searching(stakes, 1), 2))):
        settings = RolloutSettings(trials=72, truncate=3, batch=batch)
        run = PlayRollout(after, searching(stakes), settings, thought=thought)
        while run.trials_done < 72:
            run.step()
        values.append(run.values)
    np.testing.assert_allclose(values[0], values[1], atol=1e-9)
    assert not np.allclose(values[1], values[2])


def test_nothing_rolled_out_yet() -> None:
    with pytest.raises(InputError, match="nothing has been rolled out"):
        PlayRollout(bearoff_plays(), searching(money_stakes())).result()


# --- levels -----------------------------------------------------------------------------------


def test_a_roller_rolls_out_the_close_plays_alone_and_is_repeatable() -> None:
    stakes, roll = money_stakes(), Roll(4, 3)
    plain, rolled = searching(stakes, 1), searching(stakes, 1)
    level = RollerLevel(1, "normal", trials=36, turns=2, weight=0.5, most=3, window=1.0)
    rolled.lookahead.roller = Roller.around(rolled.lookahead, level)
    before = plain.best_plays(starting_position(), roll)
    after = rolled.best_plays(starting_position(), roll)
    close = [play for play in before[:3] if play.worth >= before[0].worth - level.window]
    assert len(close) > 1
    first, rest = after[: len(close)], after[len(close) :]
    assert {play.after.tobytes() for play in first} == {play.after.tobytes() for play in close}
    assert [play.trials for play in after] == [36] * len(first) + [0] * len(rest)
    searched = {play.after.tobytes(): play.worth for play in before}
    shift = np.mean([play.worth - searched[play.after.tobytes()] for play in first])
    moved = [play.worth + shift for play in before[len(close) :]]
    assert [play.worth for play in rest] == pytest.approx(moved)
    assert max(play.worth for play in rest) <= first[0].worth
    worths = [play.worth for play in first]
    assert worths == sorted(worths, reverse=True)
    again = rolled.best_plays(starting_position(), roll)
    assert [play.worth for play in again] == [play.worth for play in after]


def test_exact_endings_are_left_alone() -> None:
    stakes = money_stakes(rules=PLAIN)
    search = searching(stakes, 1)
    before = search.best_plays(BEAROFF, Roll(3, 2))
    search.lookahead.roller = Roller.around(search.lookahead, ROLLERS["roller"])
    after = search.best_plays(BEAROFF, Roll(3, 2))
    assert [play.worth for play in after] == [play.worth for play in before]
    assert exact_cube_equities(BEAROFF[None], stakes).no_double.shape == (1,)


BLITZ = position_from_points(
    {24: 1, 13: 4, 8: 3, 6: 4, 5: 2, 4: 1}, {25: 1, 13: 5, 8: 3, 6: 5, 24: 1}
)


def test_a_roller_mixes_close_cubes_alone_and_is_repeatable() -> None:
    stakes = money_stakes(rules=PLAIN)
    search = searching(stakes, 1)
    level = RollerLevel(1, "normal", trials=72, turns=2, weight=0.5, cube_window=0.2)
    roller = Roller.around(search.lookahead, level)
    no_double, taken = roller.rolled_cube(BLITZ, 0.55, 0.6, search)
    assert (no_double, taken) != (0.55, 0.6)
    assert roller.rolled_cube(BLITZ, 0.55, 0.6, search) == (no_double, taken)
    settings = RolloutSettings(trials=72, truncate=2)
    thought = Thought(searching(stakes, 1), 3, searching(stakes, 1), 1)
    whole = CubeRollout(BLITZ, searching(stakes), settings, thought=thought).run()
    assert whole.double_take is not None
    half_way = (0.55 + whole.no_double.mean) / 2, (0.6 + whole.double_take.mean) / 2
    assert (no_double, taken) == pytest.approx(half_way, abs=0.1)  # it may stop after one set
    assert roller.rolled_cube(BLITZ, 0.1, 0.5, search) == (0.1, 0.5)  # far from both decisions
    assert roller.rolled_cube(BEAROFF, 0.9, 0.95, search) == (0.9, 0.95)  # the tables answer
    none = roller.rolled_cube(BLITZ, 0.9, float("nan"), search)
    assert none[0] == 0.9
    assert np.isnan(none[1])


def test_a_verdict_has_what_the_roller_found() -> None:
    """The level's verdict differs from that of its search where the decision is close."""
    situation = parse_identifier("XGID=-b-bBBC-BB--cB---bAb--b-bA:0:0:1:00:0:0:3:0:10")
    search = engine("handmade@1").lookahead
    before = cube_verdict(situation, search, market=False).decision
    rolled = Lookahead(search.evaluator, 1, pruner=search.pruner)
    level = RollerLevel(1, "normal", trials=36, turns=2, weight=0.5, cube_window=9.0)
    rolled.roller = Roller.around(rolled, level)
    after = cube_verdict(situation, rolled, market=False).decision
    assert after.no_double != before.no_double
    assert cube_verdict(situation, rolled, plies=0, market=False).decision.no_double == (
        cube_verdict(situation, search, plies=0, market=False).decision.no_double
    )


@pytest.mark.parametrize("level", ROLLERS)
def test_levels_have_names(level: str) -> None:
    made = engine(f"expert@{level}")
    assert made.name == f"expert@{level}"
    assert made.label == f"expert {level}"
    assert made.plies == ROLLERS[level].plies
    assert made.lookahead.roller is not None
    assert made.at(1).name == "expert@1"
    assert made.at(1).settings == engine("expert@1").settings
    assert engine(f"master@{level}").lookahead.roller is not None


@pytest.mark.parametrize("name", ["handmade@roller", "casual@roller+"])
def test_only_networks_roll_out(name: str) -> None:
    with pytest.raises(InputError, match="only networks roll out"):
        engine(name)


@pytest.mark.parametrize("name", ["expert@roller+++", "expert@", "@roller", "expert@rolle"])
def test_there_are_no_others(name: str) -> None:
    with pytest.raises(InputError, match="there is no engine"):
        engine(name)
