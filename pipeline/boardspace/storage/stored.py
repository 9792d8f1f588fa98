"""Files and folders at a location: on a file system, here, or in a bucket, which has the same methods (:mod:`.bucket`).

Everything is written whole or not at all: on a file system by renaming, in an object store because a put is. What is
missing raises FileNotFoundError where it is read, and is nothing to remove. What else goes wrong is a StorageError that
says so in a line.
"""

import errno
import fcntl
import functools
import io
import mmap
import os
import shutil
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import filelock
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from boardspace.storage.files import (
    Check,
    Fill,
    Sizes,
    StorageError,
    Warn,
    Written,
    explain,
    inside,
    make_folder,
    read_regular,
    temporary_files,
    write,
    write_bytes,
)
from boardspace.storage.locations import BucketPath, Location, inner_path

if TYPE_CHECKING:
    from boardspace.storage.bucket import InBucket

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


LONGEST_HOLDER = 1 << 12
# How long a lock is tried for: who looks whether it is held has it for a moment.
LOOK_SECONDS = 0.5


def _holder_in(path: Path) -> str:
    """Holder of a lock, as the file beside it says."""
    try:
        return read_regular(path, LONGEST_HOLDER).decode(errors="replace")
    except OSError:
        return "another process"


def _names_below(folder: Path, prefix: str) -> Iterator[str]:
    """Names of all that is below a folder and no folder itself, links among it; what a folder lists is enough."""
    try:
        entries = list(os.scandir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _names_below(Path(entry.path), f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}"


@dataclass(frozen=True)
class OnDisk:
    """File or folder of a file system; the first methods are of the one, the rest of the other."""

    path: Path

    def read(self, most: int) -> bytes:
        """Return the content, links followed; OSError where it is longer than ``most`` bytes or no regular file."""
        return read_regular(self.path, most, follow=True)

    def write(self, fill: Fill, check: Check, kind: str) -> Written:
        """Have ``fill`` write a temporary file, sync it, have ``check`` read it, and rename it into place; ``kind``
        names failpoints."""
        return write(self.path, fill, check, kind)

    def create(self, content: bytes, kind: str) -> bool:
        """Write the file unless something is there. Return True if it was written."""
        # An empty file takes the name. It stays, and says nothing, where the writer dies before it is replaced.
        try:
            make_folder(self.path.parent)
            if self.exists():
                return False
            self.path.open("xb").close()
        except OSError as error:
            if isinstance(error, FileExistsError) and self.exists():
                return False
            raise StorageError(explain(self.path, error)) from error
        write_bytes(self.path, content, kind)
        return True

    def exists(self) -> bool:
        """Return True if anything is there, a dangling link included."""
        return os.path.lexists(self.path)

    def size(self) -> int | None:
        """Return the file's size in bytes; None where it cannot be had."""
        try:
            return self.path.stat().st_size
        except OSError:
            return None

    def remove(self) -> None:
        """Delete the file; nothing happens where there is none."""
        self.path.unlink(missing_ok=True)

    def table_file(self) -> pa.NativeFile:
        """Open the file for Arrow."""
        # The file's name may be any bytes.
        return pa.OSFile(os.fsencode(self.path))

    def blob(self, sha256: str) -> npt.NDArray[Any]:
        """Return the array of a ``.npy`` file, mapped read-only; nothing is fetched, so ``sha256`` is not compared."""
        return mapped(self.path)

    def names(self) -> list[str]:
        """Return the sorted names of all files below, with slashes."""
        return sorted(_names_below(self.path, ""))

    def sizes(self, folders: Sequence[str]) -> Sizes:
        """Return a function from a name below to its size in bytes, None where missing; all that is asked for lies in
        these ``folders``."""
        return lambda name: OnDisk(self.path / name).size()

    def move(self, name: str, target: str) -> None:
        """Rename a file below to another name below, whose folder is made."""
        new = self.path / target
        new.parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).replace(new)

    def sweep(self, below: bool = True) -> None:
        """Delete the temporary files of writers that died here and, with ``below``, in folders of this one."""
        for path in [*temporary_files(self.path, below)]:
            path.unlink(missing_ok=True)

    def remove_all(self) -> None:
        """Delete the folder and everything in it."""
        if self.path.exists():
            shutil.rmtree(self.path)

    def zarr_store(self) -> Any:
        """Return the folder's path, which Zarr takes as a store."""
        return self.path

    @contextmanager
    def held(self, warn: Warn, break_lock: bool) -> Iterator[None]:
        """Hold the run's lock that lies here; StorageError names another holder. The kernel frees what a dead process
        held, so nobody is warned and nothing is broken."""
        lock = self._lock()
        try:
            yield
        finally:
            lock.release()

    def is_held(self) -> bool:
        """True where a process holds the lock that lies here. To look is to share it for a moment."""
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno in {errno.EAGAIN, errno.EACCES}
        finally:
            os.close(descriptor)
        return False

    def _lock(self) -> filelock.BaseFileLock:
        """The lock, taken; StorageError where another process has it, or nothing can be written there."""
        root, holder = self.path.parent.parent, self.path.with_name("holder")
        try:
            make_folder(self.path.parent)
            lock = filelock.FileLock(self.path)
            lock.acquire(timeout=LOOK_SECONDS, poll_interval=LOOK_SECONDS / 10)
        except filelock.Timeout:
            who = _holder_in(holder)
            raise StorageError(
                f"{root}: {who} is writing to this folder; wait for it, or choose another folder with --out"
            ) from None
        except (OSError, NotImplementedError) as error:
            raise StorageError(explain(root, error)) from error
        try:
            write_bytes(holder, f"process {os.getpid()} on {socket.gethostname()}".encode(), "holder")
        except StorageError:
            lock.release()
            raise
        return lock


def stored(location: Location) -> "OnDisk | InBucket":
    """File or folder at a location."""
    if isinstance(location, BucketPath):
        from boardspace.storage.bucket import InBucket  # the client of the store is an extra

        return InBucket(location)
    return OnDisk(location)


def within(root: Location, name: str) -> Location:
    """The location ``root / name``, to be written or deleted; StorageError where a link below ``root`` leads there.

    ValueError where the name itself leads out of ``root``. A bucket has no links.
    """
    return inside(root, name) if isinstance(root, Path) else root / inner_path(name)


def put_bytes(location: Location, content: bytes, kind: str) -> Written:
    """Write ``content`` so that it is there whole or not at all."""
    if isinstance(location, Path):
        return write_bytes(location, content, kind)
    return stored(location).write(lambda stream: stream.write(content), lambda _: None, kind)
