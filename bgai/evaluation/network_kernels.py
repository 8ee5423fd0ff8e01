"""Compiled networks: sparse first layer, dense rest, SiLU between, five sigmoid outputs.

A network is a ``packing.PackedNetwork``. Rows are positions of 52 ``int8``
with the player on roll first. A row like the one before it, as plays of one roll are, costs
only the difference in the first layer; its sums are whole numbers, so the order of the rows
changes no result. Everything is single-threaded and releases the GIL; callers use threads.
"""

import math

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from bgai.compiled import compiled
from bgai.evaluation import int16_kernels
from bgai.evaluation.encoding import COLUMN_OF
from bgai.evaluation.input_kernels import fill_inputs
from bgai.evaluation.input_slots import INPUT_SLOTS

SLOTS = 52
BLOCK = 16  # rows evaluated together: their activations and a weight tile stay in L1
_MANY_CHANGES = 8  # slots, from which on adding a row up anew is cheaper


@intrinsic
def _float_of_bits(_context, bits):
    def codegen(_ctx, builder, _signature, arguments):
        return builder.bitcast(arguments[0], ir.FloatType())

    return types.float32(types.int32), codegen


def _exp2_coefficients():
    """Polynomial of degree 6 for 2^x on [-0.5, 0.5], error about 1e-7, fitted here."""
    nodes = 0.5 * np.cos(np.pi * (np.arange(200) + 0.5) / 200)
    return tuple(
        np.float32(c) for c in np.polynomial.Polynomial.fit(nodes, 2**nodes, 6).convert().coef
    )


_C0, _C1, _C2, _C3, _C4, _C5, _C6 = _exp2_coefficients()
_LOG2_E = np.float32(math.log2(math.e))
_ONE = np.float32(1)
_SHIFT = np.float32(128.5)
_LIMIT = np.float32(120.0)
_COLUMN_OF = COLUMN_OF.astype(np.int32)


@compiled(fastmath=True, error_model="numpy", inline="always")
def sigmoid(x):
    """1 / (1 + e^-x) in float32 by a polynomial, so that loops over it vectorise."""
    t = -x * _LOG2_E
    t = min(max(t, -_LIMIT), _LIMIT)
    # Adding a positive whole number first makes truncation round to the nearest.
    whole = np.int32(np.int32(t + _SHIFT) - np.int32(128))
    f = t - np.float32(whole)
    p = _C0 + f * (_C1 + f * (_C2 + f * (_C3 + f * (_C4 + f * (_C5 + f * _C6)))))
    scale = _float_of_bits(np.int32((whole + np.int32(127)) << np.int32(23)))
    return _ONE / (_ONE + p * scale)


