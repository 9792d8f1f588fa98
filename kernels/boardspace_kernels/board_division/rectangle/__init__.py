"""Rectangles of pegs on an unbounded board: ``value`` is the fewest that can be left and its bound, ``jumps`` the
construction that leaves them, ``reach`` and ``search`` the exhaustive search that confirms it.
"""
