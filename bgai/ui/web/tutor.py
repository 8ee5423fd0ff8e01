"""What a decision lost, and a game summed up: errors, luck, the worst decisions."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bgai.equity.cube_action import CubeDecision
from bgai.evaluation.evaluator import swap_chances
from bgai.notation.identifiers import format_xgid
from bgai.players.search_ranker import game_utility
from bgai.rules.acts import Act, CubeAct, MakePlay, OpeningDice, RollDice
from bgai.rules.game import Game, Phase
from bgai.rules.play import recover_play
from bgai.search.engine import EngineSettings, build_engine
from bgai.search.luck import roll_luck
from bgai.ui.web.engines import Judge
from bgai.ui.web.opinions import deepened, ranked_plays, verdict_of
from bgai.ui.web.situations import play_fields, shown_situation

MARKS = ((0.12, "??", "blunder"), (0.06, "?", "error"), (0.03, "?!", "doubtful"))
"""Least loss, mark and word, the gravest first."""
CLOSE_CUBE = 0.2
"""Cube decisions count while the two acts are worth the same within this."""
TRIVIAL = 0.001
"""Plays count where the best and the worst differ by more than this."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision judged: ``loss`` in units of the cube, ``best`` what to do instead.

    ``counts`` says whether it enters the error rate. ``moves`` are those of the better play.
    """

    kind: str
    loss: float
    chosen: str
    best: str
    counts: bool
    engine: str
    moves: list[list[Any]] | None = None

    def fields(self) -> dict[str, Any]:
        """The verdict as JSON."""
        mark, word = mark_of(self.loss)
        return {
            "kind": self.kind,
            "loss": round(self.loss, 6),
            "mark": mark,
            "word": word,
            "chosen": self.chosen,
            "best": self.best,
            "is_best": self.loss <= TRIVIAL or self.chosen == self.best,
            "counts": self.counts,
            "engine": self.engine,
            "moves": self.moves,
        }


def mark_of(loss: float) -> tuple[str, str]:
    """The mark of a loss and its name; both empty below the least."""
    return next(((mark, word) for least, mark, word in MARKS if loss >= least), ("", ""))


def judge_act(judge: Judge, game: Game, act: Act) -> Verdict | None:
    """What an act lost in a state; None where nothing was decided or nothing can be said."""
    match act:
        case MakePlay(after):
            return _judge_play(judge, game, after.tobytes()) if len(game.plays) > 1 else None
        case RollDice() if game.phase is Phase.TURN and game.why_no_double() is None:
            return _judge_cube(verdict_of(judge, game).decision, "no_double", judge)
        case CubeAct.DOUBLE:
            return _judge_cube(verdict_of(judge, game).decision, "double", judge)
        case CubeAct() if game.phase is Phase.DOUBLED and not game.redoubles:
            return _judge_cube(verdict_of(judge, game).decision, act.value, judge)
    return None


def _judge_play(judge: Judge, game: Game, chosen: bytes) -> Verdict:
    assert game.roll is not None
    ranked = ranked_plays(judge, game)
    best, worst = ranked[0], min(each.worth for each in ranked)
    row = next(each for each in ranked if each.after.tobytes() == chosen)
    row = deepened(judge, shown_situation(game), row, best.plies)
    if row.worth > best.worth:
        best = row
    made, better = (
        play_fields(recover_play(game.position, each.after, game.roll), each.after)
        for each in (row, best)
    )
    return Verdict(
        kind="play",
        loss=best.worth - row.worth,
        chosen=made["play"],
        best=better["play"],
        counts=best.worth - worst > TRIVIAL,
        engine=judge.label,
        moves=better["moves"],
    )


def _judge_cube(decision: CubeDecision, act: str, judge: Judge) -> Verdict | None:
    costs = decision.costs
    if act not in costs:
        return None
    doubling = act in ("double", "no_double")
    rivals = [name for name in costs if (name in ("double", "no_double")) == doubling]
    best = min(rivals, key=lambda name: (costs[name], name != act))
    if decision.is_optional and doubling:
        best = act
    gap = max(costs[name] for name in rivals)
    word = {"no_double": "no redouble", "double": "redouble"} if decision.redouble else {}
    return Verdict(
        kind="double" if doubling else "answer",
        loss=0.0 if best == act else costs[act],
        chosen=word.get(act, act).replace("_", " "),
        best=word.get(best, best).replace("_", " "),
        counts=gap < CLOSE_CUBE or costs[act] > 0,
        engine=judge.label,
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """One act of a finished or running game with the states around it."""

    before: Game
    act: Act
    after: Game


def luck_of(moments: list[Moment]) -> list[tuple[int, float]]:
    """Seat and luck of every roll, in units of the cube, at 0-ply. The opening has none."""
    lookahead = build_engine(EngineSettings(plies=0))
    found = []
    for moment in moments:
        if isinstance(moment.act, RollDice):
            game = moment.before
            luck = roll_luck(lookahead, game.position, moment.act.roll, game_utility(game))
            found.append((game.turn, luck.luck))
    return found


def equity_curve(judge: Judge, moments: list[Moment], seat: int) -> list[dict[str, Any]]:
    """The seat's chances and cubeless equity before every turn of the game."""
    turns = [
        (index, moment.before)
        for index, moment in enumerate(moments)
        if isinstance(moment.act, RollDice | OpeningDice) and moment.after.phase is Phase.PLAY
    ]
    if not turns:
        return []
    positions = np.stack([moments[index].after.position for index, _ in turns])
    with judge.lock:
        chances = judge.bot.evaluator.evaluate(positions)
    points = []
    for (index, _), row in zip(turns, chances, strict=True):
        game = moments[index].after
        mine = row if game.turn == seat else swap_chances(row)
        utility = game_utility(game) if game.turn == seat else game_utility(game).other()
        points.append(
            {
                "act": index,
                "turn": game.turn,
                "win": round(float(mine[0]), 6),
                "equity": round(float(utility.worth(mine[None])[0]), 6),
                "cube": game.cube_value,
            }
        )
    return points


def decision_fields(moment: Moment, index: int, verdict: Verdict, seat: int) -> dict[str, Any]:
    """A decision of the summary: its verdict, where it was, and the ID to look at it."""
    return {
        "act": index,
        "seat": moment.before.actor,
        "id": format_xgid(shown_situation(moment.before, seat)),
        "roll": None if moment.before.roll is None else str(moment.before.roll),
        **verdict.fields(),
    }


def rating(verdicts: list[Verdict]) -> dict[str, Any]:
    """Decisions, what they lost, the error rate in thousandths and the performance rating.

    PR is 500 times the equity lost for each decision that counts.
    """
    counted = [each for each in verdicts if each.counts]
    lost = sum(each.loss for each in verdicts)
    mean = lost / len(counted) if counted else 0.0
    return {
        "decisions": len(verdicts),
        "counted": len(counted),
        "lost": round(lost, 6),
        "error_rate": round(1000 * mean, 2),
        "rating": round(500 * mean, 2),
        "marks": {
            word: sum(mark_of(each.loss)[1] == word for each in verdicts) for _, _, word in MARKS
        },
    }
