"""Has the kernels of a space compiled once per host, before workers start.

A process of its own for each space, one a core at a time, calls each kernel once; then the space's folder of
:mod:`boardspace_kernels.kernel_cache` is complete. As long as its files are whole, nothing is to be done.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import filelock

from boardspace.engine.machine import cpus
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import module_of
from boardspace_kernels import kernel_cache
from boardspace_kernels.jit import require_compiler
from boardspace_kernels.sources import KERNELS, PACKAGE, SourcesError

WARM_UP = """
import sys
from boardspace.spec.registry import space_named
space_named(sys.argv[1]).warm_up()
"""
LOCK = "lock"


class CompileError(BoardspaceError):
    """The kernels of a space cannot be compiled or kept; the text says why."""


def fill(spaces: Sequence[str], report: Callable[[str], None] = lambda _: None) -> None:
    """Compile the kernels of these spaces, once per host: others wait and then load. CompileError where one fails.

    ``report`` hears of each space before it is compiled.
    """
    try:
        missing = _missing(spaces)
        for space in missing:
            report(space)
        if missing:
            require_compiler()  # where that fails, no space is at fault
            with filelock.FileLock(kernel_cache.opened() / LOCK, mode=0o600), ThreadPoolExecutor(cpus()) as pool:
                missing = _missing(missing)  # another process may have done some
                list(pool.map(_warm_up, missing))
                for space in missing:
                    kernel_cache.complete(_folder(space))
    except (kernel_cache.CacheError, SourcesError) as error:
        raise CompileError(str(error)) from error
    except OSError as error:
        raise CompileError(
            f"{kernel_cache.home()}: compiled kernels cannot be kept there ({error.strerror or error}); "
            f"free some space, or set {kernel_cache.VARIABLE} to another folder"
        ) from error


def _missing(spaces: Sequence[str]) -> list[str]:
    return [space for space in spaces if not kernel_cache.is_complete(_folder(space))]


def _folder(space: str) -> Path:
    """The folder of a space's own kernels, or of the module of a space from elsewhere."""
    return kernel_cache.folder_of(f"{PACKAGE}.{space}" if (KERNELS / space).is_dir() else module_of(space))


def _warm_up(space: str) -> None:
    """Call every kernel of a space once, in another process."""
    search = os.pathsep.join(path or os.curdir for path in sys.path)
    done = subprocess.run(
        [sys.executable, "-P", "-W", "error:kernels are compiled anew", "-c", WARM_UP, space],
        env={**os.environ, "PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CompileError(f"the kernels of {space} cannot be compiled:\n{done.stderr}")
