"""Files that are whole or not there.

Every file of a run is written the same way: under a unique temporary name in its own folder, flushed and synced,
reopened and checked, renamed, the folder synced. A crash at any point leaves either the old state or the new one,
and at worst a temporary file, which the next run sweeps away. What lies in scratch is not synced: nobody reads it once
its process has died.

At named points a test can make the process die or the disk fail. ``BOARDSPACE_FAILPOINT=POINT@ACTION@TOKEN`` arms one:
the first process that reaches POINT (an ``fnmatch`` pattern) and makes the file TOKEN carries out ACTION, which is
``kill`` (SIGKILL to itself) or an errno's name such as ``ENOSPC``; ``kill*2`` is carried out twice, the second time
with the file TOKEN1. Unarmed, :func:`reached` is one look at the environment.
"""

import contextlib
import errno
import fnmatch
import hashlib
import io
import os
import re
import signal
import stat
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import BinaryIO

from boardspace.spec.errors import BoardspaceError
from boardspace.storage.locations import inner_path

FAILPOINT_VARIABLE = "BOARDSPACE_FAILPOINT"
SCRATCH: set[Path] = set()
"""The scratch folders of this process."""


def reached(point: str) -> None:
    """Say that the code is at ``point``, for example ``receipt:renamed``."""
    armed = os.environ.get(FAILPOINT_VARIABLE)
    if armed:
        _trip(armed, point)


def _trip(armed: str, point: str) -> None:
    pattern, action, token = ([*armed.split("@", 2), "", ""])[:3]
    action, _, times = action.partition("*")
    number = getattr(errno, action, None)
    if not token or not (action == "kill" or isinstance(number, int)) or not (times or "1").isdecimal():
        raise BoardspaceError(
            f"{FAILPOINT_VARIABLE}={armed}: is POINT@ACTION@TOKEN, ACTION kill, kill*2 or an errno's name; unset it"
        )
    if not fnmatch.fnmatch(point, pattern):
        return
    if not any(map(_is_new, (Path(f"{token}{again or ''}") for again in range(int(times or 1))))):
        return
    if number is None:
        os.kill(os.getpid(), signal.SIGKILL)
    else:
        raise OSError(number, os.strerror(number), point)


def _is_new(token: Path) -> bool:
    """Make an empty file; False where there is one."""
    try:
        token.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


Fill = Callable[[BinaryIO], object]
Check = Callable[[Path | BinaryIO], None]
Sizes = Callable[[str], int | None]
Warn = Callable[[str], None]
TEMPORARY = ".tmp-"
UNFINISHED, LONGEST_LIST = ".unfinished", 1 << 26
"""List of the files of a folder that is being written, a name on each line, there until it is done; its most bytes."""
# A file that claims to be this long and has a small part of it on the disk holds nothing but a hole.
SPARSE_FROM = 1 << 24
SPARSE_PART = 64
BLOCK = 1 << 20


class StorageError(BoardspaceError):
    """A file could not be written or is not what it should be."""


class ScratchError(StorageError):
    """A temporary file could not be written: this machine lacks something, whatever was computed or checked."""


class NotKeptError(StorageError):
    """A shard never wrote what is asked for."""


