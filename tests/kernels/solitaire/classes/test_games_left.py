"""Numbers of games counted from their ends are those that are counted from the start."""

from collections import Counter
from functools import partial
from itertools import islice
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from boardspace_kernels.residues import combined, is_prime, primes_beyond
from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.classes.games_left import (
    LARGEST,
    Counted,
    CountingLimits,
    MemoryTooSmallError,
    add_games,
    chunks,
    games_left,
    games_of_starts,
    numbers_of,
)
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import PositionClass
from boardspace_kernels.solitaire.classes.steps import backward_steps
from tests.kernels.solitaire.boards import ENGLISH, as_set, as_word, hexagon, rectangle, triangle
from tests.kernels.solitaire.classes.classes import PLUS, board_cells, each, order, reachable, starts
from tests.kernels.solitaire.classes.test_sweep import MANY_ENDS
from tests.naive import solitaire_games as naive

PRIMES = primes_beyond(LARGEST)
SMALL = [rectangle(1, 6), rectangle(3, 4), rectangle(4, 4), triangle(4), triangle(5), hexagon(2), PLUS]


def ends_of(board: Board, start: int) -> Counter[int]:
    """How many games end in each position, by the definition."""
    ends: Counter[int] = Counter()
    for level in naive.count_games(board_cells(board), board.grid, as_set(board, start)):
        for position, ways in level.items():
            if not naive.after(board_cells(board), board.grid, position):
                ends[as_word(board, position)] += ways
    return ends


@each(SMALL)
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


@each([board for board in SMALL if board.name != "triangle 5"])
def test_as_many_games_lead_from_one_hole_to_another_as_back(board: Board) -> None:
    """Read backwards, with pegs for holes, a game from a vacancy to a last peg is one from there to the vacancy."""
    left = set(range(board.holes))
    while left:  # a vacancy of each class
        here = order(board, board.full ^ 1 << min(left))
        left = {hole for hole in left if not here.positions.contains(board.full ^ 1 << hole)}
        pegs = [hole for hole in range(board.holes) if here.positions.contains(1 << hole)]
        both = [hole for hole in pegs if here.positions.contains(board.full ^ 1 << hole)]
        found = games_of_starts(here, [board.full ^ 1 << hole for hole in both], [1 << hole for hole in both])
        for one in both:
            for other in both:
                there, back = (found.ending[1 << a][board.full ^ 1 << b] for a, b in ((one, other), (other, one)))
                assert there == back


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


def some_counted(moduli: NDArray[Any]) -> tuple[Order, Counted, Counted]:
    """On a line of three holes, the position with two pegs beside each other, and what its one jump leads to."""
    board = rectangle(1, 3)
    here = Order(PositionClass(board, 0b011))
    pieces = reachable(here, [0b011])
    heavier, lighter = (pieces[here.weight(position)] for position in (0b011, 0b100))
    none = np.zeros((1, len(moduli)), moduli.dtype)
    one = [
        Counted(piece.blocks.reshape(-1), np.zeros(len(piece.blocks), np.int64), none.copy(), moduli, *piece[1:3])
        for piece in (heavier, lighter)
    ]
    return here, one[0], one[1]


def add_all(here: Order, made: Counted, source: Counted) -> None:
    add_games(here.tiles, backward_steps(here), made, source, 0, here.highs)


def test_residues_are_added_modulo_each_prime_and_the_prime_itself_stands_for_0() -> None:
    p, q = PRIMES[:2]
    here, made, source = some_counted(np.array([p, q], np.uint32))
    source.values[0] = [p - 1, q - 2]
    made.values[0] = [p - 1, 2]
    add_all(here, made, source)
    assert made.values.tolist() == [[p - 2, q]]
    assert numbers_of(here, made, 0b011) == [p - 2, q]
    made.values[0] = [p, 0]
    add_all(here, made, source)
    assert made.values.tolist() == [[p - 1, q - 2]]


def test_rounded_numbers_are_added_and_end_in_infinity() -> None:
    here, made, source = some_counted(np.array([np.inf], np.float32))
    source.values[0] = made.values[0] = np.float32(2.0**127)
    add_all(here, made, source)
    assert np.isinf(made.values[0, 0])
    source.values[0], made.values[0] = 3, 5
    add_all(here, made, source)
    assert made.values.tolist() == [[8]]


def test_primes_are_prime_and_the_largest_below_2_to_the_31() -> None:
    below = (number for number in range((1 << 31) - 1, 1, -2) if is_prime(number))
    assert list(islice(below, len(PRIMES))) == PRIMES
    assert prod(PRIMES) > LARGEST


@given(st.integers(0, LARGEST))
def test_a_number_follows_from_its_residues(number: int) -> None:
    assert combined([number % prime for prime in PRIMES], PRIMES) == number
    assert combined([number % prime or prime for prime in PRIMES], PRIMES) == number


def passes_of(here: Order, start: int, memory: int) -> tuple[dict[int, int], list[str]]:
    lines: list[str] = []
    found = games_left(here, reachable(here, [start]), [start], CountingLimits(memory, 2, lines.append))
    return found, lines


def test_with_less_memory_there_are_more_passes_and_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """With small primes, so that a small board needs several of them."""
    board = rectangle(4, 4)
    start = starts(board)[2]
    here = order(board, start)
    with pytest.raises(MemoryTooSmallError) as least:
        passes_of(here, start, 1)
    small = partial(primes_beyond, below=72)
    monkeypatch.setattr("boardspace_kernels.solitaire.classes.games_left.primes_beyond", small)
    expected = {start: ends_of(board, start).total()}
    one, two = passes_of(here, start, least.value.needed), passes_of(here, start, 1 << 30)
    assert one[0] == two[0] == expected
    assert len(one[1]) > 3
    assert len(two[1]) == 2


@pytest.mark.parametrize("size", [2.0**126, np.inf])
def test_numbers_that_may_not_fit_are_refused(size: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the rounded numbers say."""
    board = rectangle(1, 3)
    here = Order(PositionClass(board, 0b011))

    def count(*of: Any) -> dict[int, list[float]]:
        return {0b011: [size]}

    monkeypatch.setattr("boardspace_kernels.solitaire.classes.games_left._Counting.count", count)
    with pytest.raises(OverflowError):
        games_left(here, reachable(here, [0b011]), [0b011])


@pytest.mark.parametrize("sizes", [[0], [5], [0, 0, 9, 0, 1000, 0], [1] * 700])
def test_chunks_cover_all_tiles_once(sizes: list[int]) -> None:
    found = chunks(np.concatenate([[0], np.cumsum(sizes)]))
    assert found[0] == 0
    assert found[-1] == len(sizes)
    assert sorted(set(found)) == found


@pytest.mark.slow  # a minute, and 2 GB
def test_the_central_game_has_the_published_numbers_of_games() -> None:
    centre, arm = (ENGLISH.full ^ ENGLISH.position([hole]) for hole in (19, 2))
    here = Order(PositionClass(ENGLISH, centre))
    found = games_of_starts(here, [centre, arm], [ENGLISH.position([19])])
    assert found.all[centre] == 577_116_156_815_309_849_672
    assert found.ending[ENGLISH.position([19])][centre] == 40_861_647_040_079_968
    assert found.all[arm] == 144_279_039_203_827_462_418
