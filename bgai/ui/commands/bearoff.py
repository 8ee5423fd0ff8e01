"""`bgai bearoff`: what the tables say about a bear-off."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from bgai.evaluation.bearoff import BearoffSummary

_SIDES = ("on_roll", "opponent")


def register(app: typer.Typer) -> None:
    """Add ``bgai bearoff`` to the program."""
    app.command(context_settings={"ignore_unknown_options": True})(bearoff)


def bearoff(
    identifier: Annotated[
        str, typer.Argument(metavar="ID", help="XGID, position ID or position:match ID.")
    ],
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Rolls to bear off, effective pips, and the win chance of the player on roll.

    Needs the player on roll home; the win chance needs the opponent home too. It is exact up
    to six checkers a side; beyond, both are taken to play for the fewest rolls.
    """
    answer = _answer(identifier)
    if json_:
        from bgai.ui.judging import as_json

        typer.echo(as_json(answer))
    else:
        _print(answer)


def _answer(identifier: str) -> dict[str, Any]:
    import numpy as np

    from bgai.errors import InputError
    from bgai.evaluation.bearoff import bearoff_chances_and_kinds, side_summary
    from bgai.notation.identifiers import parse_identifier
    from bgai.rules.position import is_over
    from bgai.search.cube_verdict import situation_utility
    from bgai.ui.judging import chances_fields

    situation = parse_identifier(identifier)
    position = situation.position
    if is_over(position):
        raise InputError("the game is over: one side has borne off all its checkers")
    answer: dict[str, Any] = {"id": identifier, "on_roll": _side(side_summary(position[0]))}
    if not position[1, 7:].any():
        answer["opponent"] = _side(side_summary(position[1]))
        chances, kinds = bearoff_chances_and_kinds(position[None])
        equity = float(situation_utility(situation).worth(chances)[0])
        answer |= chances_fields(np.asarray(chances[0]), equity)
        answer["exact"] = bool(kinds[0] == 2)
    return answer


def _side(summary: "BearoffSummary") -> dict[str, Any]:
    return {
        "pips": summary.pips,
        "effective_pips": round(summary.effective_pips, 3),
        "wastage": round(summary.wastage, 3),
        "mean_rolls": round(summary.mean_rolls, 4),
        "deviation": round(summary.deviation, 4),
        "distribution": [round(float(chance), 6) for chance in summary.distribution],
        "first_checker": [round(float(chance), 6) for chance in summary.first],
    }


def _print(answer: dict[str, Any]) -> None:
    from bgai.ui.judging import CHANCE_KEYS, percent, print_table

    sides = [answer[side] for side in _SIDES if side in answer]
    rows = [
        [
            name.replace("_", " "),
            str(side["pips"]),
            f"{side['effective_pips']:.2f}",
            f"{side['wastage']:.2f}",
            f"{side['mean_rolls']:.3f}",
            f"{side['deviation']:.3f}",
        ]
        for name, side in zip(_SIDES, sides, strict=False)
    ]
    print_table(["side", "pips", "effective", "wastage", "rolls", "deviation"], rows)
    typer.echo("")
    longest = max(len(side["distribution"]) for side in sides)
    shown = [
        [str(rolls), *(_chance_of(side, rolls) for side in sides)]
        for rolls in range(longest)
        if any(_chance_of(side, rolls) for side in sides)
    ]
    print_table(["rolls", *(name.replace("_", " ") for name in _SIDES[: len(sides)])], shown)
    if "win" not in answer:
        typer.echo("\nno win chance: the opponent is not home")
        return
    win, win_gammon, _, lose_gammon, _ = (percent(answer[key]) for key in CHANCE_KEYS)
    how = "exact" if answer["exact"] else "both playing for the fewest rolls"
    typer.echo(
        f"\nplayer on roll wins {win}% (gammon {win_gammon}%), loses a gammon {lose_gammon}%, "
        f"cubeless equity {answer['equity']:+.4f} ({how})"
    )


def _chance_of(side: dict[str, Any], rolls: int) -> str:
    """Per cent of bearing off in exactly so many rolls; empty where it rounds to nothing."""
    chances = side["distribution"]
    chance = chances[rolls] if rolls < len(chances) else 0.0
    return f"{100 * chance:.2f}" if chance >= 5e-5 else ""
