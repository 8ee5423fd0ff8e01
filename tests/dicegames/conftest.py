"""One cache of tables for all dice game tests, discarded afterwards."""

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def dice_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    before = os.environ.get("BGAI_CACHE_DIR")
    os.environ["BGAI_CACHE_DIR"] = str(tmp_path_factory.mktemp("tables"))
    yield
    if before is None:
        del os.environ["BGAI_CACHE_DIR"]
    else:
        os.environ["BGAI_CACHE_DIR"] = before
