"""Commands run inside the tests' own process."""

import os
import sys

import pytest


@pytest.fixture(autouse=True)
def an_interrupted_command_leaves_the_tests_running(monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-C the program leaves at once (``os._exit``); here it raises ``SystemExit``."""
    monkeypatch.setattr(os, "_exit", sys.exit)
