"""Digests of sources: what results and compiled code are made of.

A result or a compiled kernel is as old as all that it was made from. To follow imports from one file to the next is not
enough, as names may be put together when they are imported; so packages count as wholes.

* Kernels that ship: the folder they lie in, the files beside it, and other folders of kernels that these name.
* A module from elsewhere: the top-level package it lies in; every other package or module that Python files of these
  import, or name in a text if it lies beside, and that is neither part of Python nor an installed library; and all of
  boardspace.

Of a package all files count, data as well, but for hidden files, compiled code, virtual environments, folders of runs
and releases, and configs of runs. A module without a package is a file, and counts with those beside it that it names.
"""

import contextlib
import functools
import hashlib
import importlib.util
import inspect
import os
import re
import sys
import sysconfig
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.machinery import PathFinder
from importlib.metadata import entry_points
from pathlib import Path

PACKAGE = "boardspace_kernels"
PIPELINE = "boardspace"
PLUG_INS = "boardspace.spaces"
"""The group of entry points by which distributions name the modules of their spaces."""
KERNELS = Path(__file__).resolve().parent
COMPILED = (".pyc", ".pyo", ".nbi", ".nbc")
FOREIGN = ({"CACHEDIR.TAG"}, {"pyvenv.cfg"}, {"plan.json", ".run"}, {"release.json", "SHA256SUMS"})
"""What marks a cache, a virtual environment, a run and a release."""
INSTALLED = {"site-packages", "dist-packages"}
KERNEL_FOLDER = re.compile(rb"boardspace_kernels(?:\.| import )(\w+)")
FILE = re.compile(rb"""["'](\w[\w.-]*\.\w+)["']""")
IMPORT = re.compile(rb"(?:^|[;:])[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([\w., \t]+))", re.MULTILINE)
TEXT = rb"""["']%b["'.:]"""
STANDARD = sysconfig.get_path("stdlib")
LIBRARIES = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]


class SourcesError(RuntimeError):
    """The sources of a module cannot be found."""


def source_digest(*roots: Path) -> str:
    """SHA-256 over the names and bytes of the Python and TOML files at or below ``roots``, in their order."""
    files: dict[str, str] = {}
    for number, root in enumerate(roots):
        name = f"{number}/{root.name}"
        found = _walked(str(root), name) if root.is_dir() else [(name, str(root))]
        files |= {name: path for name, path in found if name.endswith((".py", ".toml"))}
    return _digest(files)


def kernel_sources(*roots: Path) -> list[Path]:
    """The files that all kernels share, and the folders of kernels that files at or below ``roots`` name, or that lie
    in ``roots``."""
    shared = sorted(KERNELS.glob("*.py"))
    folders = {root for root in roots if root.parent == KERNELS}
    left = [*roots, *shared]
    while left:
        root = left.pop()
        files = [root] if root.is_file() else root.rglob("*.py")
        named = {KERNELS / name.decode() for path in files for name in KERNEL_FOLDER.findall(path.read_bytes())}
        new = {folder for folder in named - folders if folder.is_dir()}
        folders |= new
        left += new
    return [*shared, *sorted(folders)]


@functools.cache
def sources_key(module: str) -> str:
    """Digest of the sources that a module's kernels may be made of, as this process found them first."""
    top, _, below = module.partition(".")
    if top != PACKAGE:
        return plug_in_digest(top)
    own = KERNELS / below.partition(".")[0]
    return source_digest(*kernel_sources(*([own] if own.is_dir() else [])))


@functools.cache
def plug_in_digest(top: str) -> str:
    """Digest of the sources of a top-level package or module from elsewhere, as this process found them first.

    SourcesError where there are none, as of ``__main__``: changes of them would not be noticed.
    """
    files, left, met = dict[str, str](), [top], {top, PACKAGE, PIPELINE}
    while left:
        here = _files(name := left.pop())
        files |= here
        contents = [_content(path) for path in here.values() if path.endswith(".py")]
        named = {one for one in _imported(contents) - met if _is_local(one)} | _written(contents, _beside(name))
        left += named - met
        met |= named
    if not files:
        raise SourcesError(f"{top}: its sources cannot be found, so that a change of them would not be noticed")
    library = source_digest(KERNELS, *map(Path, _places(PIPELINE)))
    return hashlib.sha256(f"{_digest(files)} {library}".encode()).hexdigest()


def _digest(files: Mapping[str, str]) -> str:
    digest = hashlib.sha256()
    for name, path in sorted(files.items()):
        digest.update(name.encode(errors="surrogateescape") + b"\0" + hashlib.sha256(_content(path)).digest())
    return digest.hexdigest()


