"""The slots of a row of network inputs, which the encoding and the kernels share."""

from bgai.rules.position import SLOTS

ZONES = 3
"""Home, outfields and the opponent's home, in which shots are counted apart."""
ROLLS_A_COLUMN = 3
ESCAPES = 4
"""Counts of escapes of each side."""
INPUT_SLOTS = 68
FIRST_SHOTS = 2 * SLOTS
"""First slot of the shots: ``ZONES`` of the player on roll, then as many of the opponent."""
FIRST_ESCAPES = FIRST_SHOTS + 2 * ZONES
"""First slot of the escapes: ``ESCAPES`` of the player on roll, then as many of the opponent."""
