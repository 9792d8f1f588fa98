"""Numbers of games: against games played one by one, against plain sums, and beyond a word."""

import numpy as np
import pytest

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.games import Ways, first_ways, jump, merge_ways
from boardspace_kernels.solitaire.tables import MoveTables, forward_tables
from tests.kernels.solitaire.boards import as_set, cells, hexagon, rectangle, stabiliser, triangle
from tests.naive import solitaire as naive
from tests.naive import solitaire_games as games

WORD = 1 << 64


def counted(board: Board, start: int, **capacity: int) -> tuple[int, dict[int, int]]:
    """The number of games, and the sequences to each position that the kernel keeps, by its word."""
    tables = forward_tables(board, board.stabiliser(start))
    level, total, found = first_ways(start), 0, {}
    while len(level.positions):
        found.update(_numbers(level))
        jumps = jump(tables, level, **capacity)
        total += level.total(jumps.choices == 0)
        level = jumps.ways
    return total, found


def _numbers(level: Ways) -> dict[int, int]:
    columns = (column.tolist() for column in level)
    return {position: low + high * WORD for position, low, high in zip(*columns, strict=True)}


STARTS = [
    (rectangle(3, 3), 5),
    (rectangle(3, 4), 2),
    (rectangle(4, 4), 2),
    (triangle(4), 1),
    (triangle(4), 5),
    (triangle(5), 1),
    (triangle(5), 4),
    (hexagon(2), 1),
]


@pytest.mark.parametrize(("board", "empty"), STARTS, ids=lambda value: getattr(value, "name", str(value)))
def test_games_are_as_many_as_plain_sums_over_positions_tell(board: Board, empty: int) -> None:
    start = board.full ^ board.position([empty])
    group = stabiliser(board, start, start)
    levels = games.count_games(cells(board), board.grid, as_set(board, start))
    ways = {position: number for level in levels for position, number in level.items()}
    total, found = counted(board, start)
    assert total == sum(n for position, n in ways.items() if not games.after(cells(board), board.grid, position))
    expected: dict[frozenset[naive.Position], int] = {}
    for position, number in ways.items():
        orbit = naive.orbit(group, position)
        expected[orbit] = expected.get(orbit, 0) + number
    assert {naive.orbit(group, as_set(board, word)): number for word, number in found.items()} == expected


@pytest.mark.parametrize(("board", "empty"), [(triangle(4), 2), (rectangle(3, 4), 1), (hexagon(2), 4)], ids=str)
def test_games_are_as_many_as_can_be_played_one_by_one(board: Board, empty: int) -> None:
    start = board.full ^ board.position([empty])
    played = games.play_all(cells(board), board.grid, as_set(board, start))
    assert counted(board, start)[0] == sum(played.values())


def test_a_level_in_parts_and_with_little_room_is_the_level() -> None:
    board = triangle(5)
    start = board.full ^ board.position([4])
    assert counted(board, start, capacity=1) == counted(board, start)
    tables = forward_tables(board, board.stabiliser(start))
    level = first_ways(start)
    for _ in range(6):
        whole = jump(tables, level)
        parts = [Ways(*(column[i::3] for column in level)) for i in range(3)]
        joined = merge_ways([jump(tables, part).ways for part in parts])
        for one, other in zip(joined, whole.ways, strict=True):
            assert np.array_equal(one, other)
        level = whole.ways


def some_tables() -> tuple[Board, MoveTables, int]:
    board = triangle(4)
    start = board.full ^ board.position([2])
    return board, forward_tables(board, board.stabiliser(start)), start


def test_numbers_beyond_a_word_are_carried() -> None:
    _, tables, start = some_tables()
    many = (3 << 64) + WORD - 1
    level = Ways(*(np.array([value], np.uint64) for value in (start, many % WORD, many // WORD)))
    one, huge = jump(tables, first_ways(start)).ways, jump(tables, level).ways
    assert _numbers(huge) == {position: number * many for position, number in _numbers(one).items()}
    assert _numbers(merge_ways([huge, huge, huge])) == {p: 3 * number for p, number in _numbers(huge).items()}
    assert huge.total() == many * one.total()


def test_numbers_beyond_two_words_are_refused() -> None:
    _, _, start = some_tables()
    half = Ways(*(np.array([value], np.uint64) for value in (start, 0, 1 << 63)))
    with pytest.raises(OverflowError):
        merge_ways([half, half])
    least = Ways(*(np.array([value], np.uint64) for value in (start, 1, WORD - 1)))
    most = Ways(*(np.array([value], np.uint64) for value in (start, WORD - 1, 0)))
    with pytest.raises(OverflowError):
        merge_ways([least, most])


@pytest.mark.parametrize("holes", [63, 64])
def test_boards_that_leave_a_word_no_room_for_many_parents_are_expanded_few_at_a_time(holes: int) -> None:
    board = rectangle(1, holes)
    tables = forward_tables(board, board.symmetries[:1])
    pegs = [(1, 2), (2, 3), (20, 21)]
    level = Ways(*(np.array(column, np.uint64) for column in ([*map(board.position, pegs)], (5, 7, 1), (0, 1, 0))))
    jumps = jump(tables, level)
    assert jumps.choices.tolist() == [1, 2, 2]
    ends = {3: 5, 1: WORD + 7, 4: WORD + 7, 19: 1, 22: 1}
    assert _numbers(jumps.ways) == {board.position([hole]): number for hole, number in ends.items()}
