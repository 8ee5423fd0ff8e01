"""Compiled games of Ship-Captain, many at once."""

import numpy as np
from numpy.typing import NDArray

from bgai.compiled import compiled
from bgai.dicegames.random_kernels import draw

STOP, BOTH, LOWER, HIGHER = range(4)
RANDOM = -1


@compiled()
def play_games(
    seeds: NDArray[np.uint64], policies: NDArray[np.int8], streams: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The winning place of each game.

    ``policies`` is ``(places, 14, places + 1, 3, 7, 7)``: what is rolled again by place, best
    score so far + 1, holder + 1, rolls left, lower and higher crew die; ``RANDOM`` in it
    draws between stopping and rolling both. ``streams`` names the dice of each place.
    """
    places = len(policies)
    winners = np.zeros(len(seeds), np.int64)
    drawn = np.zeros(places, np.int64)
    for game in range(len(seeds)):
        drawn[:] = 0
        leader = -1
        while leader < 0:
            best = -1
            for place in range(places):
                policy = policies[place, best + 1, leader + 1]
                score = _play_turn(seeds[game], streams[place], drawn, place, policy)
                if score > best:
                    best, leader = score, place
                elif score == best:
                    leader = -1
        winners[game] = leader
    return winners


@compiled()
def _play_turn(
    seed: np.uint64,
    stream: int,
    drawn: NDArray[np.int64],
    place: int,
    policy: NDArray[np.int8],
) -> int:
    """The score of one turn."""
    found = 0
    low = high = 0
    again = BOTH
    for left in range(2, -1, -1):
        if found < 3:
            faces = np.zeros(7, np.int64)
            for _ in range(5 - found):
                faces[draw(seed, stream, drawn[place], 6) + 1] += 1
                drawn[place] += 1
            while found < 3 and faces[6 - found] > 0:
                faces[6 - found] -= 1
                found += 1
            if found < 3:
                continue
            low = high = 0
            for face in range(1, 7):
                for _ in range(faces[face]):
                    low, high = high, face
        else:
            if again != HIGHER:
                low = draw(seed, stream, drawn[place], 6) + 1
                drawn[place] += 1
            if again != LOWER:
                high = draw(seed, stream, drawn[place], 6) + 1
                drawn[place] += 1
            if low > high:
                low, high = high, low
        again = policy[left, low, high]
        if again == RANDOM:
            again = draw(seed, stream + 1000, drawn[place], 2)
        if again == STOP:
            break
    return low + high if found == 3 else 0