@dataclass(frozen=True)
class Written:
    """File as written: size in bytes and SHA-256 in hexadecimal, both taken from the reopened file."""

    bytes: int
    sha256: str


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's content, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def open_regular(path: Path, follow: bool = False) -> io.BufferedReader:
    """A regular file, opened for reading; OSError for a link (unless followed), a device, a pipe, or a mere hole.

    Nothing that opening could wait for is waited for.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    try:
        descriptor = os.open(path, flags)
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error)) from error
    stream = os.fdopen(descriptor, "rb")
    state = os.fstat(descriptor)
    if not stat.S_ISREG(state.st_mode):
        stream.close()
        raise OSError(errno.EINVAL, "it is no regular file")
    if state.st_size >= SPARSE_FROM and state.st_blocks * 512 * SPARSE_PART < state.st_size:
        stream.close()
        raise OSError(errno.EFBIG, f"it says it is {state.st_size:,} bytes long, and nearly all of it is a hole")
    return stream


def read_regular(path: Path, most: int, follow: bool = False) -> bytes:
    """The content of a regular file; OSError as :func:`open_regular`, or where it is longer than ``most``."""
    with open_regular(path, follow) as stream:
        return read_up_to(stream, most)


def read_up_to(stream: io.BufferedReader, most: int) -> bytes:
    """Rest of a file, a pipe or a device; OSError where that is more than ``most`` bytes.

    Python sets aside as many bytes as are asked for, so no more is asked for than the file says it has; of what grows
    meanwhile, or says nothing, a block at a time.
    """
    parts, rest = list[bytes](), most + 1
    wanted = min(os.fstat(stream.fileno()).st_size + 1, rest)
    while block := stream.read(wanted):
        parts.append(block)
        rest -= len(block)
        if not rest:
            raise OSError(errno.EFBIG, f"it is longer than {most:,} bytes")
        if len(block) < wanted:
            break
        wanted = min(BLOCK, rest)
    return b"".join(parts)


def inside(root: Path, name: str) -> Path:
    """The path ``root / name``, to be written; StorageError where ``name`` leads through a link below ``root``.

    For folders that somebody else may have filled, such as a run that others may write to, or a downloaded release:
    writing through a link in one would change a file elsewhere. ``root`` itself may be a link.
    """
    path = root
    for part in PurePath(inner_path(name)).parts:
        path = path / part
        try:
            linked = path.is_symlink()
        except OSError as error:
            raise StorageError(explain(path, error)) from error
        if linked:
            raise StorageError(
                f"{path}: a symbolic link, and nothing is written through the links of {root}; delete it, or choose "
                "another folder with --out"
            )
    return path


def write_bytes(path: Path, content: bytes, kind: str = "file") -> Written:
    """Write ``content`` to ``path`` so that it is there whole or not at all."""
    expected = hashlib.sha256(content).hexdigest()

    def check(temporary: Path) -> None:
        if sha256_of(temporary) != expected:
            raise StorageError(f"{path}: the bytes read back differ from those written; do not trust this disk")

    return write(path, lambda stream: stream.write(content), check, kind)


def write(path: Path, fill: Callable[[BinaryIO], object], check: Callable[[Path], None], kind: str = "file") -> Written:
    """Let ``fill`` write to a temporary stream and ``check`` read it back, then rename it to ``path``.

    ``kind`` names the failpoints passed on the way. A failure removes the temporary file and leaves ``path`` as it
    was; a full or read-only disk becomes a :class:`StorageError` that says so.
    """
    temporary = path.parent / f"{TEMPORARY}{uuid.uuid4().hex}"
    try:
        make_folder(path.parent)
        _write_synced(temporary, fill, kind)
        check(temporary)
        written = Written(temporary.stat().st_size, sha256_of(temporary))
        reached(f"{kind}-checked")
        temporary.replace(path)
        reached(f"{kind}-renamed")
        _sync_folder(path.parent)
    except OSError as error:
        _remove(temporary)
        raise (ScratchError if _is_scratch(path) else StorageError)(explain(path, error)) from error
    except BaseException:
        _remove(temporary)
        raise
    reached(f"{kind}-done")
    return written


def write_out(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Let ``fill`` write a file that the user named: what is there keeps its kind.

    A regular file appears whole or not at all, by renaming; a link stays one, and what it leads to is written; devices,
    pipes and what lies in /dev and /proc are written to as they are. StorageError says what stands in the way.
    """
    try:
        target = Path(os.path.realpath(path)) if path.is_symlink() else path
        if path.is_symlink() and not path.exists():
            raise StorageError(f"{path}: is a link to {target}, which is not there; remove the link, or make that file")
        if path.is_dir():
            raise StorageError(f"{path}: is a folder; give the name of a file")
        if not path.parent.is_dir():
            raise StorageError(f"{path}: there is no folder {path.parent}; make it first")
        if path.exists() and (not path.is_file() or path.absolute().parts[1] in {"dev", "proc"}):
            with path.open("wb") as stream:
                fill(stream)
            return
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    except OSError as error:
        raise StorageError(explain(path, error)) from error
    write(target, fill, lambda temporary: None if mode is None else temporary.chmod(mode))


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; OSError as of ``mkdir``, however long the way there is."""
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        if folder == folder.parent:
            break
        folder = folder.parent
    for one in reversed(missing):
        one.mkdir(exist_ok=True)


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a folder, by their paths in it; see :func:`require_empty`."""
    write_bytes(folder / UNFINISHED, "".join(f"{name}\n" for name in files).encode())
    for name, content in files.items():
        write_bytes(folder / name, content)
    (folder / UNFINISHED).unlink()


