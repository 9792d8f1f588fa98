"""Files of the public database, byte for byte: ``main`` with all layouts, ``solutions`` and ``farthest`` of a class.

``main.csv`` has a row ``layout_id,code,Y|N,jiang,bing,style,group_num,group_index`` for every layout in order of ids,
where Y says that it is its own mirror image; a newline stands between rows and none after the last.

Codes and classes follow from the ids, groups do not: so all classes are enumerated first and each layout's group is put
at its id, 6 bytes a layout. Cost: that enumeration, some 0.1 us a layout, and about as much to unrank and write a row.

The files of a class have a row for every layout, groups in order of group_num and codes ascending inside a group; a
newline ends every row: ``code,min_solution_step,min_solution_num,<solutions of the least step, joined with ->,
solution_num``, and ``code,farthest_step,farthest_num,<the farthest layouts, joined with ->``.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit
from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.balls import SETTLED, SOURCES, WORDS, spread_margins
from boardspace_kernels.klotski.board import code_digits, format_code
from boardspace_kernels.klotski.classes import ClassLayouts, class_names, class_numbers, class_tables, enumerate_layouts
from boardspace_kernels.klotski.farthest_steps import Farthest, OrbitGraph, farthest, orbit_graph
from boardspace_kernels.klotski.group_graphs import group_codes, group_graphs, is_mirror
from boardspace_kernels.klotski.nearest_solutions import class_solutions, list_nearest
from boardspace_kernels.klotski.passes import make_workspace, search_pass
from boardspace_kernels.klotski.scan import Scan, rank, space_scan, unrank


class FarthestLists(NamedTuple):
    """The farthest vertices of vertex ``v``, ascending: ``vertices[starts[v]:starts[v + 1]]``; ``starts`` int64
    (vertices + 1), ``vertices`` int32."""

    starts: npt.NDArray[np.int64]
    vertices: npt.NDArray[np.int32]


_ROWS = 1 << 18
"""Rows written at a time."""
_MOST_BYTES = 48
"""No row is longer, with its newline."""
_COMMA, _NEWLINE, _YES, _NO, _ZERO = (ord(character) for character in ",\nYN0")


def main_rows() -> Iterator[bytes]:
    """The file, in pieces of many rows."""
    scan = space_scan()
    group_num, group_index = _groups_by_id(scan)
    for low in range(0, scan.size, _ROWS):
        ids = np.arange(low, min(low + _ROWS, scan.size), dtype=np.uint32)
        codes = unrank(scan, ids)
        part = slice(low, low + len(ids))
        yield format_rows(ids, codes, group_num[part], group_index[part]).tobytes()


def format_rows(
    ids: npt.NDArray[np.uint32],
    codes: npt.NDArray[np.uint64],
    group_num: npt.NDArray[np.uint16],
    group_index: npt.NDArray[np.uint32],
) -> npt.NDArray[np.uint8]:
    """The rows of these layouts, all arrays (n), as ASCII uint8 (bytes); a newline before each but that of id 0."""
    numbers = np.column_stack([*class_numbers(codes), group_num, group_index]).astype(np.uint32)
    return _write_rows(ids, code_digits(codes), is_mirror(codes), numbers)


def _groups_by_id(scan: Scan) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint32]]:
    """group_num uint16 and group_index uint32 of all layouts, by id."""
    group_num = np.empty(scan.size, dtype=np.uint16)
    group_index = np.empty(scan.size, dtype=np.uint32)
    for name in class_names():
        if class_tables(name).scan.size:
            layouts = enumerate_layouts(name)
            ids = rank(scan, layouts.codes)
            group_num[ids] = layouts.groups.group_num
            group_index[ids] = layouts.groups.group_index
    return group_num, group_index


@kernel
def _write_rows(
    ids: npt.NDArray[np.uint32],
    digits: npt.NDArray[np.uint8],
    mirror: npt.NDArray[np.bool_],
    numbers: npt.NDArray[np.uint32],
) -> npt.NDArray[np.uint8]:
    """``digits`` uint8 (n, 9) of the codes, ``mirror`` bool (n), ``numbers`` uint32 (n, 5): what stands behind."""
    text = np.empty(_MOST_BYTES * len(ids), dtype=np.uint8)
    end = 0
    for i in range(len(ids)):
        if ids[i]:
            text[end] = _NEWLINE
            end += 1
        end = _write_number(text, end, np.int64(ids[i]))
        text[end] = _COMMA
        text[end + 1 : end + 10] = digits[i]
        text[end + 10] = _COMMA
        text[end + 11] = _YES if mirror[i] else _NO
        end += 12
        for column in range(numbers.shape[1]):
            text[end] = _COMMA
            end = _write_number(text, end + 1, np.int64(numbers[i, column]))
    return text[:end].copy()


@kernel
def _write_number(text: npt.NDArray[np.uint8], end: int, number: int) -> int:
    """Write a number in decimal digits behind ``end``; returns the new end."""
    width = 1
    limit = 10
    while number >= limit:
        limit *= 10
        width += 1
    for place in range(end + width - 1, end - 1, -1):
        text[place] = _ZERO + number % 10
        number //= 10
    return end + width


def farthest_rows(layouts: ClassLayouts, known: Farthest | None = None) -> Iterator[str]:
    """The rows of ``farthest_J-B-S.csv``; ``known``, in name order, saves half of the searches."""
    graphs = group_graphs(layouts)
    for group, codes in enumerate(group_codes(layouts)):
        orbits = orbit_graph(graphs.graph_of(group), graphs.reflections.of_group(group))
        members = slice(graphs.starts[group], graphs.starts[group + 1])
        found = farthest(orbits) if known is None else known.at(members)
        yield from _group_rows(codes, found, farthest_lists(orbits, found))


def _group_rows(codes: npt.NDArray[np.uint64], found: Farthest, lists: FarthestLists) -> Iterator[str]:
    texts = [format_code(code) for code in codes.tolist()]
    for i, text in enumerate(texts):
        last = "-".join(texts[v] for v in lists.vertices[lists.starts[i] : lists.starts[i + 1]].tolist())
        yield f"{text},{found.steps[i]},{found.counts[i]},{last}\n"


def solution_rows(layouts: ClassLayouts, known: npt.NDArray[np.int32] | None = None) -> Iterator[str]:
    """The rows of ``solution_J-B-S.csv``; ``known`` numbers of solutions, int32 in name order, save nearly all time."""
    graphs = group_graphs(layouts)
    found = class_solutions(layouts, graphs, len(layouts.codes) if known is None else 0)
    numbers = found.number if known is None else known
    for group, codes in enumerate(group_codes(layouts)):
        first = int(graphs.starts[group])
        members = slice(first, first + len(codes))
        starts, nearest = list_nearest(graphs.graph_of(group), found.least[members], found.nearest[members])
        texts = [format_code(code) for code in codes.tolist()]
        for i, text in enumerate(texts):
            solutions = "-".join(texts[v] for v in nearest[starts[i] : starts[i + 1]].tolist())
            row = first + i
            yield f"{text},{found.least[row]},{found.nearest[row]},{solutions},{numbers[row]}\n"


def farthest_lists(orbits: OrbitGraph, found: Farthest) -> FarthestLists:
    """The farthest vertices of every vertex; ``found`` says how far and how many they are.

    With the final farthest steps, the margin of a layout (see :mod:`.farthest_steps`) is 0 exactly if it lies in some
    F(u). One layout of each orbit is searched, unless the margin of one searched before settles it; whom a vertex meets
    at its farthest step goes to its list, and so do the images of both.

    Raises:
        ValueError: the farthest of some vertex are others.
    """
    alone = len(found.steps) == 1
    if alone and (found.steps[0], found.counts[0]) == (0, 1):
        return FarthestLists(np.array([0, 1]), np.array([0], dtype=np.int32))
    if alone or found.counts.max() >= len(found.counts):
        raise ValueError("a layout is said to have other farthest ones than its group can have")
    starts = np.concatenate([[0], np.cumsum(found.counts, dtype=np.int64)])
    lists = FarthestLists(starts, np.empty(starts[-1], dtype=np.int32))
    ends = starts[:-1].copy()
    margin = np.zeros(len(found.steps), dtype=np.int16)
    steps, counts = found.steps.copy(), np.zeros(len(found.steps), dtype=np.uint32)
    work = make_workspace(len(steps), last=True)
    left = orbits.order
    while len(left):
        sources = left[:SOURCES]
        margins = search_pass(orbits.graph, sources, orbits.weight[sources], steps, counts, work)
        _append(orbits.images, sources, work.last, starts, ends, lists.vertices)
        spread_margins(orbits.graph, orbits.images, sources, margins, margin)
        left = left[SOURCES:]
        # Settled is what is nearer to every vertex than the farthest, so it belongs to no list.
        left = left[margin[left] < SETTLED]
    # Where steps were said to be fewer than they are, passes have put the right ones in their place; where more, a list
    # is empty, unless an image of the vertex has the right ones and has filled it.
    different = (steps != found.steps) | (steps[orbits.images] != steps).any(axis=0)
    wrong = np.flatnonzero(different | (ends != starts[1:]))
    if len(wrong):
        raise ValueError(f"{len(wrong)} of {len(steps)} layouts of a group have other farthest ones")
    _sort_lists(lists)
    return lists


@kernel
def _append(
    images: npt.NDArray[np.int32],
    sources: npt.NDArray[np.int32],
    last: npt.NDArray[np.uint64],
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    vertices: npt.NDArray[np.int32],
) -> None:
    """Append to the lists, which begin at ``starts`` int64 (vertices + 1) and have come to ``ends`` int64 (vertices),
    the sources in the rows ``last``. What a list has no room for is counted only.

    A source goes to the list of a vertex, and each other image of the source to the list of an image of the vertex.
    """
    for vertex in range(images.shape[1]):
        for word in range(WORDS):
            bits = last[vertex * WORDS + word]
            while bits:
                source = sources[64 * word + np.int64(lowest_bit(bits))]
                bits &= bits - np.uint64(1)
                for g in range(len(images)):
                    # Of reflections that lead to one image the first is enough: what the others would add comes with
                    # other vertices, each of which has met the source itself.
                    if images[g, source] not in images[:g, source]:
                        image = images[g, vertex]
                        if ends[image] < starts[image + 1]:
                            vertices[ends[image]] = images[g, source]
                        ends[image] += 1


@kernel
def _sort_lists(lists: FarthestLists) -> None:
    """Sort the vertices of each list, ascending, in place."""
    for vertex in range(len(lists.starts) - 1):
        lists.vertices[lists.starts[vertex] : lists.starts[vertex + 1]].sort()
