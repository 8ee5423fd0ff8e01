"""Verdicts of whole situations: last rolls by hand, the market, scores, the exact table."""

import numpy as np
import pytest
from search_examples import Pips, random_positions

from bgai.equity.bearoff_cube import exact_cube_equities
from bgai.equity.cube_action import CubeAction
from bgai.equity.stakes import money_stakes
from bgai.errors import InputError
from bgai.evaluation.baseline import HandmadeEvaluator
from bgai.notation.identifiers import parse_identifier
from bgai.notation.situation import Offer, Seat, Situation
from bgai.notation.xgid import format_xgid
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import Roll
from bgai.rules.match import MatchScore
from bgai.rules.position import position_from_points, starting_position
from bgai.search.cube_verdict import cube_verdict, cubeful_plays
from bgai.search.lookahead import Lookahead

ENGINE = Lookahead(HandmadeEvaluator(), 1)


def last_roll(first: int, second: int) -> Situation:
    """Two checkers left, the opponent bears off the last one next."""
    return Situation(position_from_points({first: 1, second: 1}, {1: 1}))


@pytest.mark.parametrize(
    ("points", "winning_rolls", "words"),
    [((5, 2), 19, "Double, take"), ((4, 1), 29, "Double, pass"), ((6, 3), 10, "No double, beaver")],
)
@pytest.mark.parametrize("plies", [0, 1, 2])
def test_last_rolls_by_hand(
    points: tuple[int, int], winning_rolls: int, words: str, plies: int
) -> None:
    verdict = cube_verdict(last_roll(*points), ENGINE, plies=plies)
    equity = 2 * winning_rolls / 36 - 1
    assert verdict.decision.exact
    assert verdict.decision.text == words
    assert verdict.decision.no_double == pytest.approx(equity, abs=1e-6)
    assert verdict.decision.double_take == pytest.approx(2 * equity, abs=1e-6)
    assert verdict.chances[0] == pytest.approx(winning_rolls / 36, abs=1e-6)
    assert verdict.market_losers == winning_rolls
    assert len(verdict.rolls) == 21


@pytest.mark.parametrize("score", [MatchScore(9, 2, 3), MatchScore(5, 1, 2)])
def test_the_last_roll_of_a_match_game_by_hand(score: MatchScore) -> None:
    """19 of 36 rolls win: the cube is worth the match chances after one or two points."""
    from bgai.equity.match_equity import kazaross_xg2

    met = kazaross_xg2()
    situation = Situation(position_from_points({5: 1, 2: 1}, {1: 1}), score=score)
    decision = cube_verdict(situation, ENGINE, plies=1).decision
    a, b = score.away_on_roll, score.away_opponent

    def chance(points: int) -> float:
        return float(
            (19 * met.before_game(a - points, b) + 17 * met.before_game(a, b - points)) / 36
        )

    assert decision.match_chances is not None
    assert decision.match_chances[0] == pytest.approx(chance(1), abs=1e-6)
    assert decision.match_chances[1] == pytest.approx(chance(2), abs=1e-6)
    assert not decision.exact


def test_at_two_away_each_the_first_advantage_doubles() -> None:
    situation = Situation(position_from_points({5: 1, 2: 1}, {1: 1}), score=MatchScore(5, 3, 3))
    decision = cube_verdict(situation, ENGINE, plies=1).decision
    assert decision.text == "Double, take"
    assert decision.match_chances is not None
    assert decision.match_chances[1] == pytest.approx(19 / 36, abs=1e-6)


def test_deeper_verdicts_come_closer_to_the_exact_ones() -> None:
    """A limit on the cube hides the exact table, so that the model and the search must do."""
    rng = np.random.default_rng(6)
    rules = HouseRules(jacoby=False, beaver_turns=0, max_cube=2**20)
    errors = []
    for _ in range(40):
        sides = [np.bincount(rng.integers(1, 7, size=6), minlength=7) for _ in range(2)]
        position = position_from_points(*(dict(enumerate(map(int, side))) for side in sides))
        exact = exact_cube_equities(position[None], money_stakes(rules=rules))
        row = []
        for plies in (0, 1, 2):
            situation = Situation(position, rules=rules)
            decision = cube_verdict(situation, ENGINE, plies=plies, market=False).decision
            assert decision.double_take is not None
            row.append(
                [decision.no_double - exact.no_double[0], decision.double_take - exact[1][0]]
            )
        errors.append(row)
    model, one, two = np.sqrt((np.array(errors) ** 2).mean(axis=(0, 2)))
    assert two < one < model < 0.1


def test_a_pending_double_is_judged_as_it_was_offered() -> None:
    quiet = Situation(starting_position())
    asked = Situation(starting_position(), offer=Offer.DOUBLED)
    one, other = (cube_verdict(each, ENGINE, market=False).decision for each in (quiet, asked))
    assert one == other


def test_without_a_cube_the_rolls_are_still_listed() -> None:
    score = MatchScore(5, 4, 2, crawford=True)
    verdict = cube_verdict(Situation(starting_position(), score=score), ENGINE)
    assert verdict.decision.action is CubeAction.UNAVAILABLE
    assert verdict.market_losers == 0
    assert all(roll.double_take is None for roll in verdict.rolls)
    mean = sum(roll.chance * roll.no_double for roll in verdict.rolls)
    assert mean == pytest.approx(verdict.decision.no_double, abs=1e-6)


def test_rolls_average_to_the_verdict() -> None:
    situation = Situation(starting_position(), Cube(2, CubeOwner.ON_ROLL))
    verdict = cube_verdict(situation, Lookahead(Pips(), 1))
    waiting = sum(roll.chance * roll.no_double for roll in verdict.rolls)
    taken = sum(roll.chance * (roll.double_take or 0) for roll in verdict.rolls)
    assert waiting == pytest.approx(verdict.decision.no_double)
    assert taken == pytest.approx(verdict.decision.double_take)


@pytest.mark.parametrize("score", [None, MatchScore(7, 1, 4)])
def test_the_same_board_from_either_seat(score: MatchScore | None) -> None:
    """One decision, whether the player on roll sits at the bottom or at the top."""
    position = random_positions(np.random.default_rng(1), 1, 10)[0]
    cube = Cube(2, CubeOwner.ON_ROLL)
    texts = [
        format_xgid(Situation(position, cube, score, seat=seat)) for seat in (Seat.BOTTOM, Seat.TOP)
    ]
    assert texts[0] != texts[1]
    found = [cube_verdict(parse_identifier(text), ENGINE, market=False).decision for text in texts]
    assert found[0] == found[1]


def test_plays_are_the_cubeful_ones() -> None:
    situation = Situation(starting_position(), score=MatchScore(7, 1, 2))
    ranked = cubeful_plays(situation, Roll(3, 1), ENGINE)
    assert ranked[0].worth >= ranked[1].worth
    assert ranked[0].plies == 1


def test_a_finished_game_has_no_cube() -> None:
    over = Situation(position_from_points({}, {6: 15}))
    with pytest.raises(InputError, match="the game is over"):
        cube_verdict(over, ENGINE)
