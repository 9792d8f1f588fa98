"""Counting packings along a frontier."""

from collections import Counter

import pytest

from boardspace_kernels.sliding_blocks.frontier import count_by_sizes, count_packings
from tests.kernels.sliding_blocks.trays import SMALL, positions
from tests.naive import sliding_blocks as naive

PUBLISHED = {
    (2, 2): 43,
    (2, 3): 397,
    (4, 4): 55_807_716,
    (4, 5): 6_904_653_755,
    (5, 5): 3_117_469_335_485,
}


@pytest.mark.parametrize(("rows", "columns"), SMALL)
def test_every_multiset_of_sizes_has_as_many_packings_as_are_found_one_by_one(rows: int, columns: int) -> None:
    found = Counter(naive.histogram_of(position) for position in positions(rows, columns))
    assert count_by_sizes(rows, columns) == found
    assert count_packings(rows, columns) == len(positions(rows, columns))


@pytest.mark.parametrize(("tray", "packings"), PUBLISHED.items())
def test_the_published_numbers_of_packings(tray: tuple[int, int], packings: int) -> None:
    assert count_packings(*tray) == count_packings(*reversed(tray)) == packings


def test_lines_have_fibonacci_numbers_of_odd_index() -> None:
    assert [count_packings(1, n) for n in range(1, 9)] == [2, 5, 13, 34, 89, 233, 610, 1597]


def test_packings_without_a_void() -> None:
    for tray, full in (((2, 2), 12), ((2, 3), 74)):
        cells = tray[0] * tray[1]
        assert sum(n for sizes, n in count_by_sizes(*tray).items() if sum(sizes) == cells) == full


def test_4_x_4_has_915_multisets_of_sizes_and_352_721_284_marked_positions() -> None:
    counts = count_by_sizes(4, 4)
    assert len(counts) == 915
    assert sum(len(sizes) * packings for sizes, packings in counts.items()) == 352_721_284


def test_multisets_are_ordered_by_pieces_then_by_largest_sizes() -> None:
    assert list(count_by_sizes(1, 3)) == [(), (1,), (2,), (3,), (1, 1), (1, 2), (1, 1, 1)]
