"""The page in a real browser: a whole game by clicks, the cube, resuming, analysis, a phone."""

import time
from typing import Any

import httpx
from chromium import PATIENCE, until

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"

# Where to click next: a button of the person's turn, else a target, else a checker that can move.
NEXT_CLICK = """() => {
  const play = document.querySelector("#play");
  if (play.dataset.busy === "true") return null;
  if (play.dataset.phase === "over") return "over";
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  for (const id of ["confirm", "roll", "take", "accept"]) {
    const button = document.getElementById(id);
    if (button && !button.disabled) return middle(button);
  }
  const spot = document.querySelector(".spot.target rect") ??
    document.querySelector(".spot.source rect");
  return spot ? middle(spot) : null;
}"""


MY_TURN = """document.querySelector("#play[data-busy=false][data-actor='0']")"""


def start(page: Any, address: str, *, points: int | None, seed: int, level: str) -> None:
    """Open the page and fill in the dialog of a new game."""
    page.goto(address)
    page.wait_for_selector("#new-game-dialog[open]")
    page.select_option("#level", level)
    if points is None:
        page.get_by_text("Money game").click()
    else:
        page.fill("#match-length", str(points))
    page.click("#new-game-dialog summary")
    page.fill("#seed", str(seed))
    page.click("#start-game")


def click_on(page: Any, *, until: str) -> None:
    """Click through the person's turns until a condition in JavaScript holds."""
    limit = time.monotonic() + 6 * PATIENCE / 1000
    # Both in one look at the page, which may change between two.
    look = f"() => ({until}) ? 'done' : ({NEXT_CLICK})()"
    while (at := page.evaluate(look)) != "done":
        assert time.monotonic() < limit, page.inner_text("#status")
        if isinstance(at, list):
            page.mouse.click(*at)
        else:
            page.wait_for_timeout(30)


def test_double_take_and_go_on_after_a_reload(page: Any, address: str) -> None:
    start(page, address, points=5, seed=3, level="casual")
    click_on(page, until="document.querySelector('#double')")
    page.click("#double")
    until(page, "document.querySelector('.log')?.innerText.includes('takes')")
    until(page, "document.querySelector('#play').dataset.busy === 'false'")
    assert page.locator("#play .cube text").text_content() == "2"
    assert page.locator("#double").count() == 0  # the opponent owns the cube now
    shown = [page.inner_text(each) for each in ("#strip-top", "#strip-bottom", ".log")]
    page.reload()
    page.wait_for_selector(".log")
    until(page, "document.querySelector('#play').dataset.busy === 'false'")
    assert [page.inner_text(each) for each in ("#strip-top", "#strip-bottom", ".log")] == shown
    assert page.locator("#play .cube text").text_content() == "2"


def doubled_game(address: str) -> str:
    """A game in which the program has doubled a person who played badly."""
    with httpx.Client(base_url=f"{address}/api", timeout=120) as client:
        new = {"level": "casual", "seed": 1, "terms": {"length": 7}}
        game = client.post("/games", json=new).json()
        for _ in range(200):
            if game["phase"] == "doubled":
                return str(game["id"])
            act: dict[str, Any] = {"act": "roll"}
            if game["phase"] == "play":
                act = {"act": "play", "play": ""}
                if game["plays"]:
                    act = {"act": "play", "after": game["plays"][-1]["after"]}
            game = client.post(f"/games/{game['id']}/acts", json=act).json()
    raise AssertionError("the program never doubled")


def checkers(page: Any, view: str) -> list[list[str]]:
    """Colour and place on the board of every checker drawn."""
    drawn = page.locator(f"{view} .checker").evaluate_all(
        "each => each.map(one => [one.getAttribute('class'), one.getAttribute('transform')])"
    )
    return sorted(drawn)


def test_the_hint_of_a_double_is_about_the_person(page: Any, address: str) -> None:
    game = doubled_game(address)
    page.goto(address)
    page.evaluate("id => localStorage.setItem('bgai.game', JSON.stringify(id))", game)
    page.reload()
    page.wait_for_selector("#take")
    page.keyboard.press("h")
    page.wait_for_selector("#tutor-card .chances")
    hint = httpx.get(f"{address}/api/games/{game}/hint", timeout=120).json()
    rows = page.locator("#tutor-card .chances-row").all_inner_texts()
    mine = 100 * hint["chances"]["win"]
    assert mine < 40
    assert rows[0].startswith("You")
    assert f"{mine:.1f}%" in rows[0]
    assert rows[1].startswith("bgai")
    assert f"{100 - mine:.1f}%" in rows[1]
    assert page.inner_text("#tutor-card caption") == "Equity of bgai"
    assert page.locator("#tutor-card .chances-row").first.locator(".chip.light").count() == 1
    at_table = checkers(page, "#play")
    page.click("#analyse-this")
    page.wait_for_selector("#verdict")
    assert checkers(page, "#analyse") == at_table
    chips = page.locator("#analyse .chances-row .chip")
    assert [chips.nth(i).get_attribute("class") for i in (0, 1)] == ["chip dark", "chip light"]
    verdict = page.locator("#analyse .chances-row").all_inner_texts()
    assert "On roll" in verdict[0]
    assert f"{100 - mine:.1f}%" in verdict[0]


