"""Least moves to every position, and from every position to a goal, as the definition has them."""

import random
from collections.abc import Iterable

import numpy as np
import pytest

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.classes.fold import Fold, fold_by, unfolded
from boardspace_kernels.solitaire.classes.gather import bitmap
from boardspace_kernels.solitaire.classes.layer_blocks import Layer
from boardspace_kernels.solitaire.classes.layers import MoveSweep, TooManyMovesError, make_layer, sweep_moves
from boardspace_kernels.solitaire.classes.moves_left import (
    NO_WAY,
    NOT_REACHED,
    count_moves,
    moves_to_each,
    no_moves,
    with_moves,
    write_moves_left,
)
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.relax import MOST_MOVES, swap_places
from boardspace_kernels.solitaire.classes.steps import backward_steps, forward_steps
from boardspace_kernels.solitaire.levels import first_level, step
from boardspace_kernels.solitaire.play import Problem
from tests.kernels.solitaire.boards import ENGLISH, FRENCH, as_set, as_word, rectangle, stabiliser, triangle
from tests.kernels.solitaire.classes.classes import (
    BOARDS,
    PLUS,
    board_cells,
    each,
    least_moves,
    order,
    reachable,
    starts,
    words,
)
from tests.naive import solitaire as naive

NOTHING = np.zeros((1, 1), np.int64)
DIAMOND = Board.from_cells(
    "diamond",
    "square",
    {c: n for n, c in enumerate([(r, c) for r in range(9) for c in range(9) if abs(r - 4) + abs(c - 4) <= 4], 1)},
)


def by_position(order: Order, layers: Iterable[Layer]) -> dict[int, int]:
    """The number of moves of every position that is made."""
    found = no_moves(order, 0, order.highs)
    write_moves_left(order, unfolded(order), layers, 0, order.highs, found)
    numbers = np.flatnonzero(found != NO_WAY)
    return dict(zip(order.positions.positions(numbers).tolist(), found[numbers].tolist(), strict=True))


def moves_of(order: Order, fold: Fold, layers: list[Layer], position: int) -> int:
    """The least moves to a position, looked up."""
    asked = np.array([position], np.uint64)
    return int(moves_to_each(order, fold, lambda weight: (one for one in layers if one.weight == weight), asked)[0])


@each(BOARDS)
def test_least_moves_from_a_start_are_those_of_the_definition(board: Board) -> None:
    for start in starts(board):
        here = order(board, start)
        assert by_position(here, sweep_moves(here, forward_steps(here), [start])) == least_moves(board, start)


@each(BOARDS)
def test_least_moves_to_a_goal_are_those_of_the_definition(board: Board) -> None:
    """By breadth-first search on moves taken back."""
    here = order(board, starts(board)[1])
    reached = words(here.positions, bitmap(here, reachable(here, [starts(board)[1]]).values()))
    goal = min(reached, key=lambda position: (position.bit_count(), position))
    expected, frontier = {as_set(board, goal): 0}, {as_set(board, goal)}
    while frontier:
        before = {p for after in frontier for p in naive.parents(board_cells(board), board.grid, after)}
        frontier = before - expected.keys()
        expected |= dict.fromkeys(frontier, max(expected.values()) + 1)
    found = by_position(here, sweep_moves(here, backward_steps(here), [goal]))
    assert found == {as_word(board, position): moves for position, moves in expected.items()}


def folds(order: Order, start: int) -> list[Fold]:
    """Without symmetries, and with all that keep the start."""
    return [unfolded(order), fold_by(order, order.positions.board.stabiliser(start))]


def image(symmetry: list[int], position: int) -> int:
    return sum(1 << hole for bit, hole in enumerate(symmetry) if position >> bit & 1)


