"""Numbers of solutions counted again: all rows bounded, drawn classes searched with NumPy and in plain Python."""

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski import rules, walks
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.moves_by_hand import all_solutions, layout_of, nearest_solutions
from boardspace.spaces.klotski.sampling import RowFaultError, refuse, refuse_unlike_images
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.equations import Columns, Tried

NUMBERS = ("min_solution_step", "min_solution_num", "solution_num")
SOURCES = 8
"""Layouts of each drawn class, from which all solutions are counted."""
SEARCHED = 14
"""Layouts of each class that may be searched from in plain Python."""
BUDGET = 150
"""Layouts that these searches of one class go through."""
SEARCHED_GROUP = 400
"""Layouts of the largest group whose solutions are all counted in plain Python."""


def count_again(
    config: KlotskiConfig, layouts: rules.Layouts, rows: Columns, random: np.random.Generator, drawn: bool
) -> Tried:
    """Bound the numbers of all layouts of a class, and count those of some again."""
    tried = 0
    at_exit, group = rules.at_exit(layouts), rows["group_num"]
    size = np.bincount(group)[group]
    exits = np.bincount(group[at_exit], minlength=int(group.max()) + 1)[group]
    try:
        _bound(rows, at_exit, exits, size <= config.counted_group)
        if drawn:
            tried += _count_in_class(layouts, rows, at_exit, size <= config.counted_group, random)
        tried += _search_by_hand(rows, size, random.integers(0, len(size), SEARCHED))
    except RowFaultError as error:
        return Tried(tried, str(error))
    return Tried(tried)


def _bound(rows: Columns, at_exit: NDArray[np.bool_], exits: NDArray[np.int64], counted: NDArray[np.bool_]) -> None:
    codes, nearest, every = rows["code"], rows["min_solution_num"], rows["solution_num"]
    wrong = (nearest > exits) | ((nearest > 0) != (exits > 0)) | at_exit & (nearest != 1)
    refuse(wrong, codes, "min_solution_num is 1 at the exit, 0 without one, at most the exits of the group")
    refuse(~counted & (every != -1), codes, "solution_num is -1 where the group is larger than counted_group")
    wrong = (every < nearest) | (every > exits) | at_exit & (every != 1)
    refuse(counted & wrong, codes, "solution_num is at least min_solution_num, at most the exits of the group")


def _count_in_class(
    layouts: rules.Layouts,
    rows: Columns,
    at_exit: NDArray[np.bool_],
    counted: NDArray[np.bool_],
    random: np.random.Generator,
) -> int:
    """Bound the numbers of nearest solutions by those of nearer neighbours, and count all solutions of some layouts."""
    graph = walks.move_graph(layouts, "step")
    step, nearest = rows["min_solution_step"].astype(np.int64), rows["min_solution_num"].astype(np.int64)
    starts = np.repeat(np.arange(len(step)), np.diff(graph.starts))
    nearer = (step[graph.ends] == step[starts] - 1) & (step[starts] > 0)
    most, least = np.zeros(len(step), dtype=np.int64), np.zeros(len(step), dtype=np.int64)
    np.add.at(most, starts[nearer], nearest[graph.ends[nearer]])
    np.maximum.at(least, starts[nearer], nearest[graph.ends[nearer]])
    wrong = (step > 0) & ((nearest < least) | (nearest > most))
    refuse(wrong, rows["code"], "its nearest solutions are not those of its nearer neighbours")
    image = rules.encoded(layouts.board, rules.mirrored(layouts.board, layouts.anchors))
    refuse_unlike_images(rows, ("min_solution_num", "solution_num"), [image])
    chosen = random.permutation(len(step))[:SOURCES].tolist()
    for row in chosen:
        found = solutions_from(graph, row, at_exit)
        _compare(rows, row, found if counted[row] else (*found[:2], -1))
    return len(chosen)


def _compare(rows: Columns, row: int, found: tuple[int, ...]) -> None:
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


def _search_by_hand(rows: Columns, size: NDArray[np.int64], drawn: NDArray[np.int64]) -> int:
    """Search from drawn layouts, nearest to the exit first, as far as the budget goes; return from how many."""
    step = rows["min_solution_step"][drawn]
    cost = np.where(step < 0, size[drawn], step)  # without an exit a search goes through the whole group
    left, tried = BUDGET, 0
    for row in drawn[np.argsort(cost, kind="stable")].tolist():
        start = layout_of(int(rows["code"][row]))
        found, seen = nearest_solutions(start, left)
        left -= seen
        if found is None or left <= 0:
            break
        _compare(rows, row, found)
        if size[row] <= SEARCHED_GROUP and rows["solution_num"][row] >= 0:
            _compare(rows, row, (*found, all_solutions(start)))
        tried += 1
    return tried
