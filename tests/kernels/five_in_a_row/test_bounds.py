"""The bounds: what a solver proposes is checked, strips add up, and no state that matters is dropped."""

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row.board import (
    Board,
    BoardError,
    BoardTooLargeError,
    PartTooLargeError,
    load,
    unblocked,
)
from boardspace_kernels.five_in_a_row.bound import (
    SCALE,
    Bound,
    BoundError,
    check,
    root_weights,
    rounded,
    without_strips,
)
from boardspace_kernels.five_in_a_row.certificate import bound_of, prepared_by
from boardspace_kernels.five_in_a_row.diagram import cost_to_go, paths_to_go, whole_diagram
from boardspace_kernels.five_in_a_row.minimum import few_stones, least, listed, rungs, solve, solve_part
from boardspace_kernels.five_in_a_row.search import Limits, Part, limits, prepare, sweep
from boardspace_kernels.five_in_a_row.strips import ascend, strips_over
from tests.naive import five_in_a_row as naive

NO_STRIPS = np.empty((0, 0), dtype=np.int64)
PLENTY = 1 << 40


@pytest.mark.parametrize(("shape", "k"), [((9, 8), 5), ((7, 7), 4), ((10, 10), 7), ((3, 3, 3), 3), ((25, 25), 5)])
def test_line_weights_are_checked_integers_equal_on_symmetric_lines(shape: tuple[int, ...], k: int) -> None:
    board = Board(shape, k)
    weights = root_weights(board)
    check(board, NO_STRIPS, without_strips(weights))
    value = dict(zip(map(frozenset, board.lines.tolist()), weights.tolist(), strict=True))
    for image in board.symmetries:
        assert all(value[frozenset(image[line].tolist())] == w for line, w in zip(board.lines, weights, strict=True))


def test_the_line_bound_of_five_in_a_row_is_the_formula() -> None:
    for rows in range(5, 12):
        for columns in range(5, rows + 1):
            assert least(prepare(Board((rows, columns), 5))) == rows * columns // 5


