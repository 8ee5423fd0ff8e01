"""The decorator of all compiled kernels. Their machine code is kept in the user's cache.

Code is kept in a folder named after the contents of every source a kernel can have built in:
its own file and those it imports, directly or not. Left to itself numba looks at the kernel's
own file only, and goes on running old code of the others. Where the cache can't be written,
kernels are compiled anew in every process; nothing is ever written into the package.
"""

import contextlib
import hashlib
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from bgai import notices
from bgai.folders import cache_dir

with notices.busy("Loading the engine"):
    import numba
    from numba.core import caching, event

_OLD = 14 * 24 * 3600  # seconds after which code that nobody used is removed
_IMPORT = re.compile(r"^(?:from +([\w.]+) +import +(\([^)]*\)|[^#\n]+)|import +([\w.]+))", re.M)


def compiled(
    *,
    inline: Literal["never", "always"] = "never",
    fastmath: bool = False,
    error_model: Literal["python", "numpy"] = "python",
    keep: bool = True,
) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function at its first call; the arguments are numba's.

    The function releases the interpreter's lock. With ``keep`` the code is kept between runs.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        compile_later: Any = numba.njit(
            nogil=True, inline=inline, fastmath=fastmath, error_model=error_model
        )
        kernel = compile_later(function)
        if keep:
            kernel._cache = _Kept(function)
        return kernel

    return decorate


def kernels_dir() -> Path:
    """Where machine code is kept, a folder for each state of the sources."""
    return cache_dir() / "kernels"


class _Locator(caching._CacheLocator):
    """Tells numba where the code of a kernel is kept, and whether it is still good."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file
        self._line = function.__code__.co_firstlineno
        self._digest = sources_digest(function.__module__, file)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "_Locator":
        return cls(py_func, py_file)

    def ensure_cache_path(self) -> None:
        folder = Path(self.get_cache_path())
        if not folder.is_dir():
            folder.mkdir(parents=True)
            _remove_old()

    def get_cache_path(self) -> str:
        return str(kernels_dir() / self._digest)

    def get_source_stamp(self) -> str:
        return self._digest

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Implementation(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012


class _Kept(caching.FunctionCache):
    """numba's cache, except that a file that can't be read or written is no error."""

    _impl_class = _Implementation

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # damaged files end in errors of many kinds
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


class _Notice(event.Listener):  # type: ignore[misc]
    """Says that kernels are being compiled, and how many have been. They come nested."""

    def __init__(self) -> None:
        self.work = notices.Work("")
        self.done = self.depth = 0

    def on_start(self, event: Any) -> None:
        self.depth += 1
        if self.depth == 1:
            self.work.text = self._text()
            notices.begin(self.work)

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        self.done += 1
        self.work.text = self._text()
        if self.depth:
            notices.changed()
        else:
            notices.end(self.work)

    def _text(self) -> str:
        return f"Compiling kernels (once, about a minute in all): {self.done} ready"


event.register("numba:compile", _Notice())  # inside numba's lock, one thread at a time


@cache
def sources_digest(module: str, file: str) -> str:
    """Digest of a module's file and of all it imports from its own package or from bgai."""
    digest = hashlib.sha256()
    for path in sorted(_reached(module, Path(file))):
        digest.update(f"{path.name}\n".encode())
        digest.update(_text(path).encode())
    return digest.hexdigest()[:16]


def _reached(module: str, file: Path) -> set[Path]:
    found: set[Path] = set()
    waiting = [file]
    packages = {"bgai", module.split(".")[0]}
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(
                imported for name in _imports(path) for imported in _files(name, packages)
            )
    return found


@lru_cache
def _imports(path: Path) -> tuple[str, ...]:
    """Names of modules, and of what may be modules, that a file imports at its top level."""

    def names() -> Iterator[str]:
        for parent, imported, alone in _IMPORT.findall(_text(path)):
            yield parent or alone
            for name in re.findall(r"\w+", imported):
                yield f"{parent}.{name}"

    return tuple(names())


@lru_cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _files(name: str, packages: set[str]) -> Iterator[Path]:
    top, *rest = name.split(".")
    package = getattr(sys.modules.get(top), "__file__", None) if top in packages else None
    if package is not None and rest:
        path = Path(package).parent.joinpath(*rest).with_suffix(".py")
        if path.is_file():
            yield path


def _remove_old() -> None:
    with contextlib.suppress(OSError):
        for folder in kernels_dir().iterdir():
            used = max((file.stat().st_atime for file in folder.iterdir()), default=0.0)
            if time.time() - max(used, folder.stat().st_mtime) > _OLD:
                shutil.rmtree(folder, ignore_errors=True)
