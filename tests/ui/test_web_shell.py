"""The page as one app: its views, their addresses, Back, and what a first visit loads."""

from typing import Any

from chromium import until

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
FIRST_LOAD = 250_000  # bytes


def test_views_follow_the_address_and_back(page: Any, address: str) -> None:
    page.goto(f"{address}/#/analyse?id={OPENING}")
    page.wait_for_selector("#judgement .plays")
    page.click("#nav-settings")
    page.wait_for_selector("#settings h1")
    assert page.get_attribute("#nav-settings", "aria-current") == "page"
    assert page.locator("#analyse").count() == 0
    page.go_back()
    page.wait_for_selector("#analyse #judgement .plays")
    assert OPENING.replace("=", "%3D").replace(":", "%3A") in page.url
    assert page.get_attribute("#nav-analyse", "aria-current") == "page"
    assert page.title().startswith("Analyse ")


def test_every_view_of_the_navigation_opens(page: Any, address: str) -> None:
    page.goto(f"{address}/#/settings")
    page.wait_for_selector("#settings h1")
    names = page.locator("#views a").evaluate_all("each => each.map(one => one.id)")
    assert {"nav-play", "nav-analyse", "nav-settings"} <= set(names)
    for name in names:
        page.evaluate("location.hash = '#/settings'")
        page.click(f"#{name}")
        until(
            page, f"document.querySelector('#main > #{name.removeprefix('nav-')}')?.children.length"
        )
        assert page.locator("#main > .problem").count() == 0
        page.keyboard.press("Escape")


def test_a_first_visit_loads_little(page: Any, address: str) -> None:
    loaded: list[int] = []
    page.on("response", lambda response: loaded.append(len(response.body())))
    page.goto(address)
    page.wait_for_selector("#play .board")
    page.wait_for_load_state("networkidle")
    assert 20_000 < sum(loaded) <= FIRST_LOAD
