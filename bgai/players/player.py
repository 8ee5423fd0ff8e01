"""What a player at the table decides. Programs and people implement the same protocol."""

from typing import Protocol

from bgai.rules.acts import Act, Answer, CubeAct, MakePlay, Resign
from bgai.rules.game import Game, IllegalAct, Phase
from bgai.rules.outcome import Result


class Player(Protocol):
    """Asked only when it is to act: ``game.actor`` is this player's seat.

    ``game.position`` shows the player on turn as side 0: the player itself, except in the two
    answers, where (a beaver excepted) it is the opponent.
    """

    name: str

    def offers_resignation(self, game: Game) -> Result | None:
        """The level to resign at now, before anything else in a turn; None to play on."""
        ...

    def doubles(self, game: Game) -> bool:
        """Whether to double before rolling; asked only where a double is legal."""
        ...

    def choose_play(self, game: Game) -> MakePlay:
        """One of ``game.plays``; asked only where more than one is legal."""
        ...

    def answer_double(self, game: Game) -> CubeAct:
        """Take, pass, or beaver or raccoon where legal."""
        ...

    def answer_resignation(self, game: Game) -> Answer:
        """Accept or refuse ``game.offer``."""
        ...


def decide(player: Player, game: Game) -> Act | None:
    """The act of the player to act; None for rolling the dice."""
    match game.phase:
        case Phase.TURN:
            level = player.offers_resignation(game) if game.resignation_levels else None
            if level is not None:
                return Resign(level)
            if game.why_no_double() is None and player.doubles(game):
                return CubeAct.DOUBLE
            return None
        case Phase.PLAY:
            if len(game.plays) == 1:
                return MakePlay(game.plays[0])
            level = player.offers_resignation(game) if game.resignation_levels else None
            return player.choose_play(game) if level is None else Resign(level)
        case Phase.DOUBLED:
            return player.answer_double(game)
        case Phase.RESIGNED:
            return player.answer_resignation(game)
    raise IllegalAct(f"nobody decides anything in the phase '{game.phase}'")
