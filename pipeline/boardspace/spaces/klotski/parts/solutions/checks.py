"""Checks of solutions: all rows bounded, whole classes walked, some layouts searched from."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows, walks
from boardspace.spaces.klotski.comparing import arrays_outcome
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.moves_by_hand import EXIT, all_solutions, layout_of, nearest_solutions
from boardspace.spaces.klotski.sampling import Groups, RowFaultError, Sample, joined, refuse, refuse_unlike_images
from boardspace.spaces.klotski.table_rows import CLASS, MissingRowsError, Rows
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.one_pass import Pass, alone
from boardspace.spec.space import Draw, Inputs, Outcome

METRICS = {"min_solution_step": "step", "min_straight_step": "straight_step", "min_unit_move": "unit_move"}
"""The kind of move that each column counts."""
NUMBERS = ("min_solution_step", "min_solution_num", "solution_num")
"""The columns that count solutions, and the one that says how far the nearest are."""
WALKED = 150_000
"""Layouts of the classes that are walked whole."""
MOVED = 40
"""Layouts of each class, in a range of ids, whose moves are tried."""
SOURCES = 8
"""Layouts of each walked class, from which all solutions are counted."""
SEARCHED = 2
"""Layouts of each class, in a range of ids, that may be searched from by hand."""
BUDGET = 150
"""Layouts that the searches by hand of one class go through."""
SEARCHED_GROUP = 400
"""Layouts of the largest group whose solutions are counted by hand."""


def check_distances(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Distances to the exit: of all layouts bounded, of some classes walked, of layouts of every class moved."""
    return alone(read_distances(config, inputs, draw), inputs)


