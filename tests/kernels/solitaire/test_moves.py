"""Moves from many positions are the moves from each, by the definitions, up to symmetry."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.runs import Run
from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.moves import canonical, expand, orbit_sizes
from boardspace_kernels.solitaire.tables import MoveTables, backward_tables, forward_tables
from tests.kernels.solitaire.boards import ENGLISH, FRENCH, SMALL, as_set, as_word, cells, group, orbits, rectangle
from tests.naive import solitaire as naive

TABLES: dict[str, tuple[MoveTables, MoveTables]] = {b.name: (forward_tables(b), backward_tables(b)) for b in SMALL}


@st.composite
def boards_and_positions(draw: st.DrawFn) -> tuple[Board, list[int]]:
    board = draw(st.sampled_from(SMALL))
    return board, sorted(draw(st.sets(st.integers(1, board.full), min_size=1, max_size=4)))


def array(words: list[int]) -> np.ndarray:
    return np.array(words, dtype=np.uint64)


@given(boards_and_positions())
def test_the_canonical_form_is_the_least_image(case: tuple[Board, list[int]]) -> None:
    board, words = case
    least = canonical(TABLES[board.name][0], array(words))
    images = [naive.orbit(group(board), as_set(board, word)) for word in words]
    assert least.tolist() == [min(as_word(board, image) for image in orbit) for orbit in images]
    assert orbit_sizes(TABLES[board.name][0], array(words)).tolist() == [len(orbit) for orbit in images]


@given(boards_and_positions())
def test_children_are_the_results_of_all_moves(case: tuple[Board, list[int]]) -> None:
    board, words = case
    expansion = expand(TABLES[board.name][0], Run(array(words)))
    made = [list(naive.moves(cells(board), board.grid, as_set(board, word))) for word in words]
    expected = {naive.orbit(group(board), after) for moves in made for _, after in moves}
    assert orbits(board, group(board), expansion.run.positions) == expected
    assert expansion.choices.tolist() == list(map(len, made))
    assert expansion.longest_chain == max((len(path) - 1 for moves in made for path, _ in moves), default=0)


@given(boards_and_positions())
def test_parents_are_the_positions_that_a_move_leads_from(case: tuple[Board, list[int]]) -> None:
    board, words = case
    expansion = expand(TABLES[board.name][1], Run(array(words)))
    parents = [naive.parents(cells(board), board.grid, as_set(board, word)) for word in words]
    expected = {naive.orbit(group(board), parent) for some in parents for parent in some}
    assert orbits(board, group(board), expansion.run.positions) == expected


@given(boards_and_positions())
def test_taking_back_finds_where_the_moves_came_from(case: tuple[Board, list[int]]) -> None:
    board, words = case
    forward, backward = TABLES[board.name]
    for word in words:
        for child in expand(forward, Run(array([word]))).run.positions.tolist():
            parents = expand(backward, Run(array([child]))).run.positions
            assert canonical(forward, array([word]))[0] in parents


@given(boards_and_positions())
def test_ways_count_the_moves_to_each_child(case: tuple[Board, list[int]]) -> None:
    board, words = case
    run = expand(TABLES[board.name][0], Run(array(words), array([2] * len(words)))).run
    expected: Counter[object] = Counter()
    for word in words:
        for _, after in naive.moves(cells(board), board.grid, as_set(board, word)):
            expected[naive.orbit(group(board), after)] += 2
    assert run.ways is not None
    found = {
        naive.orbit(group(board), as_set(board, word)): ways
        for word, ways in zip(run.positions.tolist(), run.ways.tolist(), strict=True)
    }
    assert found == expected


def test_symmetries_that_are_no_group_are_refused_where_orbits_are_counted() -> None:
    board = rectangle(4, 4)
    three = forward_tables(board, np.stack([board.symmetries[0]] * 2 + [board.symmetries[1]]))
    with pytest.raises(ArithmeticError, match="do not divide the group"):
        orbit_sizes(three, array([2]))


@given(boards_and_positions(), st.integers(1, 50))
def test_little_capacity_changes_nothing(case: tuple[Board, list[int]], capacity: int) -> None:
    board, words = case
    for tables in TABLES[board.name]:
        parents = Run(array(words), array([1] * len(words)))
        wide, narrow = expand(tables, parents), expand(tables, parents, capacity)
        assert [*map(np.ndarray.tolist, wide.run)] == [*map(np.ndarray.tolist, narrow.run)]  # type: ignore[arg-type]
        assert wide.choices.tolist() == narrow.choices.tolist()
        assert wide.longest_chain == narrow.longest_chain


@pytest.mark.parametrize("board", [FRENCH, ENGLISH, rectangle(8, 8)], ids=lambda b: b.name)
def test_large_boards_agree_with_the_oracle_too(board: Board) -> None:
    chance = np.random.default_rng(33)
    words = [as_word(board, as_set(board, int(chance.integers(0, 1 << 63)) & board.full)) for _ in range(3)]
    tables = forward_tables(board, board.symmetries[:1])
    for word in words:
        made = list(naive.moves(cells(board), board.grid, as_set(board, word)))
        expansion = expand(tables, Run(array([word])))
        assert expansion.run.positions.tolist() == sorted({as_word(board, after) for _, after in made})
        assert expansion.choices.tolist() == [len(made)]
