"""Distances inside a class, read off the graph of steps.

*In steps* from any vertices, breadth first (:func:`distances`).

*To the exit*, by straight and unit moves, too (:func:`moves_to_exit`). Each of these moves is a step, so it is an edge
of a graph that is there already, and no neighbour has to be generated again. A step takes one piece from one anchor to
another and leaves the other pieces where they are: the masks of all anchors before and after differ in just these two
cells. The step is

    unit      if one of the two cells is beside the other,
    straight  if they are in one row or one column, and the piece covers nothing but empty cells and its own wherever
              it passes between them. (It may have come round a corner or two, past another piece.)

Only in a step of two cells or more along a line are the pieces looked at; such steps are few.

The left-right mirror image of a layout is as far from the exit, so one of the two is searched. Cost: for each of these
one look at each neighbour, a fifth of what generating the moves takes.
"""

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit
from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.klotski.board import CELLS, COLUMNS, FOOTPRINT, SINGLE
from boardspace_kernels.klotski.classes import ClassLayouts
from boardspace_kernels.klotski.group_graphs import GroupGraphs
from boardspace_kernels.klotski.moves import STEP, STRAIGHT, UNIT
from boardspace_kernels.klotski.patterns import Fillings, Patterns, kind_at, layout_at
from boardspace_kernels.klotski.step_graph import Graph, mark, mark_exits, take_marked

UNREACHED = -1


def distances(
    graph: Graph, sources: npt.NDArray[np.bool_], images: npt.NDArray[np.int32] | None = None
) -> npt.NDArray[np.int16]:
    """Steps from each vertex to the nearest of ``sources`` bool (vertices), int16; UNREACHED where there is none.

    ``images`` int32 (vertices) may give an image of each vertex that is as far, such as the left-right mirror image if
    the sources are at the exit: it takes half the time then."""
    return _distances(graph, sources, np.arange(len(sources), dtype=np.int32) if images is None else images)


