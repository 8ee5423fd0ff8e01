"""`bgai rollout`: a position, or the best plays of a roll, played out many times."""

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bgai.claims import Claim
from bgai.errors import InputError
from bgai.program import INTERRUPTED, apart
from bgai.ui.options import SearchOptions, bundled

if TYPE_CHECKING:
    from collections.abc import Callable

    from bgai.rules.position import Positions
    from bgai.search.engine import EngineSettings
    from bgai.search.lookahead import Lookahead
    from bgai.search.rollout import Rollout, RolloutSettings
    from bgai.search.rollout_stats import Figure, RolledOut
    from bgai.search.utility import LinearUtility


def register(app: typer.Typer) -> None:
    """Add ``bgai rollout`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(bundled(rollout))


def rollout(
    search: SearchOptions,
    identifier: Annotated[
        str, typer.Argument(metavar="ID", help="XGID, position ID or position:match ID.")
    ],
    roll: Annotated[
        str | None,
        typer.Argument(metavar="[ROLL]", help="Roll out the best plays of these dice."),
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="Games; rounded up to whole sets of 36.")] = (
        1296
    ),
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Plays to roll out.")] = 5,
    truncate: Annotated[
        int | None, typer.Option(min=1, help="Judge each game after so many turns.")
    ] = None,
    variance: Annotated[
        str, typer.Option(help="How luck is measured and subtracted: none, 0-ply, 1-ply.")
    ] = "0-ply",
    seed: Annotated[int, typer.Option(min=0, help="The same seed rolls the same dice.")] = 1,
    stop_error: Annotated[
        float | None, typer.Option(help="Stop at this standard error of every equity.")
    ] = None,
    confidence: Annotated[
        float | None, typer.Option(help="Stop when the best play is so sure, such as 0.99.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Keep the trials here; an interrupted rollout goes on.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes to spread the games over.")] = 1,
    scheduler: Annotated[
        str | None, typer.Option(help="Play on the Dask cluster at this address.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play games to the end and report means with their standard errors.

    With a roll (given, or carried by the ID) its best plays are rolled out on the same dice,
    otherwise the position, its player about to roll. Equity is cubeless; at a match score
    normalised. Games stop at the bear-off tables.
    """
    engine = apart(search.made, 0)
    player, label, settings = engine.lookahead, engine.label, engine.settings
    rules = _settings(
        trials=trials,
        truncate=truncate,
        variance=variance,
        seed=seed,
        stop_error=stop_error,
        stop_confidence=confidence,
        batch=4 if search.device == "cpu" else 36,
    )
    spread = None
    if scheduler is not None or workers > 1:
        if search.device != "cpu":
            raise InputError("give either --device or --workers and --scheduler")
        spread = _Spread(settings, workers, scheduler)
    _run(
        identifier, roll, player, label, rules, count=count, save=save, as_json=json_,
        spread=spread,
    )  # fmt: skip


@dataclass(frozen=True)
class _Spread:
    """Where the games are played if not here."""

    engine: "EngineSettings"
    workers: int
    scheduler: str | None

    def run(self, run: "Rollout", progress: "Callable[[Rollout], None]") -> None:
        from bgai.search.executors import open_executor
        from bgai.search.rollout_pieces import run_spread

        with open_executor(self.workers, self.scheduler) as executor:
            run_spread(run, self.engine, executor, progress)


def _settings(*, variance: str, **fields: Any) -> "RolloutSettings":
    from bgai.search.rollout import RolloutSettings, VarianceReduction

    kinds = [kind.value for kind in VarianceReduction]
    if variance not in kinds:
        raise InputError(f"--variance {variance}: there are {', '.join(kinds)}")
    return RolloutSettings(variance_reduction=VarianceReduction(variance), **fields)


def roll_out_plays(
    identifier: str,
    roll: str | None,
    engine: "Lookahead",
    label: str,
    *,
    trials: int,
    seed: int,
    as_json: bool,
) -> None:
    """Roll out the plays ``engine`` ranks best, by itself at 0-ply; for ``bgai best``."""
    from bgai.notation.identifiers import parse_identifier
    from bgai.search.lookahead import Lookahead
    from bgai.ui.judging import roll_of_situation

    dice = roll_of_situation(parse_identifier(identifier), roll)
    player = Lookahead(
        engine.evaluator, 0, pruner=engine.pruner, threads=engine.threads, piece=engine.piece
    )
    rules = _settings(trials=trials, seed=seed, variance="0-ply")
    label = f"ranked by {label}, played 0-ply"
    _run(
        identifier,
        str(dice),
        player,
        label,
        rules,
        count=5,
        save=None,
        as_json=as_json,
        ranker=engine,
    )


