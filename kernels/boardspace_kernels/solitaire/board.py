"""Boards, built from the coordinates of their holes.

A board is a finite set of cells of a lattice. On the square lattice pegs jump along rows and columns; on the
triangular lattice, whose cell (row, column) touches (row, column + 1), (row + 1, column) and (row + 1, column + 1),
they jump along three axes. A *jump* (a, b, c) takes three neighbouring holes in line: the peg on ``a`` goes over the
peg on ``b``, which is removed, into the empty hole ``c``. A *position* is a set of pegs, held as a 64-bit word:
bit i is the hole with the i-th smallest number, so that a board's own numbering decides its words.

The symmetries are not declared but found: every linear map of the lattice that permutes the jump directions (8 on
the square lattice, 12 on the triangular one) is tried, shifted so that the bounding boxes agree, and kept where it
maps the board onto itself. The English board gets D4, a triangle D3, a hexagon D6, a rectangle D2, others D1.

*Parities* that no jump changes. A jump flips its three holes, so it adds the mask of these holes to the position, over
GF(2). A set of holes that meets every jump in an even number of holes therefore holds an even number of pegs for ever,
or an odd one. These sets are a vector space, of dimension n - rank(jumps). Two positions have the same parities if and
only if they differ by a sum of jumps; they are then said to be of the same class. On boards like the English one the
dimension is 4, which gives the 16 classes of Reiss (Beitraege zur Theorie des Solitaer-Spiels, J. reine angew. Math.
54, 1857); over GF(4) they are the values of two sums of powers of a cube root of one along the two diagonals. Nothing
of that has to be known here: elimination finds the parities of any board, whatever its lattice.

To be of the same class is necessary for a solution, not sufficient.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Self

import numpy as np
from numpy.typing import NDArray

Cell = tuple[int, int]

DIRECTIONS: Mapping[str, tuple[Cell, ...]] = {
    "square": ((0, 1), (1, 0), (0, -1), (-1, 0)),
    "triangular": ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)),
}

MOST_HOLES = 64

Word = int


class BoardError(ValueError):
    """A board that cannot be built, or holes and pegs that are not on it."""


@dataclass(frozen=True, eq=False)
class Board:
    """The holes of one board.

    name: how messages call it. grid: ``square`` or ``triangular``. labels: the number each hole is known by, ascending.
    cells: (row, column) of each hole, in the same order; hole i is bit i of a position.

    Raises BoardError for no hole, more than 64, repeated cells or labels, labels out of order, an unknown grid, or no
    possible jump.
    """

    name: str
    grid: str
    cells: tuple[Cell, ...]
    labels: tuple[int, ...]

    def __post_init__(self) -> None:
        problem = self._problem()
        if problem:
            raise BoardError(f"board {self.name!r}: {problem}")

    def _problem(self) -> str | None:
        if self.grid not in DIRECTIONS:
            return f"grid {self.grid!r} is unknown; use one of {', '.join(DIRECTIONS)}"
        if not 1 <= len(self.cells) <= MOST_HOLES:
            return f"{len(self.cells)} holes; a position is a 64-bit word, so use 1 to {MOST_HOLES}"
        if len(self.labels) != len(self.cells):
            return f"{len(self.cells)} holes but {len(self.labels)} labels; give each hole one"
        if len(set(self.cells)) < len(self.cells):
            return "cells must be distinct"
        if repeated := sorted({label for label in self.labels if self.labels.count(label) > 1}):
            return f"hole number {repeated[0]} is used more than once"
        if list(self.labels) != sorted(self.labels):
            return "holes must be in the order of their numbers"
        if not len(self.jumps):
            return "no three holes are in line, so that no jump is possible"
        return None

    @classmethod
    def from_cells(cls, name: str, grid: str, labels: Mapping[Cell, int]) -> Self:
        """The board whose hole at ``cell`` is known as ``labels[cell]``."""
        cells = tuple(sorted(labels, key=lambda cell: (labels[cell], cell)))
        return cls(name, grid, cells, tuple(labels[cell] for cell in cells))

    @classmethod
    def from_picture(cls, name: str, grid: str, picture: str) -> Self:
        """The board drawn as lines of tokens: a number is a hole and its label, a dot is no hole."""
        labels: dict[Cell, int] = {}
        for row, line in enumerate(picture.strip("\n").splitlines()):
            for column, token in enumerate(line.split()):
                if token == ".":
                    continue
                if not token.isdecimal():
                    raise BoardError(f"board {name!r}: row {row + 1} holds {token!r}; use hole numbers and dots")
                labels[row, column] = int(token)
        return cls.from_cells(name, grid, labels)

    @property
    def holes(self) -> int:
        """Number of holes."""
        return len(self.cells)

    @property
    def full(self) -> int:
        """The position with a peg in every hole."""
        return (1 << self.holes) - 1

    @cached_property
    def jumps(self) -> NDArray[np.int64]:
        """int64 (jumps, 3): holes (from, over, to) of every jump, by ``from`` and then by direction."""
        index = {cell: hole for hole, cell in enumerate(self.cells)}
        rows = []
        for (row, column), hole in index.items():
            for down, right in DIRECTIONS[self.grid]:
                over = index.get((row + down, column + right))
                to = index.get((row + 2 * down, column + 2 * right))
                if over is not None and to is not None:
                    rows.append((hole, over, to))
        return np.array(rows, dtype=np.int64).reshape(-1, 3)

    @cached_property
    def symmetries(self) -> NDArray[np.int64]:
        """int64 (symmetries, holes): ``[s, i]`` is the hole that symmetry s sends hole i to; row 0 is the identity."""
        index = {cell: hole for hole, cell in enumerate(self.cells)}
        found = {tuple(range(self.holes))}
        for matrix in lattice_maps(self.grid):
            # Equal sets have equal bounding boxes, so no other shift has to be tried.
            images = _shifted([_apply(matrix, cell) for cell in self.cells], self.cells)
            if set(images) == set(self.cells):
                found.add(tuple(index[image] for image in images))
        # The identity is the least of all permutations, so sorted it comes first.
        return np.array(sorted(found), dtype=np.int64)

    @cached_property
    def orbits(self) -> tuple[tuple[int, ...], ...]:
        """The holes that symmetries map to one another, ascending, by the least of each."""
        return tuple(sorted({tuple(sorted(set(images))) for images in self.symmetries.T.tolist()}))

    def position(self, pegs: Iterable[int]) -> int:
        """The position with pegs in the holes of these labels; BoardError for a label that is unknown or repeated."""
        word = 0
        for label in pegs:
            bit = 1 << self.hole(label)
            if word & bit:
                raise BoardError(f"board {self.name!r}: hole {label} is listed twice")
            word |= bit
        return word

    def hole(self, label: int) -> int:
        """The index of the hole with this label; BoardError where there is none."""
        if label not in self.labels:
            raise BoardError(f"board {self.name!r} has no hole {label}; its holes are {_ranges(self.labels)}")
        return self.labels.index(label)

    def pegs(self, position: int) -> tuple[int, ...]:
        """The labels of the holes with pegs, ascending; BoardError for bits beyond the last hole."""
        self.check(position)
        return tuple(label for hole, label in enumerate(self.labels) if position >> hole & 1)

    def check(self, position: int) -> int:
        """The position itself, or BoardError where it has pegs outside the board."""
        if not 0 <= position <= self.full:
            raise BoardError(f"board {self.name!r}: position {position:#x} has pegs outside its {self.holes} holes")
        return position

    def stabiliser(self, *positions: int) -> NDArray[np.int64]:
        """The rows of ``symmetries`` that leave each of these positions as it is (the identity first)."""
        kept = [row for row in self.symmetries if all(image_of(row, p) == self.check(p) for p in positions)]
        return np.array(kept, dtype=np.int64)

    def first_holes(self, *positions: int) -> list[int]:
        """The holes, ascending, the least of those that symmetries exchange which leave these positions as they are."""
        # A column has all images of its hole, so its least entry stands for the hole's orbit.
        least = self.stabiliser(*positions).min(axis=0)
        return [hole for hole in range(self.holes) if least[hole] == hole]


def lattice_maps(grid: str) -> list[tuple[Cell, Cell]]:
    """The linear maps that permute the grid's directions, each as the images of (1, 0) and (0, 1)."""
    directions = DIRECTIONS[grid]
    maps = [(down, right) for down, right in product(directions, repeat=2)]
    return [m for m in maps if {_apply(m, d) for d in directions} == set(directions)]


