"""The one judge: what an act cost, and how lucky a roll was.

The page's tutor, reports and the quiz show what :func:`judge_act` and :func:`judge_roll` say;
both sides of a game are judged alike. A decision is judged by itself.

A :class:`Piece` is a stretch of one game with all that is needed to judge it, so that pieces can
be handed to other processes or machines and kept when the work is interrupted. How a match is cut
changes no number.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from bgai.analysis.review import (
    AS_GOOD_AS_LOST,
    CLOSE_CUBE,
    SAME_PLAY,
    TRIVIAL,
    Decision,
    GamePhase,
    Kind,
    Option,
    Rolled,
    decision_to_json,
    game_phase,
)
from bgai.equity.cube_action import CubeDecision, may_beaver
from bgai.equity.stakes import Stakes
from bgai.notation.play_text import format_play
from bgai.notation.record import MatchRecord, RecordedGame
from bgai.notation.xgid import format_xgid
from bgai.players.situation import game_situation
from bgai.rules.acts import Act, ActKind, CubeAct, MakePlay, OpeningDice, RollDice
from bgai.rules.dice import ROLL_CHANCES, ROLLS
from bgai.rules.game import Game, Phase
from bgai.rules.match import Terms
from bgai.rules.play import recover_play
from bgai.search.cube_verdict import cube_verdict, cubeful_plays, situation_stakes
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.engine import EngineSettings, shared_engine
from bgai.search.lookahead import Lookahead, RankedPlay

PIECE = 24  # acts, about eight decisions
LISTED = 5  # options kept of each decision
JUDGE_PLIES = 2
"""Depth of the judge, where no other is asked for: of the page, of reports, of both players."""

_OPENING = ROLL_CHANCES * np.array([not roll.is_double for roll in ROLLS])
_OPENING = _OPENING / _OPENING.sum()


@dataclass(frozen=True, slots=True)
class Piece:
    """The acts ``first`` to before ``last`` of one game. ``number`` counts games from 1."""

    number: int
    game: RecordedGame
    terms: Terms
    first: int
    last: int


def pieces(record: MatchRecord) -> Iterator[Piece]:
    """The pieces of a match."""
    for number, game in enumerate(record.games, 1):
        for first in range(0, len(game.acts), PIECE):
            yield Piece(number, game, record.terms, first, min(first + PIECE, len(game.acts)))


def judge_piece(
    settings: EngineSettings, piece: Piece, judge: "Judge | None" = None
) -> dict[str, list[dict[str, Any]]]:
    """Decisions and rolls of a piece as JSON objects: what other processes send back.

    ``judge`` judges the acts instead of the engine of ``settings``, which measures luck.
    """
    found = judge_game(
        shared_engine(settings),
        piece.game.states(piece.terms),
        number=piece.number,
        first=piece.first,
        last=piece.last,
        known=dict.fromkeys(piece.game.illegal),  # no decisions between plays the rules allow
        judge=judge,
    )
    return {
        "decisions": [decision_to_json(each) for each in found.decisions],
        "rolls": [asdict(each) for each in found.rolls],
    }


@dataclass(frozen=True, slots=True)
class Place:
    """Where an act is: the number of its game from 1, its own from 0, the roll's from 1."""

    game: int = 1
    act: int = 0
    turn: int = 1


START = Place()
Judge = Callable[[Game, Act, Place], "Decision | None"]
"""The decision behind an act, as :func:`judge_act` gives it."""


class Judged(NamedTuple):
    """What was found in a game or a stretch of it."""

    decisions: tuple[Decision, ...]
    rolls: tuple[Rolled, ...]


def judge_game(
    engine: Lookahead,
    states: Iterable[tuple[Game, Act]],
    *,
    number: int = 1,
    first: int = 0,
    last: int | None = None,
    known: Mapping[int, Decision | None] | None = None,
    judge: "Judge | None" = None,
) -> Judged:
    """Judge a game given by its acts and the states before them.

    Only the acts from ``first`` to before ``last``; ``known`` are decisions judged earlier, by
    the number of the act. ``number`` is that of the game. ``judge`` is asked about acts instead of
    the engine, which measures luck.
    """
    ask = judge or partial(judge_act, engine)
    decisions: list[Decision] = []
    rolls: list[Rolled] = []
    turn = 0
    for index, (game, act) in enumerate(states):
        if last is not None and index >= last:
            break
        turn += isinstance(act, OpeningDice | RollDice)
        if index < first:
            continue
        place = Place(number, index, max(turn, 1))
        if isinstance(act, OpeningDice | RollDice):
            rolled = judge_roll(engine, game, act, place)
            rolls += [] if rolled is None else [rolled]
        decision = known[index] if known and index in known else ask(game, act, place)
        decisions += [] if decision is None else [decision]
    return Judged(tuple(decisions), tuple(rolls))


