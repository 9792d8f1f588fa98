"""Peg solitaire on any board of up to 64 holes.

``board`` has the boards and what follows from their geometry, and the parities that no jump changes; ``tables`` what
the kernels look up. ``moves`` makes all moves from many positions, :mod:`boardspace_kernels.runs` holds sets of
positions, ``search`` puts both together and meets in the middle, which answers one problem, ``solutions`` counts what
is found and ``certificate`` checks it without any of them. ``levels`` is the space by single jumps, ``classes`` the
same as bitmaps, ``feasible`` the source's own bound, ``games`` the number of games, ``sequences`` that of games of a
given length, and ``play`` problems, single positions and the notation.
"""
