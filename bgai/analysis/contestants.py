"""Players by name, for duels and measurements: levels, networks, and either searched deeper.

A name is a level (``handmade``), a released network (``expert``) or the path of a
checkpoint, each with ``@N`` behind it for an N-ply lookahead: ``handmade@1``.
"""

import re

from bgai.errors import InputError
from bgai.evaluation.evaluator import Evaluator
from bgai.search.lookahead import Lookahead
from bgai.table.levels import BEST, LEVELS, find_level


def contestant(name: str, *, seed: int = 0, threads: int = 1) -> Evaluator:
    """The evaluator of that name; a ``Lookahead`` where plies are asked for.

    Raises ``InputError`` where nothing has that name.
    """
    match = re.fullmatch(r"(.+)@(\d)", name)
    if match:
        inner = contestant(match[1], seed=seed)
        return Lookahead(inner, plies=int(match[2]), threads=threads)
    if name == BEST or name in {level.name for level in LEVELS}:
        return find_level(name).make(seed).evaluator
    return _network(name)


def _network(name: str) -> Evaluator:
    from bgai.evaluation.checkpoint import load_evaluator

    try:
        return load_evaluator(name)
    except InputError as error:
        levels = ", ".join(level.name for level in LEVELS)
        raise InputError(
            f"no player '{name}': not a level ({levels}, {BEST}), and {error}"
        ) from error
