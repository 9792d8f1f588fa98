"""The files of a Zarr array decoded by a reader of its own, chunk by chunk: other code than wrote them.

A file is a shard: its chunks one after the other, then an index of 16 bytes a chunk (offset and length, little endian,
chunks in C order) and the index's CRC-32C. A chunk is zstd, followed by the CRC-32C of what was compressed. Nothing is
decompressed but into the room that the metadata promise, so a few bytes cannot claim to hold a great many. See the
specification of Zarr v3's codec ``sharding_indexed``.
"""

import math
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
        content = stream.read()
    end = len(content) - index_bytes - CRC
    if end < 0:
        raise FileFaultError("is shorter than the index of its chunks")
    index = np.frombuffer(_summed(content[end:], "the index", end), ENTRY).reshape(*steps, 2)
    inside = tuple(slice(-(-length // step)) for length, step in zip(cells, chunk, strict=True))
    _check_places(index, inside, end)
    zstd, size = pa.Codec("zstd"), math.prod(chunk) * dtype.itemsize
    chunks = [
        zstd.decompress(_summed(content[offset : offset + length], "a chunk", offset), decompressed_size=size)
        for offset, length in index[inside].reshape(-1, 2).tolist()
    ]
    if any(len(plain) != size for plain in chunks):
        raise FileFaultError("a chunk has not as many cells as its metadata say")
    there = np.frombuffer(b"".join(chunks), dtype.newbyteorder("<")).reshape(*(at.stop for at in inside), *chunk)
    return _side_by_side(there)[tuple(map(slice, cells))]


def _summed(content: bytes, what: str, at: int) -> bytes:
    """The bytes before a CRC-32C; FileFaultError where it is not theirs."""
    plain = content[:-CRC]
    if len(content) < CRC or google_crc32c.value(plain) != int.from_bytes(content[-CRC:], "little"):
        raise FileFaultError(f"{what} (byte {at}) does not have its CRC-32C")
    return plain


def _check_places(index: npt.NDArray[np.uint64], inside: tuple[slice, ...], end: int) -> None:
    """Chunks inside the array fill what lies before the index, none in another; those outside are nowhere."""
    there = index[inside].reshape(-1, 2)
    if np.count_nonzero(index != NOWHERE) != np.count_nonzero(there != NOWHERE):
        raise FileFaultError("its index names a chunk outside the array")
    at = 0
    for offset, length in sorted(there.tolist()):
        if offset != at:
            raise FileFaultError(f"its index leaves out a chunk, or what lies at byte {at}")
        at += length
    if at != end:
        raise FileFaultError(f"its chunks end at byte {at}, its index begins at {end}")


def _side_by_side(chunks: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Chunks [i0, i1, ..., c0, c1, ...], by their places and the cells' places in them, as one array."""
    dims = chunks.ndim // 2
    cells = chunks.transpose([axis + half for axis in range(dims) for half in (0, dims)])
    return cells.reshape([chunks.shape[axis] * chunks.shape[axis + dims] for axis in range(dims)])
