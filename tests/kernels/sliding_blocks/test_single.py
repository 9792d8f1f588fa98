"""One class against the slow search."""

import numpy as np
import pytest

from boardspace_kernels.sliding_blocks.step_graph import Class, class_of
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
    found = class_of(tray(rows, columns), placements(rows, columns, position), MOST)
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
    assert class_of(tray(rows, columns), placements(rows, columns, singles), 1) is None
