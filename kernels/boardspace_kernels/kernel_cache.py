"""The folder in which compiled kernels are kept between processes, and why a file found there may be used.

Compiled code is a pickle: whoever writes it, runs as us. numba's cache trusts what lies in its folder, notices a change
of a kernel's own file but not of the kernels it calls, and can mix up two signatures of a kernel that two processes
write at once. So numba is told (:mod:`.machine_code`) to keep ours here:

* All lie in one folder of ours, ``boardspace-kernels`` below ``NUMBA_CACHE_DIR`` or the platform's cache folder, mode
  0700, marked by ``CACHEDIR.TAG``. A folder of somebody else's, or one that others may write to, is not used.
* A folder in it holds the kernels of one folder or file of ours, or of one package from elsewhere. It is named by the
  digest of all sources that they may be made of, and of the versions, settings and processor that decide machine code.
* In that each kernel has a folder with a lock: who writes or removes its files holds it. Beside every file lies its
  SHA-256; before numba may look, files without theirs go.
* Once a space is compiled, its folder lists the files of all kernels that it calls, in whatever folder, as long as
  these are whole nothing is compiled. Folders of a name that nobody uses go, but for the newest few.
"""

import contextlib
import fcntl
import functools
import hashlib
import json
import os
import platform
import re
import shutil
import stat
import uuid
from collections.abc import Collection, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

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
"""Folders of one name that stay: of several checkouts, or of versions that one may go back to."""
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
        raise CacheError(unusable(error)) from error
    return folder


def unusable(error: Exception) -> str:
    """Text of the CacheError that compiled code cannot be kept for this reason."""
    reason = getattr(error, "strerror", None) or error
    return f"{home()}: cannot be used for compiled kernels ({reason}); set {VARIABLE} to a folder you may write to"


def folder_of(module: str) -> Path:
    """Return the folder of a module's kernels, made where it was missing, and in use as long as this process lives."""
    top, _, below = module.partition(".")
    name = below.partition(".")[0] if top == PACKAGE else top
    folder = opened() / f"{name}-{hashlib.sha256(f'{sources_key(module)} {_machine()}'.encode()).hexdigest()[:24]}"
    while folder not in _in_use:
        folder.mkdir(mode=0o700, exist_ok=True)
        # Whoever removes old folders may remove this one up to the moment when its lock is held: then it is made anew.
        with contextlib.suppress(FileNotFoundError):
            descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            # Shared by all who use the folder: whoever removes old ones asks for it alone, and passes over this one.
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            if _is_at(descriptor, folder / LOCK):
                _in_use[folder] = descriptor
            else:
                os.close(descriptor)
    return folder


def _is_at(descriptor: int, path: Path) -> bool:
    """Return whether an open file is the one at a path."""
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), path.stat())
    return False


def folders_in_use() -> list[Path]:
    """Return the folders of all kernels that this process has loaded or compiled."""
    return list(_in_use)


@contextlib.contextmanager
def writing(kernel: Path) -> Iterator[None]:
    """Within it no other process writes or removes files of this kernel; at the end its files get their sums."""
    kernel.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(kernel):
        yield
        with contextlib.suppress(OSError):  # without their sums they are written again by the next process
            for path in _code(kernel):
                _write(path.with_name(path.name + SUM), _sum(path))


def drop_damaged(kernel: Path) -> None:
    """Remove all files of a kernel if one is not as it was written: no index may name code that is not there.

    The kernel's folder is made where it was missing.
    """
    kernel.mkdir(mode=0o700, exist_ok=True)
    with _locked(kernel):
        files = _code(kernel)
        if not all(map(_is_whole, files)):
            for path in files:
                path.unlink()


def is_complete(folder: Path, part: str = "") -> bool:
    """Return whether all that was compiled for a part of a space, whose own folder this is, is there as it was
    written."""
    note = _note(folder, part)
    return note is not None and all(_is_whole(folder.parent / name) for name in note["files"])


def complete(folder: Path, used: Collection[Path], part: str = "") -> None:
    """Note that all kernels of a part of a space, the one without a name or another, are compiled: they lie in its own
    folder and the others that were ``used``.

    The oldest folders of each name that nobody uses are removed. Whoever calls this holds a lock against all others
    who do.
    """
    for one in {*used, folder}:
        if one == folder or _note(one) is None:
            holders = {*used, folder} if one == folder else {one}
            files = [path.relative_to(folder.parent).as_posix() for each in holders for path in each.glob("*/*")]
            number = 1 + max((_number(other) for other in folder.parent.iterdir()), default=0)
            note = {"number": number, "files": sorted(name for name in files if Path(name).suffix in CODE)}
            _write(one / f"{COMPLETE}{part if one == folder else ''}", json.dumps(note).encode())
        name = re.compile(re.escape(one.name[:-24]) + "[0-9a-f]{24}")
        rest = (other for other in one.parent.iterdir() if name.fullmatch(other.name) and other != one)
        # The newest of the others stay, one fewer than KEPT, as this one stays too.
        for old in sorted(rest, key=_number)[: 1 - KEPT]:
            with contextlib.suppress(BlockingIOError), _locked(old, fcntl.LOCK_NB):
                shutil.rmtree(old)


def _note(folder: Path, part: str = "") -> dict[str, Any] | None:
    """Note in a folder that was complete: its number, the newest last, and the files."""
    with contextlib.suppress(OSError, ValueError):
        note = json.loads((folder / f"{COMPLETE}{part}").read_bytes())
        if isinstance(note, dict) and isinstance(note.get("number"), int) and isinstance(note.get("files"), list):
            return note
    return None


def _number(folder: Path) -> int:
    note = _note(folder)
    return 0 if note is None else int(note["number"])


def _code(kernel: Path) -> list[Path]:
    return [path for path in kernel.iterdir() if path.suffix in CODE]


def _sum(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).hexdigest().encode()


def _is_whole(path: Path) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return path.with_name(path.name + SUM).read_bytes() == _sum(path)
    return False


def _write(path: Path, content: bytes) -> None:
    """Write a file; other processes see all of it or nothing."""
    temporary = path.with_name(f".tmp-{uuid.uuid4().hex}")
    temporary.write_bytes(content)
    temporary.replace(path)


@contextlib.contextmanager
def _locked(folder: Path, how: int = 0) -> Iterator[None]:
    """Within it no other process holds the lock of this folder."""
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
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
        # Asked again, as another process may have written the tag and files since the first question.
        if any(path.name != TAG for path in folder.iterdir()) and not tag.exists():
            raise PermissionError(f"it holds files, but no {TAG}: boardspace did not make it")
        with contextlib.suppress(FileExistsError), tag.open("xb") as stream:
            stream.write(TAG_TEXT)
