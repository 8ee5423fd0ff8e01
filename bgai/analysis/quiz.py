"""Quiz: one's own worst decisions asked again, those missed sooner than those known.

Each decision is a card of the FSRS scheduler (package fsrs). An answer is rated by what it
gives up: nothing worth mentioning is good, a doubtful answer hard, an error means again.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import datetime

from bgai.analysis.review import DOUBTFUL, ERROR, Decision, Kind, Option
from bgai.analysis.store import Store, StoredDecision
from bgai.notation.play_text import AmbiguousPlayError, format_play, parse_play
from bgai.notation.xgid import parse_xgid
from bgai.rules.play import Play, PlayError

_WORDS = {
    "d": "double", "double": "double", "redouble": "double",
    "n": "no double", "no": "no double", "no double": "no double", "no redouble": "no double",
    "roll": "no double", "throw": "no double",
    "t": "take", "take": "take", "p": "pass", "pass": "pass", "drop": "pass",
    "b": "beaver", "beaver": "beaver",
}  # fmt: skip

_ORDER = ("double", "redouble", "no double", "no redouble", "take", "pass", "beaver")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer judged: what it is called, what it gives up (None: not judged), if it is right."""

    text: str
    cost: float | None
    right: bool


def questions(
    store: Store,
    player: str | None,
    now: datetime,
    count: int,
    least: float = ERROR,
    among: Container[int] | None = None,
) -> list[StoredDecision]:
    """What to ask now: cards that are due, then the worst decisions never asked.

    ``among`` are the numbers of the decisions that may be asked; all without.
    """
    due = store.due(player, now)
    found = [each for each in due if among is None or each.id in among][:count]
    most = count + 1000 if among is None else -1
    for each in store.worst(player, least, most):
        if len(found) >= count:
            break
        if (among is None or each.id in among) and store.card(each.id) is None:
            found.append(each)
    return found


def prompt(decision: Decision) -> str:
    """What is asked, such as "Take or pass": the acts that were possible, in a fixed order."""
    if decision.kind is Kind.PLAY:
        return f"Your play of {decision.dice}"
    names = sorted((option.text for option in decision.options), key=_ORDER.index)
    first = ", ".join(names[:-1]) + f" or {names[-1]}" if len(names) > 1 else names[0]
    return first[0].upper() + first[1:]


def judge_answer(decision: Decision, text: str) -> Answer:
    """Judge what a person typed. Raises ``InputError`` for what is no answer here."""
    if decision.kind is Kind.PLAY:
        return _judge_play(decision, text)
    word = _WORDS.get(" ".join(text.lower().split()))
    names = {option.text.replace("redouble", "double"): option for option in decision.options}
    if word not in names:
        raise PlayError(f"'{text}' is no answer: {', '.join(names)}")
    return _of(decision, names[word])


def _judge_play(decision: Decision, text: str) -> Answer:
    situation = parse_xgid(decision.id)
    assert situation.roll is not None
    try:
        play: Play = parse_play(text, situation.position, situation.roll)
    except AmbiguousPlayError as error:
        play = error.candidates[0]
    name = format_play(play)
    for option in decision.options:
        if option.text == name:
            return _of(decision, option)
    return Answer(name, None, False)


def _of(decision: Decision, option: Option) -> Answer:
    top = max(each.equity for each in decision.options)
    cost = top - option.equity
    return Answer(option.text, cost, cost < DOUBTFUL)


def rate(store: Store, question: StoredDecision, answer: Answer, now: datetime) -> datetime:
    """Schedule the card by the answer; when it will be due."""
    from fsrs import Card, Rating, Scheduler

    text = store.card(question.id)
    card = Card(card_id=question.id, due=now) if text is None else Card.from_json(text)
    if answer.cost is None or answer.cost >= ERROR:
        rating = Rating.Again
    else:
        rating = Rating.Good if answer.right else Rating.Hard
    card, _ = Scheduler(enable_fuzzing=False).review_card(card, rating, now)
    store.put_card(question.id, card.due, card.to_json())
    return card.due


def explanation(decision: Decision, answer: Answer | None) -> list[str]:
    """The options with their equities, and what was played and answered."""
    top = max(each.equity for each in decision.options)
    lines = []
    for option in _ordered(decision.options):
        notes = []
        if option.text == decision.made:
            notes.append("played")
        if answer is not None and option.text == answer.text:
            notes.append("your answer")
        loss = f" ({option.equity - top:+.3f})" if option.equity < top else ""
        note = f"  <- {', '.join(notes)}" if notes else ""
        lines.append(f"  {option.text:<24} {option.equity:+.3f}{loss:<9}{note}")
    if answer is not None and answer.cost is None:
        lines.append(f"  {answer.text:<24} worse than all of these  <- your answer")
    win, wg, wbg, lg, lbg = (100 * each for each in decision.chances)
    who = "After what was played" if decision.kind is Kind.PLAY else "Before the roll"
    lines.append(
        f"  {who}: wins {win:.1f}% (gammon {wg:.1f}, backgammon {wbg:.1f}), "
        f"loses {100 - win:.1f}% (gammon {lg:.1f}, backgammon {lbg:.1f})"
    )
    if decision.verdict:
        lines.append(f"  {decision.verdict}")
    return lines


def _ordered(options: Sequence[Option]) -> list[Option]:
    return sorted(options, key=lambda option: -option.equity)
