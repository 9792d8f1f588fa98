"""Placements up to the symmetries of the board.

Two placements are alike when a reflection, or an exchange of equal sides, takes one to the other. By the lemma that
is not Burnside's (Cauchy, Frobenius), the number of classes is the mean, over the symmetries, of the number of
placements that the symmetry leaves as they are.
"""

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import Board, BoardError, Ints

Placements = npt.NDArray[np.bool_]


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
