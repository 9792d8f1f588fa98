"""Has the kernels of a space compiled once per host, before workers start.

A process of its own calls each kernel once; what it loaded or wrote is listed in a manifest beside the code. As long as
the sources are the same and the files listed are whole, nothing is to be done. The files themselves are those of
:mod:`boardspace.kernel_cache`.
"""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import filelock

from boardspace import kernel_cache
from boardspace.kernel_cache import KERNELS, CacheError, source_digest
from boardspace.pipeline.errors import BoardspaceError
from boardspace.pipeline.machine import cpus
from boardspace.pipeline.registry import module_of

WARM_UP = """
import json, sys
from boardspace import kernel_cache
from boardspace.pipeline.registry import space_named
space_named(sys.argv[1]).warm_up()
print(json.dumps(sorted(kernel_cache.used)))
"""
SPACES = Path(__file__).resolve().parent / "spaces"


class CompileError(BoardspaceError):
    """The kernels of a space cannot be compiled or kept; the text says why."""


def space_sources(space: str) -> str:
    """Digest of the sources that decide a space's results: its kernels, the shared ones, its own module.

    For a space from elsewhere it is everything its module imports that is no installed library.
    """
    module = SPACES / space
    if module_of(space) != f"boardspace.pipeline.spaces.{space}":
        return kernel_cache.plug_in_digest(module_of(space))
    roots = [*sorted(KERNELS.glob("*.py")), KERNELS / space, module, module.with_suffix(".py")]
    return source_digest(*(root for root in roots if root.exists()))


def fill(spaces: Sequence[str], report: Callable[[str], None] = lambda _: None) -> None:
    """Compile the kernels of these spaces, once per host: others wait and then load. CompileError where one fails.

    Each space has a process of its own, so that two are compiled at a time on two cores. ``report`` hears of each space
    before it is compiled.
    """
    try:
        folder = kernel_cache.opened()
        missing = [space for space in spaces if not _is_filled(folder, space)]
        if not missing:
            return
        with ThreadPoolExecutor(cpus()) as pool:
            for space in missing:
                report(space)
            # the largest first, so that two cores finish together
            list(pool.map(lambda s: _fill(folder, s), sorted(missing, key=_source_bytes, reverse=True)))
    except CacheError as error:
        raise CompileError(str(error)) from error
    except OSError as error:
        raise CompileError(
            f"{kernel_cache.home()}: compiled kernels cannot be kept there ({error.strerror or error}); "
            f"free some space, or set {kernel_cache.VARIABLE} to another folder"
        ) from error


def _fill(folder: Path, space: str) -> None:
    manifest = _manifest(folder, space)
    with filelock.FileLock(manifest.with_suffix(".lock"), mode=0o600):
        if not _is_filled(folder, space):  # another process may have done it meanwhile
            kernel_cache.write(manifest, json.dumps(_warm_up(space), indent=1).encode())


def _is_filled(folder: Path, space: str) -> bool:
    files = _read_manifest(_manifest(folder, space))
    return files is not None and all(kernel_cache.is_whole(name, folder) for name in files)


def _warm_up(space: str) -> list[str]:
    """Call every kernel once, in another process; the names of the files it used."""
    search = os.pathsep.join(path or os.curdir for path in sys.path)
    done = subprocess.run(
        [sys.executable, "-W", "error:kernels are compiled anew", "-c", WARM_UP, space],
        env={**os.environ, "PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CompileError(f"the kernels of {space} cannot be compiled:\n{done.stderr}")
    files: list[str] = json.loads(done.stdout.splitlines()[-1])
    return files


def _source_bytes(space: str) -> int:
    return sum(path.stat().st_size for path in (KERNELS / space).glob("*.py"))


def _manifest(folder: Path, space: str) -> Path:
    """Of a space as its sources are today, on this host; a change of them, or another checkout, has one of its own."""
    return folder / f"{platform.node()}-{space}-{space_sources(space)[:24]}.json"


def _read_manifest(path: Path) -> list[str] | None:
    try:
        files = json.loads(kernel_cache.read(path) or b"null")
    except (ValueError, RecursionError):
        return None
    return files if isinstance(files, list) and all(isinstance(name, str) for name in files) else None
