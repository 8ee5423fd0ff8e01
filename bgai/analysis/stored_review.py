"""What a file's own verdicts say about the match: another program's analysis, counted as ours.

Only decisions that the file judges are there. Equities are the stored ones; nothing is recomputed.
"""

from collections.abc import Iterator

import numpy as np

from bgai.analysis.judging import is_double_counted
from bgai.analysis.review import (
    SAME_PLAY,
    TRIVIAL,
    Decision,
    Figures,
    GamePhase,
    Kind,
    Option,
    figures,
    game_phase,
)
from bgai.notation.play_text import format_play
from bgai.notation.record import MatchRecord, RecordedGame, StoredVerdict
from bgai.notation.xgid import format_xgid
from bgai.players.situation import game_situation
from bgai.rules.acts import Act, ActKind, CubeAct, MakePlay, OpeningDice, RollDice
from bgai.rules.game import Game
from bgai.rules.play import recover_play


def judges(record: MatchRecord) -> tuple[str, ...]:
    """The programs whose verdicts a record holds."""
    found = (each.by for game in record.games for each in game.verdicts.values())
    return tuple(dict.fromkeys(found))


def stored_decisions(record: MatchRecord, by: str | None = None) -> tuple[Decision, ...]:
    """The decisions as a program judged them, by default whoever did."""
    return tuple(
        decision
        for number, game in enumerate(record.games, 1)
        for decision in _of_game(record, number, game, by)
    )


def stored_figures(record: MatchRecord, by: str) -> tuple[Figures, Figures]:
    """The figures of both players by a program's verdicts."""
    found = stored_decisions(record, by)
    first, second = (figures([each for each in found if each.seat == seat]) for seat in (0, 1))
    return first, second


def stored_luck(record: MatchRecord, by: str) -> tuple[float, float]:
    """The luck of both players, in equity, as the program has it."""
    totals = [0.0, 0.0]
    for game in record.games:
        for index, (state, act) in enumerate(game.states(record.terms)):
            verdict = game.verdicts.get(index)
            if verdict is not None and verdict.luck is not None and verdict.by == by:
                totals[state.after(act).turn] += verdict.luck
    return totals[0], totals[1]


def _of_game(
    record: MatchRecord, number: int, recorded: RecordedGame, by: str | None
) -> Iterator[Decision]:
    turn = 0
    for index, (game, act) in enumerate(recorded.states(record.terms)):
        turn += isinstance(act, OpeningDice | RollDice)
        verdict = recorded.verdicts.get(index)
        if verdict is None or by not in (None, verdict.by) or index in recorded.illegal:
            continue
        found = _decision(game, act, verdict, (number, index, max(turn, 1)))
        if found is not None:
            yield found


def _decision(
    game: Game, act: Act, verdict: StoredVerdict, place: tuple[int, int, int]
) -> Decision | None:
    match act.kind:
        case ActKind.PLAY if len(game.plays) > 1 and verdict.plays:
            assert isinstance(act, MakePlay)
            return _play(game, act, verdict, place)
        case ActKind.ROLL | ActKind.DOUBLE if game.why_no_double() is None and verdict.cube:
            return _double(game, act is CubeAct.DOUBLE, verdict, place)
        case ActKind.TAKE | ActKind.PASS if game.redoubles == 0 and verdict.cube:
            return _answer(game, act is CubeAct.TAKE, verdict, place)
    return None


def _play(
    game: Game, act: MakePlay, verdict: StoredVerdict, place: tuple[int, int, int]
) -> Decision | None:
    assert game.roll is not None
    if not (game.plays == act.after).all(axis=(1, 2)).any():
        return None
    text = format_play(recover_play(game.position, act.after, game.roll))
    made = next((each for each in verdict.plays if each.text == text), None)
    if made is None:
        return None  # the file doesn't judge what was played
    best = verdict.plays[0]  # those judged less deeply stand behind, whatever their equity
    equities = [each.equity for each in verdict.plays]
    counts = max(equities) - min(equities) >= SAME_PLAY
    options = [Option(each.text, each.equity, 0) for each in verdict.plays]
    return _made(
        game, place, Kind.PLAY, game.turn, text, best.text, best.equity - made.equity,
        counts, options, made.chances, game_phase(game, place[2]),
    )  # fmt: skip


def _double(
    game: Game, doubled: bool, verdict: StoredVerdict, place: tuple[int, int, int]
) -> Decision:
    waiting, taken, passed = verdict.cube
    worths = {"no double": waiting, "double": min(taken, passed)}
    made = "double" if doubled else "no double"
    best = max(worths, key=lambda each: worths[each])
    cost = worths[best] - worths[made]
    counts = cost >= TRIVIAL or is_double_counted(waiting, taken, passed)
    options = [Option(text, worth, 0) for text, worth in worths.items()]
    return _made(
        game, place, Kind.DOUBLE, game.turn, made, best, cost, counts, options, verdict.chances,
        GamePhase.CUBE,
    )  # fmt: skip


def _answer(
    game: Game, took: bool, verdict: StoredVerdict, place: tuple[int, int, int]
) -> Decision:
    _, taken, passed = verdict.cube
    worths = {"take": -taken, "pass": -passed}
    made = "take" if took else "pass"
    best = max(worths, key=lambda each: worths[each])
    options = [Option(text, worth, 0) for text, worth in worths.items()]
    assert game.actor is not None
    return _made(
        game, place, Kind.ANSWER, game.actor, made, best, worths[best] - worths[made], True,
        options, verdict.chances, GamePhase.CUBE,
    )  # fmt: skip


def _made(
    game: Game, place: tuple[int, int, int], kind: Kind, seat: int, made: str, best: str,
    cost: float, counts: bool, options: list[Option], chances: tuple[float, ...], phase: GamePhase,
) -> Decision:  # fmt: skip
    number, index, turn = place
    return Decision(
        game=number,
        act=index,
        turn=turn,
        seat=seat,
        kind=kind,
        phase=phase,
        id=format_xgid(game_situation(game)),
        dice=str(game.roll) if kind is Kind.PLAY else "",
        made=made,
        best=best,
        cost=float(np.maximum(cost, 0.0)),
        counts=counts,
        chance=0.0,
        chance_lost=0.0,
        options=tuple(sorted(options, key=lambda option: -option.equity)),
        chances=chances or (0.0,) * 5,
    )