def read_distances(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Pass[Outcome]:
    """:func:`check_distances` as a pass over tables."""
    groups = Groups(inputs.table("groups"))
    sample = Sample(groups.class_sizes(), WALKED, draw)
    count = tried = 0
    try:
        for between in table_rows.id_ranges():
            rows, group = yield from _rows(between, groups, tuple(METRICS))
            if not len(group):
                continue
            _bound_distances(rows, groups.table.column("exits").to_numpy()[group] > 0)
            drawn = sample.keep(rows, groups.classes[group], MOVED)
            for column, metric in METRICS.items():
                _try_moves(rows, drawn, column, metric)
            count, tried = count + len(group), tried + len(drawn)
        for name, rows in sample.classes():
            tried += len(rows["code"])
            _walk(name, rows)
    except (RowFaultError, MissingRowsError) as error:
        return Outcome(tried, count, str(error))
    return Outcome(min(tried, count), count)


def check_numbers(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Numbers of solutions: of all layouts bounded, from some counted."""
    return alone(read_numbers(config, inputs, draw), inputs)


def read_numbers(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Pass[Outcome]:
    """:func:`check_numbers` as a pass over tables."""
    groups = Groups(inputs.table("groups"))
    sample = Sample(groups.class_sizes(), WALKED, draw)
    searched: list[Rows] = []
    count = tried = 0
    try:
        for between in table_rows.id_ranges():
            rows, group = yield from _rows(between, groups, NUMBERS)
            if not len(group):
                continue
            exits, size = groups.table.column("exits").to_numpy()[group], groups.size[group]
            _bound_numbers(rows, exits, size <= config.counted_group)
            kept = {**rows, "size": size, "class": groups.classes[group]}
            drawn = sample.keep(kept, groups.classes[group], SEARCHED)
            searched.append({name: values[drawn] for name, values in kept.items()})
            count += len(group)
        for name, rows in sample.classes():
            tried += _count_in_class(name, rows, config.counted_group, sample.random)
        tried += sum(_searched_by_hand(joined(searched))) if searched else 0
    except (RowFaultError, MissingRowsError) as error:
        return Outcome(tried, count, str(error))
    return Outcome(min(tried, count), count)


def check_arrays(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Some ranges of ids of each array compared with the rows of ``solution``."""
    return arrays_outcome(config, inputs, draw, "solution", {name: name for name in NUMBERS})


def _rows(between: tuple[int, int], groups: Groups, columns: tuple[str, ...]) -> Pass[tuple[Rows, NDArray[np.int64]]]:
    """Rows of ``main`` and ``solution`` in a range of ids, with the numbers of their groups."""
    rows = yield from table_rows.rows_between(between, ("main", ("code", *CLASS, "group_num")), ("solution", columns))
    return {name: rows[name] for name in ("code", *columns)}, groups.numbers(rows)


def _at_exit(rows: Rows) -> NDArray[np.bool_]:
    at_exit: NDArray[np.bool_] = rows["code"] >> np.uint64(32) == EXIT
    return at_exit


def _bound_distances(rows: Rows, solvable: NDArray[np.bool_]) -> None:
    codes, at_exit = rows["code"], _at_exit(rows)
    for name in METRICS:
        refuse((rows[name] == 0) != at_exit, codes, f"{name} is 0 exactly at the exit")
        refuse((rows[name] >= 0) != solvable, codes, f"{name} is -1 exactly where the group has no exit")
        refuse(rows[name] < -1, codes, f"{name} is below -1")
    step, straight, unit = (rows[name] for name in METRICS)
    refuse((step > straight) | (straight > unit), codes, "it needs more steps than straight steps, or unit moves")


def _bound_numbers(rows: Rows, exits: NDArray[np.uint32], counted: NDArray[np.bool_]) -> None:
    codes, at_exit = rows["code"], _at_exit(rows)
    nearest, every = rows["min_solution_num"], rows["solution_num"]
    wrong = (nearest > exits) | ((nearest > 0) != (exits > 0)) | at_exit & (nearest != 1)
    refuse(wrong, codes, "min_solution_num is 1 at the exit, 0 without one, at most the exits of the group")
    refuse(~counted & (every != -1), codes, "solution_num is -1 where the group is larger than counted_group")
    wrong = (every < nearest) | (every > exits) | at_exit & (every != 1)
    refuse(counted & wrong, codes, "solution_num is at least min_solution_num, at most the exits of the group")


def _try_moves(rows: Rows, drawn: NDArray[np.int64], column: str, metric: str) -> None:
    """A move changes the distance by one at most; if all lead to layouts of the range, one of them leads nearer."""
    codes, values = rows["code"], rows[column].astype(np.int64)
    moves = walks.steps_inside(walks.Board(), codes, drawn, metric)
    inside = moves.ends >= 0
    start, end = moves.starts[inside], moves.ends[inside]
    refuse(moves.missing, codes[moves.starts], "a move leads to no layout of the table")
    refuse(abs(values[start] - values[end]) > 1, codes[start], f"a move changes {column} by more than one")
    whole, nearer = np.zeros(len(codes), dtype=np.bool_), np.zeros(len(codes), dtype=np.bool_)
    whole[drawn] = values[drawn] > 0
    whole[moves.starts[~inside]] = False
    nearer[start[values[end] == values[start] - 1]] = True
    refuse(whole & ~nearer, codes, f"no move leads nearer to the exit, {column} does not say 0")


def _graph(name: str, rows: Rows, metric: str) -> walks.Graph:
    try:
        return walks.move_graph(walks.Board(), walks.decoded(walks.Board(), rows["code"]), metric)
    except KeyError as error:
        raise RowFaultError(f"class {name} is not closed under moves: {error}") from error


def _walk(name: str, rows: Rows) -> None:
    """Compare all distances of a class with those found by walking it."""
    for column, metric in METRICS.items():
        found = walks.distances(_graph(name, rows, metric), np.flatnonzero(_at_exit(rows)))
        refuse(found != rows[column], rows["code"], f"walking its class gives another {column}")


def _count_in_class(name: str, rows: Rows, counted_group: int, random: np.random.Generator) -> int:
    """Bound the numbers of nearest solutions by those of nearer neighbours, and count all solutions of some layouts."""
    graph, at_exit = _graph(name, rows, "step"), _at_exit(rows)
    step, nearest = rows["min_solution_step"].astype(np.int64), rows["min_solution_num"].astype(np.int64)
    starts = np.repeat(np.arange(len(step)), np.diff(graph.starts))
    nearer = (step[graph.ends] == step[starts] - 1) & (step[starts] > 0)
    most, least = np.zeros(len(step), dtype=np.int64), np.zeros(len(step), dtype=np.int64)
    np.add.at(most, starts[nearer], nearest[graph.ends[nearer]])
    np.maximum.at(least, starts[nearer], nearest[graph.ends[nearer]])
    wrong = (step > 0) & ((nearest < least) | (nearest > most))
    refuse(wrong, rows["code"], "its nearest solutions are not those of its nearer neighbours")
    mirrored = walks.image_codes(walks.Board(), rows["code"])[:1]
    refuse_unlike_images(rows, ("min_solution_num", "solution_num"), mirrored)
    chosen = random.permutation(len(step))[:SOURCES].tolist()
    for row in chosen:
        found = solutions_from(graph, row, at_exit)
        if rows["size"][row] > counted_group:
            found = (*found[:2], -1)
        _compare(rows, row, found)
    return len(chosen)


def _compare(rows: Rows, row: int, found: tuple[int, ...]) -> None:
    names = NUMBERS[: len(found)]
    stated = tuple(int(rows[name][row]) for name in names)
    if stated != found:
        text = format_code(int(rows["code"][row]))
        raise RowFaultError(f"{text}: ({', '.join(names)}) is {found}, the table says {stated}")


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
        # neighbours in this layer or before are marked, too, which changes nothing: they are counted
        shadowed[graph.from_layouts(layer[at_exit[layer] | shadowed[layer]])] = True
    return least, nearest, every


def _searched_by_hand(rows: Rows) -> Iterator[int]:
    """Search from layouts of every class, nearest to the exit first, as far as the budget goes; yields 1 for each."""
    # without an exit a search goes through the whole group
    cost = np.where(rows["min_solution_step"] < 0, rows["size"], rows["min_solution_step"])
    left: dict[int, int] = {}
    for row in np.argsort(cost, kind="stable").tolist():
        budget = left.get(int(rows["class"][row]), BUDGET)
        start = layout_of(int(rows["code"][row]))
        found, seen = nearest_solutions(start, budget) if budget > 0 else (None, 0)
        left[int(rows["class"][row])] = budget - seen if found is not None else 0
        if found is not None:
            _compare(rows, row, found)
            if rows["size"][row] <= SEARCHED_GROUP and rows["solution_num"][row] >= 0:
                _compare(rows, row, (*found, all_solutions(start)))
            yield 1
