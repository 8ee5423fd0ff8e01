"""bgai as an engine that talks the Universal Backgammon Interface."""

from dataclasses import replace
from functools import cached_property

from bgai import __version__
from bgai.errors import InputError
from bgai.notation.identifiers import parse_identifier
from bgai.notation.play_text import format_single_moves
from bgai.notation.situation import Situation
from bgai.notation.xgid import parse_xgid
from bgai.players.bot import Bot
from bgai.players.engines import Engine, engine
from bgai.players.situation import situation_game
from bgai.players.timed_bot import TimedBot
from bgai.players.ubgi import talk
from bgai.rules.acts import CubeAct
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import roll_of
from bgai.rules.game import Game, Phase
from bgai.rules.match import MatchScore
from bgai.rules.play import recover_play
from bgai.rules.position import Positions
from bgai.search.cube_verdict import cube_verdict
from bgai.search.move_filter import FILTER_SETS
from bgai.search.tree import MOST_PLIES

LEVEL, PLIES, FILTERS = "engine.level", "engine.plies", "engine.filters"
SEED, THREADS, MOVETIME, LISTED = "engine.seed", "engine.threads", "engine.movetime", "multipv"
OWN_DEPTH = "own"


class EngineThinker:
    """Decides with an engine of bgai.

    Where ``multipv`` is more than 0, so many plays are told with their numbers, and the equities of
    a cube decision.
    """

    def __init__(self, level: str) -> None:
        self.name = "bgai"
        self.version = __version__
        depths = (OWN_DEPTH, *map(str, range(MOST_PLIES + 1)))
        self.keys = (
            talk.Key(LEVEL, "string", level, about="engine that plays, as for bgai play"),
            talk.Key(PLIES, "enum", OWN_DEPTH, depths, about="how far it looks ahead"),
            talk.Key(FILTERS, "enum", "normal", tuple(FILTER_SETS), about="plays looked at deeper"),
            talk.Key(
                MOVETIME, "int", "0", ("0", "3600000"), about="ms a decision, 0 for its depth"
            ),
            talk.Key(SEED, "int", "0", ("0", "999999999"), about="of a weak level's judgement"),
            talk.Key(THREADS, "int", "1", ("1", "256"), minor=True, about="threads of the search"),
            talk.Key(LISTED, "int", "0", ("0", "500"), minor=True, about="plays told with numbers"),
        )
        self._values = {key.name: key.default for key in self.keys}
        self._timed: dict[Engine, TimedBot] = {}
        engine(level)  # what there isn't is told now

    def set(self, name: str, value: str) -> None:
        before = self._values[name]
        self._values[name] = value
        try:
            self._engine(None)
        except InputError as error:
            self._values[name] = before
            raise talk.TalkError(talk.Fault.VALUE, str(error)) from None

    def check(self, kind: str, position: str) -> None:
        try:
            asked_situation(talk.Question(kind, position, ""))
        except InputError as error:
            raise talk.TalkError(talk.Fault.VALUE, str(error)) from None

    def decide(self, question: talk.Question) -> talk.Reply:
        try:
            return _Decision(self, question).reply()
        except InputError as error:
            raise talk.TalkError(talk.Fault.VALUE, str(error)) from None

    @property
    def listed(self) -> int:
        """How many plays are told."""
        return int(self._values[LISTED])

    def _engine(self, depth: int | None) -> Engine:
        plies = self._values[PLIES] if depth is None else str(depth)
        values = self._values
        found = engine(
            values[LEVEL],
            seed=int(values[SEED]),
            filters=values[FILTERS],
            threads=int(values[THREADS]),
        )
        return found if plies == OWN_DEPTH else found.at(int(plies))

    def player(self, question: talk.Question) -> Bot:
        """Who decides: at a depth, or within a time."""
        seconds = question.seconds
        if seconds is None and question.depth is None:
            seconds = int(self._values[MOVETIME]) / 1000 or None
        if seconds is None:
            return self._engine(question.depth).bot
        found = self._engine(None)
        if found not in self._timed:
            self._timed[found] = TimedBot.of(found, seconds)
        self._timed[found].seconds = seconds
        return self._timed[found]


class _Decision:
    """One question: its game, and who answers it."""

    def __init__(self, thinker: EngineThinker, question: talk.Question) -> None:
        self.thinker = thinker
        self.question = question
        self.situation = asked_situation(question)
        self.player = thinker.player(question)

    def reply(self) -> talk.Reply:
        match self.question.role or (talk.CHEQUER if self.situation.roll else talk.CUBE):
            case talk.CHEQUER:
                return self._move()
            case talk.CUBE:
                return talk.Reply(cube=self._cube(), info=self._cube_info())
        return replace(self._move(), cube=self._cube())

    def _move(self) -> talk.Reply:
        if self.situation.roll is None:
            raise talk.TalkError(talk.Fault.STATE, "missing dice")
        game = situation_game(self.situation)
        if game.must_pass:
            return talk.Reply(move="pass")
        ranked = self.player.rank_plays(game)
        info = []
        for number, play in enumerate(ranked[: self.thinker.listed], 1):
            chances = " ".join(f"{each:.4f}" for each in play.chances)
            text = self._text(game, play.after)
            info.append(
                f"multipv {number} depth {play.plies} score {play.worth:+.4f} "
                f"chances {chances} pv {text}"
            )
        return talk.Reply(move=self._text(game, ranked[0].after), info=tuple(info))

    @staticmethod
    def _text(game: Game, after: Positions) -> str:
        assert game.roll is not None
        play = recover_play(game.position, after, game.roll)
        return format_single_moves(play, game.position, game.roll)

    @cached_property
    def _waiting(self) -> Game:
        """The game before the roll."""
        return situation_game(replace(self.situation, roll=None))

    def _cube(self) -> str:
        game = self._waiting
        if game.phase is Phase.DOUBLED:
            return self.player.answer_double(game).value
        doubles = game.why_no_double() is None and self.player.doubles(game)
        return CubeAct.DOUBLE.value if doubles else "nodouble"

    def _cube_info(self) -> tuple[str, ...]:
        game = self._waiting
        if not self.thinker.listed or (
            game.phase is Phase.TURN and game.why_no_double() is not None
        ):
            return ()
        verdict = cube_verdict(self.situation, self.player.lookahead, market=False)
        found = verdict.decision
        chances = " ".join(f"{each:.4f}" for each in verdict.chances)
        text = f"depth {verdict.plies} nodouble {found.no_double:+.4f}"
        if found.double_take is not None:
            text += f" take {found.double_take:+.4f}"
        return (f"{text} chances {chances}",)


def asked_situation(question: talk.Question) -> Situation:
    """The situation of a question. Raises ``InputError``."""
    if question.kind == "xgid":
        situation = parse_xgid(question.position)
    else:
        situation = parse_identifier(question.position)
        if ":" not in question.position:
            situation = _in_context(situation, question.context)
    if question.dice is None:
        return situation
    return replace(situation, roll=roll_of(*question.dice))


def _in_context(situation: Situation, context: talk.Context) -> Situation:
    """A bare position ID with what the commands of 0.1 have said; ``turn`` is on roll."""
    mine = int(context.turn == "p1")
    points = (context.score[mine], context.score[1 - mine])
    owner = CubeOwner.CENTRED
    if context.owner != "center":
        owner = CubeOwner.ON_ROLL if context.owner == context.turn else CubeOwner.OPPONENT
    score = MatchScore(context.length, *points, context.crawford) if context.length else None
    return Situation(
        situation.position,
        cube=Cube(context.cube, owner),
        score=score,
        rules=HouseRules(jacoby=context.jacoby),
    )
