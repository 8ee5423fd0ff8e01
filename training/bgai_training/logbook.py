"""What people watch while a run goes on: a progress bar and TensorBoard scalars."""

import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from bgai.errors import needs
from bgai_training.progress import Progress

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

_RESULT_NAMES = ("single", "gammon", "backgammon")


class Logbook:
    """Progress bar and TensorBoard writer of one process; silent in all but the first."""

    def __init__(self, folder: Path, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.bar: tqdm[Any] | None = None
        self.stage = ""
        self.last = (time.monotonic(), 0)
        self.written = 0.0
        self.writer = None if quiet else _writer(folder / "tensorboard")

    def note(self, progress: Progress, step: int) -> None:
        """Move the bar; write the scalars about every second and at milestones."""
        if self.quiet:
            return
        self._move_bar(progress)
        now = time.monotonic()
        if now - self.written < 1 and not progress.milestone:
            return
        seconds, games = now - self.last[0], progress.games - self.last[1]
        if seconds > 0 and games >= 0:
            self.scalar("games/s", games / seconds, step)
        self.last = (now, progress.games)
        self.written = now
        self.scalar("games", progress.games, step)
        for name, value in progress.scalars.items():
            self.scalar(name, value, step)
        if progress.results is not None and progress.results[:3].sum() > 0:
            shares = progress.results[:3] / progress.results[:3].sum()
            for name, share in zip(_RESULT_NAMES, shares, strict=True):
                self.scalar(f"result/{name}", float(share), step)

    def _move_bar(self, progress: Progress) -> None:
        if self.bar is None or progress.stage != self.stage:
            if self.bar is not None:
                self.bar.close()
            self.stage = progress.stage
            self.bar = tqdm(total=progress.of, initial=progress.done, desc=progress.stage)
        self.bar.update(progress.done - self.bar.n)
        shown = {k: f"{v:.4g}" for k, v in progress.scalars.items()}
        self.bar.set_postfix(shown, refresh=False)

    def scalar(self, name: str, value: float, step: int) -> None:
        """One TensorBoard scalar."""
        if self.writer is None:
            return
        try:
            self.writer.add_scalar(name, value, step)
        except OSError as error:
            self.writer = None  # training is worth more than its curves
            self.say(f"TensorBoard can't write: {error.strerror or error}; no more scalars")

    def say(self, text: str) -> None:
        """A line that stays, above the progress bar."""
        if not self.quiet:
            tqdm.write(text)

    def measured(self, figures: Mapping[str, float], step: int) -> None:
        """Strength figures, as scalars and as a line."""
        for name, value in figures.items():
            self.scalar(name, value, step)
        self.say(", ".join(f"{name} {value:.4g}" for name, value in figures.items()))

    def close(self) -> None:
        """Finish the bar and the files."""
        if self.bar is not None:
            self.bar.close()
        if self.writer is not None:
            with suppress(OSError):
                self.writer.close()


def _writer(folder: Path) -> "SummaryWriter":
    with needs("train", "training"):
        from torch.utils.tensorboard import SummaryWriter

    return SummaryWriter(str(folder))
