"""Commands run inside the tests' own process; a browser and a server for tests of the page."""

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def an_interrupted_command_leaves_the_tests_running(monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-C the program leaves at once (``os._exit``); here it raises ``SystemExit``."""
    monkeypatch.setattr(os, "_exit", sys.exit)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of the page with games and analyses of its own."""
    from web_server import served

    with served(tmp_path_factory.mktemp("games")) as url:
        yield url


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from chromium import launched

    with launched() as chromium:
        yield chromium


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    from chromium import opened

    with opened(browser, width=1280, height=850) as tab:
        yield tab


@pytest.fixture
def phone(browser: Any) -> Iterator[Any]:
    from chromium import opened

    with opened(browser, width=360, height=640, color_scheme="dark", has_touch=True) as tab:
        yield tab
