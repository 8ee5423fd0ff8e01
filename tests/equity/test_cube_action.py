"""Cube verdicts: words, costs, beavers and raccoons, scores without a cube."""

import re
from itertools import product

import numpy as np
import pytest
from model_decision import model_decision

from bgai.equity.cube_action import (
    BeaverAnswer,
    CubeAction,
    CubeDecision,
    Response,
    best_actions,
    best_beaver_answer,
    best_responses,
    cube_decision,
    may_beaver,
)
from bgai.equity.cubeful import CubeEquities
from bgai.equity.stakes import Stakes, match_stakes, money_stakes
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.match import MatchScore

USUAL = np.full(3, 0.68)
EVEN = np.array([0.5, 0.1, 0.0, 0.1, 0.0])
MINE = Cube(2, CubeOwner.ON_ROLL)
THEIRS = Cube(2, CubeOwner.OPPONENT)
NO_BEAVERS = HouseRules(beaver_turns=0)


def verdict(
    no_double: float,
    double_take: float,
    stakes: Stakes | None = None,
) -> CubeDecision:
    equities = (no_double, double_take, 1.0)
    return cube_decision(equities, stakes or money_stakes(), EVEN, USUAL)


@pytest.mark.parametrize(
    ("no_double", "double_take", "words"),
    [
        (0.3, 0.2, "No double, take"),
        (0.1, -0.2, "No double, beaver"),
        (0.7, 0.8, "Double, take"),
        (0.9, 1.2, "Double, pass"),
        (1.1, 1.3, "Too good to double, pass"),
        (1.1, 0.9, "Too good to double, take"),
        (-0.4, -0.1, "Double, beaver"),  # Jacoby: the double brings the gammons in
        (0.7, 0.7003, "Optional double, take"),
        (0.9998, 1.2, "Optional double, pass"),
    ],
)
def test_words(no_double: float, double_take: float, words: str) -> None:
    assert verdict(no_double, double_take).text == words


WORDS = re.compile(
    r"(No|Too good to|Optional) (double|redouble)(, (take|pass|beaver)| \([a-zA-Z ]+\))"
    r"|(Double|Redouble), (take|pass|beaver)"
)


@pytest.mark.parametrize("owner", list(CubeOwner))
@pytest.mark.parametrize("rules", [HouseRules(), NO_BEAVERS, HouseRules(max_cube=2)])
@pytest.mark.parametrize("score", [None, MatchScore(7, 2, 3), MatchScore(7, 6, 3, crawford=True)])
def test_only_ones_own_cube_is_redoubled(
    owner: CubeOwner, rules: HouseRules, score: MatchScore | None
) -> None:
    cube = Cube(1 if owner is CubeOwner.CENTRED else 2, owner)
    stakes = money_stakes(cube, rules) if score is None else match_stakes(cube, score, rules=rules)
    available = stakes.after_take[0, 0] >= 0
    seen = set()
    for waiting, taken in product(np.arange(-1.5, 1.6, 0.1), repeat=2):
        for edge in (0.0, 0.0002):
            found = verdict(waiting, taken + edge if available else np.nan, stakes)
            seen.add(found.action)
            assert WORDS.fullmatch(found.text), found.text
            for words in (found.text, *found.names.values()):
                again = "redouble" in words.lower()
                assert again == (owner is CubeOwner.ON_ROLL), words
                assert words.lower().count("double") == 1
            assert ("beaver" in found.text or "beaver" in found.costs) <= may_beaver(stakes)
            assert found.too_late == (available and taken + edge > 1)
    money = score is None
    least = 7 if money and available and may_beaver(stakes) else 5 if available else 1
    assert len(seen) >= least


@pytest.mark.parametrize(
    ("no_double", "double_take", "words"),
    [
        (0.3, 0.2, "No redouble, take"),
        (0.1, -0.2, "No redouble, beaver"),
        (0.7, 0.8, "Redouble, take"),
        (0.9, 1.2, "Redouble, pass"),
        (1.1, 1.3, "Too good to redouble, pass"),
    ],
)
def test_words_of_a_redouble(no_double: float, double_take: float, words: str) -> None:
    assert verdict(no_double, double_take, money_stakes(MINE)).text == words


def test_batches_agree_with_single_decisions() -> None:
    rng = np.random.default_rng(3)
    waiting, taken = rng.uniform(-1, 2, (2, 500))
    actions = best_actions(CubeEquities(waiting, taken, np.ones(500)), beavers=True)
    for wait, take, action in zip(waiting, taken, actions, strict=True):
        assert verdict(wait, take).action == action


def test_costs_of_wrong_acts() -> None:
    costs = verdict(0.7, 0.8).costs
    assert costs == pytest.approx(
        {"no_double": 0.1, "double": 0, "take": 0, "pass": 0.2, "beaver": 0.8}
    )
    # a double into a beaver costs the doubled stake
    costs = verdict(0.1, -0.2).costs
    assert costs == pytest.approx(
        {"no_double": 0, "double": 0.5, "take": 0.2, "pass": 1.4, "beaver": 0}
    )
    assert verdict(0.1, -0.2, money_stakes(rules=NO_BEAVERS)).costs == pytest.approx(
        {"no_double": 0, "double": 0.3, "take": 0, "pass": 1.2}
    )


