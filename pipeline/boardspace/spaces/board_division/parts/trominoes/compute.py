"""Computes covers for every special cell, large covers block by block, numbers of all covers, recurrences of strips."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.board_division.config import BoardDivisionConfig, LargeBoard
from boardspace.spaces.board_division.parts.trominoes.part import (
    BLOCK_SECONDS,
    COVER_COUNTS,
    LARGE_COVERS,
    NARROWEST,
    OWNED,
    SPECIAL_COVERS,
    SQUARE_COVERS,
    STRIPS,
    array_path,
    block_side,
    blocks,
)
from boardspace.spec.space import ArrayPart, Inputs, Output, Shard, cut_range
from boardspace_kernels.board_division.cover_check import check_cover, owned_runs
from boardspace_kernels.board_division.cover_counts import count_all_covers as count_square_covers
from boardspace_kernels.board_division.cover_counts import count_covers, special_cells
from boardspace_kernels.board_division.cover_strips import strip_recurrence
from boardspace_kernels.board_division.covers import Block, cover_block, covers

BOARDS_PER_SHARD = 2048
QUADRANTS_TO = 4
CHUNK = 256
"""A reader fetches CHUNK x CHUNK cells at least: 256 KiB of a large cover, 16 boards of 64 x 64."""


def cut_special_boards(config: BoardDivisionConfig, inputs: Inputs) -> list[Shard]:
    """Ranges of special cells of each board."""
    shards = []
    for k in range(config.special_boards + 1):
        for first, last in cut_range(0, 4**k, BOARDS_PER_SHARD):
            params = {"k": k, "first": first, "last": last}
            shards.append(Shard(f"{k}-{first:05}", params, cost=0.1 + (last - first) * 4**k * 4e-8))
    return shards


def cover_special_boards(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Covers for a range of special cells, each checked; whether its four quadrants are boards of the same kind."""
    k, first, last = params["k"], params["first"], params["last"]
    boards = covers(k, first, last)
    quadrants = 0
    for special, board in enumerate(boards, first):
        check_cover(board, *divmod(special, 1 << k))
        if 1 <= k <= QUADRANTS_TO:
            quadrants += _check_quadrants(board)
    side = 1 << k
    fetched, written = (min(4**k, most) for most in (CHUNK * CHUNK // 4**k, BOARDS_PER_SHARD))
    chunks, shards, shape = ((count, side, side) for count in (fetched, written, 4**k))
    part = ArrayPart(SPECIAL_COVERS, f"covers/{k}", shape, chunks, shards, (first, 0, 0), boards)
    facts = {"k": k, "boards": last - first, "quadrants": quadrants, "largest": int(boards.max())}
    return Output(arrays=[part], facts=facts)


def _check_quadrants(board: NDArray[Any]) -> int:
    """Check that each quadrant, its cell of the tromino round the centre left out, is covered by itself; count them."""
    half = board.shape[0] // 2
    numbers, counts = np.unique(board[half - 1 : half + 1, half - 1 : half + 1], return_counts=True)
    centre = numbers[counts == 3]
    for row in (0, half):
        for column in (0, half):
            quadrant = board[row : row + half, column : column + half]
            quadrant = np.where(np.isin(quadrant, centre), 0, quadrant)
            special = np.argwhere(quadrant == 0)[0]
            check_cover(np.unique(quadrant, return_inverse=True)[1].reshape(half, half), *special)
    return 4


def cut_large_covers(config: BoardDivisionConfig, inputs: Inputs) -> list[Shard]:
    """Blocks of each large board."""
    return [
        Shard(f"{board.name}/{row:04}-{column:04}", {"board": board, "block": [row, column]}, cost=BLOCK_SECONDS)
        for board in config.large_boards
        for row in range(blocks(board))
        for column in range(blocks(board))
    ]


def cover_large_block(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """One block of a large cover, computed without the others."""
    k, row, column = board = LargeBoard(*params["board"])
    block_row, block_column = params["block"]
    side, block = 1 << k, block_side(board)
    out = np.empty((block, block), np.uint32)
    cover_block(k, row - 1, column - 1, Block(block.bit_length() - 1, block_row, block_column), out)
    chunk = min(block, CHUNK)
    start = (block_row * block, block_column * block)
    part = ArrayPart(LARGE_COVERS, array_path(board), (side, side), (chunk, chunk), (block, block), start, out)
    return Output(arrays=[part])


def examine_large_block(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Examine one block, read back with the next row and column of the board, by the checker."""
    _, row, column = board = LargeBoard(*params["board"])
    block = block_side(board)
    top, left = (place * block for place in params["block"])
    array = inputs.array(array_path(board))
    runs = owned_runs(array[top : top + block + 1, left : left + block + 1], block, block)
    holds_special = top < row <= top + block and left < column <= left + block
    facts = {"special": int(array[row - 1, column - 1])} if holds_special else {}
    return Output({"owned": OWNED.from_columns(first=runs[:, 0], last=runs[:, 1])}, facts=facts)


def cut_cover_counts(config: BoardDivisionConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each side."""
    sides = range(1, config.cover_counts + 1)
    return [Shard(f"{side:02}", {"side": side}, cost=0.01 + 2e-9 * side**4 * 2**side / 31) for side in sides]


def count_all_covers(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Numbers of covers for all special cells of one side; symmetric ones are computed once."""
    side = params["side"]
    counts = dict(zip(map(tuple, special_cells(side).tolist()), count_covers(side), strict=True))
    rows, columns = np.divmod(np.arange(side * side), side)
    folded = np.sort(np.minimum(np.stack((rows, columns)), side - 1 - np.stack((rows, columns))), axis=0)
    covers = [str(counts[r, c]) for r, c in folded.T.tolist()]
    table = COVER_COUNTS.from_columns(
        side=np.full(side * side, side), row_num=rows + 1, column_num=columns + 1, covers=covers
    )
    least, most = min(counts.values()), max(counts.values())
    return Output({"cover_counts": table}, facts={"side": side, "least": str(least), "most": str(most)})


def cut_squares(config: BoardDivisionConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each side."""
    vectors = [2 if side % 3 else 1 for side in range(config.squares + 1)]
    return [
        Shard(f"{side:02}", {"side": side}, cost=0.01 + number * 1e-11 * side**4 * 2**side)
        for side, number in enumerate(vectors)
    ]


def count_square(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """All covers of a square with at most one single cell."""
    side = params["side"]
    covers = str(count_square_covers(side))
    return Output({"square_covers": SQUARE_COVERS.from_rows([{"side": side, "covers": covers}])})


def cut_strips(config: BoardDivisionConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each number of rows."""
    return [
        Shard(f"{rows}", {"rows": rows}, cost=0.01 + 0.3 * 4.0 ** (rows - 9))
        for rows in range(NARROWEST, config.strips + 1)
    ]


def find_recurrence(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The recurrence of strips of so many rows."""
    found = strip_recurrence(params["rows"])
    row = {
        "rows": found.rows,
        "period": found.period,
        "states": found.states,
        "recurrence_order": found.order,
        "numerator": list(map(str, found.numerator)),
        "denominator": list(map(str, found.denominator)),
        "compared": found.compared,
    }
    return Output({"strips": STRIPS.from_rows([row])})
