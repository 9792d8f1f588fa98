"""Checks of solutions: all rows bounded, whole classes walked, some layouts searched from by hand."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows, walks
from boardspace.spaces.klotski.comparing import arrays_outcome
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.moves_by_hand import EXIT, all_solutions, layout_of, nearest_solutions
from boardspace.spaces.klotski.table_rows import CLASS, CLASSES, MissingRowsError
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.space import Draw, Inputs, Outcome

METRICS = {"min_solution_step": "step", "min_straight_step": "straight_step", "min_unit_move": "unit_move"}
"""The kind of move that each column counts."""
COLUMNS = (*METRICS, "min_solution_num", "solution_num")
WALKED = 120_000
"""Layouts of the classes that are walked whole."""
MOVED = 40
"""Layouts of each class, in a range of ids, whose moves are tried."""
SOURCES = 6
"""Layouts of each walked class, from which all solutions are counted."""
SEARCHED = 2
"""Layouts of each class, in a range of ids, that may be searched from by hand."""
BUDGET = 400
"""Layouts that the searches by hand of one class go through."""


class SolutionFaultError(Exception):
    """A fault of a row."""


def check_solutions(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """All rows bounded; some classes walked; layouts of every class moved, and searched by hand."""
    check = _Solutions(config, inputs.table("groups"), draw)
    try:
        for rows in table_rows.ranges(inputs, ("main", ("code", *CLASS, "group_num")), ("solution", COLUMNS)):
            check.bound(rows)
        check.walk()
        check.search()
    except (SolutionFaultError, MissingRowsError) as error:
        return Outcome(check.rows, check.rows, str(error))
    return Outcome(check.rows, check.rows)


def check_arrays(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Some ranges of ids of each array compared with the rows of ``solution``."""
    names = ("min_solution_step", "min_solution_num", "solution_num")
    return arrays_outcome(config, inputs, draw, "solution", {name: name for name in names})


