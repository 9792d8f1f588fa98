"""Shortest ways of sliding pieces, by NumPy and by the kernel, against the slow search."""

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from boardspace.spec import sliding
from boardspace.spec.sliding import Question, Step, TooManyPositionsError, Tray, shortest_way
from boardspace_kernels.graph import sliding as kernel
from tests.daily import daily
from tests.naive import sliding_blocks as naive

Moves = Callable[[naive.Position], Iterator[tuple[naive.Piece, naive.Piece]]]


@pytest.fixture
def by_arrays(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """A switch between NumPy and the kernel."""

    def switch(to_arrays: bool) -> None:
        monkeypatch.setattr(sliding, "PATIENCE", 1 << 40 if to_arrays else 0)

    return switch


def word(columns: int, piece: naive.Piece) -> int:
    return sum(1 << columns * row + column for row, column in piece)


def anchor(columns: int, piece: naive.Piece) -> int:
    return columns * min(row for row, _ in piece) + min(column for _, column in piece)


def distances(moves: Moves, start: naive.Marked) -> dict[naive.Marked, int]:
    found, queue = {start: 0}, deque([start])
    while queue:
        position, mark = here = queue.popleft()
        for before, after in moves(position):
            following = (position - {before} | {after}, after if before == mark else mark)
            if following not in found:
                found[following] = found[here] + 1
                queue.append(following)
    return found


def is_way(moves: Moves, columns: int, pieces: list[naive.Piece], way: list[Step]) -> bool:
    """Return whether each step is one that the moves have."""
    for step in way:
        after_it = [after for before, after in moves(frozenset(pieces)) if before == pieces[step.piece]]
        possible = {word(columns, after): after for after in after_it}
        if step.cells not in possible:
            return False
        pieces[step.piece] = possible[step.cells]
    return True


@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize(
    ("rows", "columns", "every"), daily([(1, 5, 5), (2, 4, 809), (3, 2, 23), (3, 3, 8009), (2, 2, 4)], 2, several=True)
)
def test_ways_are_shortest_and_both_searches_find_the_same(
    by_arrays: Callable[[bool], None], rows: int, columns: int, every: int, unit: bool
) -> None:
    moves: Moves = partial(naive.unit_moves if unit else naive.steps, rows, columns)
    tray = Tray(rows, columns, (1 << rows * columns) - 1)
    starts = [(position, piece) for position in naive.packings(rows, columns) for piece in position]
    for position, mark in starts[::every]:
        pieces = [mark, *sorted(position - {mark}, key=sorted)]
        nearest: dict[int, int] = {}
        for (_, reached), steps in distances(moves, (position, mark)).items():
            place = anchor(columns, reached)
            nearest[place] = min(steps, nearest.get(place, steps))
        for goal in range(rows * columns):
            ways = []
            for arrays in (True, False):
                by_arrays(arrays)
                ways.append(shortest_way(Question(tray, [word(columns, one) for one in pieces], 1 << goal), unit=unit))
            assert ways[0] == ways[1]
            assert nearest.get(goal) == (None if ways[0] is None else len(ways[0]))
            assert ways[0] is None or is_way(moves, columns, list(pieces), ways[0])


def test_cells_outside_the_floor_are_never_covered(by_arrays: Callable[[bool], None]) -> None:
    """Round a wall in the middle of 3 x 3 cells it is four cells from one corner to the opposite one."""
    for arrays in (True, False):
        by_arrays(arrays)
        way = shortest_way(Question(Tray(3, 3, 0b111_101_111), [1], 1 << 8), unit=True)
        assert way is not None
        assert len(way) == 4
        assert shortest_way(Question(Tray(3, 3, 0b110_101_011), [1], 1 << 8)) is None


def test_a_position_of_several_words_is_searched_by_the_kernel(by_arrays: Callable[[bool], None]) -> None:
    """Eleven pieces of eleven kinds in a line with one void: from the last on, each makes room."""
    by_arrays(True)
    lengths = (1, *range(1, 11))
    pieces = [(1 << length) - 1 << sum(lengths[:number]) for number, length in enumerate(lengths)]
    way = shortest_way(Question(Tray(1, 64, (1 << sum(lengths) + 1) - 1), pieces, 1 << 1))
    assert way == [Step(number, pieces[number] << 1) for number in reversed(range(11))]


def test_too_many_positions_are_refused(by_arrays: Callable[[bool], None]) -> None:
    by_arrays(False)
    with pytest.raises(TooManyPositionsError, match="more than 100 positions"):
        shortest_way(Question(Tray(5, 5, (1 << 25) - 1), [1, 2, 4, 8], 1 << 24), unit=True, most=100)


def test_a_process_goes_over_to_the_kernel_when_numpy_has_taken_as_long_as_loading_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A piece alone on 5 x 5 cells has 25 positions, of which the last level is one."""
    calls = []

    def search(*arguments: Any) -> kernel.Found:
        calls.append(arguments)
        return kernel.search(*arguments)

    monkeypatch.setattr(sliding, "search", search)
    monkeypatch.setattr(sliding, "PATIENCE", 40)
    monkeypatch.setattr(sliding, "searched", [0])
    question = Question(Tray(5, 5, (1 << 25) - 1), [1], 1 << 24)
    answers = [shortest_way(question, unit=True) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert len(calls) == 2
    assert sliding.searched[0] >= 40
