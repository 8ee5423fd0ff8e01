"""Dice games in words: who starts, hints, the sheet, the review."""

from collections.abc import Sequence
from typing import Any

from bgai.dicegames.chance_game import Advice
from bgai.dicegames.kit import AnyKit
from bgai.dicegames.review import Choice, total_lost, worst
from bgai.dicegames.series import Round, Series
from bgai.ui.terminal.words import says

_WORST = 8
_SHOWN = 8


def start_lines(series: Series, rounds: Sequence[Round]) -> list[str]:
    """The preliminary rolls, and who begins."""
    kit = series.kit
    lines = []
    for number, rolled in enumerate(rounds):
        dice = ", ".join(f"{kit.names[seat]} {kit.faces[die - 1]}" for seat, die in rolled.items())
        lines.append(f"{'A die each' if not number else 'Again'}: {dice}.")
    return lines


def begins(series: Series) -> str:
    """Who begins the game that is on."""
    return f"{says(series.kit.names[series.kit.game.seat(series.state)], 'begin')}."


def chance_text(chance: float, error: float = 0.0) -> str:
    """A win chance with its standard error, where it has one."""
    return f"{chance:7.2%} ± {error:.2%}" if error else f"{chance:7.2%}"


def hint_lines(kit: AnyKit, state: Any) -> list[str]:
    """What the best player thinks of a state."""
    advice = kit.advisor.advise(state)
    names = kit.names
    lines = [
        f"  {worth}  {kit.act_text(state, act)}"
        for worth, (act, _) in zip(worths(kit, state, advice), advice.acts[:_SHOWN], strict=False)
    ]
    if advice.turns or kit.game.seats == 1:
        return lines
    about = "" if advice.exact else " (approximate)"
    shares = ", ".join(f"{n} {share:.2%}" for n, share in zip(names, advice.chances, strict=True))
    return [*lines, f"  win chances{about}: {shares}", *(f"  {note}" for note in advice.notes)]


def worths(kit: AnyKit, state: Any, advice: Advice[Any]) -> list[str]:
    """What each act of an advice is worth to the seat to act."""
    if advice.turns:
        return [f"{turns:6.3f} turns left" for turns in advice.turns]
    errors = advice.errors or (0.0,) * len(advice.acts)
    seat = kit.game.seat(state) if advice.acts else 0
    pairs = zip(advice.acts, errors, strict=True)
    return [chance_text(values[seat], error) for (_, values), error in pairs]


def sheet_of(series: Series) -> list[str]:
    """The running sheet: games won, and the stakes."""
    played = len(series.winners())
    lines = [f"{series.kit.title}, {played} game{'' if played == 1 else 's'} played"]
    width = max(len(name) for name, _, _ in series.sheet())
    for name, won, points in series.sheet():
        stakes = f"  {points:+d}" if series.terms.stake else ""
        lines.append(f"  {name:{width}}  won {won}{stakes}")
    return lines


def review_lines(series: Series, number: int, choices: Sequence[Choice]) -> list[str]:
    """What each seat gave away in a game, and the costliest choices."""
    lines = [f"Review of game {number}, by the best player's judgement"]
    for seat, name in enumerate(series.kit.names):
        count, lost = total_lost(choices, seat)
        turns = any(choice.in_turns for choice in choices)
        given = f"{lost:.2f} turns" if turns else f"{lost:.2%}"
        lines.append(f"  {says(name, 'give')} up {given} in {_counted(count, 'choice')}")
    for choice in worst(choices, _WORST):
        given = f"{choice.lost:.2f} turns" if choice.in_turns else f"{choice.lost:.2%}"
        error = f" ± {choice.error:.2%}" if choice.error else ""
        name = series.kit.names[choice.seat]
        lines.append(f"  {name}, choice {choice.number}: {choice.made} gave up {given}{error}")
        lines.append(f"      better {choice.best}   [{choice.state}]")
    if not worst(choices, 1):
        lines.append("  No choice clearly gave anything away.")
    if not all(choice.exact for choice in choices):
        lines.append("  These figures are approximate.")
    return lines


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
