"""Numbers of games, exactly; numbers that outgrow 64 bits are texts of decimal digits."""

import pyarrow as pa

from boardspace.spaces.solitaire.columns import BOARD, PEGS, POSITION, SURVIVOR, VACANCY
from boardspace.spec.space import Column, Table

GAMES = Table(
    "games",
    "How many games there are from a single vacancy. A game is a sequence of jumps until none is possible. "
    "There are as many sequences of moves, where the jumps of one peg in a row are one move, told apart by its way.",
    (
        BOARD,
        VACANCY,
        Column("games", pa.string(), "All games, exactly, in decimal digits.", "games"),
        Column("won", pa.string(), "Those that end with one peg, anywhere.", "games"),
        Column("won_in_vacancy", pa.string(), "Those that end with one peg in the hole that was empty.", "games"),
        Column("positions", pa.uint64(), "Positions that can be reached, up to symmetries of the start.", "orbits"),
    ),
    ("board", "vacancy"),
    on_card=True,
)

GAME_LEVELS = Table(
    "game_levels",
    "The games from a single vacancy by the number of pegs on the board.",
    (
        BOARD,
        VACANCY,
        PEGS,
        Column("positions", pa.uint64(), "Positions that can be reached, up to symmetries of the start.", "orbits"),
        Column("dead_ends", pa.uint64(), "Those without a jump.", "orbits"),
        Column("sequences", pa.string(), "Sequences of jumps that lead to so many pegs, exactly.", "sequences"),
        Column("ended", pa.string(), "Those that end a game, since no jump is possible.", "games"),
    ),
    ("board", "vacancy", "pegs"),
)

GAME_ENDS = Table(
    "game_ends",
    "The games from a single vacancy that end with one peg, by the hole that it is in.",
    (
        BOARD,
        VACANCY,
        SURVIVOR,
        Column("games", pa.string(), "Games that end there, exactly, in decimal digits.", "games"),
    ),
    ("board", "vacancy", "survivor"),
)

NEXT_WAYS = Table(
    "next_ways",
    "Results of the jumps from a part of a level, with the sequences that lead to each, on their way to the next.",
    (
        POSITION,
        Column("low", pa.uint64(), "The number of sequences by way of that part, modulo 2^64.", "sequences"),
        Column("high", pa.uint64(), "The rest of that number, over 2^64."),
    ),
    ("position",),
    published=False,
)
