"""Whole runs of puzzles in CPU seconds: ``python -m benchmarks.puzzles [NAME ...]``.

Each row is a command as a user gives it, tables, arrays and claims included, in one process; the second of two, so
that kernels are compiled. ``skeleton`` is the first run of a new space of kind graph, whose rules are compiled
in it, and the library's kernels not. Wall time says little where other programs run.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@dataclass(frozen=True)
class Run:
    """A run of an example.

    config: its section; states: of all cases together.
    """

    config: str
    states: int


RUNS = {
    "pocket_cube": Run("[pocket_cube]", 2 * 3_674_160),
    "tiles": Run("[tiles]\nframes = [[3, 4]]", 2 * 239_500_800),
    "rush_hour_5": Run("[rush_hour_5]\nboards = [[5, 2]]", 11_889_592),
    "lights_out": Run("[lights_out]", 8_388_608),
}


def measured(command: list[str], folder: Path, plugin: str) -> tuple[float, float]:
    """CPU and wall seconds of a command and its children."""
    paths = os.pathsep.join([str(EXAMPLES), str(folder)])
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": paths, "BOARDSPACE_SPACES": plugin}
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.perf_counter() - begun


def show(name: str) -> None:
    """Measure one row and print it."""
    boardspace = [sys.executable, "-m", "boardspace"]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        if name == "skeleton":
            measured([*boardspace, "new-space", "small_puzzle", "--kind", "graph", "--out", "."], folder, "")
            cpu, wall = measured(
                [*boardspace, "run", "small_puzzle.toml", "--out", "out", "--quiet"], folder, "small_puzzle"
            )
            print(f"{name:12} {cpu:8.1f} CPU s {wall:8.1f} s")
            return
        run = RUNS[name]
        (folder / "config.toml").write_text(run.config)
        for out in ("first", "second"):
            command = ["run", "config.toml", "--out", out, "--workers", "0", "--quiet"]
            cpu, wall = measured([*boardspace, *command], folder, name)
        print(f"{name:12} {cpu:8.1f} CPU s {wall:8.1f} s {run.states / cpu:14,.0f} states a core second")


if __name__ == "__main__":
    for chosen in sys.argv[1:] or [*RUNS, "skeleton"]:
        show(chosen)
