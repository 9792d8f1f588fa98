"""Time to an answer: a new process for each, kernels compiled before. The interpreter alone is the baseline."""

import subprocess
import sys
from functools import partial

from benchmarks.harness import Job, benchmark

COMMAND = ("-m", "boardspace")


def _process(*arguments: str) -> int:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return 1


@benchmark(unit="processes")
def python_alone() -> Job:
    """An interpreter that does nothing."""
    return partial(_process, "-c", "pass")


@benchmark(unit="processes", baseline="python_alone")
def import_boardspace() -> Job:
    """The package without its parts."""
    return partial(_process, "-c", "import boardspace")


@benchmark(unit="processes")
def import_numba() -> Job:
    """The least that a question to a kernel takes, before its first kernel is loaded."""
    return partial(_process, "-c", "import numba")


@benchmark(unit="processes", baseline="python_alone")
def show_help() -> Job:
    """The list of commands."""
    return partial(_process, *COMMAND, "--help")


@benchmark(unit="processes", baseline="import_numba")
def klotski_neighbours() -> Job:
    """A question without kernels."""
    return partial(_process, *COMMAND, "klotski", "neighbours", "1A9BF0C")


@benchmark(unit="processes", baseline="import_numba")
def rectangle_value() -> Job:
    """A question without kernels."""
    return partial(_process, *COMMAND, "rectangle", "1000", "1000")


@benchmark(unit="processes", baseline="import_numba")
def klotski_solve() -> Job:
    """A question to kernels: a class of 65,880 layouts is enumerated and searched."""
    return partial(_process, *COMMAND, "klotski", "solve", "1A9BF0C")


@benchmark(unit="processes", baseline="import_numba")
def tromino_cover() -> Job:
    """A question to one small kernel."""
    return partial(_process, *COMMAND, "tromino", "4", "5", "11")
