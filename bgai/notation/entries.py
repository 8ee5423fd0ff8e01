"""Entries: what the rows of match files say, and the way from them to acts and back.

Every file format tells a game as a list of entries: a roll with its play, a turn of the cube,
a result. :func:`assemble` plays them through by the rules; what the rules don't allow breaks
that game, is reported, and reading goes on with the next one. :func:`entries_of` is the way back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from bgai.errors import InputError
from bgai.notation.play_text import AmbiguousPlayError, format_play, parse_play
from bgai.notation.record import MatchRecord, RecordedGame, RecordError, Result
from bgai.rules.acts import Act, ActKind, Answer, CubeAct, MakePlay, OpeningDice, Resign, RollDice
from bgai.rules.cube import HouseRules
from bgai.rules.dice import Roll, roll_of
from bgai.rules.game import Ending, Game, Phase
from bgai.rules.match import Standing, Terms
from bgai.rules.outcome import Result as Level
from bgai.rules.play import apply_play, recover_play

MOST_REDOUBLES = 64  # beavers and raccoons while reading, before the record says how many


class Kind(StrEnum):
    """The kinds of entries."""

    ROLL = "roll"  # with the play; ``moves`` "" where none is written, None not made
    DOUBLE = "double"  # a beaver where a double waits for its answer
    TAKE = "take"
    PASS = "pass"
    RESIGN = "resign"
    WIN = "win"
    ERROR = "error"  # ``moves`` says what is wrong


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing a file says; ``where`` names the row for messages.

    ``points``: the cube offered (a double), the points won (a win), the level (a resignation),
    0 where the file doesn't say. ``complete``: this format never leaves out a forced play.
    """

    kind: Kind
    seat: int
    where: str = ""
    dice: tuple[int, int] | None = None
    moves: str | None = None
    points: int = 0
    comment: str = ""
    complete: bool = False


@dataclass(frozen=True, slots=True)
class RawGame:
    """A game as its file tells it. ``points`` before the game; ``crawford`` None: infer it."""

    entries: Sequence[Entry]
    points: tuple[int, int] | None = None
    crawford: bool | None = None
    comment: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class RawMatch:
    """A file's content. ``jacoby`` None: the file doesn't say."""

    players: tuple[str, str]
    length: int | None
    games: Sequence[RawGame]
    info: dict[str, str]
    crawford_rule: bool = True
    jacoby: bool | None = None
    beavers: bool | None = None
    max_cube: int | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file: the game's number, where in it, what."""

    game: int
    where: str
    text: str
    file: str = ""

    def __str__(self) -> str:
        parts = [self.file, f"game {self.game}" if self.game else "", self.where]
        return ", ".join(part for part in parts if part) + f": {self.text}"


@dataclass(frozen=True, slots=True)
class Reading:
    """A record read from a file, and what was wrong in it."""

    record: MatchRecord
    problems: tuple[Problem, ...] = ()


def assemble(raw: RawMatch) -> Reading:
    """The record of a file's content.

    Where the file doesn't say whether Jacoby was agreed on, the results decide.
    """
    if raw.length is not None or raw.jacoby is not None:
        return _assemble(raw, raw.jacoby is not False)
    readings = [_assemble(raw, jacoby) for jacoby in (True, False)]
    return min(readings, key=lambda reading: len(reading.problems))


def _assemble(raw: RawMatch, jacoby: bool) -> Reading:
    rules = HouseRules(jacoby, MOST_REDOUBLES, max_cube=raw.max_cube)
    games: list[RecordedGame] = []
    problems: list[Problem] = []
    standing = Standing.start(raw.length)
    if not raw.crawford_rule:
        standing = replace(standing, crawford=False)
    for number, game in enumerate(raw.games, 1):
        standing = _standing(raw, game, standing, number, problems)
        if standing.winner is not None:
            problems.append(Problem(number, game.where, "a game after the end of the match"))
            break
        reader = _GameReader(Game(standing=standing, rules=rules), number)
        recorded = reader.read(game)
        problems += reader.problems
        if recorded.result is None and number < len(raw.games):
            recorded = _result_by_score(recorded, raw.games[number].points)
        games.append(recorded)
        if recorded.result is not None:
            standing = standing.after(recorded.result.winner, recorded.result.points)
            if not raw.crawford_rule:
                standing = replace(standing, crawford=False)
    seen = max((_redoubles(game) for game in games), default=0)
    turns = max(seen, int(raw.beavers is not False))
    agreed = HouseRules(jacoby, turns, max_cube=raw.max_cube)
    if raw.length is not None:  # none of these applies in a match
        agreed = HouseRules(max_cube=raw.max_cube)
    record = MatchRecord(raw.players, Terms(raw.length, agreed), tuple(games), raw.info)
    return Reading(record, tuple(problems))