def judge_act(engine: Lookahead, game: Game, act: Act, place: Place = START) -> Decision | None:
    """The decision behind an act; None for forced ones and those nobody judges."""
    match act.kind:
        case ActKind.PLAY if len(game.plays) > 1:
            assert isinstance(act, MakePlay)
            return _play_decision(engine, game, act, place)
        case ActKind.ROLL | ActKind.DOUBLE if game.why_no_double() is None:
            return _double_decision(engine, game, act is CubeAct.DOUBLE, place)
        case ActKind.TAKE | ActKind.PASS | ActKind.BEAVER if game.redoubles == 0:
            assert isinstance(act, CubeAct)
            return _answer_decision(engine, game, act, place)
    return None


# -- checker plays ----------------------------------------------------------------------------


def _play_decision(engine: Lookahead, game: Game, act: MakePlay, place: Place) -> Decision:
    assert game.roll is not None
    situation = game_situation(game)
    stakes = situation_stakes(situation)
    ranked = cubeful_plays(situation, game.roll, engine)
    made = next(play for play in ranked if np.array_equal(play.after, act.after))
    if made.plies < ranked[0].plies:
        made = _deepened(engine, stakes, made, ranked[0].plies)
    best = made if made.worth >= ranked[0].worth else ranked[0]
    cost = best.worth - made.worth
    names = {id(play): _play_text(game, play) for play in (made, best, *ranked[:LISTED])}
    listed = [play for play in ranked[:LISTED] if not np.array_equal(play.after, made.after)]
    listed = sorted([*listed[: LISTED - 1], made], key=lambda play: (-play.plies, -play.worth))
    spread = ranked[0].worth - min(play.worth for play in ranked)
    return Decision(
        game=place.game,
        act=place.act,
        turn=place.turn,
        seat=game.turn,
        kind=Kind.PLAY,
        phase=game_phase(game, place.turn),
        id=format_xgid(situation),
        dice=str(game.roll),
        made=names[id(made)],
        best=names[id(best)],
        cost=cost,
        counts=spread >= SAME_PLAY,
        chance=_chance(stakes, game, best.worth),
        chance_lost=_chance(stakes, game, best.worth) - _chance(stakes, game, made.worth),
        options=tuple(Option(names[id(play)], play.worth, play.plies) for play in listed),
        chances=tuple(float(each) for each in made.chances),
    )


def _deepened(engine: Lookahead, stakes: Stakes, play: RankedPlay, plies: int) -> RankedPlay:
    """A play the filters stopped, judged as deep as the best one."""
    from bgai.evaluation.evaluator import swap_chances

    valued = CubefulLookahead(engine, stakes).value_decided(play.after[None], plies, 1)
    worth = float(stakes.equity(-valued.worths[:, 0])[0]) + play.shift
    return play._replace(chances=swap_chances(valued.chances)[0], worth=worth, plies=plies)


def _play_text(game: Game, play: RankedPlay) -> str:
    assert game.roll is not None
    return format_play(recover_play(game.position, play.after, game.roll))


# -- the cube ---------------------------------------------------------------------------------


def _double_decision(engine: Lookahead, game: Game, doubled: bool, place: Place) -> Decision:
    situation = game_situation(game)
    verdict = cube_verdict(situation, engine, market=False)
    decision = verdict.decision
    word = decision.word
    best, made = decision.action.doubles, doubled
    costs = decision.costs
    cost = costs["double"] if doubled else costs["no_double"]
    if decision.is_optional:
        best, cost = made, 0.0
    names = {True: word, False: f"no {word}"}
    options = [Option(names[True], decision.doubled or 0.0, verdict.plies)]
    options.append(Option(names[False], decision.no_double, verdict.plies))
    return _cube(
        game, place, Kind.DOUBLE, game.turn, names[made], names[best], cost, options, decision,
        tuple(float(each) for each in verdict.chances), situation_stakes(situation), 1.0,
    )  # fmt: skip


def _three(decision: CubeDecision) -> tuple[float, ...]:
    """No double, double and take, double and pass; nothing where the cube can't be turned."""
    taken, passed = decision.double_take, decision.double_pass
    return () if taken is None or passed is None else (decision.no_double, taken, passed)


