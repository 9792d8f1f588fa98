"""Checks of trominoes: boards put together from quadrants, covers counted anew, and recurrences proved by these."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.board_division import rules
from boardspace.spaces.board_division.config import BoardDivisionConfig, LargeBoard
from boardspace.spaces.board_division.parts.trominoes.part import NARROWEST, array_path, blocks
from boardspace.spaces.board_division.rules import strip_of_covers
from boardspace.spec.space import Draw, Inputs, Outcome, outcome
from boardspace.verify.arrays import cells_of

WHOLE_K = 6
"""Up to here all boards are compared, beyond it ``BOARDS`` of each size."""
BOARDS = 512
AT_ONCE = 256
BLOCKS = 16
COUNTED_SIDE = 18
PLAIN_SIDE = 5
SAMPLE = 20
Faults = Iterator[str]
PRIME = (1 << 61) - 1
LEAST_SIDE = 4
"""Bits 1 and side - 1 of a state have to be two bits."""
TOLERANCE = 1e-10
Counts = NDArray[Any]


def check_special_covers(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every board of small sizes, some of the largest; a few by the definition of a cover as well."""
    numbers = range(config.special_boards + 1)
    return outcome(_special_covers(config, inputs, draw), of=sum(4**k for k in numbers))


def check_large_covers(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every block of a large board, or some of very large ones."""
    return outcome(_large_covers(config, inputs, draw), of=sum(blocks(board) ** 2 for board in config.large_boards))


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


def _cover_counts(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Faults:
    table = inputs.table("cover_counts")
    sides = range(1, config.cover_counts + 1)
    keys = np.concatenate([np.indices((side, side)).reshape(2, -1).T + 1 for side in sides])
    repeated = np.repeat(sides, [side * side for side in sides])
    fault = _difference(table, {"side": repeated, "row_num": keys[:, 0], "column_num": keys[:, 1]})
    if fault:
        yield fault
        return
    counts = iter(table.column("covers").to_pylist())
    for side in sides:
        found = [next(counts) for _ in range(side * side)]
        if side < LEAST_SIDE:
            yield from (
                _unless(count == str(rules.count_covers(side, divmod(cell, side))), _wrong(side, cell, count))
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
        yield _unless(plain and counted.agree(cell, int(count)), _wrong(side, cell, count))


def _wrong(side: int, cell: int, count: str) -> str:
    row, column = divmod(cell, side)
    return f"side {side}: without ({row + 1}, {column + 1}) there are not {count} covers"


def check_strips(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Rows of all strips, by counting the terms that prove their recurrences."""
    return outcome(_strips(config, inputs))


def _strips(config: BoardDivisionConfig, inputs: Inputs) -> Faults:
    table = inputs.table("strips").to_pylist()
    heights = list(range(NARROWEST, config.strips + 1))
    if [row["rows"] for row in table] != heights:
        yield f"strips of {[row['rows'] for row in table]} rows, and those of {heights} are asked for"
        return
    for row in table:
        yield _fault_of_row(row) or _fault_of_terms(row)


def _fault_of_row(row: Mapping[str, Any]) -> str:
    """Return the contradiction of a row with itself, or ''."""
    name = f"strips of {row['rows']} rows"
    order = len(row["denominator"]) - 1
    if row["period"] != (1 if row["rows"] % 3 == 0 else 3):
        return f"{name}: a term every {row['period']} columns"
    if row["recurrence_order"] != order or len(row["numerator"]) != order or row["denominator"][0] != "1":
        return f"{name}: the order {row['recurrence_order']} is not that of the generating function"
    if not _are_coprime(*(list(map(int, row[column])) for column in ("numerator", "denominator"))):
        return f"{name}: its generating function is not in lowest terms, so there is a shorter recurrence"
    if row["compared"] != row["states"] + order:
        return f"{name}: {row['compared']} terms compared, and {row['states']} states with order {order} take their sum"
    return ""


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


def _fault_of_terms(row: Mapping[str, Any]) -> str:
    """Count the covers, and compare them with the generating function; '' where they are its coefficients."""
    name = f"strips of {row['rows']} rows"
    states, terms = _counted(row["rows"], row["compared"], row["period"])
    if states != row["states"]:
        return f"{name}: {states} states of a column are met, the table has {row['states']}"
    numerator, denominator = (list(map(int, row[column])) for column in ("numerator", "denominator"))
    for place in range(len(terms)):
        product = sum(c * terms[place - back] for back, c in enumerate(denominator[: place + 1]))
        if product != (numerator[place] if place < len(numerator) else 0):
            columns = place * row["period"]
            return f"{name}: the generating function does not give the {terms[place]} covers of {columns} columns"
    return ""


@cache
def _counted(rows: int, length: int, period: int) -> tuple[int, tuple[int, ...]]:
    """States of a column that are met, and the covers of 0, ``period``, 2 ``period``, ... columns."""
    counted = list(islice(strip_of_covers(rows), period * (length - 1) + 1))
    return len({state for covers in counted for state in covers}), tuple(covers[0] for covers in counted[::period])


def folded(side: int) -> NDArray[np.int64]:
    """For each cell [side^2] in reading order, the number of the cell that the symmetries of the square carry it to:
    the one with row <= column, both in the upper left quarter."""
    rows, columns = np.divmod(np.arange(side * side), side)
    near = np.sort(np.minimum(np.stack((rows, columns)), side - 1 - np.stack((rows, columns))), axis=0)
    return np.asarray(near[0] * side + near[1], np.int64)


class CoverCounts:
    """The covers of a square of ``side`` >= 4 cells less one, for each cell left out.

    residues: [side^2] counts modulo 2^64.
    sizes: [side^2] about the same, in floating point.
    """

    def __init__(self, side: int) -> None:
        images = folded(side)
        wanted = sorted(set(images.tolist()))
        self.residues = np.zeros(side * side, np.uint64)
        self.sizes = np.zeros(side * side, np.float64)
        for counts in (self.residues, self.sizes):
            for cell, count in _left_out(side, wanted, counts.dtype).items():
                counts[cell] = count
            counts[:] = counts[images]

    def agree(self, cell: int, count: int) -> bool:
        """Return whether this is the number of covers that leave out the cell with this number."""
        return count % 2**64 == int(self.residues[cell]) and abs(count - self.sizes[cell]) <= TOLERANCE * count


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


def _before(state: Counts, side: int) -> Counts:
    """A state by the bits that a tromino changes: side, side - 1, those between, 1, 0."""
    return state.reshape(2, 2, -1, 2, 2)


def _after(state: Counts, side: int) -> Counts:
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
    for old, new in _steps(_before(state, side), _after(following, side), side, cell):
        new += old
    return following


def _backwards(following: Counts, side: int, cell: int) -> Counts:
    state = np.zeros_like(following)
    for old, new in _steps(_before(state, side), _after(following, side), side, cell):
        old += new
    return state


def _unless(right: bool, fault: str) -> str:
    """'' where it is right, else the fault."""
    return "" if right else fault


def _difference(found: pa.Table, expected: Mapping[str, Any]) -> str:
    """The first row in which one of the ``expected`` columns of a table differs from what is expected, or ''."""
    for name, values in expected.items():
        column, right = found.column(name).to_numpy(), np.asarray(values)
        if len(column) != len(right):
            return f"{len(right):,} rows are expected, the table has {len(column):,}"
        wrong = np.flatnonzero(column != right)
        if len(wrong):
            row = int(wrong[0])
            return f"row {row + 1:,}: {name} is {column[row]!s}, and {right[row]!s} is right"
    return ""