def test_a_stale_second_tab_catches_up_by_itself(page: Any, address: str) -> None:
    start(page, address, points=3, seed=4, level="casual")
    until(page, MY_TURN)
    other = page.context.new_page()
    other.goto(address)
    until(other, MY_TURN)
    long = len(other.inner_text(".log")) + 60
    click_on(page, until=f"{MY_TURN} && document.querySelector('.log').innerText.length > {long}")
    until(page, MY_TURN)
    played = page.inner_text(".log")
    assert other.inner_text(".log") != played
    click_on(other, until="document.querySelector('#toast').innerText.includes('another tab')")
    until(other, MY_TURN)
    assert other.inner_text(".log") == played
    assert other.inner_text("#strip-bottom") == page.inner_text("#strip-bottom")
    other.close()


def test_the_list_of_games_opens_and_removes_them(page: Any, address: str) -> None:
    start(page, address, points=3, seed=4, level="casual")
    until(page, MY_TURN)
    page.click("#games")
    page.wait_for_selector("#games-dialog[open]")
    rows = page.locator("#games-dialog li")
    count = rows.count()
    page.locator("#games-dialog li[aria-current] .quiet-button").click()
    page.click("#ask-no")
    assert rows.count() == count
    page.locator("#games-dialog li[aria-current] .quiet-button").click()
    page.click("#ask-yes")
    page.wait_for_selector("#new-game-dialog[open]")
    assert rows.count() == count - 1


def test_the_tutor_undo_and_keyboard(page: Any, address: str) -> None:
    start(page, address, points=3, seed=3, level="random")
    page.wait_for_selector(".spot.source")
    page.check("#tutor-switch")
    first = page.locator(".spot.source").first
    first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".spot.target")
    page.locator(".spot.target").first.focus()
    page.keyboard.press("Enter")
    page.click("#undo")
    assert page.is_disabled("#undo")
    click_on(page, until="document.querySelector('#confirm:enabled')")
    page.locator("body").press("Enter")
    page.wait_for_selector("#tutor-card .verdict")
    said = page.inner_text("#tutor-card")
    assert "Right" in said or "best" in said or "loses" in said


def test_analysis_of_an_id_and_of_a_bad_one(page: Any, address: str) -> None:
    page.goto(f"{address}/#/analyse?id={OPENING}")
    page.select_option("#depth", "0")
    page.wait_for_selector("#judgement .plays")
    assert page.locator("#judgement .plays tbody tr").first.inner_text().split("\t")[1] == "8/5 6/5"
    assert page.locator(".arrow-head").count() == 2
    page.fill("#id-input", "4HPwATDgc/ABMA")
    page.keyboard.press("Enter")
    page.wait_for_selector("#verdict")
    assert page.inner_text("#verdict").startswith("No double")
    before = page.url
    page.fill("#id-input", "XGID=nonsense")
    page.keyboard.press("Enter")
    page.wait_for_selector("#id-problem:visible")
    assert "XGID" in page.inner_text("#id-problem")
    assert page.url == before
    page.click("#setup-toggle")
    page.click("#clear-board")
    for place in ("6", "5"):
        page.locator(f"#analyse .spot[data-place='{place}']").press("Enter")
    page.get_by_label("Opponent (15 off)").check()
    page.locator("#analyse .spot[data-place='24']").press("Enter")
    until(page, "document.querySelector('#id-input').value.includes('=-----AA-----------------a-')")
    until(page, "document.querySelector('#caption').innerText.includes('on roll 11,')")


def test_a_narrow_screen_needs_no_scrolling_sideways(phone: Any, address: str) -> None:
    start(phone, address, points=3, seed=3, level="random")
    phone.wait_for_selector(".spot.source")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    phone.locator(".spot.source").first.tap()
    phone.locator(".spot.target").first.tap()
    phone.wait_for_selector("#undo:enabled")
    box = phone.locator("#confirm").bounding_box()
    assert box["y"] + box["height"] <= 640
    assert box["height"] >= 40
    phone.goto(f"{address}/#/analyse?id={OPENING}")
    phone.wait_for_selector("#judgement .plays")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360


def test_everything_that_can_be_used_has_a_name(page: Any, address: str) -> None:
    page.goto(f"{address}/#/analyse?id={OPENING}")
    page.wait_for_selector("#judgement .plays")
    nameless = page.evaluate("""() => [...document.querySelectorAll(
        "button, select, input, summary, a[href], [role=button], [role=img]")]
      .filter((each) => each.offsetParent !== null || each instanceof SVGElement)
      .filter((each) => !(each.getAttribute("aria-label") || each.innerText?.trim() ||
        each.labels?.length || each.textContent.trim()))
      .map((each) => each.outerHTML)""")
    assert nameless == []
    assert page.evaluate("document.documentElement.lang") == "en"


def test_a_whole_game_by_clicks(page: Any, address: str) -> None:
    start(page, address, points=1, seed=20, level="casual")
    click_on(page, until="document.querySelector('#again')")
    assert "win" in page.inner_text("#status")
    off = page.evaluate("document.querySelectorAll('.board .slice').length")
    assert off >= 15
    assert "match" in page.inner_text("#status")
