"""Questions about one layout, answered on the fly from its class: no dataset is needed.

A class is enumerated in well under a second, its distances from one layout in some milliseconds.

Every stage that works on a class enumerates it anew: the stage ``classes``, the net, the outlines of farthest steps,
their parts and their merging. That costs about 0.1 s for a million layouts, 3 s for all of them; to write and map
codes, addresses and groups (18 bytes a layout, and the tables of each class) would cost more, would make the stages
wait for one another, and would keep half a gigabyte until the last of them.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski.texts import LayoutError, class_of
from boardspace.spec.errors import NothingFoundError
from boardspace_kernels.klotski.classes import ClassLayouts, ClassName, class_names, enumerate_layouts
from boardspace_kernels.klotski.distances import distances, moves_to_exit
from boardspace_kernels.klotski.group_graphs import group_graph, group_graphs
from boardspace_kernels.klotski.moves import STEP
from boardspace_kernels.klotski.scan import Scan, rank, space_scan, unrank
from boardspace_kernels.klotski.step_graph import Graph


def code_of_id(layout_id: int) -> int:
    """The code of the layout with this id; LayoutError where there is none."""
    scan = space_scan()
    if not 0 <= layout_id < scan.size:
        raise LayoutError(f"there is no layout {layout_id:,}; ids go from 0 to {scan.size - 1:,}")
    return int(unrank(scan, np.array([layout_id], dtype=np.uint32))[0])


def random_code(seed: int | None) -> int:
    """The code of a layout drawn with equal chances from all."""
    return code_of_id(random.Random(seed).randrange(space_scan().size))


def code_of_name(jiang: int, bing: int, style: int, group: int, index: int) -> int:
    """The code of the layout with this name; LayoutError says which part of the name is out of range."""
    layouts = layouts_of(ClassName(jiang, bing, style))
    sizes = layouts.groups.sizes
    if group >= len(sizes):
        raise LayoutError(f"class {jiang}-{bing}-{style} has {len(sizes)} groups, numbered from 0; there is no {group}")
    if index >= sizes[group]:
        raise LayoutError(f"group {group} has {sizes[group]} layouts, numbered from 0; there is no {index}")
    members = np.flatnonzero(layouts.groups.group_num == group)
    return int(layouts.codes[members[index]])


def layouts_of(name: ClassName) -> ClassLayouts:
    """All layouts of a class; LayoutError where it has none."""
    layouts = enumerate_layouts(name) if name in class_names() else None
    if layouts is None or not len(layouts.codes):
        raise LayoutError(f"class {name} has no layout")
    return layouts


@dataclass(frozen=True, eq=False)
class LayoutInClass:
    """A layout among those of its class: its group, and all distances from it in steps."""

    code: int

    @cached_property
    def name(self) -> ClassName:
        """Its class."""
        return ClassName(*class_of(self.code))

    @cached_property
    def layouts(self) -> ClassLayouts:
        """All layouts of its class, in order of codes."""
        return layouts_of(self.name)

    @cached_property
    def row(self) -> int:
        """Its number in the class, in order of codes."""
        return int(np.searchsorted(self.layouts.codes, np.uint64(self.code)))

    @property
    def group(self) -> int:
        """Number of its group."""
        return int(self.layouts.groups.group_num[self.row])

    @property
    def index(self) -> int:
        """Its number in the group."""
        return int(self.layouts.groups.group_index[self.row])

    @property
    def layout_id(self) -> int:
        """Its rank among all layouts."""
        scan: Scan = space_scan()
        return int(rank(scan, np.array([self.code], dtype=np.uint64))[0])

    @cached_property
    def codes(self) -> NDArray[np.uint64]:
        """The layouts of its group, in order of codes."""
        return self.layouts.codes[self.layouts.groups.group_num == self.group]

    @property
    def at_exit(self) -> NDArray[np.bool_]:
        """True for layouts of its group with the block at the exit."""
        return self.layouts.at_exit[self.layouts.groups.group_num == self.group]

    @cached_property
    def graph(self) -> Graph:
        """The steps of its group."""
        return group_graph(self.layouts, self.group)

    @cached_property
    def steps(self) -> NDArray[np.int16]:
        """Distance from it to every layout of its group, in order of codes."""
        return distances(self.graph, np.arange(len(self.codes)) == self.index)

    def layer_sizes(self) -> list[int]:
        """Numbers of layouts that are 0, 1, 2, ... steps away."""
        return np.bincount(self.steps).tolist()

    def farthest(self) -> list[int]:
        """Codes of the layouts of the last layer, ascending."""
        return self.codes[self.steps == self.steps.max()].tolist()

    @property
    def steps_to_exit(self) -> int | None:
        """Steps to the nearest layout with the block at the exit; None where there is none."""
        return min(self.steps[self.at_exit].tolist(), default=None)

    def solutions(self) -> list[tuple[int, int]]:
        """Steps and code of all its solutions, ascending: the layouts at the exit with no other, nor itself, on any
        shortest path to them."""
        start, end, at_exit = self._origins(), self.graph.indices, self.at_exit
        forward = self.steps[end] > self.steps[start]
        start, end = start[forward], end[forward]
        shadowed = np.zeros(len(self.codes), dtype=np.bool_)
        by_step = np.argsort(self.steps[start], kind="stable")
        for layer in np.split(by_step, np.flatnonzero(np.diff(self.steps[start[by_step]])) + 1):
            passed_on = shadowed[start[layer]] | at_exit[start[layer]]
            shadowed[end[layer][passed_on]] = True
        return self._by_step(at_exit & ~shadowed)

    def end_points(self) -> list[tuple[int, int]]:
        """Steps and code of the layouts of its group with no neighbour in the next layer, ascending."""
        start = self._origins()
        is_end = np.ones(len(self.codes), dtype=np.bool_)
        is_end[start[self.steps[self.graph.indices] > self.steps[start]]] = False
        return self._by_step(is_end)

    def _origins(self) -> NDArray[np.int64]:
        """The layout that each step of the graph begins at."""
        return np.repeat(np.arange(len(self.codes)), np.diff(self.graph.indptr))

    def _by_step(self, chosen: NDArray[np.bool_]) -> list[tuple[int, int]]:
        return sorted(zip(self.steps[chosen].tolist(), self.codes[chosen].tolist(), strict=True))


def hardest(jiang: int, bing: int, style: int) -> tuple[int, list[int]]:
    """Return the most steps to the exit of a class, and the codes that need so many.

    LayoutError where it has no layout, NothingFoundError where it has none with the block at the exit.
    """
    name = ClassName(jiang, bing, style)
    layouts = layouts_of(name)
    if not layouts.at_exit.any():
        raise NothingFoundError(f"class {name} has no layout with the block at the exit")
    graphs = group_graphs(layouts)
    steps = moves_to_exit(layouts, graphs, STEP)
    return int(steps.max()), np.sort(layouts.codes[graphs.order[steps == steps.max()]]).tolist()


def class_named(text: str) -> ClassName:
    """Return the class of a name such as 5-4-1."""
    return ClassName(*map(int, text.split("-")))


def enumerated(text: str) -> ClassLayouts:
    """Enumerate the class of a name such as 5-4-1."""
    return enumerate_layouts(class_named(text))


def of_class(name: ClassName, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of groups of one class, by name, with the numbers of the class before them."""
    count = len(columns["group_num"])
    return {f"{kind}_num": np.full(count, value) for kind, value in name._asdict().items()} | dict(columns)
