"""States and acts as text, wrong ones refused, games reproduced by their seeds."""

import numpy as np
import pytest

from bgai.dicegames.catalogue import KITS, kit_named, make_kit
from bgai.dicegames.chance_game import Phase, StateError, play_out
from bgai.dicegames.kit import AnyKit, ByChance
from bgai.dicegames.simulate import simulate

VARIANTS = [
    ("centennial", 2, {}),
    ("centennial", 4, {"each-subset-once": ""}),
    ("everest", 2, {}),
    ("everest", 3, {"single-mark": ""}),
    ("great-races", 3, {}),
    ("ship-captain-crew", 2, {}),
    ("ship-captain-crew", 3, {"either": ""}),
    ("cubilete", 2, {"same-rolls": ""}),
    ("cubilete", 3, {"ties": "void"}),
    ("cubilete", 3, {"ties": "roll-off"}),
    ("cubilete", 2, {"kept-stay": ""}),
]


@pytest.mark.parametrize(("name", "seats", "options"), VARIANTS)
def test_states_and_acts_survive_text(name: str, seats: int, options: dict[str, str]) -> None:
    kit = make_kit(name, seats, options)
    rng = np.random.default_rng(7)
    written = 0

    def check(state: object) -> None:
        nonlocal written
        if kit.game.phase(state) is Phase.OVER:
            return
        try:
            text = kit.state_text(state)
        except StateError:
            assert kit.game.phase(state) is Phase.ROLL
            return
        written += 1
        assert kit.parse_state(text) == state, text

    players = [ByChance(kit.game)] * seats
    last = play_out(kit.game, players, [rng] * seats, choices=rng, watch=check)
    assert sum(kit.game.result(last)) == 1
    assert written > 5


@pytest.mark.parametrize(
    ("name", "state", "text"),
    [
        ("centennial", "steps=0,0 roll=123", "6"),
        ("everest", "boxes=222222222222/222222222222 roll=124", "1+4 2"),
        (
            "great-races",
            "marks=" + ",".join("0" * 11) + "/" + ",".join("0" * 11) + " roll=1344",
            "7 5",
        ),
        ("ship-captain-crew", "seats=2 rolls=1 dice=14566", "again"),
        ("cubilete", "scores=0,0 rolls=1 dice=AAKQ9", "AAK"),
    ],
)
def test_acts_from_text(name: str, state: str, text: str) -> None:
    kit = make_kit(name, 2, {})
    found = kit.parse_state(state)
    act = kit.read_act(found, text)
    assert act in kit.game.acts(found)
    assert kit.act_text(found, act)
    with pytest.raises(StateError):
        kit.read_act(found, "999")


FULL = "222222222222"


