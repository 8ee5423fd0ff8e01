"""What the person at the terminal sees: board, news, list of plays, prompt, help."""

from collections.abc import Sequence

from bgai.notation.diagram import format_diagram
from bgai.notation.identifiers import format_gnu_id
from bgai.notation.play_text import format_play
from bgai.notation.situation import Seat as Side
from bgai.notation.xgid import format_xgid
from bgai.players.situation import game_situation
from bgai.rules.game import Game, Phase
from bgai.rules.play import Play
from bgai.sessions.session import Session
from bgai.ui.terminal import words
from bgai.ui.terminal.keys import HELP
from bgai.ui.terminal.screen import Screen

_NEWS = 8  # lines of news; more would push the board off a small terminal
LISTED = 18  # with more legal plays the list is shown only on demand


class View:
    """One person's view of a session: that seat at the bottom, called ``You``."""

    def __init__(self, session: Session, screen: Screen, person: int) -> None:
        self.session = session
        self.screen = screen
        self.person = person
        program = session.seats[1 - person].name
        self.names = (words.YOU, program) if person == 0 else (program, words.YOU)

    def draw(self, plays: Sequence[Play], notes: Sequence[str]) -> None:
        """The whole screen, up to the prompt."""
        game = self.session.game
        lines = [*self.board(), *notes]
        news = words.news(self.session.history(), self.person, self.names)
        lines += news if len(news) <= _NEWS else ["...", *news[1 - _NEWS :]]
        if game.actor == self.person:
            waiting = words.waiting_text(game)
            lines += [waiting] if waiting else []
            if game.phase is Phase.PLAY:
                lines += self._plays_lines(plays)
        if game.is_over:
            lines.append(
                words.score_text(self.session.terms, self.session.standing, self.names) + "."
            )
        self.screen.clear()
        self.screen.show(*lines)

    def board(self) -> list[str]:
        """The heading and the board."""
        game = self.session.game
        side = {self.person: Side.BOTTOM, 1 - self.person: Side.TOP}
        diagram = format_diagram(
            game_situation(game, bottom=self.person),
            view=Side.BOTTOM,
            names={side[seat]: name for seat, name in enumerate(self.names)},
            ascii_only=self.screen.ascii_only,
            ids=False,
            numbered_for=Side.BOTTOM,
            decision="game over" if game.is_over else None,
        )
        number = self.session.game_number
        return [words.heading(self.session.terms, game, number, self.names), diagram, ""]

    def ids(self) -> list[str]:
        """The identifiers of this moment."""
        situation = game_situation(self.session.game, bottom=self.person)
        return [format_xgid(situation), f"GNU ID {format_gnu_id(situation)}"]

    def _plays_lines(self, plays: Sequence[Play]) -> list[str]:
        if len(plays) == 1:
            return [f"There is only one play: {format_play(plays[0])}"]
        if len(plays) > LISTED:
            return [f"{len(plays)} legal plays; 'plays' lists them."]
        return self.list_plays(plays)

    def list_plays(self, plays: Sequence[Play]) -> list[str]:
        """The plays with their numbers, in columns."""
        return self.screen.columns([format_play(play) for play in plays])

    def end(self) -> str:
        """The result of the whole session."""
        return words.end_text(self.session.terms, self.session.standing, self.names)


def help_lines(game: Game, available: Sequence[str]) -> list[str]:
    """What can be typed now."""
    lines = [f"  {word:<8} {HELP[word]}" for word in available]
    lines.append("Commands may be shortened, as long as only one fits.")
    if game.phase is Phase.PLAY:
        lines += [
            "A play: its number in the list, or from/to on your points, 24 down to 1, such as",
            "8/5 6/5, 24/18*, 13/7(2), bar/20, 6/off. Hit marks (*) may be left out.",
        ]
    return lines


def prompt(game: Game, plays: int, manual: bool) -> str:
    """The question at the bottom; ``plays`` counts the legal ones, ``manual`` dice by hand."""
    if game.is_over:
        return "Enter for the next game (or undo, save, quit, help): "
    match game.phase:
        case Phase.TURN if manual:
            double = "" if game.why_no_double() else ", or double"
            return f"Your dice, e.g. 31{double} (help for more): "
        case Phase.TURN:
            return "Enter to roll, or double (help for more): "
        case Phase.PLAY if plays == 1:
            return "Enter to play it (help for more): "
        case Phase.PLAY:
            return f"Your play of {game.roll}: its number, or typed like 13/8 6/5 (help): "
    choices = [kind.value for kind in game.legal_kinds()]
    return f"{', '.join(choices[:-1])} or {choices[-1]} (help for more): "
