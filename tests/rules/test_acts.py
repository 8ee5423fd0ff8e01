"""Acts survive JSON, and what isn't one is refused by name; random games are sound."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgai.errors import InputError
from bgai.rules.acts import (
    Act,
    Answer,
    CubeAct,
    MakePlay,
    OpeningDice,
    Resign,
    RollDice,
    act_from_json,
    act_to_json,
)
from bgai.rules.cube import HouseRules
from bgai.rules.dice import roll_of
from bgai.rules.game import Game
from bgai.rules.match import Standing
from bgai.rules.outcome import Result
from bgai.rules.position import starting_position


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


@given(
    seed=st.integers(0, 10_000),
    length=st.sampled_from([None, 1, 2, 3, 7]),
    rules=st.builds(
        HouseRules,
        jacoby=st.booleans(),
        beaver_turns=st.integers(0, 3),
        automatic_doubles=st.integers(0, 2),
        max_cube=st.sampled_from([None, 1, 8]),
    ),
)
@settings(max_examples=40, deadline=None)
def test_random_games(seed: int, length: int | None, rules: HouseRules) -> None:
    """All along random acts: checkers conserved, JSON lossless, legal acts legal, the end sound."""
    rng = np.random.default_rng(seed)
    game = Game(standing=Standing.start(length), rules=rules)
    for step in range(3000):
        if game.is_over:
            break
        acts = game.legal_acts()
        assert {act.kind for act in acts} == set(game.legal_kinds())
        act = acts[rng.integers(len(acts))]
        if act in (CubeAct.PASS, Answer.ACCEPT) and step < 60:
            continue
        if step % 7 == 0:
            assert act_from_json(through_json(act_to_json(act))) == act
        game = game.after(act)
        assert (game.position.sum(axis=1) == 15).all()
        assert game.position.min() >= 0
        limit = game.rules_in_force.max_cube
        assert limit is None or game.cube_value <= limit
    assert game.is_over
    assert game.outcome is not None
    assert game.outcome.points % game.cube_value == 0


@pytest.mark.parametrize(
    "act",
    [
        OpeningDice((1, 6)),
        RollDice(roll_of(2, 5)),
        MakePlay(starting_position()),
        Resign(Result.BACKGAMMON),
        *CubeAct,
        *Answer,
    ],
)
def test_every_act(act: Act) -> None:
    assert act_from_json(through_json(act_to_json(act))) == act


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "is not an act"),
        ([], "is not an act"),
        ({"act": "fly"}, "is not an act"),
        ({"act": "roll"}, "is not an act"),
        ({"act": "roll", "dice": [7, 1]}, r"dice \[7, 1\]"),
        ({"act": "roll", "dice": [True, 1]}, "dice"),
        ({"act": "opening", "dice": "31"}, "dice '31'"),
        ({"act": "play"}, "is not an act"),
        ({"act": "play", "after": "zz"}, "is not a position"),
        ({"act": "play", "after": 5}, "is not a position"),
        ({"act": "play", "after": "g" * 26 + "/" + "0" * 26}, "is not a position"),
        ({"act": "resign", "level": 4}, "level 4"),
        ({"act": "resign"}, "level None"),
    ],
)
def test_bad_acts(data: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        act_from_json(data)
