"""Games in progress: a person at seat 0, a program at seat 1, kept in files between requests."""

import re
import secrets
import threading
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal
from weakref import WeakValueDictionary

from bgai import game_answers as answers
from bgai.analysis.judging import Place, judge_act, judge_game
from bgai.analysis.review import Decision, Review
from bgai.errors import InputError
from bgai.notation.play_text import parse_play
from bgai.notation.position_id import parse_position_id
from bgai.notation.situation import Offer
from bgai.players.engines import engine
from bgai.players.player import decide
from bgai.players.situation import situation_game
from bgai.rules.acts import (
    Act,
    ActKind,
    Answer,
    CubeAct,
    MakePlay,
    OpeningDice,
    Resign,
    RollDice,
)
from bgai.rules.cube import HouseRules
from bgai.rules.game import Game, IllegalAct, Phase
from bgai.rules.match import Terms
from bgai.rules.outcome import Result
from bgai.rules.play import apply_play
from bgai.sessions.dice import SeededDice
from bgai.sessions.session import Seat, Session
from bgai.sessions.session_file import SESSIONS
from bgai.sessions.session_record import session_record
from bgai.ui.web import tutor
from bgai.ui.web.engines import judge_for, known_engine, tutor_engine
from bgai.ui.web.errors import Refusal, naming
from bgai.ui.web.game_files import GameFiles
from bgai.ui.web.limits import Limits
from bgai.ui.web.requests import ActRequest, NewGame
from bgai.ui.web.situations import situation_of
from bgai.ui.web.views import game_answer

PERSON: Literal[0] = 0
PROGRAM: Literal[1] = 1
_NAME = re.compile(r"[A-Za-z0-9_-]{16,32}\Z")
_MOST_STEPS = 64  # acts of the program in a row; beavers and refusals end sooner


