"""Faults that the page had: dragging by finger, dead ends, stops of Tab, what lay out of sight."""

from typing import Any

import pytest
from chromium import opened, until
from test_web_page import MY_TURN, start

ROLLED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
DOUBLED = "XGID=-b-bBBC-BB--cB---bAb--b-bA:0:0:1:D:0:0:3:0:10"


def middle(page: Any, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_finger_drags_a_checker(phone: Any, address: str) -> None:
    start(phone, address, points=3, seed=3, level="random")
    phone.wait_for_selector(".spot.source")
    phone.locator(".spot.source").first.tap()
    target = middle(phone, ".spot.target rect")
    phone.locator(".spot.source").first.tap()  # put down again
    source = middle(phone, ".spot.source rect")
    session = phone.context.new_cdp_session(phone)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    touch("touchStart", source)
    for step in range(1, 9):
        part = step / 8
        touch(
            "touchMove",
            tuple(a + part * (b - a) for a, b in zip(source, target, strict=True)),  # type: ignore[arg-type]
        )
    touch("touchEnd")
    phone.wait_for_selector("#undo:enabled")


def test_escape_in_the_first_dialog_leaves_a_page_to_go_on_from(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("#new-game-dialog[open]")
    page.keyboard.press("Escape")
    until(page, "!document.querySelector('dialog[open]')")
    page.wait_for_selector("#start-card button:visible, #actions button:visible")
    page.locator("#start-card button:visible, #actions button:visible").first.click()
    page.wait_for_selector("#new-game-dialog[open]")


def test_the_board_is_one_stop_of_tab_and_tells_everything(page: Any, address: str) -> None:
    start(page, address, points=3, seed=3, level="random")
    page.wait_for_selector(".spot.source")
    page.locator("body").click(position={"x": 2, "y": 2})
    on_board = stops = 0
    for _ in range(40):
        page.keyboard.press("Tab")
        where = page.evaluate(
            "[document.activeElement.closest('.board') !== null, document.activeElement.id]"
        )
        stops += 1
        on_board += where[0]
        if where[1] == "hint":
            break
    assert where[1] == "hint"
    assert on_board <= 1
    assert stops <= 20
    words = page.evaluate(
        "document.querySelector('.board').getAttribute('aria-label') ?? "
        "document.getElementById(document.querySelector('.board')"
        ".getAttribute('aria-describedby')).textContent"
    )
    for said in ("pips", "cube"):
        assert said in page.inner_text("body").lower() or said in words.lower()


@pytest.mark.parametrize("size", [(1366, 768), (360, 740)])
def test_setting_up_is_in_sight(browser: Any, address: str, size: tuple[int, int]) -> None:
    with opened(browser, width=size[0], height=size[1]) as page:
        page.goto(f"{address}/#/analyse?id={ROLLED}")
        page.wait_for_selector("#judgement .plays")
        page.click("#setup-toggle")
        page.wait_for_selector("#clear-board")
        page.locator("#clear-board").scroll_into_view_if_needed()
        board = page.locator("#analyse .board").bounding_box()
        tools = page.locator("#clear-board").bounding_box()
        assert board is not None
        assert tools["y"] + tools["height"] <= size[1]
        if size[0] > 1000:
            assert board["y"] >= 0  # the board and its tools at once


def test_a_notice_covers_no_button(page: Any, address: str) -> None:
    start(page, address, points=3, seed=3, level="random")
    page.wait_for_selector(".spot.source")
    page.reload()
    page.wait_for_selector("#toast:visible")
    until(page, MY_TURN)
    covered = page.evaluate("""() => {
      const toast = document.querySelector("#toast").getBoundingClientRect();
      return [...document.querySelectorAll("#actions button")].filter((each) => {
        const box = each.getBoundingClientRect();
        return box.width && box.left < toast.right && box.right > toast.left &&
          box.top < toast.bottom && box.bottom > toast.top;
      }).map((each) => each.id);
    }""")
    assert covered == []


def test_a_hint_on_a_phone_is_in_sight(phone: Any, address: str) -> None:
    start(phone, address, points=3, seed=3, level="random")
    phone.wait_for_selector(".spot.source")
    phone.locator("#hint").tap()
    phone.wait_for_selector(".hint:visible, #tutor-card .plays:visible")
    box = phone.locator("#tutor-card").bounding_box()
    assert box["y"] < 640
