"""Checks of the net: its numbers recounted from its arrays, and classes walked whole."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows, walks
from boardspace.spaces.klotski.comparing import table_difference
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import number_of_layouts
from boardspace.spaces.klotski.moves_by_hand import code_of, layout_of, steps
from boardspace.spaces.klotski.rules import Layouts, ranks
from boardspace.spaces.klotski.sampling import Groups, RowFaultError, Sample, refuse
from boardspace.spaces.klotski.table_rows import CLASS, MissingRowsError
from boardspace.spaces.klotski.texts import EXIT, format_code
from boardspace.spec.one_pass import alone
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

WALKED = 40_000
"""Layouts of the classes that are walked whole, if there is one as small."""
BY_HAND = 300
"""Layouts whose steps are made by hand."""


def check_nets(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Numbers of groups and of neighbours recounted from the arrays, for all layouts; some classes walked."""
    if not config.net:
        return Outcome(0, 0)
    try:
        check = _Net(inputs, draw)
        for low, high in table_rows.id_ranges():
            check.count(low, min(high, number_of_layouts()))
        check.compare()
        check.walk()
    except (RowFaultError, MissingRowsError) as error:
        return Outcome(0, 0, str(error))
    return Outcome(check.rows, check.rows)


def check_neighbours(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Neighbours of some layouts made by hand, their ids counted by filling the board."""
    if not config.net:
        return Outcome(0, 0)
    starts, offsets = inputs.array("neighbour_start"), inputs.array("neighbours")
    main = inputs.table("main", columns=["layout_id", "code"])
    chosen = main.take(draw.choose(main.num_rows, BY_HAND)).to_pylist()

    def faults() -> Iterator[str]:
        """Yield the fault of each thing that is looked at, '' where it is right."""
        for row in chosen:
            layout_id, layout = row["layout_id"], layout_of(row["code"])
            codes = np.array(sorted(code_of(moved) for moved in steps(layout)), np.uint64)
            expected = ranks(Layouts(codes)).tolist()
            first, end = starts[layout_id : layout_id + 2].tolist()
            stored = (layout_id + offsets[first:end].astype(np.int64)).tolist()
            text = format_code(row["code"])
            yield "" if stored == expected else f"{text}: its neighbours are {expected}, not those of the array"

    return outcome(faults(), of=main.num_rows)


class _Net:
    """Numbers of all groups, numbered as the rows of ``groups``, from the layouts seen so far."""

    def __init__(self, inputs: Inputs, draw: Draw) -> None:
        self.inputs, self.rows = inputs, 0
        self.starts, self.offsets, self.paths = (
            inputs.array(name) for name in ("neighbour_start", "neighbours", "solution_paths")
        )
        if self.starts.shape != (number_of_layouts() + 1,) or self.paths.shape != (number_of_layouts(),):
            raise RowFaultError("neighbour_start or solution_paths has not an entry for each layout")
        self.groups = Groups(inputs.table("groups", columns=[*CLASS, "group_num", "group_size"]))
        self.table: pa.Table = inputs.table("group_nets")
        count = len(self.groups)
        self.least, self.most = np.full(count, 1 << 20), np.zeros(count, dtype=np.int64)
        self.ends, self.dead_ends = (np.zeros(count, dtype=np.int64) for _ in range(2))
        self.most_paths, self.most_code = (np.zeros(count, dtype=np.uint64) for _ in range(2))
        self.degrees = np.zeros(256, dtype=np.int64)
        self.last_start = 0
        sizes = self.groups.class_sizes()
        least = min((size for size in sizes if size), default=0)
        self.sample = Sample(sizes, max(WALKED, least), draw)

    def count(self, low: int, high: int) -> None:
        """Count the neighbours and paths of a range of ids."""
        rows = alone(table_rows.rows_between((low, high), ("main", ("code", *CLASS, "group_num"))), self.inputs)
        starts = self.starts[low : high + 1].astype(np.int64)
        paths = self.paths[low:high]
        here = rows["layout_id"].astype(np.int64) - low
        degree = np.diff(starts)
        held = np.zeros(high - low, dtype=np.bool_)
        held[here] = True
        if starts[0] != self.last_start or (degree < 0).any() or degree[~held].any() or paths[~held].any():
            raise RowFaultError(f"ids {low} to {high}: neighbours do not begin where those before end, or of no layout")
        self.last_start = int(starts[-1])
        if not len(here):
            return
        self.rows += len(here)
        group, degree, paths, codes = self.groups.numbers(rows), degree[here], paths[here], rows["code"]
        self.degrees += np.bincount(degree, minlength=256)
        np.minimum.at(self.least, group, degree)
        np.maximum.at(self.most, group, degree)
        np.add.at(self.ends, group, degree)
        np.add.at(self.dead_ends, group, degree == 1)
        before = self.most_paths.copy()
        np.maximum.at(self.most_paths, group, paths)
        holders = np.flatnonzero((paths == self.most_paths[group]) & (paths > before[group]))[::-1]
        self.most_code[group[holders]] = codes[holders]
        kept = {"layout_id": rows["layout_id"], "code": codes, "group": group, "start": starts[here]}
        self.sample.keep({**kept, "degree": degree, "paths": paths}, self.groups.classes[group], 0)

    def compare(self) -> None:
        """Compare the tables with the counts."""
        if self.last_start != self.offsets.shape[0] or (self.ends % 2).any():
            raise RowFaultError(f"neighbours end at {self.last_start}, the array holds {self.offsets.shape[0]}")
        expected = {
            **self.groups.keys,
            "step_pairs": self.ends // 2,
            "least_degree": self.least,
            "most_degree": self.most,
            "dead_ends": self.dead_ends,
            "most_paths": self.most_paths,
            "most_paths_code": self.most_code,
        }
        met = np.flatnonzero(self.degrees)
        degrees = {"neighbours": met, "layouts": self.degrees[met]}
        fault = table_difference(self.table, expected, 4)
        fault = fault or table_difference(self.inputs.table("degrees"), degrees, 1)
        if fault:
            raise RowFaultError(fault)

    def walk(self) -> None:
        """Walk the drawn classes: unit moves, cuts and bridges of groups, neighbours and paths of layouts."""
        for name, rows in self.sample.classes():
            layouts, codes = Layouts(rows["code"]), rows["code"]
            try:
                graph, units = (walks.move_graph(layouts, metric) for metric in ("step", "unit_move"))
            except KeyError as error:
                raise RowFaultError(f"class {name} is not closed under steps: {error}") from error
            refuse(np.diff(graph.starts) != rows["degree"], codes, "it has another number of neighbours")
            refuse(_paths(graph, codes) != rows["paths"], codes, "it has another number of shortest paths")
            self._compare_groups(name, rows, graph, units)

    def _compare_groups(self, name: str, rows: table_rows.Rows, graph: walks.Graph, units: walks.Graph) -> None:
        pairs, cuts, bridges = (np.zeros(len(self.groups), dtype=np.int64) for _ in range(3))
        np.add.at(pairs, rows["group"], np.diff(units.starts))
        found = cuts_and_bridges(graph)
        np.add.at(cuts, rows["group"], found.is_cut)
        np.add.at(bridges, rows["group"][found.bridge_ends], 1)
        here = np.unique(rows["group"])
        expected = {"unit_pairs": pairs[here] // 2, "cut_layouts": cuts[here], "bridges": bridges[here]}
        fault = table_difference(self.table.take(here), expected, 0)
        if fault:
            raise RowFaultError(f"class {name}{fault}")


def _paths(graph: walks.Graph, codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Number of shortest paths from each layout to its nearest ones at the exit, summed layer after layer."""
    found = np.zeros(len(codes), dtype=np.uint64)
    distance = walks.distances(graph, np.flatnonzero(codes >> np.uint64(32) == EXIT))
    found[distance == 0] = 1
    starts = np.repeat(np.arange(len(codes)), np.diff(graph.starts))
    nearer = np.flatnonzero((distance[graph.ends] == distance[starts] - 1) & (distance[starts] > 0))
    nearer = nearer[np.argsort(distance[starts[nearer]], kind="stable")]
    bounds = np.searchsorted(distance[starts[nearer]], np.arange(1, distance.max(initial=0) + 2))
    for first, end in pairwise(bounds.tolist()):
        edges = nearer[first:end]
        np.add.at(found, starts[edges], found[graph.ends[edges]])
    return found


class CutsAndBridges(NamedTuple):
    """Layouts without which their group falls apart, bool (layouts); one end of each pair that nothing else joins."""

    is_cut: NDArray[np.bool_]
    bridge_ends: NDArray[np.int64]


def cuts_and_bridges(graph: walks.Graph) -> CutsAndBridges:
    """Find cuts and bridges by chains (Schmidt 2013), in plain Python.

    A depth-first walk numbers the layouts. From each, in this order, every step to a later layout that the walk did not
    take begins a chain, which goes back along the walk until it meets a layout that a chain visited. Steps in no chain
    are bridges. Cuts are the layouts with a bridge and another neighbour, and those where a chain that is not the first
    of its part ends where it began.
    """
    neighbours = [graph.ends[a:b].tolist() for a, b in pairwise(graph.starts.tolist())]
    walk = _Walk(neighbours)
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


class _Walk:
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
