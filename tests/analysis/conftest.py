"""Stores of analyses."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from analysed_matches import review_of, three_points

from bgai.analysis.store import Store


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the review of the three-point match, to be copied."""
    path = tmp_path_factory.mktemp("reviewed") / "analyses.sqlite"
    with Store(path) as opened:
        review_of(three_points(), opened)
    return path


@pytest.fixture
def full(reviewed: Path, tmp_path: Path) -> Iterator[Store]:
    """That store: nothing has to be judged again."""
    with Store(Path(shutil.copy(reviewed, tmp_path / "full.sqlite"))) as opened:
        yield opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "analyses.sqlite") as opened:
        yield opened
