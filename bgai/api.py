"""The front door: positions judged, cubes judged, rollouts and analyses in one call each.

    >>> import bgai
    >>> bgai.cube("XGID=-b-bBBC-BB--cB---bAb--b-bA:0:0:1:00:0:0:3:0:10", engine="expert@0").verdict
    'Double, pass'

A position is an XGID, a position ID, a ``position:match`` ID or a ``Situation``; an engine a name
such as ``expert@2`` (:func:`bgai.engine`), by default the best network at 2-ply. What comes back
prints as a player would write it, shows a board in a notebook, and is one of the models of
:mod:`bgai.answers`: ``to_dict()`` gives the fields of ``--json`` and of the HTTP API.
"""

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bgai import answers
from bgai.analysis import answering, rolling
from bgai.equity.match_equity import MatchEquityTable
from bgai.errors import InputError
from bgai.notation.answer_text import text_of
from bgai.notation.identifiers import parse_identifier
from bgai.notation.situation import Situation
from bgai.notation.xgid import format_xgid
from bgai.players.engines import PLAY_PLIES
from bgai.players.engines import Engine as Engine
from bgai.players.engines import engine as engine
from bgai.rules.dice import Roll, parse_roll, roll_of
from bgai.search.rollout_run import RolloutSettings, variance_named

if TYPE_CHECKING:  # what analyses need is loaded by them: best and cube answer the sooner
    from bgai.analysis.library import Found
    from bgai.analysis.review import Review
    from bgai.notation.record import MatchRecord

Where = str | Situation
"""A position with its cube and score, by any identifier."""
Who = str | Engine | None
"""An engine or its name; None the best network."""
Dice = str | tuple[int, int] | Roll | None
"""Two dice: ``"31"`` or ``(3, 1)``; None those the identifier carries."""


class _Shown(answers.Answer):
    """An answer that prints itself, and a board in a notebook."""

    def __str__(self) -> str:
        return text_of(self)

    def _repr_svg_(self) -> str:
        from bgai.notation.svg import board_svg

        where = self.xgid if isinstance(self, Position) else str(getattr(self, "id", ""))
        return board_svg(parse_identifier(where))

    def _repr_html_(self) -> str:
        from html import escape

        board = f'<div style="max-width:36em">{self._repr_svg_()}</div>'
        return f"{board}<pre>{escape(str(self))}</pre>"


class Plays(_Shown, answers.PlaysAnswer):
    """Legal plays."""


class Best(_Shown, answers.BestAnswer):
    """Ranked plays."""


class Cube(_Shown, answers.CubeAnswer):
    """A cube verdict."""


class Evaluation(_Shown, answers.EvaluateAnswer):
    """Chances and equity."""


class RolledOut(_Shown, answers.RolloutAnswer):
    """A rollout."""


class Position(_Shown, answers.PositionAnswer):
    """A position with all its identifiers."""


class Bearoff(_Shown, answers.BearoffAnswer):
    """A bear-off by the tables."""


def position(id: Where) -> Position:
    """Everything an identifier says. Raises ``InputError``, as all functions here do."""
    return _as(Position, answering.position_answer(_situation(id)[1]))


def plays(id: Where, dice: Dice = None) -> Plays:
    """The legal plays of a roll."""
    name, situation = _situation(id)
    roll = answering.dice_of(situation, _roll(dice))
    return _as(Plays, answering.plays_answer(name, situation, roll))


def best(id: Where, dice: Dice = None, *, engine: Who = None, count: int | None = None) -> Best:
    """The plays of a roll, the best first; all of them, or ``count``."""
    name, situation = _situation(id)
    roll = answering.dice_of(situation, _roll(dice))
    return _as(Best, answering.best_answer(name, situation, roll, _engine(engine), count))


def evaluate(id: Where, *, engine: Who = None) -> Evaluation:
    """Chances and cubeless equity of the player on roll, before the roll."""
    name, situation = _situation(id)
    answering.check_not_over(situation)
    return _as(Evaluation, answering.evaluate_answer(name, situation, _engine(engine)))


def cube(
    id: Where, *, engine: Who = None, rolls: bool = True, met: MatchEquityTable | None = None
) -> Cube:
    """Whether to double and whether to take, what errors cost, and who loses the market.

    ``rolls`` asks for the 21 rolls one by one, ``met`` replaces the match equity table.
    """
    name, situation = _situation(id)
    answer = answering.cube_answer(name, situation, _engine(engine), rolls=rolls, met=met)
    return _as(Cube, answer)


def bearoff(id: Where) -> Bearoff:
    """Rolls to bear off, effective pips and the win chance, from the tables."""
    return _as(Bearoff, answering.bearoff_answer(*_situation(id)))


