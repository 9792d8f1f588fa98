"""Klotski: farthest steps of groups of all depths; pairs are ordered pairs of layouts of a group.

As a program it turns the receipts of a whole run (``boardspace run klotski_farthest``) into the costs by which classes
are chosen and shards are planned::

    costs=pipeline/boardspace/spaces/klotski/parts/farthest/costs.toml
    python -m benchmarks.klotski_farthest outputs/klotski_farthest > $costs
"""

import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from benchmarks.harness import Job, benchmark
from boardspace.spaces.klotski.parts.farthest.costs import Cost
from boardspace.storage.run_folder import SpaceFolder
from boardspace_kernels.klotski.balls import SOURCES, WORDS
from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
from boardspace_kernels.klotski.farthest_steps import OrbitGraph, farthest, orbit_graph
from boardspace_kernels.klotski.group_graphs import group_graphs
from boardspace_kernels.klotski.passes import make_workspace, pull, search_pass, settle, start_pass


def _largest_group(name: ClassName) -> OrbitGraph:
    graphs = group_graphs(enumerate_layouts(name))
    return orbit_graph(graphs.graph_of(0), graphs.reflections.of_group(0))


def _farthest_steps_of(name: ClassName) -> Job:
    orbits = _largest_group(name)
    return lambda: int(farthest(orbits).steps.size ** 2)


@benchmark(unit="pairs", runs=3)
def classic_group_of_2_empty_cells() -> Job:
    return _farthest_steps_of(ClassName(5, 4, 1))


@benchmark(unit="pairs", runs=2)
def largest_group_of_3_empty_cells() -> Job:
    return _farthest_steps_of(ClassName(3, 7, 1))


@benchmark(unit="pairs", runs=2)
def a_group_of_5_empty_cells() -> Job:
    return _farthest_steps_of(ClassName(4, 3, 3))


@benchmark(unit="pairs", runs=2)
def a_group_of_7_empty_cells() -> Job:
    return _farthest_steps_of(ClassName(3, 3, 0))


@benchmark(unit="pairs", runs=2)
def a_group_of_10_empty_cells() -> Job:
    return _farthest_steps_of(ClassName(0, 6, 0))


class _Pass:
    """A pass from 512 layouts of a ball over the largest group, all of them searched: what the rest of a shallow group
    costs, without reflections."""

    def __init__(self) -> None:
        orbits = _largest_group(ClassName(2, 6, 1))
        self.graph = orbits.graph
        self.vertices = len(orbits.weight)
        self.sources = orbits.order[100 * SOURCES : 101 * SOURCES]
        self.weights = orbits.weight[self.sources]
        self.steps = np.zeros(self.vertices, dtype=np.uint16)
        self.counts = np.zeros(self.vertices, dtype=np.uint32)
        self.work = make_workspace(self.vertices)

    def run(self) -> int:
        """Search; returns the pairs."""
        search_pass(self.graph, self.sources, self.weights, self.steps, self.counts, self.work)
        return self.vertices * len(self.sources)

    def bytes_moved(self) -> int:
        """How many bytes of rows and neighbours a pass reads and writes, whether from memory or from a cache."""
        start_pass(self.graph, self.sources, self.weights, self.work)
        layer = worked = 0
        while active := int(pull(self.graph, self.work)):
            layer, worked = layer + 1, worked + active
            settle(self.graph, layer, self.steps, self.counts, self.work)
        degree = len(self.graph.indices) / self.vertices
        # pulled: its own row and its neighbours' read, one written; settled: two read, one written
        return int(worked * (8 * WORDS * (degree + 5) + 4 * degree))


@benchmark(unit="pairs", runs=3)
def one_pass_over_the_largest_group() -> Job:
    return _Pass().run


@benchmark(unit="bytes", runs=3)
def copying_memory() -> Job:
    source, target = np.ones(1 << 26), np.empty(1 << 26)

    def run() -> int:
        target[:] = source
        return source.nbytes + target.nbytes

    return run


@benchmark(unit="bytes", runs=3, baseline="copying_memory")
def bytes_of_one_pass_over_the_largest_group() -> Job:
    """16 to 20 bytes a pair; slower than copying, since neighbours' rows are asked for one by one."""
    one = _Pass()
    moved = one.bytes_moved()

    def run() -> int:
        one.run()
        return moved

    return run


def costs_of_run(root: Path) -> dict[str, Cost]:
    """Worker seconds of each class in a finished run."""
    folder = SpaceFolder(root, "klotski")
    seconds: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for kind, stage in enumerate(("farthest_outlines", "farthest_parts")):
        for receipt in folder.finished(stage).receipts:
            seconds[receipt.facts["class"]][kind] += receipt.seconds
    return {name: Cost(*spent) for name, spent in seconds.items()}


if __name__ == "__main__":
    print("# Seconds of one core for the farthest steps of each class, [outline, rest]: measured by a whole run")
    print("# (benchmarks/klotski_farthest.py).\n\n[seconds]")
    for class_name, cost in costs_of_run(Path(sys.argv[1])).items():
        print(f"{class_name} = [{cost.outline:.2f}, {cost.rest:.2f}]")
