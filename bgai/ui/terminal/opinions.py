"""Opinions of programs in words and numbers."""

from collections.abc import Sequence

from bgai.notation.play_text import format_play
from bgai.players.opinions import Opinion
from bgai.rules.acts import MakePlay
from bgai.rules.game import Game, Phase
from bgai.rules.play import recover_play


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
    assert game.roll is not None
    if game.must_pass:
        return "no legal play"
    texts = []
    for ranked in said.plays:
        play = format_play(recover_play(game.position, ranked.after, game.roll))
        texts.append(f"{play} {ranked.worth:+.3f}")
    return ", ".join(texts)


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
