"""Checks of trominoes: boards put together from quadrants, covers counted anew, and recurrences proved by these."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.board_division import rules
from boardspace.spaces.board_division.config import BoardDivisionConfig, LargeBoard
from boardspace.spaces.board_division.parts.trominoes.part import NARROWEST, array_path, blocks
from boardspace.spaces.board_division.rules import strip_of_covers
from boardspace.spec.equations import Making, RowFaultError
from boardspace.spec.space import Draw, Inputs, Outcome, outcome
from boardspace.verify.arrays import cells_of

WHOLE_K = 6
"""Up to here all boards are compared, beyond it ``BOARDS`` of each size."""
BOARDS = 512
AT_ONCE = 256
BLOCKS = 16
COUNTED_SIDE = 18
SQUARE_SIDE = 15
BY_HAND = ("1", "1", "4", "0")
"""Covers of the smallest squares: nothing, a single cell, an L beside each of four cells, and none of 3 x 3."""
TOLERANCE = 1e-10
PLAIN_SIDE = 5
SAMPLE = 20
HALF = 1 << 63
Row = dict[str, Any]
Faults = Iterator[str]
PRIME = (1 << 61) - 1
Counts = NDArray[Any]


def check_special_covers(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every board of small sizes, some of the largest; a few by the definition of a cover as well."""
    numbers = range(config.special_boards + 1)
    return outcome(_special_covers(config, inputs, draw), of=sum(4**k for k in numbers))


