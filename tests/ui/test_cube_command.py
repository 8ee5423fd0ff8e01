"""`bgai cube` and `bgai score-table`, run as their user would."""

import io
import json
import sys

import pytest

from bgai.search.engine import HANDMADE
from bgai.ui.cli import main

START = "4HPwATDgc/ABMA"
LAST = "XGID=-A--------------------a--:0:0:1:00:0:0:0:0:10"
CONTACT = "XGID=-b-bBBC-BB--cB---bAb--b-bA:0:0:1:00:0:0:3:0:10"
NETWORK = ("--engine", HANDMADE)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main((*arguments, *NETWORK))
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


def test_the_block_and_the_market(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "cube", CONTACT, "--plies", "1")
    assert (code, err) == (0, "")
    for words in ("money, Jacoby, beavers; cube 1, centred", "Double, pass", "of 36 rolls"):
        assert words in out
    assert sum("bar/" in line or "no play" in line for line in out.splitlines()) == 21


def test_json_says_everything(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "cube", CONTACT, "--plies", "1", "--json")
    answer = json.loads(out)
    assert code == 0
    names = {"no_double", "double_take", "double_pass", "action", "verdict"}
    assert names | {"chances", "costs", "points", "rolls"} <= set(answer)
    assert len(answer["rolls"]) == 21
    best = max(answer["no_double"], min(answer["double_take"], answer["double_pass"]))
    assert answer["equity"] == pytest.approx(best, abs=1e-5)


def test_batches_answer_every_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = f"{CONTACT}\nnonsense\n{START}\n".encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    code, out, _ = run(capsys, "cube", "--batch", "-", "--plies", "0")
    first, wrong, last = map(json.loads, out.splitlines())
    assert code == 1
    assert first["id"] == CONTACT
    assert {"no_double", "double_take", "double_pass", "action", "chances"} <= set(last)
    assert wrong["line"] == 2


def test_options_replace_what_the_id_says(capsys: pytest.CaptureFixture[str]) -> None:
    def answer(*options: str) -> dict[str, object]:
        code, out, _ = run(capsys, "cube", START, "--plies", "0", "--json", *options)
        assert code == 0
        found: dict[str, object] = json.loads(out)
        return found

    assert answer("--owner", "opponent", "--cube", "2")["double_take"] is None
    crawford = answer("--away", "1,3", "--crawford")
    assert "Crawford" in str(crawford["verdict"])
    assert answer("--away", "4,6")["match_chances"] is not None
    assert answer()["match_chances"] is None
    assert answer()["beaver"] is not None
    assert answer("--beavers", "0")["beaver"] is None
    assert answer("--jacoby")["no_double"] != answer("--no-jacoby")["no_double"]
    assert answer("--jacoby")["cubeless"] == answer("--no-jacoby")["cubeless"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cube", START, "--away", "x"), "--away x"),
        (("cube", START, "--away", "0,3"), "1 or more"),
        (("cube", START, "--crawford"), "--crawford needs --away"),
        (("cube", START, "--owner", "nobody"), "--owner nobody"),
        (("cube", START, "--cube", "3"), "not a power of two"),
        (("cube",), "give an ID or --batch"),
        (("cube", START, "--batch", "x", "--plies", "0"), "one of the two"),
        (("score-table", "nonsense"), "nonsense"),
    ],
)
def test_bad_input_is_named(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err


def test_a_rollout_has_errors_and_a_confidence(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("cube", CONTACT, "--rollout", "--trials", "36", "--truncate", "2")
    code, out, _ = run(capsys, *arguments)
    assert code == 0
    assert "±" in out
    assert "the probability that the verdict is right: " in out
    code, out, _ = run(capsys, *arguments, "--json")
    answer = json.loads(out)
    assert answer["trials"] == 36
    assert 0 <= answer["cube"]["confidence"] <= 1


def test_the_score_table(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("score-table", CONTACT, "--away", "4", "--plies", "0")
    code, out, _ = run(capsys, *arguments)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if line.strip()[:1].isdigit()] == list(
        "1234"
    )
    code, out, _ = run(capsys, *arguments, "--json")
    answer = json.loads(out)
    assert answer["money"]["no_double"] != answer["scores"][3][3]["no_double"]
    assert answer["scores"][1][2]["away"] == [2, 3]
    assert [cell["short"] for cell in answer["scores"][0]] == ["-"] * 4  # one point away: dead


OWNED = "XGID=-b-bBBC-BB--cB---bAb--b-bA:1:1:1:00:0:0:{rules}:{length}:10"
GOOD = "XGID=lBBBBBB-----------------c-:0:0:1:00:0:0:0:0:10"
"""Twelve checkers on the bar against a closed board: far too good."""


@pytest.mark.parametrize("length", [0, 7])
@pytest.mark.parametrize("rollout", [(), ("--rollout", "--trials", "36", "--truncate", "3")])
def test_a_cube_of_ones_own_is_redoubled_in_every_line(
    capsys: pytest.CaptureFixture[str], length: int, rollout: tuple[str, ...]
) -> None:
    identifier = OWNED.format(rules=3 if length == 0 else 0, length=length)
    code, out, _ = run(capsys, "cube", identifier, "--plies", "0", *rollout)
    assert code == 0
    words = out.lower().replace(",", " ").replace("/", " ").split()
    assert "reredouble" not in words
    assert "double" not in words
    assert {"redouble", "no", "take", "pass"} <= set(words)
    assert ("beaver" in words) <= (length == 0)


def test_a_market_that_is_lost_already_is_not_lost_by_a_roll(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = run(capsys, "cube", GOOD, "--plies", "1")
    assert code == 0
    assert "Too good to double" in out
    assert "loses the market" not in out
    assert "The market is lost already: the opponent should pass now, and still after" in out
    code, out, _ = run(capsys, "cube", GOOD, "--rollout", "--trials", "36", "--truncate", "2")
    assert "Too good to double" in out
    assert "double/pass less no double -" in out
    sure, note = out.splitlines()[-2:]
    assert "100.0%" not in sure
    assert "more than 99.9%" in sure
    assert "cut off after 2 turns and judged there at 0-ply" in note
    code, out, _ = run(capsys, "cube", START, "--plies", "1")
    assert "of 36 rolls lose the market: after them the opponent should have passed" in out


@pytest.mark.parametrize("identifier", [CONTACT, START, OWNED.format(rules=0, length=7)])
@pytest.mark.parametrize("plies", ["0", "1"])
def test_chances_and_equity_are_those_of_evaluate(
    capsys: pytest.CaptureFixture[str], identifier: str, plies: str
) -> None:
    cube, evaluation = (
        json.loads(run(capsys, command, identifier, "--plies", plies, "--json")[1])
        for command in ("cube", "evaluate")
    )
    assert cube["chances"] == evaluation["chances"]
    assert cube["cubeless"] == pytest.approx(evaluation["equity"], abs=2e-6)
