"""Rollouts at the terminal: a bar of progress, a file to go on from, other processes."""

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from tqdm import tqdm

from bgai.analysis.answering import dice_of
from bgai.analysis.rolling import PlaysRollout, Rolling
from bgai.claims import Claim
from bgai.notation.answer_text import text_of
from bgai.notation.situation import Situation
from bgai.program import INTERRUPTED
from bgai.rules.dice import parse_roll
from bgai.search.executors import open_executor
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

    ``save`` keeps the trials and is gone on from.
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
    if save is not None:
        run.resume(save)
    total = run.settings.sets * SET
    with tqdm(total=total, initial=run.trials_done, unit="trial", disable=None) as bar:

        def progress(_: object) -> None:
            bar.set_postfix_str(_sureness(rolling))
            bar.update(run.trials_done - bar.n)
            if save is not None:
                run.save(save)

        try:
            if spread is None:
                run.run(progress, rolling.cores)
            else:
                with open_executor(spread.workers, spread.scheduler) as executor:
                    run_spread(run, executor, progress)
        except KeyboardInterrupt:
            if not run.trials_done:
                raise
            if save is not None:
                run.save(save)
            return True
    return False


def _sureness(rolling: Rolling) -> str:
    sure = rolling.run.sureness()
    what = "verdict" if rolling.kind == "cube" else "best play"
    shown = "" if sure.confidence is None else f", {what} {100 * sure.confidence:.1f}% sure"
    return f"± {sure.error:.4f}{shown}"
