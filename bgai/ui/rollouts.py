"""Rollouts at the terminal: a bar of progress, a file to go on from, other processes."""

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from tqdm import tqdm

from bgai.analysis.answering import dice_of
from bgai.analysis.rolling import CubeDecisionRollout, PlaysRollout, Rolling
from bgai.claims import Claim
from bgai.notation.answer_text import text_of
from bgai.notation.situation import Situation
from bgai.program import INTERRUPTED
from bgai.rules.dice import parse_roll
from bgai.search.executors import open_executor
from bgai.search.rollout import Rollout
from bgai.search.rollout_dice import SET
from bgai.search.rollout_pieces import run_spread


@dataclass(frozen=True)
class Spread:
    """Other processes to play the games."""

    workers: int
    scheduler: str | None


def plays_rollout(
    identifier: str, situation: Situation, dice: str | None, *given: Any, **named: Any
) -> PlaysRollout:
    """The rollout of the plays of dice given as text, or carried by the ID."""
    roll = dice_of(situation, None if dice is None else parse_roll(dice))
    return PlaysRollout(identifier, situation, roll, *given, **named)


def finish(
    rolling: Rolling,
    *,
    save: Path | None = None,
    spread: Spread | None = None,
    json_: bool = False,
) -> None:
    """Roll out with a bar of progress and print the answer; of what is done after Ctrl-C.

    ``save`` keeps the trials of a cubeless rollout and is gone on from.
    """
    with nullcontext() if save is None else Claim(save):
        interrupted = _interrupted(rolling, save, spread)
    answer = rolling.answer()
    typer.echo(answer.to_json() if json_ else text_of(answer))
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _interrupted(rolling: Rolling, save: Path | None, spread: Spread | None) -> bool:
    """Roll out to the end; whether Ctrl-C came before, with some trials done."""
    run = rolling.run
    kept = save if isinstance(run, Rollout) else None
    if kept is not None and isinstance(run, Rollout):
        run.resume(kept)
    total = run.settings.sets * SET
    with tqdm(total=total, initial=run.trials_done, unit="trial", disable=None) as bar:

        def progress(_: object) -> None:
            bar.set_postfix_str(_sureness(rolling))
            bar.update(run.trials_done - bar.n)
            if kept is not None and isinstance(run, Rollout):
                run.save(kept)

        try:
            if spread is None or not isinstance(run, Rollout):
                run.run(progress)
            else:
                with open_executor(spread.workers, spread.scheduler) as executor:
                    run_spread(run, rolling.engine.settings, executor, progress)
        except KeyboardInterrupt:
            if not run.trials_done:
                raise
            if kept is not None and isinstance(run, Rollout):
                run.save(kept)
            return True
    return False


def _sureness(rolling: Rolling) -> str:
    if isinstance(rolling, CubeDecisionRollout):
        return f"verdict {100 * rolling.run.result().confidence:.1f}% sure"
    assert isinstance(rolling.run, Rollout)
    worst = max(summary.equity.error for summary in rolling.run.result().summaries)
    return f"± {worst:.4f}"
