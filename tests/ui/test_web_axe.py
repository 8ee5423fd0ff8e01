"""axe-core finds no fault in any view, light and dark, on a screen and on a phone."""

from importlib import resources
from typing import Any

import pytest
from chromium import opened, until

pytest.importorskip("axe_playwright_python")

ID = "XGID=-b-bBBC-BB--cB---bAb--b-bA:0:0:1:00:0:0:3:0:10"
ROLLED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
VIEWS = {
    "play": ("#/play", "document.querySelector('#play .board')"),
    "plays": (f"#/analyse?id={ROLLED}", "document.querySelector('#judgement .plays')"),
    "cube": (f"#/analyse?id={ID}", "document.querySelector('#judgement table')"),
    "settings": ("#/settings", "document.querySelector('#settings h1')"),
}
SCREENS: dict[str, dict[str, Any]] = {
    "screen": {"width": 1366, "height": 768},
    "phone, dark": {"width": 360, "height": 740, "color_scheme": "dark", "has_touch": True},
}


def violations(page: Any) -> list[str]:
    """What axe-core complains of, a line each."""
    source = resources.files("axe_playwright_python").joinpath("axe.min.js")
    page.evaluate(source.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")
    return [
        f"{each['id']}: {each['help']}: {[node['html'][:120] for node in each['nodes'][:3]]}"
        for each in found["violations"]
    ]


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_has_no_violations(browser: Any, address: str, view: str, screen: str) -> None:
    where, ready = VIEWS[view]
    with opened(browser, **SCREENS[screen]) as page:
        page.goto(f"{address}/{where}")
        until(page, ready)
        assert violations(page) == []


def test_a_dialog_and_a_game_have_none(page: Any, address: str) -> None:
    page.goto(f"{address}/#/play")
    until(page, "document.querySelector('dialog[open]')")
    assert violations(page) == []
    page.click("dialog[open] button[type=submit]")
    until(page, "!document.querySelector('dialog[open]')")
    until(page, "document.querySelector('#play .board')")
    assert violations(page) == []
