"""Private temporary folders, and the removal of those that killed processes left behind.

A folder lies below the system's temporary folder and holds a lock for as long as its process lives: the system lets go
of a lock when its owner dies, however that happens. So the next process of the same user knows which folders are left
over, also where process numbers mean nothing (in containers that share the temporary folder).
"""

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

from boardspace.storage.files import SCRATCH, ScratchError

PREFIX = "boardspace-"
LOCK = ".in-use"
ELSEWHERE = "the variable TMPDIR can name another folder for temporary files"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that only this user can read, removed at the end; those of dead processes are removed first.

    ScratchError where it cannot be made, or where what is done in it fails because a file there cannot be written.
    """
    try:
        _remove_left_over(Path(tempfile.gettempdir()))
        folder, lock = _made()
    except OSError as error:
        raise ScratchError(f"no temporary folder can be made ({error}); {ELSEWHERE}") from error
    SCRATCH.add(folder)
    try:
        yield folder
    except Exception as error:
        lack = next((one for one in _causes(error) if isinstance(one, ScratchError)), None)
        if lack is None:
            raise
        raise ScratchError(f"{lack}; {ELSEWHERE}") from error
    finally:
        SCRATCH.remove(folder)
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _made() -> tuple[Path, filelock.BaseFileLock]:
    """A new folder with its lock held; made again where another process took it for left over before it was locked."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        lock = filelock.FileLock(folder / LOCK, mode=0o600)
        with contextlib.suppress(FileNotFoundError, filelock.Timeout):
            lock.acquire(timeout=0)
            if (folder / LOCK).exists():
                return folder, lock


def _remove_left_over(temporary: Path) -> None:
    """Remove the folders of this user whose locks nobody holds."""
    for folder in temporary.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError, filelock.Timeout):
            if _is_private(folder):
                with filelock.FileLock(folder / LOCK, mode=0o600).acquire(timeout=0):
                    shutil.rmtree(folder)


def _is_private(folder: Path) -> bool:
    """True for a folder (no link) of this user that nobody else may write to."""
    state = folder.lstat()
    return stat.S_ISDIR(state.st_mode) and state.st_uid == os.getuid() and not state.st_mode & 0o077
