"""A digest of rows that does not depend on their order, nor on how they were cut into shards.

Each row becomes one 64-bit number per lane: a fixed odd multiplier per column times the column's value, summed and
then mixed (the finaliser of splitmix64). The digest is the sum of these numbers modulo 2^64 in two lanes, so digests
of shards add up to the digest of the table. It tells equal data from data that differ by accident; against an
adversary there is the SHA-256 of every file.
"""

import functools
import hashlib
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

LANES = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)
MASK = (1 << 64) - 1
MIXES = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))
LAST_SHIFT = np.uint64(31)
SLICE = 1 << 14
"""Rows of a slice: all their columns are to stay in the cache of a core."""
Words = npt.NDArray[np.uint64]
Slices = Callable[[int, int], Words]
"""One uint64 a row, of the rows from the one to before the other."""


def rows_digest(table: pa.Table, folders: Mapping[str, Any] = MappingProxyType({})) -> str:
    """The digest of a table's rows, as 32 hexadecimal digits.

    ``folders`` are columns of one value each that stand in the names of folders: the digest is that of the rows with
    these columns in them.
    """
    columns = {name: _words(table.column(name)) for name in table.column_names}
    return _digest(columns | {name: _constant(value) for name, value in folders.items()}, table.num_rows)


def block_digest(values: npt.NDArray[Any], start: tuple[int, ...], shape: tuple[int, ...]) -> str:
    """The digest of a block of an array at ``start``: of its (flat index, value) pairs."""

    width = values.shape[-1]

    def where(begin: int, end: int) -> Words:
        """Row by row along the last axis: an index is taken apart once a row and not once a cell."""
        first, last = begin // width, -(-end // width)
        before = _flat(np.arange(first, last), values.shape[:-1], start[:-1], shape[:-1]) * shape[-1] + start[-1]
        if last == first + 1:
            offset = int(before[0]) - first * width
            return np.arange(begin + offset, end + offset, dtype=np.uint64)
        cells = (before[:, None] + np.arange(width)).reshape(-1)
        return cells[begin - first * width : end - first * width].astype(np.uint64)

    return _digest({"index": where, "value": _numeric(np.ascontiguousarray(values).reshape(-1))}, values.size)


def _flat(
    rows: npt.NDArray[np.int64], block: tuple[int, ...], start: tuple[int, ...], shape: tuple[int, ...]
) -> npt.NDArray[np.int64]:
    """The flat indices in ``shape`` of places of a block at ``start``, given by their flat indices in the block."""
    if len(block) < 2:
        return rows + start[0] if block else rows
    places = (axis + low for axis, low in zip(np.unravel_index(rows, block), start, strict=True))
    return np.asarray(np.ravel_multi_index(tuple(places), shape))


def add(digests: Iterable[str]) -> str:
    """The digest of several disjoint parts together."""
    sums = [0] * len(LANES)
    for digest in digests:
        for lane in range(len(LANES)):
            sums[lane] += int(digest[16 * lane : 16 * lane + 16], 16)
    return "".join(f"{value & MASK:016x}" for value in sums)


def _digest(columns: Mapping[str, Slices], rows: int) -> str:
    """Slice by slice, so that what is converted and added up stays in the cache; all lanes at once, as many calls of
    NumPy take longer than their work."""
    sums = np.zeros(len(LANES), np.uint64)
    for begin in range(0, rows, SLICE):
        end = min(begin + SLICE, rows)
        totals = np.full((len(LANES), end - begin), np.array(LANES, np.uint64)[:, None])
        product = np.empty_like(totals)
        for name, slices in columns.items():
            totals += np.multiply(slices(begin, end), _multipliers(name), out=product)
        sums += _mix(totals, product).sum(axis=1)
    return "".join(f"{value:016x}" for value in sums.tolist())


def _mix(words: Words, workspace: Words) -> Words:
    """The finaliser of splitmix64, a bijective hash (Steele, Lea and Flood 2014), in place of ``words``."""
    for shift, multiplier in MIXES:
        words ^= np.right_shift(words, shift, out=workspace)
        words *= multiplier
    words ^= np.right_shift(words, LAST_SHIFT, out=workspace)
    return words


@functools.cache
def _multipliers(column: str) -> Words:
    hashes = b"".join(hashlib.blake2b(f"{salt} {column}".encode(), digest_size=8).digest() for salt in LANES)
    return np.frombuffer(hashes, "<u8").reshape(-1, 1) | np.uint64(1)


def _words(column: pa.ChunkedArray) -> Slices:
    """One uint64 per value: numbers by their bits, everything else (text, bytes, lists, nulls) by a hash of each.

    A number's word is the same whether or not there are nulls beside it: that depends on the cut.
    """
    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_floating(kind)):
        if pa.types.is_string(kind) and column.null_count == 0:  # few of a sorted column differ
            encoded = column.combine_chunks().dictionary_encode()
            each = np.frombuffer(b"".join(map(_hash, encoded.dictionary.to_pylist())), np.uint64)
            places = encoded.indices.to_numpy()
            return lambda begin, end: each[places[begin:end]]
        hashes = b"".join(_hash(value) for value in column.to_pylist())
        return lambda begin, end: np.frombuffer(hashes, np.uint64)[begin:end]
    if column.null_count == 0:
        return _numeric(column.to_numpy())
    numbers = _numeric(column.fill_null(False if pa.types.is_boolean(kind) else 0).to_numpy())
    null, nothing = column.is_null().to_numpy(), np.frombuffer(_hash(None), np.uint64)[0]
    return lambda begin, end: np.where(null[begin:end], nothing, numbers(begin, end))


def _hash(value: Any) -> bytes:
    return hashlib.blake2b(repr(value).encode(), digest_size=8).digest()


def _constant(value: Any) -> Slices:
    word = _words(pa.chunked_array([pa.array([value])]))(0, 1)[0]
    return lambda begin, end: np.full(end - begin, word, np.uint64)


def _numeric(values: npt.NDArray[Any]) -> Slices:
    return lambda begin, end: _numeric_words(values[begin:end])


def _numeric_words(values: npt.NDArray[Any]) -> Words:
    if values.dtype.kind == "f":
        return values.astype(np.float64, copy=False).view(np.uint64)
    return values.astype(np.int64 if values.dtype.kind == "i" else np.uint64, copy=False).view(np.uint64)
