"""One step of the search: exact counts of 128 bits, and what exceeds them."""

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row.cells import NO_STRIPS, decide
from boardspace_kernels.five_in_a_row.diagram import MANY_PATHS, Diagram, paths_to_go, placements_by_rank
from boardspace_kernels.five_in_a_row.layers import ANY_STONES, Cells, States, empty_states, state_bytes

ALL = (1 << 64) - 1
UNSEEN = Cells(
    word=np.array([[-1]]),
    shift=np.zeros((1, 1), dtype=np.uint64),
    next_run=np.array([[[0, -1]]]),
    gains=np.zeros((1, 0, 1, 2), dtype=np.int64),
    strips=np.empty(0, dtype=np.int64),
    first=np.zeros(2, dtype=np.int64),
    field=np.uint64(1),
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
