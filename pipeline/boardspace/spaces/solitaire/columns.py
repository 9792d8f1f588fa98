"""Columns that several tables have."""

import pyarrow as pa

from boardspace.spec.space import Column

PROBLEM = Column("problem", pa.string(), "The problem, as BOARD-PROBLEM.")
POSITION = Column("position", pa.uint64(), "Pegs as bits: bit i is the i-th hole by number; canonical.")
PEGS = Column("pegs", pa.uint8(), "Pegs on the board.", "pegs")
BOARD = Column("board", pa.string(), "The board.")
VACANCY = Column("vacancy", pa.uint8(), "The hole that is empty at the start; all others have pegs.")
SURVIVOR = Column("survivor", pa.uint8(), "The hole with the last peg.")
RULE = (
    Column("ordered", pa.bool_(), "Whether the order of moves counts."),
    Column("mirror", pa.bool_(), "Whether solutions that a symmetry of the problem maps to each other count."),
    Column(
        "loop",
        pa.bool_(),
        "Whether moves with the same ends that take the same pegs count as different, such as those that go round a "
        "closed loop, or round one on their way, the one way or the other.",
    ),
)
"""What makes two solutions different, by one rule."""
SOLUTION = (
    Column("number", pa.uint32(), "From 1, in order of the moves."),
    Column("moves", pa.string(), "One order in which it can be played, in the source's notation."),
    Column("length", pa.uint8(), "Number of moves.", "moves"),
    Column("orders", pa.uint64(), "In how many orders its moves can be played.", "sequences"),
    Column("images", pa.uint8(), "How many different solutions the symmetries make of it.", "solutions"),
    Column(
        "sweeps", pa.uint32(), "Number of the solution where moves with the same ends that take the same pegs are one."
    ),
)
"""A listed solution."""
