"""Blobs: intermediate arrays, written as they lie in memory, one ``.npy`` file each, to be mapped and not decoded.

A table is decoded whole before its first row can be used. A blob is opened in no time whatever its size: pages come
from the disk, or from the memory of the machine that still holds them, when a kernel touches them.
"""

from contextlib import nullcontext
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from boardspace.storage.files import StorageError
from boardspace.storage.locations import Location
from boardspace.storage.receipts import FileRecord
from boardspace.storage.stored import described, stored, within


def write_blob(root: Location, path: str, name: str, values: npt.NDArray[Any]) -> FileRecord:
    """Write an array to ``root / path`` and describe the file; ValueError for objects, which cannot be mapped."""
    if values.dtype.hasobject:
        raise ValueError(f"{path}: a blob holds numbers, not {values.dtype}")

    def check(written: Path | BinaryIO) -> None:
        with written.open("rb") if isinstance(written, Path) else nullcontext(written) as stream:
            found = described(stream)
        if found != (values.shape, values.dtype):
            raise StorageError(f"{path}: the array read back differs from the one written; do not trust this disk")

    written = stored(within(root, path)).write(
        lambda stream: np.save(stream, np.ascontiguousarray(values), allow_pickle=False), check, "blob"
    )
    return FileRecord(path=path, bytes=written.bytes, sha256=written.sha256, blob=name)


def map_blob(path: Location, sha256: str) -> npt.NDArray[Any]:
    """The array of a file, read-only; StorageError where it is missing or damaged.

    ``sha256`` is what it has to have where it is fetched.
    """
    try:
        return stored(path).blob(sha256)
    except (OSError, ValueError) as error:
        raise StorageError(f"{path}: damaged ({error}); `boardspace verify` names what to make again") from error
