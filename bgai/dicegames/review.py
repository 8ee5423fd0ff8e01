"""What the choices of a game gave away, by the judgement of the best player."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bgai.dicegames.series import Acted, GameRecord, Series


@dataclass(frozen=True)
class Choice:
    """One choice between several acts. ``lost`` is the win chance it gave away, give or take
    ``error`` (a standard error, 0 where nothing was sampled); for a seat alone, turns.

    ``number`` counts the choices of its seat in the game from 1.
    """

    seat: int
    number: int
    state: str
    made: str
    best: str
    lost: float
    error: float
    exact: bool
    in_turns: bool

    @property
    def clear(self) -> bool:
        """Whether something was given away beyond doubt."""
        return self.lost > max(2 * self.error, 5e-5)


def review(
    series: Series, record: GameRecord, progress: Callable[[int], object] = lambda done: None
) -> list[Choice]:
    """The choices of a game in order. ``progress`` is told of every one judged."""
    choices: list[Choice] = []
    for place in range(len(record.events)):
        seat = series.chose(record, place)
        if seat is not None:
            number = 1 + sum(choice.seat == seat for choice in choices)
            choices.append(_judged(series, record, place, number))
            progress(1)
    return choices


def _judged(series: Series, record: GameRecord, place: int, number: int) -> Choice:
    kit, state, event = series.kit, record.states[place], record.events[place]
    assert isinstance(event, Acted)
    seat = kit.game.seat(state)
    advice = kit.advisor.advise(state)
    at = next(n for n, (act, _) in enumerate(advice.acts) if act == event.act)
    if advice.turns:
        lost = advice.turns[at] - advice.turns[0]
    else:
        lost = advice.acts[0][1][seat] - advice.acts[at][1][seat]
    return Choice(
        seat,
        number,
        kit.state_text(state),
        kit.act_text(state, event.act),
        kit.act_text(state, advice.acts[0][0]),
        max(lost, 0.0),
        advice.behind[at] if advice.behind else 0.0,
        advice.exact,
        bool(advice.turns),
    )


def total_lost(choices: Sequence[Choice], seat: int) -> tuple[int, float]:
    """How many choices a seat had, and what it gave away in all."""
    own = [choice.lost for choice in choices if choice.seat == seat]
    return len(own), sum(own)


def worst(choices: Sequence[Choice], most: int) -> list[Choice]:
    """The costliest choices that clearly gave something away, worst first."""
    costly = [choice for choice in choices if choice.clear]
    return sorted(costly, key=lambda choice: -choice.lost)[:most]
