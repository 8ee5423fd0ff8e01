"""Hypothesis strategies for positions and situations."""

import numpy as np
from hypothesis import strategies as st

from bgai.notation.situation import Offer, Seat, Situation
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import ROLLS
from bgai.rules.match import MatchScore
from bgai.rules.position import Positions

_SLOTS = st.lists(st.integers(0, 25), min_size=15, max_size=15)


@st.composite
def positions(draw: st.DrawFn) -> Positions:
    """A ``(2, 26)`` position; a checker that would share a point goes to the bar instead."""
    position = np.zeros((2, 26), dtype=np.int8)
    for slot in draw(_SLOTS):
        position[0, slot] += 1
    for slot in draw(_SLOTS):
        shared = 0 < slot < 25 and position[0, 25 - slot]
        position[1, 25 if shared else slot] += 1
    if (position[:, 0] == 15).all():
        position[0, [0, 6]] = 14, 1
    return position


@st.composite
def scores(draw: st.DrawFn) -> MatchScore:
    length = draw(st.integers(1, 25))
    on_roll, opponent = draw(st.integers(0, length - 1)), draw(st.integers(0, length - 1))
    one_away = length - 1 in (on_roll, opponent)
    return MatchScore(length, on_roll, opponent, one_away and draw(st.booleans()))


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """Anything an XGID can say."""
    score = draw(st.none() | scores())
    roll = draw(st.none() | st.sampled_from(ROLLS))
    offers = list(Offer) if score is None else [Offer.NONE, Offer.DOUBLED]
    if roll is not None or (score is not None and score.crawford):
        offers = [Offer.NONE]
    won = st.integers(0, 30)
    log = draw(st.integers(0, 9))
    owner = draw(st.sampled_from(CubeOwner)) if log else CubeOwner.CENTRED
    if owner is CubeOwner.OPPONENT:
        offers = [Offer.NONE]
    return Situation(
        draw(positions()),
        cube=Cube(1 << log, owner),
        score=score,
        rules=HouseRules(
            jacoby=draw(st.booleans()),
            beaver_turns=draw(st.integers(0, 1)),
            max_cube=draw(st.none() | st.integers(0, 9).map(lambda log: 1 << log)),
        ),
        roll=roll,
        offer=draw(st.sampled_from(offers)),
        seat=draw(st.sampled_from(Seat)),
        session=draw(st.tuples(won, won)) if score is None else (0, 0),
    )
