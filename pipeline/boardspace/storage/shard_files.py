"""Shard files of Zarr v3 arrays: chunks, each compressed and checksummed, and an index of where they lie.

These are the bytes that zarr-python writes, from a loop over the chunks; it sends each chunk through an event loop and
a thread, which for chunks as small as ours takes five times as long as their compression.
"""

import functools
import itertools
from collections.abc import Iterator

import google_crc32c
import numpy as np
import numpy.typing as npt
from numcodecs.zstd import compress

LEVEL = 3
"""Of zstd."""

ABSENT = np.uint64(0xFFFFFFFFFFFFFFFF)
"""In the index, where a chunk begins and how long it is, if it is not there."""

Shape = tuple[int, ...]


def shard_files(
    values: npt.NDArray[np.generic], start: Shape, chunks: Shape, shards: Shape
) -> Iterator[tuple[str, bytes]]:
    """The files that hold ``values``, a block at ``start`` of an array: their keys below the array's, and contents.

    ``shards`` (a multiple of ``chunks``) is what one file holds; the block begins where one does.
    """
    axes = (range(low, low + length, shard) for low, length, shard in zip(start, values.shape, shards, strict=True))
    for corner in itertools.product(*axes):
        place = tuple(c - low for c, low in zip(corner, start, strict=True))
        key = "/".join(["c", *(str(c // shard) for c, shard in zip(corner, shards, strict=True))])
        yield key, encoded_shard(values[_block(place, shards)], chunks, shards)


def encoded_shard(values: npt.NDArray[np.generic], chunks: Shape, shards: Shape) -> bytes:
    """One file: the chunks that ``values`` reach into, filled up with zeros, in Morton order, then the index."""
    grid = tuple(shard // chunk for shard, chunk in zip(shards, chunks, strict=True))
    index = np.full((*grid, 2), ABSENT, dtype="<u8")
    parts: list[bytes] = []
    end = 0
    for coordinates in _morton_order(grid):
        begin = tuple(c * chunk for c, chunk in zip(coordinates, chunks, strict=True))
        if any(low >= length for low, length in zip(begin, values.shape, strict=True)):
            continue
        parts.append(_encoded_chunk(values[_block(begin, chunks)], chunks))
        index[coordinates] = end, len(parts[-1])
        end += len(parts[-1])
    return b"".join([*parts, _with_checksum(index.tobytes())])


def _encoded_chunk(values: npt.NDArray[np.generic], chunks: Shape) -> bytes:
    if values.shape != chunks:
        whole = np.zeros(chunks, dtype=values.dtype)
        whole[tuple(map(slice, values.shape))] = values
        values = whole
    content = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
    return _with_checksum(compress(content, LEVEL))


def _with_checksum(content: bytes) -> bytes:
    return content + google_crc32c.value(content).to_bytes(4, "little")


def _block(begin: Shape, size: Shape) -> tuple[slice, ...]:
    return tuple(slice(low, low + length) for low, length in zip(begin, size, strict=True))


@functools.lru_cache(maxsize=16)
def _morton_order(grid: Shape) -> tuple[Shape, ...]:
    """The places of a grid by their interleaved bits, the lowest bit of the first axis lowest; an axis that has no more
    bits takes no part."""
    bits = [(length - 1).bit_length() for length in grid]
    places = [(level, axis) for level in range(max(bits, default=0)) for axis in range(len(grid)) if level < bits[axis]]

    def code(coordinates: Shape) -> int:
        """The place of a cell in Morton order."""
        return sum((coordinates[axis] >> level & 1) << i for i, (level, axis) in enumerate(places))

    return tuple(sorted(itertools.product(*map(range, grid)), key=code))
