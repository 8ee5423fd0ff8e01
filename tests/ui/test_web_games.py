"""The folder of saved games: what the list shows, what may be removed, many callers at once."""

import json
import logging
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from bgai.ui.web.app import create_app
from bgai.ui.web.errors import Refusal
from bgai.ui.web.game_files import GameFiles
from bgai.ui.web.limits import Limits
from bgai.ui.web.requests import ActRequest, NewGame
from bgai.ui.web.tables import Tables

XGID = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:52:2:3:0:7:10"
NEW = NewGame(level="random", seed=4, advance=False)


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(tmp_path, Limits(saved_games=3, unfinished_games=8, tables=2))


def finish(tables: Tables, name: str, age: int) -> Path:
    """Have a game resigned, and saved that many seconds ago."""
    table = tables.find(name)
    table.advance()
    while table.game.actor != 0 or "resign" not in [str(kind) for kind in table.game.legal_kinds()]:
        if table.game.actor == 0:
            table.act(ActRequest(act="refuse" if table.game.offer else "take"))
        table.advance()
    table.act(ActRequest(act="resign", level=1))
    table.advance()
    assert table.game.is_over
    table.close()
    os.utime(table.path, (table.path.stat().st_mtime - age,) * 2)
    return table.path


def test_only_its_own_finished_games_go_the_oldest_first(
    tables: Tables, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    foreign = [tmp_path / f"note-{number}.json" for number in range(520)]
    for path in foreign:
        path.write_text("{}")
    (tmp_path / "AAAAAAAAAAAAAAAA.json").write_text('{"format": "something else"}')
    (tmp_path / "2026-11-30-120000.json").write_text("a game of bgai play")
    (tmp_path / "text.txt").write_text("a text")
    others = set(tmp_path.iterdir())
    ages = (50, 400, 10, 300)
    finished = {age: tables.new(NEW).name for age in ages}
    paths = {age: finish(tables, name, age) for age, name in finished.items()}
    going = [tables.new(NEW) for _ in range(3)]
    with caplog.at_level(logging.WARNING, "bgai.web"):
        last = tables.new(NEW)
    assert others <= set(tmp_path.iterdir())
    assert all(table.path.exists() for table in (*going, last))
    assert not any(path.exists() for path in paths.values())  # more than 3 are unfinished
    assert tables.files.removed == 4


def test_the_newest_finished_ones_stay_and_the_log_says_what_goes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tables = Tables(tmp_path, Limits(saved_games=5))
    paths = [finish(tables, tables.new(NEW).name, age) for age in (500, 400, 300, 200, 100)]
    with caplog.at_level(logging.WARNING, "bgai.web"):
        tables.new(NEW)
    assert [path.exists() for path in paths] == [False, True, True, True, True]
    assert "removed 1 finished game, the oldest" in caplog.text


def test_too_many_unfinished_games_are_refused(tables: Tables) -> None:
    names = [tables.new(NEW).name for _ in range(8)]
    with pytest.raises(Refusal, match="8 unfinished games are kept"):
        tables.new(NEW)
    tables.remove(names[0])
    tables.new(NEW)


def test_a_game_in_use_is_never_read_twice(tables: Tables) -> None:
    """A table pushed out of memory while somebody plays at it stays the only one of its name."""
    table = tables.new(NEW)
    for _ in range(5):
        tables.new(NEW)
    assert tables.find(table.name) is table
    name = table.name
    del table
    for _ in range(2):
        tables.new(NEW)
    assert tables.find(name).acts == 0


def test_a_removed_game_does_not_come_back(tables: Tables) -> None:
    table = tables.new(NEW)
    tables.remove(table.name)
    with pytest.raises(Refusal, match="removed"):
        table.advance()
    assert not table.path.exists()
    with pytest.raises(Refusal, match="no such game"):
        tables.find(table.name)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(tmp_path, Limits(saved_games=4, tables=3, workers=4), warm=False)
    with TestClient(app) as client:
        yield client


def test_the_list_shows_the_games_the_last_one_first(client: TestClient, tmp_path: Path) -> None:
    assert client.get("/api/games").json() == {"games": [], "count": 0, "kept": 4, "removed": 0}
    asked: dict[str, Any] = {"level": "random", "advance": False}
    first = client.post("/api/games", json=asked | {"terms": {"length": 5}}).json()
    second = client.post("/api/games", json=asked).json()
    os.utime(tmp_path / f"{first['id']}.json", (1, 1))
    (tmp_path / "BBBBBBBBBBBBBBBB.json").write_text("broken")
    said = client.get("/api/games").json()
    assert [game["id"] for game in said["games"]] == [second["id"], first["id"]]
    assert said["games"][1] == {
        "id": first["id"], "saved": "1970-01-01T00:00:01+00:00", "length": 5, "level": "random",
        "points": [0, 0], "game_number": 1, "over": False,
    }  # fmt: skip
    assert len(client.get("/api/games", params={"count": 1}).json()["games"]) == 1
    assert client.get("/api/games", params={"count": 0}).status_code == 422


@pytest.mark.parametrize("origin", ["http://[bad", "http://[::1", "x", "http://a]b"])
def test_a_malformed_origin_is_refused(client: TestClient, origin: str) -> None:
    said = client.post("/api/games", json={}, headers={"origin": origin})
    assert said.status_code == 403


@pytest.mark.parametrize("length", ["²", "-1", "9" * 5000, "1_0"])
def test_a_malformed_length_is_refused(client: TestClient, length: str) -> None:
    headers = {"content-length": length.encode("latin-1")}
    assert client.post("/api/games", content=b"{}", headers=headers).status_code == 413


@pytest.mark.parametrize(
    "body", ['{"seed": ' + "9" * 5000 + "}", '{"level": "\\ud800"}', "[" * 5000, "\xff", "NaN"]
)
def test_bodies_that_are_no_requests_are_refused(client: TestClient, body: str) -> None:
    headers = {"content-type": "application/json"}
    said = client.post("/api/games", content=body.encode("latin-1"), headers=headers)
    assert 400 <= said.status_code < 500
    assert said.json()["error"]


def test_many_callers_at_once(tmp_path: Path) -> None:
    """Games begun, listed, read, finished and removed by many: nothing fails, nothing is lost."""
    tables = Tables(tmp_path, Limits(saved_games=6, tables=2, unfinished_games=10_000))
    failed: list[BaseException] = []
    barrier = threading.Barrier(8)

    def call(seed: int) -> None:
        barrier.wait()
        try:
            for _ in range(6):
                table = tables.new(NEW)
                tables.files.listed()
                with tables.find(table.name).lock:
                    table.session.roll()
                    table.save()
                assert tables.find(table.name).acts == 1
                assert json.loads(table.path.read_text())["games"][0]["acts"]
                if seed % 2:
                    tables.remove(table.name)
        except BaseException as error:
            failed.append(error)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(call, range(8)))
    assert failed == []
    assert len(tables.files.listed()) == 4 * 6