def _run(
    identifier: str,
    roll: str | None,
    player: "Lookahead",
    label: str,
    rules: "RolloutSettings",
    *,
    count: int,
    save: Path | None,
    as_json: bool,
    ranker: "Lookahead | None" = None,
    spread: _Spread | None = None,
) -> None:
    from bgai.notation.identifiers import parse_identifier
    from bgai.search.cube_verdict import situation_utility
    from bgai.search.rollout import Rollout
    from bgai.ui.judging import roll_of_situation

    situation = parse_identifier(identifier)
    utility = situation_utility(situation)
    names: list[str] = []
    positions, after_play = situation.position[None], False
    if roll is not None or situation.roll is not None:
        dice = roll_of_situation(situation, roll)
        judge = ranker or player
        ranked = apart(judge.best_plays, situation.position, dice, utility)[:count]
        names = _names(situation.position, [play.after for play in ranked], str(dice))
        import numpy as np

        positions, after_play = np.stack([play.after for play in ranked]), True
    run = Rollout(
        positions,
        player,
        rules,
        utility=utility.other() if after_play else utility,
        label=label,
    )
    with nullcontext() if save is None else Claim(save):
        interrupted = _play(run, save, spread)
    result = run.result()
    answer = _answer(identifier, roll, result, names, utility, after_play)
    if as_json:
        from bgai.ui.judging import as_json as dumped

        typer.echo(dumped(answer | _about(run, label)))
    else:
        _print(answer, run, label)
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _names(position: "Positions", after: "list[Positions]", roll: str) -> list[str]:
    from bgai.rules.dice import parse_roll
    from bgai.rules.legal_plays import has_legal_play
    from bgai.ui.commands.best import play_text

    if len(after) == 1 and not has_legal_play(position, after[0][None]):
        return ["no legal play"]
    dice = parse_roll(roll)
    return [play_text(position, each, dice) for each in after]


def _play(run: "Rollout", save: Path | None, spread: _Spread | None) -> bool:
    """Run with a progress bar, keeping the trials; whether it was interrupted."""
    from tqdm import tqdm

    if save is not None:
        run.resume(save)
    total = run.settings.sets * 36
    with tqdm(total=total, initial=run.trials_done, unit="trial", disable=None) as bar:

        def progress(now: "Rollout") -> None:
            worst = max(summary.equity.error for summary in now.result().summaries)
            bar.set_postfix_str(f"± {worst:.4f}")
            bar.update(now.trials_done - bar.n)
            if save is not None:
                now.save(save)

        try:
            if spread is None:
                run.run(progress)
            else:
                spread.run(run, progress)
        except KeyboardInterrupt:
            if not run.trials_done:
                raise
            if save is not None:
                run.save(save)
            return True
    return False


def _answer(
    identifier: str,
    roll: str | None,
    result: "RolledOut",
    names: list[str],
    utility: "LinearUtility",
    after_play: bool,
) -> dict[str, Any]:
    rows = []
    for i, summary in enumerate(result.summaries):
        figures = list(summary.chances)
        if after_play:  # the opponent is on roll: the mover's figures are the mirror image
            win, wg, wbg, lg, lbg = figures
            figures = [_mirrored(win, 1.0), lg, lbg, wg, wbg]
        equity = _mirrored(summary.equity, 0.0) if after_play else summary.equity
        rows.append(_figures(figures, equity) | {"index": i})
    rows.sort(key=lambda row: -row["equity"])
    for row in rows:
        i, best = row.pop("index"), 0
        if names:
            best = max(range(len(names)), key=lambda k: -result.summaries[k].equity.mean)
            gap = result.difference(best, i)
            row |= {"difference": round(gap.mean, 6), "difference_error": round(gap.error, 6)}
            row["play"] = names[i]
    answer: dict[str, Any] = {"id": identifier}
    if not names:
        return answer | rows[0]
    return answer | {"roll": roll, "plays": rows}


def _mirrored(figure: "Figure", total: float) -> "Figure":
    from bgai.search.rollout_stats import Figure

    return Figure(total - figure.mean, figure.error)


def _figures(figures: "list[Figure]", equity: "Figure") -> dict[str, Any]:
    from bgai.ui.judging import CHANCE_KEYS

    fields: dict[str, Any] = {}
    for key, figure in zip((*CHANCE_KEYS, "equity"), (*figures, equity), strict=True):
        fields[key] = round(figure.mean, 6)
        fields[f"{key}_error"] = round(figure.error, 6)
    low, high = equity.interval
    return fields | {"equity_interval": [round(low, 6), round(high, 6)]}


def _about(run: "Rollout", label: str) -> dict[str, Any]:
    rules = run.settings
    return {
        "trials": run.trials_done,
        "player": label,
        "seed": rules.seed,
        "truncate": rules.truncate,
        "variance_reduction": rules.variance_reduction.value,
    }


def _print(answer: dict[str, Any], run: "Rollout", label: str) -> None:
    from bgai.ui.judging import CHANCE_HEADINGS, CHANCE_KEYS, percent, print_table

    rules = run.settings
    ends = "to the end" if rules.truncate is None else f"{rules.truncate} turns"
    typer.echo(
        f"{run.trials_done} trials, {label}, {ends} or to the bear-off tables, luck subtracted: "
        f"{rules.variance_reduction.value}, seed {rules.seed}"
    )
    plays = answer.get("plays", [answer])
    rows = []
    for number, row in enumerate(plays, 1):
        low, high = row["equity_interval"]
        name = f"{number:2}. {row['play']}" if "play" in row else "on roll"
        difference = ""
        if number > 1:
            difference = f"({row['difference']:+.3f} ± {row['difference_error']:.3f})"
        chances = [percent(row[key]) for key in CHANCE_KEYS]
        errors = [f"± {percent(row[f'{key}_error'])}" for key in CHANCE_KEYS]
        equity, error = f"{row['equity']:+.3f}", f"± {row['equity_error']:.4f}"
        rows.append([name, equity, error, f"[{low:+.3f}, {high:+.3f}]", difference, *chances])
        rows.append(["", "", "", "", "", *errors])
    headings = ["    play", "equity", "std error", "95% interval", "", *CHANCE_HEADINGS]
    print_table(headings, rows)
