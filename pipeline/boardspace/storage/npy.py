"""Arrays in ``.npy`` files, mapped and not read.

A stage may map thousands of them. NumPy evaluates the header of each as Python's syntax, a millisecond; files of one
shape have the same header, so each header is read once by NumPy and known from then on.
"""

import functools
import io
import mmap
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

LENGTH_BYTES = 2
"""Of the length of a header, which begins a header of version 1.0."""


def mapped(path: Path) -> npt.NDArray[Any]:
    """The array of a file, read-only, its pages loaded as they are touched; OSError or ValueError where it is none."""
    with path.open("rb") as stream:
        shape, dtype = described(stream)
        start = stream.tell()
        if 0 in shape:
            return np.empty(shape, dtype)
        content = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    try:
        return np.ndarray(shape, dtype, content, start)
    except TypeError as error:  # there are fewer bytes than elements
        raise ValueError(str(error)) from error


def described(stream: BinaryIO) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Shape and dtype of the array of a ``.npy`` file in C order, read up to where it begins; ValueError where it is
    none."""
    np.lib.format.read_magic(stream)
    length = stream.read(LENGTH_BYTES)
    shape, fortran, dtype = _header(length + stream.read(int.from_bytes(length, "little")))
    if fortran or dtype.hasobject:
        raise ValueError("it holds objects, or lies column by column")
    return shape, dtype


@functools.lru_cache(maxsize=4096)
def _header(content: bytes) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    found: tuple[tuple[int, ...], bool, np.dtype[Any]] = np.lib.format.read_array_header_1_0(io.BytesIO(content))
    return found
