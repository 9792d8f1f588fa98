"""Dividing a chessboard: L-tromino covers of 2^k x 2^k boards, and rectangles of pegs reduced to one or two.

Trominoes: ``tromino_rule`` numbers one cell, ``tromino_cover`` writes boards and blocks of them, ``tromino_check``
trusts none, ``tromino_count`` counts all covers there are. Rectangles: ``rectangle_value`` is the formula and its
bound, ``rectangle_modules`` and ``rectangle_jumps`` the construction, ``replay`` the referee, ``rectangle_reach`` and
``rectangle_search`` the exhaustive search on the unbounded board, ``line`` the case of one row.
"""


def warm_up() -> None:
    """Compile every kernel of this room for the dtypes that runs use, on the smallest boards."""
    from boardspace.kernels.board_division import (
        rectangle_jumps,
        rectangle_search,
        replay,
        tromino_check,
        tromino_count,
        tromino_cover,
    )

    for k in (4, 9):
        tromino_check.owned_runs(tromino_cover.cover_block(k, 0, 0, 4, 0, 0), 16, 16)
    tromino_cover.covers(1, 0, 1)
    tromino_count.count_covers(2)
    replay.replay(5, 5, rectangle_jumps.reducing_jumps(5, 5))
    replay.replay(1, 2, rectangle_jumps.reducing_jumps(1, 2))
    rectangle_search.search_rectangle(1, 2)
