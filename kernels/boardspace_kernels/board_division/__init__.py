"""Dividing a chessboard: L-tromino covers of 2^k x 2^k boards, and rectangles of pegs reduced to one or two.

``tromino``: covers, one cell of them, all of them counted. ``rectangle``: the formula, its bound, the jumps, the
exhaustive search on the unbounded board; ``jumps`` and ``replay`` are notation and referee, ``line`` one row.
"""
