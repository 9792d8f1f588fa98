"""Has the kernels of spaces compiled once per host, before workers start.

A space says how in steps, each of which calls some of its kernels once; processes, one a core, take the steps of all
spaces. As long as the files are whole that :mod:`boardspace_kernels.kernel_cache` then notes, nothing is to be done.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import filelock

from boardspace.engine.machine import cpus
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import module_of, space_named
from boardspace.spec.space import SpaceConfig
from boardspace_kernels import kernel_cache
from boardspace_kernels.jit import require_compiler
from boardspace_kernels.sources import KERNELS, PACKAGE, SourcesError

ANSWER = "\0"
COMPILER = """
import gc
import sys
from boardspace.spec.registry import space_named
from boardspace_kernels import kernel_cache
gc.set_threshold(50_000)  # numba makes millions of objects, most of which stay: collections took a tenth of the time
try:
    for line in sys.stdin:
        space, step = line.split()
        space_named(space).warm_up_steps[step]()
        print(chr(0) + chr(0).join(map(str, kernel_cache.folders_in_use())), flush=True)
except Warning as warning:
    sys.exit(str(warning))
"""
LOCK = "lock"
Part = tuple[str, str]
"""A space, and the name of what only some configs need; without a name it is what all need."""


class CompileError(BoardspaceError):
    """The kernels of a space cannot be compiled or kept; the text says why."""


Needs = Mapping[str, Collection[str]]
"""Spaces by name, and the names of what each has to compile beside what it always has."""


def needs(configs: Mapping[str, SpaceConfig]) -> Needs:
    """Return the kernels that runs of these configs, by the names of their spaces, have to compile."""
    return {name: tuple(space_named(name).needed_warm_up(config)) for name, config in configs.items()}


def fill(spaces: Needs, report: Callable[[str], None] = lambda _: None) -> None:
    """Compile the kernels of these spaces, once per host: others wait and then load. CompileError where one fails.

    ``report`` hears of each space before it is compiled.
    """
    try:
        missing = _missing(spaces)
        for space in dict(missing):
            report(space)
        if missing:
            require_compiler()  # where that fails, no space is at fault
            with filelock.FileLock(kernel_cache.opened() / LOCK, mode=0o600):
                missing = _missing(spaces)  # another process may have done some
                for (space, part), folders in _compiled(missing).items():
                    others = {_folder(other) for other in spaces if other != space}
                    kernel_cache.complete(_folder(space), folders - others, part)
    except (kernel_cache.CacheError, SourcesError) as error:
        raise CompileError(str(error)) from error
    except OSError as error:
        raise CompileError(kernel_cache.unusable(error)) from error


def _missing(spaces: Needs) -> list[Part]:
    parts = [(space, part) for space, names in spaces.items() for part in ("", *names)]
    return [(space, part) for space, part in parts if not kernel_cache.is_complete(_folder(space), part)]


def _folder(space: str) -> Path:
    """The folder of a space's own kernels, or of the package of a space from elsewhere."""
    return kernel_cache.folder_of(f"{PACKAGE}.{space}" if (KERNELS / space).is_dir() else module_of(space))


def _compiled(parts: Sequence[Part]) -> dict[Part, set[Path]]:
    """Compile the kernels of these parts of spaces; the folders that each used."""
    steps = _Steps(parts)
    processes = min(cpus(), steps.left) if steps.left > 1 else steps.left  # asking for CPUs takes a tenth of a second
    with ThreadPoolExecutor(max(processes, 1)) as pool:
        for done in [pool.submit(steps.run) for _ in range(processes)]:
            done.result()
    return steps.folders


class _Steps:
    """Steps of several parts of spaces that nobody has taken yet, and the folders of kernels of those that are done."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._left: dict[str, list[tuple[Part, str]]] = {}
        for space, part in parts:
            steps = [part] if part else [step for step in space_named(space).warm_up_steps if step.isdigit()]
            self._left.setdefault(space, []).extend(((space, part), step) for step in steps)
        self._lock = threading.Lock()
        self.folders: dict[Part, set[Path]] = {part: set() for part in parts}

    @property
    def left(self) -> int:
        return sum(map(len, self._left.values()))

    def run(self) -> None:
        """Have a process of its own do one after the other, as long as there are any.

        It stays with a space while that has steps, since what two processes compile at once is compiled twice. Spaces
        with few steps come first, as these are long.
        """
        space = ""
        with closing(_Compiler()) as compiler:
            while True:
                with self._lock:
                    if not self._left.get(space):
                        left = (name for name, steps in self._left.items() if steps)
                        space = min(left, key=lambda name: len(self._left[name]), default="")
                    if not space:
                        return
                    part, step = self._left[space].pop(0)
                self.folders[part] |= compiler.compile(space, step)


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

    def compile(self, space: str, step: str) -> set[Path]:
        """Do a step of a space; return the folders of all kernels that the process has used by now."""
        output = []
        with suppress(BrokenPipeError):
            self._orders.write(f"{space} {step}\n")
            self._orders.flush()
        for line in self._answers:
            if line.startswith(ANSWER):
                return {Path(name) for name in line.rstrip("\n").split(ANSWER) if name}
            output.append(line)
        raise CompileError(f"the kernels of {space} cannot be compiled:\n{''.join(output)}")

    def close(self) -> None:
        with suppress(BrokenPipeError):
            self._orders.close()
        self._answers.close()
        self._process.wait()
