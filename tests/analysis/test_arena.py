"""Contests: the same dice for both sides, luck taken out, games kept and gone on from."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gnubg_program import needs_gnubg

from bgai.analysis.arena import ArenaResult, Bout, Contest, play_game
from bgai.analysis.arena_file import ArenaFile, read_contest
from bgai.analysis.judging import judge_roll
from bgai.errors import InputError
from bgai.notation.mat_writing import write_mat
from bgai.notation.record_files import read_record
from bgai.rules.acts import OpeningDice, RollDice
from bgai.rules.cube import HouseRules
from bgai.rules.dice import ROLL_CHANCES, ROLLS
from bgai.rules.game import Game, Phase
from bgai.rules.match import Standing, Terms
from bgai.search.engine import HANDMADE, EngineSettings, build_engine
from bgai.search.executors import InlineExecutor, open_executor

JUDGE = EngineSettings(HANDMADE)
MATCH = Contest(("handmade", "casual"), Terms(3), seed=5, judge=JUDGE, reviewed=True)
MONEY = Contest(("handmade", "beginner"), Terms(rules=HouseRules(), games=1), seed=1, judge=JUDGE)


def played(contest: Contest, bouts: int, path: Path | None = None) -> ArenaResult:
    with ArenaFile(path, contest) as kept:
        kept.play(bouts, InlineExecutor())
        result = kept.result()
    assert result is not None
    return result


def figures_of(result: ArenaResult) -> tuple[object, ...]:
    """All but the times."""
    sides = [(side.decisions, side.lost, side.counted) for side in result.sides]
    return result.bouts, result.result, result.adjusted, sides


@pytest.mark.parametrize("contest", [MATCH, MONEY])
def test_a_player_is_exactly_as_good_as_itself(contest: Contest) -> None:
    result = played(replace(contest, players=("handmade", "handmade")), 4)
    even = 0.5 if contest.terms.length else 0.0
    assert result.result == (even, 0.0)
    assert result.adjusted is not None
    assert result.adjusted.mean == pytest.approx(even, abs=1e-9)
    assert result.adjusted.error == pytest.approx(0, abs=1e-9)
    assert result.sides[0].lost == pytest.approx(result.sides[1].lost)


def rolls_of(contest: Contest, bout: Bout) -> list[object]:
    game = play_game(contest, bout, Standing.start(contest.terms.length)).game
    return [act for act in game.acts if isinstance(act, OpeningDice | RollDice)]


def test_dice_belong_to_seed_pair_and_game() -> None:
    plain, swapped = (rolls_of(MATCH, Bout(2, side)) for side in (False, True))
    shorter = min(len(plain), len(swapped))
    assert plain[:shorter] == swapped[:shorter]
    assert rolls_of(MATCH, Bout(3, False))[:5] != plain[:5]
    assert rolls_of(replace(MATCH, seed=6), Bout(2, False))[:5] != plain[:5]


def test_luck_of_the_cube_and_the_score_has_mean_zero() -> None:
    engine = build_engine(JUDGE)
    for standing in (Standing(None), Standing(5, (3, 1)), Standing(3, (2, 0), crawford=True)):
        game = Game(standing=standing, phase=Phase.TURN)
        luck = [judge_roll(engine, game, RollDice(roll)) for roll in ROLLS]
        found = np.array([each.chance_luck for each in luck if each is not None])
        assert found @ ROLL_CHANCES == pytest.approx(0, abs=1e-9)
        assert np.abs(found).max() > 0.01


def test_without_luck_the_error_is_smaller_and_the_result_agrees() -> None:
    players, terms = ("expert@0", "handmade"), Terms(rules=HouseRules(max_cube=1), games=1)
    result = played(Contest(players, terms, seed=2, judge=EngineSettings()), 40)
    assert result.adjusted is not None
    assert result.adjusted.error < 0.7 * result.result.error
    gap = abs(result.adjusted.mean - result.result.mean)
    assert gap < 4 * (result.result.error + result.adjusted.error)
    assert result.adjusted.mean > 0


def test_going_on_gives_what_playing_through_gives(tmp_path: Path) -> None:
    path = tmp_path / "contest.duel"
    played(MATCH, 2, path)
    assert figures_of(played(MATCH, 4, path)) == figures_of(played(MATCH, 4))
    assert read_contest(path) == MATCH


def test_a_file_of_another_contest_or_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "contest.duel"
    played(replace(MATCH, reviewed=False, judge=None), 2, path)
    with pytest.raises(InputError, match="another contest: handmade against casual"):
        ArenaFile(path, MATCH)
    path.write_text("no contest")
    with pytest.raises(InputError, match=r"contest\.duel"):
        ArenaFile(path, MATCH)
    with pytest.raises(InputError, match="no such file"):
        read_contest(tmp_path / "nothing")
    for contents in ("no contest", ""):
        path.write_text(contents)
        with pytest.raises(InputError, match="not a contest"):
            read_contest(path)
    with ArenaFile(None, MATCH) as kept, pytest.raises(InputError, match="no even number"):
        kept.play(3, InlineExecutor())


def test_damage_in_the_middle_is_told_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "contest.duel"
    played(MONEY, 2, path)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE games SET game = 'x' WHERE swapped = 1")
    with pytest.raises(InputError, match=r"contest\.duel"), ArenaFile(path, MONEY) as kept:
        kept.result()


_LOUD = """
import sys
from bgai.analysis import arena_file
from bgai.ui.cli import main
play = arena_file.play_game
def loud(*arguments):
    game = play(*arguments)
    print("finished", flush=True)
    return game
