"""Rollouts as they are asked for: of the best plays, of a position, of a cube decision."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from bgai import answers
from bgai.analysis.answering import chances_answer, check_not_over, play_fields, verdict_fields
from bgai.equity.match_equity import MatchEquityTable
from bgai.errors import InputError
from bgai.evaluation.evaluator import swap_chances
from bgai.notation.captions import stakes_text
from bgai.notation.play_text import parse_play
from bgai.notation.situation import Situation
from bgai.players.engines import Engine
from bgai.rules.dice import Roll
from bgai.rules.legal_plays import has_legal_play
from bgai.rules.play import apply_play
from bgai.rules.position import Positions
from bgai.search.cube_verdict import cubeful_plays, situation_stakes, situation_utility
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.cubeful_rollout import CubeRollout
from bgai.search.cubeful_trials import Thought
from bgai.search.engine import build_engine
from bgai.search.executors import local_cores
from bgai.search.play_rollout import PlayRollout
from bgai.search.rollout import Rollout
from bgai.search.rollout_dice import SET
from bgai.search.rollout_run import RolloutRun, RolloutSettings
from bgai.search.rollout_stats import Figure, RolledOut

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
        *,
        cubeless: bool = False,
        leaf_plies: int = 0,
        met: MatchEquityTable | None = None,
    ) -> None:
        """``cubeless`` leaves the cube where it is; ``leaf_plies`` is how deep a game that is cut
        off is judged. Raises ``InputError`` where the game is over, and for a leaf where there is
        none.
        """
        check_not_over(situation)
        if leaf_plies and (cubeless or settings is None or settings.truncate is None):
            raise InputError("a leaf goes with truncation, and with the cube in play")
        self.identifier = identifier
        self.situation = situation
        self.engine = engine
        self.settings = settings or RolloutSettings()
        self.cubeless = cubeless
        self.leaf_plies = leaf_plies
        self.met = met
        self.player = build_engine(engine.settings)
        self.cores = local_cores() if engine.settings.device == "cpu" else 1

    def games(self, positions: Positions, view: int) -> RolloutRun[RolledOut]:
        """Games from ``positions`` ``(m, 2, 26)``, in view 1 those after the player's plays."""
        if not self.cubeless:
            return PlayRollout(
                positions,
                self.cubeful,
                self.settings,
                view=view,
                thought=Thought(leaf_plies=self.leaf_plies),
                label=self.engine.label,
            )
        mine = situation_utility(self.situation)
        utility = mine if view == 0 else mine.other()
        label = self.engine.label
        return Rollout(positions, self.player, self.settings, utility=utility, label=label)

    @property
    def cubeful(self) -> CubefulLookahead:
        """The players at the stakes of the one who decides."""
        return CubefulLookahead(self.player, situation_stakes(self.situation, self.met))

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
            cubeless=self.cubeless,
            leaf_plies=self.leaf_plies,
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
    cubeless: bool = False,
    leaf_plies: int = 0,
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
            cubeless=cubeless,
            leaf_plies=leaf_plies,
        ),
        note=_note(settings, leaf_plies),
        trials=trials,
        rows=list(rows),
        cube=cube,
    )


def _note(settings: RolloutSettings, leaf_plies: int) -> str | None:
    """What a truncated rollout can't say."""
    if settings.truncate is None:
        return None
    turns = "1 turn" if settings.truncate == 1 else f"{settings.truncate} turns"
    return (
        f"Games are cut off after {turns} and judged there at {leaf_plies}-ply: what the network "
        "has wrong in such positions stays wrong, in back games and prime battles most."
    )


class PositionRollout(Rolling):
    """A position, its player about to roll without doubling first."""

    kind: Kind = "position"
    run: RolloutRun[RolledOut]

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.run = self.games(self.situation.position[None], view=0)

    def rows(self) -> list[answers.RolledOutRow]:
        summary = self.run.result().summaries[0]
        return [row(summary.chances, summary.equity)]


class PlaysRollout(Rolling):
    """Plays of a roll side by side on the same dice."""

    kind: Kind = "plays"
    run: RolloutRun[RolledOut]

    def __init__(
        self,
        identifier: str,
        situation: Situation,
        dice: Roll,
        engine: Engine,
        settings: RolloutSettings | None = None,
        *,
        count: int = 5,
        plays: Sequence[str] = (),
        ranker: Engine | None = None,
        **named: Any,
    ) -> None:
        """``ranker`` chooses the ``count`` plays, by default the ``engine`` that plays; ``plays``
        are chosen plays instead, as text."""
        super().__init__(identifier, situation, engine, settings, **named)
        self.dice = dice
        position = situation.position
        if plays:
            after = chosen_plays(situation, dice, plays)
        else:
            judge = self.ranker = ranker or engine
            with judge.lock:
                ranked = cubeful_plays(situation, dice, judge.lookahead, met=self.met)[:count]
            after = np.stack([each.after for each in ranked])
        self.names: list[dict[str, Any]] = [{"play": "no legal play"}]
        if len(after) > 1 or has_legal_play(position, after):
            self.names = [play_fields(position, each, dice) for each in after]
        self.run = self.games(after, view=1)

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

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.run = CubeRollout(
            self.situation.position,
            self.cubeful,
            self.settings,
            thought=Thought(leaf_plies=self.leaf_plies),
            label=self.engine.label,
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


def chosen_plays(situation: Situation, dice: Roll, plays: Sequence[str]) -> Positions:
    """Positions ``(m, 2, 26)`` after plays as text. Raises ``InputError`` naming the play."""
    after: dict[bytes, Positions] = {}
    for text in plays:
        try:
            made = apply_play(situation.position, parse_play(text, situation.position, dice))
        except InputError as error:
            raise InputError(f"plays: '{text.strip()}': {error}") from None
        after.setdefault(made.tobytes(), made)
    return np.stack([*after.values()])


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
