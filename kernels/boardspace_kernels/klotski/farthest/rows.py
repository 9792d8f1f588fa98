"""Sets of up to 512 sources as rows of 512 bits, which compiled code keeps in vector registers.

A search from many sources at once keeps for every vertex the set of sources that have reached it. The sets live in one
flat uint64 array, ``WORDS`` words a vertex; loaded, a set is a value of the numba type :class:`Row`, one LLVM vector of
eight 64-bit lanes. numba would treat the eight words one by one (it compiles without LLVM's pass that packs straight
code into vectors), which takes three times as long. LLVM splits a row into whatever registers the processor has: two of
256 bits, four of 128 or one of 512.

The functions here are for compiled code only.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

WORDS = 8
SOURCES = 64 * WORDS
_ROW_SHIFT = 3
_CACHE_LINE = 64


class Row(types.Type):
    """The numba type of a set of sources."""

    def __init__(self) -> None:
        super().__init__(name="Row")


_ROW = Row()
_LANES = ir.VectorType(ir.IntType(64), WORDS)


@register_model(Row)
class _RowModel(models.PrimitiveModel):
    def __init__(self, manager: Any, row: Row) -> None:
        super().__init__(manager, row, _LANES)


def empty_rows(count: int) -> npt.NDArray[np.uint64]:
    """``count`` rows of no source, uint64 (WORDS * count), each in one cache line."""
    size = 8 * WORDS * count
    memory = np.zeros(size + _CACHE_LINE, dtype=np.uint8)
    start = -memory.ctypes.data % _CACHE_LINE
    return memory[start : start + size].view(np.uint64)


def _address(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    word = builder.shl(row, ir.Constant(row.type, _ROW_SHIFT))
    return builder.bitcast(builder.gep(data, [word]), _LANES.as_pointer())


@intrinsic
def load(typing_context: Any, rows: Any, index: Any) -> Any:
    """Row number ``index`` (uint64) of the array ``rows``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Build the code for it, by numba's interface of intrinsics."""
        row = builder.load(_address(context, builder, signature.args[0], *arguments))
        row.align = 8
        return row

    return _ROW(rows, types.uint64), generate


@intrinsic
def store(typing_context: Any, rows: Any, index: Any, row: Any) -> Any:
    """Make ``row`` row number ``index`` (uint64) of the array ``rows``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Build the code for it, by numba's interface of intrinsics."""
        address = _address(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], address).align = 8
        return context.get_dummy_value()

    return types.void(rows, types.uint64, _ROW), generate


@intrinsic
def union(typing_context: Any, row: Any, other: Any) -> Any:
    """Sources in either row."""
    return _ROW(_ROW, _ROW), lambda context, builder, signature, rows: builder.or_(*rows)


@intrinsic
def common(typing_context: Any, row: Any, other: Any) -> Any:
    """Sources in both rows."""
    return _ROW(_ROW, _ROW), lambda context, builder, signature, rows: builder.and_(*rows)


@intrinsic
def minus(typing_context: Any, row: Any, other: Any) -> Any:
    """Sources in ``row`` but not in ``other``."""
    return _ROW(_ROW, _ROW), lambda context, builder, signature, rows: builder.and_(rows[0], builder.not_(rows[1]))


@intrinsic
def equal(typing_context: Any, row: Any, other: Any) -> Any:
    """Return whether two rows hold the same sources."""

    def generate(context: Any, builder: Any, signature: Any, rows: Any) -> Any:
        """Build the code for it, by numba's interface of intrinsics."""
        differs = builder.bitcast(builder.icmp_unsigned("!=", *rows), ir.IntType(WORDS))
        return builder.icmp_unsigned("==", differs, ir.Constant(differs.type, 0))

    return types.boolean(_ROW, _ROW), generate


@intrinsic
def size(typing_context: Any, row: Any) -> Any:
    """Number of sources of a row, uint64."""

    def generate(context: Any, builder: Any, signature: Any, rows: Any) -> Any:
        """Build the code for it, by numba's interface of intrinsics."""
        count_type = ir.FunctionType(_LANES, [_LANES])
        count = cgutils.get_or_insert_function(builder.module, count_type, f"llvm.ctpop.v{WORDS}i64")
        add_type = ir.FunctionType(ir.IntType(64), [_LANES])
        add = cgutils.get_or_insert_function(builder.module, add_type, f"llvm.vector.reduce.add.v{WORDS}i64")
        return builder.call(add, [builder.call(count, rows)])

    return types.uint64(_ROW), generate
