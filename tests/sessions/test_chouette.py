"""Chouettes: hand-worked settlements and rotations, cubes, saving, a thousand games."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bgai.errors import InputError
from bgai.players.engines import engine
from bgai.rules.acts import Answer, CubeAct, MakePlay, OpeningDice, Resign, RollDice
from bgai.rules.cube import HouseRules
from bgai.rules.dice import roll_of
from bgai.rules.game import Game, IllegalAct, Phase
from bgai.rules.outcome import Result
from bgai.rules.position import position_from_points
from bgai.sessions import chouette_referee
from bgai.sessions.chouette import (
    CHOUETTES,
    Chouette,
    ChouetteTerms,
)
from bgai.sessions.chouette_game import Ask, ChouetteAct, ChouetteGame, Hold
from bgai.sessions.dice import ManualDice, SeededDice
from bgai.sessions.seating import order_of, roll_for_order
from bgai.sessions.session import Seat

BOX, CAPTAIN, NEXT, LAST = 0, 1, 2, 3
ANY = HouseRules(jacoby=False, beaver_turns=2)


def new_game(rules: HouseRules = ANY, *, one_cube: bool = False, players: int = 4) -> ChouetteGame:
    return ChouetteGame.start(tuple(range(players)), rules, one_cube=one_cube)


def begun(box_starts: bool = True, **options: Any) -> ChouetteGame:
    """The game after the opening dice and a first play; then the other side is on turn."""
    game = new_game(**options).after(ChouetteAct(OpeningDice((6, 5) if box_starts else (5, 6))))
    return game.after(ChouetteAct(MakePlay(game.board.plays[0])))


def cube(number: int, *acts: Any) -> list[ChouetteAct]:
    return [ChouetteAct(act, number) for act in acts]


def after(game: ChouetteGame, acts: Iterable[ChouetteAct]) -> ChouetteGame:
    for act in acts:
        game = game.after(act)
    return game


def at(game: ChouetteGame, box_points: dict[int, int], team_points: dict[int, int]) -> ChouetteGame:
    """The same game with another position, the side on turn to roll."""
    sides = (box_points, team_points) if game.board.turn == 0 else (team_points, box_points)
    position = position_from_points(*sides)
    return replace(
        game, games=tuple(g if g.is_over else replace(g, position=position) for g in game.games)
    )


def bear_off(game: ChouetteGame) -> ChouetteGame:
    """The side on turn rolls 6-6 and bears off all it has left."""
    while game.waiting is not None and game.waiting.ask is Ask.DOUBLE:
        assert game.waiting.cube is not None
        game = game.after(ChouetteAct(Hold.HOLD, game.waiting.cube))
    game = game.after(ChouetteAct(RollDice(roll_of(6, 6))))
    return game.after(ChouetteAct(MakePlay(game.board.plays[0])))


# --- settlement, by hand -------------------------------------------------------------------------


def test_each_member_settles_by_their_own_cube() -> None:
    # The team is on turn. The captain holds; Next doubles, the box takes (2); Last doubles, the
    # box passes (Last wins 1 and sits out). The team wins a backgammon: captain 3, Next 6, Last 1.
    game = begun()
    game = after(game, cube(0, Hold.HOLD) + cube(1, CubeAct.DOUBLE) + cube(2, CubeAct.DOUBLE))
    assert game.waiting is not None
    assert (game.waiting.ask, game.waiting.seat, game.waiting.cube) == (Ask.ANSWER, BOX, 1)
    game = after(game, cube(1, CubeAct.TAKE) + cube(2, CubeAct.PASS))
    assert game.open_cubes == (0, 1)
    # Checkers of the box on its 24 point stand in the winner's home: a backgammon.
    game = bear_off(at(game, {24: 2, 13: 13}, {2: 2}))
    assert game.is_over
    assert game.settlement() == {BOX: -(3 + 6 + 1), CAPTAIN: 3, NEXT: 6, LAST: 1}


def test_the_box_wins_by_different_cubes() -> None:
    # The team starts, so the box is on turn: it doubles all three; the captain takes, Next
    # beavers (4) and the box accepts, Last passes. The box wins a single game.
    game = begun(box_starts=False)
    game = after(game, [each for n in range(3) for each in cube(n, CubeAct.DOUBLE)])
    game = after(game, cube(0, CubeAct.TAKE) + cube(1, CubeAct.BEAVER))
    assert game.waiting is not None
    assert (game.waiting.ask, game.waiting.seat, game.waiting.cube) == (Ask.ANSWER, BOX, 1)
    game = after(game, cube(1, CubeAct.TAKE) + cube(2, CubeAct.PASS))
    assert [each.cube_value for each in game.games] == [2, 4, 1]
    game = bear_off(at(game, {1: 2}, {6: 14}))
    assert game.settlement() == {BOX: 7, CAPTAIN: -2, NEXT: -4, LAST: -1}


def test_a_beaver_passed_loses_the_doubled_cube() -> None:
    # A member doubles to 2, the box beavers to 4, the member passes and loses 2.
    game = after(begun(), cube(0, CubeAct.DOUBLE) + cube(1, Hold.HOLD) + cube(2, Hold.HOLD))
    game = after(game, cube(0, CubeAct.BEAVER))
    assert game.waiting is not None
    assert game.waiting.seat == CAPTAIN
    game = after(game, cube(0, CubeAct.PASS))
    assert game.settlement() == {BOX: 2, CAPTAIN: -2, NEXT: 0, LAST: 0}


def test_no_beavers_where_none_are_agreed() -> None:
    game = begun(rules=HouseRules(beaver_turns=0))
    game = after(game, cube(0, CubeAct.DOUBLE) + cube(1, Hold.HOLD) + cube(2, Hold.HOLD))
    with pytest.raises(IllegalAct, match="beaver is not possible: now it is take, pass"):
        game.after(ChouetteAct(CubeAct.BEAVER, 0))


def test_jacoby_counts_at_each_cube_by_itself() -> None:
    # Next has doubled: a gammon counts there (4). Nobody doubled at the others: 1 each.
    game = begun(rules=HouseRules(jacoby=True))
    game = after(game, cube(0, Hold.HOLD) + cube(1, CubeAct.DOUBLE) + cube(2, Hold.HOLD))
    game = bear_off(at(after(game, cube(1, CubeAct.TAKE)), {13: 15}, {1: 2}))
    assert game.settlement() == {BOX: -6, CAPTAIN: 1, NEXT: 4, LAST: 1}


def test_one_cube_for_all_counts_for_every_member() -> None:
    # The captain doubles for the team, the box takes and wins a gammon: 4 from each of three.
    game = begun(one_cube=True)
    assert game.waiting is not None
    assert (game.waiting.ask, game.waiting.seat) == (Ask.DOUBLE, CAPTAIN)
    game = after(game, cube(0, CubeAct.DOUBLE, CubeAct.TAKE))
    assert game.waiting is not None
    assert game.waiting.ask is Ask.ROLL
    game = game.after(ChouetteAct(RollDice(roll_of(2, 1))))
    game = game.after(ChouetteAct(MakePlay(game.board.plays[0])))
    game = bear_off(at(game, {1: 2}, {13: 15}))
    assert game.settlement() == {BOX: 12, CAPTAIN: -4, NEXT: -4, LAST: -4}


def test_automatic_doubles_turn_every_cube() -> None:
    game = new_game(HouseRules(automatic_doubles=1))
    game = after(game, [ChouetteAct(OpeningDice((3, 3))), ChouetteAct(OpeningDice((5, 5)))])
    assert [each.cube_value for each in game.games] == [2, 2, 2]
    assert [each.cube_owner for each in game.games] == [None] * 3


def test_resignations_settle_one_cube() -> None:
    game = begun(box_starts=False)  # the box is on turn and resigns a gammon to Next
    game = game.after(ChouetteAct(Resign(Result.GAMMON), 1))
    assert game.waiting is not None
    assert (game.waiting.ask, game.waiting.seat) == (Ask.RESIGNATION, NEXT)
    with pytest.raises(IllegalAct, match="the game waits for 'resignation' at cube 1"):
        game.after(ChouetteAct(CubeAct.DOUBLE, 0))
    refused = game.after(ChouetteAct(Answer.REFUSE, 1))
    assert refused.open_cubes == (0, 1, 2)
    game = game.after(ChouetteAct(Answer.ACCEPT, 1))
    assert game.settlement() == {BOX: -2, CAPTAIN: 0, NEXT: 2, LAST: 0}


# --- the captaincy and the rotation --------------------------------------------------------------


def test_the_box_beats_the_captain() -> None:
    game = bear_off(at(begun(box_starts=False), {1: 2}, {6: 14}))
    assert game.next_line() == (BOX, NEXT, LAST, CAPTAIN)


def test_the_captain_wins() -> None:
    game = bear_off(at(begun(), {6: 14}, {1: 2}))
    assert game.next_line() == (CAPTAIN, NEXT, LAST, BOX)


def test_a_captain_who_passes_goes_to_the_back_even_if_the_team_wins() -> None:
    # The box doubles everybody. The captain passes; Next and Last take; Next plays on and wins.
    game = begun(box_starts=False)
    game = after(game, [each for n in range(3) for each in cube(n, CubeAct.DOUBLE)])
    game = after(game, cube(0, CubeAct.PASS) + cube(1, CubeAct.TAKE) + cube(2, CubeAct.TAKE))
    assert game.player == NEXT
    assert chouette_referee.consulted(game, NEXT) == (LAST,)
    game = game.after(ChouetteAct(RollDice(roll_of(2, 1))))
    game = game.after(ChouetteAct(MakePlay(game.board.plays[0])))
    assert game.waiting is not None
    assert game.waiting.seat == NEXT
    game = bear_off(at(game, {6: 14}, {1: 2}))
    assert game.settlement() == {BOX: -3, CAPTAIN: -1, NEXT: 2, LAST: 2}
    assert game.next_line() == (BOX, NEXT, LAST, CAPTAIN)


def test_a_captain_passed_by_the_box_is_the_next_box_whatever_happens_to_the_others() -> None:
    game = after(begun(), cube(0, CubeAct.DOUBLE) + cube(1, Hold.HOLD) + cube(2, Hold.HOLD))
    game = game.after(ChouetteAct(CubeAct.PASS, 0))
    assert game.waiting is not None
    assert (game.waiting.ask, game.waiting.seat) == (Ask.ROLL, NEXT)
    game = game.after(ChouetteAct(RollDice(roll_of(2, 1))))
    game = game.after(ChouetteAct(MakePlay(game.board.plays[0])))
    game = bear_off(at(game, {1: 2}, {6: 14}))  # the box beats the other two
    assert game.settlement() == {BOX: 1, CAPTAIN: 1, NEXT: -1, LAST: -1}
    assert game.next_line() == (CAPTAIN, NEXT, LAST, BOX)


def test_three_games_on_the_sheet() -> None:
    # Line 0 1 2 3. Game 1: all pass the box's double (box +3): line 0 2 3 1. Game 2: the box
    # passes to all: line 2 3 1 0. Game 3: the box (2) passes to all: line 3 1 0 2.
    seats = [Seat(name, "random") for name in "abcd"]
    order = [{0: (6, 6), 1: (6, 5), 2: (5, 5), 3: (4, 5)}]
    table = Chouette(ChouetteTerms(games=4), seats, SeededDice(1), order=order)
    for box_doubles in (True, False, False):
        opening = OpeningDice((1, 2) if box_doubles else (2, 1))
        table.do(ChouetteAct(opening))
        table.do(ChouetteAct(MakePlay(table.game.board.plays[0])))
        for act in (CubeAct.DOUBLE, CubeAct.PASS):
            for number in range(3):
                table.do(ChouetteAct(act, number))
        table.next_game()
    assert [row.points for row in table.sheet] == [(3, -1, -1, -1), (-3, 1, 1, 1), (1, 1, -3, 1)]
    assert [(row.box, row.captain) for row in table.sheet] == [(0, 1), (0, 2), (2, 3)]
    assert table.records[-1].line == (3, 1, 0, 2)
    assert table.totals() == (1, 1, -3, 1)


# --- order of acts -------------------------------------------------------------------------------


def test_what_is_out_of_turn_is_refused() -> None:
    game = begun()
    for act, message in (
        (ChouetteAct(RollDice(roll_of(2, 1))), "waits for 'double'"),
        (ChouetteAct(CubeAct.DOUBLE, 1), "waits for 'double' at cube 0"),
        (ChouetteAct(Hold.HOLD, 2), "nobody is asked to double at cube 2"),
        (ChouetteAct(CubeAct.DOUBLE, 3), "there is no cube 3"),
        (ChouetteAct(CubeAct.DOUBLE), "there is no cube None"),
        (ChouetteAct(CubeAct.TAKE, 0), "take is not possible"),
        (ChouetteAct(MakePlay(game.board.position)), "play is not possible"),
    ):
        with pytest.raises(IllegalAct, match=message):
            game.after(act)


def test_a_cube_held_is_asked_for_again_next_turn_and_owners_alone_double() -> None:
    game = after(begun(), cube(0, CubeAct.DOUBLE) + cube(1, Hold.HOLD) + cube(2, Hold.HOLD))
    game = game.after(ChouetteAct(CubeAct.TAKE, 0))  # the box owns the captain's cube
    for turn in range(2):
        game = game.after(ChouetteAct(RollDice(roll_of(2, 1))))
        game = game.after(ChouetteAct(MakePlay(game.board.plays[0])))
        asked = []
        while game.waiting is not None and game.waiting.ask is Ask.DOUBLE:
            assert game.waiting.cube is not None
            asked.append((game.waiting.seat, game.waiting.cube))
            game = game.after(ChouetteAct(Hold.HOLD, game.waiting.cube))
        expected = [[(BOX, 0), (BOX, 1), (BOX, 2)], [(NEXT, 1), (LAST, 2)]]
        assert asked == expected[turn]


# --- sitting down --------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [0, 1, 2, 9])
def test_three_to_eight_players(players: int) -> None:
    seats = [Seat(f"p{n}", "random") for n in range(players)]
    with pytest.raises(InputError, match=f"3 to 8 players, not {players}"):
        Chouette(ChouetteTerms(), seats, SeededDice(1))


def test_ties_roll_again_among_themselves() -> None:
    # 7 7 4 4 10: seats 0 and 1 tie, and so do 2 and 3; then 2 and 3, 12 and 5.
    pairs = [(3, 4), (6, 1), (2, 2), (1, 3), (5, 5), (1, 1), (2, 1), (6, 6), (1, 4)]
    rounds = roll_for_order(ManualDice(lambda seat: pairs.pop(0)), 5)
    assert rounds[1] == {0: (1, 1), 1: (2, 1), 2: (6, 6), 3: (1, 4)}
    assert order_of(rounds) == (4, 1, 0, 2, 3)


# --- programs, saving ----------------------------------------------------------------------------


class Quick:
    """A player of the quickest kind: a fixed taste in positions, and a coin for everything else."""

    name = "quick"

    def __init__(self, seed: int) -> None:
        self.coin = np.random.default_rng(seed)
        self.weights = self.coin.normal(size=52)

    def offers_resignation(self, game: Game) -> Result | None:
        return game.resignation_levels[0] if self.coin.random() < 0.005 else None

    def doubles(self, game: Game) -> bool:
        return bool(self.coin.random() < 0.35)

    def choose_play(self, game: Game) -> MakePlay:
        plays = game.plays
        return MakePlay(plays[np.argmax(plays.reshape(len(plays), 52) @ self.weights)])

    def answer_double(self, game: Game) -> CubeAct:
        if self.coin.random() < 0.5:
            return CubeAct.PASS
        kinds = [kind.value for kind in game.legal_kinds()]
        beaver = next((CubeAct(kind) for kind in kinds if kind in ("beaver", "raccoon")), None)
        return beaver if beaver and self.coin.random() < 0.3 else CubeAct.TAKE

    def answer_resignation(self, game: Game) -> Answer:
        return Answer.ACCEPT if self.coin.random() < 0.9 else Answer.REFUSE


def test_a_thousand_games_balance_to_zero() -> None:
    played = 0
    kinds = set()
    for number in range(20):
        players = 3 + number % 6
        rules = HouseRules(
            jacoby=number % 2 == 0, beaver_turns=number % 3, automatic_doubles=number % 2
        )
        seats = [Seat(f"p{seat}", "random") for seat in range(players)]
        terms = ChouetteTerms(rules, one_cube=number % 5 == 4, games=50)
        table = Chouette(terms, seats, SeededDice(number))
        bots = {seat: Quick(100 * number + seat) for seat in range(players)}
        for act in chouette_referee.play(table, bots):
            kinds.add(act.kind)
        assert table.is_over
        assert len(table.sheet) == 50
        for row in table.sheet:
            assert sum(row.points) == 0
            assert any(row.points)
        assert sum(table.totals()) == 0
        _check_rotation(table)
        played += len(table.sheet)
    assert played == 1000
    assert {"double", "hold", "take", "pass", "beaver", "raccoon", "resign", "play"} <= kinds


def _check_rotation(table: Chouette) -> None:
    for record, following, row in zip(table.records, table.records[1:], table.sheet, strict=False):
        box, captain, *others = record.line
        captain_won = row.points[captain] > 0
        expected = [captain, *others, box] if captain_won else [box, *others, captain]
        assert list(following.line) == expected


LEVELS = ("casual", "random", "beginner")


def programs_table(seed: int = 3, **terms: Any) -> tuple[Chouette, dict[int, Any]]:
    seats = [Seat(level, level, number) for number, level in enumerate(LEVELS)]
    table = Chouette(ChouetteTerms(**terms), seats, SeededDice(seed))
    return table, {n: engine(level, seed=n).bot for n, level in enumerate(LEVELS)}


def test_levels_of_the_program_play_to_the_end_and_a_saved_one_goes_on_the_same(
    tmp_path: Path,
) -> None:
    table, bots = programs_table(games=2)
    acts = list(chouette_referee.play(table, bots))
    assert table.is_over
    path = tmp_path / "chouette.json"
    for stop in (1, len(acts) // 2, len(acts) - 2):
        part, _ = programs_table(games=2)
        playing = chouette_referee.play(part, bots)
        for _ in range(stop):
            next(playing)
        CHOUETTES.write(path, part)
        resumed = CHOUETTES.read(path)
        assert CHOUETTES.dump(resumed) == CHOUETTES.dump(part)
        for _ in chouette_referee.play(resumed, bots):
            pass
        assert CHOUETTES.dump(resumed) == CHOUETTES.dump(table)


def test_without_an_agreed_end_it_is_closed_between_games() -> None:
    table, bots = programs_table()
    playing = chouette_referee.play(table, bots)
    next(playing)
    with pytest.raises(IllegalAct, match="only between two games"):
        table.close()
    with pytest.raises(IllegalAct, match="isn't over"):
        table.next_game()
    while not table.game.is_over:
        next(playing)
    table.close()
    assert table.is_over
    assert CHOUETTES.load(json.loads(json.dumps(CHOUETTES.dump(table)))).is_over
    with pytest.raises(IllegalAct, match="no game follows"):
        table.next_game()
    assert table.game.board.phase is Phase.OVER


def game(*acts: dict[str, Any]) -> dict[str, Any]:
    return {"line": [0, 1, 2], "acts": list(acts)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "bgai session"}, "the format must be 'bgai chouette'"),
        ({"version": 2}, "version 2, not 1"),
        ({"seats": []}, "3 to 8 players, not 0"),
        ({"seats": [1, 2, 3]}, r"seats\[0\]: must be an object, not 1"),
        ({"order": []}, "order"),
        ({"order": [[[0, 1, 1], [1, 1, 1], [2, 1, 2]]]}, "leave a tie"),
        ({"games": None}, "games: must be a valid array, not None"),
        ({"games": [game({"act": "double", "cube": 0})]}, "game 1, act 1: double at cube"),
        ({"games": [game({"act": "hold", "cube": "x"})]}, "cube 'x' must be a number"),
        ({"dice": 5}, "dice 5"),
        ({"rules": {"jacobi": True}}, "rules.jacobi: there is no such field"),
        ({"games_agreed": 0}, "games 0 must be 1 or more"),
    ],
)
def test_bad_files_are_refused_by_name(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    table, _ = programs_table()
    path = tmp_path / "c.json"
    path.write_text(json.dumps({**CHOUETTES.dump(table), **change}))
    with pytest.raises(InputError, match=f"{path}: .*{message}"):
        CHOUETTES.read(path)
