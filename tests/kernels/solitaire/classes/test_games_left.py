"""Numbers of games counted from their ends are those that are counted from the start."""

from collections import Counter

import numpy as np
import pytest

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.classes.games_left import (
    Counted,
    add_games,
    count_ends,
    games_left,
    games_of_starts,
    number_of,
)
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import PositionClass
from boardspace_kernels.solitaire.classes.steps import backward_steps
from boardspace_kernels.solitaire.classes.sweep import reachable
from tests.kernels.solitaire.boards import ENGLISH, as_set, as_word, hexagon, rectangle, triangle
from tests.kernels.solitaire.classes.classes import PLUS, board_cells, order, starts
from tests.kernels.solitaire.classes.test_sweep import MANY_ENDS
from tests.naive import solitaire_games as naive

WORD = 1 << 64
SMALL = [rectangle(1, 6), rectangle(3, 4), rectangle(4, 4), triangle(4), triangle(5), hexagon(2), PLUS]


def ends_of(board: Board, start: int) -> Counter[int]:
    """How many games end in each position, by the definition."""
    ends: Counter[int] = Counter()
    for level in naive.count_games(board_cells(board), board.grid, as_set(board, start)):
        for position, ways in level.items():
            if not naive.after(board_cells(board), board.grid, position):
                ends[as_word(board, position)] += ways
    return ends


@pytest.mark.parametrize("board", SMALL, ids=lambda board: board.name)
def test_games_of_every_start_of_a_class_are_those_of_the_definition(board: Board) -> None:
    """From each vacancy that shares its class, and from another position of it; ending in each single peg."""
    here = order(board, starts(board)[1])
    vacancies = [board.full ^ 1 << hole for hole in range(board.holes)]
    some = [start for start in vacancies if here.positions.contains(start)]
    pegs = [1 << hole for hole in range(board.holes) if here.positions.contains(1 << hole)]
    found = games_of_starts(here, some, pegs)
    for start in some:
        ends = ends_of(board, start)
        assert found.all[start] == ends.total()
        assert {peg: ways[start] for peg, ways in found.ending.items()} == {peg: ends[peg] for peg in pegs}


def test_blocks_may_have_several_words() -> None:
    """From a few pegs around the centre of a diamond, whose blocks have four."""
    start = sum(
        1 << hole for hole, (r, c) in enumerate(MANY_ENDS.cells) if abs(r - 3) + abs(c - 3) < 3 and (r, c) != (3, 2)
    )
    here = Order(PositionClass(MANY_ENDS, start))
    assert here.positions.words == 4
    ends = ends_of(MANY_ENDS, start)
    found = games_of_starts(here, [start], [min(ends, key=lambda end: (end.bit_count(), end))])
    assert found.all == {start: ends.total()}
    assert {goal: ways[start] for goal, ways in found.ending.items()} == {goal: ends[goal] for goal in found.ending}
    assert any(here.find(end)[3] for end in ends)
    assert games_left(here, reachable(here, [start]), ends) == dict.fromkeys(ends, 1)


def test_from_a_dead_end_there_is_one_game_and_from_outside_the_set_none() -> None:
    board = rectangle(3, 4)
    start = starts(board)[2]
    here = order(board, start)
    ends = list(ends_of(board, start))
    outside = board.full ^ 0b100  # more pegs than the start
    assert here.positions.contains(outside)
    assert games_left(here, reachable(here, [start]), [*ends, outside]) == dict.fromkeys(ends, 1) | {outside: 0}


def some_counted() -> tuple[Order, Counted, Counted]:
    """On a line of three holes, the position with two pegs beside each other, and what its one jump leads to."""
    board = rectangle(1, 3)
    here = Order(PositionClass(board, 0b011))
    pieces = reachable(here, [0b011])
    heavier, lighter = (pieces[here.weight(position)] for position in (0b011, 0b100))
    one = [
        Counted(
            piece.blocks.reshape(-1), np.zeros(len(piece.blocks), np.int64), np.zeros((1, 2), np.uint64), *piece[1:3]
        )
        for piece in (heavier, lighter)
    ]
    return here, one[0], one[1]


def test_numbers_beyond_a_word_are_carried_and_those_beyond_two_refused() -> None:
    here, made, source = some_counted()
    source.values[0] = [5, 7]
    made.values[0] = [WORD - 3, 1]
    add_games(here.tiles, backward_steps(here), made, source)
    assert made.values.tolist() == [[2, 9]]
    assert number_of(here, made, 0b011) == 2 + 9 * WORD
    made.values[0] = [WORD - 3, WORD - 8]
    with pytest.raises(OverflowError):
        add_games(here.tiles, backward_steps(here), made, source)


def test_a_number_whose_lower_word_is_0_is_no_end() -> None:
    values = np.array([[0, 0], [0, 3], [3, 0]], np.uint64)
    count_ends(values)
    assert values.tolist() == [[1, 0], [0, 3], [3, 0]]


@pytest.mark.slow  # a minute, and 2 GB
def test_the_central_game_has_the_published_numbers_of_games() -> None:
    centre, arm = (ENGLISH.full ^ ENGLISH.position([hole]) for hole in (19, 2))
    here = Order(PositionClass(ENGLISH, centre))
    found = games_of_starts(here, [centre, arm], [ENGLISH.position([19])])
    assert found.all[centre] == 577_116_156_815_309_849_672
    assert found.ending[ENGLISH.position([19])][centre] == 40_861_647_040_079_968
    assert found.all[arm] == 144_279_039_203_827_462_418
