"""Products of int16 matrices by the CPU's multiply-add of int16 pairs (x86 with AVX2).

That instruction does twice the multiplications of a float32 one on half the memory. Numba
does not find it by itself, so a tile of the product is written in LLVM's language, twice as wide
with AVX-512. Where the CPU lacks it, ``AVAILABLE`` is False and the networks use float32.
"""

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from bgai.compiled import compiled

_FEATURES = binding.get_host_cpu_features()
AVAILABLE = bool(_FEATURES.get("avx2", False))
_WIDE = AVAILABLE and bool(_FEATURES.get("avx512bw", False))

LANES = 32 if _WIDE else 16
"""Numbers multiplied at once: the common width of the matrices must be a multiple."""

# A tile: its sums and operands fit the 32 or 16 vector registers.
ROWS, OUTPUTS = (4, 4) if _WIDE else (4, 2)
_MULTIPLY_ADD = "llvm.x86.avx512.pmaddw.d.512" if _WIDE else "llvm.x86.avx2.pmadd.wd"

_I16, _I32, _I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)
_PAIRS = ir.VectorType(_I16, LANES)
_SUMS = ir.VectorType(_I32, LANES // 2)


def _totals(builder: Any, four: list[Any]) -> list[Any]:
    """The totals of four vectors of sums: added up side by side, not one by one."""

    def mixed(first: Any, second: Any, order: list[int]) -> Any:
        """Four numbers of each 128 bits: 0-3 are those of ``first``, 4-7 of ``second``."""
        lanes = [
            start + (pick if pick < 4 else LANES // 2 + pick - 4)
            for start in range(0, LANES // 2, 4)
            for pick in order
        ]
        mask = ir.Constant(ir.VectorType(_I32, len(lanes)), lanes)
        return builder.shuffle_vector(first, second, mask)

    def folded(first: Any, second: Any, low: list[int], high: list[int]) -> Any:
        return builder.add(mixed(first, second, low), mixed(first, second, high))

    pairs = [folded(four[i], four[i + 1], [0, 4, 1, 5], [2, 6, 3, 7]) for i in (0, 2)]
    total = folded(pairs[0], pairs[1], [0, 1, 4, 5], [2, 3, 6, 7])
    width = LANES // 2
    while width > 4:
        width //= 2
        halves = [
            ir.Constant(ir.VectorType(_I32, width), list(range(start, start + width)))
            for start in (0, width)
        ]
        low, high = (builder.shuffle_vector(total, total, half) for half in halves)
        total = builder.add(low, high)
    return [builder.extract_element(total, ir.Constant(_I32, i)) for i in range(4)]


@intrinsic
def _tile(_context: Any, x: Any, first: Any, w: Any, output: Any, width: Any) -> Any:
    """Sums of products of rows ``first``... of ``x`` and ``output``... of ``w``, as int32."""
    result = types.UniTuple(types.int32, ROWS * OUTPUTS)  # type: ignore[no-untyped-call]

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        x_data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        w_data = context.make_array(signature.args[2])(context, builder, arguments[2]).data
        _, first, _, output, width = arguments

        def row(data: Any, start: Any, k: int) -> Any:
            number = builder.add(start, ir.Constant(_I64, k))
            return builder.gep(data, [builder.mul(number, width)])

        def load(data: Any, at: Any) -> Any:
            pointer = builder.bitcast(builder.gep(data, [at]), ir.PointerType(_PAIRS))
            return builder.load(pointer, align=2)

        module = builder.module
        multiply_add = module.declare_intrinsic(
            _MULTIPLY_ADD, (), ir.FunctionType(_SUMS, [_PAIRS, _PAIRS])
        )
        x_rows = [row(x_data, first, k) for k in range(ROWS)]
        w_rows = [row(w_data, output, k) for k in range(OUTPUTS)]
        zero = ir.Constant(_SUMS, [0] * (LANES // 2))
        sums = [
            cgutils.alloca_once_value(builder, zero)  # type: ignore[no-untyped-call]
            for _ in range(ROWS * OUTPUTS)
        ]
        start, step = ir.Constant(_I64, 0), ir.Constant(_I64, LANES)
        with cgutils.for_range_slice(builder, start, width, step, inc=True) as (at, _):
            weights = [load(data, at) for data in w_rows]
            for r, data in enumerate(x_rows):
                values = load(data, at)
                for o, weight in enumerate(weights):
                    place = sums[r * OUTPUTS + o]
                    product = builder.call(multiply_add, [values, weight])
                    builder.store(builder.add(builder.load(place), product), place)
        totals: list[Any] = []
        for four in range(0, len(sums), 4):
            totals += _totals(builder, [builder.load(place) for place in sums[four : four + 4]])
        return context.make_tuple(builder, signature.return_type, totals)

    return result(x, types.intp, w, types.intp, types.intp), codegen


@compiled(fastmath=True, error_model="numpy")
def dense(inputs: Any, count: int, weights: Any, scales: Any, bias: Any, outputs: Any) -> None:
    """outputs = inputs @ weights.T * scales + bias for ``count`` rows, a multiple of ``ROWS``.

    ``inputs`` and ``weights`` are int16, C-contiguous, their width a multiple of ``LANES``;
    the number of outputs is a multiple of ``OUTPUTS``. Sums must fit int32.
    """
    n_out, width = weights.shape
    for o in range(0, n_out, OUTPUTS):
        for r in range(0, count, ROWS):
            sums: Any = _tile(inputs, r, weights, o, width)  # type: ignore[call-arg]
            for k in range(ROWS):
                for j in range(OUTPUTS):
                    total = np.float32(sums[OUTPUTS * k + j])
                    outputs[r + k, o + j] = total * scales[o + j] + bias[o + j]
