"""A run in a folder of a file system."""

import errno
import fcntl
import os
import shutil
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import filelock
import numpy.typing as npt
import pyarrow as pa

from boardspace.storage.files import (
    StorageError,
    Written,
    explain,
    make_folder,
    read_regular,
    temporary_files,
    write,
    write_bytes,
)
from boardspace.storage.interface import Check, Fill, Sizes, Warn
from boardspace.storage.npy import mapped

# How long a lock is tried for: who looks whether it is held has it for a moment.
LOOK_SECONDS = 0.5


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
    """File or folder of a file system: one back end of :class:`.Stored`."""

    path: Path

    def read(self, most: int) -> bytes:
        # Links are followed.
        return read_regular(self.path, most, follow=True)

    def write(self, fill: Fill, check: Check, kind: str) -> Written:
        return write(self.path, fill, check, kind)

    def create(self, content: bytes, kind: str) -> bool:
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
        # A link that leads nowhere is there.
        return os.path.lexists(self.path)

    def size(self) -> int | None:
        try:
            return self.path.stat().st_size
        except OSError:
            return None

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)

    def table_file(self) -> pa.NativeFile:
        # The file's name may be any bytes.
        return pa.OSFile(os.fsencode(self.path))

    def blob(self, sha256: str) -> npt.NDArray[Any]:
        # Nothing is fetched, so nothing is compared.
        return mapped(self.path)

    def names(self) -> list[str]:
        return sorted(_names_below(self.path, ""))

    def sizes(self, folders: Sequence[str]) -> Sizes:
        # Each file is asked for itself.
        return lambda name: OnDisk(self.path / name).size()

    def move(self, name: str, target: str) -> None:
        new = self.path / target
        new.parent.mkdir(parents=True, exist_ok=True)
        (self.path / name).replace(new)

    def sweep(self) -> None:
        for path in [*temporary_files(self.path)]:
            path.unlink(missing_ok=True)

    def remove_all(self) -> None:
        if self.path.exists():
            shutil.rmtree(self.path)

    def zarr_store(self) -> Any:
        return self.path

    @contextmanager
    def held(self, warn: Warn, break_lock: bool) -> Iterator[None]:
        # The kernel frees what a dead process held, so there is nothing to break.
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
            who = holder.read_text(errors="replace") if holder.is_file() else "another process"
            raise StorageError(
                f"{root}: {who} is writing to this folder; wait for it, or choose another folder with --out"
            ) from None
        except (OSError, NotImplementedError) as error:
            raise StorageError(explain(root, error)) from error
        try:
            holder.write_text(f"process {os.getpid()} on {socket.gethostname()}")
        except OSError as error:
            lock.release()
            raise StorageError(explain(root, error)) from error
        return lock
