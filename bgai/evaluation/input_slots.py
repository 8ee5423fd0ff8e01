"""The slots of a row of network inputs, which the encoding and the kernels share."""

from bgai.rules.position import SLOTS

ZONES = 3
"""Home, outfields and the opponent's home, in which shots are counted apart."""
ROLLS_A_COLUMN = 3
INPUT_SLOTS = 60
FIRST_SHOTS = 2 * SLOTS
"""First slot of the shots: ``ZONES`` of the player on roll, then as many of the opponent."""
