"""Codes, ids, classes: every layout once, in order, and back."""

import numpy as np
import pytest

from kernels.klotski.classes import ClassName, class_names, class_tables, enumerate_layouts
from kernels.klotski.scan import rank, space_scan, unrank
from kernels.klotski.symmetry import mirror
from tests.naive import klotski as naive

SMALL = [
    ClassName(0, 0, 0),
    ClassName(1, 1, 0),
    ClassName(2, 0, 1),
    ClassName(7, 0, 3),
    ClassName(6, 0, 5),
]


@pytest.mark.parametrize("name", SMALL, ids=str)
def test_a_class_is_what_trying_all_sets_of_pieces_finds(name: ClassName) -> None:
    expected = {naive.code(layout): naive.code(naive.mirror(layout)) for layout in naive.layouts(*name)}
    codes = enumerate_layouts(name).codes
    assert codes.tolist() == sorted(expected)
    assert mirror(codes).tolist() == [expected[code] for code in codes.tolist()]


def test_the_classes_together_hold_as_many_layouts_as_the_whole_space() -> None:
    sizes = [class_tables(name).scan.size for name in class_names()]
    assert sum(sizes) == space_scan().size == 29_334_498
    assert sum(size > 0 for size in sizes) == 203


def test_ids_and_codes_are_inverse_and_in_the_same_order_all_over_the_space() -> None:
    scan = space_scan()
    ids = np.unique(np.random.default_rng(1).integers(0, scan.size, 200_000)).astype(np.uint32)
    ids = np.concatenate([[0], ids, [scan.size - 1]]).astype(np.uint32)
    codes = unrank(scan, ids)
    assert np.array_equal(rank(scan, codes), ids)
    assert (codes[1:] >= codes[:-1]).all()


def test_ranks_in_a_class_are_the_places_of_its_codes() -> None:
    layouts = enumerate_layouts(ClassName(3, 2, 1))
    assert np.array_equal(rank(layouts.tables.scan, layouts.codes), np.arange(len(layouts.codes)))
    assert sorted(layouts.addresses.tolist()) == list(range(len(layouts.codes)))


def test_the_mirror_of_a_mirror_is_the_layout() -> None:
    scan = space_scan()
    codes = unrank(scan, np.random.default_rng(2).integers(0, scan.size, 100_000).astype(np.uint32))
    images = mirror(codes)
    assert np.array_equal(mirror(images), codes)
    assert np.array_equal(unrank(scan, rank(scan, images)), images)
