"""Team matches: three players a side at three boards, each board a match of the same length.

The side that wins two of the three boards wins. The boards go on side by side, a game at each
in turn; when two are won the match is decided and what is left is called off.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bgai.codec import Format
from bgai.errors import InputError
from bgai.players.player import Player
from bgai.rules.cube import HouseRules
from bgai.rules.match import Terms
from bgai.sessions.dice import SeededDice
from bgai.sessions.seating import check_names
from bgai.sessions.session import Seat, Session
from bgai.sessions.session_file import SavedSession

BOARDS = 3
MAJORITY = 2


@dataclass(frozen=True, slots=True)
class Team:
    """Three players, the first at the first board. Raises ``InputError`` for any other number."""

    name: str
    members: tuple[Seat, ...]

    def __post_init__(self) -> None:
        if len(self.members) != BOARDS:
            names = ", ".join(seat.name for seat in self.members)
            raise InputError(
                f"team {self.name} has {len(self.members)} players ({names}), "
                f"a team has {BOARDS}: one at each board"
            )


class TeamMatch:
    """Three matches at a time. Dice of each board come from ``seed``, each their own."""

    def __init__(
        self,
        teams: tuple[Team, Team],
        length: int,
        *,
        seed: int = 0,
        max_cube: int | None = None,
        sessions: Sequence[Session] | None = None,
    ) -> None:
        check_names([seat for team in teams for seat in team.members])
        if teams[0].name == teams[1].name:
            raise InputError(f"two teams are called {teams[0].name}; give one another name")
        self.teams = teams
        terms = Terms(length, HouseRules(max_cube=max_cube))
        self.sessions = tuple(
            sessions
            or (
                Session(terms, self._seats(board), SeededDice(BOARDS * seed + board))
                for board in range(BOARDS)
            )
        )
        self.players: tuple[tuple[Player | None, Player | None], ...] = tuple(
            (_player(pair[0]), _player(pair[1]))
            for pair in (self._seats(board) for board in range(BOARDS))
        )

    def _seats(self, board: int) -> tuple[Seat, Seat]:
        return self.teams[0].members[board], self.teams[1].members[board]

    def boards_won(self, side: int) -> int:
        """How many boards a side has won so far."""
        return sum(session.standing.winner == side for session in self.sessions)

    @property
    def winner(self) -> int | None:
        """The side that has won two boards; None while the match goes on."""
        return next((side for side in (0, 1) if self.boards_won(side) >= MAJORITY), None)

    @property
    def is_over(self) -> bool:
        return self.winner is not None

    def next_board(self) -> int | None:
        """The board where the next game is played or goes on; None when the match is over.

        A game begun goes on first, then the board with the fewest games finished.
        """
        if self.is_over:
            return None
        going = [board for board in range(BOARDS) if not self.sessions[board].is_over]
        return min(going, key=lambda board: (not self._is_begun(board), self._finished(board)))

    def _is_begun(self, board: int) -> bool:
        session = self.sessions[board]
        return bool(session.records[-1].acts) and not session.game.is_over

    def _finished(self, board: int) -> int:
        session = self.sessions[board]
        return session.game_number - (0 if session.game.is_over else 1)


def _player(seat: Seat) -> Player | None:
    return None if seat.level is None else seat.bot


def play_game(match: TeamMatch, board: int) -> None:
    """Play the game at a board between two programs to its end."""
    from bgai.sessions.referee import step

    session = match.sessions[board]
    first, second = match.players[board]
    if first is None or second is None:
        raise InputError(f"a person sits at board {board + 1}")
    if session.game.is_over:
        session.next_game()
    while not session.game.is_over:
        step(session, (first, second))


@dataclass(frozen=True)
class _Contents:
    over: bool
    boards_won: tuple[int, int]
    teams: tuple[Team, Team]
    boards: list[SavedSession]


def _contents(match: TeamMatch) -> _Contents:
    won = (match.boards_won(0), match.boards_won(1))
    return _Contents(match.is_over, won, match.teams, list(match.sessions))


def _build(saved: _Contents) -> TeamMatch:
    if len(saved.boards) != BOARDS:
        raise InputError(f"boards: a team match has {BOARDS}, not {len(saved.boards)}")
    lengths = {session.terms.length for session in saved.boards}
    length = lengths.pop()
    if lengths or length is None:
        raise InputError("boards: those of a team match are matches of one length")
    return TeamMatch(saved.teams, length, sessions=saved.boards)


TEAM_MATCHES = Format("bgai team match", 1, _Contents, _contents, _build)
"""Saved team matches; every act is checked on reading."""
