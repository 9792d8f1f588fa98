"""Runs on an NVIDIA GPU against runs on cores: kernels, then whole commands, with their bytes compared.

A program of its own, since the other benchmarks need no GPU (``pip install boardspace[cuda]``)::

    python -m benchmarks.gpu                              # kernels against one core: a minute or two
    python -m benchmarks.gpu klotski_distances rush_hour  # these configs as commands, on the GPU, then without

The first prints for each case the seconds of the card, of one core for a part of the work, and whether both found the
same. The second prints the seconds of each command on the wall, how many shards the card computed, and whether the
datasets have the same bytes; it takes as long as the runs without a GPU do, on all cores.
"""

import filecmp
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from boardspace.engine.gpu import gpu_for
from boardspace.storage.receipts import StageRecord
from boardspace.storage.records import read_record
from boardspace_kernels.klotski.balls import SOURCES
from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
from boardspace_kernels.klotski.farthest_steps import orbit_graph, search_counted
from boardspace_kernels.klotski.group_graphs import group_graphs
from boardspace_kernels.rush_hour import search
from boardspace_kernels.rush_hour.figures import BOARDS
from boardspace_kernels.rush_hour.lines import lines

CLASSES = (ClassName(5, 4, 1), ClassName(3, 3, 0), ClassName(0, 6, 0), ClassName(2, 5, 1))
EVERY = 1009
"""Every so-many-th label of 6 x 6: one shard."""


def seconds(call: Callable[[], Any]) -> tuple[float, Any]:
    """Time of a call, which was made once before, to be compiled, and its result."""
    call()
    began = time.perf_counter()
    result = call()
    return time.perf_counter() - began, result


def line(what: str, card: float, on_card: int, core: float, on_core: int, same: bool) -> str:
    """The line of a case: what was done on the card and on a core in so many seconds."""
    rates = f"card {card:.2f} s, {on_card / card:.3g} a second; core {on_core / core:.3g} a second"
    return f"{what}: {rates}; {'the same' if same else 'NOT THE SAME'}"


def klotski(name: ClassName) -> str:
    """Pairs of the largest group of a class: all of them on the card, those from 512 orbits on a core."""
    from boardspace_kernels.klotski import cuda  # needs a GPU

    graphs = group_graphs(enumerate_layouts(name))
    orbits = orbit_graph(graphs.graph_of(0), graphs.reflections.of_group(0))
    layouts, some = len(orbits.weight), orbits.order[:SOURCES]
    core, expected = seconds(lambda: search_counted(orbits, some))
    found = cuda.search_counted(orbits, some)
    same = same_arrays((*expected[0], expected[1]), (*found[0], found[1]))
    card, _ = seconds(lambda: cuda.search_counted(orbits, orbits.order))
    every = layouts * len(orbits.order)
    return line(f"klotski {name}, {layouts:,} layouts, pairs", card, every, core, layouts * len(some), same)


def rush_hour(side: int) -> str:
    """Boards of every 1009th label of a side of 6 x 6."""
    from boardspace_kernels.rush_hour import cuda  # needs a GPU

    tables = lines(6, 2)
    labels = np.arange(0, search.labels_of(tables, side), EVERY)
    core, expected = seconds(lambda: search.search_labels(tables, side, labels, 25))
    card, found = seconds(lambda: cuda.search_labels(tables, side, labels, 25))
    boards = int(expected.labels[:, BOARDS].sum())
    return line(f"rush_hour side {side}, boards", card, boards, core, boards, same_arrays(expected, found))


def same_arrays(expected: Sequence[Any], found: Sequence[Any]) -> bool:
    """Return whether two sequences hold the same arrays."""
    return all(np.array_equal(one, other) for one, other in zip(expected, found, strict=True))


def run(config: str, use: str, folder: Path) -> float:
    """Run a config with or without a GPU; the seconds on the wall."""
    began = time.perf_counter()
    subprocess.run(
        ["boardspace", "run", config, "--out", str(folder), "--set", f'run.gpu="{use}"'], check=True, stdout=sys.stderr
    )
    return time.perf_counter() - began


def compared(config: str) -> str:
    """The line of a config, run both ways."""
    with tempfile.TemporaryDirectory() as scratch:
        card, cores = (Path(scratch) / name for name in ("card", "cores"))
        times = run(config, "only", card), run(config, "no", cores)
        records = (read_record(path, StageRecord) for path in card.glob(".run/*/stages/*.json"))
        shards = sum(bool(receipt.gpu) for record in records if record for receipt in record.receipts)
        files = [path.relative_to(card) for path in card.rglob("*") if path.is_file() and ".run" not in path.parts]
        files = [path for path in files if path.name != "plan.json"]
        differing = [path for path in files if not filecmp.cmp(card / path, cores / path, shallow=False)]
        same = f"NOT THE SAME: {differing[0]}" if differing else f"{len(files)} files are the same"
        return f"{config}: {times[0]:.1f} s with {shards} shards on the card, {times[1]:.1f} s without; {same}"


if __name__ == "__main__":
    gpu = gpu_for("only")
    assert gpu is not None
    with gpu:
        print(gpu.card)
        if not sys.argv[1:]:
            for name in CLASSES:
                print(klotski(name), flush=True)
            for side in range(2):
                print(rush_hour(side), flush=True)
    for config in sys.argv[1:]:
        print(compared(config), flush=True)
