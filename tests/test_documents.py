"""Every Python example of the README, the docs and the front door runs as it stands."""

import contextlib
import doctest
import io
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SOURCES = ["bgai", "bgai.api"]
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_FIGURE = re.compile(r"[+-]?\d+\.\d+")


class Words(doctest.OutputChecker):
    """Compares words, plays and whole numbers; figures move with every new network."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return self._plain(want) == self._plain(got)

    @staticmethod
    def _plain(text: str) -> list[str]:
        return _FIGURE.sub("#", text).split()


def blocks(page: Path) -> list[str]:
    """The Python examples of a page."""
    return _BLOCK.findall(page.read_text(encoding="utf-8"))


def run_examples(text: str, names: dict[str, Any], where: str) -> None:
    """Run ``>>>`` examples and compare what they print."""
    runner = doctest.DocTestRunner(checker=Words(), verbose=False)
    test = doctest.DocTestParser().get_doctest(text, names, where, None, 0)
    told = io.StringIO()
    runner.run(test, out=told.write, clear_globs=False)
    assert not runner.summarize(verbose=False).failed, told.getvalue()
    names.update(test.globs)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_of_a_page(page: Path) -> None:
    names: dict[str, Any] = {"__name__": "__example__"}
    for number, block in enumerate(blocks(page), 1):
        if ">>>" in block:
            run_examples(block, names, f"{page.name} {number}")
            continue
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                exec(compile(block, f"{page.name} {number}", "exec"), {"__name__": "__example__"})
            except ModuleNotFoundError as error:
                pytest.skip(f"needs {error.name}")


@pytest.mark.parametrize("name", SOURCES)
def test_examples_of_a_docstring(name: str) -> None:
    import importlib

    text = importlib.import_module(name).__doc__
    assert text is not None
    assert ">>>" in text
    run_examples(text, {}, name)


def test_the_readme_needs_three_lines_at_most() -> None:
    (block,) = blocks(ROOT / "README.md")
    assert 2 <= sum(line.startswith((">>>", "...")) for line in block.splitlines()) <= 3
    assert "8/5 6/5" in block


def test_a_wrong_example_is_found() -> None:
    with pytest.raises(AssertionError):
        run_examples(">>> 'a play ' + '8/5'\n'a play 8/4'\n", {}, "wrong")
    run_examples(">>> print('equity +0.123')\nequity +0.456\n", {}, "figures move")
