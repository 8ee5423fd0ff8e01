"""A server that others reach: every visitor finds what is theirs, and nothing else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from bgai.ui.web.app import create_app
from bgai.ui.web.limits import Limits
from bgai.ui.web.visitors import COOKIE, KnowsVisitors

NEW = {"level": "random", "advance": False}
ROLLOUT = {"id": "4HPwATDgc/ABMA", "trials": 12_960, "plies": 1}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FastAPI]:
    limits = Limits(visitors=2, own_jobs=1, unfinished_games=3, jobs=1, waiting_jobs=8)
    app = create_app(tmp_path, limits, loopback_only=False, warm=False)
    with TestClient(app):  # one life for all visitors
        yield app


@pytest.fixture
def ann(app: FastAPI) -> TestClient:
    return TestClient(app)


@pytest.fixture
def bob(app: FastAPI) -> TestClient:
    return TestClient(app)


def test_games_are_found_by_who_began_them_alone(ann: TestClient, bob: TestClient) -> None:
    game = ann.post("/api/games", json=NEW).json()["id"]
    assert [each["id"] for each in ann.get("/api/games").json()["games"]] == [game]
    assert bob.get("/api/games").json()["games"] == []
    for asked in ("", "/record", "/hint", "/summary"):
        assert ann.get(f"/api/games/{game}").status_code == 200
        assert bob.get(f"/api/games/{game}{asked}").status_code == 404
    assert bob.post(f"/api/games/{game}/acts", json={"act": "roll"}).status_code == 404
    assert bob.delete(f"/api/games/{game}").status_code == 404
    assert ann.delete(f"/api/games/{game}").status_code == 200


def test_games_are_there_after_a_restart(app: FastAPI, ann: TestClient, tmp_path: Path) -> None:
    game = ann.post("/api/games", json=NEW).json()["id"]
    key = ann.cookies[COOKIE]
    again = TestClient(create_app(tmp_path, loopback_only=False, warm=False), cookies={COOKIE: key})
    assert again.get(f"/api/games/{game}").status_code == 200
    assert not any(key in str(path) for path in tmp_path.rglob("*"))  # the name lets nobody in


def test_rollouts_are_the_visitors_own_and_few(ann: TestClient, bob: TestClient) -> None:
    job = ann.post("/api/rollouts", json=ROLLOUT).json()["job"]
    refused = ann.post("/api/rollouts", json=ROLLOUT)
    assert refused.status_code == 429
    assert "of yours" in refused.json()["error"]
    assert bob.get(f"/api/rollouts/{job}").status_code == 404
    assert bob.delete(f"/api/rollouts/{job}").status_code == 404
    other = bob.post("/api/rollouts", json=ROLLOUT).json()["job"]
    assert bob.delete(f"/api/rollouts/{other}").status_code == 200
    assert ann.delete(f"/api/rollouts/{job}").status_code == 200


def test_a_visitor_has_limits(ann: TestClient, bob: TestClient, app: FastAPI) -> None:
    for _ in range(3):
        assert ann.post("/api/games", json=NEW).status_code == 201
    assert ann.post("/api/games", json=NEW).status_code == 409
    assert bob.post("/api/games", json=NEW).status_code == 201
    third = TestClient(app).post("/api/games", json=NEW)
    assert (third.status_code, third.json()["error"]) == (
        503,
        "visitors: 2 have games here, the most",
    )


def test_the_cookie_is_no_script_s_and_kept(ann: TestClient) -> None:
    first = ann.get("/api/status")
    said = first.headers["set-cookie"]
    assert "HttpOnly" in said
    assert "SameSite=Lax" in said
    assert "Secure" not in said
    assert "set-cookie" not in ann.get("/api/status").headers
    assert "set-cookie" not in ann.get("/").headers
    secure = ann.get("/api/status", headers={"cookie": "x=1", "x-forwarded-proto": "https"})
    assert secure.headers["set-cookie"].endswith("Secure")


@pytest.mark.parametrize(
    "cookie", ["short", "a" * 31 + "/", "../../../../../etc/passwd-------", ""]
)
def test_keys_not_of_our_making_are_replaced(app: FastAPI, cookie: str) -> None:
    said = TestClient(app).get("/api/status", headers={"cookie": f"{COOKIE}={cookie}"})
    assert said.status_code == 200
    assert f"{COOKIE}={cookie};" not in said.headers["set-cookie"]


def test_a_glance_leaves_nothing_on_disk(ann: TestClient, tmp_path: Path) -> None:
    ann.get("/api/games")
    ann.get("/api/status")
    assert not list(tmp_path.rglob("*"))


def test_on_this_machine_alone_there_are_no_cookies(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, warm=False)) as client:
        assert "set-cookie" not in client.get("/api/status").headers


def test_few_requests_of_a_visitor_are_under_way_at_once() -> None:
    """Two wait inside; the third is refused, and let in once they are done."""
    inside: list[str] = []
    statuses: list[int] = []

    async def check() -> None:
        go = anyio.Event()

        async def slow(scope: Any, receive: Any, send: Any) -> None:
            inside.append(scope["state"]["visitor"])
            await go.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})

        async def told(message: Any) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        knows = KnowsVisitors(slow, at_once=2)
        key = "k" * 32
        headers = [(b"cookie", f"{COOKIE}={key}".encode())]
        scope = {"type": "http", "path": "/api/best", "headers": headers}
        async with anyio.create_task_group() as group:
            for _ in range(2):
                group.start_soon(knows, dict(scope), None, told)
            await anyio.sleep(0.01)
            await knows(dict(scope), None, told)  # type: ignore[arg-type]
            assert (inside, statuses) == ([key, key], [429])
            go.set()
        await knows(dict(scope), None, told)  # type: ignore[arg-type]
        assert statuses == [429, 200, 200, 200]

    anyio.run(check)
