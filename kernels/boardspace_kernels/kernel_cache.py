"""Where compiled kernels are kept between processes, and why a file found there may be used.

Compiled code is a pickle: whoever writes it, runs as us. numba's own cache trusts whatever lies in its folder, notices
a change of a kernel's own file but not of the kernels it calls, and can take one signature's code for another's when
two processes write at the same time. So the files here are our own:

* They lie in one folder of ours, ``boardspace-kernels`` below ``NUMBA_CACHE_DIR`` or the platform's cache folder,
  mode 0700, marked by ``CACHEDIR.TAG``. A folder or a file of somebody else's is not used.
* A file of code is named by the SHA-256 of its content. The index of a kernel, from signatures to these names, begins
  with the SHA-256 of its rest. Both are compared before anything is unpickled. What is torn or altered is not there:
  that one kernel is compiled and written again.
* The files of a module lie in a folder that is named by the sources its kernels may call, and by the versions that
  decide machine code; numba adds the processor to the signatures. A change of the sources means another folder.
* Nothing is ever deleted.

This module stands below kernels and pipeline, so that a kernel finds its code whoever imports it.
"""

import ast
import contextlib
import functools
import hashlib
import importlib.util
import os
import platform
import stat
import sys
import sysconfig
import uuid
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

VARIABLE = "NUMBA_CACHE_DIR"
FOLDER = "boardspace-kernels"
TAG = "CACHEDIR.TAG"
TAG_TEXT = b"""Signature: 8a477f597d28d172789f06886806bc55
# Compiled kernels of boardspace; they are made anew where they are missing. About such tags: https://bford.info/cachedir/
"""
PACKAGE = "boardspace_kernels"
KERNELS = Path(__file__).resolve().parent
DIGEST = hashlib.sha256().digest_size
# The names, relative to the folder, of all files that this process loaded or wrote.
used: set[str] = set()
# Called before a kernel is compiled, since no code of it is there.
listeners: list[Callable[[], None]] = []


class CacheError(RuntimeError):
    """The folder of compiled kernels cannot be used; the text says why and what to do."""


def home() -> Path:
    """Where the folder belongs, whether it is there or not."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen).absolute() / FOLDER
    import platformdirs

    return Path(platformdirs.user_cache_dir("boardspace")) / FOLDER


def opened() -> Path:
    """The folder, made where it was missing; CacheError where it cannot be, or is not ours alone."""
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


def read(path: Path) -> bytes | None:
    """The content of a file of ours; None where there is none. OSError where it is another kind of file, or foreign."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as stream:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode) or state.st_uid != os.getuid() or state.st_mode & 0o022:
            raise PermissionError(f"{path}: not a file of this user alone")
        return stream.read()


