"""Rollouts as they are asked for: of the best plays, of a position, of a cube decision."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from bgai import answers
from bgai.analysis.answering import chances_answer, check_not_over, play_fields, verdict_fields
from bgai.equity.match_equity import MatchEquityTable
from bgai.evaluation.evaluator import swap_chances
from bgai.notation.captions import stakes_text
from bgai.notation.situation import Situation
from bgai.players.engines import Engine
from bgai.rules.dice import Roll
from bgai.rules.legal_plays import has_legal_play
from bgai.search.cube_verdict import cubeful_plays, situation_stakes, situation_utility
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.cubeful_rollout import CubeRollout
from bgai.search.engine import build_engine
from bgai.search.executors import local_cores
from bgai.search.rollout import Rollout
from bgai.search.rollout_dice import SET
from bgai.search.rollout_run import RolloutRun, RolloutSettings
from bgai.search.rollout_stats import Figure

Kind = Literal["plays", "position", "cube"]


class Rolling:
    """A rollout under way and its figures so far, as an answer.

    ``run`` is the rollout itself, to be stepped, saved or resumed. Its engine is one of its own,
    since it runs for long beside others.
    """

    kind: Kind
    run: RolloutRun[Any]
    dice: Roll | None = None
    ranker: Engine | None = None

    def __init__(
        self,
        identifier: str,
        situation: Situation,
        engine: Engine,
        settings: RolloutSettings | None = None,
    ) -> None:
        """Raises ``InputError`` where the game is over."""
        check_not_over(situation)
        self.identifier = identifier
        self.situation = situation
        self.engine = engine
        self.settings = settings or RolloutSettings()
        self.player = build_engine(engine.settings)
        self.cores = local_cores() if engine.settings.device == "cpu" else 1

    def rows(self) -> list[answers.RolledOutRow]:
        """The figures, the best first."""
        raise NotImplementedError

    def cube(self) -> answers.RolledOutCubeAnswer | None:
        """The verdict of a cube decision."""
        return None

    def answer(self) -> answers.RolloutAnswer:
        """The figures so far. Raises ``InputError`` before the first batch."""
        return about(
            self.identifier,
            self.situation,
            self.engine,
            self.settings,
            kind=self.kind,
            dice=self.dice,
            ranker=self.ranker,
            trials=self.run.trials_done,
            rows=self.rows(),
            cube=self.cube(),
        )


def about(
    identifier: str,
    situation: Situation,
    engine: Engine,
    settings: RolloutSettings,
    *,
    kind: Kind,
    dice: Roll | None,
    ranker: Engine | None,
    trials: int = 0,
    rows: Sequence[answers.RolledOutRow] = (),
    cube: answers.RolledOutCubeAnswer | None = None,
) -> answers.RolloutAnswer:
    """A rollout as an answer; without figures before the first batch."""
    return answers.RolloutAnswer(
        id=identifier,
        kind=kind,
        dice=None if dice is None else str(dice),
        engine=engine.label,
        ranked_by=None if ranker is None else ranker.label,
        stakes=stakes_text(situation),
        settings=answers.RolloutRules(
            trials=settings.sets * SET,
            plies=engine.plies,
            seed=settings.seed,
            truncate=settings.truncate,
            variance_reduction=settings.variance_reduction.value,
            cubeless=kind != "cube",
        ),
        trials=trials,
        rows=list(rows),
        cube=cube,
    )


class PositionRollout(Rolling):
    """A position, its player about to roll, with the cube left where it is."""

    kind: Kind = "position"
    run: Rollout

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.run = Rollout(
            self.situation.position[None],
            self.player,
            self.settings,
            utility=situation_utility(self.situation),
            label=self.engine.label,
        )

    def rows(self) -> list[answers.RolledOutRow]:
        summary = self.run.result().summaries[0]
        return [row(summary.chances, summary.equity)]


class PlaysRollout(Rolling):
    """The best plays of a roll side by side on the same dice, the cube left where it is."""

    kind: Kind = "plays"
    run: Rollout

    def __init__(
        self,
        identifier: str,
        situation: Situation,
        dice: Roll,
        engine: Engine,
        settings: RolloutSettings | None = None,
        *,
        count: int = 5,
        ranker: Engine | None = None,
    ) -> None:
        """``ranker`` chooses the ``count`` plays, by default the ``engine`` that plays."""
        super().__init__(identifier, situation, engine, settings)
        self.dice = dice
        judge = self.ranker = ranker or engine
        with judge.lock:
            ranked = cubeful_plays(situation, dice, judge.lookahead)[:count]
        position = situation.position
        after = np.stack([each.after for each in ranked])
        self.names: list[dict[str, Any]] = [{"play": "no legal play"}]
        if len(after) > 1 or has_legal_play(position, after):
            self.names = [play_fields(position, each, dice) for each in after]
        self.run = Rollout(
            after,
            self.player,
            self.settings,
            utility=situation_utility(situation).other(),
            label=engine.label,
        )

    def rows(self) -> list[answers.RolledOutRow]:
        result = self.run.result()
        order = sorted(range(len(self.names)), key=lambda i: result.summaries[i].equity.mean)
        best = order[0]  # least for the opponent, who is on roll then
        return [
            row(
                result.summaries[i].chances,
                result.summaries[i].equity,
                mirrored=True,
                difference=None if i == best else result.difference(best, i),
                **self.names[i],
            )
            for i in order
        ]


class CubeDecisionRollout(Rolling):
    """A cube decision with the cube in play: no double beside double and take."""

    kind: Kind = "cube"
    run: CubeRollout

    def __init__(self, *given: Any, met: MatchEquityTable | None = None, **named: Any) -> None:
        super().__init__(*given, **named)
        search = CubefulLookahead(self.player, situation_stakes(self.situation, met))
        self.run = CubeRollout(
            self.situation.position, search, self.settings, label=self.engine.label
        )

    def rows(self) -> list[answers.RolledOutRow]:
        result = self.run.result()
        return [row(result.chances, result.no_double)]

    def cube(self) -> answers.RolledOutCubeAnswer:
        result = self.run.result()
        return answers.RolledOutCubeAnswer(
            **verdict_fields(result.decision),
            figures=answers.CubeFigures(
                no_double=figure(result.no_double),
                double_take=None if result.double_take is None else figure(result.double_take),
                gain=None if result.gain is None else figure(result.gain),
            ),
            confidence=result.confidence,
        )


def figure(found: Figure, *, mirrored: bool = False) -> answers.FigureAnswer:
    """A figure; ``mirrored`` is an equity seen by the other player."""
    low, high = found.interval
    mean = found.mean
    if mirrored:
        mean, low, high = -mean, -high, -low
    return answers.FigureAnswer(mean=mean, error=found.error, low=low, high=high)


def row(
    chances: Sequence[Figure],
    equity: Figure,
    *,
    mirrored: bool = False,
    difference: Figure | None = None,
    **named: Any,
) -> answers.RolledOutRow:
    """Figures for the one who decides; ``mirrored`` where they are the opponent's."""
    means = np.array([each.mean for each in chances])
    errors = [each.error for each in chances]
    if mirrored:
        means = swap_chances(means)
        errors = [errors[0], *errors[3:], *errors[1:3]]
    of_means = chances_answer(means)
    return answers.RolledOutRow(
        **named,
        equity=figure(equity, mirrored=mirrored),
        difference=None if difference is None else figure(difference),
        chances=of_means,
        errors=answers.FiveChances(**chances_answer(errors).model_dump(exclude={"of"})),
    )
