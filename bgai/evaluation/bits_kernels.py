"""Points of a side as bits of a whole number, read off a position by vector compares.

Bit p is slot p of a side (0 off, 1-24 the points, 25 the bar). Numba finds no vector form of
this by itself, so it is written in LLVM's language, which has one on every CPU.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_I8, _I32, _I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_WIDE = ir.VectorType(_I8, 32)

_SIDE = 26  # slots of a side
_BEFORE = 2 * _SIDE - 32  # the second side is read from here, so as not to read past the row


def _is_row(array: Any) -> bool:
    return (
        isinstance(array, types.Array)
        and array.ndim == 1
        and array.layout == "C"
        and array.dtype == types.int8
    )


@intrinsic
def more_than(_context: Any, row: Any, side: Any, count: Any) -> Any:
    """Slots of ``side`` of ``row (52,)`` with more than ``count`` checkers, as bits (int64)."""
    if not _is_row(row):
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        second = builder.icmp_signed("!=", arguments[1], ir.Constant(_I64, 0))
        start = builder.select(second, ir.Constant(_I64, _BEFORE), ir.Constant(_I64, 0))
        pointer = builder.bitcast(builder.gep(data, [start]), ir.PointerType(_WIDE))
        counts = builder.load(pointer, align=1)
        least = ir.Constant(_WIDE, ir.Undefined)
        value = builder.trunc(arguments[2], _I8)
        for lane in range(32):
            least = builder.insert_element(least, value, ir.Constant(_I32, lane))
        mask = builder.icmp_signed(">", counts, least)
        bits = builder.zext(builder.bitcast(mask, _I32), _I64)
        shift = builder.select(second, ir.Constant(_I64, _SIDE - _BEFORE), ir.Constant(_I64, 0))
        return builder.and_(builder.lshr(bits, shift), ir.Constant(_I64, (1 << _SIDE) - 1))

    return types.int64(row, types.int64, types.int64), codegen


@intrinsic
def mirrored(_context: Any, bits: Any) -> Any:
    """The same points in the numbering of the other side: bit p becomes bit 25 - p."""

    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        low = builder.trunc(arguments[0], _I32)
        reverse = builder.module.declare_intrinsic(
            "llvm.bitreverse.i32", (), ir.FunctionType(_I32, [_I32])
        )
        turned = builder.zext(builder.call(reverse, [low]), _I64)
        return builder.lshr(turned, ir.Constant(_I64, 32 - _SIDE))

    return types.int64(types.int64), codegen
