"""Players by name, for duels and measurements: networks, levels, and either searched deeper.

A name is a released network (``expert``), a level (``handmade``) or the folder of a
checkpoint, each with ``@N`` behind it for an N-ply lookahead: ``handmade@1``. A network plays
at 0-ply. Where a network and a level have the same name the network is meant, and
``level:expert`` is the level.
"""

import re

from bgai.errors import InputError
from bgai.evaluation.checkpoint import load_evaluator, released_checkpoints
from bgai.evaluation.evaluator import Evaluator
from bgai.players.levels import BEST, LEVELS, find_level
from bgai.search.engine import EngineSettings, build_engine
from bgai.search.lookahead import Lookahead

LEVEL_PREFIX = "level:"

JUDGED_REPLIES = 4
"""Replies of a roll that the judge's small network leaves to the large one."""


def contestant(name: str, *, seed: int = 0, threads: int = 1) -> Evaluator:
    """The evaluator of that name; a ``Lookahead`` where plies are asked for.

    Raises ``InputError`` where nothing has that name.
    """
    match = re.fullmatch(r"(.+)@(\d+)", name)
    if match:
        inner = contestant(match[1], seed=seed)
        return Lookahead(inner, plies=int(match[2]), threads=threads)
    if name.startswith(LEVEL_PREFIX):
        return find_level(name.removeprefix(LEVEL_PREFIX)).make(seed).evaluator
    if name in released_checkpoints():
        return load_evaluator(name)
    levels = [level.name for level in LEVELS] + [BEST]
    if name in levels:
        return find_level(name).make(seed).evaluator
    try:
        return load_evaluator(name)
    except InputError as error:
        raise InputError(
            f"no player '{name}': not a level ({', '.join(levels)}); {error}"
        ) from error


def luck_judge(name: str | None = None, *, threads: int = 1) -> Lookahead:
    """A 0-ply lookahead to judge luck by: of a network or level, by default the best network.

    A network is helped by its small one, which looks at the plays first.
    """
    if name is None or name in released_checkpoints():
        return build_engine(EngineSettings(network=name, keep=JUDGED_REPLIES, threads=threads))
    return Lookahead(contestant(name), plies=0, threads=threads)
