"""Interface of storage, as a run needs it, with two back ends: a file system and an object store.

Everything is written whole or not at all: on a file system by renaming, in an object store because a put is.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy.typing as npt
import pyarrow as pa

from boardspace.storage.files import Written

Fill = Callable[[BinaryIO], object]
Check = Callable[[Path | BinaryIO], None]
Sizes = Callable[[str], int | None]
Warn = Callable[[str], None]


class Stored(Protocol):
    """A file or a folder, an object or all below a prefix; the first methods are of the one, the rest of the other.

    What is missing raises FileNotFoundError where it is read, and is nothing to remove. What else goes wrong is a
    StorageError that says so in a line.
    """

    def read(self, most: int) -> bytes:
        """The content; OSError where it is longer than ``most``."""

    def write(self, fill: Fill, check: Check, kind: str) -> Written:
        """Have ``fill`` write to a stream and ``check`` read it, then put it in place; ``kind`` names failpoints."""

    def create(self, content: bytes, kind: str) -> bool:
        """Write the content unless something is there already; whether it was written."""

    def exists(self) -> bool:
        """True where a file, or an object, is there."""

    def size(self) -> int | None:
        """Number of its bytes; None where there is nothing."""

    def remove(self) -> None:
        """Delete it."""

    def table_file(self) -> pa.NativeFile:
        """Opened for Arrow, which reads what it needs of it."""

    def blob(self, sha256: str) -> npt.NDArray[Any]:
        """The array of a ``.npy`` file, mapped read-only; ``sha256`` is what it has to have where it is fetched."""

    def names(self) -> list[str]:
        """Names of all files below, with slashes, in order."""

    def sizes(self, folders: Sequence[str]) -> Sizes:
        """Tells the sizes of files by their names below; all that is asked for lies in these ``folders``."""

    def move(self, name: str, target: str) -> None:
        """Rename a file below to another name below."""

    def sweep(self, below: bool = True) -> None:
        """Delete what writers that died left half written here and, with ``below``, in folders of this one."""

    def remove_all(self) -> None:
        """Delete everything below, and itself."""

    def zarr_store(self) -> Any:
        """For zarr, to read what lies below."""

    def held(self, warn: Warn, break_lock: bool) -> AbstractContextManager[None]:
        """Hold the run's lock that lies here; StorageError names another holder. A dead one holds nothing: where that
        cannot be seen at once, ``warn`` hears of the wait, unless ``break_lock`` says that it is dead."""

    def is_held(self) -> bool:
        """True where somebody holds the run's lock that lies here; in a bucket, too, where the holder died and nobody
        has taken it over."""
