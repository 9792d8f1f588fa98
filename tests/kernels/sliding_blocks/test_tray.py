"""Placements, their words and their walk."""

import numpy as np
import pytest

from boardspace_kernels.sliding_blocks.tray import tray
from tests.kernels.sliding_blocks.trays import SMALL, code_of, piece_of, positions
from tests.naive import sliding_blocks as naive


@pytest.mark.parametrize(("rows", "columns"), SMALL)
def test_placements_are_the_pieces_of_all_positions(rows: int, columns: int) -> None:
    placements = range(len(tray(rows, columns).mask))
    found = {piece_of(rows, columns, placement) for placement in placements}
    assert len(found) == len(placements)
    assert found == {piece for position in positions(rows, columns) for piece in position}


@pytest.mark.parametrize(("rows", "columns"), SMALL)
def test_words_shapes_moves_and_corners_are_those_of_their_definitions(rows: int, columns: int) -> None:
    tables = tray(rows, columns)
    pieces = [piece_of(rows, columns, placement) for placement in range(len(tables.mask))]
    shapes: dict[int, set[naive.Shape]] = {}
    for number, piece in enumerate(pieces):
        assert int(tables.word[number]) == code_of(rows, columns, frozenset({piece}))
        shapes.setdefault(int(tables.shape[number]), set()).add(naive.shape(piece))
        assert (tables.corner[0, number] == number) == naive.in_upper_left(piece)
        assert (tables.corner[3, number] == number) == naive.in_lower_right(rows, columns, piece)
        moves = {pieces[to] for to in tables.moved[number] if to >= 0}
        assert moves == {after for _, after in naive.unit_moves(rows, columns, frozenset({piece}))}
        images = [pieces[image] for image in tables.image[:, number]]
        assert set(images) == set(naive.images(rows, columns, piece))
    assert all(len(same) == 1 for same in shapes.values())
    assert len({shape for same in shapes.values() for shape in same}) == len(shapes)
    assert (np.diff(tables.shape.astype(int)) >= 0).all()


@pytest.mark.parametrize(("rows", "columns"), SMALL)
def test_a_branch_of_the_walk_grows_from_its_root(rows: int, columns: int) -> None:
    tables = tray(rows, columns)
    for item, end in enumerate(tables.walk_end.tolist()):
        below = tables.walk_mask[item:end]
        assert (below & tables.walk_mask[item] == tables.walk_mask[item]).all()
        assert tables.mask[tables.walk_placement[item]] == tables.walk_mask[item]


def test_4_x_5_has_116_166_placements() -> None:
    assert len(tray(4, 5).mask) == 116_166


def test_trays_beyond_20_cells_are_refused() -> None:
    with pytest.raises(ValueError, match="5 x 5: the tables are made for trays of 1 to 20 cells"):
        tray(5, 5)