@kernel
def _distances(graph: Graph, sources: npt.NDArray[np.bool_], images: npt.NDArray[np.int32]) -> npt.NDArray[np.int16]:
    """Result of :func:`distances`; whichever is met first of a vertex and its image stands for both."""
    distance = np.full(len(sources), UNREACHED, dtype=np.int16)
    following = np.zeros((len(sources) + 63) // 64, dtype=np.uint64)
    layer = np.empty(len(sources), dtype=np.int32)
    mark_exits(sources, images, distance, following)
    steps, count = 0, take_marked(following, layer)
    while count:
        steps += 1
        for k in range(count):
            # Unsigned, or numba would look whether each index counts from the end.
            here = np.uint64(layer[k])
            for i in range(np.uint64(graph.indptr[here]), np.uint64(graph.indptr[here + _ONE])):
                other = np.uint64(graph.indices[i])
                if distance[other] == UNREACHED:
                    # The image is never gone on from: its neighbours are images of those of `other`.
                    distance[other] = distance[images[other]] = steps
                    mark(other, following)
        count = take_marked(following, layer)
    return distance


def _later(metric: int, cell: int) -> int:
    """Mask of the later cells to which a move of a metric may lead from a cell, or from which it may lead there."""
    row, column = divmod(cell, COLUMNS)
    along = [(row, other) for other in range(column + 1, COLUMNS)]
    down = [(other, column) for other in range(row + 1, CELLS // COLUMNS)]
    if metric == UNIT:
        along, down = along[:1], down[:1]
    return sum(1 << COLUMNS * r + c for r, c in along + down)


_LATER = np.array([[_later(metric, cell) for cell in range(CELLS)] for metric in (STRAIGHT, UNIT)], dtype=np.uint64)
_BESIDE = _LATER[1]
_ONE = np.uint64(1)


def moves_to_exit(layouts: ClassLayouts, graphs: GroupGraphs, metric: int) -> npt.NDArray[np.int16]:
    """Least number of moves of each vertex of a class to one at the exit, int16 (vertices), UNREACHED where no moves
    lead there. ``metric`` as in :mod:`.moves`; vertices are in name order, as in ``graphs``."""
    tables, images, at_exit = layouts.tables, graphs.reflections.mirrored, layouts.at_exit[graphs.order]
    if metric == STEP:
        return distances(graphs.graph, at_exit, images)
    later = _LATER[0 if metric == STRAIGHT else 1]
    return _moves_to_exit(tables.patterns, tables.fillings, graphs.graph, graphs.addresses, images, at_exit, later)


@kernel
def _moves_to_exit(
    patterns: Patterns,
    fillings: Fillings,
    graph: Graph,
    addresses: npt.NDArray[np.uint32],
    images: npt.NDArray[np.int32],
    at_exit: npt.NDArray[np.bool_],
    later: npt.NDArray[np.uint64],
) -> npt.NDArray[np.int16]:
    """Result of :func:`moves_to_exit`; ``later`` uint64 (cells) are the cells to which moves may lead."""
    anchors = _anchors(patterns, fillings, addresses)
    distance = np.full(len(addresses), UNREACHED, dtype=np.int16)
    following = np.zeros((len(addresses) + 63) // 64, dtype=np.uint64)
    layer = np.empty(len(addresses), dtype=np.int32)
    mark_exits(at_exit, images, distance, following)
    moves, count = 0, take_marked(following, layer)
    while count:
        moves += 1
        for k in range(count):
            here = np.uint64(layer[k])
            for i in range(np.uint64(graph.indptr[here]), np.uint64(graph.indptr[here + _ONE])):
                other = np.uint64(graph.indices[i])
                if distance[other] != UNREACHED:
                    continue
                # Two bits: where the piece stood, and where it stands.
                moved = np.uint64(anchors[here] ^ anchors[other])
                first = lowest_bit(moved)
                # The earlier cell is not among those later than itself, so what is left is the other one.
                target = moved & later[first]
                # Unit moves all end at the first test, since `later` has only cells beside for them.
                if target & _BESIDE[first] or (
                    target and _passes(patterns, fillings, np.int64(addresses[here]), np.int64(moved))
                ):
                    distance[other] = distance[images[other]] = moves
                    mark(other, following)
        count = take_marked(following, layer)
    return distance


@kernel
def _anchors(patterns: Patterns, fillings: Fillings, addresses: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Mask of the anchors of all pieces of each layout, uint32 (layouts)."""
    anchors = np.empty(len(addresses), dtype=np.uint32)
    for i in range(len(addresses)):
        pattern, singles = layout_at(patterns, fillings, np.int64(addresses[i]))
        anchors[i] = (1 << patterns.block[pattern]) | patterns.lying[pattern] | patterns.standing[pattern] | singles
    return anchors


@inlined
def _passes(patterns: Patterns, fillings: Fillings, address: int, moved: int) -> bool:
    """Return whether the piece of a layout that stands at one of two cells of a line, given as a mask, can go straight
    to the other, where it can stand."""
    pattern, singles = layout_at(patterns, fillings, address)
    block, lying = np.int64(patterns.block[pattern]), np.int64(patterns.lying[pattern])
    standing, free = np.int64(patterns.standing[pattern]), np.int64(patterns.free[pattern])
    first = np.int64(lowest_bit(np.uint64(moved)))
    last = np.int64(lowest_bit(np.uint64(moved & (moved - 1))))
    # One of the two cells is the piece's anchor, the other nobody's.
    home = first if (((1 << block) | lying | standing | singles) >> first) & 1 else last
    kind = kind_at(block, lying, standing, home)
    if kind < 0:
        kind = SINGLE
    within = (free & ~singles) | FOOTPRINT[kind, home]
    stride = 1 if first // COLUMNS == last // COLUMNS else COLUMNS
    beyond = 0
    # It can stand at both ends, so only places between them are looked at.
    for cell in range(first + stride, last, stride):
        beyond |= FOOTPRINT[kind, cell] & ~within
    return beyond == 0
