"""Match equity tables: Kazaross-XG2, GNU's XML, scores beyond the table."""

from pathlib import Path

import numpy as np
import pytest

from bgai.equity.match_equity import MOST_AWAY, kazaross_xg2, read_met
from bgai.errors import InputError

MET = kazaross_xg2()


@pytest.mark.parametrize(
    ("first", "second", "post", "chance"),
    [
        (1, 1, False, 0.5),
        (1, 2, False, 0.67736),  # the Crawford game, the trailer two away
        (2, 1, False, 0.32264),
        (2, 4, False, 0.66870),
        (3, 5, False, 0.64795),
        (25, 25, False, 0.5),
        (2, 1, True, 0.48803),  # after Crawford the trailer doubles at once
        (1, 2, True, 0.51197),
        (1, 3, True, 0.67736),
        (0, 7, False, 1.0),
        (7, -3, True, 0.0),
    ],
)
def test_known_entries(first: int, second: int, post: bool, chance: float) -> None:
    assert MET.before_game(first, second, post_crawford=post) == pytest.approx(chance, abs=1e-9)


def test_arguments_broadcast() -> None:
    chances = MET.before_game(np.arange(1, 6)[:, None], np.arange(1, 4))
    assert chances.shape == (5, 3)
    assert chances[2, 1] == MET.before_game(3, 2)


@pytest.mark.parametrize("post", [False, True])
def test_scores_beyond_the_table_stay_fair_and_monotone(post: bool) -> None:
    needs = np.arange(1, 121)
    chances = MET.before_game(needs[:, None], needs, post_crawford=post)
    assert np.abs(chances + chances.T - 1).max() < 1e-12
    assert np.diff(chances, axis=0).max() < 1e-12
    assert np.diff(chances, axis=1).min() > -1e-12


def test_the_extension_predicts_the_table_from_its_own_first_rows() -> None:
    short = type(MET)(
        "15 points", MET.pre_crawford[:15, :15], MET.post_crawford_first[:15],
        MET.post_crawford_second[:15],
    )  # fmt: skip
    needs = np.arange(1, 26)
    for post in (False, True):
        predicted = short.before_game(needs[:, None], needs, post_crawford=post)
        known = MET.before_game(needs[:, None], needs, post_crawford=post)
        assert np.abs(predicted - known).max() < 0.006


def test_too_long_a_match_is_refused() -> None:
    with pytest.raises(InputError, match="1000 points away"):
        MET.before_game(MOST_AWAY + 1, 3)


XML = """<?xml version="1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<met>
  <info><name>Small</name><description>d</description><length>3</length></info>
  <pre-crawford-table type="explicit">
    <row><me>0.5</me><me>0.7</me><me>0.75</me></row>
    <row><me>0.3</me><me>0.5</me><me>0.6</me></row>
    <row><me>0.25</me><me>0.4</me><me>0.5</me></row>
  </pre-crawford-table>
  <post-crawford-table player="both" type="explicit">
    <row><me>0.5</me><me>0.49</me><me>0.33</me></row>
  </post-crawford-table>
</met>
"""


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.xml"
    path.write_text(text)
    return path


def test_reads_gnu_xml(tmp_path: Path) -> None:
    met = read_met(_file(tmp_path, XML))
    assert (met.name, met.size) == ("Small", 3)
    assert met.before_game(2, 3) == pytest.approx(0.6)
    assert met.before_game(3, 1, post_crawford=True) == pytest.approx(0.33)
    assert met.swapped() is met


def test_tables_for_unequal_players_turn_round(tmp_path: Path) -> None:
    unequal = XML.replace("both", "0").replace(
        "</met>",
        '<post-crawford-table player="1" type="explicit"><row><me>0.45</me><me>0.4</me>'
        "<me>0.3</me></row></post-crawford-table></met>",
    )
    met = read_met(_file(tmp_path, unequal))
    other = met.swapped()
    assert met.before_game(1, 2, post_crawford=True) == pytest.approx(0.6)
    assert other.before_game(2, 1, post_crawford=True) == pytest.approx(0.4)
    assert other.before_game(1, 2, post_crawford=True) == pytest.approx(0.51)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<met>", "<met", "not XML"),
        ("pre-crawford-table", "other", "not a match equity table"),
        ('type="explicit"', 'type="mec"', "parameters of type 'mec'"),
        ("<me>0.7</me>", "<me>1.7</me>", "entry 1 2 is 1.7, not a chance"),
        ("<me>0.7</me>", "<me>x</me>", "row 1: could not convert"),
        ("<me>0.7</me>", "", "not a square of 3 rows"),
        ("<me>0.5</me><me>0.49</me><me>0.33</me>", "", "player both is empty"),
        ('player="both"', 'player="0"', "post-Crawford table of a player is missing"),
    ],
)
def test_bad_files_say_what_is_wrong(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_met(_file(tmp_path, XML.replace(old, new)))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.xml"):
        read_met(tmp_path / "none.xml")