class _Solutions:
    """What the groups say, and the rows kept of classes that are walked or searched."""

    def __init__(self, config: KlotskiConfig, groups: pa.Table, draw: Draw) -> None:
        self.config, self.draw, self.random, self.rows = config, draw, draw.generator(), 0
        classes = table_rows.class_numbers({name: groups.column(name).to_numpy() for name in CLASS})
        self.groups_of = np.bincount(classes[classes >= 0], minlength=len(CLASSES))
        self.first_of = np.searchsorted(classes, np.arange(len(CLASSES)))
        self.size = groups.column("group_size").to_numpy().astype(np.int64)
        self.exits = groups.column("exits").to_numpy().astype(np.int64)
        sizes = np.bincount(classes[classes >= 0], self.size[classes >= 0], len(CLASSES)).astype(int).tolist()
        self.walked = set(table_rows.drawn_classes(sizes, WALKED, self.random, draw.everything))
        self.kept: dict[int, list[table_rows.Rows]] = {}
        self.searched: dict[int, list[table_rows.Rows]] = {}

    def bound(self, rows: table_rows.Rows) -> None:
        """Hold the rows of a range of ids against the exit and the counts of their groups; keep some of them."""
        codes, classes, number = rows["code"], table_rows.class_numbers(rows), rows["group_num"].astype(np.int64)
        self.rows += len(codes)
        if not len(codes):
            return
        self._refuse((classes < 0) | (number >= self.groups_of[classes]), codes, "its group has no row in groups")
        group = self.first_of[classes] + number
        at_exit, exits = codes >> np.uint64(32) == EXIT, self.exits[group]
        step, straight, unit = (rows[name] for name in METRICS)
        nearest, every = rows["min_solution_num"].astype(np.int64), rows["solution_num"]
        solvable, counted = exits > 0, self.size[group] <= self.config.counted_group
        for name in METRICS:
            self._refuse((rows[name] == 0) != at_exit, codes, f"{name} is 0 exactly at the exit")
            self._refuse((rows[name] >= 0) != solvable, codes, f"{name} is -1 exactly where the group has no exit")
            self._refuse(rows[name] < -1, codes, f"{name} is below -1")
        self._refuse((step > straight) | (straight > unit), codes, "fewer moves of a kind than steps, which are more")
        bounds = (nearest > exits) | ((nearest > 0) != solvable) | at_exit & (nearest != 1)
        self._refuse(bounds, codes, "min_solution_num is 1 at the exit, 0 without one, at most the exits of the group")
        self._refuse(~counted & (every != -1), codes, "solution_num is -1 where the group is larger than counted_group")
        wrong = (every < nearest) | (every > exits) | at_exit & (every != 1)
        self._refuse(
            counted & wrong, codes, "solution_num is at least min_solution_num, at most the exits of the group"
        )
        self._keep({"code": codes, "size": self.size[group], **{name: rows[name] for name in COLUMNS}}, classes)

    def _refuse(self, wrong: NDArray[np.bool_], codes: NDArray[np.uint64], rule: str) -> None:
        if wrong.any():
            raise SolutionFaultError(f"{format_code(int(codes[np.argmax(wrong)]))}: {rule}")

    def _keep(self, rows: table_rows.Rows, classes: NDArray[np.int16]) -> None:
        """Keep all rows of walked classes and some of every class; try the moves of some."""
        order = np.argsort(classes, kind="stable")
        bounds = np.searchsorted(classes[order], np.arange(len(CLASSES) + 1))
        moved = []
        for number in np.flatnonzero(np.diff(bounds)).tolist():
            in_class = order[bounds[number] : bounds[number + 1]]
            if number in self.walked:
                self.kept.setdefault(number, []).append({name: values[in_class] for name, values in rows.items()})
            drawn = in_class[self.random.integers(0, len(in_class), SEARCHED)]
            self.searched.setdefault(number, []).append({name: values[drawn] for name, values in rows.items()})
            moved.append(in_class[self.random.integers(0, len(in_class), MOVED)])
        for column, metric in METRICS.items():
            self._try_moves(rows, np.unique(np.concatenate(moved)), column, metric)

    def _try_moves(self, rows: table_rows.Rows, drawn: NDArray[np.int64], column: str, metric: str) -> None:
        """A move changes the distance by one at most; one that leads nearer is there, if all lie in the range."""
        codes, values = rows["code"], rows[column].astype(np.int64)
        steps = walks.steps_inside(walks.Board(), codes, drawn, metric)
        inside = steps.ends >= 0
        start, end = steps.starts[inside], steps.ends[inside]
        self._refuse(steps.missing, codes[steps.starts], "a move leads to no layout of the table")
        self._refuse(abs(values[start] - values[end]) > 1, codes[start], f"a move changes {column} by more than one")
        whole, nearer = np.zeros(len(codes), dtype=np.bool_), np.zeros(len(codes), dtype=np.bool_)
        whole[drawn] = values[drawn] > 0
        whole[steps.starts[~inside]] = False
        nearer[start[values[end] == values[start] - 1]] = True
        self._refuse(whole & ~nearer, codes, f"no move leads nearer to the exit than {column}")

    def walk(self) -> None:
        """Walk the drawn classes: all distances; some numbers of solutions."""
        board = walks.Board()
        for number, parts in self.kept.items():
            rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
            layouts = walks.decoded(board, rows["code"])
            at_exit = rows["code"] >> np.uint64(32) == EXIT
            for column, metric in METRICS.items():
                try:
                    graph = walks.move_graph(board, layouts, metric)
                except KeyError as error:
                    name = table_rows.class_name(number)
                    raise SolutionFaultError(f"class {name} is not closed under moves: {error}") from error
                found = walks.distances(graph, np.flatnonzero(at_exit))
                self._refuse(found != rows[column], rows["code"], f"walking its class gives another {column}")
                if metric == "step":
                    self._count(graph, rows, at_exit)

    def _count(self, graph: walks.Graph, rows: table_rows.Rows, at_exit: NDArray[np.bool_]) -> None:
        """Bound the numbers of nearest solutions by those of nearer neighbours; count all of some layouts."""
        step, nearest = rows["min_solution_step"].astype(np.int64), rows["min_solution_num"].astype(np.int64)
        starts = np.repeat(np.arange(len(step)), np.diff(graph.starts))
        nearer = (step[graph.ends] == step[starts] - 1) & (step[starts] > 0)
        most, least = np.zeros(len(step), dtype=np.int64), np.zeros(len(step), dtype=np.int64)
        np.add.at(most, starts[nearer], nearest[graph.ends[nearer]])
        np.maximum.at(least, starts[nearer], nearest[graph.ends[nearer]])
        wrong = (step > 0) & ((nearest < least) | (nearest > most))
        self._refuse(wrong, rows["code"], "its nearest solutions are not those of its nearer neighbours")
        for row in self.random.integers(0, len(step), SOURCES).tolist():
            found = solutions_from(graph, row, at_exit)
            stated = int(step[row]), int(nearest[row]), int(rows["solution_num"][row])
            if rows["size"][row] > self.config.counted_group:
                found = (*found[:2], -1)
            if stated != found:
                text, what = format_code(int(rows["code"][row])), "(least step, number, number of all solutions)"
                raise SolutionFaultError(f"{text}: {what} is {found}, the table says {stated}")

    def search(self) -> None:
        """Search from some layouts of every class by hand."""
        for parts in self.searched.values():
            rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
            left = BUDGET
            order = np.argsort(np.where(rows["min_solution_step"] < 0, rows["size"], rows["min_solution_step"]))
            for row in order.tolist():
                code = int(rows["code"][row])
                found, seen = nearest_solutions(layout_of(code), left)
                left -= seen
                if found is None:
                    break
                stated = int(rows["min_solution_step"][row]), int(rows["min_solution_num"][row])
                if stated != found:
                    raise SolutionFaultError(
                        f"{format_code(code)}: (least step, number) is {found}, the table says {stated}"
                    )
                if 1 < rows["size"][row] <= BUDGET and rows["solution_num"][row] >= 0:
                    self._compare_all(code, int(rows["solution_num"][row]))

    def _compare_all(self, code: int, stated: int) -> None:
        found = all_solutions(layout_of(code))
        if found != stated:
            raise SolutionFaultError(f"{format_code(code)} has {found} solutions, the table says {stated}")


def solutions_from(graph: walks.Graph, start: int, at_exit: NDArray[np.bool_]) -> tuple[int, int, int]:
    """Steps to the nearest layouts at the exit, their number, and that of all solutions: (-1, 0, 0) without an exit.

    A layout is shadowed if a layout at the exit lies before it on a shortest path. Solutions are the layouts at the
    exit that are not.
    """
    shadowed = np.zeros(len(at_exit), dtype=np.bool_)
    least, nearest, every = -1, 0, 0
    for step, layer in enumerate(walks.layers(graph, np.array([start]))):
        found = int(np.count_nonzero(at_exit[layer] & ~shadowed[layer]))
        if least < 0 and found:
            least, nearest = step, found
        every += found
        # those behind are of the next layer or nearer; what is nearer was counted already
        shadowed[graph.from_layouts(layer[at_exit[layer] | shadowed[layer]])] = True
    return least, nearest, every
