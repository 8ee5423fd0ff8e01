"""Getting the engine ready in the background: the first call of a kernel compiles it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from bgai.game_answers import WarmUpState
from bgai.notation.situation import Situation
from bgai.rules.dice import ROLLS
from bgai.rules.game import Game
from bgai.rules.position import starting_position
from bgai.ui.web.engines import judge_for


def _moves() -> None:
    from bgai.rules.legal_plays import legal_plays

    legal_plays(starting_position(), ROLLS[0])


def _plays() -> None:
    from bgai.analysis.answering import best_answer

    best_answer("", Situation(starting_position()), ROLLS[3], judge_for(None, None))


def _cube() -> None:
    from bgai.analysis.answering import cube_answer

    cube_answer("", Situation(starting_position()), judge_for(None, None))


def _luck() -> None:
    from bgai.analysis.judging import judge_roll
    from bgai.rules.acts import RollDice
    from bgai.ui.web.engines import tutor_engine

    judge_roll(tutor_engine().lookahead, Game.set_up(starting_position()), RollDice(ROLLS[3]))


STEPS: tuple[tuple[str, Callable[[], None]], ...] = (
    ("the rules", _moves),
    ("the best level", _plays),
    ("the cube", _cube),
    ("luck", _luck),
)
"""What is got ready, in this order, with the word the page shows."""


@dataclass
class WarmUp:
    """Runs ``STEPS`` in a thread; ``ready`` once all are done."""

    stage: str = ""
    done: int = 0
    ready: bool = False
    error: str | None = None

    def start(self) -> None:
        """Begin; returns at once."""
        threading.Thread(target=self.run, name="bgai-warm-up", daemon=True).start()

    def run(self) -> None:
        """Do all steps. A failure is kept in ``error`` and never raised."""
        try:
            for name, step in STEPS:
                self.stage = name
                step()
                self.done += 1
        except Exception as error:  # the request that needs it will say so too
            self.error = f"{self.stage}: {type(error).__name__}: {error}"
        self.stage = ""
        self.ready = True

    def answer(self) -> WarmUpState:
        """The state so far."""
        return WarmUpState(
            ready=self.ready,
            stage=self.stage,
            done=self.done,
            steps=len(STEPS),
            error=self.error,
        )
