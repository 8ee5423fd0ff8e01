"""Where files outside the package go: tables, and machine code of the kernels."""

import os
from pathlib import Path

CACHE_DIR_VARIABLE = "BGAI_CACHE_DIR"


def cache_dir() -> Path:
    """Where tables are kept: ``$BGAI_CACHE_DIR``, else the user's cache directory."""
    chosen = os.environ.get(CACHE_DIR_VARIABLE)
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("bgai", appauthor=False))
