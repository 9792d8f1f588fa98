"""Checks of farthest steps: extents recounted from all rows, classes walked."""

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows, walks
from boardspace.spaces.klotski.comparing import table_difference
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import number_of_layouts
from boardspace.spaces.klotski.parts.farthest.costs import afforded
from boardspace.spaces.klotski.rules import Layouts
from boardspace.spaces.klotski.sampling import Groups, RowFaultError, Sample, refuse, refuse_unlike_images
from boardspace.spaces.klotski.table_rows import CLASS, CLASSES, MissingRowsError, Rows
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.one_pass import Pass, Wanted, alone
from boardspace.spec.space import Draw, Inputs, Outcome
from boardspace.verify.arrays import cells_of

WALKED = 120_000
"""Layouts of the classes that are walked whole."""
MOVED = 40
"""Layouts of each class, in a range of ids, whose steps are tried."""
SOURCES = 8
"""Layouts of each walked class, from which everything is searched."""
MAIN_COLUMNS = ("layout_id", "code", *CLASS, "group_num")
FARTHEST_COLUMNS = ("farthest_step", "farthest_num")


def check_extents(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The whole table of extents, recounted from all rows."""
    return alone(read_extents(config, inputs, draw), inputs)


def read_extents(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Pass[Outcome]:
    """:func:`check_extents` as a pass over tables."""
    groups = _groups(config, inputs)
    extents = _Extents(groups)
    try:
        for between in table_rows.id_ranges():
            rows = yield from _rows(config, between)
            if len(rows["code"]):
                extents.add(rows, groups.numbers(rows))
        fault = table_difference(inputs.table("diameters"), extents.columns(), 4)
    except (RowFaultError, MissingRowsError) as error:
        fault = str(error)
    return Outcome(len(groups), len(groups), fault)


def check_farthest(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Bounds of all rows, and by steps of some; some classes walked, and searched through from some layouts."""
    return alone(read_farthest(config, inputs, draw), inputs)


def read_farthest(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Pass[Outcome]:
    """:func:`check_farthest` as a pass over tables."""
    groups = _groups(config, inputs)
    sample = Sample(groups.class_sizes(), WALKED, draw)
    count = tried = 0
    try:
        for between in table_rows.id_ranges():
            rows = yield from _rows(config, between)
            if not len(rows["code"]):
                continue
            group = groups.numbers(rows)
            _bound(rows, groups.size[group])
            _try_steps(rows, sample.keep(rows, groups.classes[group], MOVED))
            count += len(group)
        for name, rows in sample.classes():
            tried += _search_in_class(name, rows, sample.random)
    except (RowFaultError, MissingRowsError) as error:
        return Outcome(tried, count, str(error))
    return Outcome(tried, count)


def check_arrays(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every cell of each array compared with the rows of ``farthest``; ids without a row have 0."""
    return alone(read_arrays(config, inputs, draw), inputs)


def read_arrays(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Pass[Outcome]:
    """:func:`check_arrays` as a pass over tables."""
    if not config.complete or not afforded(config).classes:
        return Outcome(0, 0)
    size = number_of_layouts()
    arrays = {name: inputs.array(name) for name in FARTHEST_COLUMNS}
    for name, array in arrays.items():
        if array.shape != (size,):
            return Outcome(0, size, f"{name} has the shape {array.shape}, not {size} layouts")
    for low, high in table_rows.id_ranges():
        read = yield Wanted((low, high), {"farthest": ("layout_id", *FARTHEST_COLUMNS)})
        rows = read["farthest"]
        for name, array in arrays.items():
            cells = cells_of(array, slice(low, high))
            expected = np.zeros(len(cells), cells.dtype)
            expected[rows["layout_id"].astype(np.int64) - low] = rows[name]
            wrong = np.flatnonzero(cells != expected)
            if len(wrong):
                return Outcome(low, size, f"{name} differs from the table at id {low + wrong[0]}")
    return Outcome(size, size)


def _rows(config: KlotskiConfig, between: tuple[int, int]) -> Pass[Rows]:
    """Rows of ``main`` and ``farthest`` in a range of ids, of the classes that the budget pays for."""
    read = yield Wanted(between, {"main": MAIN_COLUMNS, "farthest": ("layout_id", *FARTHEST_COLUMNS)})
    rows, farthest = read["main"], read["farthest"]
    here = np.flatnonzero(table_rows.of_classes(rows, _chosen(config)))
    if not np.array_equal(farthest["layout_id"], rows["layout_id"][here]):
        raise MissingRowsError(f"farthest has other layouts than the classes of its budget, ids in {between}")
    values = {name: farthest[name].astype(np.int64) for name in FARTHEST_COLUMNS}
    return {name: column[here] for name, column in rows.items()} | values


def _groups(config: KlotskiConfig, inputs: Inputs) -> Groups:
    """The groups of the classes that the budget pays for."""
    return Groups(inputs.table("groups", columns=[*CLASS, "group_num", "group_size"]), _chosen(config))


def _chosen(config: KlotskiConfig) -> list[int]:
    """The numbers of these classes."""
    names = {tuple(map(int, name.split("-"))) for name in afforded(config).classes}
    return [number for number, name in enumerate(CLASSES) if name in names]


class _Extents:
    """Extents of groups from the layouts seen so far.

    diameter, radius: most and fewest farthest steps.
    ends: sum of farthest_num of the layouts whose farthest step is the diameter.
    centres, centre_code: number and smallest code of the layouts whose farthest step is the radius.
    """

    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self.diameter, self.radius = np.full(len(groups), -1), np.full(len(groups), 1 << 20)
        self.ends, self.centres = (np.zeros(len(groups), dtype=np.int64) for _ in range(2))
        self.centre_code = np.zeros(len(groups), dtype=np.uint64)

    def add(self, rows: Rows, group: NDArray[np.int64]) -> None:
        """Count the rows of a range of ids, which belong to these groups."""
        codes, steps = rows["code"], rows["farthest_step"]
        before = self.diameter.copy(), self.radius.copy()
        np.maximum.at(self.diameter, group, steps)
        np.minimum.at(self.radius, group, steps)
        self.ends[self.diameter > before[0]] = 0
        self.centres[self.radius < before[1]] = 0
        at_end, at_centre = steps == self.diameter[group], np.flatnonzero(steps == self.radius[group])
        np.add.at(self.ends, group[at_end], rows["farthest_num"][at_end])
        first = at_centre[self.centres[group[at_centre]] == 0][::-1]
        self.centre_code[group[first]] = codes[first]
        np.add.at(self.centres, group[at_centre], 1)

    def columns(self) -> dict[str, NDArray[np.generic]]:
        """The columns of ``diameters``; RowFaultError where the ends of pairs are odd in number."""
        odd = np.flatnonzero((self.ends % 2 == 1) & (self.diameter > 0))
        if len(odd):
            raise RowFaultError(f"the group of {format_code(int(self.centre_code[odd[0]]))} has half a diametral pair")
        return {
            **self.groups.keys,
            "diameter": self.diameter,
            "radius": self.radius,
            "diametral_pairs": self.ends // 2,
            "centres": self.centres,
            "centre_code": self.centre_code,
        }


def _bound(rows: Rows, size: NDArray[np.int64]) -> None:
    alone, others = size == 1, np.maximum(size - 1, 1)
    wrong = ((rows["farthest_step"] == 0) != alone) | (rows["farthest_num"] < 1) | (rows["farthest_num"] > others)
    refuse(wrong, rows["code"], "farthest_step is 0 exactly where it is alone, farthest_num at most the others")


def _try_steps(rows: Rows, drawn: NDArray[np.int64]) -> None:
    """Farthest steps of neighbours differ by one at most."""
    codes, values = rows["code"], rows["farthest_step"]
    moves = walks.steps_inside(codes, drawn, "step")
    inside = (moves.ends >= 0) & ~moves.missing
    start, end = moves.starts[inside], moves.ends[inside]
    refuse(moves.missing, codes[moves.starts], "a step leads to no layout of the table")
    refuse(abs(values[start] - values[end]) > 1, codes[start], "a step changes farthest_step by more than 1")


def _search_in_class(name: str, rows: Rows, random: np.random.Generator) -> int:
    """Walk a class: bounds from neighbours for all its layouts, searches through their groups from some."""
    codes, steps = rows["code"], rows["farthest_step"]
    try:
        graph = walks.move_graph(Layouts(codes), "step")
    except KeyError as error:
        raise RowFaultError(f"class {name} is not closed under steps: {error}") from error
    starts = np.repeat(np.arange(len(codes)), np.diff(graph.starts))
    wrong = abs(steps[starts] - steps[graph.ends]) > 1
    refuse(wrong, codes[starts], "a step changes farthest_step by more than 1")
    refuse_unlike_images(rows, FARTHEST_COLUMNS, walks.image_codes(codes))
    chosen = random.permutation(len(codes))[:SOURCES].tolist()
    for row in chosen:
        layers = [len(layer) for layer in walks.layers(graph, np.array([row]))]
        found, stated = (len(layers) - 1, layers[-1]), (int(steps[row]), int(rows["farthest_num"][row]))
        if found != stated:
            text = format_code(int(codes[row]))
            raise RowFaultError(f"{text}: (farthest_step, farthest_num) is {found}, the table says {stated}")
    return len(chosen)
