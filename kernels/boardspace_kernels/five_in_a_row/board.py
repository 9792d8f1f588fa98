"""Boards of any dimension, their lines and symmetries, and the structure of optimal placements.

A board is a box of cells, ``shape`` = (N, M) for N rows and M columns, or (A, B, C) and so on. A *line* is k cells
next to one another along a direction of {-1, 0, 1}^d, taken up to sign: 4 directions in the plane, 13 in space. A
placement of stones *blocks* the board when every line holds a stone; X(board, k) is the fewest stones that do.

Cells are numbered in C order, so the last axis runs fastest. A direction is written with its first non-zero component
positive, so the cells of a line ascend. Everything here is a table computed once per board with NumPy.

How many states a search meets cannot be known beforehand; where the dual bound has a gap it grows by a factor of 1.5
(k = 2) to 8 (k = 4) with every column. The widest boards that :func:`refuse_out_of_reach` lets pass are measured: the
largest layers of squares were followed up to millions of states, and by that growth a wider square needs more than
4 GiB; for k = 3, 23 x 23 does, but 24 x 24 does not. For k = 5 and 7 the bound is all but exact, and boards of any
width are searched. A search within reach that outgrows its memory all the same ends with :class:`BoardTooLargeError`.

The plane can be blocked with the least density of stones by a pattern that repeats: for k = 2 stones where x or y is
odd, for k = 3 where x + 2 y leaves 0 or 1 modulo 4, for k = 5 and 7 the stones of a best cell. On a board the edges
bend it. A placement's *defects* are the cells in which it differs from the nearest window of such a pattern, over all
shifts, reflections and quarter turns. Two placements are alike when a reflection, or an exchange of equal sides, takes
one to the other.
"""

import itertools
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

MIN_K, MAX_K = 2, 16
MAX_CELLS = 1 << 16
MAX_DIMENSION = 4

WITHOUT_GAP = (5, 7)
WIDEST = {2: 36, 3: 24, 4: 15, 6: 16}
"""By k the largest shorter side of a rectangle; for k from 8 on it is k + BEYOND_K."""
BEYOND_K = 7

Placements = npt.NDArray[np.bool_]

TILES: dict[int, tuple[str, ...]] = {
    2: (".#", "##"),
    3: ("##..", "..##"),
    5: ("#....", "..#..", "....#", ".#...", "...#."),
    7: ("#......", "..#....", "....#..", "......#", ".#.....", "...#...", ".....#."),
}
"""By k, the pattern that repeats: # a stone, . a free cell."""


class BoardError(ValueError):
    """A board, a placement or a parameter that makes no sense."""


class BoardTooLargeError(BoardError):
    """A board whose search would not fit the memory it was given."""


class PartTooLargeError(BoardTooLargeError):
    """A part of a search that would not fit its memory, and that took more than one state, so that it can be cut."""


@dataclass(frozen=True)
class Board:
    """A box of cells and the length k of the lines to block."""

    shape: tuple[int, ...]
    k: int

    def __post_init__(self) -> None:
        """Refuses what is not a board.

        Raises:
            BoardError: a side below 1, no axis or more than 4, too many cells, or k outside 2..16.
        """
        if not 1 <= len(self.shape) <= MAX_DIMENSION:
            raise BoardError(f"a board has 1 to {MAX_DIMENSION} sides, not {len(self.shape)}")
        if min(self.shape) < 1:
            raise BoardError(f"every side of a board is at least 1; got {self}")
        if self.cells > MAX_CELLS:
            raise BoardError(f"{self} has {self.cells} cells; the search takes boards of at most {MAX_CELLS}")
        if not MIN_K <= self.k <= MAX_K:
            raise BoardError(f"k is {MIN_K} to {MAX_K}; got {self.k}")

    def __str__(self) -> str:
        return f"board {' x '.join(map(str, self.shape))}, k = {self.k}"

    @property
    def cells(self) -> int:
        """Number of cells."""
        return prod(self.shape)

    @cached_property
    def directions(self) -> Ints:
        """(D, d): one vector for each pair of opposite directions, first non-zero component +1."""
        vectors = itertools.product((0, 1, -1), repeat=len(self.shape))
        return np.array([v for v in vectors if next((c for c in v if c), 0) == 1], dtype=np.int64)

    @cached_property
    def steps(self) -> Ints:
        """(D,): by how much the number of a cell grows one step along each direction."""
        strides = np.array([prod(self.shape[axis + 1 :]) for axis in range(len(self.shape))], dtype=np.int64)
        return self.directions @ strides

    @cached_property
    def coordinates(self) -> Ints:
        """(cells, d): the coordinates of every cell."""
        return np.stack(np.unravel_index(np.arange(self.cells), self.shape), axis=-1).astype(np.int64)

    @cached_property
    def before(self) -> Ints:
        """(cells, D): how many cells lie behind a cell along a direction, to the board's edge."""
        return self._cells_to_edge(-1)

    @cached_property
    def after(self) -> Ints:
        """(cells, D): how many cells lie ahead of a cell along a direction, to the board's edge."""
        return self._cells_to_edge(+1)

    def _cells_to_edge(self, sign: int) -> Ints:
        heading = sign * self.directions[None, :, :]
        low = self.coordinates[:, None, :]
        high = np.array(self.shape) - 1 - low
        # An axis that the heading does not move along sets no limit, so it counts as far away.
        cells = np.where(heading > 0, high, np.where(heading < 0, low, self.cells))
        return cells.min(axis=-1)

    @cached_property
    def line_at(self) -> Ints:
        """(cells, D): number of the line that starts at a cell along a direction, -1 where none fits."""
        # Transposed, so that the running sum numbers the lines by direction first.
        starts = (self.after >= self.k - 1).T
        numbers = np.where(starts, np.cumsum(starts).reshape(starts.shape) - 1, -1)
        return numbers.T.copy()

    @cached_property
    def lines(self) -> Ints:
        """(L, k): the cells of every line, ascending; lines are ordered by direction, then by first cell."""
        directions, first = np.nonzero(self.line_at.T >= 0)
        return first[:, None] + self.steps[directions][:, None] * np.arange(self.k)

    @cached_property
    def symmetries(self) -> Ints:
        """(G, cells): for each symmetry of the box, where every cell goes; the identity is first.

        They are the reflections of the axes with the exchanges of equal sides: 4 for a rectangle, 8 for a square.
        """
        cells = np.arange(self.cells).reshape(self.shape)
        axes = range(len(self.shape))
        images = []
        for order in itertools.permutations(axes):
            if any(self.shape[a] != self.shape[b] for a, b in zip(axes, order, strict=True)):
                continue
            for flipped in itertools.chain.from_iterable(itertools.combinations(axes, n) for n in range(len(axes) + 1)):
                images.append(np.flip(cells.transpose(order), flipped).ravel())
        return _distinct(images)

    @cached_property
    def swept(self) -> tuple["Board", Ints]:
        """This board with its sides in descending order, and (cells,) which cell of this board each of its cells is.

        The search sweeps a board along its longest side, so that the frontier between done and undone is short.
        """
        order = sorted(range(len(self.shape)), key=lambda axis: -self.shape[axis])
        cells = np.arange(self.cells).reshape(self.shape).transpose(order).ravel()
        return Board(tuple(self.shape[axis] for axis in order), self.k), cells


