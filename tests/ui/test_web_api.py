"""The HTTP API over a real socket: answers, games, rollouts, refusals, hostile callers."""

import contextlib
import http.client
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from web_server import running

from bgai.notation.identifiers import parse_identifier
from bgai.ui.web.limits import Limits

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10"
# The last checkers: two on the ace point against two on theirs, on roll first.
WON = "XGID=-B----------------------b-:0:0:1:00:0:0:0:0:10"
FAST = Limits(jobs=1, waiting_jobs=1, kept_jobs=4)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("games")


@pytest.fixture(scope="module")
def address(games: Path) -> Iterator[str]:
    with running(games, FAST) as url:
        yield url


@pytest.fixture(scope="module")
def api(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{address}/api", timeout=120) as client:
        yield client


def new_game(api: httpx.Client, **changes: Any) -> dict[str, Any]:
    asked = {"level": "casual", "seed": 4, "terms": {"length": 3}} | changes
    answer = api.post("/games", json=asked)
    assert answer.status_code == 201, answer.text
    return answer.json()


# --- positions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("identifier", [START, "4HPwATDgc/ABMA", "4HPwATDgc/ABMA:cAkAAAAAAAAA"])
def test_any_identifier_gives_the_position_and_the_others(
    api: httpx.Client, identifier: str
) -> None:
    said = api.get("/position", params={"id": identifier}).json()
    assert said["pips"] == [167, 167]
    assert said["position_id"] == "4HPwATDgc/ABMA"
    assert parse_identifier(said["xgid"]) == parse_identifier(START)
    assert "167" in said["text"]


def test_fields_give_back_the_situation_they_came_from(api: httpx.Client) -> None:
    identifier = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:42:2:0:0:5:10"
    said = api.get("/position", params={"id": identifier}).json()
    names = ("position", "cube", "dice", "offer", "seat", "match", "jacoby", "beavers", "max_cube")
    fields = {name: said[name] for name in names}
    again = api.post("/position", json={"situation": fields}).json()
    assert again == said


def test_plays_are_those_of_the_rules(api: httpx.Client) -> None:
    said = api.post("/plays", json={"id": START, "dice": "31"}).json()
    assert len(said["plays"]) == 16
    assert {"8/5 6/5", "24/20"} <= {play["play"] for play in said["plays"]}
    assert said["plays"][0]["moves"][0][:2] == [24, 23]


def test_best_ranks_all_plays_with_differences(api: httpx.Client) -> None:
    asked = {"id": START, "dice": "31", "engine": "handmade"}
    said = api.post("/best", json=asked).json()
    assert said["total"] == len(said["plays"]) == 16
    equities = [play["equity"] for play in said["plays"]]
    assert equities == sorted(equities, reverse=True)
    assert said["plays"][0]["difference"] == 0
    assert said["plays"][1]["difference"] == pytest.approx(equities[1] - equities[0], abs=1e-5)
    few = api.post("/best", json=asked | {"count": 2}).json()
    assert few["plays"] == said["plays"][:2]


def test_evaluate_keeps_the_order_of_the_ids(api: httpx.Client) -> None:
    ids = [WON, START]
    said = api.post("/evaluate", json={"ids": ids, "engine": "handmade"}).json()
    assert [row["id"] for row in said["positions"]] == ids
    first, second = said["positions"]
    assert first["chances"]["win"] > second["chances"]["win"]


def test_cube_decision_has_verdict_and_three_equities(api: httpx.Client) -> None:
    said = api.post("/cube", json={"id": START, "engine": "handmade"}).json()
    assert said["verdict"].startswith("No double")
    assert said["double_pass"] == 1
    assert said["costs"]["no_double"] == 0
    assert said["costs"]["double"] > 0
    crawford = START.replace(":3:0:10", ":1:2:10").replace(":0:0:1:2", ":1:0:1:2")
    refused = api.post("/cube", json={"id": crawford, "engine": "handmade"}).json()
    assert refused["double_take"] is None
    assert "Crawford" in refused["verdict"]


@pytest.mark.parametrize("score", ["0:0:3:0", "2:4:0:7"])
def test_chances_beside_the_cube_are_those_of_evaluate(api: httpx.Client, score: str) -> None:
    identifier = f"XGID=-b-bBBC-BB--cB---bAb--b-bA:0:0:1:00:{score}:10"
    cube = api.post("/cube", json={"id": identifier, "plies": 1}).json()
    found = api.post("/evaluate", json={"ids": [identifier], "plies": 1}).json()["positions"][0]
    assert cube["chances"] == found["chances"]
    assert cube["cubeless"] == pytest.approx(found["equity"], abs=1e-6)


def test_svg_of_a_position(api: httpx.Client) -> None:
    answer = api.get("/position.svg", params={"id": START})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.startswith("<svg")


# --- games -------------------------------------------------------------------------------------


def play_on(api: httpx.Client, game: dict[str, Any], acts: int = 400) -> dict[str, Any]:
    """The person plays the first legal play, takes every double and never doubles."""
    for _ in range(acts):
        legal = game["legal"]
        if game["phase"] == "over":
            break
        if "play" in legal:
            act = {"act": "play", "play": ""}
            if game["plays"]:
                act = {"act": "play", "after": game["plays"][0]["after"]}
        else:
            act = {"act": next(k for k in ("roll", "take", "accept") if k in legal)}
        answer = api.post(f"/games/{game['id']}/acts", json=act | {"at": game["acts"]})
        assert answer.status_code == 200, answer.text
        game = answer.json()
    return game


def test_a_match_can_be_played_to_its_end(api: httpx.Client) -> None:
    game = new_game(api, terms={"length": 1})
    game = play_on(api, game)
    assert game["outcome"] is not None
    assert game["session_over"]
    record = api.get(f"/games/{game['id']}/record").json()
    assert record["dice"]["seed"] == 4
    assert len(record["games"][0]["acts"]) == game["acts"]
    from bgai.sessions.session_file import SESSIONS

    assert SESSIONS.load(record).standing.points == tuple(game["standing"]["points"])
    curve = api.get(f"/games/{game['id']}/curve").json()
    assert curve["points"][-1]["win"] in (pytest.approx(0, abs=0.3), pytest.approx(1, abs=0.3))


def test_the_record_hides_the_seed_while_the_game_is_on(api: httpx.Client) -> None:
    game = new_game(api)
    assert "seed" not in api.get(f"/games/{game['id']}/record").json()["dice"]


def test_the_same_seed_gives_the_same_game(api: httpx.Client) -> None:
    first, second = (play_on(api, new_game(api), acts=12) for _ in range(2))
    assert first["checkers"] == second["checkers"]
    assert first["acts"] == second["acts"]


def test_events_tell_what_happened_since(api: httpx.Client) -> None:
    game = new_game(api, starter=1)
    kinds = [event["act"] for event in game["events"]]
    assert kinds[0] == "opening"
    assert "play" in kinds
    seen = api.get(f"/games/{game['id']}", params={"since": game["acts"]}).json()
    assert seen["events"] == []
    assert seen["checkers"] == game["checkers"]


def to_roll(api: httpx.Client, **changes: Any) -> dict[str, Any]:
    """A game in which the person may roll or double."""
    game = new_game(api, **changes)
    for _ in range(8):
        if "double" in game["legal"]:
            return game
        game = play_on(api, game, acts=1)
    raise AssertionError("the person was never free to double")


def test_a_double_is_answered_and_undone(api: httpx.Client) -> None:
    game = to_roll(api)
    doubled = api.post(f"/games/{game['id']}/acts", json={"act": "double"}).json()
    assert doubled["events"][0]["act"] == "double"
    assert doubled["events"][1]["act"] in ("take", "pass")
    again = api.post(f"/games/{game['id']}/undo").json()
    assert again["cube"] == {"value": 1, "owner": None}
    assert again["acts"] == game["acts"]


def test_a_resignation_ends_the_game_and_the_next_one_begins(api: httpx.Client) -> None:
    game = to_roll(api)
    over = api.post(f"/games/{game['id']}/acts", json={"act": "resign", "level": 3}).json()
    assert over["outcome"]["winner"] == 1
    assert over["standing"]["points"] == [0, 3]
    refused = api.post(f"/games/{game['id']}/next")
    assert refused.status_code == 409  # the match to 3 is over
    money = to_roll(api, terms={})
    over = api.post(f"/games/{money['id']}/acts", json={"act": "resign", "level": 1}).json()
    assert over["standing"]["points"] == [-1, 1]
    following = api.post(f"/games/{money['id']}/next").json()
    assert following["game_number"] == 2
    assert following["phase"] == "opening"


def test_the_tutor_says_what_a_play_lost(api: httpx.Client) -> None:
    game = new_game(api, starter=0)
    hint = api.get(f"/games/{game['id']}/hint", params={"engine": "handmade"}).json()
    assert hint["plays"][0]["difference"] == 0
    worst = game["plays"][-1]["after"]
    act = {"act": "play", "after": worst, "tutor": True}
    said = api.post(f"/games/{game['id']}/acts", json=act).json()["verdict"]
    assert said["kind"] == "play"
    assert said["cost"] >= 0
    assert said["is_best"] == (said["made"] == said["best"] or said["cost"] <= 0.001)
    summary = api.get(f"/games/{game['id']}/summary").json()
    assert summary["seats"][0]["decisions"] >= 1
    assert summary["seats"][0]["lost"] == pytest.approx(said["cost"], abs=1e-5)


def test_a_game_goes_on_after_a_restart(api: httpx.Client, games: Path) -> None:
    game = play_on(api, new_game(api), acts=5)
    with running(games) as other:
        again = httpx.get(f"{other}/api/games/{game['id']}", timeout=60).json()
    for name in ("checkers", "dice", "acts", "cube", "phase", "standing"):
        assert again[name] == game[name]


# --- rollouts ----------------------------------------------------------------------------------


def finished(api: httpx.Client, job: dict[str, Any]) -> dict[str, Any]:
    until = time.monotonic() + 120
    while job["state"] in ("waiting", "running") and time.monotonic() < until:
        time.sleep(0.05)
        job = api.get(f"/rollouts/{job['job']}").json()
    return job


def test_a_rollout_reports_progress_and_can_be_cancelled(api: httpx.Client) -> None:
    answer = api.post("/rollouts", json={"id": WON, "trials": 36})
    assert answer.status_code == 202, answer.text
    done = finished(api, answer.json())
    assert done["state"] == "done", done["error"]
    assert done["progress"] == 1
    assert done["rows"][0]["chances"]["win"] == 1
    assert done["cube"]["verdict"] == "Optional double, pass"  # won either way
    assert done["cube"]["confidence"] == 1
    long = api.post(
        "/rollouts", json={"id": START, "dice": "31", "plays": 1, "trials": 12960}
    ).json()
    waiting = api.post("/rollouts", json={"id": START, "trials": 36}).json()
    full = api.post("/rollouts", json={"id": START, "trials": 36})
    assert full.status_code == 429
    assert api.delete(f"/rollouts/{waiting['job']}").json()["state"] == "cancelled"
    api.delete(f"/rollouts/{long['job']}")
    assert finished(api, long)["state"] == "cancelled"


def test_a_stopped_rollout_goes_on_exactly(api: httpx.Client) -> None:
    asked = {"id": START, "dice": "31", "chosen": ["8/5 6/5", "24/23 13/10"], "truncate": 4}
    whole = finished(api, api.post("/rollouts", json=asked | {"trials": 360}).json())
    job = api.post("/rollouts", json=asked | {"trials": 360}).json()
    begun = time.monotonic()
    while not job["trials"] and job["state"] in ("waiting", "running"):
        job = api.get(f"/rollouts/{job['job']}").json()
    api.delete(f"/rollouts/{job['job']}")
    stopped = finished(api, job)
    assert time.monotonic() - begun < 60
    if stopped["state"] == "cancelled":  # or it was quicker
        assert stopped["trials"] < 360
        resumed = api.post(f"/rollouts/{job['job']}/resume")
        assert resumed.status_code == 202
        stopped = finished(api, resumed.json())
    changing = {"job", "seconds", "curve"}
    assert {key: value for key, value in stopped.items() if key not in changing} == {
        key: value for key, value in whole.items() if key not in changing
    }
    assert stopped["ranked_by"] is None
    assert not stopped["settings"]["cubeless"]
    assert api.post(f"/rollouts/{job['job']}/resume").status_code == 409


# --- refusals ------------------------------------------------------------------------------------

BAD_REQUESTS = [
    ("/position", {"id": "nonsense"}, 400, "id"),
    ("/position", {}, 400, "id"),
    ("/position", {"id": 5}, 422, "id"),
    ("/position", {"situation": {"position": [[0] * 26, [0] * 26]}}, 400, "situation"),
    ("/position", {"situation": {"position": [[99] * 26, [0] * 26]}}, 422, "situation.position"),
    ("/plays", {"id": START}, 400, "dice"),
    ("/plays", {"id": START, "dice": "79"}, 400, "dice"),
    ("/plays", {"id": START, "dice": "31", "extra": 1}, 422, "extra"),
    ("/plays", {"id": "x" * 25_000, "dice": "31"}, 422, "id"),
    ("/best", {"id": START, "dice": "31", "plies": 9}, 422, "plies"),
    ("/best", {"id": START, "dice": "31", "plies": "2"}, 422, "plies"),
    ("/best", {"id": START, "dice": "31", "plies": 10**30}, 422, "plies"),
    ("/best", {"id": START, "dice": "31", "engine": "god"}, 400, "engine"),
    ("/best", {"id": START, "dice": "31", "engine": "best", "plies": 1}, 400, "engine"),
    ("/evaluate", {"ids": []}, 422, "ids"),
    ("/evaluate", {"ids": [START] * 1025, "engine": "handmade"}, 422, "ids"),
    ("/evaluate", {"ids": [START, "x"], "engine": "handmade"}, 400, "ids.1"),
    ("/rollouts", {"id": START, "trials": 10**9}, 422, "trials"),
    ("/rollouts", {"id": START, "trials": -1}, 422, "trials"),
    ("/rollouts", {"id": START, "plies": 3}, 422, "plies"),
    ("/rollouts", {"id": START, "chosen": ["8/5"]}, 400, "chosen"),
    ("/rollouts", {"id": START, "dice": "31", "chosen": ["8/3"]}, 400, "chosen"),
    ("/rollouts", {"id": START, "cubeless": True}, 400, "cubeless"),
    ("/rollouts", {"id": START, "leaf_plies": 1}, 400, "leaf_plies"),
    ("/games", {"level": "../../etc/passwd"}, 400, "level"),
    ("/games", {"terms": {"length": 0}}, 422, "terms.length"),
    ("/games", {"terms": {"length": 5, "games": 3}}, 400, "terms"),
    ("/games", {"terms": {"rules": {"max_cube": 3}}}, 400, "terms"),
    ("/games", {"seed": -1}, 422, "seed"),
    ("/games", {"seed": 2**64}, 422, "seed"),
    ("/games", {"starter": True}, 422, "starter"),
]


@pytest.mark.parametrize(("path", "body", "status", "field"), BAD_REQUESTS)
def test_refusals_name_the_field(
    api: httpx.Client, path: str, body: dict[str, Any], status: int, field: str
) -> None:
    answer = api.post(path, json=body)
    said = answer.json()
    assert answer.status_code == status, said
    assert said["field"].startswith(field)
    assert field.split(".")[0] in said["error"]


BAD_ACTS = [
    ({"act": "dance"}, 422),
    ({"act": "take"}, 409),
    ({"act": "roll"}, 409),
    ({"act": "play"}, 400),
    ({"act": "play", "after": "zz"}, 400),
    ({"act": "play", "after": "4HPwATDgc/ABMA"}, 409),
    ({"act": "play", "play": "24/1"}, 400),
    ({"act": "resign"}, 400),
    ({"act": "resign", "level": 7}, 422),
    ({"act": "play", "play": "8/5 6/5", "at": 99}, 409),
]


def test_illegal_acts_change_nothing(api: httpx.Client) -> None:
    game = new_game(api, starter=0)
    for act, status in BAD_ACTS:
        answer = api.post(f"/games/{game['id']}/acts", json=act)
        assert answer.status_code == status, (act, answer.text)
        assert answer.json()["error"]
    assert api.get(f"/games/{game['id']}").json()["acts"] == game["acts"]


def raw(
    address: str, method: str, path: str, body: bytes = b"", **headers: str
) -> tuple[int, bytes]:
    """A request as it stands: no client tidies the path or the headers."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
    connection.putrequest(method, path, skip_host="host" in headers)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    if "content_length" not in headers:
        connection.putheader("content-length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    found = answer.status, answer.read()
    connection.close()
    return found


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/app.py",
        "/js/../../app.py",
        "/js/..%5c..%5capp.py",
        "//etc/passwd",
        "/app.py",
        "/static/index.html",
        "/api/games/..%2f..%2fapp",
        "/api/games/%2e%2e",
        "/api/games/" + "A" * 4000,
        "/api/games/aaaaaaaaaaaaaaaa%00",
        "/api/rollouts/../status.py",
    ],
)
def test_no_file_outside_the_page_can_be_read(address: str, path: str) -> None:
    status, body = raw(address, "GET", path)
    assert status in (400, 404, 405), body
    assert b"root:" not in body
    assert b"import" not in body


def test_bodies_hosts_and_origins_are_guarded(address: str) -> None:
    json_type = {"content_type": "application/json"}
    ask = json.dumps({"id": START, "dice": "31"}).encode()
    assert raw(address, "POST", "/api/plays", ask, **json_type)[0] == 200
    assert raw(address, "POST", "/api/plays", b" " * 70_000, **json_type)[0] == 413
    many = {"content_length": "9" * 30, **json_type}
    # The server answers without reading on; the reset may overtake its answer.
    with contextlib.suppress(ConnectionResetError):
        assert raw(address, "POST", "/api/plays", b"{}", **many)[0] in (400, 413)
    assert raw(address, "POST", "/api/plays", b"{", **json_type)[0] == 422
    assert raw(address, "POST", "/api/plays", b"[" * 50_000, **json_type)[0] in (400, 422)
    assert raw(address, "POST", "/api/plays", b"\xff\xfe", **json_type)[0] in (400, 422)
    huge = b'{"id": ' + b"1" * 20_000 + b"}"
    assert raw(address, "POST", "/api/plays", huge, **json_type)[0] in (400, 422)
    assert raw(address, "POST", "/api/plays", ask, content_type="text/plain")[0] in (415, 422)
    foreign = {"origin": "http://evil.example", **json_type}
    assert raw(address, "POST", "/api/plays", ask, **foreign)[0] == 403
    assert raw(address, "GET", "/api/status", host="evil.example")[0] == 421


def test_two_hundred_requests_at_once_are_all_answered(address: str) -> None:
    asked = [
        ("/api/best", {"id": START, "dice": "52", "engine": "handmade", "count": 1}),
        ("/api/evaluate", {"ids": [START], "engine": "handmade"}),
        ("/api/plays", {"id": START, "dice": "66"}),
        ("/api/plays", {"id": "bad", "dice": "66"}),
    ]

    many = httpx.Limits(max_connections=200)
    with httpx.Client(base_url=address, timeout=120, limits=many) as client:

        def ask(number: int) -> int:
            path, body = asked[number % len(asked)]
            return client.post(path, json=body).status_code

        with ThreadPoolExecutor(200) as pool:
            statuses = list(pool.map(ask, range(200)))
    assert [status for number, status in enumerate(statuses) if number % 4 < 3] == [200] * 150
    assert statuses[3::4] == [400] * 50
    assert httpx.get(f"{address}/api/status", timeout=60).status_code == 200


def test_work_beyond_the_limit_is_refused_and_not_queued(tmp_path: Path) -> None:
    with running(tmp_path, Limits(pending=0)) as address:
        answer = httpx.post(f"{address}/api/plays", json={"id": START, "dice": "31"}, timeout=60)
    assert answer.status_code == 503
    assert answer.headers["retry-after"]


def test_the_page_and_the_description_come_from_the_server_alone(address: str) -> None:
    page = httpx.get(address, timeout=60)
    assert page.headers["content-security-policy"].startswith("default-src 'self'")
    assert "http://" not in page.text
    assert "https://" not in page.text
    described = httpx.get(f"{address}/api/openapi.json", timeout=60).json()
    assert {"/api/best", "/api/cube", "/api/games/{game}/acts"} <= set(described["paths"])
    assert httpx.get(f"{address}/api.html", timeout=60).status_code == 200