def test_files_may_vanish_while_they_are_looked_through(tmp_path: Path) -> None:
    """Two servers clean one folder up at once; this was HTTP 500 in 201 of 6,611 requests."""
    tables = Tables(tmp_path, Limits(saved_games=1000))
    for _ in range(2):
        finish(tables, tables.new(NEW).name, 100)
    sample = next(tmp_path.glob("*.json")).read_text()
    for number in range(300):
        (tmp_path / f"game-{number:011d}.json").write_text(sample)
    cleaners = [GameFiles(tmp_path, 100 - 30 * number) for number in range(3)]
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(lambda files: files.make_room(), cleaners))
    assert len(GameFiles(tmp_path, 0).listed()) == 39


def test_the_api_takes_identifiers_out_of_pasted_texts(client: TestClient) -> None:
    text = f"{XGID}\n\nX:Player 1   O:Player 2\nScore is X:2 O:3 7 pt.(s) match.\n" + "words " * 500
    for pasted in (text, text.replace("\n", "")):
        assert client.get("/api/position", params={"id": pasted}).json()["xgid"] == XGID
        said = client.post("/api/plays", json={"id": pasted})
        assert said.status_code == 200, said.text
    assert client.get("/api/position", params={"id": "none here"}).status_code == 400


def test_a_game_goes_on_from_a_position(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, warm=False)) as client:
        new = {"level": "random", "seed": 4, "advance": False, "position": XGID}
        game = client.post("/api/games", json=new).json()
        # The person plays whoever is to decide.
        assert game["terms"]["length"] == 7
        assert game["standing"]["points"] == [2, 3]
        assert (game["actor"], game["dice"]) == (0, "52")
        assert game["cube"] == {"value": 2, "owner": 1}
        swapped = client.post("/api/games", json={**new, "swap": True}).json()
        assert swapped["standing"]["points"] == [3, 2]
        assert swapped["actor"] == 1
        again = client.get(f"/api/games/{game['id']}").json()
        assert again["checkers"] == game["checkers"]
        played = client.post(
            f"/api/games/{game['id']}/acts",
            json={"act": "play", "after": game["plays"][0]["after"], "tutor": True},
        ).json()
        assert played["verdict"]["kind"] == "play"
        assert client.get(f"/api/games/{game['id']}/summary").status_code == 200
        doubled = XGID.replace(":52:", ":D:").replace(":1:-1:", ":0:0:")
        answer = client.post("/api/games", json={**new, "position": doubled}).json()
        assert (answer["phase"], answer["actor"]) == ("doubled", 0)
        bad = client.post("/api/games", json={**new, "position": "XGID=nonsense"})
        assert (bad.status_code, bad.json()["field"]) == (400, "position")
