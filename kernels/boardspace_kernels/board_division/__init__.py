"""Dividing a chessboard: L-tromino covers of 2^k x 2^k boards, and rectangles of pegs reduced to one or two.

Covers: ``covers`` numbers one cell and writes boards and blocks of them, ``cover_check`` trusts none, ``cover_counts``
counts all there are, by the missing cell or all at once, ``cover_strips`` those of strips. Pegs: ``fewest_pegs`` is
the fewest that can be left of a rectangle or a line, with its bound, ``rectangle_jumps`` the construction that leaves
them, ``rectangle_search`` the exhaustive search that confirms it; ``jumps`` is the notation with its referee.
"""