def _apply(matrix: tuple[Cell, Cell], cell: Cell) -> Cell:
    (a, b), (c, d) = matrix
    return cell[0] * a + cell[1] * c, cell[0] * b + cell[1] * d


def _shifted(images: list[Cell], cells: tuple[Cell, ...]) -> list[Cell]:
    """The images moved so that their bounding box starts where that of the cells does."""
    down = min(row for row, _ in cells) - min(row for row, _ in images)
    right = min(column for _, column in cells) - min(column for _, column in images)
    return [(row + down, column + right) for row, column in images]


def image_of(permutation: Sequence[int] | NDArray[np.integer], position: int) -> int:
    """A position whose peg of each hole is moved to ``permutation[hole]``, int (holes)."""
    return sum(1 << int(permutation[hole]) for hole in range(len(permutation)) if position >> hole & 1)


def images(permutation: NDArray[np.integer], positions: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Like :func:`image_of`, of positions in an array of any shape."""
    found = np.zeros_like(positions)
    for hole, image in enumerate(permutation.tolist()):
        found |= (positions >> np.uint64(hole) & np.uint64(1)) << np.uint64(image)
    return found


def _ranges(labels: tuple[int, ...]) -> str:
    """Labels as text, consecutive ones joined: ``1-3, 5-7``."""
    parts: list[list[int]] = []
    for label in sorted(labels):
        if parts and label == parts[-1][-1] + 1:
            parts[-1] = [parts[-1][0], label]
        else:
            parts.append([label])
    return ", ".join("-".join(map(str, part)) for part in parts)


def board_invariants(board: Board) -> list[Word]:
    """A basis of the sets of holes that meet every jump of a board evenly; the board has 2 to its length classes."""
    return invariants(board.holes, (1 << a | 1 << b | 1 << c for a, b, c in board.jumps.tolist()))


def are_same_class(board: Board, one: int, other: int) -> bool:
    """Return whether two positions of a board have the same parities."""
    differing = board.check(one) ^ board.check(other)
    return all(parity(row & differing) == 0 for row in board_invariants(board))


def invariants(holes: int, jumps: Iterable[Word]) -> list[Word]:
    """A basis of the words with an even number of bits in common with every jump, each a set of holes."""
    pivots: dict[int, Word] = {}
    for jump in jumps:
        # No row has the pivot of another, so the rows may be taken out of a jump in any order.
        for hole, row in pivots.items():
            if jump >> hole & 1:
                jump ^= row
        if jump:
            hole = jump.bit_length() - 1
            pivots = {h: row ^ jump if row >> hole & 1 else row for h, row in pivots.items()} | {hole: jump}
    others = [hole for hole in range(holes) if hole not in pivots]
    # One free hole, and each pivot whose row has it: so every row is met in two holes or in none.
    return [1 << free | sum(1 << h for h, row in pivots.items() if row >> free & 1) for free in others]


def solve_for(rows: Sequence[Word], holes: Iterable[int]) -> tuple[dict[int, Word], list[Word]]:
    """Solve the equations for as many of the holes as can be.

    Returns for each hole solved for its row, the only one that has it; and the rows that are left, which have none of
    ``holes``.
    """
    solved: dict[int, Word] = {}
    left = list(rows)
    for hole in holes:
        row = next((row for row in left if row >> hole & 1), None)
        if row is None:
            continue
        # Rows are a basis, so no other one is equal to this one, and none of them becomes 0.
        left = [other ^ row if other >> hole & 1 else other for other in left if other != row]
        solved = {h: other ^ row if other >> hole & 1 else other for h, other in solved.items()} | {hole: row}
    return solved, left


def parity(word: Word) -> int:
    """Return whether a word has an odd number of bits."""
    return word.bit_count() & 1
