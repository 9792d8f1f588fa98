"""Zarr v3 arrays, written one whole shard file at a time.

The files of a part are encoded in memory (:func:`shard_files`) and go to disk like every other file of a run. The
metadata of an array (:func:`metadata_of`) and of the groups above it is the same bytes whoever writes it, so every
part may write it. Shard files hold chunks, each compressed and checksummed, and an index of where they lie. All are the
bytes that zarr-python writes, from a loop over the chunks; it sends each chunk through an event loop and a thread,
which for chunks as small as ours takes five times as long as their compression. Its import takes half a second, so only
readers import it.
"""

import functools
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import google_crc32c
import numpy as np
import numpy.typing as npt
from numcodecs.zstd import compress

from boardspace.spec.space import Array, ArrayPart
from boardspace.storage.digest import block_digest
from boardspace.storage.files import StorageError
from boardspace.storage.locations import Location
from boardspace.storage.receipts import FileRecord
from boardspace.storage.stored import put_bytes, stored, within

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
        return sum((coordinates[axis] >> level & 1) << i for i, (level, axis) in enumerate(places))

    return tuple(sorted(itertools.product(*map(range, grid)), key=code))


ROOT = "arrays.zarr"
METADATA = "zarr.json"
CODECS = {"bytes", "crc32c", "sharding_indexed", "zstd"}
GROUP = b'{\n  "attributes": {},\n  "zarr_format": 3,\n  "node_type": "group"\n}'


def write_part(root: Location, dataset: str, part: ArrayPart, attributes: Mapping[str, str]) -> list[FileRecord]:
    """Write a part below ``root / dataset / arrays.zarr`` and describe its files, paths relative to ``root``."""
    _check_alignment(part)
    base = f"{dataset}/{ROOT}"
    records = [_put(root, f"{base}/{group}{METADATA}", GROUP) for group in groups_above(part.path)]
    metadata = metadata_of(part.array, part.shape, part.chunks, part.shards, attributes)
    records.append(_put(root, f"{base}/{part.path}/{METADATA}", metadata))
    values = _as_declared(part)
    files = sorted(shard_files(values, part.start, part.chunks, part.shards))
    blocks = [_put(root, f"{base}/{part.path}/{key}", content) for key, content in files]
    digest = block_digest(part.values, part.start, part.shape)
    return [*records, *_described(blocks, part.path, digest)]


def _as_declared(part: ArrayPart) -> npt.NDArray[Any]:
    """The values in the array's dtype; ValueError where they would change."""
    values, dtype = part.values, np.dtype(part.array.dtype)
    if values.dtype == dtype:
        return values
    if values.dtype.kind == "f" and dtype.kind != "f":
        raise ValueError(f"{part.path}: fractions ({values.dtype}) for an array of {dtype}; round them")
    if values.size and dtype.kind in "iu" and not np.can_cast(values.dtype, dtype):
        least, most = int(values.min()), int(values.max())
        if least < np.iinfo(dtype).min or most > np.iinfo(dtype).max:
            raise ValueError(f"{part.path}: values from {least} to {most} do not fit an array of {dtype}")
    return values.astype(dtype)


def consolidated(documents: Mapping[str, bytes]) -> bytes:
    """The metadata of the root with those of all below it, by path in ``documents``, as zarr-python consolidates them.

    Over HTTP, which lists nothing, one request then tells what the group holds.
    """
    inside: dict[str, Any] = {}
    for path in sorted(documents, key=lambda path: (path.count("/"), path)):
        inside[path] = json.loads(documents[path])
        if inside[path]["node_type"] == "group":
            inside[path] = _with_metadata(inside[path], {})
    return json.dumps(_with_metadata(json.loads(GROUP), inside), indent=2).encode()


def open_array(dataset: Location, path: str) -> Any:
    """A written array of a dataset, opened for reading; see :func:`open_checked`."""
    return open_checked(stored(dataset / ROOT).zarr_store(), path)


