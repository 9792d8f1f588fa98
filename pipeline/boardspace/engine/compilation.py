"""Has the kernels of spaces compiled once per host, before workers start.

A space says how in steps, each of which calls some of its kernels once; processes, one a core, take the steps of all
spaces. As long as the files are whole that :mod:`boardspace_kernels.kernel_cache` then notes, nothing is to be done.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import filelock

from boardspace.engine.machine import cpus
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import module_of, space_named
from boardspace_kernels import kernel_cache
from boardspace_kernels.jit import require_compiler
from boardspace_kernels.sources import KERNELS, PACKAGE, SourcesError

ANSWER = "\0"
COMPILER = """
import sys
from boardspace.spec.registry import space_named
from boardspace_kernels import kernel_cache
try:
    for line in sys.stdin:
        space, number = line.split()
        space_named(space).warm_up_steps[int(number)]()
        print(*["", *kernel_cache.folders_in_use()], sep=chr(0), flush=True)
except Warning as warning:
    sys.exit(str(warning))
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
            with filelock.FileLock(kernel_cache.opened() / LOCK, mode=0o600):
                missing = _missing(missing)  # another process may have done some
                for space, folders in _compiled(missing).items():
                    others = {_folder(other) for other in missing if other != space}
                    kernel_cache.complete(_folder(space), folders - others)
    except (kernel_cache.CacheError, SourcesError) as error:
        raise CompileError(str(error)) from error
    except OSError as error:
        raise CompileError(kernel_cache.unusable(error)) from error


def _missing(spaces: Sequence[str]) -> list[str]:
    return [space for space in spaces if not kernel_cache.is_complete(_folder(space))]


def _folder(space: str) -> Path:
    """The folder of a space's own kernels, or of the package of a space from elsewhere."""
    return kernel_cache.folder_of(f"{PACKAGE}.{space}" if (KERNELS / space).is_dir() else module_of(space))


def _compiled(spaces: Sequence[str]) -> dict[str, set[Path]]:
    """Compile the kernels of these spaces; the folders that each used."""
    steps = _Steps(spaces)
    processes = min(cpus(), steps.left)
    with ThreadPoolExecutor(max(processes, 1)) as pool:
        for done in [pool.submit(steps.run) for _ in range(processes)]:
            done.result()
    return steps.folders


class _Steps:
    """Steps of several spaces that nobody has taken yet, and the folders of kernels of those that are done."""

    def __init__(self, spaces: Sequence[str]) -> None:
        self._left = {space: list(range(len(space_named(space).warm_up_steps))) for space in spaces}
        self._lock = threading.Lock()
        self.folders: dict[str, set[Path]] = {space: set() for space in spaces}

    @property
    def left(self) -> int:
        """How many there are."""
        return sum(map(len, self._left.values()))

    def run(self) -> None:
        """Have a process of its own do one after the other, as long as there are any.

        It stays with a space while that has steps, since what two processes compile at once is compiled twice.
        """
        space = ""
        with closing(_Compiler()) as compiler:
            while True:
                with self._lock:
                    if not self._left.get(space):
                        space = max(self._left, key=lambda name: len(self._left[name]))
                    if not self._left[space]:
                        return
                    number = self._left[space].pop(0)
                self.folders[space] |= compiler.compile(space, number)


class _Compiler:
    """Process that does steps. What it says besides its answers, each a line that begins with a sign that no text has,
    is the reason where it ends before its time."""

    def __init__(self) -> None:
        search = os.pathsep.join(path or os.curdir for path in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-W", "error:kernels are compiled anew", "-c", COMPILER],
            env={**os.environ, "PYTHONPATH": search, "PYTHONIOENCODING": "utf-8:surrogateescape"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="surrogateescape",
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._orders, self._answers = self._process.stdin, self._process.stdout

    def compile(self, space: str, number: int) -> set[Path]:
        """Do a step of a space; return the folders of all kernels that the process has used by now."""
        output = []
        with suppress(BrokenPipeError):
            self._orders.write(f"{space} {number}\n")
            self._orders.flush()
        for line in self._answers:
            if line.startswith(ANSWER):
                return set(map(Path, line.rstrip("\n").split(ANSWER)[1:]))
            output.append(line)
        raise CompileError(f"the kernels of {space} cannot be compiled:\n{''.join(output)}")

    def close(self) -> None:
        """End the process."""
        with suppress(BrokenPipeError):
            self._orders.close()
        self._answers.close()
        self._process.wait()
