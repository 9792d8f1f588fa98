"""Checks of the net: its numbers recounted from its arrays, and classes walked whole."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows, walks
from boardspace.spaces.klotski.comparing import same_rows, table_difference
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import number_of_layouts
from boardspace.spaces.klotski.moves_by_hand import EXIT, code_of, layout_of, steps
from boardspace.spaces.klotski.table_rows import CLASS, CLASSES
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.space import Draw, Inputs, Outcome

WALKED = 40_000
"""Layouts of the classes that are walked whole, if there is one as small."""
ROWS = 100
"""Layouts of each walked class whose neighbours are read."""
BY_HAND = 5
"""Layouts of each walked class whose steps are made by hand."""


class NetFaultError(Exception):
    """A fault of the net."""


def check_net(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Numbers of groups and of neighbours recounted from the arrays, for all layouts; some classes walked."""
    if not config.net:
        return Outcome(0, 0)
    check = _Net(inputs, draw)
    try:
        for low, high in table_rows.id_ranges():
            check.count(low, min(high, number_of_layouts()))
        check.compare()
        check.walk()
    except NetFaultError as error:
        return Outcome(check.rows, check.rows, str(error))
    return Outcome(check.rows, check.rows)


def check_class_nets(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The nets that classes left for later stages compared with the published ones."""
    return same_rows(inputs, "class_nets", "group_nets") if config.net else Outcome(0, 0)


class _Net:
    """Numbers of all groups, numbered as the rows of ``groups``, from the layouts seen so far."""

    def __init__(self, inputs: Inputs, draw: Draw) -> None:
        self.inputs, self.random, self.rows = inputs, draw.generator(), 0
        self.starts, self.offsets, self.paths = (
            inputs.array(name) for name in ("neighbour_start", "neighbours", "solution_paths")
        )
        if self.starts.shape != (number_of_layouts() + 1,) or self.paths.shape != (number_of_layouts(),):
            raise NetFaultError("neighbour_start or solution_paths has not an entry for each layout")
        groups = inputs.table("groups", columns=[*CLASS, "group_num", "group_size"])
        self.classes = table_rows.class_numbers({name: groups.column(name).to_numpy() for name in CLASS})
        self.first_of = np.searchsorted(self.classes, np.arange(len(CLASSES)))
        self.table: pa.Table = inputs.table("group_nets")
        count = groups.num_rows
        self.least, self.most = np.full(count, 1 << 20), np.zeros(count, dtype=np.int64)
        self.ends, self.dead_ends = (np.zeros(count, dtype=np.int64) for _ in range(2))
        self.most_paths, self.most_code = (np.zeros(count, dtype=np.uint64) for _ in range(2))
        self.degrees = np.zeros(256, dtype=np.int64)
        self.last_start = 0
        sizes = np.bincount(self.classes, groups.column("group_size").to_numpy(), len(CLASSES)).astype(int)
        here = sizes[sizes > 0]
        chosen = table_rows.drawn_classes(
            sizes.tolist(), max(WALKED, int(here.min(initial=0))), self.random, draw.everything
        )
        self.kept: dict[int, list[table_rows.Rows]] = {number: [] for number in chosen}

    def count(self, low: int, high: int) -> None:
        """Count the neighbours and paths of a range of ids."""
        rows = table_rows.rows_between(self.inputs, (low, high), ("main", ("code", *CLASS, "group_num")))
        starts = self.starts[low : high + 1].astype(np.int64)
        paths = self.paths[low:high]
        here = rows["layout_id"].astype(np.int64) - low
        degree = np.diff(starts)
        held = np.zeros(high - low, dtype=np.bool_)
        held[here] = True
        if starts[0] != self.last_start or (degree < 0).any() or degree[~held].any() or paths[~held].any():
            raise NetFaultError(f"ids {low} to {high}: neighbours do not begin where those before end, or of no layout")
        self.last_start = int(starts[-1])
        if not len(here):
            return
        self.rows += len(here)
        classes, degree, paths, codes = table_rows.class_numbers(rows), degree[here], paths[here], rows["code"]
        group = self.first_of[classes] + rows["group_num"]
        self.degrees += np.bincount(degree, minlength=256)
        np.minimum.at(self.least, group, degree)
        np.maximum.at(self.most, group, degree)
        np.add.at(self.ends, group, degree)
        np.add.at(self.dead_ends, group, degree == 1)
        before = self.most_paths.copy()
        np.maximum.at(self.most_paths, group, paths)
        holders = np.flatnonzero((paths == self.most_paths[group]) & (paths > before[group]))[::-1]
        self.most_code[group[holders]] = codes[holders]
        for number, parts in self.kept.items():
            mine = np.flatnonzero(classes == number)
            values = {"layout_id": rows["layout_id"], "code": codes, "group": group, "start": starts[here]}
            columns = {**values, "degree": degree, "paths": paths}
            parts.append({name: column[mine] for name, column in columns.items()})

    def compare(self) -> None:
        """Compare the tables with the counts."""
        if self.last_start != self.offsets.shape[0] or (self.ends % 2).any():
            raise NetFaultError(f"neighbours end at {self.last_start}, the array holds {self.offsets.shape[0]}")
        expected = {
            **{name: np.array(CLASSES)[self.classes, at] for at, name in enumerate(CLASS)},
            "group_num": np.arange(len(self.classes)) - self.first_of[self.classes],
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
            raise NetFaultError(fault)

    def walk(self) -> None:
        """Walk the drawn classes: unit moves, cuts and bridges of groups, neighbours and paths of layouts."""
        board = walks.Board()
        for number, parts in self.kept.items():
            rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
            layouts, name = walks.decoded(board, rows["code"]), table_rows.class_name(number)
            try:
                graph, units = (walks.move_graph(board, layouts, metric) for metric in ("step", "unit_move"))
            except KeyError as error:
                raise NetFaultError(f"class {name} is not closed under steps: {error}") from error
            self._refuse(np.diff(graph.starts) != rows["degree"], rows, "it has another number of neighbours")
            self._refuse(_paths(graph, rows["code"]) != rows["paths"], rows, "another number of shortest paths")
            self._compare_groups(rows, graph, units)
            self._compare_neighbours(rows, graph)

    def _refuse(self, wrong: NDArray[np.bool_], rows: table_rows.Rows, what: str) -> None:
        if wrong.any():
            raise NetFaultError(f"{format_code(int(rows['code'][np.argmax(wrong)]))}: {what}")

    def _compare_groups(self, rows: table_rows.Rows, graph: walks.Graph, units: walks.Graph) -> None:
        pairs, cuts, bridges = (np.zeros(len(self.classes), dtype=np.int64) for _ in range(3))
        np.add.at(pairs, rows["group"], np.diff(units.starts))
        found = cuts_and_bridges(graph)
        np.add.at(cuts, rows["group"], found.is_cut)
        np.add.at(bridges, rows["group"][found.bridge_ends], 1)
        here = np.unique(rows["group"])
        expected = {"unit_pairs": pairs[here] // 2, "cut_layouts": cuts[here], "bridges": bridges[here]}
        fault = table_difference(self.table.take(here), expected, 0)
        if fault:
            raise NetFaultError(f"class {table_rows.class_name(int(self.classes[here[0]]))}{fault}")

    def _compare_neighbours(self, rows: table_rows.Rows, graph: walks.Graph) -> None:
        ids, codes = rows["layout_id"].astype(np.int64), rows["code"]
        for row in self.random.permutation(len(ids))[:ROWS].tolist():
            first, end = int(rows["start"][row]), int(rows["start"][row] + rows["degree"][row])
            expected = np.sort(ids[graph.ends[graph.starts[row] : graph.starts[row + 1]]])
            stored = ids[row] + self.offsets[first:end].astype(np.int64)
            if not np.array_equal(stored, expected):
                raise NetFaultError(f"{format_code(int(codes[row]))}: its neighbours are {expected}, not {stored}")
        for row in self.random.permutation(len(ids))[:BY_HAND].tolist():
            moved = sorted(code_of(layout) for layout in steps(layout_of(int(codes[row]))))
            if moved != np.sort(codes[graph.from_layouts(np.array([row]))]).tolist():
                raise NetFaultError(f"{format_code(int(codes[row]))}: moved by hand it has other neighbours")


def _paths(graph: walks.Graph, codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Number of shortest paths from each layout to its nearest ones at the exit, summed layer after layer."""
    found = np.zeros(len(codes), dtype=np.uint64)
    distance = walks.distances(graph, np.flatnonzero(codes >> np.uint64(32) == EXIT))
    found[distance == 0] = 1
    starts = np.repeat(np.arange(len(codes)), np.diff(graph.starts))
    nearer = np.flatnonzero((distance[graph.ends] == distance[starts] - 1) & (distance[starts] > 0))
    nearer = nearer[np.argsort(distance[starts[nearer]], kind="stable")]
    bounds = np.searchsorted(distance[starts[nearer]], np.arange(1, distance.max(initial=0) + 2))
    for first, end in zip(bounds, bounds[1:], strict=False):
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
    neighbours = [graph.ends[a:b].tolist() for a, b in zip(graph.starts, graph.starts[1:], strict=False)]
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
