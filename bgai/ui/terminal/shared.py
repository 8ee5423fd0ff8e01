"""A board at the terminal with any mix of people and programs: pairs and the boards of teams."""

from collections.abc import Callable
from pathlib import Path

from bgai.players.engines import engine
from bgai.players.opinions import Opinion
from bgai.players.player import Player
from bgai.program import apart
from bgai.rules.game import Game, Phase
from bgai.sessions.consultation import CONSULTATIONS, Consultation
from bgai.sessions.session import Session
from bgai.sessions.team import BOARDS, TEAM_MATCHES, TeamMatch, play_game
from bgai.ui.terminal.game import TerminalTable
from bgai.ui.terminal.opinions import opinion_lines
from bgai.ui.terminal.screen import Screen
from bgai.ui.terminal.table import KeptTable, Leave

Players = tuple[Player | None, Player | None]


class SharedTable(TerminalTable):
    """One session; ``players`` are the programs by seat, None a person (or a pair with one).

    ``keep`` writes the file, of which this session may be a part. ``opinions`` tells what the
    programs on the side to act think; without any the hint is that of the best level.
    """

    def __init__(
        self,
        session: Session,
        screen: Screen,
        path: Path,
        players: Players,
        keep: Callable[[Path], None],
        *,
        opinions: Callable[[], list[Opinion]] | None = None,
        path_is_ours: bool = False,
    ) -> None:
        self.players = players
        self.keep = keep
        self.opinions = opinions
        person = 0 if players[0] is None else 1
        # Where people sit on both sides the other "program" is never asked.
        other = players[1 - person] or engine("random").bot
        super().__init__(
            session, screen, path, person=person, opponent=other, path_is_ours=path_is_ours
        )
        self.view.names = (session.seats[0].name, session.seats[1].name)

    def play_game(self) -> None:
        """Play the game that is on, or the next one, to its end."""
        if self.session.game.is_over:
            self.session.next_game()
        while not self.session.game.is_over:
            self._step()
        self._draw()

    def _step(self) -> None:
        actor = self.session.game.actor
        if actor is not None and self.players[actor] is None:
            self.person = self.view.person = actor
        super()._step()

    def _prompt(self, game: Game) -> str:
        """Where several people share the keyboard the one who is asked is named."""
        prompt = super()._prompt(game)
        return f"{self.view.names[self.person]}: {prompt}" if not game.is_over else prompt

    def _write(self, path: Path) -> None:
        self.keep(path)

    def _hint(self, game: Game) -> bool:
        if self.opinions is None:
            return super()._hint(game)
        with self.screen.busy("thinking ..."):
            opinions = apart(self.opinions)
        return self._say(*opinion_lines(opinions, game)) if opinions else super()._hint(game)


class PairsTable(SharedTable):
    """Two pairs at one board; ``hint`` asks the program in one's own pair."""

    def __init__(
        self, pairs: Consultation, screen: Screen, path: Path, *, path_is_ours: bool = False
    ) -> None:
        self.pairs = pairs
        super().__init__(
            pairs.session,
            screen,
            path,
            (pairs.players[0], pairs.players[1]),
            lambda path: CONSULTATIONS.write(path, pairs),
            opinions=pairs.opinions,
            path_is_ours=path_is_ours,
        )

    def _step(self) -> None:
        if self.session.game.phase is Phase.OPENING:
            first, second = (self.pairs.roller(side).name for side in (0, 1))
            self.notes = [f"The dice: {first} for {self.view.names[0]}, {second} for the others."]
        super()._step()


class TeamTable(KeptTable):
    """Three boards in turn; those between two programs are played out of sight."""

    def __init__(
        self, match: TeamMatch, screen: Screen, path: Path, *, path_is_ours: bool = False
    ) -> None:
        super().__init__(screen, path, path_is_ours=path_is_ours)
        self.match = match
        self.meanwhile: list[str] = []

    def _write(self, path: Path) -> None:
        TEAM_MATCHES.write(path, self.match)

    def run(self) -> None:
        """Play until two boards are won. Raises ``Leave`` or ``InputEnded`` when they aren't."""
        self._save()
        while (board := self.match.next_board()) is not None:
            if None in self.match.players[board]:
                self._at_the_terminal(board)
            else:
                with self.screen.busy(f"Board {board + 1} is playing ..."):
                    apart(play_game, self.match, board)
                self._save()
                self.meanwhile.append(board_line(self.match, board).replace("  ", "Meanwhile ", 1))
        self.screen.show("", *team_lines(self.match))

    def _at_the_terminal(self, board: int) -> None:
        table = SharedTable(
            self.match.sessions[board],
            self.screen,
            self.path,
            self.match.players[board],
            self._write,
            path_is_ours=self.path_is_ours,
        )
        table.announced = self.announced
        table.notes = [*self.meanwhile, f"Board {board + 1} of the team match."]
        self.meanwhile = []
        try:
            table.play_game()
        finally:
            self.path, self.path_is_ours = table.path, table.path_is_ours
            self.claim.release()
            self.claim, self.unsaved = table.claim, table.unsaved
        self._save()
        self.screen.show(*team_lines(self.match))
        if not self.match.is_over and self.screen.ask("Enter to go on, or quit: ").strip():
            raise Leave


def board_line(match: TeamMatch, board: int) -> str:
    """One board: who plays whom, the score, whether it is won."""
    session = match.sessions[board]
    first, second = (seat.name for seat in session.seats)
    points = session.standing.points
    winner = session.standing.winner
    state = "" if winner is None else f", won by {match.teams[winner].name}"
    if winner is None and match.is_over:
        state = ", called off"
    return (
        f"  board {board + 1}: {first} {points[0]} - {points[1]} {second}, "
        f"match to {session.terms.length}{state}"
    )


def team_lines(match: TeamMatch) -> list[str]:
    """The state of the whole team match."""
    won = (match.boards_won(0), match.boards_won(1))
    score = f"{match.teams[0].name} {won[0]} - {won[1]} {match.teams[1].name}"
    lines = [f"Boards won: {score}", *(board_line(match, board) for board in range(BOARDS))]
    if match.winner is not None:
        lines.append(f"{match.teams[match.winner].name} wins the team match.")
    return lines


def pairs_lines(pairs: Consultation) -> list[str]:
    """The games of a consultation: who rolled, the score after each."""
    lines = [f"{pairs.pairs[0].name} against {pairs.pairs[1].name}"]
    money = pairs.session.terms.length is None
    for number, rollers, points in pairs.sheet():
        dice = f"dice {rollers[0]} and {rollers[1]}"
        score = "{:+d} {:+d}" if money else "{} - {}"  # money won is money lost
        lines.append(f"  game {number}: {score.format(*points)}  ({dice})")
    return lines
