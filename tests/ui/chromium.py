"""A real Chromium for tests of the page; its fixtures are in conftest.py."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60_000  # milliseconds; the machine may be busy


@contextmanager
def launched() -> Iterator[Any]:
    """The browser; skips the test where there is none."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("Debian's chromium is not installed")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield chromium
        chromium.close()


@contextmanager
def opened(browser: Any, *, width: int, height: int, **options: Any) -> Iterator[Any]:
    """A tab without animations that fails the test on any script error or foreign request."""
    options.setdefault("reduced_motion", "reduce")
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    tab = context.new_page()
    tab.set_default_timeout(PATIENCE)
    problems: list[str] = []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on(
        "request",
        lambda request: (
            None
            if request.url.startswith(("http://127.0.0.1:", "blob:", "data:"))
            else problems.append(request.url)
        ),
    )
    yield tab
    context.close()
    assert problems == []


def until(page: Any, condition: str) -> None:
    """Wait until JavaScript holds (the page's own policy forbids Playwright's way to wait)."""
    limit = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(f"() => Boolean({condition})"):
        assert time.monotonic() < limit, condition
        page.wait_for_timeout(20)
