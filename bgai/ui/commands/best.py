"""`bgai best`: the plays of a roll, the best first."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bgai.errors import InputError
from bgai.program import apart
from bgai.ui.options import AsJson, Batch, DiceText, Identifier, SearchOptions, bundled

if TYPE_CHECKING:
    from bgai.notation.situation import Situation
    from bgai.rules.dice import Roll
    from bgai.rules.position import Positions
    from bgai.search.lookahead import Lookahead, RankedPlay


def register(app: typer.Typer) -> None:
    """Add ``bgai best`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(bundled(best))


def best(
    search: SearchOptions,
    identifier: Identifier = None,
    roll: DiceText = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Plays to print.")] = 10,
    rollout: Annotated[
        bool, typer.Option("--rollout", help="Roll the best plays out, up to 5, 0-ply.")
    ] = False,
    trials: Annotated[int, typer.Option(min=1, help="Trials of a rollout.")] = 360,
    seed: Annotated[int, typer.Option(min=0, help="Seed of a rollout's dice.")] = 1,
    json_: AsJson = False,
    batch: Batch = None,
) -> None:
    """Rank the plays of a roll: chances, equity and the difference to the best.

    Chances and equity are of the player who makes the play. Equity is cubeful, the opponent free
    to double next, in units of the present cube; at a match score normalised, so that a win
    with this cube is +1 and a loss -1.
    """
    from bgai.players.engines import PLAY_PLIES
    from bgai.ui.batch import run_batch
    from bgai.ui.judging import as_json

    judge_ = apart(search.made, PLAY_PLIES)
    engine, label = judge_.lookahead, judge_.label
    if batch is not None:
        if identifier is not None or rollout:
            raise InputError("with --batch give neither ID and ROLL nor --rollout")
        raise typer.Exit(
            run_batch(batch, lambda line: apart(judge, engine, *line.split(maxsplit=1)))
        )
    if identifier is None:
        raise InputError("give an ID and a ROLL, or --batch FILE")
    if rollout:
        from bgai.ui.commands.rollout import roll_out_plays

        roll_out_plays(identifier, roll, engine, label, trials=trials, seed=seed, as_json=json_)
    elif json_:
        typer.echo(as_json(apart(judge, engine, identifier, roll)))
    else:
        _print(apart(judge, engine, identifier, roll), label, count)


def judge(engine: "Lookahead", identifier: str, roll: str | None = None) -> dict[str, Any]:
    """``id``, ``roll``, the mover's chances and equity after the best play, and ``plays``.

    ``plays`` is empty where none is legal. Raises ``InputError``.
    """
    from bgai.notation.identifiers import parse_identifier
    from bgai.rules.legal_plays import has_legal_play
    from bgai.search.cube_verdict import cubeful_plays
    from bgai.ui.judging import chances_fields, roll_of_situation

    situation = parse_identifier(identifier)
    dice = roll_of_situation(situation, roll)
    ranked = cubeful_plays(situation, dice, engine)
    first = ranked[0]
    answer: dict[str, Any] = {"id": identifier, "roll": str(dice) if roll is None else roll}
    answer |= chances_fields(first.chances, first.worth)
    if has_legal_play(situation.position, first.after[None]) or len(ranked) > 1:
        answer["plays"] = [_row(situation, dice, play, first.worth) for play in ranked]
    else:
        answer["plays"] = []
    return answer


def _row(
    situation: "Situation", dice: "Roll", play: "RankedPlay", best_worth: float
) -> dict[str, Any]:
    from bgai.notation.identifiers import format_position_id
    from bgai.ui.judging import chances_fields

    return {
        "play": play_text(situation.position, play.after, dice),
        "next": format_position_id(play.after),
        **chances_fields(play.chances, play.worth),
        "difference": round(play.worth - best_worth, 6),
        "plies": play.plies,
    }


def play_text(position: "Positions", after: "Positions", dice: "Roll") -> str:
    """The play between two positions as people write it."""
    from bgai.notation.play_text import format_play
    from bgai.rules.play import recover_play

    return format_play(recover_play(position, after, dice))


def _print(answer: dict[str, Any], label: str, count: int) -> None:
    from bgai.ui.judging import CHANCE_HEADINGS, CHANCE_KEYS, chances_cells, print_table

    if not answer["plays"]:
        typer.echo(f"no legal play of {answer['roll']}: the turn passes")
        typer.echo(f"equity {answer['equity']:+.3f}, {label}")
        return
    rows = []
    for number, play in enumerate(answer["plays"][:count], 1):
        difference = f"({play['difference']:+.3f})" if number > 1 else ""
        cells = chances_cells([play[key] for key in CHANCE_KEYS])
        name = f"{number:2}. {play['play']}"
        rows.append([name, f"{play['plies']}", f"{play['equity']:+.3f}", difference, *cells])
    typer.echo(
        f"Roll {answer['roll']}, {label}; chances of the mover in per cent, gammons include "
        "backgammons."
    )
    print_table(["    play", "ply", "equity", "", *CHANCE_HEADINGS], rows)
    left = len(answer["plays"]) - count
    if left > 0:
        typer.echo(f"    {left} more; -n {len(answer['plays'])} shows all")
