"""Numbers of games by their length, exactly; numbers that outgrow 64 bits are texts of decimal digits."""

import pyarrow as pa

from boardspace.spaces.solitaire.columns import POSITION, PROBLEM
from boardspace.spec.space import Column, Table

GAME_LENGTHS = Table(
    "game_lengths",
    "How many sequences of k moves there are from the start of a problem, wherever they lead; counted exactly.",
    (
        PROBLEM,
        Column("moves", pa.uint8(), "Number of moves k.", "moves"),
        Column("sequences", pa.string(), "Sequences of k moves, in decimal digits.", "sequences"),
        Column(
            "positions",
            pa.uint64(),
            "Orbits of positions after exactly k moves; null for the last two k, whose positions are not held.",
            "orbits",
            nullable=True,
        ),
    ),
    ("problem", "moves"),
    on_card=True,
)

NEXT_SEQUENCES = Table(
    "next_sequences",
    "Results of the moves from a part of a layer, with the sequences that lead to each, on their way to the next.",
    (POSITION, Column("ways", pa.uint64(), "Sequences of moves that lead here by way of that part.", "sequences")),
    ("position",),
    published=False,
)
