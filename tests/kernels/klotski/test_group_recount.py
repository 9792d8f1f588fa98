"""Groups counted from rows in order of their codes, against plain sums over the rows of each group."""

import numpy as np
import numpy.typing as npt
import pytest

from boardspace_kernels.klotski.group_recount import Recount, count_layouts

EXIT = 13
BLOCK_AT = 32
GROUPS = 4
Rows = dict[str, npt.NDArray[np.int64]]


def nothing_counted() -> Recount:
    size, exits = np.zeros((2, GROUPS), np.int64)
    seed, hardest_code = np.zeros((2, GROUPS), np.uint64)
    return Recount(size, exits, seed, np.full(GROUPS, -1), hardest_code)


@pytest.fixture
def rows() -> Rows:
    """Rows of four groups, some with the block at the exit, with equal steps among them."""
    chance = np.random.default_rng(3)
    group = chance.integers(0, GROUPS, 200)
    block, rest = np.sort(chance.integers(EXIT - 2, EXIT + 2, 200)), np.arange(200)
    index = np.array([np.count_nonzero(group[:row] == number) for row, number in enumerate(group)])
    return {"codes": block << BLOCK_AT | rest, "group": group, "index": index, "steps": chance.integers(0, 9, 200)}


def counted(recount: Recount, rows: Rows, part: slice = slice(None)) -> int:
    codes, group, index, steps = (rows[name][part] for name in ("codes", "group", "index", "steps"))
    return count_layouts(recount, np.uint64(EXIT), codes.astype(np.uint64), group, index, steps)


@pytest.mark.parametrize("cut", [0, 1, 77, 200])
def test_every_group_is_counted_as_by_plain_sums_however_the_rows_are_cut(rows: Rows, cut: int) -> None:
    recount = nothing_counted()
    assert [counted(recount, rows, slice(None, cut)), counted(recount, rows, slice(cut, None))] == [-1, -1]
    for number in range(GROUPS):
        codes, steps = (rows[name][rows["group"] == number] for name in ("codes", "steps"))
        assert recount.size[number] == len(codes)
        assert recount.exits[number] == np.count_nonzero(codes >> BLOCK_AT == EXIT)
        assert recount.seed[number] == codes[0] == codes.min()
        assert recount.hardest_step[number] == steps.max()
        assert recount.hardest_code[number] == codes[steps == steps.max()].min()


@pytest.mark.parametrize("row", [0, 1, 100, 199])
def test_a_wrong_number_in_a_group_is_told_by_its_place(rows: Rows, row: int) -> None:
    rows["index"][row] += 1
    assert counted(nothing_counted(), rows) == row