def _standing(
    raw: RawMatch, game: RawGame, expected: Standing, number: int, problems: list[Problem]
) -> Standing:
    """The standing before a game: what the file says, which should be what was expected."""
    points = game.points
    if points is not None and raw.length is None and points[0] != -points[1]:
        # Money sessions are written with the points each side won, ours with the difference.
        points = (points[0] - points[1], points[1] - points[0])
    crawford = expected.crawford if game.crawford is None else game.crawford
    if points is None or (points == expected.points and crawford == expected.crawford):
        return expected
    if points != expected.points and number > 1:
        text = "the score is {0[0]}-{0[1]}, after the games before it would be {1[0]}-{1[1]}"
        problems.append(Problem(number, game.where, text.format(points, expected.points)))
    if game.crawford is None:
        one_away = raw.length is not None and raw.length - 1 in points
        before = raw.length is not None and raw.length - 1 in expected.points
        crawford = (
            raw.crawford_rule and one_away and (expected.crawford or not before or number == 1)
        )
    try:
        return Standing(raw.length, points, crawford, expected.games)
    except InputError as error:
        problems.append(Problem(number, game.where, str(error)))
        return expected


def _result_by_score(game: RecordedGame, after: tuple[int, int] | None) -> RecordedGame:
    """The result of a game whose end is missing, from the score of the next one."""
    if after is None:
        return game
    before = game.standing.points
    gains = (after[0] - before[0], after[1] - before[1])
    if game.standing.length is None:
        gain = ((after[0] - after[1]) - (before[0] - before[1])) // 2
        gains = (max(gain, 0), max(-gain, 0))
    if (gains[0] > 0) == (gains[1] > 0):
        return game
    winner = 0 if gains[0] > 0 else 1
    return replace(game, result=Result(winner, gains[winner]))


def _redoubles(game: RecordedGame) -> int:
    most = count = 0
    for act in game.acts:
        match act:
            case CubeAct.DOUBLE:
                count = 0
            case CubeAct.BEAVER | CubeAct.RACCOON:
                count += 1
                most = max(most, count)
    return most


class _Broken(Exception):
    """The entries can't be followed any further."""


class _GameReader:
    """Plays the entries of one game through."""

    def __init__(self, game: Game, number: int) -> None:
        self.game = game
        self.standing = game.standing
        self.number = number
        self.acts: list[Act] = []
        self.comments: dict[int, str] = {}
        self.problems: list[Problem] = []

    def read(self, raw: RawGame) -> RecordedGame:
        broken: str | None = None
        if raw.comment:
            self.comments[-1] = raw.comment
        entries = [entry for entry in raw.entries if entry.kind is not Kind.WIN]
        win = next((entry for entry in raw.entries if entry.kind is Kind.WIN), None)
        for index, entry in enumerate(entries):
            try:
                self._follow(entry, last=index == len(entries) - 1)
            except (_Broken, InputError) as error:
                broken = str(error)
                self.problems.append(Problem(self.number, entry.where, broken))
                break
            if entry.comment:
                self.comments[len(self.acts) - 1] = entry.comment
        result = self._result(win, broken)
        return RecordedGame(self.standing, tuple(self.acts), result, broken, self.comments)

    def _do(self, act: Act) -> None:
        self.game = self.game.after(act)
        self.acts.append(act)

    def _follow(self, entry: Entry, last: bool) -> None:
        if self.game.is_over:
            raise _Broken("the game is already over here")
        match entry.kind:
            case Kind.ROLL:
                self._roll(entry, last)
            case Kind.DOUBLE:
                self._double(entry)
            case Kind.TAKE | Kind.PASS:
                if self.game.phase is not Phase.DOUBLED:
                    raise _Broken(f"'{entry.kind}' where no double was offered")
                self._check_seat(entry)
                self._do(CubeAct(entry.kind.value))
            case Kind.RESIGN:
                self._resign(entry.seat, entry.points)
            case _:
                if entry.dice is not None:
                    self._roll_dice(entry)
                raise _Broken(entry.moves or "unreadable")

    def _check_seat(self, entry: Entry) -> None:
        if self.game.actor not in (None, entry.seat):
            raise _Broken("it is the other player's turn")

    def _double(self, entry: Entry) -> None:
        self._check_seat(entry)
        if self.game.phase is Phase.DOUBLED:
            again = self.game.redoubles % 2
            act, offered = CubeAct.RACCOON if again else CubeAct.BEAVER, 4 * self.game.cube_value
        else:
            act, offered = CubeAct.DOUBLE, 2 * self.game.cube_value
        if entry.points not in (0, offered):
            raise _Broken(f"a double to {entry.points} where the cube goes to {offered}")
        self._do(act)

    def _roll_dice(self, entry: Entry) -> Roll:
        assert entry.dice is not None
        if self.game.phase is Phase.DOUBLED and self.game.redoubles:
            self._do(CubeAct.TAKE)  # files leave out that a beaver was accepted
        roll = roll_of(*entry.dice)
        if self.game.phase is Phase.OPENING:
            if roll.is_double:
                raise _Broken(f"{roll} is no opening roll")
            self._do(OpeningDice((roll.high, roll.low) if entry.seat == 0 else roll[::-1]))
        else:
            self._check_seat(entry)
            self._do(RollDice(roll))
        return roll

    def _roll(self, entry: Entry, last: bool) -> None:
        roll = self._roll_dice(entry)
        if entry.moves is None and last:
            return  # resigned after rolling
        plays = self.game.plays
        if not (entry.moves or "").strip():
            if entry.complete and last and not self.game.must_pass:
                return  # resigned after rolling
            if len(plays) == 1:
                self._do(MakePlay(plays[0]))
            elif not last:
                raise _Broken(f"no play of {roll} is written, and {len(plays)} are legal")
            return
        assert entry.moves is not None
        try:
            play = parse_play(entry.moves, self.game.position, roll)
        except AmbiguousPlayError as error:
            play = error.candidates[0]
        self._do(MakePlay(apply_play(self.game.position, play)))

    def _resign(self, seat: int, level: int) -> None:
        """Resign by an act where the rules have one; else the result says it."""
        game = self.game
        if seat == game.turn and level in [int(each) for each in game.resignation_levels]:
            self._do(Resign(Level(level)))
            self._do(Answer.ACCEPT)

    def _result(self, win: Entry | None, broken: str | None) -> Result | None:
        said = None if win is None else Result(win.seat, win.points)
        if broken is not None:
            return said
        if self.game.outcome is None and said is not None:
            return self._resigned(said)
        outcome = self.game.outcome
        if outcome is None:
            return None
        found = Result(outcome.winner, outcome.points, outcome.ending)
        if said is not None and (said.winner, said.points) != (found.winner, found.points):
            if self._is_capped(said, found):
                return found
            text = (
                f"the file says that {said.points} points were won by seat {said.winner}, "
                f"the moves that {found.points} were won by seat {found.winner}"
            )
            self.problems.append(Problem(self.number, win.where if win else "", text))
            return replace(said, ending=None)
        return found

    def _is_capped(self, said: Result, found: Result) -> bool:
        """Some programs count no more points than the winner of the match needed."""
        away = self.standing.away(found.winner)
        return said.winner == found.winner and away == said.points < found.points

    def _resigned(self, said: Result) -> Result:
        """A win that no act explains."""
        game, loser = self.game, 1 - said.winner
        if game.phase is Phase.OPENING:
            return Result(said.winner, said.points, Ending.RESIGNED)
        if game.phase is Phase.DOUBLED:
            if game.actor == loser and said.points == game.cube_value:
                self._do(CubeAct.PASS)
                return Result(said.winner, said.points, Ending.PASSED)
            return Result(said.winner, said.points, Ending.RESIGNED)
        level = said.points // game.cube_value
        if level * game.cube_value == said.points:
            self._resign(loser, level)
        return Result(said.winner, said.points, Ending.RESIGNED)


