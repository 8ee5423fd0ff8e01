"""Advice at the table: what a program would do in the person's place."""

from collections.abc import Sequence

from bgai.evaluation.evaluator import Chances, swap_chances
from bgai.notation.play_text import format_play
from bgai.players.bot import Bot
from bgai.rules.acts import Answer, MakePlay
from bgai.rules.game import Game, Phase
from bgai.rules.play import recover_play

_BEST = 5


def hint(bot: Bot, game: Game, numbers: Sequence[bytes]) -> list[str]:
    """Lines of advice for the player to act.

    ``numbers`` are the positions after of the numbered list of plays, as bytes, so that the
    advice can be picked by the same number.
    """
    match game.phase:
        case Phase.PLAY:
            return _plays(bot, game, numbers)
        case Phase.TURN:
            verdict = _before_roll(bot, game)
        case Phase.DOUBLED:
            verdict = f"{bot.answer_double(game).value}"
        case Phase.RESIGNED:
            accept = bot.answer_resignation(game) is Answer.ACCEPT
            verdict = "accept" if accept else "refuse: playing on is worth more"
        case _:
            return ["Nothing to decide now."]
    assert game.actor is not None
    chances = bot.lookahead.evaluate(game.position[None])[0]
    return [
        f"Hint: {verdict}.",
        _chances_line(chances if game.actor == game.turn else swap_chances(chances)),
    ]


def _before_roll(bot: Bot, game: Game) -> str:
    reason = game.why_no_double()
    if reason is not None:
        return f"roll ({reason})"
    return "double" if bot.doubles(game) else "no double, roll"


def _plays(bot: Bot, game: Game, numbers: Sequence[bytes]) -> list[str]:
    assert game.roll is not None
    ranked = bot.rank_plays(game)[:_BEST]
    lines = ["Hint, best first (number in the list, play, equity):"]
    for rank, each in enumerate(ranked):
        text = format_play(recover_play(game.position, each.after, game.roll))
        number = numbers.index(MakePlay(each.after).after.tobytes()) + 1
        lost = f"  ({each.worth - ranked[0].worth:+.3f})" if rank else ""
        lines.append(f"{number:>4}  {text:<24} {each.worth:+.3f}{lost}")
    return [*lines, _chances_line(ranked[0].chances)]


def _chances_line(chances: Chances) -> str:
    win, wg, wbg, lg, lbg = (100 * float(each) for each in chances)
    return (
        f"You win {win:.1f}% (gammon {wg:.1f}, backgammon {wbg:.1f}), "
        f"lose {100 - win:.1f}% (gammon {lg:.1f}, backgammon {lbg:.1f})."
    )
