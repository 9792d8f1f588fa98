"""One step of the search: exact counts of 128 bits, and what exceeds them."""

import math

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row import recount_layers
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.cells import NO_STRIPS, cells_of, decide, root_state
from boardspace_kernels.five_in_a_row.checker import all_lines
from boardspace_kernels.five_in_a_row.diagram import MANY_PATHS, Diagram, paths_to_go, placements_by_rank
from boardspace_kernels.five_in_a_row.frontier import frontier
from boardspace_kernels.five_in_a_row.layers import ANY_STONES, Budget, Cells, States, empty_states, state_bytes
from boardspace_kernels.five_in_a_row.recount_tables import NO_STRIPS as NO_RECOUNT_STRIPS
from boardspace_kernels.five_in_a_row.recount_tables import Lines

ALL = (1 << 64) - 1
UNSEEN = Cells(
    word=np.array([[-1]]),
    shift=np.zeros((1, 1), dtype=np.uint64),
    next_run=np.array([[[0, -1]]]),
    gains=np.zeros((1, 0, 1, 2), dtype=np.int64),
    strips=np.empty(0, dtype=np.int64),
    first=np.zeros(2, dtype=np.int64),
    field=np.uint64(1),
    others=np.full((1, 1), ALL, dtype=np.uint64),
)
"""One cell without lines: leaving it free or not makes no difference, so both children of a state are one."""


def total(low: int, high: int) -> int:
    """The count of the one child of a state that stands for (low, high) placements, each with the cell free or not."""
    states = States(
        keys=np.zeros((1, 1), dtype=np.uint64),
        stones=np.zeros(1, dtype=np.int32),
        counts=np.array([[low, high]], dtype=np.uint64),
        values=np.empty((1, 0), dtype=np.int64),
        nodes=np.empty((1, 0), dtype=np.int32),
    )
    alone, _, _ = decide(states, UNSEEN, (0, 1), NO_STRIPS, ANY_STONES, most=0)
    after, _, _ = decide(states, UNSEEN, (0, 1), NO_STRIPS, ANY_STONES, most=1)
    assert len(after.stones) == 1
    assert [column.tolist() for column in alone] == [column.tolist() for column in after]
    return int(after.counts[0, 0]) + (int(after.counts[0, 1]) << 64)


@pytest.mark.parametrize(("low", "high"), [(1, 0), (ALL, 0), (1 << 63, 0), (0, 1 << 62), (ALL, ALL >> 1)])
def test_counts_add_up_exactly_to_128_bits(low: int, high: int) -> None:
    assert total(low, high) == 2 * (low + (high << 64))


@pytest.mark.parametrize(("low", "high"), [(0, 1 << 63), (ALL, 1 << 63), (0, ALL), (ALL, ALL)])
def test_a_count_beyond_128_bits_is_refused(low: int, high: int) -> None:
    with pytest.raises(OverflowError, match="exceeds 128 bits"):
        total(low, high)


@pytest.mark.parametrize("sizes", [(1, 0, 0), (1, 2, 3), (3, 2, 1)])
def test_a_state_takes_the_bytes_that_a_layer_has_for_each(sizes: tuple[int, int, int]) -> None:
    states = empty_states(1000, *sizes)
    assert sum(column.nbytes for column in states) == 1000 * state_bytes(*sizes)


def different(words: np.ndarray, stones: np.ndarray) -> int:
    """Number of different states: in any order of all their columns, those that are unlike the one before."""
    rows = np.column_stack([words, stones.astype(words.dtype)])
    rows = rows[np.lexsort(rows.T)]
    return min(1, len(rows)) + int((rows[1:] != rows[:-1]).any(axis=1).sum())


@pytest.mark.parametrize("shape", [(6, 6), (9, 3), (12,), (4, 3, 3)])
@pytest.mark.parametrize("k", [2, 3, 4])
def test_no_two_states_of_a_layer_agree(shape: tuple[int, ...], k: int) -> None:
    """Most children by a free cell are not looked up, as there is none like them."""
    tables = frontier(Board(shape, k))
    states, cells = root_state(tables.words, np.empty(0, dtype=np.int64), 0, count=1), cells_of(tables, [])
    for t in range(tables.board.cells):
        states, _, _ = decide(states, cells, (t, t + 1), NO_STRIPS, Budget(1, 0, 0), most=0)
        assert different(states.keys, states.stones) == len(states.stones)


@pytest.mark.parametrize(("shape", "k"), [((6, 6), 3), ((6, 5), 4), ((9, 3), 3), ((4, 3, 3), 3)])
def test_no_two_states_of_a_recount_agree(shape: tuple[int, ...], k: int) -> None:
    board = Lines(math.prod(shape), k, all_lines(shape, k))
    cells = board.tables(np.zeros((len(board.lines), 2), dtype=np.int64), [[]] * board.cells)
    states = recount_layers.States(recount_layers.first_layer(board.words, 0, 0))
    for t in range(board.cells):
        states.decide(t, t + 1, recount_layers.Search(cells, NO_RECOUNT_STRIPS, recount_layers.Limit(1, 0, 0)), 1 << 40)
        rows = states.rows
        assert different(rows.hit, rows.used) == len(rows.used)


def doubling(layers: int) -> Diagram:
    """One node a layer, a free cell and a stone leading to the next: 2 ** layers paths."""
    nodes = np.arange(1, layers + 1, dtype=np.int32)
    links = np.append(nodes, np.int32(-1))
    return Diagram(links, links.copy(), np.arange(layers + 2, dtype=np.int64))


@pytest.mark.parametrize("layers", [1, 40, 63])
def test_paths_are_counted_exactly_where_64_bits_hold_them(layers: int) -> None:
    assert paths_to_go(doubling(layers))[0] == 1 << layers


@pytest.mark.parametrize("layers", [64, 65, 100])
def test_more_paths_than_64_bits_hold_are_many_and_not_few(layers: int) -> None:
    """They wrapped: 2 ** 64 paths were 0, and the first placement began with a stone."""
    diagram = doubling(layers)
    paths = paths_to_go(diagram)
    assert paths[0] == MANY_PATHS
    ranks = np.array([0, 1, 5, 1 << 62], dtype=np.uint64)
    expected = [[rank >> t & 1 if t < 64 else 0 for t in reversed(range(layers))] for rank in ranks.tolist()]
    assert placements_by_rank(diagram, paths, ranks).tolist() == expected
