"""From entries to records: what a file tells is played through by the rules.

A play against the rules is reported and taken as made, as other programs do. What can't be
followed breaks that game, is reported, and reading goes on with the next one.
"""

from dataclasses import replace

from bgai.errors import InputError
from bgai.notation.entries import Entry, Kind, Problem, RawGame, RawMatch, Reading
from bgai.notation.illegal import position_as_written
from bgai.notation.play_text import AmbiguousPlayError, parse_play
from bgai.notation.record import (
    MatchRecord,
    RecordedGame,
    RecordError,
    Result,
    StoredVerdict,
)
from bgai.notation.stored import settled
from bgai.notation.texts import LONGEST_MATCH, MOST_GAMES, MOST_POINTS, encodable
from bgai.rules.acts import Act, Answer, CubeAct, MakePlay, OpeningDice, Resign, RollDice
from bgai.rules.cube import HouseRules
from bgai.rules.dice import Roll, roll_of
from bgai.rules.game import Ending, Game, Phase
from bgai.rules.match import Standing, Terms
from bgai.rules.outcome import Result as Level
from bgai.rules.play import Play, PlayError, apply_play
from bgai.rules.position import Positions, swap_sides

MOST_REDOUBLES = 16  # beavers and raccoons while reading, before the record says how many
HIGHEST_CUBE = 1 << 16


def assemble(raw: RawMatch) -> Reading:
    """The record of a file's content.

    Where the file doesn't say whether Jacoby was agreed on, the results decide. Raises
    ``RecordError`` for a match of other rules or beyond the limits.
    """
    if raw.variation:
        raise RecordError(f"a match of {raw.variation}: only backgammon is read")
    if raw.length is not None and raw.length > LONGEST_MATCH:
        raise RecordError(f"a match to {raw.length}; the longest read is to {LONGEST_MATCH}")
    if len(raw.games) > MOST_GAMES:
        raise RecordError(f"{len(raw.games)} games; the most read in one match are {MOST_GAMES}")
    if raw.length is not None or raw.jacoby is not None:
        return _assemble(raw, raw.jacoby is not False)
    first = _assemble(raw, True)
    if not first.problems:
        return first
    return min(first, _assemble(raw, False), key=lambda reading: len(reading.problems))


def _assemble(raw: RawMatch, jacoby: bool) -> Reading:
    rules = HouseRules(jacoby, MOST_REDOUBLES, max_cube=raw.max_cube)
    games: list[RecordedGame] = []
    problems: list[Problem] = []
    standing = Standing.start(raw.length)
    if not raw.crawford_rule:
        standing = replace(standing, crawford=False)
    for number, game in enumerate(raw.games, 1):
        if standing.winner is not None and not _goes_on(games[-1], game):
            problems.append(Problem(number, game.where, "a game after the end of the match"))
            break
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


def _goes_on(last: RecordedGame, game: RawGame) -> bool:
    """Whether a game after the last one, won by our count, is of the same match by its score."""
    before = last.standing
    if game.points is None or before.length is None or max(game.points) >= before.length:
        return False
    return game.points != before.points and all(
        now >= then for now, then in zip(game.points, before.points, strict=True)
    )


def _standing(
    raw: RawMatch, game: RawGame, expected: Standing, number: int, problems: list[Problem]
) -> Standing:
    """The standing before a game: what the file says, which should be what was expected."""
    points = game.points
    if points is not None and max(map(abs, points)) > MOST_POINTS * MOST_GAMES:
        problems.append(Problem(number, game.where, f"a score of {points[0]}-{points[1]}"))
        points = None
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
    if (gains[0] > 0) == (gains[1] > 0) or max(gains) > MOST_POINTS:
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


def _dances(state: Game, act: Act) -> bool:
    """Whether an act is a play of which there is none to judge."""
    return isinstance(act, MakePlay) and state.must_pass


class _Broken(Exception):
    """The entries can't be followed any further."""


