"""Has the kernels of a space compiled once per host, before workers start.

Processes of their own, one a core, call each kernel once; what they loaded or wrote by then is listed in a manifest of
each space, beside the code. As long as the sources are the same and the files listed are whole, nothing is to be done.
The files themselves are those of :mod:`boardspace_kernels.kernel_cache`.
"""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import filelock

from boardspace.engine.machine import cpus
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import module_of
from boardspace_kernels import kernel_cache
from boardspace_kernels.kernel_cache import KERNELS, CacheError, source_digest

WARM_UP = """
import json, sys
from boardspace_kernels import kernel_cache
from boardspace.spec.registry import space_named
for name in sys.argv[1:]:
    space_named(name).warm_up()
    print(json.dumps(sorted(kernel_cache.used)), flush=True)
"""
SPACES = Path(__file__).resolve().parents[1] / "spaces"


class CompileError(BoardspaceError):
    """The kernels of a space cannot be compiled or kept; the text says why."""


def space_sources(space: str) -> str:
    """Digest of the sources that decide a space's results: its kernels, the shared ones, its own module.

    For a space from elsewhere it is everything its module imports that is no installed library.
    """
    module = SPACES / space
    if module_of(space) != f"boardspace.spaces.{space}":
        return kernel_cache.plug_in_digest(module_of(space))
    roots = [*sorted(KERNELS.glob("*.py")), KERNELS / space, module, module.with_suffix(".py")]
    return source_digest(*(root for root in roots if root.exists()))


def fill(spaces: Sequence[str], report: Callable[[str], None] = lambda _: None) -> None:
    """Compile the kernels of these spaces, once per host: others wait and then load. CompileError where one fails.

    The spaces are shared out to a process a core, since what is numba's own, such as making an array, is compiled anew
    by each process. ``report`` hears of each space before it is compiled.
    """
    try:
        folder = kernel_cache.opened()
        missing = [space for space in spaces if not _is_filled(folder, space)]
        if not missing:
            return
        for space in missing:
            report(space)
        groups = _shared_out(missing, cpus())
        with ThreadPoolExecutor(len(groups)) as pool:
            list(pool.map(lambda group: _fill(folder, group), groups))
    except CacheError as error:
        raise CompileError(str(error)) from error
    except OSError as error:
        raise CompileError(
            f"{kernel_cache.home()}: compiled kernels cannot be kept there ({error.strerror or error}); "
            f"free some space, or set {kernel_cache.VARIABLE} to another folder"
        ) from error


def _shared_out(spaces: Sequence[str], processes: int) -> list[list[str]]:
    """The spaces in at most so many groups, of about as many kernels: the largest first, each to the least group."""
    groups: list[list[str]] = [[] for _ in range(min(processes, len(spaces)))]
    kernels = {space: _kernels_in(space) for space in spaces}
    for space in sorted(spaces, key=lambda space: -kernels[space]):
        min(groups, key=lambda group: sum(kernels[other] for other in group)).append(space)
    return groups


def _fill(folder: Path, spaces: Sequence[str]) -> None:
    manifests = {space: _manifest(folder, space) for space in spaces}
    with ExitStack() as locks:
        for manifest in sorted(manifests.values()):  # in one order everywhere, so that nobody waits in a circle
            locks.enter_context(filelock.FileLock(manifest.with_suffix(".lock"), mode=0o600))
        missing = [space for space in spaces if not _is_filled(folder, space)]  # another process may have done some
        for space, files in zip(missing, _warm_up(missing), strict=True):
            kernel_cache.write(manifests[space], json.dumps(files, indent=1).encode())


def _is_filled(folder: Path, space: str) -> bool:
    files = _read_manifest(_manifest(folder, space))
    return files is not None and all(kernel_cache.is_whole(name, folder) for name in files)


def _warm_up(spaces: Sequence[str]) -> list[list[str]]:
    """Call every kernel of these spaces once, in another process; the names of the files it had used after each."""
    if not spaces:
        return []
    search = os.pathsep.join(path or os.curdir for path in sys.path)
    done = subprocess.run(
        [sys.executable, "-P", "-W", "error:kernels are compiled anew", "-c", WARM_UP, *spaces],
        env={**os.environ, "PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )
    used: list[list[str]] = [json.loads(line) for line in done.stdout.splitlines()[-len(spaces) :]]
    if done.returncode:
        raise CompileError(f"the kernels of {spaces[len(used)]} cannot be compiled:\n{done.stderr}")
    return used


def _kernels_in(space: str) -> int:
    return sum(path.read_text(encoding="utf-8").count("\n@kernel") for path in (KERNELS / space).rglob("*.py"))


def _manifest(folder: Path, space: str) -> Path:
    """Of a space as its sources are today, on this host; a change of them, or another checkout, has one of its own."""
    return folder / f"{platform.node()}-{space}-{space_sources(space)[:24]}.json"


def _read_manifest(path: Path) -> list[str] | None:
    try:
        files = json.loads(kernel_cache.read(path) or b"null")
    except (ValueError, RecursionError):
        return None
    return files if isinstance(files, list) and all(isinstance(name, str) for name in files) else None
