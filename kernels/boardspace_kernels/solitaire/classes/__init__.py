"""Whole position classes of peg solitaire as bitmaps, one bit a position, swept in order of weight.

The board's parities tell which positions a start can lead to at all, and ``position_class`` in which order they can be
made and which position is which bit. ``order`` puts blocks of positions in order, ``steps`` are the jumps between
blocks, ``gather`` makes blocks from earlier ones, and so a whole class in memory. ``census`` counts, and ``layers`` and
``moves_left`` have least moves.
"""
