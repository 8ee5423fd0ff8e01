"""Programs at a chouette: what each of them decides when it is asked."""

from collections.abc import Iterator, Mapping

from bgai.players.player import Player
from bgai.rules.acts import CubeAct, MakePlay, Resign
from bgai.rules.game import Game
from bgai.sessions.chouette import Chouette
from bgai.sessions.chouette_game import Ask, ChouetteAct, ChouetteGame, Hold, Waiting

Players = Mapping[int, Player]
"""The programs by seat of the chouette; the other seats are people."""


def decide(players: Players, game: ChouetteGame) -> ChouetteAct | None:
    """The act of the program that is asked; None for rolling the dice."""
    waiting = game.waiting
    assert waiting is not None
    if waiting.ask in (Ask.ROLL, Ask.PLAY):
        resigned = resignation(players, game)
        if resigned is not None:
            return resigned
    if waiting.ask in (Ask.OPENING, Ask.ROLL):
        return None
    assert waiting.seat is not None
    return _answer(players[waiting.seat], waiting)


def _answer(player: Player, waiting: Waiting) -> ChouetteAct:
    game = waiting.game
    match waiting.ask:
        case Ask.DOUBLE:
            act = CubeAct.DOUBLE if player.doubles(game) else Hold.HOLD
            return ChouetteAct(act, waiting.cube)
        case Ask.ANSWER:
            return ChouetteAct(player.answer_double(game), waiting.cube)
        case Ask.RESIGNATION:
            return ChouetteAct(player.answer_resignation(game), waiting.cube)
    if len(game.plays) == 1:
        return ChouetteAct(MakePlay(game.plays[0]))
    return ChouetteAct(player.choose_play(game))


def resignation(players: Players, game: ChouetteGame) -> ChouetteAct | None:
    """The resignation a program on the side on turn offers now, before roll or play."""
    for cube in game.open_cubes:
        each: Game = game.games[cube]
        player = players.get(game.speaker(cube, each.turn))
        if player is None or not each.resignation_levels:
            continue
        level = player.offers_resignation(each)
        if level is not None:
            return ChouetteAct(Resign(level), cube)
    return None


def step(chouette: Chouette, players: Players) -> ChouetteAct:
    """One act of the current game, all of its players being programs."""
    act = decide(players, chouette.game)
    if act is None:
        return chouette.roll()
    chouette.do(act)
    return act


def play(chouette: Chouette, players: Players) -> Iterator[ChouetteAct]:
    """Play from where the chouette stands to its end, yielding each act after it was made.

    Without an agreed number of games it goes on until the caller stops asking.
    """
    while True:
        while not chouette.game.is_over:
            yield step(chouette, players)
        if chouette.is_over:
            return
        chouette.next_game()


def consulted(game: ChouetteGame, seat: int) -> tuple[int, ...]:
    """Team members a member may consult: those still in the game; the box is alone."""
    if seat == game.box:
        return ()
    inside = {member for cube in game.open_cubes for member in game.holders[cube]}
    return tuple(member for member in game.team if member in inside and member != seat)