def check_large_covers(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every block of a large board, or some of very large ones."""
    return outcome(_large_covers(config, inputs, draw), of=sum(blocks(board) ** 2 for board in config.large_boards))


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
                _unless(bool(b), f"covers/{k}, {s}: not the recursion's") for b, s in zip(same, some, strict=True)
            )
        for special in random.choice(4**k, min(4**k, SAMPLE), replace=False).tolist():
            if not rules.is_cover(array[special].tolist(), divmod(special, side)):
                yield f"covers/{k}, {special}: no cover"


def _blocks(config: BoardDivisionConfig, draw: Draw) -> Iterator[tuple[LargeBoard, int, int, int]]:
    """The blocks of large boards that are tried: the board, the cells along a side, row and column of the block."""
    random = draw.generator()
    for board in config.large_boards:
        along = blocks(board)
        for place in draw.choose(along * along, BLOCKS, random):
            yield board, (1 << board.k) // along, *divmod(place, along)


def _large_covers(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Faults:
    for board in config.large_boards:
        shape = inputs.array(array_path(board)).shape
        if shape != (1 << board.k, 1 << board.k):
            yield f"{array_path(board)} has the shape {shape}"
            return
    for board, size, row, column in _blocks(config, draw):
        special = (board.row - 1, board.column - 1)
        sides = slice(row * size, (row + 1) * size), slice(column * size, (column + 1) * size)
        cells = cells_of(inputs.array(array_path(board)), *sides)
        expected = rules.assembled_block(board.k, special, size.bit_length() - 1, (row, column))
        wrong = np.empty((0, 2)) if np.array_equal(cells, expected) else np.argwhere(cells != expected)
        where = f"{array_path(board)}, block ({row}, {column})"
        yield _unless(not len(wrong), f"{where}: cell {wrong[:1].tolist()} is not the recursion's")


def make_cover_counts(config: BoardDivisionConfig, name: str, at: Making) -> dict[str, list[Row]]:
    """The covers of every side up to 18, of larger ones with ``verify --all`` alone; of small ones by trying every
    tromino."""
    rows: list[Row] = []
    for side in range(1, config.cover_counts + 1):
        cells = [divmod(cell, side) for cell in range(side * side)]
        known: list[Row] = [{} for _ in cells]
        if side <= PLAIN_SIDE:
            known = [{"covers": str(rules.count_covers(side, cell))} for cell in cells]
        elif side <= COUNTED_SIDE or at.draw.everything:
            known = [{"covers": str(count)} for count in cover_counts(side)]
        keys = ({"side": side, "row_num": row + 1, "column_num": column + 1} for row, column in cells)
        rows += [key | covers for key, covers in zip(keys, known, strict=True)]
    return {"cover_counts": rows}


def make_squares(config: BoardDivisionConfig, name: str, at: Making) -> dict[str, list[Row]]:
    """The covers of squares of sides up to 15, of larger ones with ``verify --all`` alone. A number is right if it has
    the residue and the size that are counted."""
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
            single = _forwards(single, side, cell)
        plain = _forwards(plain, side, cell)
    return (single if len(single) else plain)[0]


def make_strips(config: BoardDivisionConfig, name: str, at: Making) -> dict[str, list[Row]]:
    """Rows of all strips, by the denominators that the table has: of these there is one that is right."""
    given = {row["rows"]: [int(digits) for digits in row["denominator"]] for row in at.rows("strips")}
    return {"strips": [_strip(rows, given.get(rows, [1])) for rows in range(NARROWEST, config.strips + 1)]}


def _strip(rows: int, denominator: list[int]) -> Row:
    """The row of a strip. Its denominator times the covers counted is the numerator, and 0 from the order on; as many
    covers as there are states and terms of the recurrence prove that. In lowest terms no recurrence is shorter."""
    states, order, period = _states(rows), len(denominator) - 1, 1 if rows % 3 == 0 else 3
    terms = _terms(rows, states + order, period)
    product = [
        sum(c * terms[place - back] for back, c in enumerate(denominator[: place + 1])) for place in range(len(terms))
    ]
    if any(product[order:]) or denominator[0] != 1:
        raise RowFaultError(f"strips {rows}: the generating function does not give the covers that are counted")
    if not _are_coprime(product[:order], denominator):
        raise RowFaultError(
            f"strips {rows}: the generating function is not in lowest terms: there is a shorter recurrence"
        )
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


def _are_coprime(one: Sequence[int], other: Sequence[int]) -> bool:
    """True where polynomials, lowest powers first, have no factor in common modulo a prime, and so none at all."""
    a, b = (_without_zeros([c % PRIME for c in polynomial]) for polynomial in (other, one))
    while b:
        inverse = pow(b[-1], -1, PRIME)
        while len(a) >= len(b):
            factor, shift = a[-1] * inverse % PRIME, len(a) - len(b)
            a = _without_zeros([(c - factor * b[i - shift]) % PRIME if i >= shift else c for i, c in enumerate(a)])
        a, b = b, a
    return len(a) == 1


def _without_zeros(polynomial: list[int]) -> list[int]:
    while polynomial and not polynomial[-1]:
        polynomial.pop()
    return polynomial


def folded(side: int) -> NDArray[np.int64]:
    """For each cell [side^2] in reading order, the number of the cell that the symmetries of the square carry it to:
    the one with row <= column, both in the upper left quarter."""
    rows, columns = np.divmod(np.arange(side * side), side)
    near = np.sort(np.minimum(np.stack((rows, columns)), side - 1 - np.stack((rows, columns))), axis=0)
    return np.asarray(near[0] * side + near[1], np.int64)


def cover_counts(side: int) -> list[int]:
    """The covers of a square of ``side`` >= 4 cells less one, for each cell left out in reading order: counted modulo
    2^64, and about, in floating point, which tells the multiple of 2^64 for numbers of up to 30 digits."""
    images = folded(side)
    wanted = sorted(set(images.tolist()))
    residues, sizes = (_left_out(side, wanted, np.dtype(kind)) for kind in (np.uint64, np.float64))
    exact = {}
    for cell in wanted:
        multiples, residue = divmod(int(sizes[cell]) - int(residues[cell]) + HALF, 2 * HALF)
        exact[cell] = int(residues[cell]) + 2 * HALF * multiples
        assert abs(residue - HALF) < HALF // 2, "the covers are too many to be told apart by their sizes"
    return [exact[cell] for cell in images.tolist()]


def _left_out(side: int, wanted: list[int], dtype: Any) -> dict[int, Any]:
    """The covers that leave out each of the wanted cells."""
    begun: dict[int, Counts] = {}
    state = np.zeros(2 << side, dtype)
    state[0] = 1
    for cell in range(wanted[-1] + 1):
        if cell in wanted:
            begun[cell] = state[::2].copy()
        state = _forwards(state, side, cell)
    found = {}
    state = np.zeros(2 << side, dtype)
    state[0] = 1
    for cell in reversed(range(wanted[0], side * side)):
        if cell in begun:  # its state with the cell covered, after it, has the bits above it and a free cell on top
            found[cell] = (begun[cell] * state[: 1 << side]).sum(dtype=dtype)
        state = _backwards(state, side, cell)
    return found


def _before(state: Counts) -> Counts:
    """A state by the bits that a tromino changes: side, side - 1, those between, 1, 0."""
    return state.reshape(2, 2, -1, 2, 2)


def _after(state: Counts) -> Counts:
    """A state one cell on by the same cells: side + 1, side, side - 1, those between, 1."""
    return state.reshape(2, 2, 2, -1, 2)


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


def _forwards(state: Counts, side: int, cell: int) -> Counts:
    following = np.zeros_like(state)
    for old, new in _steps(_before(state), _after(following), side, cell):
        new += old
    return following


def _backwards(following: Counts, side: int, cell: int) -> Counts:
    state = np.zeros_like(following)
    for old, new in _steps(_before(state), _after(following), side, cell):
        old += new
    return state


def _unless(right: bool, fault: str) -> str:
    """'' where it is right, else the fault."""
    return "" if right else fault
