"""Consultation: two a side at one board.

A pair plays like one player. One of the two rolls, in every game or by turns. What two
programs play is the play of the greatest mean equity; where they differ about the cube or a
resignation, the one who rolls decides. Where a person sits in a pair the people decide,
and a program only gives its opinion.
"""

from dataclasses import dataclass
from enum import StrEnum

from bgai.codec import Format
from bgai.errors import InputError
from bgai.players.bot import Bot
from bgai.players.opinions import Opinion, opinion
from bgai.rules.acts import Answer, CubeAct, MakePlay
from bgai.rules.game import Game
from bgai.rules.match import Terms
from bgai.rules.outcome import Result
from bgai.sessions.dice import DiceSource
from bgai.sessions.seating import check_names
from bgai.sessions.session import Seat, Session
from bgai.sessions.session_file import SavedSession

PAIR = 2


class Rolls(StrEnum):
    """Who of a pair rolls the dice."""

    ALWAYS_FIRST = "first"
    ALTERNATING = "alternating"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two partners. Raises ``InputError`` for any other number."""

    members: tuple[Seat, ...]
    rolls: Rolls = Rolls.ALWAYS_FIRST

    def __post_init__(self) -> None:
        if len(self.members) != PAIR:
            names = ", ".join(seat.name for seat in self.members)
            raise InputError(f"a pair has two players, not {len(self.members)} ({names})")

    @property
    def name(self) -> str:
        return " & ".join(seat.name for seat in self.members)

    @property
    def people(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.members if seat.is_person)

    def roller(self, games_before: int) -> int:
        """Which of the two rolls in the game after so many games, 0 or 1."""
        return games_before % PAIR if self.rolls is Rolls.ALTERNATING else 0


class ConsultingPlayer:
    """A ``Player`` made of a pair's two programs."""

    def __init__(self, pair: Pair, bots: tuple[Bot, ...]) -> None:
        if len(bots) != PAIR:
            raise InputError(f"{pair.name}: the people of a pair decide themselves")
        self.name = pair.name
        self.pair = pair
        self.bots = bots

    def _roller(self, game: Game) -> Bot:
        return self.bots[self.pair.roller(game.standing.games)]

    def choose_play(self, game: Game) -> MakePlay:
        """The play of the greatest mean equity; the roller's favourite among equals."""
        total: dict[bytes, float] = {}
        for bot in (self._roller(game), *(b for b in self.bots if b is not self._roller(game))):
            for ranked in bot.rank_plays(game):
                key = ranked.after.tobytes()
                total[key] = total.get(key, 0.0) + ranked.worth / PAIR
        best = max(total, key=lambda key: total[key])
        return MakePlay(next(after for after in game.plays if after.tobytes() == best))

    def doubles(self, game: Game) -> bool:
        return self._roller(game).doubles(game)

    def answer_double(self, game: Game) -> CubeAct:
        return self._roller(game).answer_double(game)

    def offers_resignation(self, game: Game) -> Result | None:
        """Only what both partners would give."""
        levels = [bot.offers_resignation(game) for bot in self.bots]
        return None if None in levels else min(level for level in levels if level is not None)

    def answer_resignation(self, game: Game) -> Answer:
        return self._roller(game).answer_resignation(game)


class Consultation:
    """A match or money session between two pairs: an ordinary session with the pairs' names."""

    def __init__(
        self,
        terms: Terms,
        pairs: tuple[Pair, Pair],
        dice: DiceSource,
        session: Session | None = None,
    ) -> None:
        check_names([seat for pair in pairs for seat in pair.members])
        self.pairs = pairs
        seats = tuple(
            Seat(pair.name, None if pair.people else pair.members[0].level) for pair in pairs
        )
        self.session = session or Session(terms, (seats[0], seats[1]), dice)
        self.bots = tuple(tuple(seat.bot for seat in pair.members if seat.level) for pair in pairs)
        self.players = tuple(
            None if pair.people else ConsultingPlayer(pair, bots)
            for pair, bots in zip(pairs, self.bots, strict=True)
        )

    def roller(self, side: int) -> Seat:
        """Who rolls for a side in the current game."""
        pair = self.pairs[side]
        return pair.members[pair.roller(self.session.records[-1].standing.games)]

    def opinions(self) -> list[Opinion]:
        """What the programs of the side to act think."""
        game = self.session.game
        if game.actor is None:
            return []
        programs = [seat for seat in self.pairs[game.actor].members if seat.level]
        bots = self.bots[game.actor]
        return [opinion(bot, game, seat.name) for bot, seat in zip(bots, programs, strict=True)]

    def sheet(self) -> list[tuple[int, tuple[str, str], tuple[int, int]]]:
        """A row for each finished game: its number, who rolled, the score after it."""
        rows = []
        standings = [record.standing for record in self.session.records[1:]]
        if self.session.game.is_over:
            standings.append(self.session.standing)
        for number, standing in enumerate(standings, 1):
            names = [pair.members[pair.roller(number - 1)].name for pair in self.pairs]
            rows.append((number, (names[0], names[1]), standing.points))
        return rows


@dataclass(frozen=True)
class _Contents:
    over: bool
    pairs: tuple[Pair, Pair]
    session: SavedSession


def _build(saved: _Contents) -> Consultation:
    session = saved.session
    return Consultation(session.terms, saved.pairs, session.dice, session)


CONSULTATIONS = Format(
    "bgai consultation",
    1,
    _Contents,
    lambda found: _Contents(found.session.is_over, found.pairs, found.session),
    _build,
)
"""Saved consultations; every act is checked on reading."""
