"""Contests kept in an SQLite file, a game at a time, and played on from there.

Each game is a transaction of its own, on the disk before the next is counted: a program killed at
any moment loses the games that were being played, one in each process.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from bgai.analysis.arena import (
    PLAYED,
    ArenaResult,
    Bout,
    BoutResult,
    Contest,
    PlayedGame,
    arena_result,
    bout_result,
    play_game,
    session_of,
)
from bgai.claims import Claim
from bgai.codec import Codec
from bgai.errors import IO_FAILURE, FileError, InputError
from bgai.notation.record import MatchRecord
from bgai.program import first_done
from bgai.rules.match import Standing

SCHEMA = 1
_IN_FLIGHT = 64
_TABLES = """
CREATE TABLE contest (contest TEXT NOT NULL);
CREATE TABLE games (
    pair INTEGER NOT NULL,
    swapped INTEGER NOT NULL,
    number INTEGER NOT NULL,
    game TEXT NOT NULL,
    PRIMARY KEY (pair, swapped, number)
);
"""
_CONTESTS: Codec[Contest] = Codec(Contest)

Progress = Callable[[int], object]
"""Called with the number of bouts that have just been finished."""


class ContestFileError(InputError):
    """What SQLite says about the file of a contest."""

    def __init__(self, path: Path | None, error: Exception) -> None:
        super().__init__(f"{path}: {error}")
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            self.exit_code = IO_FAILURE


class ArenaFile:
    """The games of one contest; without a path in memory alone.

    Use it as a context manager, which tells SQLite's errors.
    """

    def __init__(self, path: Path | None, contest: Contest) -> None:
        """Opens the file or makes it. Raises ``InputError`` where it is of another contest."""
        self.contest = contest
        self.path = path
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path or ":memory:", timeout=30)
        except OSError as error:
            raise FileError(path, error, writing=True) from None
        except sqlite3.Error as error:
            raise ContestFileError(path, error) from None
        try:
            self._open()
        except InputError:
            self._db.close()
            raise
        except (sqlite3.Error, ValueError, TypeError) as error:
            self._db.close()
            raise ContestFileError(path, error) from None

    def _open(self) -> None:
        found = self._db.execute("PRAGMA user_version").fetchone()[0]
        empty = not self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not found and empty:
            with self._db:
                self._db.execute("BEGIN")
                for statement in filter(str.strip, _TABLES.split(";")):
                    self._db.execute(statement)
                text = json.dumps(_CONTESTS.dump(self.contest))
                self._db.execute("INSERT INTO contest VALUES (?)", (text,))
                self._db.execute(f"PRAGMA user_version = {SCHEMA}")
            return
        if found != SCHEMA:
            raise InputError(f"{self.path}: not a contest, or one of another version")
        kept = _contest_in(self._db)
        if kept != self.contest:
            names = " against ".join(kept.players)
            raise InputError(f"{self.path} has another contest: {names}, {kept}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._db.close()
        if isinstance(error, sqlite3.Error | json.JSONDecodeError):
            raise ContestFileError(self.path, error) from None

    def add(self, bout: Bout, game: PlayedGame) -> None:
        """Keep the next game of a bout."""
        row = (bout.pair, bout.swapped, game.game.standing.games, json.dumps(PLAYED.dump(game)))
        with self._db:
            self._db.execute("INSERT INTO games VALUES (?, ?, ?, ?)", row)

    def games(self, bout: Bout) -> list[PlayedGame]:
        """The games of a bout, in order."""
        rows = self._db.execute(
            "SELECT game FROM games WHERE pair = ? AND swapped = ? ORDER BY number", bout
        )
        return [PLAYED.load(json.loads(row[0])) for row in rows]

    @property
    def kept(self) -> int:
        """How many games there are."""
        return int(self._db.execute("SELECT count(*) FROM games").fetchone()[0])

    # --- playing on ------------------------------------------------------------------------

    def play(self, bouts: int, executor: Executor, progress: Progress | None = None) -> None:
        """Play until there are ``bouts`` bouts, an even number, those kept included."""
        if bouts < 2 or bouts % 2:
            raise InputError(f"every dice sequence is played twice: {bouts} is no even number")
        with Claim(self.path) if self.path else nullcontext():
            self._play(bouts, executor, progress)

    def _play(self, bouts: int, executor: Executor, progress: Progress | None) -> None:
        waiting: dict[Future[PlayedGame], Bout] = {}

        def begin(bout: Bout, standing: Standing) -> None:
            waiting[executor.submit(play_game, self.contest, bout, standing)] = bout

        def collect(most: int) -> None:
            while len(waiting) > most:
                for future in first_done(waiting):
                    bout = waiting.pop(future)
                    played = future.result()
                    self.add(bout, played)
                    if not self.contest.terms.is_over(played.after):
                        begin(bout, played.after)
                    elif progress is not None:
                        progress(1)

        try:
            for bout, standing in self._open_bouts(bouts, progress):
                begin(bout, standing)
                here = all(future.done() for future in waiting)  # worked in this process
                collect(0 if here else _IN_FLIGHT)
            collect(0)
        finally:
            for future in waiting:
                future.cancel()

    def _open_bouts(self, bouts: int, progress: Progress | None) -> Iterator[tuple[Bout, Standing]]:
        for pair in range(bouts // 2):
            for swapped in (False, True):
                bout = Bout(pair, swapped)
                games = self.games(bout)
                standing = games[-1].after if games else Standing.start(self.contest.terms.length)
                if not self.contest.terms.is_over(standing):
                    yield bout, standing
                elif progress is not None:
                    progress(1)

    # --- what came of it -------------------------------------------------------------------

    def _finished(self) -> Iterator[tuple[Bout, list[PlayedGame]]]:
        rows = self._db.execute("SELECT DISTINCT pair, swapped FROM games ORDER BY 1, 2").fetchall()
        for pair, swapped in rows:
            bout = Bout(pair, bool(swapped))
            games = self.games(bout)
            if self.contest.terms.is_over(games[-1].after):
                yield bout, games

    def result(self) -> ArenaResult | None:
        """What came of the finished pairs; None where there is none."""
        found: dict[int, list[BoutResult]] = {}
        for bout, games in self._finished():
            found.setdefault(bout.pair, []).append(bout_result(self.contest, bout, games))
        pairs = [(both[0], both[1]) for both in found.values() if len(both) == 2]
        return arena_result(self.contest, pairs) if pairs else None

    def records(self) -> Iterator[tuple[str, MatchRecord]]:
        """Names of files and the records in them: one for each match, two of all money games."""
        first, second = self.contest.players
        seats = {False: (first, second), True: (second, first)}
        terms = self.contest.terms
        if terms.length is not None:
            for bout, games in self._finished():
                name = f"{bout.pair + 1:05}{'b' if bout.swapped else 'a'}"
                yield name, MatchRecord(seats[bout.swapped], terms, tuple(g.game for g in games))
            return
        for swapped, players in seats.items():
            last = [all_[-1].game for bout, all_ in self._finished() if bout.swapped is swapped]
            if last:
                whole = replace(terms, games=len(last))
                record = MatchRecord(players, whole, session_of(last))
                yield f"money-{'b' if swapped else 'a'}", record


def read_contest(path: Path) -> Contest:
    """The contest of a file. Raises ``InputError``."""
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    try:
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
            return _contest_in(db)
        finally:
            db.close()
    except (sqlite3.Error, json.JSONDecodeError, TypeError) as error:
        raise InputError(f"{path}: not a contest: {error}") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _contest_in(db: sqlite3.Connection) -> Contest:
    return _CONTESTS.load(json.loads(db.execute("SELECT contest FROM contest").fetchone()[0]))
