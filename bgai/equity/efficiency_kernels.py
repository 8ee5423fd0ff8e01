"""Compiled cube efficiency: features of a race or of contact into a small network.

A network is ``(w1, b1, w2, b2, w3, b3)``: float32 weights ``(outputs, inputs)`` and biases of
two hidden layers with SiLU and of the outputs, the efficiency of a cube centred, of the player on
roll and of the opponent; then, if there are six, the same where nobody can turn it again. For the
kernels the inputs are filled with zeros to a whole number of vectors (:data:`VECTOR`).
"""

import math
from typing import Any

import numpy as np

from bgai.compiled import compiled
from bgai.evaluation.bearoff import PIPS_PER_ROLL
from bgai.evaluation.bearoff_kernels import home_rank
from bgai.evaluation.composite_kernels import CONTACT, OVER
from bgai.evaluation.contact_kernels import contact_inputs
from bgai.evaluation.network_kernels import BLOCK, activate, dense

LOG_MEAN, DEVIATION, OFF_IN_1, OFF_IN_2, OFF_IN_3, MEAN = range(6)
"""Columns of a side's features: rolls it needs (log of their mean, standard deviation), chances
to be off in that many rolls, mean again."""
SIDE_FEATURES = 6
RACE_INPUTS = 21
RUNNER_PIPS = 8.21
"""Pips by which 49/6 a roll exceed the row of a runner: 4.71, its last roll's waste, and the
``WASTE`` of ``efficiency`` less the half that rounds."""
LONG_RACES = 256
"""Pips up to which the features of sides that are not home are tabled."""
VECTOR = 16
KINDS = 6
SURE = 1 - 1e-6
LEAST, MOST = -1.0, 2.0
"""Bounds of efficiency; outside them live and dead worth are all but the same."""
_CORNERS = (0.2, 0.35, 0.5, 0.65, 0.8)  # the live cube's cash points, and between them


@compiled()
def side_row(side: Any) -> int:
    """Row of a side ``(26,)`` in the features of all sides; see ``efficiency.side_features``."""
    rank = home_rank(side, 15)
    if rank >= 0:
        return rank + LONG_RACES
    pips: Any = np.int64(0)
    for slot in range(1, 26):
        pips += slot * np.int64(side[slot])
    return min(pips, LONG_RACES - 1)


@compiled()
def matched_row(known: Any, guessed: Any, known_wins: float, known_rolls: bool) -> int:
    """Row of a side that is not home, by what the winning chance says about it.

    Its pips alone say too little where it has a stack at home, and numbers that contradict the
    chance lead the network astray. So it is taken for the runner that gives the other side
    (features ``known``) its chance ``known_wins``; ``guessed`` are its features by pips, and
    ``known_rolls`` says that the other side is on roll. Rolls are taken to be normal.
    """
    win = min(max(known_wins, 0.01), 0.99)
    spread = math.sqrt(known[DEVIATION] ** 2 + guessed[DEVIATION] ** 2)
    ahead = math.log(win / (1 - win)) / 1.702 * spread  # the logistic curve nearest the normal
    mean = known[MEAN] + ahead + (-0.5 if known_rolls else 0.5)
    return int(min(max(mean * PIPS_PER_ROLL - RUNNER_PIPS, 1.0), LONG_RACES - 1.0))


@compiled()
def race_rows(position: Any, win: float, features: Any) -> Any:
    """Rows of both sides' features ``(mine, theirs)`` in a race ``(2, 26)``."""
    mine, theirs = side_row(position[0]), side_row(position[1])
    if theirs < LONG_RACES:
        theirs = matched_row(features[mine], features[theirs], win, True)
    elif mine < LONG_RACES:
        mine = matched_row(features[theirs], features[mine], 1 - win, False)
    return mine, theirs


