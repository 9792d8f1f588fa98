"""Codes, ranks and mirror images."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.klotski.board import code_digits, is_code
from boardspace_kernels.klotski.classes import ClassName, class_names, class_numbers, class_tables, enumerate_layouts
from boardspace_kernels.klotski.group_graphs import flip_code, is_mirror, mirror
from boardspace_kernels.klotski.scan import rank, space_scan, unrank
from tests.kernels.klotski.published import GOLDEN
from tests.naive import klotski as naive

flip = np.vectorize(flip_code, otypes=[np.uint64])
SMALL = [ClassName(1, 1, 1), ClassName(2, 0, 1), ClassName(6, 0, 6), ClassName(7, 0, 4), ClassName(0, 14, 0)]


def test_the_space_has_the_published_number_of_layouts() -> None:
    assert space_scan().size == GOLDEN["layouts"]
    assert sum(class_tables(name).scan.size for name in class_names()) == GOLDEN["layouts"]


def test_there_are_203_classes_and_no_7_0_0() -> None:
    names = [name for name in class_names() if class_tables(name).scan.size]
    assert len(names) == 203
    assert ClassName(7, 0, 0) not in names


def test_unranking_undoes_ranking_all_over_the_space() -> None:
    ranks = np.arange(0, space_scan().size, 97, dtype=np.uint32)
    codes = unrank(space_scan(), ranks)
    assert (rank(space_scan(), codes) == ranks).all()
    assert (np.diff(codes.astype(np.int64)) > 0).all()
    assert all(is_code(code) for code in codes[::7])


@pytest.mark.parametrize("name", SMALL, ids=str)
def test_a_class_enumerated_is_all_its_layouts_by_definition(name: ClassName) -> None:
    layouts = enumerate_layouts(name)
    by_definition = {naive.code(layout): layout for layout in naive.all_layouts(*name)}
    assert layouts.codes.tolist() == sorted(by_definition)
    ranks = np.arange(len(layouts.codes), dtype=np.uint32)
    assert (rank(layouts.tables.scan, layouts.codes) == ranks).all()
    assert (unrank(layouts.tables.scan, ranks) == layouts.codes).all()
    assert {tuple(map(int, row)) for row in zip(*class_numbers(layouts.codes), strict=True)} == {tuple(name)}
    images = [naive.code(naive.mirrored(by_definition[code])) for code in layouts.codes.tolist()]
    assert mirror(layouts.codes).tolist() == images
    assert (is_mirror(layouts.codes) == (layouts.codes == images)).all()
    assert flip(layouts.codes).tolist() == [naive.code(naive.flipped(by_definition[c])) for c in layouts.codes.tolist()]


def test_a_class_rank_of_a_foreign_code_counts_the_smaller_codes_of_the_class() -> None:
    scan = class_tables(ClassName(2, 1, 1)).scan
    own = unrank(scan, np.arange(scan.size, dtype=np.uint32))
    others = unrank(space_scan(), np.arange(0, space_scan().size, 99_991, dtype=np.uint32))
    assert (rank(scan, others) == np.searchsorted(own, others)).all()


@given(st.integers(0, (1 << 36) - 1))
def test_a_number_is_a_code_exactly_if_it_is_unranked_from_its_rank(number: int) -> None:
    legal = is_code(np.uint64(number))
    if (number >> 32) in (0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14):
        position = rank(space_scan(), np.array([number], dtype=np.uint64))
        back = int(unrank(space_scan(), position)[0]) if position[0] < space_scan().size else -1
        assert legal == (back == number)
    else:
        assert not legal


@given(st.integers(0, 29_334_497))
def test_mirror_images_of_mirror_images_are_the_layouts(layout_id: int) -> None:
    codes = unrank(space_scan(), np.array([layout_id], dtype=np.uint32))
    assert mirror(mirror(codes)) == codes
    assert flip(flip(codes)) == codes
    assert mirror(flip(codes)) == flip(mirror(codes))


def test_digits_are_upper_case_and_nine() -> None:
    assert bytes(code_digits(np.array([0x1A9BF0C00], dtype=np.uint64))[0]) == b"1A9BF0C00"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("300000000", "the block leaves the board on the right"),
        ("F00000000", "the block leaves the board below"),
        ("140000000", "a domino covers the block"),
        ("1D0000000", "a domino leaves the board on the right"),
        ("000000002", "a domino leaves the board below"),
        ("040000001", "a bit is set behind the last item"),
        ("0FFFFFFFF", "no cell is empty"),
        ("1A9BF0C00", ""),
    ],
)
def test_a_number_with_any_fault_is_no_code(text: str, wrong: str) -> None:
    assert is_code(np.uint64(int(text, 16))) == (not wrong)


def test_a_number_with_any_bit_behind_the_last_item_is_no_code() -> None:
    """Seven dominoes leave nine items, so that seven are not needed: 14 bits."""
    legal = int(enumerate_layouts(ClassName(7, 0, 3)).codes[0])
    assert legal & ((1 << 14) - 1) == 0
    assert not any(is_code(np.uint64(legal | more)) for more in range(1, 1 << 14, 5))


@pytest.mark.parametrize("numbers", [(3, 1, 5), (9, 0, 0), (7, 3, 0), (-1, 0, 0), (0, -1, 0), (0, 17, 0), (2, 0, -1)])
def test_numbers_that_name_no_class_are_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="is no class"):
        enumerate_layouts(ClassName(*numbers))
