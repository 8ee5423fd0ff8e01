"""Opinions of programs in words and numbers: partners' advice, and the hint at the table."""

from collections.abc import Sequence

from bgai.notation.play_text import format_play
from bgai.players.opinions import Opinion
from bgai.rules.acts import MakePlay
from bgai.rules.game import Game, Phase
from bgai.rules.play import recover_play
from bgai.search.lookahead import RankedPlay

_NAMED, _HINTED = 3, 5  # plays


def hint_lines(said: Opinion, game: Game, numbers: Sequence[bytes]) -> list[str]:
    """Advice for the player to act.

    ``numbers`` are the positions after of the numbered list of plays, as bytes, so that the
    advice can be picked by the same number.
    """
    win, wg, wbg, lg, lbg = (100 * float(each) for each in said.chances)
    chances = (
        f"You win {win:.1f}% (gammon {wg:.1f}, backgammon {wbg:.1f}), "
        f"lose {100 - win:.1f}% (gammon {lg:.1f}, backgammon {lbg:.1f})."
    )
    if not said.plays:
        waits = said.act is None and game.why_no_double() is None
        return [f"Hint: {_advice(said, game)}{', roll' if waits else ''}.", chances]
    lines = ["Hint, best first (number in the list, play, equity):"]
    for rank, each in enumerate(said.plays[:_HINTED]):
        number = numbers.index(MakePlay(each.after).after.tobytes()) + 1
        lost = f"  ({each.worth - said.plays[0].worth:+.3f})" if rank else ""
        lines.append(f"{number:>4}  {_text(game, each):<24} {each.worth:+.3f}{lost}")
    return [*lines, chances]


def opinion_lines(opinions: Sequence[Opinion], game: Game) -> list[str]:
    """One program after another, a few lines each."""
    if not opinions:
        return ["No program on your side is in this game."]
    return [line for each in opinions for line in _one(each, game)]


def _one(said: Opinion, game: Game) -> list[str]:
    win, win_gammon, _, lose_gammon, _ = (100 * float(chance) for chance in said.chances)
    chances = f"win {win:.1f}% (gammon {win_gammon:.1f}), lose gammon {lose_gammon:.1f}%"
    if said.plays:
        return [f"{said.name}: {_plays(said, game)}", f"    after the first: {chances}"]
    return [f"{said.name}: {_advice(said, game)}", *_equities(said), f"    {chances}"]


def _plays(said: Opinion, game: Game) -> str:
    if game.must_pass:
        return "no legal play"
    return ", ".join(f"{_text(game, each)} {each.worth:+.3f}" for each in said.plays[:_NAMED])


def _text(game: Game, play: RankedPlay) -> str:
    assert game.roll is not None
    return format_play(recover_play(game.position, play.after, game.roll))


def _advice(said: Opinion, game: Game) -> str:
    if said.act is None:
        reason = game.why_no_double()
        return f"roll ({reason})" if reason else "no double"
    assert not isinstance(said.act, MakePlay)
    if game.phase is Phase.RESIGNED and said.act.kind.value == "refuse":
        return "refuse: playing on is worth more"
    return said.act.kind.value


def _equities(said: Opinion) -> list[str]:
    decision = said.decision
    if decision is None or decision.double_take is None:
        return []
    waiting, taken = f"{decision.no_double:+.3f}", f"{decision.double_take:+.3f}"
    return [f"    doubler's equity: no double {waiting}, double, take {taken}, double, pass +1.000"]