@compiled()
def race_inputs(mine: Any, theirs: Any, win: float, out: Any) -> None:
    """Inputs ``(RACE_INPUTS,)`` from the features of both sides, neither of them finished."""
    out[0] = win
    n = 1
    for corner in _CORNERS:
        out[n] = max(win - corner, 0.0)
        n += 1
    for k in range(OFF_IN_3 + 1):
        out[n + k] = mine[k]
        out[n + 5 + k] = theirs[k]
    n += 10
    out[n] = mine[MEAN] - theirs[MEAN]
    out[n + 1] = mine[OFF_IN_1] * theirs[OFF_IN_1]
    out[n + 2] = (1 - mine[OFF_IN_1]) * theirs[OFF_IN_1]
    out[n + 3] = (1 - mine[OFF_IN_2]) * (1 - theirs[OFF_IN_1])
    out[n + 4] = (1 - mine[OFF_IN_2]) * theirs[OFF_IN_2]


@compiled()
def all_race_inputs(mine: Any, theirs: Any, wins: Any, out: Any) -> None:
    """Inputs ``(n, RACE_INPUTS)`` of many pairs of features ``(n, SIDE_FEATURES)``."""
    for i in range(wins.shape[0]):
        race_inputs(mine[i], theirs[i], wins[i], out[i])


@compiled()
def block_room(network: Any) -> Any:
    """Scratch for a block of rows: inputs, both hidden layers, outputs; and whose rows."""
    return (
        np.zeros((BLOCK, network[0].shape[1]), dtype=np.float32),
        np.zeros((BLOCK, network[1].shape[0]), dtype=np.float32),
        np.zeros((BLOCK, network[3].shape[0]), dtype=np.float32),
        np.zeros((BLOCK, network[5].shape[0]), dtype=np.float32),
        np.empty(BLOCK, dtype=np.int64),
    )


@compiled()
def run_block(room: Any, count: int, network: Any, out: Any) -> None:
    """Outputs of the first ``count`` inputs of ``room`` into the rows of ``out`` it names."""
    inputs, first, second, outputs, rows = room
    w1, b1, w2, b2, w3, b3 = network
    padded = (count + 3) // 4 * 4  # whole tiles; the rows beyond are left from before
    dense(inputs, padded, w1, b1, first)
    activate(first, padded, b1.shape[0])
    dense(first, padded, w2, b2, second)
    activate(second, padded, b2.shape[0])
    dense(second, padded, w3, b3, outputs)
    for i in range(count):
        for column in range(KINDS):
            found = np.float64(outputs[i, column % b3.shape[0]])
            out[rows[i], column] = min(max(found, LEAST), MOST)


@compiled()
def efficiencies(positions: Any, kinds: Any, chances: Any, model: Any, out: Any) -> None:
    """Efficiencies ``(n, 6)`` of positions ``(n, 2, 26)`` of these classes; 0 where over.

    ``chances`` ``(n, 5)``, ``model`` as :meth:`bgai.equity.efficiency.CubeModel.arrays` gives.
    """
    race, features, contact, constants = model
    known = contact[0].shape[0] > 0
    race_room, contact_room = block_room(race), block_room(contact)
    rows = positions.reshape(positions.shape[0], 52)
    races = contacts = 0
    for i in range(positions.shape[0]):
        if kinds[i] == OVER:
            out[i] = 0.0
        elif kinds[i] != CONTACT:
            mine, theirs = race_rows(positions[i], chances[i, 0], features)
            if features[theirs][OFF_IN_1] >= SURE:
                out[i] = 0.0  # the last roll of the game: no cube is turned after it
                continue
            race_inputs(features[mine], features[theirs], chances[i, 0], race_room[0][races])
            race_room[4][races] = i
            races += 1
        elif known:
            contact_inputs(rows[i], chances[i], contact_room[0][contacts])
            contact_room[4][contacts] = i
            contacts += 1
        else:
            out[i] = constants
        if races == BLOCK:
            run_block(race_room, races, race, out)
            races = 0
        if contacts == BLOCK:
            run_block(contact_room, contacts, contact, out)
            contacts = 0
    if races:
        run_block(race_room, races, race, out)
    if contacts:
        run_block(contact_room, contacts, contact, out)