def write(path: Path, content: bytes) -> None:
    """Put a file into the folder; another process sees all of it or nothing."""
    _make(path.parent)
    temporary = path.with_name(f".tmp-{uuid.uuid4().hex}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def read_code(folder: Path, name: str) -> bytes | None:
    """The content of a file of code; None where it is not there as it was written."""
    content = read(folder / name)
    return content if content is not None and code_name(content) == name else None


def read_index(path: Path) -> bytes | None:
    """The content of an index, without its hash; None where it is not there as it was written."""
    content = read(path)
    whole = content is not None and hashlib.sha256(content[DIGEST:]).digest() == content[:DIGEST]
    return content[DIGEST:] if content is not None and whole else None


def write_index(path: Path, content: bytes) -> None:
    """Write an index, its hash first."""
    write(path, hashlib.sha256(content).digest() + content)


def is_whole(name: str, folder: Path) -> bool:
    """Whether a file that :data:`used` named is there as it was written."""
    path = folder / name
    try:
        return (read_index(path) if path.suffix == ".index" else read_code(path.parent, path.name)) is not None
    except OSError:
        return False


def code_name(content: bytes) -> str:
    """The name of a file of code."""
    return f"{hashlib.sha256(content).hexdigest()}.code"


def folder_of(module: str) -> Path:
    """Where the files of a module's kernels lie, relative to the folder."""
    return Path(_versions()) / f"{module}-{sources_key(module)}"


def source_digest(*roots: Path) -> str:
    """SHA-256 over the names and bytes of the Python and TOML files at or below ``roots``."""
    digest = hashlib.sha256()
    for root in roots:
        files = [root] if root.is_file() else [p for p in root.rglob("*") if p.suffix in {".py", ".toml"}]
        for path in sorted(files):
            digest.update(path.relative_to(root.parent).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@functools.cache
def sources_key(module: str) -> str:
    """Digest of the sources that a module's kernels may be made of.

    A room of :mod:`boardspace_kernels` imports itself and the files beside the rooms only, which a test holds; of
    other modules everything is followed that they import and that is no installed library.
    """
    if module.startswith(f"{PACKAGE}."):
        return source_digest(*_room(module))[:24]
    return plug_in_digest(module)[:24]


@functools.cache
def plug_in_digest(module: str) -> str:
    """Digest of the sources of a module outside this package, of what it imports, and of the TOML files beside them."""
    files: dict[str, Path] = {}
    _follow(module, files)
    if not files:
        raise CacheError(f"{module}: its sources cannot be found, so that a change of them would not be noticed")
    beside = {path for file in files.values() for path in file.parent.glob("*.toml")}
    parts = [f"{name} {source_digest(path)}" for name, path in sorted(files.items())]
    return hashlib.sha256("\n".join([*parts, *(source_digest(path) for path in sorted(beside))]).encode()).hexdigest()


def _room(module: str) -> list[Path]:
    """The files beside the rooms, and the room of this module of ours."""
    shared = sorted(KERNELS.glob("*.py"))
    room = KERNELS / module.split(".")[1]
    return [*shared, room] if room.is_dir() else shared


def _follow(module: str, files: dict[str, Path]) -> None:
    """Add the file of a module and, by way of its imports, those of others, unless they are libraries."""
    if module in files or module == "__main__":
        return
    if module.startswith(f"{PACKAGE}."):
        files |= {f"{PACKAGE}/{path.name}": path for path in _room(module)}
        return
    spec = _spec(module)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return
    files[module] = Path(spec.origin)
    package = module if spec.submodule_search_locations is not None else module.rpartition(".")[0]
    for name in _imported(ast.parse(Path(spec.origin).read_bytes()), package):
        if name.split(".")[0] == module.split(".")[0] or name.startswith(f"{PACKAGE}.") or not _is_library(name):
            _follow(name, files)


def _imported(tree: ast.Module, package: str) -> Iterator[str]:
    """The modules that a module may mean by its import statements, functions included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            dots = "." * node.level
            base = importlib.util.resolve_name(dots + (node.module or ""), package) if dots else str(node.module)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


@functools.cache
def _is_library(module: str) -> bool:
    """Whether it is ours but no kernel, part of Python, or installed; the versions stand for all of these."""
    top = module.split(".")[0]
    if top == "boardspace" or top in sys.stdlib_module_names:
        return True
    spec = _spec(top)
    places = [] if spec is None else [*([spec.origin] if spec.origin else []), *(spec.submodule_search_locations or [])]
    installed = [Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib", "stdlib")]
    return not places or any(Path(place).resolve().is_relative_to(root) for place in places for root in installed)


def _spec(module: str) -> Any:
    with contextlib.suppress(ImportError, ValueError, AttributeError):
        return importlib.util.find_spec(module)
    return None


@functools.cache
def _versions() -> str:
    parts = [platform.python_version(), platform.python_implementation(), platform.machine()]
    parts += [f"{name}-{version(name)}" for name in ("numba", "llvmlite", "numpy")]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _make(folder: Path) -> None:
    """Make a folder and those above it that are missing, for this user alone."""
    if not folder.is_dir():
        _make(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


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
        others = any(path.name != TAG for path in folder.iterdir())
        if others and not tag.exists():
            raise PermissionError(f"it holds files, but no {TAG}: boardspace did not make it")
        with contextlib.suppress(FileExistsError), tag.open("xb") as stream:
            stream.write(TAG_TEXT)
