"""Networks packed for the kernels: the big layers in int16, so that nothing can overflow.

The first layer adds up one row of weights for each slot in use. With 15 checkers a side
its sums are bounded, and the bound of each hidden unit follows from the weights; so each
unit gets the finest scale at which its sums fit int16. The bounds of the units bound the
second layer's sums in the same way. Rounding moves equities by one or two ten-thousandths of a
point (``tests/evaluation/test_packing.py``).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bgai.evaluation.encoding import COLUMN_OF
from bgai.evaluation.input_slots import FIRST_SHOTS
from bgai.rules.position import CHECKERS

Floats = NDArray[np.float32]

Int16s = NDArray[np.int16]


class PackedNetwork(NamedTuple):
    """A ``PositionNetwork`` as the kernels take it.

    Hidden units and outputs are filled up with zeros to whole vectors.
    """

    w1: Int16s
    """``(COLUMNS + 1, hidden)`` in units of ``unit1``, a row for each slot and count."""
    bias1: Int16s
    unit1: Floats
    x_scale: Floats
    """``(1,)``: activations of the first layer times it are int16."""
    w2: Int16s
    """``(out, in)`` in units of ``unit2`` times ``x_scale``."""
    unit2: Floats
    float_w2: Floats
    """The same for CPUs without the multiply-add."""
    bias2: Floats
    w3: Floats
    bias3: Floats
    w4: Floats
    bias4: Floats


class PackedPruner(NamedTuple):
    """A ``Pruner`` as the kernels take it: one hidden layer with ReLU.

    Its output is the cubeless equity of the player on roll; with no hidden units it is off.
    """

    w1: Int16s
    bias1: Int16s
    w2: Int16s
    line: Floats
    """``(unit, bias)``: an output is the whole number times ``unit`` plus ``bias``."""


_LANES = 32  # hidden units are filled up to a multiple, for vectors of int16
_OUTPUTS = 4  # and the second layer's to a multiple of this, for whole tiles
_INT16 = 32_700.0  # less than 2^15: room for rounding
_INT32 = 2_100_000_000.0  # less than 2^31: room for rounding
_LEAST_SILU = 0.2785  # SiLU never goes below minus this


def pack(arrays: Sequence[Floats]) -> PackedNetwork:
    """Pack ``(w1, bias1, w2, bias2, w3, bias3, w4, bias4)``, float32, of a ``PositionNetwork``.

    ``w1 (COLUMNS + 1, hidden)`` has a last row of zeros, the others are ``(out, in)``.
    """
    w1, bias1, w2, bias2, w3, bias3, w4, bias4 = (np.asarray(a, dtype=np.float32) for a in arrays)
    w1 = _filled(w1, 1, _LANES)
    bias1 = _filled(bias1, 0, _LANES)
    w2 = _filled(_filled(w2, 1, _LANES), 0, _OUTPUTS)
    bias2 = _filled(bias2, 0, _OUTPUTS)
    w3 = _filled(w3, 1, _OUTPUTS)

    unit1, high = _first_layer_units(w1, bias1)
    largest = np.maximum(high, _LEAST_SILU)  # of each hidden unit after SiLU
    x_scale = np.float32(_INT16 / largest.max())

    sums = (np.abs(w2) * largest).sum(axis=1) * x_scale
    unit2 = np.maximum(sums / _INT32, np.abs(w2).max(axis=1) / _INT16)
    unit2 = np.maximum(unit2, 1e-12)
    return PackedNetwork(
        _rounded(w1 / unit1),
        _rounded(bias1 / unit1),
        unit1.astype(np.float32),
        np.array([x_scale], dtype=np.float32),
        _rounded(w2 / unit2[:, None]),
        (unit2 / x_scale).astype(np.float32),
        np.ascontiguousarray(w2),
        np.ascontiguousarray(bias2),
        *(np.ascontiguousarray(a) for a in (w3, bias3, w4, bias4)),
    )


def pack_pruner(arrays: Sequence[Floats]) -> PackedPruner:
    """Pack ``(w1, bias1, w2, bias2)``, float32, of a ``Pruner``.

    ``w1 (COLUMNS + 1, hidden)``, ``w2 (hidden,)``, ``bias2 (1,)``.
    """
    w1, bias1, w2, bias2 = (np.asarray(a, dtype=np.float32) for a in arrays)
    w1 = _filled(w1, 1, _LANES).copy()
    w1[COLUMN_OF[FIRST_SHOTS:, 1:]] = 0  # it sees the checkers alone
    bias1 = _filled(bias1, 0, _LANES)
    w2 = _filled(w2, 0, _LANES)
    unit1, high = _first_layer_units(w1, bias1)
    unit = max(
        float((np.abs(w2) * np.maximum(high, 0)).sum()) / _INT32,
        float((np.abs(w2) * unit1).max(initial=0)) / _INT16,
        1e-12,
    )
    return PackedPruner(
        _rounded(w1 / unit1),
        _rounded(bias1 / unit1),
        _rounded(w2 * unit1 / unit),
        np.array([unit, bias2[0]], dtype=np.float32),
    )


def _first_layer_units(w1: Floats, bias1: Floats) -> tuple[Floats, Floats]:
    """The finest scale ``(hidden,)`` at which a unit's sums fit int16, and their upper bound."""
    low, high = sum_bounds(w1)
    low, high = low + bias1, high + bias1
    # Every single weight must fit as well: wrapped sums come out right, wrapped weights don't.
    most = np.maximum.reduce([np.abs(low), np.abs(high), np.abs(w1).max(axis=0), np.abs(bias1)])
    return np.maximum(most, 1e-6) / _INT16, high


def sum_bounds(w1: Floats) -> tuple[Floats, Floats]:
    """Bounds below and above, ``(hidden,)`` each, of the sums of weights of any position.

    A side's 15 checkers occupy at most 15 slots, each with its least or greatest weight; each
    slot of shots and escapes adds one weight more.
    """
    rolls = w1[COLUMN_OF[FIRST_SHOTS:]]  # (slots, 16 counts, hidden)
    low, high = -_largest_sum(-rolls), _largest_sum(rolls)
    for side in (0, 1):
        table = w1[COLUMN_OF[26 * side : 26 * side + 26]]  # (26 slots, 16 counts, hidden)
        low = low - _largest_sum(-table, CHECKERS)
        high = high + _largest_sum(table, CHECKERS)
    return low, high


def _largest_sum(table: Floats, slots: int | None = None) -> Floats:
    """The largest sum of one weight each of ``slots`` slots, by default of all."""
    largest = np.sort(np.maximum(table.max(axis=1), 0), axis=0)
    used = largest if slots is None else largest[-slots:]
    return np.asarray(used.sum(axis=0), dtype=np.float32)


def _filled(array: Floats, axis: int, multiple: int) -> Floats:
    missing = -array.shape[axis] % multiple
    widths = [(0, missing if a == axis else 0) for a in range(array.ndim)]
    return np.ascontiguousarray(np.pad(array, widths))


def _rounded(array: NDArray[np.floating]) -> NDArray[np.int16]:
    return np.ascontiguousarray(np.rint(array).astype(np.int16))
