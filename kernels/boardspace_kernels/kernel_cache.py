"""The folder in which compiled kernels are kept between processes, and why a file found there may be used.

Compiled code is a pickle: whoever writes it, runs as us. numba's cache trusts what lies in its folder, notices a change
of a kernel's own file but not of the kernels it calls, and can mix up two signatures of a kernel that two processes
write at once. So numba is told (:mod:`.machine_code`) to keep ours here:

* All lie in one folder of ours, ``boardspace-kernels`` below ``NUMBA_CACHE_DIR`` or the platform's cache folder, mode
  0700, marked by ``CACHEDIR.TAG``. A folder of somebody else's, or one that others may write to, is not used.
* A folder in it holds the kernels of one space, or of one module from elsewhere. It is named by the digest of all
  sources that they may be made of, and of the versions, settings and processor that decide machine code.
* In that each kernel has a folder. Beside every file lies its SHA-256; before numba may look, files without theirs go.
* Who writes or removes files of a kernel holds its lock; who uses the kernels of a space holds the lock of their
  folder. Once several newer ones are complete, a folder that nobody uses is removed.
"""

import contextlib
import fcntl
import functools
import hashlib
import os
import platform
import re
import shutil
import stat
import uuid
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import llvmlite.binding
import platformdirs

from boardspace_kernels.sources import PACKAGE, sources_key

VARIABLE = "NUMBA_CACHE_DIR"
SETTINGS = ("NUMBA_OPT", "NUMBA_BOUNDSCHECK", "NUMBA_DEBUGINFO", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
FOLDER = "boardspace-kernels"
TAG = "CACHEDIR.TAG"
TAG_TEXT = b"""Signature: 8a477f597d28d172789f06886806bc55
# Compiled kernels of boardspace; they are made anew where they are missing. About such tags: https://bford.info/cachedir/
"""
LOCK, COMPLETE, SUM = "lock", "complete", ".sha256"
CODE = {".nbi", ".nbc"}
"""Suffixes of numba's files: the index of a kernel's signatures, and the code of one."""
KEPT = 4
"""Complete folders of one name: of several checkouts, or of versions that one may go back to."""
_in_use: dict[Path, int] = {}
"""The descriptor of the lock of each folder that this process uses."""


class CacheError(RuntimeError):
    """The folder of compiled kernels cannot be used; the text says why and what to do."""


def home() -> Path:
    """Return where the folder belongs, be it there or not."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen).absolute() / FOLDER if chosen else Path(platformdirs.user_cache_dir("boardspace")) / FOLDER


def opened() -> Path:
    """Return the folder, made where it was missing; CacheError where it cannot be, or is not ours alone."""
    folder = home()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        _refuse_foreign(folder)
        _mark(folder)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CacheError(
            f"{folder}: cannot be used for compiled kernels ({reason}); set {VARIABLE} to a folder you may write to"
        ) from error
    return folder


def folder_of(module: str) -> Path:
    """Return the folder of a module's kernels, made where it was missing, and in use as long as this process lives."""
    top, _, below = module.partition(".")
    name = below.partition(".")[0] if top == PACKAGE else top
    folder = opened() / f"{name}-{hashlib.sha256(f'{sources_key(module)} {_machine()}'.encode()).hexdigest()[:24]}"
    if folder not in _in_use:
        folder.mkdir(mode=0o700, exist_ok=True)
        _in_use[folder] = _open_lock(folder)
        fcntl.flock(_in_use[folder], fcntl.LOCK_SH)
    return folder


@contextlib.contextmanager
def writing(kernel: Path) -> Iterator[None]:
    """Within it no other process writes or removes files of this kernel; at the end its files get their sums."""
    kernel.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(kernel):
        yield
        with contextlib.suppress(OSError):  # without their sums they are written again by the next process
            for path in _code(kernel):
                _write(path.with_name(path.name + SUM), _sum(path))


def drop_damaged(kernel: Path) -> bool:
    """Remove all files of a kernel if one is not as it was written: no index may name code that is not there.

    Return whether all were whole. The kernel's folder is made where it was missing.
    """
    kernel.mkdir(mode=0o700, exist_ok=True)
    with _locked(kernel):
        files = _code(kernel)
        whole = all(_is_whole(path) for path in files)
        for path in files if not whole else []:
            path.unlink()
        return whole


def is_complete(folder: Path) -> bool:
    """Return whether all kernels of a folder were compiled and are there as they were written; damaged ones go."""
    whole = [drop_damaged(kernel) for kernel in folder.iterdir() if kernel.is_dir()]
    if not all(whole):
        (folder / COMPLETE).unlink(missing_ok=True)
    return (folder / COMPLETE).exists()


def complete(folder: Path) -> None:
    """Note that all kernels of a folder are compiled, and remove the oldest of its name that nobody uses.

    Whoever calls this holds a lock against all others who do.
    """
    name = re.compile(re.escape(folder.name[:-24]) + "[0-9a-f]{24}")
    rest = sorted((f for f in folder.parent.iterdir() if name.fullmatch(f.name) and f != folder), key=_number)
    _write(folder / COMPLETE, str(max(map(_number, rest), default=0) + 1).encode())
    for old in rest[: 1 - KEPT]:
        with contextlib.suppress(BlockingIOError), _locked(old, fcntl.LOCK_NB):
            shutil.rmtree(old)


def _number(folder: Path) -> int:
    """Return a folder's number among those of its name, the newest last; 0 where it is not complete."""
    with contextlib.suppress(OSError, ValueError):
        return int((folder / COMPLETE).read_bytes()[:20])
    return 0


def _code(kernel: Path) -> list[Path]:
    return [path for path in kernel.iterdir() if path.suffix in CODE]


def _sum(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).hexdigest().encode()


def _is_whole(path: Path) -> bool:
    sums = path.with_name(path.name + SUM)
    return sums.exists() and sums.read_bytes() == _sum(path)


def _write(path: Path, content: bytes) -> None:
    """Write a file; other processes see all of it or nothing."""
    temporary = path.with_name(f".tmp-{uuid.uuid4().hex}")
    temporary.write_bytes(content)
    temporary.replace(path)


def _open_lock(folder: Path) -> int:
    return os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


@contextlib.contextmanager
def _locked(folder: Path, how: int = 0) -> Iterator[None]:
    """Within it no other process holds the lock of this folder."""
    descriptor = _open_lock(folder)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | how)
        yield
    finally:
        os.close(descriptor)


@functools.cache
def _machine() -> str:
    parts = [platform.python_version(), platform.python_implementation(), platform.machine()]
    parts += [f"{name}-{version(name)}" for name in ("numba", "llvmlite", "numpy")]
    parts += [llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten()]
    return "\n".join([*parts, *(f"{name}={os.environ.get(name)}" for name in SETTINGS)])


def _refuse_foreign(folder: Path) -> None:
    state = folder.lstat()
    if not stat.S_ISDIR(state.st_mode):
        raise PermissionError("it is not a folder")
    if state.st_uid != os.getuid():
        raise PermissionError("it belongs to another user, who could have anything run by you")
    if state.st_mode & 0o022:
        raise PermissionError("other users may write to it, and could have anything run by you")


def _mark(folder: Path) -> None:
    """Write the tag into a folder just made; refuse one with files and without a tag, which is not ours."""
    tag = folder / TAG
    if not tag.exists():
        if any(path.name != TAG for path in folder.iterdir()) and not tag.exists():
            raise PermissionError(f"it holds files, but no {TAG}: boardspace did not make it")
        with contextlib.suppress(FileExistsError), tag.open("xb") as stream:
            stream.write(TAG_TEXT)