def is_double_counted(no_double: float, taken: float, passed: float) -> bool:
    """Whether doubling or not counts though no error was made, as eXtreme Gammon has it.

    It doesn't where both are worth the same, where doubling would be wrong or wasted by more
    than ``CLOSE_CUBE``, or where the game is as good as lost. Equities of the doubler.
    """
    return not (
        abs(no_double - min(taken, passed)) < TRIVIAL
        or no_double - taken > CLOSE_CUBE
        or no_double - passed > CLOSE_CUBE
        or max(no_double, taken) < AS_GOOD_AS_LOST
    )


def _answer_decision(engine: Lookahead, game: Game, act: CubeAct, place: Place) -> Decision:
    situation = game_situation(game)
    verdict = cube_verdict(situation, engine, market=False)
    decision = verdict.decision
    assert decision.double_take is not None
    stakes = situation_stakes(situation)
    worths = {CubeAct.TAKE: -decision.double_take, CubeAct.PASS: -1.0}
    if may_beaver(stakes) or act is CubeAct.BEAVER:
        worths[CubeAct.BEAVER] = -2 * decision.double_take
    best = max(worths, key=lambda each: worths[each])
    if worths[best] - worths[act] < 1e-9:
        best = act
    options = [Option(each.value, worth, verdict.plies) for each, worth in worths.items()]
    win, wg, wbg, lg, lbg = (float(each) for each in verdict.chances)
    assert game.actor is not None
    return _cube(
        game, place, Kind.ANSWER, game.actor, act.value, best.value,
        worths[best] - worths[act], options, decision,
        (1 - win, lg, lbg, wg, wbg), stakes, -1.0,
    )  # fmt: skip


def _cube(
    game: Game,
    place: Place,
    kind: Kind,
    seat: int,
    made: str,
    best: str,
    cost: float,
    options: list[Option],
    decision: CubeDecision,
    chances: tuple[float, ...],
    stakes: Stakes,
    sign: float,
) -> Decision:
    """A cube decision; equities in ``options`` are the decider's, ``sign`` -1 the answerer's."""
    options = sorted(options, key=lambda option: -option.equity)
    top = options[0].equity
    chance = _chance_of(stakes, game, sign, top)
    three = _three(decision)
    return Decision(
        game=place.game,
        act=place.act,
        turn=place.turn,
        seat=seat,
        kind=kind,
        phase=GamePhase.CUBE,
        id=format_xgid(game_situation(game)),
        dice="",
        made=made,
        best=best,
        cost=cost,
        counts=kind is Kind.ANSWER
        or cost >= TRIVIAL
        or (len(three) == 3 and is_double_counted(*three)),
        chance=chance,
        chance_lost=chance - _chance_of(stakes, game, sign, top - cost),
        options=tuple(options),
        chances=chances,
        verdict=decision.text,
        cube=three,
    )


# -- luck and chances -------------------------------------------------------------------------


def judge_roll(
    engine: Lookahead, game: Game, act: OpeningDice | RollDice, place: Place = START
) -> Rolled | None:
    """Luck of a roll, the plays of all rolls judged right after them (0-ply)."""
    after = game.after(act)
    if after.roll is None:
        return None  # equal opening dice
    before = Game(standing=game.standing, rules=game.rules, phase=Phase.TURN, turn=after.turn)
    if isinstance(act, RollDice):
        before = game
    stakes = situation_stakes(game_situation(before))
    search = CubefulLookahead(engine, stakes)
    worths = stakes.equity(search.outlook(before.position[None], 1).worths[0, :, 0])
    chances = _OPENING if isinstance(act, OpeningDice) else ROLL_CHANCES
    average = float(worths @ chances)
    equity = float(worths[ROLLS.index(after.roll)])
    return Rolled(
        game=place.game,
        act=place.act,
        turn=place.turn,
        seat=after.turn,
        dice=str(after.roll),
        luck=equity - average,
        chance_luck=_chance(stakes, before, equity) - _chance(stakes, before, average),
        chance_before=_chance(stakes, before, average),
    )


def _chance(stakes: Stakes, game: Game, equity: float) -> float:
    """The chance of the player on turn with that equity; points in money play."""
    return _chance_of(stakes, game, 1.0, equity)


def _chance_of(stakes: Stakes, game: Game, sign: float, equity: float) -> float:
    """The decider's chance; ``sign`` -1 where the stakes are the other player's."""
    if stakes.score is None:
        return equity * stakes.cube.value
    chance = float(stakes.match_chance(np.array(sign * equity)))
    return chance if sign > 0 else 1 - chance