def test_jacoby_makes_a_double_right() -> None:
    """56% wins, half of them gammons: without Jacoby waiting keeps the gammons and the cube."""
    chances = np.array([0.56, 0.28, 0.0, 0.044, 0.0])
    with_jacoby = model_decision(chances, money_stakes(), USUAL)
    without = model_decision(chances, money_stakes(rules=HouseRules(jacoby=False)), USUAL)
    assert with_jacoby.action == CubeAction.DOUBLE_TAKE
    assert without.action == CubeAction.NO_DOUBLE_TAKE
    assert with_jacoby.double_take == pytest.approx(without.double_take)


def test_double_and_beaver_both_right_on_a_last_roll() -> None:
    """Kauder's paradox, by hand with a dead cube: 32% wins, all gammons, no gammons lost.

    Undoubled under Jacoby 0.64 - 1 = -0.36. Doubled 2 (0.32 x 2 - 0.68) = -0.08, beavered
    -0.16: the double gains 0.20 and the beaver 0.08.
    """
    decision = model_decision(np.array([0.32, 0.32, 0, 0, 0.0]), money_stakes(), np.zeros(3))
    assert decision.text == "Double, beaver"
    assert decision.no_double == pytest.approx(-0.36)
    assert decision.double_take == pytest.approx(-0.08)
    assert decision.equity == decision.beaver == pytest.approx(-0.16)
    assert decision.costs["no_double"] == pytest.approx(0.20)
    assert decision.costs["take"] == pytest.approx(0.08)
    no_jacoby = money_stakes(rules=HouseRules(jacoby=False))
    assert not model_decision(
        np.array([0.32, 0.32, 0, 0, 0.0]), no_jacoby, np.zeros(3)
    ).action.doubles


def test_too_good_without_jacoby_is_a_cash_with_it() -> None:
    chances = np.array([0.85, 0.6, 0.0, 0.02, 0.0])
    assert model_decision(chances, money_stakes(MINE), USUAL).text == "Too good to redouble, pass"
    no_jacoby = money_stakes(rules=HouseRules(jacoby=False))
    assert model_decision(chances, no_jacoby, USUAL).text == "Too good to double, pass"
    assert model_decision(chances, money_stakes(), USUAL).text == "Double, pass"


def test_a_proper_beaver() -> None:
    """45% without gammons: doubling gives the opponent the favourite's side and the cube."""
    decision = model_decision(np.array([0.45, 0, 0, 0, 0.0]), money_stakes(), USUAL)
    assert decision.action == CubeAction.NO_DOUBLE_BEAVER
    assert decision.beaver == pytest.approx(2 * decision.double_take)
    assert best_responses(decision.double_take, beavers=True) == Response.BEAVER


def test_answers_to_beavers_and_who_may_turn_again() -> None:
    assert best_beaver_answer(0.1, raccoons=True) == BeaverAnswer.RACCOON
    assert best_beaver_answer(0.1) == BeaverAnswer.ACCEPT
    assert best_beaver_answer(-0.5, raccoons=True) == BeaverAnswer.ACCEPT
    assert best_beaver_answer(-1.2) == BeaverAnswer.PASS
    raccoons = money_stakes(rules=HouseRules(beaver_turns=2))
    assert may_beaver(raccoons, 2)
    assert not may_beaver(raccoons, 3)
    assert not may_beaver(money_stakes(), 2)
    assert not may_beaver(money_stakes(rules=NO_BEAVERS))
    assert not may_beaver(money_stakes(rules=HouseRules(max_cube=2)))
    assert not may_beaver(match_stakes(Cube(), MatchScore(7)))


@pytest.mark.parametrize(
    ("stakes", "words"),
    [
        (match_stakes(Cube(), MatchScore(5, 4, 2, crawford=True)), "No double (Crawford game)"),
        (match_stakes(Cube(), MatchScore(5, 4, 2)), "No double (dead cube)"),
        (match_stakes(MINE, MatchScore(5, 3, 2)), "No redouble (dead cube)"),
        (match_stakes(THEIRS, MatchScore(5)), "No double (the opponent owns the cube)"),
        (money_stakes(THEIRS), "No double (the opponent owns the cube)"),
        (money_stakes(MINE, HouseRules(max_cube=2)), "No redouble (the cube is at its maximum)"),
    ],
)
def test_no_cube_to_turn(stakes: Stakes, words: str) -> None:
    decision = model_decision(EVEN, stakes, USUAL)
    assert decision.action == CubeAction.UNAVAILABLE
    assert decision.text == words
    assert decision.double_take is decision.double_pass is decision.beaver is None
    assert decision.costs == {}
    assert decision.equity == decision.no_double


def test_post_crawford_trailer_doubles_and_leader_drops_for_free() -> None:
    two_away = match_stakes(Cube(), MatchScore(7, 5, 6))
    ahead = model_decision(np.array([0.52, 0, 0, 0, 0.0]), two_away, USUAL)
    behind = model_decision(np.array([0.45, 0, 0, 0, 0.0]), two_away, USUAL)
    assert (ahead.text, behind.text) == ("Double, pass", "Double, take")
    assert behind.match_chances is not None
    assert behind.match_chances[1] == pytest.approx(0.45)
    assert behind.match_chances[2] == pytest.approx(0.5)


def test_gammons_that_win_the_match_make_a_double_wrong() -> None:
    """2 away against 4 away with the cube on 1: a gammon wins the match without doubling."""
    chances = np.array([0.68, 0.30, 0.0, 0.02, 0.0])
    score = match_stakes(Cube(), MatchScore(7, 5, 3))
    assert model_decision(chances, score, USUAL).text == "No double, take"
    assert model_decision(chances, match_stakes(Cube(), MatchScore(17)), USUAL).action.doubles
