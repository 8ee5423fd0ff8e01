"""Compiled parts of the evaluation cache: packing, looking up, storing."""

from typing import Any

import numpy as np

from bgai.compiled import compiled


@compiled()
def pack(positions: Any) -> Any:
    """Keys ``(n, 4)`` uint64: 13 slots of four bits a word, two words a side."""
    keys = np.empty((positions.shape[0], 4), dtype=np.uint64)
    for i in range(positions.shape[0]):
        for side in range(2):
            for half in range(2):
                word = np.uint64(0)
                for slot in range(13):
                    count = np.uint64(positions[i, side, half * 13 + slot])
                    word |= count << np.uint64(4 * slot)
                keys[i, side * 2 + half] = word
    return keys


@compiled()
def _place(key: Any, entries: int) -> Any:
    mixed = key[0] * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29)) ^ key[1]) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(31)) ^ key[2]) * np.uint64(0x94D049BB133111EB)
    mixed = (mixed ^ (mixed >> np.uint64(30)) ^ key[3]) * np.uint64(0xD6E8FEB86659FD93)
    mixed = mixed ^ (mixed >> np.uint64(32))
    return np.int64(mixed & np.uint64(entries - 1))


@compiled()
def look_up(keys: Any, table: Any, values: Any) -> Any:
    """Chances ``(n, 5)``, filled where known, and the rows that are missing."""
    n = keys.shape[0]
    chances = np.empty((n, 5), dtype=np.float32)
    missing = np.empty(n, dtype=np.int64)
    count = 0
    for i in range(n):
        at = _place(keys[i], table.shape[0])
        same = True
        for j in range(4):
            same = same and table[at, j] == keys[i, j]
        if same:
            for j in range(5):
                chances[i, j] = values[at, j]
        else:
            missing[count] = i
            count += 1
    return chances, missing[:count]


@compiled()
def store(keys: Any, rows: Any, fresh: Any, table: Any, values: Any) -> None:
    """Keep ``fresh[k]`` as the chances of the position of row ``rows[k]``."""
    for k in range(rows.shape[0]):
        at = _place(keys[rows[k]], table.shape[0])
        for j in range(4):
            table[at, j] = keys[rows[k], j]
        for j in range(5):
            values[at, j] = fresh[k, j]