@pytest.mark.parametrize("k", [2, 5, 6, 7])
def test_thin_boards_are_proved_by_their_weights(k: int) -> None:
    for rows in range(k, 2 * k + 2):
        for columns in range(1, min(k, 4)):
            assert least(prepare(Board((rows, columns), k))) == columns * (rows // k)


def test_weights_that_charge_a_stone_too_much_are_refused() -> None:
    board = Board((5, 5), 5)
    weights = root_weights(board)
    weights[0] += SCALE
    with pytest.raises(BoundError, match="charged"):
        check(board, NO_STRIPS, without_strips(weights))
    with pytest.raises(BoundError, match="negative"):
        check(board, NO_STRIPS, without_strips(-weights))


def test_decided_cells_limit_nothing() -> None:
    board = Board((5, 5), 5)
    weights = np.zeros(len(board.lines), dtype=np.int64)
    weights[board.line_at[0][board.line_at[0] >= 0]] = SCALE // 2
    assert load(board, weights)[0] == 3 * (SCALE // 2)
    check(board, NO_STRIPS, without_strips(weights, layer=1))
    with pytest.raises(BoundError, match="cell 0"):
        check(board, NO_STRIPS, without_strips(weights))


@pytest.mark.parametrize("excess", [0.0, 1e-9, 0.5])
def test_rounding_keeps_any_proposal_within_the_scale(excess: float) -> None:
    """Also of weights that are no whole numbers of units: those were shrunk before they were rounded once."""
    for seed in range(8):
        board = Board((8, 9), 5)
        fractions = np.random.default_rng(seed).random(len(board.lines)) / SCALE
        proposal = (root_weights(board) / SCALE + fractions) * (1 + excess)
        weights = rounded(board, proposal)
        check(board, NO_STRIPS, without_strips(weights))
        assert (weights >= np.floor(proposal / (1 + excess) / (1 + 1e-7) * SCALE) - 1).all(), seed


@pytest.mark.parametrize(("shape", "k"), [((6, 5), 4), ((7, 7), 3), ((8, 5), 4)])
def test_a_bound_by_lines_alone_can_be_made_where_the_program_has_a_gap(shape: tuple[int, int], k: int) -> None:
    assert 0 < least(prepare(Board(shape, k))) <= solve(Board(shape, k)).minimum


@pytest.mark.parametrize(
    ("shape", "k", "width"), [((8, 8), 3, 5), ((9, 9), 4, 5), ((9, 9), 3, 9), ((7, 7), 2, 4), ((8, 7), 3, 4)]
)
def test_strips_prove_more_than_lines_and_never_too_much(shape: tuple[int, int], k: int, width: int) -> None:
    board = Board(shape, k)
    strips = strips_over(board, width, PLENTY)
    bound = ascend(strips)
    check(board, strips.cells, bound)
    assert len(strips.images) == 3
    for numbers, places in strips.images:
        assert np.array_equal(bound.costs[numbers][:, places], bound.costs)
    prepared = prepare(board, width)
    assert least(prepare(board)) < least(prepared) <= solve(board).minimum


def test_a_stone_paid_twice_by_strips_is_refused() -> None:
    board = Board((6, 6), 3)
    strips = strips_over(board, 4, PLENTY)
    costs = np.full(strips.cells.shape, SCALE)
    with pytest.raises(BoundError, match="charged"):
        check(board, strips.cells, Bound(np.zeros(len(board.lines), dtype=np.int64), costs))


@pytest.mark.parametrize(("shape", "k"), [((4, 4), 3), ((5, 4), 4), ((4, 4), 2), ((3, 5), 3)])
def test_a_whole_diagram_holds_every_blocking_placement(shape: tuple[int, int], k: int) -> None:
    diagram = whole_diagram(Board(shape, k), PLENTY)
    cells = shape[0] * shape[1]
    placements, blocked = np.arange(1 << cells), np.ones(1 << cells, dtype=bool)
    for line in naive.lines(shape, k):
        blocked &= placements & sum(1 << (r * shape[1] + c) for r, c in line) > 0
    assert paths_to_go(diagram)[0] == blocked.sum()
    cheapest = len(naive.optimal_placements(shape, k)[0])
    assert cost_to_go(diagram, np.ones(cells, dtype=np.int64))[0] == cheapest


@pytest.mark.parametrize(("shape", "k"), [((8, 7), 5), ((7, 6), 4), ((7, 7), 3), ((7, 7), 7), ((7, 6), 6)])
def test_every_bound_leaves_all_placements(shape: tuple[int, int], k: int) -> None:
    """Boards of k = 5 and more are solved by lines alone, those of k = 3 and 4 by strips; here each goes both ways."""
    board = Board(shape, k)
    solution = solve(board)
    for width in (0, *(w for w in (k, k + 1) if w <= shape[1])):
        prepared = prepare(board, width)
        assert sweep(prepared, solution.minimum, limits(prepared, PLENTY, PLENTY)).count == solution.count


@pytest.mark.parametrize(("shape", "k", "cells"), [((9, 9), 5, 20), ((10, 10), 7, 31), ((7, 7), 3, 14), ((8, 7), 4, 0)])
def test_the_counts_of_the_parts_add_up(shape: tuple[int, int], k: int, cells: int) -> None:
    solution = solve(Board(shape, k))
    prepared = solution.prepared
    parts = [
        sweep(prepared, solution.minimum, limits(prepared, PLENTY, PLENTY), Part(index, 3, cells)) for index in range(3)
    ]
    assert sum(part.count for part in parts) == solution.count


def test_no_memory_lets_a_search_keep_more_states_than_links_of_32_bits_can_number() -> None:
    allowed = limits(prepare(Board((7, 7), 3)), PLENTY, PLENTY)
    assert max(allowed.links, 2 * allowed.layer) < 1 << 31


@pytest.mark.parametrize(("shape", "k"), [((7, 7), 3), ((8, 7), 5), ((3, 2), 2)])
def test_a_search_can_be_cut_after_any_of_its_cells_but_the_last(shape: tuple[int, int], k: int) -> None:
    board = Board(shape, k)
    prepared, whole = prepare(board), solve(board)
    allowed = limits(prepared, PLENTY, PLENTY)
    for cells in (0, 1, board.cells // 2, board.cells - 2, board.cells - 1):
        counts = [sweep(prepared, whole.minimum, allowed, Part(index, 3, cells)).count for index in range(3)]
        assert sum(counts) == whole.count, cells


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (Part(0, 3, 35), "cannot be cut after 35 cells"),
        (Part(0, 3, 36), "a cut lies after 0 to 34 of them"),
        (Part(0, 3, -1), "cannot be cut after -1 cells"),
        (Part(3, 3, 14), "parts are numbered from 0 to 2"),
        (Part(-1, 3, 14), "part -1 of 3"),
        (Part(0, 0, 14), "part 0 of 0"),
    ],
)
def test_a_part_that_would_count_everything_or_nothing_is_refused(part: Part, message: str) -> None:
    prepared = prepare(Board((7, 5), 3))
    with pytest.raises(BoardError, match=message):
        sweep(prepared, 14, limits(prepared, PLENTY, PLENTY), part)


@pytest.mark.parametrize(("shape", "k", "beam"), [((8, 8), 3, 20), ((7, 7), 4, 5), ((9, 8), 6, 1)])
def test_a_beam_finds_placements_that_block_with_few_stones(shape: tuple[int, int], k: int, beam: int) -> None:
    board = Board(shape, k)
    found = few_stones(prepare(board), beam)
    assert solve(board).minimum <= found.stones < board.cells // 2
    assert found.diagram is not None
    for placement in listed(board, found.diagram, np.arange(min(found.count, 20), dtype=np.uint64)):
        assert len(unblocked(board, placement)) == 0


def test_the_parts_of_a_board_find_its_minimum_among_them() -> None:
    board = Board((7, 7), 3)
    prepared, whole = prepare(board), solve(board)
    parts = [solve_part(prepared, Part(index, 5, 14), most=whole.minimum)[-1] for index in range(5)]
    assert max(part.stones for part in parts) == whole.minimum
    assert sum(part.count for part in parts) == whole.count


def test_a_part_cut_again_takes_what_it_took() -> None:
    prepared = prepare(Board((7, 7), 3))
    allowed = limits(prepared, PLENTY, PLENTY)
    whole = sweep(prepared, 23, allowed, Part(1, 3, 14))
    smaller = [sweep(prepared, 23, allowed, part) for part in Part(1, 3, 14).cut_again(4)]
    assert (sum(one.count for one in smaller), sum(one.taken for one in smaller)) == (whole.count, whole.taken)
    assert {one.offered for one in smaller} == {whole.offered}


def test_a_part_that_outgrows_its_limits_says_whether_smaller_ones_may_fit() -> None:
    prepared, narrow = prepare(Board((7, 7), 3)), Limits(layer=50, total=PLENTY, links=PLENTY)
    with pytest.raises(PartTooLargeError, match="more than"):
        sweep(prepared, 23, narrow, Part(0, 1, 1))
    for before_the_cut_or_of_one_state in (Part(0, 1, 30), Part(0, 1, 0)):
        with pytest.raises(BoardTooLargeError) as refused:
            sweep(prepared, 23, narrow, before_the_cut_or_of_one_state)
        assert refused.type is BoardTooLargeError


def test_a_bound_that_was_found_before_is_checked_again() -> None:
    board = Board((8, 7), 3)
    first = prepare(board, 6)
    again = prepare(board, 6, first.bound)
    assert again.floor == first.floor
    with pytest.raises(BoundError, match="more than"):
        prepare(board, 6, Bound(first.bound.weights, first.bound.costs + SCALE))


def test_strips_that_do_not_fit_are_refused() -> None:
    with pytest.raises(BoardTooLargeError, match="a strip of a larger one, has more than 25000 states"):
        strips_over(Board((60, 9), 3), 9, memory=600_000)


@pytest.mark.parametrize(
    ("shape", "k", "width"),
    [((6, 5), 3, 6), ((6, 5), 3, 12), ((6, 5), 3, 2), ((6, 5), 3, 1), ((4, 3, 4), 3, 3), ((12,), 3, 5), ((12,), 3, 12)],
)
def test_strips_are_of_k_columns_to_all_of_a_rectangle(shape: tuple[int, ...], k: int, width: int) -> None:
    """Wider ones read costs that nobody wrote, and of a box the strips' mirror images were taken along another side."""
    with pytest.raises(BoardError, match=f"strips of {width} columns: they are for rectangles"):
        strips_over(Board(shape, k), width, PLENTY)


def test_a_certificate_with_strips_that_no_search_has_is_refused() -> None:
    """A strip of one column has no column to share with the next, and to look for one was to divide by 0."""
    bound = bound_of(prepare(Board((6, 6), 5)))
    columns = [{"start": column, "costs": [0] * 6} for column in range(6)]
    with pytest.raises(BoardError, match="strips of 1 columns"):
        prepared_by({**bound, "strips": columns})


@pytest.mark.parametrize(("shape", "k"), [((12, 11), 3), ((12, 12), 3)])
def test_all_searches_are_with_the_bound_of_the_certificate_though_another_was_tried_first(
    shape: tuple[int, int], k: int
) -> None:
    board = Board(shape, k)
    solution = solve(board)
    narrow = rungs(board.swept[0])[0][0]
    assert least(prepare(board.swept[0], narrow)) < least(solution.prepared)
    tried = [sweep.stones for sweep in solution.sweeps]
    assert tried == list(range(least(solution.prepared), solution.minimum + 1))
