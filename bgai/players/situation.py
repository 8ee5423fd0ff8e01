"""The situation of a game: what identifiers, diagrams and analysis read."""

from bgai.notation.situation import Offer, Seat, Situation
from bgai.rules.cube import Cube
from bgai.rules.game import Game, Phase


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
