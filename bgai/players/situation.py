"""The situation of a game: what identifiers, diagrams and analysis read."""

from bgai.notation.situation import Offer, Seat, Situation
from bgai.rules.acts import CubeAct
from bgai.rules.cube import Cube
from bgai.rules.game import Game, Phase
from bgai.rules.match import Standing


def game_situation(game: Game, bottom: int = 0) -> Situation:
    """The situation of a game, seen by the player on turn; seat ``bottom`` sits at the bottom.

    Before the opening roll the situation is the starting position with seat 0 on roll. A
    resignation that waits for its answer isn't part of a situation.
    """
    turn = game.turn
    offer = Offer.NONE
    cube = game.cube_for(turn)
    if game.phase is Phase.DOUBLED:
        offer = Offer(min(1 + game.redoubles, Offer.RACCOONED))
        cube = Cube(2 * game.cube_value >> offer, cube.owner)
    score = None if game.standing.winner is not None else game.score_for(turn)
    won = game.standing.points
    return Situation(
        position=game.position,
        cube=cube,
        score=score,
        rules=game.rules,
        roll=game.roll,
        offer=offer,
        seat=Seat.BOTTOM if turn == bottom else Seat.TOP,
        session=(0, 0) if game.standing.is_match else (won[turn], won[1 - turn]),
    )


def situation_game(situation: Situation, turn: int = 0) -> Game:
    """The game a situation stands for, the seat ``turn`` on roll; money sessions start at 0.

    Raises ``InputError`` where the game or the match is over.
    """
    score = situation.score
    standing = Standing.start()
    if score is not None:
        points = (score.on_roll, score.opponent)
        standing = Standing(score.length, points if turn == 0 else points[::-1], score.crawford)
    game = Game.set_up(
        situation.position,
        turn=turn,
        roll=situation.roll,
        cube=situation.cube,
        standing=standing,
        rules=situation.rules,
    )
    for act in (CubeAct.DOUBLE, CubeAct.BEAVER, CubeAct.RACCOON)[: situation.offer]:
        game = game.after(act)
    return game
