"""Where files outside the package go: tables, and machine code of the kernels."""

import contextlib
import hashlib
import os
import shutil
import time
from pathlib import Path

CACHE_DIR_VARIABLE = "BGAI_CACHE_DIR"
_PACKAGE = Path(__file__).resolve().parent
_OLD = 14 * 24 * 3600  # seconds after which the code of other versions is removed


def cache_dir() -> Path:
    """Where tables are kept: ``$BGAI_CACHE_DIR``, else the user's cache directory."""
    chosen = os.environ.get(CACHE_DIR_VARIABLE)
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("bgai", appauthor=False))


def keep_kernels_by_version() -> None:
    """Have numba keep compiled kernels in a folder named after the contents of their sources.

    By itself numba looks at the file of a kernel only, so after an update a kernel could go
    on running with old code of another file that it has built in. Does nothing if the user
    has chosen a folder (``$NUMBA_CACHE_DIR``) or none can be made.
    """
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    digest = hashlib.sha256()
    # Kernels and the modules whose constants they have built in.
    patterns = ("**/*kernels.py", "*/encoding.py", "rules/*.py")
    for path in sorted({path for pattern in patterns for path in _PACKAGE.glob(pattern)}):
        digest.update(path.read_bytes())
    kernels = cache_dir() / "kernels"
    folder = kernels / digest.hexdigest()[:16]
    with contextlib.suppress(OSError):
        if not folder.is_dir():
            folder.mkdir(parents=True)
            _remove_old(kernels)
        os.utime(folder)
        os.environ["NUMBA_CACHE_DIR"] = str(folder)


def _remove_old(kernels: Path) -> None:
    for folder in kernels.iterdir():
        if time.time() - folder.stat().st_mtime > _OLD:
            shutil.rmtree(folder, ignore_errors=True)
