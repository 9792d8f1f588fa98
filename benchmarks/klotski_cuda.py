"""Klotski on an NVIDIA GPU: pairs of layouts by distance of the largest group of some classes, against one core.

A program of its own, since the other benchmarks need no GPU (``pip install boardspace[cuda]``)::

    python -m benchmarks.klotski_cuda

It prints the card, and for each group the seconds and pairs a second of the card for all its orbits, those of a core
for 512 of them, and whether both found the same for these.
"""

import time

import numpy as np
from numba import cuda

from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
from boardspace_kernels.klotski.cuda import search_counted
from boardspace_kernels.klotski.farthest import pairs
from boardspace_kernels.klotski.farthest.rows import SOURCES
from boardspace_kernels.klotski.farthest.steps import orbit_graph
from boardspace_kernels.klotski.group_graphs import group_graphs

CLASSES = (ClassName(5, 4, 1), ClassName(3, 3, 0), ClassName(0, 6, 0), ClassName(2, 5, 1))


def measure(name: ClassName) -> str:
    """The line of a class; both are called once before, to be compiled."""
    graphs = group_graphs(enumerate_layouts(name))
    orbits = orbit_graph(graphs.graph_of(0), graphs.reflections.of_group(0))
    some = orbits.order[:SOURCES]
    (expected, expected_pairs), (found, found_pairs) = pairs.search_counted(orbits, some), search_counted(orbits, some)
    same = (
        np.array_equal(expected.steps, found.steps)
        and np.array_equal(expected.counts, found.counts)
        and np.array_equal(expected_pairs, found_pairs)
    )
    began = time.perf_counter()
    pairs.search_counted(orbits, some)
    core = time.perf_counter() - began
    began = time.perf_counter()
    search_counted(orbits, orbits.order)
    card = time.perf_counter() - began
    layouts = len(orbits.weight)
    return (
        f"{name}: {layouts:,} layouts; card {card:.2f} s, {layouts * len(orbits.order) / card:.3g} pairs a second; "
        f"core {layouts * len(some) / core:.3g}; {'the same' if same else 'NOT THE SAME'}"
    )


if __name__ == "__main__":
    device = cuda.get_current_device()
    print(device.name.decode() if isinstance(device.name, bytes) else device.name)
    for class_name in CLASSES:
        print(measure(class_name), flush=True)