@pytest.mark.parametrize(
    ("name", "state", "message"),
    [
        ("centennial", "", "lacks 'steps='"),
        ("centennial", "steps=1,2 speed=3", "unknown word 'speed'"),
        ("centennial", "steps=1,2 seat", "not of the form"),
        ("centennial", "steps=1,2 steps=1,2", "given twice"),
        ("centennial", "steps=1,23", "steps: 23"),
        ("centennial", "steps=1,x", "steps: 'x'"),
        ("centennial", "steps=1,2 seat=3", "seat: 3"),
        ("centennial", "steps=1,2 roll=12", "roll: 3 dice"),
        ("centennial", "steps=1,2 roll=127", "roll: '127'"),
        ("centennial", "steps=1,2 left=2", "go together"),
        ("centennial", "steps=1,2 left=7 asked=2", "left: seat 1 did not overlook"),
        ("centennial", "steps=1,5 left=2 asked=2", "asked: seat 2 can claim none"),
        ("centennial", "steps=1,1 left=2 asked=1", "asked: the roller"),
        ("everest", f"boxes={FULL}/22", "boxes: '22' of seat 2"),
        ("everest", f"boxes={FULL}/000000000000", "the game is over"),
        ("everest", f"boxes={FULL}/322222222222", "boxes: '3"),
        ("everest", f"boxes={FULL}/{FULL} roll=1234", "roll: 3 dice"),
        ("everest", f"boxes={FULL}/100000000000 left=66 asked=2", "seat 2 can mark nothing"),
        ("great-races", "marks=1,2/1,2", "marks: seat 1 has 2 races"),
        ("great-races", "marks=4" + ",0" * 10 + "/0" + ",0" * 10, "race 2: 4 is not within"),
        ("great-races", "marks=3" + ",0" * 10 + "/3" + ",0" * 10, "both have won race 2"),
        ("great-races", "marks=3,5,7,9,11,13,11,9,7,5,3/0" + ",0" * 10, "game is over"),
        ("ship-captain-crew", "seats=2 seat=2", "best: missing"),
        ("ship-captain-crew", "seats=2 best=7 leader=1", "nobody has played"),
        ("ship-captain-crew", "seats=2 seat=2 best=1 leader=1", "no crew scores 1"),
        ("ship-captain-crew", "seats=2 seat=2 best=7 leader=2", "seat 2 has not played"),
        ("ship-captain-crew", "seats=2 seat=2 best=7 leader=tied", "one seat can't be tied"),
        ("ship-captain-crew", "seats=2 rolls=3 dice=12345", "rolls: 3"),
        ("ship-captain-crew", "seats=2 rolls=1", "go together"),
        ("cubilete", "scores=0,10", "scores: 10"),
        ("cubilete", "scores=0,0 rolls=1 dice=AAKQX", "'X' is no face"),
        ("cubilete", "scores=0,0 rolls=1 dice=AAK", "5 dice expected"),
        ("cubilete", "scores=0,0 rolls=3 dice=AAKQJ", "the turn is over"),
        ("cubilete", "scores=0,0 seat=2 best=kings holders=1", "best: 'kings'"),
        ("cubilete", "scores=0,0 seat=2 best=tens holders=2", "seat 2 has not played"),
        ("cubilete", "scores=0,0 rolls=2 dice=AAKQJ kept=A", "no dice have to stay"),
        ("cubilete", "scores=0,0 most=2", "most: all three rolls"),
    ],
)
def test_wrong_states_are_refused(name: str, state: str, message: str) -> None:
    with pytest.raises(StateError, match=message):
        make_kit(name, 2, {}).parse_state(state)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("centennial", {"either": ""}, "no option 'either'"),
        ("everest", {"single-mark": "yes"}, "takes no value"),
        ("cubilete", {"ties": ""}, "needs a value"),
        ("cubilete", {"ties": "maybe"}, "ties: 'maybe'"),
    ],
)
def test_wrong_options_are_refused(name: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(StateError, match=message):
        make_kit(name, 2, options)


def test_wrong_names_are_refused() -> None:
    with pytest.raises(StateError, match="no dice game 'yatzy'"):
        kit_named("yatzy")
    with pytest.raises(StateError, match="no player 'worst'"):
        make_kit("cubilete", 2, {}).player("worst")


@pytest.mark.parametrize("name", sorted(KITS))
def test_seeds_reproduce_games(name: str) -> None:
    kit: AnyKit = make_kit(name, 2, {})
    names = ["solo" if name == "everest" else "best", "greedy"]
    seeds = np.random.default_rng(4).integers(0, 2**63, 60).astype(np.uint64)
    first = kit.winners(seeds, names, [0, 1])
    np.testing.assert_array_equal(first, kit.winners(seeds, names, [0, 1]))
    assert len(set(first.tolist())) == 2


@pytest.mark.parametrize("name", ["ship-captain-crew", "centennial"])
def test_simulations_add_up(name: str) -> None:
    kit = make_kit(name, 3, {})
    players = ["best", "greedy", "random"]
    told: list[int] = []
    result = simulate(kit, players, 40, 9, mirror=True, progress=told.append)
    assert result.games == 42 == sum(told)
    assert sum(result.shares) == pytest.approx(1)
    assert sum(result.seat_shares) == pytest.approx(1)
    assert result == simulate(kit, players, 40, 9, mirror=True)
    assert result.shares[0] > result.shares[2]


@pytest.mark.parametrize("name", sorted(KITS))
def test_every_player_can_be_simulated(name: str) -> None:
    """Those without compiled games are played by the rules."""
    kit: AnyKit = make_kit(name, 2, {})
    seeds = np.arange(2).astype(np.uint64)
    for player in kit.players:
        assert set(kit.winners(seeds, [player, "random"], [0, 1]).tolist()) <= {0, 1}