class Table:
    """One session with its lock, its file and the verdicts given so far."""

    def __init__(self, name: str, session: Session, path: Path) -> None:
        self.name = name
        self.session = session
        self.path = path
        self.lock = threading.Lock()
        self.removed = False
        self.verdicts: dict[tuple[int, int], Decision | None] = {}

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def acts(self) -> int:
        """Acts so far in the current game."""
        return len(self.session.records[-1].acts)

    def save(self) -> None:
        """Write the session to its file. Refuses 404 once the table was removed."""
        if self.removed:
            raise Refusal(404, "game: it was removed", "game")
        SESSIONS.write(self.path, self.session)

    def check_at(self, at: int | None) -> None:
        """Refuse a caller who has not seen the present state."""
        if at is not None and at != self.acts:
            raise Refusal(409, f"at: {self.acts} acts have been made in this game, not {at}", "at")

    def advance(self) -> None:
        """Let the program act, and roll its dice, until the person has to."""
        for _ in range(_MOST_STEPS):
            game = self.game
            if game.is_over or game.actor == PERSON:
                break
            if game.actor is None:
                self.session.roll()
                continue
            seat = self.session.seats[PROGRAM]
            assert seat.level is not None
            program = engine(seat.level, seed=seat.seed)
            with program.lock:
                act = decide(program.bot, game)
            if act is None:
                self.session.roll()
            else:
                self.session.do(act)
        self.save()

    def act(self, request: ActRequest) -> Decision | None:
        """Make the person's act. The verdict on it where the tutor was asked."""
        self.check_at(request.at)
        game, key = self.game, (self.session.game_number, self.acts)
        if game.actor != PERSON:
            waiting = "the game is over" if game.is_over else "the program is to act"
            raise Refusal(409, f"act: {waiting}", "act")
        if request.act == "roll":
            if ActKind.ROLL not in game.legal_kinds():
                allowed = ", ".join(game.legal_kinds())
                raise Refusal(409, f"act: roll is not possible: now it is {allowed}", "act")
            act = self.session.roll()
        else:
            act = _act_of(request, game)
            try:
                self.session.do(act)
            except IllegalAct as error:
                raise Refusal(409, f"act: {error}", "act") from None
        self.save()
        if not request.tutor:
            return None
        judge = tutor_engine()
        turn = sum(
            isinstance(each, OpeningDice | RollDice) for _, each, _ in self.session.history()
        )
        with judge.lock:
            verdict = judge_act(judge.lookahead, game, act, Place(*key, max(turn, 1)))
        self.verdicts[key] = verdict
        return verdict

    def undo(self) -> None:
        """Take back the person's last decision of this game and what followed."""
        if not self.session.undo(PERSON):
            raise Refusal(409, "there is no decision of yours to take back in this game")
        number, acts = self.session.game_number, self.acts
        for key in [key for key in self.verdicts if key[0] == number and key[1] >= acts]:
            del self.verdicts[key]
        self.save()

    def next_game(self) -> None:
        """Begin the next game of the match or session."""
        try:
            self.session.next_game()
        except IllegalAct as error:
            raise Refusal(409, str(error)) from None
        self.save()

    def close(self) -> None:
        """End a money session between two games."""
        try:
            self.session.close()
        except IllegalAct as error:
            raise Refusal(409, str(error)) from None
        self.save()

    def hint(self, name: str | None, plies: int | None) -> answers.HintAnswer:
        """What the best level, or another engine, would do in the person's place."""
        if self.game.actor != PERSON:
            raise Refusal(409, "nothing is yours to decide now")
        return tutor.hint_answer(judge_for(name, plies), self.game, PERSON)

    def curve(self) -> answers.CurveAnswer:
        """The person's chances before every turn of this game."""
        judge = engine(plies=0)
        points = tutor.curve_points(judge, self.session.history(), PERSON)
        return answers.CurveAnswer(engine=judge.label, points=points)

    def review(self) -> Review:
        """The current game judged, both players alike, as ``bgai analyse`` judges it."""
        judge, number = tutor_engine(), self.session.game_number
        history = self.session.history()
        known = {act: found for (game, act), found in self.verdicts.items() if game == number}
        with judge.lock:
            judged = judge_game(
                judge.lookahead,
                [(before, act) for before, act, _ in history],
                number=number,
                known=known,
            )
        for index in range(len(history)):
            self.verdicts.setdefault((number, index), None)
        for decision in judged.decisions:
            self.verdicts[number, decision.act] = decision
        record = session_record(self.session)
        game = replace(record, games=record.games[-1:] if history else ())
        return Review(game, judge.label, judged.decisions, judged.rolls)

    def summary(self) -> answers.SummaryAnswer:
        """Both sides' errors and luck in the current game, and the person's worst decisions."""
        review = self.review()
        return answers.SummaryAnswer(
            engine=review.judge,
            game_number=self.session.game_number,
            seats=[tutor.seat_answer(review.player(seat), review.judge) for seat in (0, 1)],
            worst=[
                tutor.decision_answer(decision, review.judge)
                for decision in review.worst(PERSON, 3)
            ],
            curve=self.curve().points,
        )

    def record(self) -> dict[str, Any]:
        """The session as a saved game; the seed of the dice only once all is over."""
        record = SESSIONS.dump(self.session)
        if not self.session.is_over:
            record["dice"] = {"kind": record["dice"]["kind"]}
        return record

    def view(self, since: int = 0, verdict: Decision | None = None) -> answers.GameAnswer:
        """What the person sees; ``events`` are the acts from number ``since``."""
        judged = None
        if verdict is not None:
            judged = tutor.verdict_answer(verdict, tutor_engine().label)
        return game_answer(self.name, self.session, PERSON, since, judged)


def _act_of(request: ActRequest, game: Game) -> Act:
    match request.act:
        case "play":
            return _play_of(request, game)
        case "resign":
            if request.level is None:
                raise Refusal(400, "level: a resignation needs 1, 2 or 3", "level")
            return Resign(Result(request.level))
        case "accept" | "refuse":
            return Answer(request.act)
        case other:
            return CubeAct(other)


