"""Blobs: arrays that stages exchange as they lie in memory, one ``.npy`` file each, to be mapped and not decoded.

A table is decoded whole before its first row can be used. A blob is opened in no time whatever its size: pages come
from the disk, or from the memory of the machine that still holds them, when a kernel touches them.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boardspace.pipeline.storage.files import StorageError, write
from boardspace.pipeline.storage.receipts import FileRecord


def write_blob(root: Path, path: str, name: str, values: npt.NDArray[Any]) -> FileRecord:
    """Write an array to ``root / path`` and describe the file; ValueError for objects, which cannot be mapped."""
    if values.dtype.hasobject:
        raise ValueError(f"{path}: a blob holds numbers, not {values.dtype}")

    def check(temporary: Path) -> None:
        found = map_blob(temporary)
        if (found.shape, found.dtype) != (values.shape, values.dtype):
            raise StorageError(f"{path}: the array read back differs from the one written; do not trust this disk")

    written = write(root / path, lambda stream: np.save(stream, values, allow_pickle=False), check, "blob")
    return FileRecord(path=path, bytes=written.bytes, sha256=written.sha256, blob=name)


def map_blob(path: Path) -> npt.NDArray[Any]:
    """The array of a file, read-only; StorageError where it is missing or damaged."""
    try:
        mapped = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise StorageError(f"{path}: damaged ({error}); `boardspace verify` names what to make again") from error
    return np.asarray(mapped)
