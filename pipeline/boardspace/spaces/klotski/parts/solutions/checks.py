"""Numbers of solutions counted again: all rows bounded, drawn classes searched with NumPy and in plain Python."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski import rules
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.rules import BOARD
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.check import places_among
from boardspace.spec.equations import Columns, RowFaultError, Tried
from boardspace.spec.second_rules import Position, nearest_first
from boardspace.verify.folds import Graph
from boardspace.verify.one_class import Class

NUMBERS = ("min_solution_step", "min_solution_num", "solution_num")
SOURCES = 8
"""Layouts of each drawn class, from which all solutions are counted."""
SEARCHED = 14
"""Layouts of each class that may be searched from in plain Python."""
BUDGET = 150
"""Layouts that these searches of one class go through."""
SEARCHED_GROUP = 400
"""Layouts of the largest group whose solutions are all counted in plain Python."""


def count_again(config: KlotskiConfig, one: Class, drawn: bool) -> Tried:
    """Bound the numbers of all layouts of a class, and count those of some again."""
    at_exit, group = rules.at_exit(one.states), one.rows["group_num"]
    size = np.bincount(group)[group]
    exits = np.bincount(group[at_exit], minlength=int(group.max()) + 1)[group]
    _bound(one, at_exit, exits, size <= config.counted_group)
    tried = _count_in_class(one, at_exit, size <= config.counted_group) if drawn else 0
    return Tried(tried + _search_by_hand(one, size, one.random.integers(0, len(one), SEARCHED)), len(one))


def _bound(one: Class, at_exit: NDArray[np.bool_], exits: NDArray[np.int64], counted: NDArray[np.bool_]) -> None:
    nearest, every = one.rows["min_solution_num"], one.rows["solution_num"]
    wrong = (nearest > exits) | ((nearest > 0) != (exits > 0)) | at_exit & (nearest != 1)
    one.raise_where(wrong, "min_solution_num is 1 at the exit, 0 without one, at most the exits of the group")
    one.raise_where(~counted & (every != -1), "solution_num is -1 where the group is larger than counted_group")
    wrong = (every < nearest) | (every > exits) | at_exit & (every != 1)
    one.raise_where(counted & wrong, "solution_num is at least min_solution_num, at most the exits of the group")


def _count_in_class(one: Class, at_exit: NDArray[np.bool_], counted: NDArray[np.bool_]) -> int:
    """Bound the numbers of nearest solutions by those of nearer neighbours, and count all solutions of some layouts."""
    graph, rows = one.graph("chain"), one.rows
    step, nearest = rows["min_solution_step"].astype(np.int64), rows["min_solution_num"].astype(np.int64)
    starts = graph.origins
    nearer = (step[graph.ends] == step[starts] - 1) & (step[starts] > 0)
    most, least = np.zeros(len(step), dtype=np.int64), np.zeros(len(step), dtype=np.int64)
    np.add.at(most, starts[nearer], nearest[graph.ends[nearer]])
    np.maximum.at(least, starts[nearer], nearest[graph.ends[nearer]])
    wrong = (step > 0) & ((nearest < least) | (nearest > most))
    one.raise_where(wrong, "its nearest solutions are not those of its nearer neighbours")
    refuse_unlike_images(one, ("min_solution_num", "solution_num"), rules.images(one.states)[:1])
    chosen = one.random.permutation(len(step))[:SOURCES].tolist()
    for row in chosen:
        found = solutions_from(graph, row, at_exit)
        compare(rows, row, NUMBERS, found if counted[row] else (*found[:2], -1))
    return len(chosen)


def refuse_unlike_images(one: Class, columns: Sequence[str], images: Sequence[NDArray[np.uint64]]) -> None:
    """Raise RowFaultError where an image of a layout of a class, by its code, has another value in a column."""
    codes = one.rows["code"]
    for image in images:
        places = places_among(image, codes)
        one.raise_where(places < 0, "its image is not among the layouts of its class")
        for column in columns:
            values = one.rows[column]
            one.raise_where(values[places] != values, f"its image has another {column}")


def compare(rows: Columns, row: int, names: Sequence[str], found: tuple[int, ...]) -> None:
    """Raise RowFaultError where a row has not what was found of its layout."""
    stated = tuple(int(rows[name][row]) for name in names)
    if stated != found:
        text = format_code(int(rows["code"][row]))
        raise RowFaultError(f"{text}: ({', '.join(names)}) is {found}, the table says {stated}")


def solutions_from(graph: Graph, start: int, at_exit: NDArray[np.bool_]) -> tuple[int, int, int]:
    """Steps to the nearest layouts at the exit, their number, and that of all solutions: (-1, 0, 0) without an exit.

    A layout is shadowed if a layout at the exit lies before it on a shortest path. Solutions are the layouts at the
    exit that are not.
    """
    shadowed = np.zeros(len(at_exit), dtype=np.bool_)
    least, nearest, every = -1, 0, 0
    for step, layer in enumerate(graph.layers(np.array([start]))):
        found = int(np.count_nonzero(at_exit[layer] & ~shadowed[layer]))
        if least < 0 and found:
            least, nearest = step, found
        every += found
        # neighbours in this layer or before are marked, too, which changes nothing: they are counted
        shadowed[graph.from_rows(layer[at_exit[layer] | shadowed[layer]])] = True
    return least, nearest, every


def _search_by_hand(one: Class, size: NDArray[np.int64], drawn: NDArray[np.int64]) -> int:
    """Search from drawn layouts, nearest to the exit first, as far as the budget goes; return from how many."""
    rows, step = one.rows, one.rows["min_solution_step"][drawn]
    cost = np.where(step < 0, size[drawn], step)  # without an exit a search goes through the whole group
    left, tried = BUDGET, 0
    for row in drawn[np.argsort(cost, kind="stable")].tolist():
        start = one.states.layout(row)
        found, seen = nearest_solutions(start, left)
        left -= seen
        if found is None or left <= 0:
            break
        compare(rows, row, NUMBERS[:2], found)
        if size[row] <= SEARCHED_GROUP and rows["solution_num"][row] >= 0:
            compare(rows, row, NUMBERS, (*found, all_solutions(start, int(size[row]))))
        tried += 1
    return tried


def nearest_solutions(start: Position, budget: int) -> tuple[tuple[int, int] | None, int]:
    """Return steps to the nearest layouts at the exit and their number, (-1, 0) where there are none; None where more
    than ``budget`` layouts would have to be moved. Then how many were."""
    least, number, moved = -1, 0, 0
    for layout, steps in nearest_first([start], BOARD.beside):
        if number and steps > least:
            break
        if moved == budget:
            return None, moved
        moved += 1
        if BOARD.is_solved(layout):
            least, number = steps, number + 1
    return (least, number), moved


def all_solutions(start: Position, size: int) -> int:
    """Number of layouts at the exit with no other, nor ``start``, on any shortest path to them; ValueError where the
    group has more than ``size`` layouts."""
    step_of, clean, solutions = dict(nearest_first([start], BOARD.beside, size)), {start: True}, 0
    for layout, step in step_of.items():  # nearest first
        at_exit = BOARD.is_solved(layout)
        solutions += at_exit and clean[layout]
        for other in BOARD.beside(layout):
            if step_of[other] == step + 1:
                clean[other] = clean.get(other, True) and clean[layout] and not at_exit
    return solutions