def require_empty(folder: Path) -> None:
    """StorageError where something lies in a folder that is to be written.

    What :func:`write_files` wrote there without coming to its end is removed first.
    """
    _remove_unfinished(folder)
    if folder.exists() and any(folder.iterdir()):
        raise StorageError(f"{folder}: is not empty; choose another folder with --out")


def _remove_unfinished(folder: Path) -> None:
    """Remove the files that a command was writing which died, or found no room, and nothing else."""
    if not (folder / UNFINISHED).is_file():
        return
    names = read_regular(folder / UNFINISHED, LONGEST_LIST).decode().splitlines()
    paths = [inside(folder, name) for name in names]
    for path in (*paths, *folder.rglob(f"{TEMPORARY}*")):
        path.unlink(missing_ok=True)
    for below in {path.parent for path in paths} - {folder}:
        with contextlib.suppress(OSError):
            below.rmdir()
    (folder / UNFINISHED).unlink()


def move_folder(source: Path, target: Path) -> None:
    """Rename a folder whose files are all synced to ``target``, which must not be there yet."""
    try:
        _sync_folder(source)
        source.rename(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise StorageError(explain(target, error)) from error


def is_temporary(name: str) -> bool:
    """True for the name of a file that :func:`write` is at, or was when its process died."""
    return re.fullmatch(f"{re.escape(TEMPORARY)}[0-9a-f]{{32}}", name) is not None


def temporary_files(folder: Path, below: bool = True) -> Iterator[Path]:
    """Leftovers of writers that died in ``folder`` and, with ``below``, anywhere below it."""
    found = folder.rglob(f"{TEMPORARY}*") if below else folder.glob(f"{TEMPORARY}*")
    return (path for path in found if is_temporary(path.name))


def _write_synced(temporary: Path, fill: Callable[[BinaryIO], object], kind: str) -> None:
    with temporary.open("xb") as stream:
        reached(f"{kind}-opened")
        fill(stream)
        stream.flush()
        reached(f"{kind}-written")
        if not _is_scratch(temporary):
            os.fsync(stream.fileno())
    reached(f"{kind}-synced")


def _remove(temporary: Path) -> None:
    with contextlib.suppress(OSError):
        temporary.unlink(missing_ok=True)


def _is_scratch(path: Path) -> bool:
    # A copy, as another thread may open or leave a folder meanwhile.
    return any(path.is_relative_to(folder) for folder in tuple(SCRATCH))


def _sync_folder(folder: Path) -> None:
    if _is_scratch(folder):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def explain(path: PurePath, error: Exception) -> str:
    """Message where ``path`` cannot be written."""
    if not isinstance(error, OSError):
        return f"{path}: could not be written ({error})"
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return f"{path}: no space left; free some and run the same command again"
    if error.errno == errno.EFBIG:
        return f"{path}: larger than a file may be here; allow more with `ulimit -f` and run the same command again"
    if error.errno is None and "requested and" in str(error):  # NumPy, whose error has no number
        return f"{path}: written in part only: no space is left, or a file may not be as large here (`ulimit -f`)"
    if error.errno == errno.ENAMETOOLONG:
        return f"{path.name[:60]}...: the name, or the path to it, is too long for this file system"
    if error.errno in {errno.ENOTDIR, errno.EEXIST}:
        return f"{path}: something on the way there is a file and no folder, or a link that leads nowhere"
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return (
            f"{path}: not allowed to write it ({error.strerror}); make the folder writable or choose another with --out"
        )
    return f"{path}: could not be written ({error.strerror or error})"