def _distinct(images: list[Ints]) -> Ints:
    """The different rows, in order of first appearance (a side of length 1 makes some reflections equal)."""
    unique = {image.tobytes(): image for image in images}
    return np.array(list(unique.values()), dtype=np.int64)


def load(board: Board, weights: Ints) -> Ints:
    """(cells,) int64: the total weight of the lines through each cell, for ``weights`` (L,) int64. Exact."""
    total = np.zeros(board.cells, dtype=np.int64)
    np.add.at(total, board.lines.ravel(), np.repeat(weights, board.k))
    return total


def unblocked(board: Board, stones: npt.NDArray[np.bool_]) -> Ints:
    """(n,): the numbers of the lines without a stone, for ``stones`` (cells,) or board-shaped bool."""
    return np.flatnonzero(~stones.ravel()[board.lines].any(axis=1)) if len(board.lines) else np.empty(0, dtype=np.int64)


def refuse_out_of_reach(board: Board) -> None:
    """Refuse a rectangle that is too wide to be searched.

    Raises:
        BoardTooLargeError: its shorter side is above the limit for its k.
    """
    widest = WIDEST.get(board.k, board.k + BEYOND_K)
    if board.k not in WITHOUT_GAP and len(board.shape) == 2 and min(board.shape) > widest:
        raise BoardTooLargeError(
            f"{board}: a search reaches boards whose shorter side is at most {widest} for k = {board.k}; wider ones "
            "have more states than memory holds"
        )


def windows(board: Board) -> Placements:
    """(P, rows, columns): all different windows of the pattern of a rectangle's k.

    Raises:
        BoardError: the board is no rectangle, or there is no pattern for its k.
    """
    if board.k not in TILES or len(board.shape) != 2:
        known = ", ".join(map(str, TILES))
        raise BoardError(f"{board}: patterns that repeat are known for rectangles and k = {known}")
    tile = np.array([[mark == "#" for mark in row] for row in TILES[board.k]])
    images = [np.rot90(one, turns) for one in (tile, tile[::-1]) for turns in range(4)]
    found = []
    for image in images:
        height, width = image.shape
        y, x = (np.arange(side) for side in board.shape)
        for down, right in itertools.product(range(height), range(width)):
            found.append(image[np.ix_((y + down) % height, (x + right) % width)])
    return np.unique(np.array(found), axis=0)


def defects(board: Board, placements: Placements) -> npt.NDArray[np.int64]:
    """(n,): the defects of placements (n, rows, columns)."""
    least = np.full(len(placements), board.cells, dtype=np.int64)
    for window in windows(board):
        least = np.minimum(least, (placements != window).sum(axis=(1, 2)))
    return least


def orbit_sizes(board: Board, placements: Placements) -> dict[int, int]:
    """Number of orbits of each size, among placements (n, *shape) that are closed under the symmetries.

    Raises:
        BoardError: they are not closed.
    """
    # Cells by placements: a symmetry then takes whole rows, and packed in bits these are the keys to sort by.
    cells = np.ascontiguousarray(placements.reshape(len(placements), board.cells).T)
    own = np.packbits(cells, axis=0)
    in_order = own[:, np.lexsort(own)]
    closed = bool((in_order[:, 1:] != in_order[:, :-1]).any(axis=0).all())
    kept = np.ones(len(placements), dtype=np.int64)
    for symmetry in board.symmetries[1:]:  # the first is the identity
        image = np.packbits(cells[symmetry], axis=0)
        kept += (image == own).all(axis=0)
        closed = closed and np.array_equal(image[:, np.lexsort(image)], in_order)
    if not closed:
        raise BoardError(f"{len(placements)} placements of {board} are no set that its symmetries keep as it is")
    # An orbit has as many placements as there are symmetries for each that keeps one of them as it is.
    sizes, members = np.unique(len(board.symmetries) // kept, return_counts=True)
    return dict(zip(sizes.tolist(), (members // sizes).tolist(), strict=True))


def count_classes(board: Board, placements: Placements) -> int:
    """Number of classes of all optimal placements (n, *shape), a set closed under the symmetries.

    Raises:
        BoardError: it is not closed.
    """
    return sum(orbit_sizes(board, placements).values())
