"""Digests of sources: what results and compiled code are made of.

A result or a compiled kernel is as old as the sources that it was made from, those of all imports included. Here they
are found without importing anything, and become one SHA-256.
"""

import ast
import contextlib
import functools
import hashlib
import importlib.util
import sys
import sysconfig
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKAGE = "boardspace_kernels"
KERNELS = Path(__file__).resolve().parent
# In Python 3.11 trees that two threads make at a time can fail with SystemError; workers may be threads of one process.
_PARSING = threading.Lock()


class SourcesError(RuntimeError):
    """The sources of a module cannot be found."""


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

    The kernels of a space import their own package and the files beside it only, which a test holds; of other modules
    everything is followed that they import and that is no installed library.
    """
    return source_digest(*_own(module)) if module.startswith(f"{PACKAGE}.") else plug_in_digest(module)


@functools.cache
def plug_in_digest(module: str) -> str:
    """Digest of the sources of a module outside this package, of what it imports, and of the TOML files beside them."""
    files: dict[str, Path] = {}
    _follow(module, files)
    if not files:
        raise SourcesError(f"{module}: its sources cannot be found, so that a change of them would not be noticed")
    beside = {path for file in files.values() for path in file.parent.glob("*.toml")}
    parts = [f"{name} {source_digest(path)}" for name, path in sorted(files.items())]
    return hashlib.sha256("\n".join([*parts, *(source_digest(path) for path in sorted(beside))]).encode()).hexdigest()


def _own(module: str) -> list[Path]:
    """The files that all spaces share, and the package of the space that this module of ours belongs to."""
    shared = sorted(KERNELS.glob("*.py"))
    space = KERNELS / module.split(".")[1]
    return [*shared, space] if space.is_dir() else shared


def _follow(module: str, files: dict[str, Path]) -> None:
    """Add the file of a module and, by way of its imports, those of others, unless they are libraries."""
    if module in files or module == "__main__":
        return
    if module.startswith(f"{PACKAGE}."):
        files |= {f"{PACKAGE}/{path.name}": path for path in _own(module)}
        return
    spec = _spec(module)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return
    files[module] = Path(spec.origin)
    package = module if spec.submodule_search_locations is not None else module.rpartition(".")[0]
    for name in _imported(_parsed(Path(spec.origin)), package):
        if name.split(".")[0] == module.split(".")[0] or name.startswith(f"{PACKAGE}.") or not _is_library(name):
            _follow(name, files)


def _parsed(file: Path) -> ast.Module:
    with _PARSING:
        return ast.parse(file.read_bytes())


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
    """True of what is ours but no kernel, part of Python, or installed; the versions stand for all of these."""
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
