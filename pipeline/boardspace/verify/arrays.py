"""Checks of Zarr arrays: their metadata is compared with what this program writes before anything is decoded.

Their files are decoded by a reader of our own, chunk by chunk: other code than wrote them. A file is a shard: its
chunks one after the other, then an index of 16 bytes a chunk (offset and length, little endian, chunks in C order) and
the index's CRC-32C. A chunk is zstd, followed by the CRC-32C of what was compressed. Nothing is decompressed but into
the room that the metadata promise, so a few bytes cannot claim to hold a great many. See the specification of Zarr v3's
codec ``sharding_indexed``.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import google_crc32c
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from boardspace.spec.space import Space
from boardspace.storage.arrays import GROUP, METADATA, consolidated, metadata_of
from boardspace.storage.digest import block_digest
from boardspace.storage.records import canonical_json, json_value
from boardspace.verify.files import FileFaultError, content_of, opened, why_undecoded

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
    chunks = []
    for offset, length in index[inside].reshape(-1, 2).tolist():
        packed = _summed(content[offset : offset + length], "a chunk", offset)
        chunks.append(zstd.decompress(packed, decompressed_size=size))
        if _frame_end(packed) != len(packed):
            raise FileFaultError(f"a chunk (byte {offset}) holds more than its cells")
    if any(len(plain) != size for plain in chunks):
        raise FileFaultError("a chunk has not as many cells as its metadata say")
    there = np.frombuffer(b"".join(chunks), dtype.newbyteorder("<")).reshape(*(at.stop for at in inside), *chunk)
    filled = _side_by_side(there)
    found = filled[tuple(map(slice, cells))]
    if filled.shape != found.shape and np.count_nonzero(filled) != np.count_nonzero(found):
        raise FileFaultError("cells that fill up a chunk beyond the array are not 0")
    return found


def _frame_end(packed: bytes) -> int:
    """Where the first frame of zstd ends (RFC 8878, 3.1.1), which decodes; others, of nothing, may follow."""
    head = packed[4]
    single, at = head >> 5 & 1, 5 + (0, 1, 2, 4)[head & 3]
    at += 1 - single + (single, 2, 4, 8)[head >> 6]
    last = False
    while not last and at < len(packed):
        block = int.from_bytes(packed[at : at + 3], "little")
        last, run = bool(block & 1), block >> 1 & 3 == 1
        at += 3 + (1 if run else block >> 3)
    return at + 4 * (head >> 2 & 1)


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


LONGEST_METADATA = 1 << 20
LARGEST_SHARD = 1 << 30
ORDERED, UNORDERED = '"codecs":[{"configuration":{"endian":"little"},"name":"bytes"}', '"codecs":[{"name":"bytes"}'
"""How cells of one byte are stored, as zarr-python before 3.1 wrote it, and as boardspace does."""


@dataclass(frozen=True)
class Layout:
    """An array's shape, the lengths of one shard (a file) and of one chunk in it, and its dtype."""

    shape: tuple[int, ...]
    shard: tuple[int, ...]
    chunk: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def grid(self) -> tuple[int, ...]:
        """Number of its shards along each axis."""
        return tuple(-(-size // step) for size, step in zip(self.shape, self.shard, strict=True))

    @property
    def files(self) -> int:
        """Number of its shards."""
        return math.prod(self.grid)

    def names(self) -> Iterator[str]:
        """The names of its shards inside its folder."""
        return ("/".join(["c", *map(str, place)]) for place in itertools.product(*map(range, self.grid)))


def shard_digest(group: Path, path: str, name: str) -> str:
    """The digest of the cells of one of an array's shards; FileFaultError where it does not decode."""
    try:
        layout = layout_of(group / path / METADATA)
        start, cells = _corner(layout, [int(at) for at in name.split("/")[1:]])
        values = decoded(group / path / name, cells, layout.shard, layout.chunk, layout.dtype)
        return block_digest(values, start, layout.shape)
    except FileFaultError as error:
        raise FileFaultError(f"{name}: {error}") from error
    except Exception as error:  # forged shards make decoders raise nearly anything
        raise FileFaultError(f"{name}: {why_undecoded(error)}") from error


def cells_of(array: Any, *sides: slice) -> npt.NDArray[Any]:
    """A box of an opened array, or all of it, decoded file by file where its files lie on disk.

    A file is decoded whole, in a third of the time that zarr-python takes for its many small chunks. FileFaultError
    where a file does not decode.
    """
    root = getattr(getattr(array, "store", None), "root", None)
    whole = tuple(slice(0, length) for length in array.shape)
    if not isinstance(root, Path):
        found: npt.NDArray[Any] = array[sides or whole]
        return found
    folder = root / array.path
    layout = layout_of(folder / METADATA)
    box = tuple(slice(*side.indices(length)[:2]) for side, length in zip(sides or whole, layout.shape, strict=True))
    found = np.empty([side.stop - side.start for side in box], layout.dtype)
    ranges = [range(side.start // step, -(-side.stop // step)) for side, step in zip(box, layout.shard, strict=True)]
    for place in itertools.product(*ranges):
        start, cells = _corner(layout, place)
        inside = [_overlap(side, low, length) for side, low, length in zip(box, start, cells, strict=True)]
        values = decoded(folder.joinpath("c", *map(str, place)), cells, layout.shard, layout.chunk, layout.dtype)
        found[tuple(here for here, _ in inside)] = values[tuple(there for _, there in inside)]
    return found


def _overlap(side: slice, low: int, length: int) -> tuple[slice, slice]:
    """The cells that a side of a box shares with ``length`` others from ``low`` on, counted from each beginning."""
    begin, end = max(side.start, low), min(side.stop, low + length)
    return slice(begin - side.start, end - side.start), slice(begin - low, end - low)


def _corner(layout: Layout, place: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The first cell of a shard, and how many of its cells lie in the array, along each axis."""
    start = tuple(at * step for at, step in zip(place, layout.shard, strict=True))
    return start, tuple(min(s, size - low) for low, s, size in zip(start, layout.shard, layout.shape, strict=True))


def layout_of(path: Path) -> Layout:
    """Return the layout that an array's metadata states; FileFaultError where it is not as this program writes it."""
    document = _metadata(path)
    try:
        layout = Layout(
            tuple(document["shape"]),
            tuple(document["chunk_grid"]["configuration"]["chunk_shape"]),
            tuple(document["codecs"][0]["configuration"]["chunk_shape"]),
            np.dtype(document["data_type"]),
        )
        shape, shard, chunk = layout.shape, layout.shard, layout.chunk
        known = (
            len(shape) == len(shard) == len(chunk) > 0
            and all(type(length) is int and length >= 0 for length in (*shape, *shard, *chunk))
            and all(step > 0 and length > 0 and length % step == 0 for length, step in zip(shard, chunk, strict=True))
            and layout.dtype.kind in "biuf"
        )
    except (LookupError, TypeError, ValueError) as error:
        raise FileFaultError(f"its metadata is not an array's of ours: {error!r}") from error
    if not known:
        raise FileFaultError("its metadata is not an array's of ours")
    size = math.prod(layout.shard) * layout.dtype.itemsize
    if size > LARGEST_SHARD:
        raise FileFaultError(f"one of its files would hold {size:,} bytes, and none of ours holds {LARGEST_SHARD:,}")
    return layout


def check_metadata(group: Path, name: str, space: Space, stamp: Mapping[str, str], worded: bool = True) -> None:
    """FileFaultError unless the metadata at a path in a group are those of a group above an array, or of an array.

    The array is one of ``space``, and its metadata are those that boardspace writes for this shape and these chunks,
    with ``stamp`` among its attributes. ``worded``: its description has to be the registry's, word for word.
    """
    if content_of(group / name / METADATA, LONGEST_METADATA) == GROUP:
        return
    array = space.array_at(name)
    if array is None:
        raise FileFaultError("is no array of this dataset")
    layout, document = layout_of(group / name / METADATA), _metadata(group / name / METADATA)
    if not worded:
        texts = document.get("attributes")
        array = replace(array, doc=str(texts.get("description")) if isinstance(texts, dict) else "")
    made = json_value(metadata_of(array, layout.shape, layout.chunk, layout.shard, stamp))
    found, written = ({key: canonical_json(one[key]) for key in one} for one in (document, made))
    if layout.dtype.itemsize == 1:
        found["codecs"] = found["codecs"].replace(ORDERED, UNORDERED)
    other = sorted({key for key, _ in found.items() ^ written.items()})
    if other:
        raise FileFaultError(f"its metadata say otherwise than boardspace writes: {', '.join(map(repr, other))[:200]}")


def check_group(path: Path) -> None:
    """FileFaultError unless this is the metadata of a group, to the byte."""
    with opened(path) as stream:
        if stream.read(len(GROUP) + 1) != GROUP:
            raise FileFaultError("is not the metadata of a group")


def check_root(group: Path, below: Sequence[str]) -> None:
    """FileFaultError unless the root of a release's group has the metadata of all that lies below, by paths."""
    try:
        expected = consolidated({path: content_of(group / path / METADATA, LONGEST_METADATA) for path in below})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise FileFaultError(f"what lies below it has no metadata of ours: {error!r}") from error
    with opened(group / METADATA) as stream:
        if stream.read(len(expected) + 1) != expected:
            raise FileFaultError("is not the metadata of all that lies below")


def _metadata(path: Path) -> Any:
    content = content_of(path, LONGEST_METADATA)
    try:
        return json_value(content)
    except (ValueError, RecursionError) as error:
        raise FileFaultError(f"its metadata is not JSON: {error}") from error