arena_file.play_game = loud
main(sys.argv[1:])
"""


def test_a_kill_in_the_middle_loses_at_most_one_game(tmp_path: Path) -> None:
    path = tmp_path / "contest.duel"
    command = ["duel", "handmade", "casual", "--match", "3", "--games", "400", "--seed", "5"]
    command += ["--judge", "handmade@0", "--save", str(path)]
    process = subprocess.Popen(
        [sys.executable, "-c", _LOUD, *command], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for _ in range(4):
        assert process.stdout.readline() == "finished\n"
    os.kill(process.pid, signal.SIGKILL)
    finished = 4 + process.stdout.read().count("finished\n")
    process.wait()
    kept = sqlite3.connect(path).execute("SELECT count(*) FROM games").fetchone()[0]
    assert finished - 1 <= kept <= finished
    assert kept > 0
    assert figures_of(played(MATCH, 4, path)) == figures_of(played(MATCH, 4))


def test_processes_and_a_cluster_play_the_same_games(tmp_path: Path) -> None:
    contest = replace(MATCH, reviewed=False)
    expected = figures_of(played(contest, 2))
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    )
    with cluster:
        for arguments in ({"workers": 2}, {"scheduler": cluster.scheduler_address}):
            with ArenaFile(None, contest) as kept, open_executor(**arguments) as executor:
                kept.play(2, executor)
                result = kept.result()
            assert result is not None
            assert figures_of(result) == expected


@pytest.mark.parametrize("contest", [MATCH, MONEY])
def test_records_are_read_back(contest: Contest, tmp_path: Path) -> None:
    with ArenaFile(None, contest) as kept:
        kept.play(4, InlineExecutor())
        records = dict(kept.records())
    assert len(records) == (4 if contest.terms.length else 2)
    for name, record in records.items():
        path = tmp_path / f"{name}.mat"
        path.write_text(write_mat(record))
        reading = read_record(path)
        assert not reading.problems
        assert reading.record.same_match(record)
        assert (record.players[0] == "handmade") is name.endswith("a")


@needs_gnubg
def test_an_engine_by_its_command_plays_a_whole_match_against_gnu_backgammon() -> None:
    ourselves = f"ubgi:{sys.executable} -m bgai ubgi --level handmade"
    contest = Contest((ourselves, "gnubg@0"), Terms(3), seed=3)
    with ArenaFile(None, contest) as kept:
        kept.play(2, InlineExecutor())
        records = dict(kept.records())
        result = kept.result()
    assert [record.winner is None for record in records.values()] == [False, False]
    assert result is not None
    assert all(side.decisions and side.seconds > 0 for side in result.sides)
    assert re.fullmatch(r"ubgi:.*", records["00001a"].players[0])
