"""Checks of Zarr arrays: their metadata is compared with what this program writes before anything is decoded."""

import itertools
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boardspace.pipeline.storage.arrays import GROUP
from boardspace.pipeline.storage.digest import add, block_digest
from boardspace.pipeline.verify.files import FileFaultError, opened

METADATA = "zarr.json"
LONGEST_METADATA = 1 << 20
LARGEST_SHARD = 1 << 30


@dataclass(frozen=True)
class Layout:
    """An array's shape, the lengths of one shard (a file), and its dtype."""

    shape: tuple[int, ...]
    shard: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def files(self) -> int:
        """How many shards it has."""
        return math.prod(-(-size // step) for size, step in zip(self.shape, self.shard, strict=True))

    @property
    def cells(self) -> int:
        """How many cells it has."""
        return math.prod(self.shape)


def check_array(group: Path, path: str, files: int) -> None:
    """Decode an array of a Zarr group cell by cell, which has to consist of so many files."""
    array_digest(group, path, files)


def array_digest(group: Path, path: str, files: int) -> str:
    """The digest of an array's cells, decoded shard by shard; FileFaultError where it does not consist of so many."""
    layout = layout_of(group / path / METADATA)
    if layout.files != files:
        raise FileFaultError(f"its metadata speaks of {layout.files} files, there are {files}")
    import zarr

    try:
        array: Any = zarr.open_array(group, path=path, mode="r")
        starts = itertools.product(
            *(range(0, size, step) for size, step in zip(layout.shape, layout.shard, strict=True))
        )
        return add(_shard_digest(array, start, layout) for start in starts)
    except Exception as error:  # forged shards make decoders raise nearly anything
        raise FileFaultError(f"does not decode: {error!r}") from error


def layout_of(path: Path) -> Layout:
    """What an array's metadata says; FileFaultError where it is not as this program writes it."""
    document = _metadata(path)
    try:
        (sharding,) = document["codecs"]
        layout = Layout(
            tuple(document["shape"]),
            tuple(document["chunk_grid"]["configuration"]["chunk_shape"]),
            np.dtype(document["data_type"]),
        )
        chunk, codecs = sharding["configuration"]["chunk_shape"], sharding["configuration"]["codecs"]
        lengths = (*layout.shape, *layout.shard, *chunk)
        known = (
            sharding["name"] == "sharding_indexed"
            and [codec["name"] for codec in codecs] == ["bytes", "zstd", "crc32c"]
            and len(layout.shape) == len(layout.shard) == len(chunk) > 0
            and all(isinstance(length, int) and length >= 0 for length in lengths)
            and all(length > 0 for length in (*layout.shard, *chunk))
            and layout.dtype.kind in "biuf"
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FileFaultError(f"its metadata is not an array's of ours: {error!r}") from error
    if not known:
        raise FileFaultError("its metadata is not an array's of ours")
    size = math.prod(layout.shard) * layout.dtype.itemsize
    if size > LARGEST_SHARD:
        raise FileFaultError(f"one of its files would hold {size:,} bytes, and none of ours holds {LARGEST_SHARD:,}")
    return layout


def check_group(path: Path) -> None:
    """FileFaultError unless this is the metadata of a group, to the byte."""
    with opened(path) as stream:
        if stream.read(len(GROUP) + 1) != GROUP:
            raise FileFaultError("is not the metadata of a group")


def _metadata(path: Path) -> Any:
    with opened(path) as stream:
        content = stream.read(LONGEST_METADATA + 1)
    if len(content) > LONGEST_METADATA:
        raise FileFaultError(f"its metadata is longer than {LONGEST_METADATA:,} bytes")
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise FileFaultError(f"its metadata is not JSON: {error}") from error


def _shard_digest(array: Any, start: tuple[int, ...], layout: Layout) -> str:
    block = tuple(
        slice(low, min(low + step, size)) for low, step, size in zip(start, layout.shard, layout.shape, strict=True)
    )
    return block_digest(np.asarray(array[block]), start, layout.shape)
