"""What happened at the table, in words for the person who plays (``you``) or watches."""

from collections.abc import Sequence

from bgai.notation.play_text import format_play
from bgai.rules.acts import Act, Answer, CubeAct, MakePlay, OpeningDice, Resign, RollDice
from bgai.rules.game import Ending, Game, Phase
from bgai.rules.match import Standing, Terms
from bgai.rules.outcome import Result
from bgai.rules.play import recover_play
from bgai.sessions.session import is_decision

LEVEL_NAMES = {
    Result.SINGLE: "single game",
    Result.GAMMON: "gammon",
    Result.BACKGAMMON: "backgammon",
}
YOU = "You"


def says(name: str, verb: str) -> str:
    """``You roll`` or ``bgai rolls``; ``verb`` is the plain form."""
    if name == YOU:
        return f"{name} {verb}"
    ending = "es" if verb.endswith(("s", "sh", "ch", "x")) else "s"
    return f"{name} {verb}{ending}"


def play_text(game: Game, act: MakePlay) -> str:
    """The usual text of a play made in this state."""
    assert game.roll is not None
    if game.must_pass:
        return "no legal play"
    return format_play(recover_play(game.position, act.after, game.roll))


def points_text(points: int) -> str:
    """``1 point``, ``2 points``."""
    return f"{points} point{'' if points == 1 else 's'}"


def act_text(before: Game, act: Act, after: Game, names: Sequence[str]) -> str:
    """One sentence about an act; ``names`` are those of the seats."""
    if isinstance(act, OpeningDice):
        return _opening_text(act, before, after, names)
    assert before.actor is not None
    name = names[before.actor]
    match act:
        case RollDice(roll):
            return f"{says(name, 'roll')} {roll}."
        case MakePlay():
            if before.must_pass:
                return f"{name} can't move."
            return f"{says(name, 'play')} {play_text(before, act)}."
        case Resign(level):
            worth = points_text(before.points_for(level))
            return f"{says(name, 'offer')} to resign a {LEVEL_NAMES[level]} ({worth})."
        case Answer():
            return f"{says(name, act.value)} the resignation."
        case CubeAct.DOUBLE:
            return f"{says(name, 'double')}: the cube at {after.offered_value}."
        case CubeAct.TAKE:
            return f"{says(name, 'take')}. The cube is at {after.cube_value}."
        case CubeAct.PASS:
            return f"{says(name, 'pass')}."
    return f"{says(name, act.value)}: the cube at {after.offered_value}."


def _opening_text(act: OpeningDice, before: Game, after: Game, names: Sequence[str]) -> str:
    first, second = act.dice
    rolled = f"Opening roll: {names[0]} {first}, {names[1]} {second}"
    if first != second:
        return f"{rolled}. {says(names[after.turn], 'start')} with {after.roll}."
    if after.cube_value > before.cube_value:
        return f"{rolled}. Equal dice: the cube goes to {after.cube_value}. Again."
    return f"{rolled}. Equal dice, again."


def news(history: Sequence[tuple[Game, Act, Game]], person: int, names: Sequence[str]) -> list[str]:
    """What happened since the person's last decision, that decision first."""
    since = 0
    for index, (before, act, _) in enumerate(history):
        if is_decision(before, act, person):
            since = index
    lines: list[str] = []
    rolled = False
    for before, act, after in history[since:]:
        if isinstance(act, MakePlay) and rolled:  # joined to the line that told the roll
            lines[-1] = f"{lines[-1][:-1]}: {play_text(before, act)}."
        else:
            lines.append(act_text(before, act, after, names))
        rolled = after.roll is not None and isinstance(act, RollDice | OpeningDice)
    if history and history[-1][2].is_over:
        lines.append(outcome_text(history[-1][2], names))
    return lines


def outcome_text(game: Game, names: Sequence[str]) -> str:
    """Who won the finished game, how, and the points."""
    outcome = game.outcome
    assert outcome is not None
    name = names[outcome.winner]
    how = {
        Ending.BORNE_OFF: "",
        Ending.PASSED: ", the double passed",
        Ending.RESIGNED: ", by resignation",
    }[outcome.ending]
    text = (
        f"{says(name, 'win')} a {LEVEL_NAMES[outcome.result]}{how}: {points_text(outcome.points)}"
    )
    if outcome.result > Result.SINGLE and not game.counts_gammons:
        text += " (it counts single: Jacoby, nobody has doubled)"
    return text + "."


def score_text(terms: Terms, standing: Standing, names: Sequence[str]) -> str:
    """The score of the match or session."""
    scores = ", ".join(f"{name} {won}" for name, won in zip(names, standing.points, strict=True))
    if terms.length is not None:
        return f"Match to {terms.length}: {scores}"
    return f"Money session: {scores}"


def heading(terms: Terms, game: Game, number: int, names: Sequence[str]) -> str:
    """The line above the board: score, number of the game, Crawford."""
    parts = [score_text(terms, game.standing, names), f"game {number}"]
    if game.standing.crawford and terms.length != 1:
        parts.append("Crawford game, no doubling")
    return "  -  ".join(parts)


def end_text(terms: Terms, standing: Standing, names: Sequence[str]) -> str:
    """Who won the match, or how the session stands at its end."""
    if standing.winner is not None:
        won, lost = standing.points[standing.winner], standing.points[1 - standing.winner]
        return f"{says(names[standing.winner], 'win')} the match {won} to {lost}."
    leader = 0 if standing.points[0] >= standing.points[1] else 1
    games = f"{standing.games} game{'' if standing.games == 1 else 's'}"
    if standing.points[0] == standing.points[1]:
        return f"The session ends even after {games}."
    ahead = points_text(standing.points[leader])
    verb = "are" if names[leader] == YOU else "is"
    return f"The session ends after {games}: {names[leader]} {verb} {ahead} ahead."


def waiting_text(game: Game) -> str:
    """What a pass would cost while a double is answered; else nothing."""
    if game.phase is Phase.DOUBLED:
        return f"Passing costs {points_text(game.cube_value)}."
    return ""
