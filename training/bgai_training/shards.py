"""Labelled positions on disk, in numbered files."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bgai.files import replacing


@dataclass
class Shard:
    """Positions ``rows (n, 52)`` int8, player on roll first, and chances ``targets (n, 5)``."""

    rows: NDArray[np.int8]
    targets: NDArray[np.float32]

    @staticmethod
    def empty() -> "Shard":
        """No positions."""
        return Shard(np.zeros((0, 52), dtype=np.int8), np.zeros((0, 5), dtype=np.float32))

    def __len__(self) -> int:
        return len(self.rows)

    def first(self, count: int) -> "Shard":
        """The first ``count`` positions."""
        return Shard(self.rows[:count], self.targets[:count])

    def split(self, last: int) -> tuple["Shard", "Shard"]:
        """The ``last`` positions and the others."""
        edge = len(self) - last
        return Shard(self.rows[edge:], self.targets[edge:]), self.first(edge)

    def take(self, picks: NDArray[np.int64]) -> "Shard":
        """The positions of these indices."""
        return Shard(self.rows[picks], self.targets[picks])

    def joined(self, other: "Shard") -> "Shard":
        """These positions, then the other's."""
        return Shard(
            np.concatenate([self.rows, other.rows]), np.concatenate([self.targets, other.targets])
        )

    def state(self) -> dict[str, NDArray[np.generic]]:
        """The arrays by name."""
        return {"rows": self.rows, "targets": self.targets}


class Shards:
    """Numbered shards of one kind in a folder; ``count`` of them are valid."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder = folder
        self.kind = kind
        self.count = 0

    def _path(self, number: int) -> Path:
        return self.folder / f"{self.kind}-{number:04d}.npz"

    def write(self, shard: Shard) -> None:
        """Append a shard; a file left by a killed run is replaced."""
        with replacing(self._path(self.count)) as file:
            np.savez(file, rows=shard.rows, targets=shard.targets)
        self.count += 1

    def newest(self, count: int) -> Shard:
        """The newest ``count`` shards as one, oldest first."""
        parts = [self._read(n) for n in range(max(0, self.count - count), self.count)]
        if not parts:
            return Shard.empty()
        return Shard(
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.targets for part in parts]),
        )

    def _read(self, number: int) -> Shard:
        with np.load(self._path(number), allow_pickle=False) as arrays:
            return Shard(arrays["rows"], arrays["targets"])

    def adopt(self, folder: Path, most: int | None = None) -> None:
        """Append copies of the first ``most`` shards of this kind in another folder."""
        for path in sorted(folder.glob(f"{self.kind}-*.npz"))[:most]:
            with np.load(path, allow_pickle=False) as arrays:
                self.write(Shard(arrays["rows"], arrays["targets"]))
