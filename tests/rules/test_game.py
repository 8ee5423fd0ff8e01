"""The game as a state machine: every phase, every rule of the cube, by hand-worked cases."""

import numpy as np
import pytest

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
)
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import roll_of
from bgai.rules.game import Ending, Game, IllegalAct, Outcome, Phase
from bgai.rules.match import Standing
from bgai.rules.outcome import Result
from bgai.rules.position import position_from_points, starting_position

HOME = {6: 5, 5: 5, 4: 5}


def go(game: Game, *acts: Act) -> Game:
    for act in acts:
        game = game.after(act)
    return game


def on_turn(rules: HouseRules | None = None, standing: Standing | None = None) -> Game:
    """The starting position with seat 0 about to roll."""
    return Game.set_up(starting_position(), rules=rules, standing=standing)


def roll(first: int, second: int) -> RollDice:
    return RollDice(roll_of(first, second))


def bear_off_last(loser: dict[int, int], **set_up: object) -> Game:
    """Seat 0 has one checker on its 1 point and bears it off with 2-1."""
    position = position_from_points({1: 1}, loser)
    game = Game.set_up(position, roll=roll_of(2, 1), **set_up)  # type: ignore[arg-type]
    assert len(game.plays) == 1
    return game.after(MakePlay(game.plays[0]))


# --- opening ---------------------------------------------------------------------------------


def test_the_higher_opening_die_starts_and_plays_both_dice() -> None:
    game = Game().after(OpeningDice((3, 5)))
    assert (game.phase, game.turn, game.roll) == (Phase.PLAY, 1, (5, 3))
    assert game.actor == 1
    assert ActKind.DOUBLE not in game.legal_kinds()
    assert Game().after(OpeningDice((6, 1))).turn == 0


def test_both_roll_the_opening_and_all_36_are_listed() -> None:
    game = Game()
    assert game.actor is None
    assert game.legal_kinds() == (ActKind.OPENING,)
    assert len(set(game.legal_acts())) == 36


def test_equal_opening_dice_are_rolled_again() -> None:
    game = Game().after(OpeningDice((4, 4)))
    assert game == Game()


@pytest.mark.parametrize(
    ("limit", "max_cube", "value"), [(0, None, 1), (1, None, 2), (2, None, 4), (5, 2, 2)]
)
def test_automatic_doubles_up_to_their_limit(limit: int, max_cube: int | None, value: int) -> None:
    rules = HouseRules(automatic_doubles=limit, max_cube=max_cube)
    game = go(Game(rules=rules), *[OpeningDice((n, n)) for n in (1, 4, 6)])
    assert game.cube_value == value
    assert game.cube_owner is None
    assert game.automatic_doubles == min(limit, {1: 0, 2: 1, 4: 2}[value])
    assert game.phase is Phase.OPENING
    assert not game.double_offered


def test_no_automatic_doubles_in_a_match() -> None:
    game = Game(standing=Standing.start(5), rules=HouseRules(automatic_doubles=3))
    assert game.after(OpeningDice((2, 2))).cube_value == 1


# --- turns and plays -------------------------------------------------------------------------


def test_a_play_passes_the_turn_and_swaps_the_sides() -> None:
    game = Game().after(OpeningDice((3, 1)))
    after = game.plays[4]
    following = game.after(MakePlay(after))
    assert (following.phase, following.turn, following.roll) == (Phase.TURN, 1, None)
    assert np.array_equal(following.position, after)
    assert np.array_equal(following.position_for(0), after[::-1])
    assert following.legal_kinds() == (ActKind.ROLL, ActKind.DOUBLE, ActKind.RESIGN)


def test_every_legal_play_is_listed_and_nothing_else_is_accepted() -> None:
    game = Game().after(OpeningDice((3, 1)))
    plays = [act for act in game.legal_acts() if isinstance(act, MakePlay)]
    assert len(plays) == 16
    with pytest.raises(IllegalAct, match="not a legal play of 31"):
        game.after(MakePlay(starting_position()))