def entries_of(game: RecordedGame, terms: Terms) -> list[Entry]:
    """The entries a file tells this game with, a win at its end.

    Refused resignations and automatic doubles have no entry: the former are left out, the
    latter refused with ``RecordError``.
    """
    entries: list[Entry] = []
    for index, (state, act) in enumerate(game.states(terms)):
        comment = game.comments.get(index, "")
        match act:
            case OpeningDice((first, second)):
                if first == second:
                    if terms.length is None and terms.rules.automatic_doubles:
                        raise RecordError("this format has no automatic doubles, JSON has")
                    continue
                dice = roll_of(first, second)
                seat = 0 if first > second else 1
                entries.append(Entry(Kind.ROLL, seat, dice=dice, comment=comment))
            case RollDice(roll):
                entries.append(Entry(Kind.ROLL, state.turn, dice=roll, comment=comment))
            case MakePlay(after):
                assert state.roll is not None
                moves = ""
                if not state.must_pass:
                    moves = format_play(recover_play(state.position, after, state.roll))
                last = entries[-1]
                notes = "\n".join(filter(None, (last.comment, comment)))
                entries[-1] = replace(last, moves=moves, comment=notes)
            case CubeAct():
                entries.append(_cube_entry(state, act, comment))
            case _:
                pass  # a resignation that counted is the win at the end
    if game.broken is not None:
        final = game.final(terms)
        seat = final.turn if final.actor is None else final.actor
        if entries and entries[-1].kind is Kind.ROLL and entries[-1].moves is None:
            entries[-1] = Entry(Kind.ERROR, seat, dice=entries[-1].dice, moves=game.broken)
        else:
            entries.append(Entry(Kind.ERROR, seat, moves=game.broken))
    if game.result is not None:
        won = game.result
        resigned = won.ending is Ending.RESIGNED
        entries.append(
            Entry(Kind.WIN, won.winner, points=won.points, moves="resigned" if resigned else None)
        )
    return entries


def _cube_entry(state: Game, act: CubeAct, comment: str) -> Entry:
    seat = state.turn if state.actor is None else state.actor
    match act.kind:
        case ActKind.TAKE:
            return Entry(Kind.TAKE, seat, comment=comment, points=state.redoubles)
        case ActKind.PASS:
            return Entry(Kind.PASS, seat, comment=comment)
        case ActKind.DOUBLE:
            return Entry(Kind.DOUBLE, seat, comment=comment, points=2 * state.cube_value)
        case _:
            return Entry(Kind.DOUBLE, seat, comment=comment, points=4 * state.cube_value, moves="!")
