"""What a program at the table thinks, with numbers: for partners, teams and captains."""

from dataclasses import dataclass

from bgai.equity.cube_action import CubeDecision
from bgai.evaluation.evaluator import Chances, swap_chances
from bgai.players.bot import Bot
from bgai.players.search_cube import SearchCubePolicy
from bgai.rules.acts import Act, CubeAct
from bgai.rules.game import Game, IllegalAct, Phase
from bgai.search.lookahead import RankedPlay


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """One program's advice to the player to act, ``game.actor``.

    ``act`` is what it would do, None for rolling without a double. ``plays`` are all plays, the
    best first, where dice are rolled, ``decision`` its equities of the cube (seen by the player
    on turn, in units of the cube before the double) where there is a cube decision. ``chances``
    ``(5,)`` are those of the player advised.
    """

    name: str
    act: Act | None
    chances: Chances
    plays: tuple[RankedPlay, ...] = ()
    decision: CubeDecision | None = None


def opinion(bot: Bot, game: Game, name: str | None = None) -> Opinion:
    """What a program would do for the player to act. Raises ``IllegalAct`` where nobody acts."""
    name = name or bot.name
    if game.actor is None:
        raise IllegalAct("there is nothing to decide now")
    if game.phase is Phase.PLAY:
        ranked = bot.rank_plays(game)
        return Opinion(name, bot.choose_play(game), ranked[0].chances, tuple(ranked))
    chances = _chances(bot, game)
    act: Act | None
    match game.phase:
        case Phase.TURN:
            available = game.why_no_double() is None
            act = CubeAct.DOUBLE if available and bot.doubles(game) else None
            return Opinion(name, act, chances, (), _decision(bot, game) if available else None)
        case Phase.DOUBLED:
            return Opinion(name, bot.answer_double(game), chances, (), _decision(bot, game))
    return Opinion(name, bot.answer_resignation(game), chances)


def _chances(bot: Bot, game: Game) -> Chances:
    """Those of the player to act: before the roll, or after the best play of the roll there is."""
    if game.roll is None:
        chances = bot.lookahead.evaluate(game.position[None])[0]
    else:
        chances = bot.rank_plays(game)[0].chances
    return chances if game.actor == game.turn else swap_chances(chances)


def _decision(bot: Bot, game: Game) -> CubeDecision | None:
    return bot.cube.decision(game) if isinstance(bot.cube, SearchCubePolicy) else None
