"""A backgammon engine that teaches itself, plays with the cube and explains its decisions.

    >>> import bgai
    >>> bgai.best("4HPwATDgc/ABMA", "31", engine="expert@0").plays[0].play
    '8/5 6/5'

Everything is loaded when it is first asked for; see :mod:`bgai.api`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bgai.api import (
        Bearoff,
        Best,
        Cube,
        Engine,
        Evaluation,
        Plays,
        Position,
        RolledOut,
        analyse,
        bearoff,
        best,
        cube,
        engine,
        evaluate,
        library,
        play,
        plays,
        position,
        rollout,
    )
    from bgai.errors import InputError

__version__ = "0.2.0"

__all__ = [
    "Bearoff",
    "Best",
    "Cube",
    "Engine",
    "Evaluation",
    "InputError",
    "Plays",
    "Position",
    "RolledOut",
    "analyse",
    "bearoff",
    "best",
    "cube",
    "engine",
    "evaluate",
    "library",
    "play",
    "plays",
    "position",
    "rollout",
]


def __getattr__(name: str) -> Any:
    if name == "InputError":
        from bgai.errors import InputError

        return InputError
    if name in __all__:
        from bgai import api

        return getattr(api, name)
    raise AttributeError(f"module 'bgai' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
