"""Other trays: codes, moves, groups and the hardest layouts, against the definitions; on 4 x 5 cells the same codes."""

import numpy as np
import pytest

from boardspace_kernels.klotski import trays
from boardspace_kernels.klotski.board import decode_code, decode_in_tray, encode_in_tray, encode_layout
from boardspace_kernels.klotski.moves import STEP, STRAIGHT, UNIT
from boardspace_kernels.klotski.scan import space_scan, unrank
from boardspace_kernels.klotski.trays import survey_tray, tray, tray_codes, tray_neighbours
from tests.naive.klotski_trays import Frame

METRICS = {"step": STEP, "straight": STRAIGHT, "unit": UNIT}
SIZES = [(2, 3), (2, 4), (3, 3), (2, 5), (3, 4)]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_codes_and_neighbours_of_a_tray_are_those_of_the_definition(columns: int, rows: int) -> None:
    frame = Frame(columns, rows)
    by_code = {frame.code(layout): layout for layout in frame.layouts()}
    codes = tray_codes(tray(columns, rows), len(by_code))
    assert codes.tolist() == sorted(by_code)
    found = np.empty(256, dtype=np.uint64)
    for code in codes[:: 1 + len(codes) // 300]:
        assert encode_in_tray(columns, rows, *decode_in_tray(columns, rows, code)) == code
        for name, metric in METRICS.items():
            moved = found[: tray_neighbours(tray(columns, rows), code, metric, found)].tolist()
            assert sorted(moved) == sorted(map(frame.code, frame.moves(by_code[int(code)], name)))


@pytest.mark.parametrize(("columns", "rows"), [(2, 3), (3, 3), (2, 5)])
def test_groups_and_hardest_layouts_of_a_tray_are_those_of_the_definition(columns: int, rows: int) -> None:
    frame = Frame(columns, rows)
    layouts = frame.layouts()
    found = survey_tray(tray(columns, rows), len(layouts))
    sizes = frame.group_sizes(layouts)
    assert (found.layouts, found.groups, found.largest_group) == (len(layouts), len(sizes), max(sizes))
    for name, hardest in zip(METRICS, found[4:], strict=True):
        most, code, solvable = frame.hardest(layouts, name)
        assert hardest == (most, code)
        assert found.solvable == solvable


def test_on_the_board_of_4_x_5_cells_the_codec_of_trays_is_the_boards() -> None:
    codes = unrank(space_scan(), np.arange(0, space_scan().size, 99_991, dtype=np.uint32))
    for code in codes:
        masks = decode_in_tray(4, 5, code)
        assert masks == decode_code(code)
        assert encode_in_tray(4, 5, *masks) == encode_layout(*masks) == code
    assert tray(4, 5).exits == 1 << 13


def test_a_wrong_number_of_layouts_is_refused() -> None:
    for expected in (167, 169):
        with pytest.raises(ValueError, match="168 layouts"):
            tray_codes(tray(3, 3), expected)


def test_a_layout_that_is_missing_is_told_where_a_move_leads_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = tray(3, 3)
    monkeypatch.setattr(trays, "tray_codes", lambda *_: np.delete(tray_codes(frame, 168), 80))
    with pytest.raises(ArithmeticError, match="a move leads to no layout"):
        survey_tray(frame, 167)


@pytest.mark.parametrize(("columns", "rows"), [(1, 5), (4, 3), (4, 7), (5, 6)])
def test_a_frame_that_is_no_tray_is_refused(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match=f"{columns} x {rows}"):
        tray(columns, rows)