class _GameReader:
    """Plays the entries of one game through."""

    def __init__(self, game: Game, number: int) -> None:
        self.game = game
        self.standing = game.standing
        self.number = number
        self.acts: list[Act] = []
        self.illegal: set[int] = set()
        self.resigned: Entry | None = None
        self.comments: dict[int, str] = {}
        self.verdicts: dict[int, StoredVerdict] = {}
        self.states: list[Game] = []
        """The states before the acts."""
        self.problems: list[Problem] = []

    def read(self, raw: RawGame) -> RecordedGame:
        broken: str | None = None
        if raw.comment:
            self.comments[-1] = encodable(raw.comment)
        entries = [entry for entry in raw.entries if entry.kind is not Kind.WIN]
        win = next((entry for entry in raw.entries if entry.kind is Kind.WIN), None)
        for index, entry in enumerate(entries):
            first = len(self.acts)
            try:
                self._follow(entry, last=index == len(entries) - 1)
            except (_Broken, InputError) as error:
                broken = str(error)
                self.problems.append(Problem(self.number, entry.where, broken))
                break
            if entry.comment:
                self.comments[len(self.acts) - 1] = encodable(entry.comment)
            self._keep_verdicts(entry, first)
        result = self._result(win, broken)
        return RecordedGame(
            self.standing, tuple(self.acts), result, broken, self.comments,
            frozenset(self.illegal), self.verdicts,
        )  # fmt: skip

    def _do(self, act: Act) -> None:
        after = self.game.after(act)
        self.states.append(self.game)
        self.acts.append(act)
        self.game = after

    def _keep_verdicts(self, entry: Entry, first: int) -> None:
        """Put down what the file thinks of the acts from ``first`` on, which the entry told."""
        for index in range(first, len(self.acts)):
            act = self.acts[index]
            rolls = isinstance(act, RollDice | OpeningDice)
            said = entry.before if rolls else entry.stored
            told = (
                isinstance(act, MakePlay) if entry.kind is Kind.ROLL else isinstance(act, CubeAct)
            )
            state = self.states[index]
            if said is not None and (rolls or (told and not _dances(state, act))):
                self.verdicts[index] = settled(said, state, in_chances=entry.in_chances)

    def _follow(self, entry: Entry, last: bool) -> None:
        if self.game.is_over or self.resigned is not None:
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
                self.resigned = entry
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
        if offered > HIGHEST_CUBE:
            raise _Broken(f"a cube of {offered}")
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
        if not (entry.moves or "").strip() and entry.after is None:
            self._unwritten(entry, roll, last)
            return
        if not entry.illegal:
            assert entry.moves is not None
            try:
                play = self._play(entry.moves, roll)
            except PlayError as error:
                self._take_as_made(entry, str(error))
            else:
                self._do(MakePlay(apply_play(self.game.position, play)))
            return
        self._take_as_made(entry, f"{entry.moves or 'no play'} is not a legal play of {roll}")

    def _play(self, moves: str, roll: Roll) -> Play:
        """The legal play of a text; wrong marks of hits don't matter. Raises ``PlayError``."""
        try:
            return parse_play(moves, self.game.position, roll)
        except AmbiguousPlayError as error:
            return error.candidates[0]
        except PlayError:
            if "*" not in moves:
                raise
            return self._play(moves.replace("*", " "), roll)

    def _unwritten(self, entry: Entry, roll: Roll, last: bool) -> None:
        """A roll without moves: a dance, a forced play, or the last one before a resignation."""
        plays = self.game.plays
        if entry.complete and last and not self.game.must_pass and not entry.illegal:
            return  # resigned after rolling
        if len(plays) == 1 and (self.game.must_pass or not entry.illegal):
            self._do(MakePlay(plays[0]))
        elif entry.complete or entry.illegal:
            self._take_as_made(entry, f"no play of {roll} was made, and {len(plays)} are legal")
        elif not last:
            raise _Broken(f"no play of {roll} is written, and {len(plays)} are legal")

    def _take_as_made(self, entry: Entry, reason: str) -> None:
        """Go on from the position after a play that broke the rules."""
        try:
            after = self._after_illegal(entry)
            game = self.game.let_stand(after)
        except InputError:
            raise _Broken(reason) from None
        if not (self.game.plays == after).all(axis=(1, 2)).any():
            self.illegal.add(len(self.acts))
            text = f"{reason}; taken as made"
            self.problems.append(Problem(self.number, entry.where, text))
        self.states.append(self.game)
        self.acts.append(MakePlay(after))
        self.game = game

    def _after_illegal(self, entry: Entry) -> Positions:
        if entry.after is not None:
            return entry.after
        if not (entry.moves or "").strip():
            return swap_sides(self.game.position)
        return position_as_written(self.game.position, entry.moves or "")

    def _resign(self, seat: int, level: int) -> None:
        """Resign by an act where the rules have one; else the result says it."""
        game = self.game
        if seat == game.turn and level in [int(each) for each in game.resignation_levels]:
            self._do(Resign(Level(level)))
            self._do(Answer.ACCEPT)

    def _result(self, win: Entry | None, broken: str | None) -> Result | None:
        said = None if win is None else Result(win.seat, win.points)
        if said is not None and said.points > MOST_POINTS:
            self.problems.append(Problem(self.number, "", f"{said.points} points won"))
            said = None
        if broken is not None:
            return said
        if self.resigned is not None and (said is None or not said.points):
            said = self._points_resigned(self.resigned)
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

    def _points_resigned(self, entry: Entry) -> Result:
        """What a resignation gives that no win follows; without a level, a single game."""
        level = entry.points
        if not level:
            text = "resigned without a word how much: taken for a single game"
            self.problems.append(Problem(self.number, entry.where, text))
        return Result(1 - entry.seat, (level or 1) * self.game.cube_value)

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
