"""Checks of trominoes: boards put together from quadrants, covers counted anew, and recurrences proved by these."""

from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.board_division import rules
from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.trominoes.part import NARROWEST, array_path, blocks
from boardspace.spaces.board_division.rules import strip_of_covers
from boardspace.spec.check import Faults, each_case, exact
from boardspace.spec.equations import Making, RowFaultError
from boardspace.spec.space import Draw, Inputs
from boardspace.verify.arrays import cells_of

WHOLE_K = 6
"""Up to here all boards are compared, beyond it ``BOARDS`` of each size."""
BOARDS = 532
AT_ONCE = 256
BLOCKS = 16
COUNTED_SIDE = 18
SQUARE_SIDE = 15
TOLERANCE = 1e-10
NARROWEST_COUNTED = 3
"""Of smaller squares the one cell that is left out leaves nothing, or an L."""
BY_HAND = ("1", "1", "4", "0")
"""Covers of the smallest squares: nothing, a single cell, an L beside each of four cells, and none of 3 x 3."""
Row = dict[str, Any]
PRIME = (1 << 61) - 1
Counts = NDArray[Any]


@each_case
def check_special_covers(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Faults:
    """Every board of small sizes, some of the largest."""
    random = draw.generator()
    for k in range(config.special_boards + 1):
        array, side = inputs.array(f"covers/{k}"), 2**k
        if array.shape != (4**k, side, side):
            yield f"covers/{k} has the shape {array.shape}"
        whole = draw.everything or k <= WHOLE_K
        for first in range(0, 4**k, AT_ONCE) if whole else draw.choose(4**k, BOARDS, random):
            for special, board in enumerate(array[first : first + (AT_ONCE if whole else 1)], first):
                same = np.array_equal(board, rules.assembled(k, divmod(special, side)))
                yield "" if same else f"covers/{k}, {special}: not the recursion's"
    return sum(4**k for k in range(config.special_boards + 1))


@each_case
def check_large_covers(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Faults:
    """Every block of a large board, or some of very large ones."""
    random = draw.generator()
    for board in config.large_boards:
        array, along, special = inputs.array(array_path(board)), blocks(board), (board.row - 1, board.column - 1)
        size = (1 << board.k) // along
        if array.shape != (1 << board.k, 1 << board.k):
            yield f"{array_path(board)} has the shape {array.shape}"
        for place in draw.choose(along * along, BLOCKS, random):
            row, column = divmod(place, along)
            cells = cells_of(array, slice(row * size, (row + 1) * size), slice(column * size, (column + 1) * size))
            wrong = cells != rules.assembled_block(board.k, special, size.bit_length() - 1, (row, column))
            where = f"{array_path(board)}, block ({row}, {column}): cell {np.argwhere(wrong)[:1].tolist()}"
            yield f"{where} is not the recursion's" if wrong.any() else ""
    return sum(blocks(board) ** 2 for board in config.large_boards)


def make_cover_counts(config: BoardDivisionConfig, name: str, at: Making) -> dict[str, list[Row]]:
    """The covers of every side up to 18, of larger ones with ``verify --all`` alone."""
    rows: list[Row] = []
    for side in range(1, config.cover_counts + 1):
        known = cover_counts(side) if side <= COUNTED_SIDE or at.draw.everything else None
        for cell in range(side * side):
            row: Row = {"side": side, "row_num": cell // side + 1, "column_num": cell % side + 1}
            rows.append(row | ({"covers": known[cell]} if known else {}))
    return {"cover_counts": rows}


def make_squares(config: BoardDivisionConfig, name: str, at: Making) -> dict[str, list[Row]]:
    """The covers of squares of sides up to 15, of larger ones with ``verify --all`` alone. A number is right if it has
    the residue and the size that are counted; those of large squares are not told by these."""
    given = {row["side"]: row["covers"] for row in at.rows("square_covers")} if config.squares else {}
    rows: list[Row] = []
    for side in range(config.squares + 1 if config.squares else 0):
        row: Row = {"side": side}
        if side < len(BY_HAND):
            row["covers"] = BY_HAND[side]
        elif side <= SQUARE_SIDE or at.draw.everything:
            residue, size = (_covers_of_square(side, np.dtype(kind)) for kind in (np.uint64, np.float64))
            digits = given.get(side, "")
            covers = int(digits) if digits.isdecimal() else 0
            if covers % 2**64 != residue or abs(covers - size) > TOLERANCE * size:
                raise RowFaultError(f"square_covers {side}: there are not {digits} covers")
            row["covers"] = str(covers)
        rows.append(row)
    return {"square_covers": rows}


def _covers_of_square(side: int, dtype: np.dtype[Any]) -> Any:
    """Covers of a square of ``side`` >= 4 cells with at most one single cell, modulo 2^64 or in floating point."""
    plain, single = np.zeros(2 << side, dtype), np.zeros(2 << side if side % 3 else 0, dtype)
    plain[0] = 1
    for cell in range(side * side):
        if len(single):
            single[1::2] += plain[::2]  # the single cell is this one, and counts as covered
            single = _carried(single, side, cell)
        plain = _carried(plain, side, cell)
    return (single if len(single) else plain)[0]


def make_strips(config: BoardDivisionConfig, name: str, at: Making) -> dict[str, list[Row]]:
    """Rows of all strips, by the denominators that the table has: of these there is one that is right."""
    given = {row["rows"]: [int(digits) for digits in row["denominator"]] for row in at.rows("strips")}
    return {"strips": [_strip(rows, given.get(rows, [1])) for rows in range(NARROWEST, config.strips + 1)]}


def _strip(rows: int, denominator: list[int]) -> Row:
    """The row of a strip. Its denominator times the covers counted is the numerator, and 0 from the order on; as many
    covers as there are states and terms of the recurrence prove that."""
    states, order, period = _states(rows), len(denominator) - 1, 1 if rows % 3 == 0 else 3
    if not 0 <= order <= states:
        raise RowFaultError(f"strips {rows}: a recurrence of order {order}, where columns have {states} states")
    terms = _terms(rows, states + order, period)
    product = [
        sum(c * terms[place - back] for back, c in enumerate(denominator[: place + 1])) for place in range(len(terms))
    ]
    if any(product[order:]) or denominator[0] != 1:
        raise RowFaultError(f"strips {rows}: the generating function does not give the covers that are counted")
    if not _is_shortest(terms, order):
        raise RowFaultError(f"strips {rows}: there is a shorter recurrence")
    counts = {"states": states, "recurrence_order": order, "compared": states + order}
    texts = {"numerator": list(map(str, product[:order])), "denominator": list(map(str, denominator))}
    return {"rows": rows, "period": period, **counts, **texts}


@cache
def _states(rows: int) -> int:
    """Number of states of a column that are met; once a column adds none, no later one does."""
    met = set[int]()
    for covers in strip_of_covers(rows):
        if met and met.issuperset(covers):
            return len(met)
        met.update(covers)
    raise AssertionError("strips have no last column")


@cache
def _terms(rows: int, length: int, period: int) -> tuple[int, ...]:
    """The covers of 0, ``period``, 2 ``period``, ... columns."""
    return tuple(covers[0] for covers in islice(strip_of_covers(rows), 0, period * (length - 1) + 1, period))


def _is_shortest(terms: Sequence[int], order: int) -> bool:
    """True where no shorter recurrence holds: then the Hankel matrix of the terms is regular. Modulo a prime it is
    brought into triangular form."""
    rows = [terms[place : place + order] for place in range(order)]
    while rows:
        place = next((place for place, row in enumerate(rows) if row[0] % PRIME), None)
        if place is None:
            return False
        first, *others = rows.pop(place)
        inverse = pow(first, -1, PRIME)
        rows = [[(a - row[0] * inverse * b) % PRIME for a, b in zip(row[1:], others, strict=True)] for row in rows]
    return True


def folded(side: int) -> NDArray[np.int64]:
    """For each cell [side^2] in reading order, the number of the cell that the symmetries of the square carry it to:
    the one with row <= column, both in the upper left quarter."""
    rows, columns = np.divmod(np.arange(side * side), side)
    near = np.sort(np.minimum(np.stack((rows, columns)), side - 1 - np.stack((rows, columns))), axis=0)
    return np.asarray(near[0] * side + near[1], np.int64)


def cover_counts(side: int) -> list[str]:
    """The covers of a square less one cell, for each cell left out in reading order."""
    if side < NARROWEST_COUNTED:
        return ["1"] * side**2
    images = folded(side)
    wanted = sorted(set(images.tolist()))
    residues, sizes = (_left_out(side, wanted, np.dtype(kind)) for kind in (np.uint64, np.float64))
    counts = {cell: str(exact(int(residues[cell]), sizes[cell])) for cell in wanted}
    return [counts[cell] for cell in images.tolist()]


def _left_out(side: int, wanted: list[int], dtype: Any) -> dict[int, Any]:
    begun: dict[int, Counts] = {}
    state = np.zeros(2 << side, dtype)
    state[0] = 1
    for cell in range(wanted[-1] + 1):
        if cell in wanted:
            begun[cell] = state[::2].copy()
        state = _carried(state, side, cell)
    found = {}
    state = np.zeros(2 << side, dtype)
    state[0] = 1
    for cell in reversed(range(wanted[0], side * side)):
        if cell in begun:  # its state with the cell covered, after it, has the bits above it and a free cell on top
            found[cell] = (begun[cell] * state[: 1 << side]).sum(dtype=dtype)
        state = _carried(state, side, cell, back=True)
    return found


def _steps(old: Counts, new: Counts, side: int, cell: int) -> list[tuple[Counts, Counts]]:
    """Parts of the states before and after a cell that one step carries into each other: it is covered, or a tromino
    is laid with it as the first cell."""
    row, column = divmod(cell, side)
    right, below, left = column < side - 1, row < side - 1, column > 0
    steps = [(old[..., 1], new[0])]
    if below and right:
        steps += [
            (old[0, :, :, 0, 0], new[0, 1, :, :, 1]),
            (old[:, :, :, 0, 0], new[1, :, :, :, 1]),
            (old[0, :, :, :, 0], new[1, 1]),
        ]
    if below and left:
        steps.append((old[0, 0, :, :, 0], new[0, 1, 1]))
    return steps


def _carried(state: Counts, side: int, cell: int, back: bool = False) -> Counts:
    """The state one cell on, or before. The bits that a tromino changes are side, side - 1, those between, 1 and 0; one
    cell on these cells are side + 1, side, side - 1, those between, 1."""
    found = np.zeros_like(state)
    before, after = (found, state) if back else (state, found)
    for old, new in _steps(before.reshape(2, 2, -1, 2, 2), after.reshape(2, 2, 2, -1, 2), side, cell):
        if back:
            old += new
        else:
            new += old
    return found
