"""One judge: the page, its tutor and `bgai analyse` say the same of the same game."""

import json
from pathlib import Path
from typing import Any

import pytest

from bgai.notation.position_id import format_position_id
from bgai.rules.acts import ActKind
from bgai.ui.cli import main
from bgai.ui.web.limits import Limits
from bgai.ui.web.requests import ActRequest, NewGame, TermsIn
from bgai.ui.web.tables import PERSON, Table, Tables

TURNS = 12


def played(folder: Path, terms: TermsIn) -> tuple[Table, list[dict[str, Any]]]:
    """A seeded game, the person asking the tutor about every act; and what it said."""
    folder.mkdir(exist_ok=True)
    table = Tables(folder, Limits()).new(NewGame(terms=terms, level="casual", seed=3))
    said = []
    table.advance()
    for _ in range(TURNS):
        if table.game.is_over:
            break
        legal = table.game.legal_kinds()
        if ActKind.PLAY in legal:
            choice = table.game.plays[len(table.game.plays) // 2]
            act = ActRequest(act="play", after=format_position_id(choice), tutor=True)
        else:
            kind = next(k for k in ("double", "take", "roll", "accept") if ActKind(k) in legal)
            act = ActRequest.model_validate({"act": kind, "tutor": True})
        verdict = table.act(act)
        table.advance()
        if verdict is not None:
            said.append(table.view(0, verdict).to_dict()["verdict"])
    return table, said


@pytest.mark.parametrize("terms", [TermsIn(length=3), TermsIn()], ids=["match", "money"])
def test_page_tutor_and_reports_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], terms: TermsIn
) -> None:
    table, said = played(tmp_path / "games", terms)
    page = table.summary().to_dict()
    report = tmp_path / "report.json"
    where = ("--store", str(tmp_path / "store.sqlite"), "--json", str(report))
    with pytest.raises(SystemExit) as stopped:
        main(["analyse", str(table.path), "--quiet", "--workers", "1", *where])
    assert not stopped.value.code, capsys.readouterr().err
    judged = json.loads(report.read_text())
    assert page["engine"] == judged["judge"] == "expert 2-ply (XG 3-ply)"
    assert len(judged["rolls"]) > 6
    for seat, player in zip(page["seats"], judged["players"], strict=True):
        whole = player["all"]
        assert seat["engine"] == judged["judge"]
        assert seat["luck"] == pytest.approx(player["luck"], abs=1e-6)
        assert seat["lost"] == pytest.approx(whole["lost"], abs=1e-6)
        assert seat["rating"] == pytest.approx(whole["rating"], abs=0.005)
        assert seat["error_rate"] == pytest.approx(whole["error_rate"], abs=0.005)
        assert seat["decisions"] == whole["decisions"] > 0
        marks = [seat["marks"][word] for word in ("doubtful", "error", "blunder")]
        assert marks == [whole[name] for name in ("doubtful", "errors", "blunders")]
    mine = [each for each in judged["decisions"] if each["seat"] == PERSON]
    assert [(v["kind"], v["made"], v["best"], v["mark"], v["counts"]) for v in said] == [
        (d["kind"], d["made"], d["best"], d["mark"], d["counts"]) for d in mine
    ]
    assert [v["cost"] for v in said] == pytest.approx([d["cost"] for d in mine], abs=1e-6)
    assert sum(v["cost"] for v in said if v["counts"]) == pytest.approx(
        page["seats"][PERSON]["lost"], abs=1e-5
    )
    assert [each["id"] for each in page["worst"]] == [
        each["id"] for each in sorted(mine, key=lambda d: -d["cost"])[:3] if each["cost"] >= 0.001
    ]


def test_a_game_judged_after_a_restart_is_judged_the_same(tmp_path: Path) -> None:
    table, _ = played(tmp_path, TermsIn(length=3))
    again = Tables(tmp_path, Limits()).find(table.name)
    assert again.verdicts == {}
    assert again.summary() == table.summary()
