"""Products of int16 matrices by the CPU's multiply-add of int16 pairs (x86 with AVX2).

That instruction does twice the multiplications of a float32 one on half the memory. Numba
does not find it by itself, so a tile of the product is written in LLVM's language. Where the
CPU lacks it, ``AVAILABLE`` is False and the networks use float32.
"""

from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from bgai.compiled import compiled

AVAILABLE = bool(binding.get_host_cpu_features().get("avx2", False))
LANES = 16
"""Numbers multiplied at once: the common width of the matrices must be a multiple."""

ROWS, OUTPUTS = 4, 2  # a tile: its sums and operands fit the 16 vector registers

_I16, _I32, _I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)
_PAIRS = ir.VectorType(_I16, LANES)
_SUMS = ir.VectorType(_I32, LANES // 2)


@intrinsic
def _tile(_context: Any, x: Any, first: Any, w: Any, output: Any, width: Any) -> Any:
    """Sums of products of rows ``first``... of ``x`` and ``output``... of ``w``, as 8 int32."""
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
            "llvm.x86.avx2.pmadd.wd", (), ir.FunctionType(_SUMS, [_PAIRS, _PAIRS])
        )
        total = module.declare_intrinsic(
            f"llvm.vector.reduce.add.v{LANES // 2}i32", (), ir.FunctionType(_I32, [_SUMS])
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
        totals = [builder.call(total, [builder.load(place)]) for place in sums]
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
                outputs[r + k, o] = sums[2 * k] * scales[o] + bias[o]
                outputs[r + k, o + 1] = sums[2 * k + 1] * scales[o + 1] + bias[o + 1]
