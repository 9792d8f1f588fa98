"""Structure of optimal placements: their orbits under the board's symmetries, and how far they are from a pattern.

The plane can be blocked with the least density of stones by a pattern that repeats: for k = 2 stones where x or y is
odd, for k = 3 where x + 2 y leaves 0 or 1 modulo 4, for k = 5 and 7 the stones of a best cell. On a board the edges
bend it. A placement's *defects* are the cells in which it differs from the nearest window of such a pattern, over all
shifts, reflections and quarter turns.

Two placements are alike when a reflection, or an exchange of equal sides, takes one to the other. By the lemma that
is not Burnside's (Cauchy, Frobenius), the number of classes is the mean, over the symmetries, of the number of
placements that the symmetry leaves as they are.
"""

import itertools

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import Board, BoardError, Ints

Placements = npt.NDArray[np.bool_]

TILES: dict[int, tuple[str, ...]] = {
    2: (".#", "##"),
    3: ("##..", "..##"),
    5: ("#....", "..#..", "....#", ".#...", "...#."),
    7: ("#......", "..#....", "....#..", "......#", ".#.....", "...#...", ".....#."),
}
"""By k, the pattern that repeats: # a stone, . a free cell."""


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
    flat = placements.reshape(len(placements), board.cells)
    images = np.concatenate([np.packbits(flat[:, image], axis=1) for image in board.symmetries])
    different, number = np.unique(images, axis=0, return_inverse=True)
    if len(different) != len(placements):
        raise BoardError(f"{len(placements)} placements of {board} are no set that its symmetries keep as it is")
    _, counts = np.unique(number.reshape(len(board.symmetries), -1).min(axis=0), return_counts=True)
    sizes, orbits = np.unique(counts, return_counts=True)
    return dict(zip(sizes.tolist(), orbits.tolist(), strict=True))


def fixed_by(board: Board, placements: Placements) -> Ints:
    """(G,): how many of the placements (n, *shape) each symmetry of the board leaves as they are."""
    flat = placements.reshape(len(placements), board.cells)
    return np.array([(flat[:, image] == flat).all(axis=1).sum() for image in board.symmetries], dtype=np.int64)


def count_classes(board: Board, placements: Placements) -> int:
    """Number of classes of all optimal placements (n, *shape), a set closed under the symmetries.

    Raises:
        BoardError: the mean is no whole number, so the set is not closed.
    """
    number, rest = divmod(int(fixed_by(board, placements).sum()), len(board.symmetries))
    if rest:
        raise BoardError(f"{len(placements)} placements of {board} are no set that its symmetries keep as it is")
    return number