@pytest.mark.parametrize("low_bits", [2, 12])
@each(BOARDS)
def test_blocks_of_which_only_one_of_each_orbit_is_made_are_those_of_the_definition(
    board: Board, low_bits: int
) -> None:
    """Position by position: those of the blocks made, and their images, which are looked up as well."""
    for start in starts(board):
        here, group = order(board, start, low_bits), board.stabiliser(start)
        fold, expected = fold_by(here, group), least_moves(board, start)
        layers = list(sweep_moves(here, forward_steps(here), [start], fold))
        found = {
            image(symmetry, position): moves
            for moves in range(max(expected.values()) + 2)
            for layer in layers
            for position in with_moves(here, layer, moves)
            for symmetry in group.tolist()
        }
        assert found == expected
        for position in list(found)[:: 1 + len(found) // 50]:
            assert found[position] == moves_of(here, fold, layers, position)


def test_a_fold_makes_fewer_blocks() -> None:
    """Of the tiles that are images of one another one is made."""
    board = triangle(5)
    start = board.full ^ 1 << 4
    assert len(board.stabiliser(start)) == 2
    here = order(board, start)
    sizes = [
        sum(len(layer.index) for layer in sweep_moves(here, forward_steps(here), [start], fold))
        for fold in folds(here, start)
    ]
    assert sizes[1] < 0.8 * sizes[0]


@pytest.mark.parametrize("board", [ENGLISH, FRENCH, DIAMOND, triangle(5)], ids=lambda board: board.name)
def test_a_fold_maps_bits_of_blocks_as_symmetries_map_positions(board: Board) -> None:
    """Random positions, through the swaps of a block's bits, looked at bit by bit."""
    chance = random.Random(7)
    start = board.full ^ 1 << board.holes // 2
    here, group = order(board, start, 12), board.stabiliser(start)
    positions, fold = here.positions, fold_by(here, group)
    for _ in range(40):
        position = start
        for jump in chance.choices(board.jumps.tolist(), k=99):
            position ^= sum(1 << hole for hole in jump)
        _, high, _, word, bit = here.find(position)
        block = positions.number(position) >> positions.place_bits
        low = block & (1 << here.low_bits) - 1
        sign = int(here.tiles.high_sign[high] ^ here.tiles.low_sign[low])
        for turn, symmetry in enumerate(group.tolist()):
            _, other_high, other_rank, other_word, other_bit = here.find(image(symmetry, position))
            assert fold.rank[turn, low] == other_rank
            planes = np.zeros((positions.words, 5), np.uint64)
            planes[other_word, 3] = np.uint64(1 << other_bit)
            for i in range(fold.swaps[turn, sign]):
                flip, shift = fold.flip[turn, sign, i], fold.shift[turn, sign, i]
                swap_places(fold.mask, (np.uint64(turn), sign, i), flip, shift, planes)
            assert np.argwhere(planes).tolist() == [[word, 3]]
            assert planes[word, 3] == np.uint64(1 << bit)
            assert fold.high[high] <= other_high
            assert turn != fold.symmetry[high] or fold.high[high] == other_high


@each(BOARDS)
def test_layers_are_counted_by_pegs_and_moves_labelled_and_up_to_symmetry(board: Board) -> None:
    for start in starts(board):
        here, group = order(board, start), board.stabiliser(start)
        expected = np.zeros((board.holes + 1, MOST_MOVES + 1, 2), np.int64)
        moves = {as_set(board, position): least for position, least in least_moves(board, start).items()}
        for position in moves:
            expected[len(position), moves[position], 0] += 1
        for orbit in {naive.orbit(stabiliser(board, start), position) for position in moves}:
            expected[len(min(orbit)), moves[min(orbit)], 1] += 1
        for fold in folds(here, start):
            layers = list(sweep_moves(here, forward_steps(here), [start], fold))
            labelled, fixed = sum((count_moves(here, fold, group, layer) for layer in layers), NOTHING)
            assert labelled.tolist() == expected[..., 0].tolist()
            assert (fixed // len(group)).tolist() == expected[..., 1].tolist()
        for number in range(1 << board.holes if board.holes < 13 else 0):
            if here.positions.contains(number):
                assert moves_of(here, fold, layers, number) == moves.get(as_set(board, number), NOT_REACHED)


@pytest.mark.parametrize("board", [triangle(5), PLUS], ids=lambda board: board.name)
def test_tiles_made_by_themselves_are_those_made_together(board: Board) -> None:
    """Each weight in two parts, made from the parts of the weights before."""
    start = board.full ^ 1
    here, steps = order(board, start), forward_steps(order(board, start))
    fold = fold_by(here, board.stabiliser(start))
    parts: list[Layer] = []
    for layer in sweep_moves(here, steps, [start], fold):
        middle = here.highs // 3
        near = [part for part in parts if part.weight - layer.weight <= max(here.gaps)]
        made = [
            make_layer(MoveSweep(here, steps, fold), near, [start], layer.weight, ends)
            for ends in ((0, middle), (middle, here.highs))
        ]
        group = board.stabiliser(start)
        counts = [count_moves(here, fold, group, part) for part in (*made, layer)]
        assert np.array_equal(counts[0] + counts[1], counts[2])
        assert np.array_equal(np.concatenate([part.index[:, 1] for part in made]), layer.index[:, 1])
        assert np.array_equal(np.concatenate([part.rows[1:] for part in made]), layer.rows[1:])
        parts += made


@pytest.mark.parametrize("vacancy", [1, 4, 5])
@pytest.mark.parametrize("board", [triangle(4), rectangle(3, 4), PLUS], ids=lambda board: board.name)
def test_tiles_made_one_after_the_other_are_those_made_at_once(board: Board, vacancy: int) -> None:
    """Where there is room for a single tile of the largest size, and for two blocks, as where there is room for all."""
    start = board.full ^ 1 << vacancy
    here = order(board, start)
    steps, fold = forward_steps(here), unfolded(here)
    single = MoveSweep(here, steps, fold, rows_at_once=1, words_at_once=2)
    made: list[Layer] = []
    for layer in sweep_moves(here, steps, [start], fold):
        near = [source for source in made if source.weight - layer.weight <= max(here.gaps)]
        alone = make_layer(single, near, [start], layer.weight)
        assert np.array_equal(alone.index, layer.index)
        assert np.array_equal(alone.rows, layer.rows)
        made.append(alone)
    assert by_position(here, made) == least_moves(board, start)


def test_positions_outside_a_set_are_not_kept_and_blocks_without_one_have_no_rows() -> None:
    """Random sets, of positions and of places that are none."""
    start, chance, emptied = PLUS.full ^ 1 << 4, random.Random(3), 0
    here = order(PLUS, start)
    sweep, made = MoveSweep(here, forward_steps(here), unfolded(here)), list[Layer]()
    for layer in sweep_moves(here, sweep.steps, [start]):
        chosen = [chance.randrange(256) & chance.randrange(256) for _ in layer.index]
        kept = np.array(chosen, here.positions.word_type).reshape(-1, 1)
        some, places = make_layer(sweep, made, [start], layer.weight, within=kept), {}
        for position, moves in by_position(here, [layer]).items():
            _, high, rank, word, bit = here.find(position)
            block = int(layer.starts[high]) + rank
            if kept[block, word] >> bit & 1:
                places[position] = moves, block
        assert by_position(here, [some]) == {position: moves for position, (moves, _) in places.items()}
        assert set(np.flatnonzero(some.index[:, 0]).tolist()) == {block for _, block in places.values()}
        emptied += int((layer.index[:, 0] > 0).sum() - (some.index[:, 0] > 0).sum())
        made.append(layer)
    assert emptied


def test_a_root_is_found_in_a_part_that_begins_after_other_blocks() -> None:
    board, later = rectangle(3, 4), 0
    for vacancy in range(board.holes):
        start = board.full ^ 1 << vacancy
        here = order(board, start, low_bits=2)
        steps, fold = forward_steps(here), unfolded(here)
        weight, high, *_ = here.find(start)
        whole = make_layer(MoveSweep(here, steps, fold), [], [start], weight)
        part = make_layer(MoveSweep(here, steps, fold), [], [start], weight, (high, high + 1))
        later += whole.starts[high] > 0
        assert np.array_equal(part.rows, whole.rows)
        assert by_position(here, [part]) == by_position(here, [whole]) == {start: 0}
    assert later


def test_more_moves_than_planes_can_count_are_refused() -> None:
    """The start is said to have needed 29 moves; then its children need 30."""
    board = rectangle(3, 5)
    start = board.full ^ 1
    here, steps = order(board, start), forward_steps(order(board, start))
    sweep = MoveSweep(here, steps, unfolded(here))
    weight = here.weight(start)
    first = make_layer(sweep, [], [start], weight)
    refusals = 0
    bit = first.rows[1:2].min() ^ first.rows.dtype.type(-1 % (1 << 8 * first.rows.itemsize))
    for moves, refused in ((MOST_MOVES - 2, False), (MOST_MOVES - 1, True)):
        late = first._replace(rows=first.rows.copy())
        for plane in range(5):
            late.rows[1 + plane] |= bit * first.rows.dtype.type(moves >> plane & 1)
        assert moves_of(here, sweep.fold, [late], start) == moves
        for gap in here.gaps:
            if refused and len(make_layer(sweep, [first], [], weight - gap).rows) > 1:
                with pytest.raises(TooManyMovesError, match="30 moves"):
                    make_layer(sweep, [late], [], weight - gap)
                refusals += 1
            else:
                make_layer(sweep, [late], [], weight - gap)
    assert refusals


@pytest.mark.slow
def test_the_english_board_from_its_centre() -> None:
    """As many positions with so many moves, and the same most moves for each number of pegs, as by sorted runs; and
    blocks of which one of each orbit is made are those made one by one, plane by plane."""
    start = ENGLISH.full ^ ENGLISH.position([19])
    here = order(ENGLISH, start, 12)
    steps, (every, fold) = forward_steps(here), folds(here, start)
    by_layers, board_itself = NOTHING, ENGLISH.symmetries[:1]
    for one, all_of_them in zip(
        sweep_moves(here, steps, [start], fold), sweep_moves(here, steps, [start]), strict=True
    ):
        counts = count_moves(here, fold, board_itself, one)[0]
        by_layers = by_layers + counts
        assert np.array_equal(counts, count_moves(here, every, board_itself, all_of_them)[0])
        made = np.repeat(fold.orbit > 0, np.diff(all_of_them.starts))
        index = all_of_them.index[made]
        assert np.array_equal(one.index[:, 1], index[:, 1])
        assert np.array_equal(one.index[:, 0] > 0, index[:, 0] > 0)
        mine, other = (table[table[:, 0] > 0] for table in (one.index, index))
        for row in range(5 + int(np.bitwise_count(mine[:, 1]).max(initial=0))):
            some = np.bitwise_count(mine[:, 1]) + 5 > row
            rows = (layer.rows[table[some, 0] + np.uint64(row)] for layer, table in ((one, mine), (all_of_them, other)))
            assert np.array_equal(*rows)
    assert int(by_layers.sum()) == 187_636_299
    problem, level = Problem(ENGLISH, start, start ^ ENGLISH.full), first_level(start)
    for pegs in range(32, 0, -1):
        after = step(problem, level)
        by_runs = np.bincount(level.moves, weights=after.orbits, minlength=MOST_MOVES + 1)
        assert by_layers[pegs].tolist() == by_runs.tolist()
        level = after.level
