"""A line of pegs: every position, and the source's lemmas on each of them."""

import pytest

from boardspace_kernels.board_division.fewest_pegs import holds_conditions, search_line
from boardspace_kernels.board_division.jumps import RectangleError
from boardspace_kernels.board_division.rectangle_search import search_rectangle
from tests.naive import board_division as naive


def test_half_the_pegs_stay_and_every_lemma_holds_everywhere() -> None:
    for n in range(1, 81):
        reached = search_line(n)
        assert reached.fewest == (n + 1) // 2, n
        assert (reached.broken, reached.touched_jumps, reached.late_jumps) == (0, 0, 0), n


def test_positions_are_told_apart_by_the_jumps_on_either_side() -> None:
    for n in range(2, 60):
        pairs = n // 2
        assert search_line(n).positions == (pairs + 1) * (pairs + 2) // 2


@pytest.mark.parametrize("n", range(1, 9))
def test_the_line_agrees_with_trying_everything(n: int) -> None:
    assert search_line(n).fewest == min(len(pegs) for level in naive.levels(1, n) for pegs in level)


def test_the_line_agrees_with_the_search_of_rectangles() -> None:
    for n in range(1, 23):
        assert search_line(n).fewest == search_rectangle(1, n).levels[-1].pegs


@pytest.mark.parametrize(
    ("pegs", "untouched", "holds"),
    [
        ("......xx......", "......xx......", True),
        ("...x..xx......", "......xx......", True),
        ("....x.xx......", "......xx......", False),
        (".....xxx......", "......xx......", False),
        ("..xx..xx......", "......xx......", False),
        ("......xx.x....", "......xx......", False),
        ("......xx..x.x.", "......xx......", True),
        ("......xx..xx..", "......xx......", False),
        ("...x..x.x.....", "......x.x.....", False),
    ],
)
def test_the_conditions_are_the_sources(pegs: str, untouched: str, holds: bool) -> None:
    def word(cells: str) -> int:
        return int(cells.replace("x", "1").replace(".", "0"), 2)

    assert holds_conditions(word(pegs), word(untouched)) == holds


@pytest.mark.slow
def test_a_line_of_1000_pegs_leaves_500() -> None:
    reached = search_line(1000)
    assert (reached.fewest, reached.broken, reached.touched_jumps, reached.late_jumps) == (500, 0, 0, 0)


def test_a_line_without_pegs_is_refused() -> None:
    with pytest.raises(RectangleError):
        search_line(0)