def _content(path: str) -> bytes:
    return Path(path).read_bytes()


def _files(top: str) -> dict[str, str]:
    """The files of a top-level package or module that count, by names that are the same on every machine."""
    files: dict[str, str] = {}
    for number, place in enumerate(map(Path, _places(top))):
        if place.is_dir():
            files |= _walked(str(place), f"{top}/{number}")
        elif place.is_file():
            beside = (place.with_name(name.decode()) for name in FILE.findall(place.read_bytes()))
            files |= {path.name: str(path) for path in (place, *beside) if path.is_file()}
    configs = {path for path in files.values() if path.endswith(".toml") and _is_run_config(path, top)}
    if configs:
        sources = b"".join(_content(path) for path in files.values() if path.endswith(".py"))
        configs = {path for path in configs if Path(path).name.encode() not in sources}
    return {name: path for name, path in files.items() if path not in configs}


def _walked(folder: str, name: str, above: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """The files below a folder that count, by the names that they get; links are followed, but not in circles."""
    with os.scandir(folder) as found:
        there = list(found)
    real, names = os.path.realpath(folder), {entry.name for entry in there}
    # A folder that is asked for counts, whatever it holds; only those below it are passed over for their marks.
    if real in above or (above and any(marks <= names for marks in FOREIGN)):
        return
    for entry in there:
        if entry.name == "__pycache__" or entry.name.startswith(".") or entry.name.endswith(COMPILED):
            continue
        if entry.is_dir():
            yield from _walked(entry.path, f"{name}/{entry.name}", (*above, real))
        elif entry.is_file():
            yield f"{name}/{entry.name}", entry.path


def _is_run_config(path: str, top: str) -> bool:
    """True of a TOML file with a section of the run or of the space that is named like its package, and no others."""
    with contextlib.suppress(ValueError):
        document = tomllib.loads(_content(path).decode("utf-8-sig"))
        return document.keys() <= {"run", top} and all(isinstance(one, dict) for one in document.values())
    return False


def _imported(contents: Iterable[bytes]) -> set[str]:
    """The top-level names in import statements."""
    found: set[str] = set()
    for content in contents:
        # Lines that go on behind a backslash are joined first.
        lines = [line for line in content.replace(b"\\\n", b" ").split(b"\n") if b"import" in line]
        for package, modules in IMPORT.findall(b"\n".join(lines)):
            found |= {re.split(rb"[ .]", word.strip())[0].decode() for word in (package or modules).split(b",")}
    return found


def _written(contents: Iterable[bytes], names: Iterable[str]) -> set[str]:
    """The ones among these names that are a text, or the beginning of one: ``"barn"`` or ``f"barn.{animal}"``."""
    words = {name: name.encode() for name in names}
    there = ((name, content) for content in contents for name, word in words.items() if word in content)
    return {name for name, content in there if re.search(TEXT % words[name], content)}


def _places(name: str) -> list[str]:
    """The folders of a top-level package, or the file of a module; none of what is not there or no file."""
    with contextlib.suppress(ImportError, ValueError, AttributeError):  # of what hooks make of a name
        if name != "__main__" and (spec := importlib.util.find_spec(name)) is not None:
            return list(spec.submodule_search_locations or ([spec.origin] if spec.has_location and spec.origin else []))
    return []


def _is_local(name: str) -> bool:
    """True of a package or module that is neither part of Python nor installed, though another may lie before it."""
    if name in sys.stdlib_module_names or PathFinder.find_spec(name, LIBRARIES) is not None:
        return False
    places = _places(name)
    return bool(places) and not any(map(_is_installed, places))


def _is_installed(place: str) -> bool:
    path = Path(place).resolve()
    return path.is_relative_to(STANDARD) or not INSTALLED.isdisjoint(path.parts)


def _beside(top: str) -> set[str]:
    """The packages and modules beside one: in its folder, or of its distribution where it is installed.

    Others may be there or not, by the folder that a process was started in.
    """
    places = _places(top)
    if not any(map(_is_installed, places)):
        there = [path for place in places for path in Path(place).parent.iterdir()]
        modules = {inspect.getmodulename(path.name) or "" for path in there}
        return modules | {path.name for path in there if (path / "__init__.py").exists()}
    points = [point for point in entry_points(group=PLUG_INS) if point.module.partition(".")[0] == top]
    files = [file for point in points if point.dist is not None for file in point.dist.files or ()]
    return {file.parts[0].removesuffix(".py") for file in files}
