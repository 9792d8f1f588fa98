"""Which positions are in a class, in which order blocks can be made, and which position is which bit."""

import numpy as np
import pytest

from boardspace_kernels.solitaire.board import Board, BoardError, invariants, parity, solve_for
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import ClassTooLargeError, PositionClass, find_weights
from tests.kernels.solitaire.boards import ENGLISH, FRENCH, hexagon, rectangle, triangle
from tests.kernels.solitaire.classes.classes import BOARDS, CROSS, starts

LARGE = (ENGLISH, FRENCH, CROSS, rectangle(6, 6), rectangle(5, 5), triangle(7), hexagon(3), hexagon(4))


def masks(board: Board) -> list[int]:
    return [1 << a | 1 << b | 1 << c for a, b, c in board.jumps.tolist()]


def span(board: Board) -> set[int]:
    """All sums of jumps."""
    found = {0}
    for mask in masks(board):
        if mask not in found:
            found |= {word ^ mask for word in found}
    return found


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_a_class_is_what_sums_of_jumps_lead_to(board: Board) -> None:
    positions = PositionClass(board, starts(board)[1])
    members = {starts(board)[1] ^ word for word in span(board)}
    inside = {position for position in range(board.full + 1) if positions.contains(position)}
    assert inside == members
    numbers = np.array([positions.number(member) for member in members])
    assert set(positions.positions(numbers).tolist()) == members
    assert len({positions.number(member) for member in members}) == len(members)
    assert max(map(positions.number, members)) < positions.bytes * 8


@pytest.mark.parametrize("board", LARGE, ids=lambda board: board.name)
def test_invariants_are_all_words_that_meet_every_jump_evenly(board: Board) -> None:
    rows = invariants(board.holes, masks(board))
    assert all(parity(row & mask) == 0 for row in rows for mask in masks(board))
    rank = np.linalg.matrix_rank(np.array([[row >> h & 1 for h in range(board.holes)] for row in rows]))
    assert rank == len(rows) == (4 if board.grid == "square" else 2)


def test_equations_are_solved_for_the_holes_asked_for() -> None:
    solved, left = solve_for([0b00111, 0b01101, 0b10011], [0, 3, 2])
    assert list(solved) == [0, 3, 2]
    assert all(bool(row >> hole & 1) == (hole == own) for own, row in solved.items() for hole in solved)
    solved, left = solve_for([0b00111, 0b01101, 0b10011], [0, 3])
    assert list(solved) == [0, 3]
    assert [row & 0b01001 for row in left] == [0]


@pytest.mark.parametrize("board", [*BOARDS, *LARGE], ids=lambda board: board.name)
def test_every_jump_makes_the_core_lighter(board: Board) -> None:
    ends, core, weight = find_weights(board)
    assert sorted((*ends, *core)) == list(range(board.holes))
    assert all(weight[hole] == 0 for hole in ends)
    assert {over for _, over, _ in board.jumps.tolist()} <= set(core)
    assert all(weight[a] + weight[b] > weight[c] for a, b, c in board.jumps.tolist())


@pytest.mark.parametrize(("board", "core", "bytes"), [(ENGLISH, 25, 1 << 27), (FRENCH, 25, 1 << 30)])
def test_the_well_known_boards_have_weights_of_two_and_three(board: Board, core: int, bytes: int) -> None:
    found = find_weights(board)
    assert len(found.core) == core
    assert set(found.weight) == {0, 2, 3}
    assert PositionClass(board, board.full).bytes == bytes


def test_ends_that_spoil_the_order_are_counted_as_core() -> None:
    """On 4 x 4 a corner jumps over its neighbour into the one that the next corner jumps over, and the other way."""
    assert find_weights(rectangle(4, 4)).ends == ()
    assert len(find_weights(rectangle(5, 5)).ends) == 4


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_a_complement_has_the_complement_of_the_number(board: Board) -> None:
    positions = PositionClass(board, starts(board)[0])
    bits = (positions.blocks << positions.place_bits) - 1
    if len(positions.free) < 3:
        bits = bits >> 3 << 3 | (1 << len(positions.free)) - 1
    for word in list(span(board))[:200]:
        member = positions.member ^ word
        assert positions.complement.number(board.full ^ member) == bits ^ positions.number(member)


def test_many_positions_are_numbered_at_once() -> None:
    positions = PositionClass(FRENCH, FRENCH.full ^ 1)
    chance = np.random.default_rng(1)
    members = positions.positions(chance.integers(0, positions.bytes * 8, 500))
    assert positions.numbers(members).tolist() == [positions.number(member) for member in members.tolist()]


def test_a_position_of_another_class_is_refused_with_the_parity_that_differs() -> None:
    positions = PositionClass(ENGLISH, ENGLISH.full ^ 1)
    with pytest.raises(BoardError, match="even or odd"):
        positions.number(ENGLISH.full)
    assert not positions.contains(ENGLISH.full)


def test_a_board_without_room_for_its_classes_is_refused() -> None:
    """Seven rows and columns have a core of 45 holes."""
    with pytest.raises(ClassTooLargeError, match="45 holes in the core"):
        PositionClass(rectangle(7, 7), 1)


@pytest.mark.parametrize("low_bits", [1, 5, 12])
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_every_block_has_one_place_in_the_order(board: Board, low_bits: int) -> None:
    order = Order(PositionClass(board, board.full ^ 1), low_bits)
    starting = [order.starts(weight) for weight in range(order.heaviest + 1)]
    found = set()
    for position in {starts(board)[0] ^ word for word in span(board)}:
        weight, high, rank, _, _ = order.find(position)
        place = int(starting[weight][high]) + rank
        assert place < starting[weight][high + 1]
        found.add((weight, place))
    assert len(found) == sum(int(places[-1]) for places in starting)
    assert len(found) == order.positions.blocks >> len(order.positions.conditions)
