"""The net checked by hand: neighbours of some layouts, and cuts and bridges of drawn classes."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.rules import BOARD, Layouts, codes_of, ranks
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.equations import Tried
from boardspace.spec.space import Draw, Inputs, Outcome, outcome
from boardspace.verify.folds import Graph
from boardspace.verify.one_class import Class

BY_HAND = 300
"""Layouts whose steps are made by hand."""


def check_neighbours(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Neighbours of some layouts made by hand, their ids counted by filling the board."""
    if not config.net:
        return Outcome(0, 0)
    starts, offsets = inputs.array("neighbour_start"), inputs.array("neighbours")
    main = inputs.table("main", columns=["layout_id", "code"])
    chosen = main.take(draw.choose(main.num_rows, BY_HAND)).to_pylist()
    layouts, end = Layouts(np.array([row["code"] for row in chosen], np.uint64)), int(starts[-1])
    around = [sorted(codes_of(BOARD, [*BOARD.beside(layouts.layout(n))]).tolist()) for n in range(len(chosen))]
    codes = np.array(sorted({code for some in around for code in some}), np.uint64)
    id_of = dict(zip(codes.tolist(), ranks(Layouts(codes)).tolist(), strict=True))

    def faults() -> Iterator[str]:
        """Yield the fault of each thing that is looked at, '' where it is right."""
        if end != offsets.shape[0]:
            yield f"neighbours end at {end}, the array holds {offsets.shape[0]}"
        for row, neighbours in zip(chosen, around, strict=True):
            layout_id, expected = row["layout_id"], [id_of[code] for code in neighbours]
            first, last = starts[layout_id : layout_id + 2].tolist()
            stored = (layout_id + offsets[first:last].astype(np.int64)).tolist()
            text = format_code(row["code"])
            yield "" if stored == expected else f"{text}: its neighbours are {expected}, not those of the array"

    return outcome(faults(), of=main.num_rows)


def find_cuts(config: KlotskiConfig, one: Class, drawn: bool) -> Tried:
    """Cuts and bridges of the groups of a drawn class, found again."""
    group = one.rows["group_num"].astype(np.int64)
    count = int(group.max()) + 1
    if not drawn:
        return Tried(0, count)
    found = cuts_and_bridges(one.graph("chain"))
    expected = {
        "cut_layouts": np.bincount(group[found.is_cut], minlength=count),
        "bridges": np.bincount(group[found.bridge_ends], minlength=count),
    }
    for name, values in expected.items():
        stated = one.rows[f"group_nets.{name}"]
        if not np.array_equal(stated, values):
            return Tried(count, count, f"class {'-'.join(map(str, one.label))}: {name} is {values}, not {stated}")
    return Tried(count, count)


class CutsAndBridges(NamedTuple):
    """Layouts without which their group falls apart, bool (layouts); one end of each pair that nothing else joins."""

    is_cut: NDArray[np.bool_]
    bridge_ends: NDArray[np.int64]


def cuts_and_bridges(graph: Graph) -> CutsAndBridges:
    """Find cuts and bridges by chains (Schmidt 2013), in plain Python.

    A depth-first walk numbers the layouts. From each, in this order, every step to a later layout that the walk did not
    take begins a chain, which goes back along the walk until it meets a layout that a chain visited. Steps in no chain
    are bridges. Cuts are the layouts with a bridge and another neighbour, and those where a chain that is not the first
    of its part ends where it began.
    """
    neighbours = [graph.ends[a:b].tolist() for a, b in pairwise(graph.starts.tolist())]
    walk = _DepthFirstSearch(neighbours)
    visited, in_chain, is_cut = ([False] * len(neighbours) for _ in range(3))
    is_first = True
    for start in walk.order:
        is_first = is_first or walk.parent[start] < 0
        for end in neighbours[start]:
            if walk.number[end] <= walk.number[start] or walk.parent[end] == start:
                continue
            visited[start] = True
            while not visited[end]:
                visited[end] = in_chain[end] = True
                end = walk.parent[end]
            is_cut[start] |= end == start and not is_first
            is_first = False
    bridges = [end for end in walk.order if walk.parent[end] >= 0 and not in_chain[end]]
    for bridge in bridges:
        for end in (bridge, walk.parent[bridge]):
            is_cut[end] |= len(neighbours[end]) > 1
    return CutsAndBridges(np.array(is_cut, dtype=np.bool_), np.array(bridges, dtype=np.int64))


class _DepthFirstSearch:
    """A depth-first walk through all parts of a graph.

    parent: of each layout the one it was met from, -1 where a part begins.
    number, order: the place of each layout in the order in which they were met, and that order.
    """

    def __init__(self, neighbours: list[list[int]]) -> None:
        self.parent, self.number = ([-1] * len(neighbours) for _ in range(2))
        self.order: list[int] = []
        for root in range(len(neighbours)):
            if self.number[root] < 0:
                self._begin(root, neighbours)

    def _begin(self, root: int, neighbours: list[list[int]]) -> None:
        self._meet(root)
        path = [(root, iter(neighbours[root]))]
        while path:
            layout, rest = path[-1]
            other = next((other for other in rest if self.number[other] < 0), None)
            if other is None:
                path.pop()
                continue
            self.parent[other] = layout
            self._meet(other)
            path.append((other, iter(neighbours[other])))

    def _meet(self, layout: int) -> None:
        self.number[layout] = len(self.order)
        self.order.append(layout)
