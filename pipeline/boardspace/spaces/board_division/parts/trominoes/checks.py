"""Checks of trominoes: boards put together from quadrants, covers counted anew."""

from collections.abc import Iterator

import numpy as np

from boardspace.spaces.board_division import rules
from boardspace.spaces.board_division.checking import SAMPLE, Faults, difference, unless
from boardspace.spaces.board_division.config import BoardDivisionConfig, LargeBoard
from boardspace.spaces.board_division.parts.trominoes import large
from boardspace.spaces.board_division.parts.trominoes.completions import LEAST_SIDE, CoverCounts
from boardspace.spec.space import Draw, Inputs, Outcome, outcome
from boardspace.verify.arrays import cells_of

WHOLE_K = 6
"""Up to here all boards are compared, beyond it ``BOARDS`` of each size."""
BOARDS = 512
AT_ONCE = 256
BLOCKS = 16
COUNTED_SIDE = 18
PLAIN_SIDE = 5


def check_special_covers(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every board of small sizes, some of the largest; a few by the definition of a cover as well."""
    numbers = range(config.special_boards + 1)
    return outcome(_special_covers(config, inputs, draw), of=sum(4**k for k in numbers))


def check_large_covers(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every block of a large board, or some of very large ones."""
    return outcome(
        _large_covers(config, inputs, draw), of=sum(large.blocks(board) ** 2 for board in config.large_boards)
    )


def check_cover_counts(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every count of every side up to 18; small ones also by trying every tromino."""
    return outcome(_cover_counts(config, inputs, draw), of=sum(side**2 for side in range(1, config.cover_counts + 1)))


def _special_covers(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Faults:
    random = draw.generator()
    for k in range(config.special_boards + 1):
        array, side = inputs.array(f"covers/{k}"), 2**k
        if array.shape != (4**k, side, side):
            yield f"covers/{k} has the shape {array.shape}"
            return
        whole = draw.everything or k <= WHOLE_K
        chosen = list(range(4**k)) if whole else draw.choose(4**k, BOARDS, random)
        for some in (chosen[at : at + AT_ONCE] for at in range(0, len(chosen), AT_ONCE)):
            boards = array[some[0] : some[-1] + 1] if whole else np.stack([array[special] for special in some])
            same = (boards == rules.assembled(k, [divmod(special, side) for special in some])).all(axis=(1, 2))
            yield from (
                unless(bool(b), f"covers/{k}, {s}: not the recursion's") for b, s in zip(same, some, strict=True)
            )
        for special in random.choice(4**k, min(4**k, SAMPLE), replace=False).tolist():
            if not rules.is_cover(array[special].tolist(), divmod(special, side)):
                yield f"covers/{k}, {special}: no cover"


def _blocks(config: BoardDivisionConfig, draw: Draw) -> Iterator[tuple[LargeBoard, int, int, int]]:
    """The blocks of large boards that are tried: the board, the cells along a side, row and column of the block."""
    random = draw.generator()
    for board in config.large_boards:
        along = large.blocks(board)
        for place in draw.choose(along * along, BLOCKS, random):
            yield board, (1 << board.k) // along, *divmod(place, along)


def _large_covers(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Faults:
    for board in config.large_boards:
        shape = inputs.array(large.array_path(board)).shape
        if shape != (1 << board.k, 1 << board.k):
            yield f"{large.array_path(board)} has the shape {shape}"
            return
    for board, size, row, column in _blocks(config, draw):
        special = (board.row - 1, board.column - 1)
        sides = slice(row * size, (row + 1) * size), slice(column * size, (column + 1) * size)
        cells = cells_of(inputs.array(large.array_path(board)), *sides)
        expected = rules.assembled_block(board.k, special, size.bit_length() - 1, (row, column))
        wrong = np.empty((0, 2)) if np.array_equal(cells, expected) else np.argwhere(cells != expected)
        where = f"{large.array_path(board)}, block ({row}, {column})"
        yield unless(not len(wrong), f"{where}: cell {wrong[:1].tolist()} is not the recursion's")


def _cover_counts(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Faults:
    table = inputs.table("cover_counts")
    sides = range(1, config.cover_counts + 1)
    keys = np.concatenate([np.indices((side, side)).reshape(2, -1).T + 1 for side in sides])
    repeated = np.repeat(sides, [side * side for side in sides])
    fault = difference(table, {"side": repeated, "row_num": keys[:, 0], "column_num": keys[:, 1]})
    if fault:
        yield fault
        return
    counts = iter(table.column("covers").to_pylist())
    for side in sides:
        found = [next(counts) for _ in range(side * side)]
        if side < LEAST_SIDE:
            yield from (
                unless(count == str(rules.count_covers(side, divmod(cell, side))), _wrong(side, cell, count))
                for cell, count in enumerate(found)
            )
        elif side <= COUNTED_SIDE or draw.everything:
            yield from _square_counts(side, found)
        if LEAST_SIDE <= side <= PLAIN_SIDE:
            for cell in draw.choose(side * side, SAMPLE):
                if found[cell] != str(rules.count_covers(side, divmod(cell, side))):
                    yield _wrong(side, cell, found[cell])


def _square_counts(side: int, found: list[str]) -> Faults:
    counted = CoverCounts(side)
    for cell, count in enumerate(found):
        plain = count.isascii() and count.isdigit() and str(int(count)) == count
        yield unless(plain and counted.agree(cell, int(count)), _wrong(side, cell, count))


def _wrong(side: int, cell: int, count: str) -> str:
    row, column = divmod(cell, side)
    return f"side {side}: without ({row + 1}, {column + 1}) there are not {count} covers"
