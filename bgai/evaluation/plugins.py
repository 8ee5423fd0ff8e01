"""Evaluators from outside: packages, Python paths and ONNX files as engines.

A package offers evaluators under the entry points ``bgai.evaluators``::

    [project.entry-points."bgai.evaluators"]
    mine = "my_package.agents:evaluator"

and ``mine`` is an engine then. Without a package ``module:object`` names one, ``model.onnx`` or a
folder with that file a network in the ONNX format (``bgai.evaluation.onnx_evaluator``). The object
is an evaluator (``bgai.evaluation.evaluator.Evaluator``), or a class or function that makes one
when it is called without arguments. It must judge a position the same each time, and is asked
by several threads where a search has several.
"""

import importlib
import re
import sys
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import numpy as np

from bgai.errors import InputError
from bgai.evaluation.checkpoint import CARD_FILE, released_checkpoints
from bgai.evaluation.evaluator import Chances, Evaluator, consistent_chances
from bgai.rules.position import Positions, starting_position

GROUP = "bgai.evaluators"
OFFERED = "an evaluator that a package offers"
ONNX_FILE = "model.onnx"
_SLACK = 1e-4  # beyond 0 and 1, for rounding
_PATH = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


@lru_cache(maxsize=1)
def _entry_points() -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=GROUP))}


def plugin_names() -> list[str]:
    """The evaluators that installed packages offer, by name."""
    return list(_entry_points())


def is_plugin(name: str) -> bool:
    """Whether a name is that of an evaluator from outside; nothing is loaded.

    The names of released networks stay theirs.
    """
    if name in released_checkpoints():
        return False
    return name in _entry_points() or bool(_PATH.fullmatch(name)) or onnx_file(name) is not None


def onnx_file(name: str) -> Path | None:
    """The ONNX file that a name means: itself, or in a folder that is no checkpoint."""
    path = Path(name)
    if path.suffix == ".onnx":
        return path
    inside = path / ONNX_FILE
    return inside if inside.is_file() and not (path / CARD_FILE).exists() else None


def plugin_label(name: str) -> str:
    """The name for people, of a file without its folders."""
    return name if onnx_file(name) is None or name in _entry_points() else Path(name).name


def load_plugin(name: str, device: str = "cpu") -> Evaluator:
    """The evaluator of such a name. Raises ``InputError`` for one that can't be used."""
    file = onnx_file(name)
    if file is not None and name not in _entry_points():
        from bgai.evaluation.onnx_evaluator import OnnxEvaluator

        return CheckedEvaluator(name, OnnxEvaluator(file, device))
    if device != "cpu":
        raise InputError(f"--device {device}: only networks run there, not {name}")
    try:
        found = _object(name)
        made = found if hasattr(found, "evaluate") and not isinstance(found, type) else found()
    except InputError:
        raise
    except Exception as error:  # somebody else's code: anything may happen
        raise InputError(
            f"evaluator '{name}': can't be loaded: {type(error).__name__}: {error}"
        ) from error
    if not callable(getattr(made, "evaluate", None)):
        raise InputError(f"evaluator '{name}': a {type(made).__name__} has no method evaluate")
    return CheckedEvaluator(name, made)


def _object(name: str) -> Any:
    point = _entry_points().get(name)
    if point is not None:
        return point.load()
    module, _, attributes = name.partition(":")
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))  # the console command does not look there by itself
    found: Any = importlib.import_module(module)
    for attribute in attributes.split("."):
        found = getattr(found, attribute)
    return found


class CheckedEvaluator:
    """An evaluator from outside whose answers are looked at before they are used."""

    def __init__(self, name: str, evaluator: Evaluator) -> None:
        """Asks once, so that an evaluator that doesn't work is told at the start."""
        self.name = name
        self.inner = evaluator
        self.evaluate(np.repeat(starting_position()[None], 2, axis=0))

    def evaluate(self, positions: Positions) -> Chances:
        """Chances ``(n, 5)``, consistent: a backgammon is a gammon, a gammon a win or a loss.

        Raises ``InputError`` for an answer of another shape or with numbers that are no chances.
        """
        try:
            answer: Any = np.asarray(self.inner.evaluate(positions))
        except InputError:
            raise
        except Exception as error:
            raise self._wrong(f"{type(error).__name__}: {error}") from error
        if answer.shape != (len(positions), 5):
            raise self._wrong(f"gave shape {answer.shape}, not ({len(positions)}, 5)")
        if not np.issubdtype(answer.dtype, np.number):
            raise self._wrong(f"gave {answer.dtype}, not numbers")
        if not ((answer >= -_SLACK) & (answer <= 1 + _SLACK)).all():
            raise self._wrong("gave chances that are not from 0 to 1")
        return consistent_chances(answer)

    def _wrong(self, what: str) -> InputError:
        return InputError(f"evaluator '{self.name}': evaluate {what}")
