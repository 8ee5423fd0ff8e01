"""Analysis in tiers: everything at a glance, what is close or wrong deeper, errors rolled out.

A *tier* is the settings of a judge. Each decision is judged by the first tier; the next one is
asked where the one before found it doubtful, and has the last word. A decision is judged by itself,
so that the same match gives the same figures however the work is cut.
"""

from collections.abc import Sequence
from dataclasses import replace

from bgai.analysis.judging import START, Place, judge_act
from bgai.analysis.review import ERROR, Decision, Kind
from bgai.rules.acts import Act
from bgai.rules.game import Game
from bgai.search.engine import HANDMADE, RANDOM, EngineSettings, plies_label
from bgai.search.lookahead import Lookahead
from bgai.search.roller import ROLLERS

CLOSE = 0.05
"""A decision whose best two acts are nearer than this may look different to a deeper judge."""
WRONG = 0.01
"""What an act gives up at the first glance that is worth a second one."""
ROLLER = "roller"


def tiers_of(settings: EngineSettings) -> tuple[EngineSettings, ...]:
    """Bare evaluation, the search of ``settings``, and its closest acts rolled out."""
    tiers = (replace(settings, plies=0), settings)
    if settings.base in (HANDMADE, RANDOM):  # only networks roll out
        return tiers
    level = ROLLERS[ROLLER]
    return (*tiers, replace(settings, plies=level.plies, filters=level.filters, roller=ROLLER))


def tiers_label(tiers: Sequence[EngineSettings]) -> str:
    """Who judges, for people."""
    if len(tiers) == 1:
        return tiers[0].label
    first, second, *rest = tiers
    rolled = ", errors rolled out" if rest else ""
    return f"{first.label}, {plies_label(second.plies)} where close or wrong{rolled}"


def judge_in_tiers(
    tiers: Sequence[Lookahead], game: Game, act: Act, place: Place = START
) -> Decision | None:
    """The decision behind an act by the deepest tier that was asked about it."""
    decision = judge_act(tiers[0], game, act, place)
    for number, tier in enumerate(tiers[1:], 1):
        if decision is None or not is_doubtful(decision, number):
            break
        decision = judge_act(tier, game, act, place)
    return decision


def is_doubtful(decision: Decision, tier: int) -> bool:
    """Whether a tier, 1 or more, should have a look at what the one before found."""
    if tier > 1:
        return decision.cost >= ERROR
    if decision.cost >= WRONG:
        return True
    first, second = (option.equity for option in (*decision.options, decision.options[-1])[:2])
    near = CLOSE if decision.kind is Kind.PLAY else 2 * CLOSE
    return decision.counts and first - second < near
