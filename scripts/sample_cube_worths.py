"""Roll out positions of self-play with the cube, as the material cube efficiency is fitted on.

Contact positions are drawn from 0-ply self-play by the seed. Each is rolled out on the same
dice for a cube centred, of the player on roll and of the opponent (money play, no Jacoby,
no beavers), and at a random score at which the player on roll loses nothing more by doubling.
One JSON object a line is appended; a run that was stopped goes on where it was.

    python scripts/sample_cube_worths.py FILE [--positions 300] [--trials 180] [--truncate 9]
                                         [--network NAME]
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bgai.equity.stakes import Stakes, match_stakes, money_stakes
from bgai.notation.position_id import format_position_id
from bgai.rules.cube import Cube, CubeOwner, HouseRules
from bgai.rules.dice import roll_dice
from bgai.rules.match import MatchScore
from bgai.rules.position import Positions, has_contact, is_over, starting_position
from bgai.search.cubeful_lookahead import CubefulLookahead
from bgai.search.cubeful_trials import CubefulTrials, Floats
from bgai.search.engine import EngineSettings, build_engine
from bgai.search.lookahead import Lookahead
from bgai.search.rollout_run import RolloutSettings
from bgai.search.rollout_stats import Sureness

PLAIN = HouseRules(jacoby=False, beaver_turns=0)
LIKELY = (0.04, 0.96)  # winning chances outside say nothing about the cube
SAMPLED = 0.03  # share of the positions of self-play


def contact_positions(engine: Lookahead, rng: np.random.Generator) -> Iterator[Positions]:
    """Contact positions ``(2, 26)`` of self-play, endlessly."""
    games = np.repeat(starting_position()[None], 64, axis=0)
    while True:
        games = engine.choose(games, roll_dice(rng, len(games)))
        ended = is_over(games) | ~has_contact(games)
        games[ended] = starting_position()
        for position in games[rng.random(len(games)) < SAMPLED]:
            win = engine.evaluate_at(position[None], 1)[0, 0]
            if LIKELY[0] < win < LIKELY[1] and not np.array_equal(position, starting_position()):
                yield position


def free_cube_stakes(rng: np.random.Generator) -> Stakes:
    """A random score and cube at which the player on roll doubles at no risk."""
    while True:
        length = int(rng.integers(3, 12))
        mine, theirs = (int(points) for points in rng.integers(0, length, 2))
        value = int(2 ** rng.integers(0, 4))
        owner = CubeOwner.CENTRED if value == 1 else CubeOwner.ON_ROLL
        stakes = match_stakes(Cube(value, owner), MatchScore(length, mine, theirs), rules=PLAIN)
        if stakes.free_double[0] and stakes.after_take[0, 0] >= 0:
            return stakes


class WorthOfStates(CubefulTrials[Floats]):
    """A position rolled out with the cube in several states."""

    def result(self) -> Floats:
        """Mean chances and worth ``(states, 6)``."""
        return np.asarray(self.values.mean(axis=1))

    def sureness(self) -> Sureness:
        raise NotImplementedError("these run to the end")


def rolled_out(
    position: Positions, engine: Lookahead, stakes: Stakes, settings: RolloutSettings
) -> tuple[list[float], list[float]]:
    """Chances and the worth of every state that costs no more than the present cube."""
    states = range(stakes.states if stakes.unlimited else 1)
    lines = np.stack([position] * len(states))
    search = CubefulLookahead(engine, stakes)
    result = WorthOfStates(lines, search, settings, states=states).run()
    return [round(float(x), 5) for x in result[0, :5]], [round(float(x), 5) for x in result[:, 5]]


def main() -> None:
    """Append what is missing to the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--trials", type=int, default=180)
    parser.add_argument("--truncate", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--network", help="default: the best released one")
    arguments = parser.parse_args()
    # Truncated games end in the worth that the present efficiency gives; 0 plays them out.
    settings = RolloutSettings(trials=arguments.trials, truncate=arguments.truncate or None)
    engine = build_engine(EngineSettings(network=arguments.network, plies=0))
    done = len(arguments.file.read_text().splitlines()) if arguments.file.exists() else 0
    rng = np.random.default_rng(arguments.seed)
    found = contact_positions(engine, rng)
    money = money_stakes(rules=PLAIN)
    for number in range(arguments.positions):
        position, free = next(found), free_cube_stakes(rng)
        if number < done:
            continue
        chances, worths = rolled_out(position, engine, money, settings)
        free_chances, free_worths = rolled_out(position, engine, free, settings)
        row: dict[str, Any] = {
            "id": format_position_id(position),
            "chances": chances,
            "owners": money.owner[0].tolist(),
            "worths": worths,
            "free": {
                "cube": [free.cube.value, int(free.cube.owner)],
                "score": [free.score.length, free.score.on_roll, free.score.opponent]
                if free.score
                else None,
                "chances": free_chances,
                "equity": free_worths[0],
            },
        }
        with arguments.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