def rollout(
    id: Where,
    dice: Dice = None,
    *,
    cube: bool = False,
    cubeless: bool = False,
    engine: Who = None,
    trials: int = 1296,
    seed: int = 1,
    count: int = 5,
    plays: Sequence[str] = (),
    truncate: int | None = None,
    leaf_plies: int = 0,
    variance_reduction: str = "0-ply",
    stop_error: float | None = None,
    stop_confidence: float | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> RolledOut:
    """Play games to the end: the best ``count`` plays of a roll, or ``plays``, else the position.

    The cube is in play unless ``cubeless``. With ``cube`` the cube decision is rolled out, no
    double beside double and take. The players' ``engine`` is the best network at 0-ply by default.
    Games cut off after ``truncate`` turns are judged at ``leaf_plies``. ``progress`` is called
    with the trials done and those wanted.
    """
    settings = RolloutSettings(
        trials=trials,
        seed=seed,
        truncate=truncate,
        variance_reduction=variance_named(variance_reduction),
        stop_error=stop_error,
        stop_confidence=stop_confidence,
    )
    name, situation = _situation(id)
    player = _engine(engine, 0)
    roll = _roll(dice) or situation.roll
    if cube and cubeless:
        raise InputError("a cube decision is rolled out with the cube in play")
    named: dict[str, Any] = {"cubeless": cubeless, "leaf_plies": leaf_plies}
    run: rolling.Rolling
    if cube:
        run = rolling.CubeDecisionRollout(name, situation, player, settings, leaf_plies=leaf_plies)
    elif roll is None:
        run = rolling.PositionRollout(name, situation, player, settings, **named)
    else:
        run = rolling.PlaysRollout(
            name, situation, roll, player, settings, count=count, plays=plays, **named
        )
    while not run.run.finished:
        run.run.step()
        if progress is not None:
            progress(run.run.trials_done, settings.sets * 36)
    return _as(RolledOut, run.answer())


def play(
    first: str = "best", second: str = "best", *, length: int | None = 1, seed: int | None = None
) -> "MatchRecord":
    """A match of two engines to ``length`` points (one money game without); the same seed is
    the same match. :func:`analyse` takes it as it is."""
    from bgai.rules.match import Terms
    from bgai.sessions.dice import SeededDice
    from bgai.sessions.referee import play as referee
    from bgai.sessions.session import Seat, Session
    from bgai.sessions.session_record import session_record

    seed = secrets.randbelow(10**9) if seed is None else seed
    seats = tuple(
        Seat(f"{side} ({name})", engine(name, seed=seed + number).name, seed + number)
        for number, (side, name) in enumerate((("White", first), ("Black", second)))
    )
    session = Session(
        Terms(length, games=None if length else 1), (seats[0], seats[1]), SeededDice(seed)
    )
    for _ in referee(session, (seats[0].bot, seats[1].bot)):
        pass
    return session_record(session)


def analyse(
    match: "str | Path | MatchRecord", *, number: int = 1, engine: Who = None, workers: int = 1
) -> "Review":
    """A match judged: a file (.mat, .sgf, .xg, .json, a saved game) or a record.

    ``number`` is that of the match in a file with several.

    ``review.player(0)`` has a player's figures, ``review.worst()`` the worst decisions. Nothing
    is kept; ``bgai analyse`` keeps what it finds for statistics and the quiz.
    """
    from bgai.analysis.analyse import Job
    from bgai.analysis.analyse import analyse as analyse_jobs
    from bgai.analysis.judging import JUDGE_PLIES
    from bgai.analysis.store import Store
    from bgai.notation.record import MatchRecord
    from bgai.search.executors import open_executor
    from bgai.sessions.session_record import read_any

    if isinstance(match, MatchRecord):
        job = Job(match, "")
    else:
        readings = read_any(Path(match))
        if not 1 <= number <= len(readings):
            raise InputError(f"{match}: there is no match {number}, only {len(readings)}")
        reading = readings[number - 1]
        job = Job(reading.record, str(match), tuple(map(str, reading.problems)))
    settings = _engine(engine, JUDGE_PLIES).settings
    with Store(Path(":memory:")) as store, open_executor(workers) as executor:
        return analyse_jobs([job], settings, store, executor)[0]


def library(
    search: str = "", *, count: int | None = None, store: str | Path | None = None
) -> "list[Found]":
    """Decisions of the matches analysed so far, the most expensive first; all, or ``count``.

    ``search`` is what ``bgai library find`` takes, ``store`` the file of analyses; the user's
    own without. A ``Found`` has ``stored.decision``, ``tags`` and ``notes``.
    """
    from bgai.analysis.library import find, read_search
    from bgai.analysis.store import Store, store_path

    with Store(store_path() if store is None else Path(store)) as kept:
        return find(kept, read_search(search), count)


A = TypeVar("A", bound=_Shown)


def _as(kind: type[A], answer: answers.Answer) -> A:
    return kind.model_construct(**dict(answer))


def _situation(where: Where) -> tuple[str, Situation]:
    """What the position is called, and its situation."""
    if isinstance(where, Situation):
        return format_xgid(where), where
    return where, parse_identifier(where)


def _engine(who: Who, plies: int = PLAY_PLIES) -> Engine:
    return who if isinstance(who, Engine) else engine(who, plies=plies)


def _roll(dice: Any) -> Roll | None:
    if dice is None or isinstance(dice, Roll):
        return dice
    return parse_roll(dice) if isinstance(dice, str) else roll_of(*dice)