@compiled()
def _changes(inputs, words, i, new, old):
    """Columns switched on and off from row ``i - 1`` to row ``i``; returns how many pairs.

    ``words`` are the same rows four slots at a time: most are as before and skipped.
    """
    count = 0
    for word in range(INPUT_SLOTS // 4):
        if words[i, word] == words[i - 1, word]:
            continue
        for slot in range(4 * word, 4 * word + 4):
            if inputs[i, slot] != inputs[i - 1, slot]:
                new[count] = _COLUMN_OF[slot, inputs[i, slot]]
                old[count] = _COLUMN_OF[slot, inputs[i - 1, slot]]
                count += 1
    return count


@compiled(fastmath=True, error_model="numpy")
def _first_layer(inputs, count, first, network, sums, hidden):
    """Hidden activations of ``inputs[1 : count + 1]``.

    ``inputs[0]`` is the row before them, ``sums`` its sums; with ``first`` there is none.
    """
    w1 = network.w1
    bias = network.bias1
    unit = network.unit1
    width = bias.shape[0]
    words = inputs.view(np.int32)
    new = np.empty(INPUT_SLOTS, dtype=np.int64)
    old = np.empty(INPUT_SLOTS, dtype=np.int64)
    for r in range(count):
        i = r + 1
        changes = _MANY_CHANGES if first and r == 0 else _changes(inputs, words, i, new, old)
        if changes < _MANY_CHANGES:
            for c in range(changes):
                on = new[c]
                off = old[c]
                for j in range(width):
                    sums[j] += w1[on, j] - w1[off, j]
        else:
            for j in range(width):
                sums[j] = bias[j]
            for slot in range(INPUT_SLOTS):
                if inputs[i, slot] > 0:
                    on = _COLUMN_OF[slot, inputs[i, slot]]
                    for j in range(width):
                        sums[j] += w1[on, j]
        for j in range(width):
            x = np.float32(sums[j]) * unit[j]
            hidden[r, j] = x * sigmoid(x)


@compiled(fastmath=True, error_model="numpy")
def _quantize(values, count, scale, out):
    """Nearest whole numbers of ``values * scale``, which fit int16."""
    for r in range(count):
        v = values[r]
        o = out[r]
        for j in range(v.shape[0]):
            o[j] = np.int16(np.int32(v[j] * scale + np.float32(32768.5)) - np.int32(32768))


@compiled(fastmath=True, error_model="numpy")
def dense(inputs, count, weights, bias, outputs):
    """outputs = inputs @ weights.T + bias for ``count`` rows, in tiles of 4 rows x 3 outputs."""
    n_out, n_in = weights.shape
    zero = np.float32(0)
    for o in range(0, n_out - 2, 3):
        w0 = weights[o]
        w1 = weights[o + 1]
        w2 = weights[o + 2]
        for r in range(0, count, 4):
            x0 = inputs[r]
            x1 = inputs[r + 1]
            x2 = inputs[r + 2]
            x3 = inputs[r + 3]
            a00 = a01 = a02 = a10 = a11 = a12 = zero
            a20 = a21 = a22 = a30 = a31 = a32 = zero
            for k in range(n_in):
                a00 += x0[k] * w0[k]
                a01 += x0[k] * w1[k]
                a02 += x0[k] * w2[k]
                a10 += x1[k] * w0[k]
                a11 += x1[k] * w1[k]
                a12 += x1[k] * w2[k]
                a20 += x2[k] * w0[k]
                a21 += x2[k] * w1[k]
                a22 += x2[k] * w2[k]
                a30 += x3[k] * w0[k]
                a31 += x3[k] * w1[k]
                a32 += x3[k] * w2[k]
            outputs[r, o] = a00 + bias[o]
            outputs[r, o + 1] = a01 + bias[o + 1]
            outputs[r, o + 2] = a02 + bias[o + 2]
            outputs[r + 1, o] = a10 + bias[o]
            outputs[r + 1, o + 1] = a11 + bias[o + 1]
            outputs[r + 1, o + 2] = a12 + bias[o + 2]
            outputs[r + 2, o] = a20 + bias[o]
            outputs[r + 2, o + 1] = a21 + bias[o + 1]
            outputs[r + 2, o + 2] = a22 + bias[o + 2]
            outputs[r + 3, o] = a30 + bias[o]
            outputs[r + 3, o + 1] = a31 + bias[o + 1]
            outputs[r + 3, o + 2] = a32 + bias[o + 2]
    for o in range(n_out - n_out % 3, n_out):
        w = weights[o]
        for r in range(count):
            x = inputs[r]
            a = zero
            for k in range(n_in):
                a += x[k] * w[k]
            outputs[r, o] = a + bias[o]


@compiled(fastmath=True, error_model="numpy")
def activate(values, count, width):
    for r in range(count):
        v = values[r]
        for j in range(width):
            v[j] *= sigmoid(v[j])


@compiled(fastmath=True, error_model="numpy")
def evaluate_rows(rows, count, network, out):
    """Chances ``out[:count] (., 5)`` of the first ``count`` rows, made consistent.

    Consistent: a backgammon is a gammon, a gammon a win (or a loss).
    """
    width1 = network.bias1.shape[0]
    width2 = network.bias2.shape[0]
    width3 = network.bias3.shape[0]
    inputs = np.zeros((BLOCK + 1, INPUT_SLOTS), dtype=np.int8)
    sums = np.zeros(width1, dtype=np.int16)
    x1 = np.zeros((BLOCK, width1), dtype=np.int16)
    h1 = np.zeros((BLOCK, width1), dtype=np.float32)
    h2 = np.zeros((BLOCK, width2), dtype=np.float32)
    h3 = np.zeros((BLOCK, width3), dtype=np.float32)
    y = np.zeros((BLOCK, 5), dtype=np.float32)
    for start in range(0, count, BLOCK):
        n = min(BLOCK, count - start)
        inputs[0] = inputs[BLOCK]
        fill_inputs(rows, start, n, inputs, 1)
        _first_layer(inputs, n, start == 0, network, sums, h1)
        padded = (n + 3) // 4 * 4  # whole tiles; the rows beyond n are left from before
        if int16_kernels.AVAILABLE:
            _quantize(h1, padded, network.x_scale[0], x1)
            int16_kernels.dense(x1, padded, network.w2, network.unit2, network.bias2, h2)
        else:
            dense(h1, padded, network.float_w2, network.bias2, h2)
        activate(h2, padded, width2)
        dense(h2, padded, network.w3, network.bias3, h3)
        activate(h3, padded, width3)
        dense(h3, padded, network.w4, network.bias4, y)
        for r in range(n):
            win = sigmoid(y[r, 0])
            win_gammon = min(sigmoid(y[r, 1]), win)
            lose_gammon = min(sigmoid(y[r, 3]), _ONE - win)
            out[start + r, 0] = win
            out[start + r, 1] = win_gammon
            out[start + r, 2] = min(sigmoid(y[r, 2]), win_gammon)
            out[start + r, 3] = lose_gammon
            out[start + r, 4] = min(sigmoid(y[r, 4]), lose_gammon)
