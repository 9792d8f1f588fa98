"""Reach of searches: boards that are refused before one starts.

How many states a search meets cannot be known beforehand; where the dual bound has a gap it grows by a factor of 1.5
(k = 2) to 8 (k = 4) with every column. The widths below are measured: the largest layers of squares were followed up
to millions of states, and by that growth a square wider than these needs more than 4 GiB; for k = 3, 23 x 23 does, but
24 x 24 does not. For k = 5 and 7 the bound is all but exact, and boards of any width are searched. A search within
reach that outgrows its memory all the same ends with :class:`BoardTooLargeError`.
"""

from boardspace_kernels.five_in_a_row.board import Board, BoardTooLargeError

WITHOUT_GAP = (5, 7)

WIDEST = {2: 36, 3: 24, 4: 15, 6: 16}
"""By k the largest shorter side of a rectangle; for k from 8 on it is k + BEYOND_K."""

BEYOND_K = 7


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