def _play_of(request: ActRequest, game: Game) -> MakePlay:
    if (request.after is None) == (request.play is None):
        raise Refusal(400, "play: give the text of the play, or the position in after", "play")
    if game.phase is not Phase.PLAY or game.roll is None:
        raise Refusal(409, f"act: now it is {', '.join(game.legal_kinds())}", "act")
    if request.after is not None:
        with naming("after"):
            return MakePlay(parse_position_id(request.after))
    with naming("play"):
        play = parse_play(request.play or "", game.position, game.roll)
        return MakePlay(apply_play(game.position, play))


def _agreed(request: NewGame) -> tuple[Terms, Game | None]:
    """The terms, and the state to go on from where the request names a position."""
    terms = request.terms
    if request.position is None:
        with naming("terms"):
            rules = HouseRules(**terms.rules.model_dump())
            return Terms(terms.length, rules, terms.games, terms.margin), None
    situation = situation_of(request.position, "position")
    if situation.offer is Offer.RACCOONED:
        raise Refusal(400, "position: no game is kept from where a raccoon waits", "position")
    on_roll_decides = situation.offer in (Offer.NONE, Offer.BEAVERED)
    with naming("position"):
        start = situation_game(situation, PERSON if on_roll_decides != request.swap else PROGRAM)
    return Terms(start.standing.length, start.rules), start


class Tables:
    """All tables, the latest used in memory and everything in ``folder``."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.files = GameFiles(folder, limits.saved_games)
        self.limits = limits
        self._latest: OrderedDict[str, Table] = OrderedDict()
        # All in use by somebody: one that is no longer among the latest must not be read again
        # from its file meanwhile.
        self._open: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._lock = threading.Lock()
        self._reading = threading.Lock()

    def new(self, request: NewGame) -> Table:
        """A new table. Refuses unknown levels and impossible terms."""
        with naming("level"):
            level = known_engine(request.level).name
        agreed, start = _agreed(request)
        if self.files.make_room() >= self.limits.unfinished_games:
            most = f"{self.limits.unfinished_games} unfinished games are kept"
            raise Refusal(409, f"game: {most}, the most; finish or remove some", "game")
        seed = secrets.randbelow(10**9) if request.seed is None else request.seed
        seats = (Seat("You"), Seat("bgai", level, seed))
        session = Session(agreed, seats, SeededDice(seed), starter=request.starter, start=start)
        self.files.folder.mkdir(parents=True, exist_ok=True)
        name = secrets.token_urlsafe(12)
        table = Table(name, session, self.files.path(name))
        table.save()
        return self._keep(table)

    def find(self, name: str) -> Table:
        """The table of that name, from memory or its file. Refuses 404 where there is none."""
        with self._lock:
            table = self._open.get(name)
        if table is not None:
            return self._keep(table)
        path = self.files.path(name)
        if not _NAME.match(name) or not path.is_file():
            raise Refusal(404, "game: there is no such game", "game")
        with self._reading:
            with self._lock:
                table = self._open.get(name)
            try:
                return self._keep(table or Table(name, SESSIONS.read(path), path))
            except InputError:
                raise Refusal(404, "game: its file can't be read", "game") from None

    def remove(self, name: str) -> None:
        """Forget a table and its file."""
        table = self.find(name)
        with table.lock:
            table.removed = True
            table.path.unlink(missing_ok=True)
        with self._lock:
            self._latest.pop(name, None)
            self._open.pop(name, None)

    def _keep(self, table: Table) -> Table:
        """Count the table, or the one of its name that is open already, among the latest."""
        with self._lock:
            table = self._open.setdefault(table.name, table)
            self._latest[table.name] = table
            self._latest.move_to_end(table.name)
            while len(self._latest) > self.limits.tables:
                self._latest.popitem(last=False)
        return table