def test_a_lost_turn_is_the_one_legal_play() -> None:
    closed = position_from_points({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {7: 3})
    game = Game.set_up(closed, roll=roll_of(6, 6))
    assert game.must_pass
    assert len(game.plays) == 1
    following = game.after(MakePlay(game.plays[0]))
    assert following.turn == 1
    assert np.array_equal(following.position, closed[::-1])


def test_states_do_not_change() -> None:
    game = Game().after(OpeningDice((3, 1)))
    before = game.position.copy()
    game.after(MakePlay(game.plays[0]))
    assert np.array_equal(game.position, before)
    with pytest.raises(ValueError, match="read-only"):
        game.position[0, 6] = 0


@pytest.mark.parametrize(
    ("game", "act"),
    [
        (Game(), roll(3, 1)),
        (on_turn(), OpeningDice((3, 1))),
        (on_turn(), CubeAct.TAKE),
        (on_turn(), CubeAct.BEAVER),
        (on_turn(), Answer.ACCEPT),
        (on_turn().after(roll(3, 1)), CubeAct.DOUBLE),
        (on_turn().after(roll(3, 1)), roll(3, 1)),
        (on_turn().after(CubeAct.DOUBLE), roll(3, 1)),
        (on_turn().after(CubeAct.DOUBLE), Resign(Result.SINGLE)),
        (on_turn().after(CubeAct.DOUBLE), CubeAct.RACCOON),
        (go(on_turn(), CubeAct.DOUBLE, CubeAct.PASS), roll(3, 1)),
    ],
)
def test_acts_out_of_place_are_refused_and_named(game: Game, act: Act) -> None:
    with pytest.raises(IllegalAct, match=f"^{act.kind} is not possible"):
        game.after(act)


@pytest.mark.parametrize("dice", [(0, 3), (7, 1)])
def test_impossible_dice_are_refused(dice: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="a die shows 1 to 6"):
        Game().after(OpeningDice(dice))


# --- the cube --------------------------------------------------------------------------------


def test_double_and_take() -> None:
    doubled = on_turn().after(CubeAct.DOUBLE)
    assert doubled.phase is Phase.DOUBLED
    assert doubled.actor == 1
    assert doubled.turn == 0
    assert (doubled.cube_value, doubled.offered_value) == (1, 2)
    taken = doubled.after(CubeAct.TAKE)
    assert (taken.phase, taken.actor) == (Phase.TURN, 0)
    assert (taken.cube_value, taken.cube_owner) == (2, 1)
    assert taken.cube_for(0) == Cube(2, CubeOwner.OPPONENT)
    assert taken.cube_for(1) == Cube(2, CubeOwner.ON_ROLL)
    assert ActKind.DOUBLE not in taken.legal_kinds()


def test_a_pass_loses_the_value_before_the_double() -> None:
    game = Game.set_up(starting_position(), turn=1, cube=Cube(4, CubeOwner.ON_ROLL))
    over = go(game, CubeAct.DOUBLE, CubeAct.PASS)
    assert over.outcome == Outcome(1, 4, Result.SINGLE, Ending.PASSED)
    assert over.is_over
    assert over.legal_acts() == ()
    assert over.actor is None


def test_only_the_owner_redoubles() -> None:
    game = go(on_turn(), CubeAct.DOUBLE, CubeAct.TAKE, roll(6, 5))
    game = game.after(MakePlay(game.plays[0]))
    assert game.turn == 1
    game = go(game, CubeAct.DOUBLE, CubeAct.TAKE)
    assert (game.cube_value, game.cube_owner) == (4, 0)
    game = game.after(roll(6, 5))
    game = game.after(MakePlay(game.plays[0]))
    assert ActKind.DOUBLE in game.legal_kinds()
    theirs = Game.set_up(starting_position(), cube=Cube(2, CubeOwner.OPPONENT))
    with pytest.raises(IllegalAct, match="the opponent owns the cube"):
        theirs.after(CubeAct.DOUBLE)


def test_a_maximum_cube_ends_the_doubling() -> None:
    rules = HouseRules(max_cube=2, beaver_turns=2)
    game = on_turn(rules).after(CubeAct.DOUBLE)
    assert ActKind.BEAVER not in game.legal_kinds()  # it would go to 4
    owned = Game.set_up(starting_position(), cube=Cube(2, CubeOwner.ON_ROLL), rules=rules)
    with pytest.raises(IllegalAct, match="may not go above 2"):
        owned.after(CubeAct.DOUBLE)
    match = Game.set_up(
        starting_position(),
        cube=Cube(2, CubeOwner.ON_ROLL),
        rules=rules,
        standing=Standing(9),
    )
    assert ActKind.DOUBLE not in match.legal_kinds()


def test_the_cube_has_no_cap_of_its_own() -> None:
    game = Game.set_up(starting_position(), cube=Cube(64, CubeOwner.ON_ROLL))
    assert go(game, CubeAct.DOUBLE, CubeAct.TAKE).cube_value == 128


# --- beavers and raccoons ----------------------------------------------------------------------


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_the_limit_of_beaver_turns(turns: int) -> None:
    game = on_turn(HouseRules(beaver_turns=turns)).after(CubeAct.DOUBLE)
    names = [CubeAct.BEAVER, CubeAct.RACCOON, CubeAct.BEAVER]
    for count in range(turns):
        assert names[count].kind in game.legal_kinds()
        game = game.after(names[count])
        assert game.actor == count % 2  # after a beaver the doubler answers, seat 0
    assert game.legal_kinds() == (ActKind.TAKE, ActKind.PASS)
    assert game.offered_value == 2 ** (turns + 1)


def test_an_accepted_beaver_keeps_the_cube_with_the_beaverer() -> None:
    game = go(on_turn(), CubeAct.DOUBLE, CubeAct.BEAVER)
    assert (game.actor, game.cube_value, game.offered_value) == (0, 2, 4)
    game = game.after(CubeAct.TAKE)
    assert (game.cube_value, game.cube_owner, game.phase, game.turn) == (4, 1, Phase.TURN, 0)


def test_passing_a_beaver_loses_twice_the_cube() -> None:
    game = Game.set_up(starting_position(), cube=Cube(2, CubeOwner.ON_ROLL))
    over = go(game, CubeAct.DOUBLE, CubeAct.BEAVER, CubeAct.PASS)
    assert over.outcome == Outcome(1, 4, Result.SINGLE, Ending.PASSED)


def test_raccoons() -> None:
    game = go(on_turn(HouseRules(beaver_turns=2)), CubeAct.DOUBLE, CubeAct.BEAVER, CubeAct.RACCOON)
    assert (game.actor, game.offered_value) == (1, 8)
    taken = game.after(CubeAct.TAKE)
    assert (taken.cube_value, taken.cube_owner) == (8, 1)  # still the beaverer's
    assert game.after(CubeAct.PASS).outcome == Outcome(0, 4, Result.SINGLE, Ending.PASSED)


def test_no_beavers_in_a_match() -> None:
    game = on_turn(HouseRules(beaver_turns=2), Standing.start(7)).after(CubeAct.DOUBLE)
    assert game.legal_kinds() == (ActKind.TAKE, ActKind.PASS)


# --- results -----------------------------------------------------------------------------------

NO_JACOBY = HouseRules(jacoby=False)


@pytest.mark.parametrize(
    ("loser", "result"),
    [
        ({6: 14}, Result.SINGLE),
        ({6: 15}, Result.GAMMON),
        ({18: 1, 6: 14}, Result.GAMMON),
        ({19: 1, 6: 14}, Result.BACKGAMMON),
        ({25: 1, 6: 14}, Result.BACKGAMMON),
    ],
)
def test_results_without_jacoby(loser: dict[int, int], result: Result) -> None:
    over = bear_off_last(loser, rules=NO_JACOBY, cube=Cube(2, CubeOwner.OPPONENT))
    assert over.outcome == Outcome(0, 2 * result, result, Ending.BORNE_OFF)
    assert over.position[0, 0] == 15  # side 0 of the final position is the winner
    assert over.turn == 0


def test_jacoby_counts_a_gammon_single_while_nobody_has_doubled() -> None:
    over = bear_off_last({6: 15})
    assert over.outcome == Outcome(0, 1, Result.GAMMON, Ending.BORNE_OFF)


def test_jacoby_does_not_count_automatic_doubles_as_an_offer() -> None:
    game = Game(rules=HouseRules(automatic_doubles=1)).after(OpeningDice((2, 2)))
    assert game.cube_value == 2
    assert not game.counts_gammons
    assert game.points_for(Result.BACKGAMMON) == 2


def test_after_a_double_gammons_count_under_jacoby() -> None:
    over = bear_off_last({6: 15}, cube=Cube(2, CubeOwner.OPPONENT))
    assert over.outcome == Outcome(0, 4, Result.GAMMON, Ending.BORNE_OFF)


def test_jacoby_has_no_place_in_a_match() -> None:
    over = bear_off_last({25: 1, 6: 14}, standing=Standing.start(7))
    assert over.outcome == Outcome(0, 3, Result.BACKGAMMON, Ending.BORNE_OFF)


# --- match play --------------------------------------------------------------------------------


def test_nobody_doubles_in_the_crawford_game() -> None:
    standing = Standing(3, (2, 0), crawford=True)
    for turn in (0, 1):
        game = Game.set_up(starting_position(), turn=turn, standing=standing)
        with pytest.raises(IllegalAct, match="Crawford"):
            game.after(CubeAct.DOUBLE)


def test_after_the_crawford_game_only_the_trailer_doubles() -> None:
    standing = Standing(3, (2, 1), crawford=False)
    leader = Game.set_up(starting_position(), turn=0, standing=standing)
    assert "dead" in (leader.why_no_double() or "")
    trailer = Game.set_up(starting_position(), turn=1, standing=standing)
    assert trailer.why_no_double() is None
    taken = go(trailer, CubeAct.DOUBLE, CubeAct.TAKE)
    assert taken.cube_owner == 0
    redouble = Game.set_up(
        starting_position(), turn=0, standing=standing, cube=Cube(2, CubeOwner.ON_ROLL)
    )
    assert ActKind.DOUBLE not in redouble.legal_kinds()


@pytest.mark.parametrize(
    ("points", "value", "dead"),
    [((3, 0), 2, False), ((3, 0), 4, True), ((1, 0), 4, False), ((5, 0), 2, True)],
)
def test_a_dead_cube_is_never_turned(points: tuple[int, int], value: int, dead: bool) -> None:
    game = Game.set_up(
        starting_position(), cube=Cube(value, CubeOwner.ON_ROLL), standing=Standing(7, points)
    )
    assert (ActKind.DOUBLE not in game.legal_kinds()) is dead


def test_a_match_to_one_point_has_no_cube() -> None:
    game = on_turn(standing=Standing.start(1))
    assert game.legal_kinds() == (ActKind.ROLL, ActKind.RESIGN)


# --- resignation -------------------------------------------------------------------------------


def test_resigning_and_accepting() -> None:
    game = go(on_turn(NO_JACOBY), CubeAct.DOUBLE, CubeAct.TAKE, Resign(Result.GAMMON))
    assert (game.phase, game.actor, game.offer) == (Phase.RESIGNED, 1, Result.GAMMON)
    assert game.legal_acts() == (Answer.ACCEPT, Answer.REFUSE)
    assert game.after(Answer.ACCEPT).outcome == Outcome(1, 4, Result.GAMMON, Ending.RESIGNED)


@pytest.mark.parametrize("rolled", [False, True])
def test_a_refused_resignation_goes_back_and_may_only_be_raised(rolled: bool) -> None:
    start = on_turn(NO_JACOBY)
    if rolled:
        start = start.after(roll(3, 1))
    game = go(start, Resign(Result.SINGLE), Answer.REFUSE)
    assert (game.phase, game.roll, game.actor) == (start.phase, start.roll, 0)
    assert game.resignation_levels == (Result.GAMMON, Result.BACKGAMMON)
    with pytest.raises(IllegalAct, match="a single can't be offered now, only: gammon, backgammon"):
        game.after(Resign(Result.SINGLE))
    game = go(game, Resign(Result.BACKGAMMON), Answer.REFUSE)
    assert ActKind.RESIGN not in game.legal_kinds()


def test_a_roll_makes_every_level_possible_again() -> None:
    game = go(on_turn(NO_JACOBY), Resign(Result.SINGLE), Answer.REFUSE, roll(3, 1))
    assert game.resignation_levels == tuple(Result)


def test_levels_that_cannot_be_lost_are_not_offered() -> None:
    assert on_turn().resignation_levels == (Result.SINGLE,)  # Jacoby, cube centred
    position = position_from_points({6: 14}, HOME)
    game = Game.set_up(position, rules=NO_JACOBY)
    assert game.resignation_levels == (Result.SINGLE,)  # a checker is off


# --- setting up ----------------------------------------------------------------------------------


def test_a_finished_position_cannot_be_set_up() -> None:
    with pytest.raises(InputError, match="over"):
        Game.set_up(position_from_points({}, HOME))
    with pytest.raises(InputError, match="match is over"):
        Game.set_up(starting_position(), standing=Standing(3, (3, 0)))


def test_equal_states_are_equal() -> None:
    one, other = on_turn().after(roll(6, 1)), on_turn().after(roll(6, 1))
    assert one == other
    assert hash(one) == hash(other)
    assert one != on_turn().after(roll(6, 2))