def open_checked(store: Any, path: str) -> Any:
    """Open an array of a store that somebody else may have written, for reading.

    FileNotFoundError where there is no array of Zarr's version 3; StorageError where its metadata are damaged, or name
    a codec that no array of ours has. Older versions know codecs that run what they decode (pickles), so that opening
    such an array would run its writer's code.
    """
    import zarr  # half a second to import
    from zarr.errors import BaseZarrError

    try:
        array = zarr.open_array(store, path=path, mode="r", zarr_format=3)
    except FileNotFoundError:
        raise
    except (BaseZarrError, KeyError, TypeError, ValueError) as error:
        raise StorageError(f"{store}/{path}: is no array that can be opened ({error})") from error
    unknown = sorted(set(_codecs(array.metadata.codecs)) - CODECS)
    if unknown:
        raise StorageError(f"{store}/{path}: its codecs {unknown} are none that boardspace writes; it is not read")
    return array


def _codecs(codecs: Iterable[Any]) -> Iterator[str]:
    for codec in codecs:
        yield codec.to_dict()["name"]
        yield from _codecs((*getattr(codec, "codecs", ()), *getattr(codec, "index_codecs", ())))


def metadata_of(array: Array, shape: Shape, chunks: Shape, shards: Shape, attributes: Mapping[str, str]) -> bytes:
    """The ``zarr.json`` of an array of this shape (cells), chunks and shards (cells of each): what zarr-python writes
    with its own settings, whatever the user's are."""
    dtype = np.dtype(array.dtype)
    order = {"name": "bytes", **({"configuration": {"endian": "little"}} if dtype.itemsize > 1 else {})}
    index_order = {"name": "bytes", "configuration": {"endian": "little"}}
    sharding = {
        "chunk_shape": chunks,
        "codecs": [order, {"name": "zstd", "configuration": {"level": LEVEL, "checksum": False}}, {"name": "crc32c"}],
        "index_codecs": [index_order, {"name": "crc32c"}],
        "index_location": "end",
    }
    document = {
        "shape": shape,
        "data_type": array.dtype,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": shards}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": np.zeros((), dtype).item(),
        "codecs": [{"name": "sharding_indexed", "configuration": sharding}],
        "attributes": {**attributes, "description": array.doc, "unit": array.unit},
        "dimension_names": array.dims,
        "zarr_format": 3,
        "node_type": "array",
        "storage_transformers": [],
    }
    return json.dumps(document, indent=2).encode()


def _check_alignment(part: ArrayPart) -> None:
    """A part that covered only some of a shard file would overwrite the rest of it."""
    for axis, (start, length, size, shard) in enumerate(
        zip(part.start, part.values.shape, part.shape, part.shards, strict=True)
    ):
        stop = start + length
        if start % shard or (stop % shard and stop != size) or stop > size:
            raise ValueError(
                f"{part.path}: part {start}..{stop} of axis {axis} does not cover whole shards of {shard} (size {size})"
            )


def _with_metadata(group: Mapping[str, Any], inside: Mapping[str, Any]) -> dict[str, Any]:
    found = {"kind": "inline", "must_understand": False, "metadata": inside}
    kept = {name: value for name, value in group.items() if name != "node_type"}
    return {**kept, "consolidated_metadata": found, "node_type": "group"}


def groups_above(path: str) -> Iterator[str]:
    """The folders of the groups above an array, each with a slash at its end, '' the first."""
    folders = path.split("/")[:-1]
    return ("".join(f"{folder}/" for folder in folders[:depth]) for depth in range(len(folders) + 1))


def _put(root: Location, name: str, content: bytes) -> FileRecord:
    written = put_bytes(within(root, name), content, "array")
    return FileRecord(path=name, bytes=written.bytes, sha256=written.sha256)


def _described(blocks: list[FileRecord], path: str, digest: str) -> list[FileRecord]:
    """The digest is the part's; its first file carries it, so that the digests of an array's files add up."""
    return [
        record.model_copy(update={"array": path, "digest": digest if position == 0 else ""})
        for position, record in enumerate(blocks)
    ]
