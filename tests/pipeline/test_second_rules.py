"""What second rules of several spaces share: transfers, boards of letters, groups and their figures."""

from itertools import pairwise, product

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace.spec.figures import Figures, Metric
from boardspace.spec.second_rules import Group, Rows, every_way, slides, transfer


@given(st.integers(1, 8), st.integers(1, 5), st.integers(2, 100))
def test_a_transfer_sums_the_weights_of_all_ways(cells: int, weight: int, modulus: int) -> None:
    """Words of 0 and 1 without two 1 side by side; a 1 has a weight."""
    words = (word for word in product((0, 1), repeat=cells) if (1, 1) not in pairwise(word))
    expected = sum(weight ** sum(word) for word in words)

    def ways(cell: int, last: int) -> list[tuple[int, int]]:
        return [(0, 1)] if last else [(0, 1), (1, weight)]

    assert sum(transfer(0, range(cells), ways).values()) == expected
    assert sum(transfer(0, range(cells), ways, modulus).values()) % modulus == expected % modulus


def test_every_way_is_listed_in_order_and_no_more_than_may_be() -> None:
    def ways(most: int, word: str) -> list[str]:
        return [word + str(number) for number in range(1, most + 1)]

    found = ["".join(map(str, word)) for word in product((1, 2), (1, 2, 3), (1,))]
    assert every_way("", (2, 3, 1), ways, len(found)) == found
    with pytest.raises(ValueError, match="more than 5 ways"):
        every_way("", (2, 3, 1), ways, len(found) - 1)


@given(st.text(".xD", max_size=4), st.integers(2, 3), st.text(".xD", max_size=4), st.booleans())
def test_a_piece_slides_along_its_line_as_far_as_cells_are_free(
    before: str, length: int, after: str, is_down: bool
) -> None:
    def board(line: str) -> Rows:
        return tuple(line) if is_down else (line,)

    found = {name: rows for name, rows in slides(board(before + "C" * length + after)).items() if name[0] == "C"}
    expected = {}
    for cells in range(1, len(after) - len(after.lstrip(".")) + 1):
        expected[f"C+{cells}"] = board(before + "." * cells + "C" * length + after[cells:])
    for cells in range(1, len(before) - len(before.rstrip(".")) + 1):
        expected[f"C-{cells}"] = board(before[:-cells] + "C" * length + "." * cells + after)
    assert found == expected


def test_figures_of_groups_are_summed_up_by_the_hardest() -> None:
    metric = Metric("step", "A step.", "steps", pa.uint8(), "starts", "start")
    figures = Figures("boards", (metric,), "", "", "")
    near = Group.of(0, lambda state: {"+": min(state + 1, 2), "-": max(state - 1, 0)}, lambda state: state == 0)
    far = Group.of(10, lambda state: {"+": min(state + 1, 13), "-": max(state - 1, 10)}, lambda state: state == 10)
    none = Group.of(20, lambda state: {}, lambda state: False)
    assert near is not None
    assert far is not None
    assert none is not None
    assert (near.goals, near.most, near.farthest, far.ways(13)) == (1, 2, [2], {10: 1})
    assert Group.of(0, lambda state: {"+": state + 1}, lambda state: False, most=5) is None
    rows = [figures.of_group({"step": group}, lambda state: (-state, str(state))) for group in (near, far, none)]
    total = figures.total([{"classes": 2, "boards": 8}, *rows])
    assert total == {"classes": 2, "boards": 8, "groups": 3, "solvable_groups": 2, "solvable": 7} | {
        "steps": 3,
        "starts": 1,
        "start": "13",
        "solutions": 1,
    }
    assert figures.total([])["steps"] is None
