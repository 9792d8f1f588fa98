"""The files of a Zarr array decoded by a reader of its own, chunk by chunk: other code than wrote them.

A file is a shard: its chunks one after the other, then an index of 16 bytes a chunk (offset and length, little endian,
chunks in C order) and the index's CRC-32C. A chunk is zstd, followed by the CRC-32C of what was compressed. Nothing is
decompressed but into the room that the metadata promise, so a few bytes cannot claim to hold a great many. See the
specification of Zarr v3's codec ``sharding_indexed``.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import google_crc32c
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from boardspace.verify.files import FileFaultError, opened

CRC = 4
ENTRY = np.dtype("<u8")
NOWHERE = (1 << 64) - 1


def decoded(
    path: Path, cells: tuple[int, ...], shard: tuple[int, ...], chunk: tuple[int, ...], dtype: np.dtype[Any]
) -> npt.NDArray[Any]:
    """The cells of one file, of which the first ``cells`` along each axis lie in the array.

    FileFaultError where it does not hold them, with their checksums, and nothing else.
    """
    steps = tuple(length // step for length, step in zip(shard, chunk, strict=True))
    index_bytes = math.prod(steps) * 2 * ENTRY.itemsize
    with opened(path) as stream:
        content = memoryview(stream.read())
    end = len(content) - index_bytes - CRC
    if end < 0:
        raise FileFaultError("is shorter than the index of its chunks")
    index = np.frombuffer(_summed(content[end:], "the index"), ENTRY).reshape(*steps, 2)
    inside = tuple(slice(-(-length // step)) for length, step in zip(cells, chunk, strict=True))
    _check_places(index, inside, end)
    found = np.empty(tuple(at.stop * step for at, step in zip(inside, chunk, strict=True)), dtype)
    zstd, size = pa.Codec("zstd"), math.prod(chunk) * dtype.itemsize
    for (offset, length), place in zip(index[inside].reshape(-1, 2).tolist(), _places(inside, chunk), strict=True):
        packed = _summed(content[offset : offset + length], f"the chunk at byte {offset}")
        plain = zstd.decompress(packed, decompressed_size=size)
        found[place] = np.frombuffer(plain, dtype.newbyteorder("<")).reshape(chunk)
    return found[tuple(map(slice, cells))]


def _summed(content: memoryview, what: str) -> memoryview:
    """The bytes before a CRC-32C; FileFaultError where it is not theirs."""
    if len(content) < CRC or google_crc32c.value(bytes(content[:-CRC])) != int.from_bytes(content[-CRC:], "little"):
        raise FileFaultError(f"{what} does not have its CRC-32C")
    return content[:-CRC]


def _check_places(index: npt.NDArray[np.uint64], inside: tuple[slice, ...], end: int) -> None:
    """Chunks inside the array fill what lies before the index, none in another; those outside are nowhere."""
    there = index[inside].reshape(-1, 2)
    if np.count_nonzero(index != NOWHERE) != np.count_nonzero(there != NOWHERE):
        raise FileFaultError("its index speaks of a chunk outside the array")
    at = 0
    for offset, length in sorted(there.tolist()):
        if offset != at:
            raise FileFaultError(f"its index leaves out a chunk, or what lies at byte {at}")
        at += length
    if at != end:
        raise FileFaultError(f"its chunks end at byte {at}, its index begins at {end}")


def _places(inside: Sequence[slice], chunk: tuple[int, ...]) -> Iterator[tuple[slice, ...]]:
    for place in itertools.product(*(range(at.stop) for at in inside)):
        yield tuple(slice(at * step, (at + 1) * step) for at, step in zip(place, chunk, strict=True))
