"""One class and one puzzle against the slow search."""

from itertools import pairwise

import numpy as np
import pytest

from boardspace_kernels.sliding_blocks.single import Class, class_of, graph_of, shortest_way
from boardspace_kernels.sliding_blocks.tray import tray
from tests.kernels.sliding_blocks.trays import code_of, piece_of, positions
from tests.naive import sliding_blocks as naive

TRAYS = ((1, 5), (2, 2), (3, 2), (2, 4))
MOST = 100_000


def placements(rows: int, columns: int, position: naive.Position) -> list[int]:
    """The placements of a position's pieces, ascending."""
    every = {piece_of(rows, columns, number): number for number in range(len(tray(rows, columns).mask))}
    return sorted(every[piece] for piece in position)


def own_class(rows: int, columns: int, position: naive.Position) -> Class:
    laid = np.array(placements(rows, columns, position), np.int32)
    found = class_of(tray(rows, columns), laid, MOST)
    assert found is not None
    return found


@pytest.mark.parametrize(("rows", "columns"), TRAYS)
def test_a_class_has_each_of_its_positions_once(rows: int, columns: int) -> None:
    for same in naive.by_class(positions(rows, columns)).values():
        if not same[0]:
            continue
        found = own_class(rows, columns, same[0])
        order = np.argsort(found.code)
        named = {code_of(rows, columns, position): placements(rows, columns, position) for position in same}
        assert dict(zip(found.code[order].tolist(), found.slots[order].tolist(), strict=True)) == named
        assert len(found.code) == len(same)


def test_a_class_that_is_larger_than_allowed_is_not_made() -> None:
    rows, columns = 3, 3
    singles = next(p for p in positions(rows, columns) if len(p) == 4 and all(len(piece) == 1 for piece in p))
    laid = np.array(placements(rows, columns, singles), np.int32)
    assert class_of(tray(rows, columns), laid, 1) is None


def marked(rows: int, columns: int, own: Class, state: tuple[int, int]) -> naive.Marked:
    """A position and its marked piece, given by the position's number and the slot."""
    number, slot = state
    pieces = [piece_of(rows, columns, placement) for placement in own.slots[number].tolist()]
    return frozenset(pieces), pieces[slot]


def after_a_step(rows: int, columns: int, one: naive.Marked) -> set[naive.Marked]:
    position, mark = one
    return {
        (position - {before} | {after}, after if before == mark else mark)
        for before, after in naive.steps(rows, columns, position)
    }


@pytest.mark.parametrize(("rows", "columns"), [(1, 5), (2, 2), (3, 2)])
def test_ways_are_played_step_by_step_and_none_is_shorter(rows: int, columns: int) -> None:
    """From each marked position to each place of its shape."""
    tables = tray(rows, columns)
    for same in naive.by_class(positions(rows, columns)).values():
        if not same[0]:
            continue
        graph = graph_of(tables, own_class(rows, columns, same[0]))
        for goal in sorted(set(graph.own.slots.ravel().tolist())):
            there = piece_of(rows, columns, goal)
            lengths = naive.distances(rows, columns, [(position, there) for position in same if there in position])
            for start, slot in np.argwhere(tables.shape[graph.own.slots] == tables.shape[goal]).tolist():
                way = shortest_way(tables, graph, start, slot, goal)
                first = marked(rows, columns, graph.own, (start, slot))
                assert lengths.get(first) == (None if way is None else len(way) - 1)
                if way is not None:
                    met = [marked(rows, columns, graph.own, state) for state in way]
                    assert met[0] == first
                    assert met[-1][1] == there
                    assert all(two in after_a_step(rows, columns, one) for one, two in pairwise(met))
