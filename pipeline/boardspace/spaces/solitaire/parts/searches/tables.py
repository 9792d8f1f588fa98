"""Frontiers and their sizes, shortest solutions, certificates; what the stages of a frontier exchange."""

import pyarrow as pa

from boardspace.spaces.solitaire.columns import POSITION, PROBLEM, RULE, SOLUTION
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.space import Column, Table

DRAW_POSITION = DeferredFunction("boardspace.spaces.solitaire.drawn_rows", "draw_position")
DRAW_SOLUTION = DeferredFunction("boardspace.spaces.solitaire.drawn_rows", "draw_solution")

DIRECTION = Column(
    "direction",
    pa.string(),
    "Which way the moves were made.",
    codes=(("forward", "from the start"), ("backward", "moves taken back, from the goal")),
)

MOVES = Column("moves", pa.uint8(), "Number of whole moves from the start, or taken back from the goal.", "moves")

FRONTIER = Table(
    "frontier",
    "Positions after exactly k moves, one of each orbit under the symmetries of start and goal.",
    (
        POSITION,
        Column("first", pa.bool_(), "Whether no fewer moves lead here."),
        Column("ways", pa.uint64(), "Sequences of exactly k moves between here and the root.", "sequences"),
    ),
    ("position",),
    folders=(PROBLEM, DIRECTION, MOVES),
    draw=DRAW_POSITION,
)

CHILDREN = Table(
    "children",
    "Results of the moves from a part of a frontier, on their way to the next.",
    (POSITION, Column("ways", pa.uint64(), "Sequences of moves that lead here by way of that part.")),
    ("position",),
    published=False,
)

LAYERS = Table(
    "layers",
    "Sizes of the frontiers, with and without identifying isomorphic positions.",
    (
        PROBLEM,
        DIRECTION,
        MOVES,
        Column("positions", pa.uint64(), "Orbits of positions after exactly k moves.", "orbits"),
        Column("labelled_positions", pa.uint64(), "Positions after exactly k moves.", "positions"),
        Column("first", pa.uint64(), "Orbits that no fewer moves reach.", "orbits"),
        Column("labelled_first", pa.uint64(), "Positions that no fewer moves reach.", "positions"),
        Column("choices", pa.uint64(), "Moves possible from one position of each orbit.", "moves"),
        Column("labelled_choices", pa.uint64(), "Moves possible from all positions.", "moves"),
        Column("most_choices", pa.uint32(), "Most moves possible from one position.", "moves"),
        Column("longest_chain", pa.uint8(), "Most jumps in one move.", "jumps"),
    ),
    ("problem", "direction", "moves"),
)

WAYS_TO_PLAY = Table(
    "ways_to_play",
    "Games and positions of k moves from the start, with and without identifying isomorphic ones. For the Last Supper "
    "and 1 to 7 moves this is the source's Table 1, whose figures are lost.",
    (
        PROBLEM,
        Column("moves", pa.uint8(), "Number of moves k.", "moves"),
        Column("sequences", pa.uint64(), "Games of k moves.", "sequences"),
        Column("essential_sequences", pa.uint64(), "The same, where a game and its images are one.", "sequences"),
        Column("labelled_choices", pa.uint64(), "Moves that the k-th can be, from all positions before it.", "moves"),
        Column("choices", pa.uint64(), "The same, from one position of each orbit.", "moves"),
        Column("labelled_positions", pa.uint64(), "Positions after exactly k moves.", "positions"),
        Column("positions", pa.uint64(), "The same, where isomorphic ones are one.", "orbits"),
    ),
    ("problem", "moves"),
    on_card=True,
)

SEQUENCES = Table(
    "sequences",
    "How many games of a given length there are: exact while all positions are held, then estimated from random games.",
    (
        PROBLEM,
        MOVES,
        Column("sequences", pa.float64(), "Number of sequences of that many moves from the start.", "sequences"),
        Column("standard_error", pa.float64(), "Standard error of the estimate; 0 where it is exact.", "sequences"),
    ),
    ("problem", "moves"),
    complete="sample",
)

SOLUTIONS = Table(
    "solutions",
    "All solutions with the fewest moves, up to the order of their moves and the symmetries of start and goal.",
    (PROBLEM, *SOLUTION),
    ("problem", "number"),
    draw=DRAW_SOLUTION,
)

COUNTS = Table(
    "solution_counts",
    "Number of solutions with the fewest moves, by what is held to tell two solutions apart. Rule 1 is the source's: "
    "isomorphic solutions and those that differ only in the order of their moves are one, nothing else.",
    (
        PROBLEM,
        Column("rule", pa.uint8(), "From 1, the source's own rule first."),
        *RULE,
        Column("solutions", pa.uint64(), "Number of solutions.", "solutions"),
    ),
    ("problem", "rule"),
    on_card=True,
)

STEPS = Table(
    "solution_steps",
    "The graph of all solutions with the fewest moves: every labelled position on one, and the moves that stay on one.",
    (
        PROBLEM,
        Column("after", pa.uint8(), "Moves made before.", "moves"),
        Column("position", pa.uint64(), "Pegs as bits, bit i the i-th hole by number, as played (not canonical)."),
        Column("move", pa.string(), "The move in the source's notation."),
        Column("child", pa.uint64(), "The position it leads to."),
    ),
    ("problem", "after", "position", "move"),
)

CERTIFICATES = Table(
    "certificates",
    "Proofs that no solution has fewer moves; with the layers in `frontier` each can be checked again by anyone.",
    (
        PROBLEM,
        Column("moves", pa.uint8(), "Moves needed.", "moves"),
        Column("forward", pa.uint8(), "Forward layers 0 to this belong to the certificate."),
        Column("backward", pa.uint8(), "Backward layers 0 to this belong to it."),
        Column("document", pa.string(), "Cells, start, goal, symmetries and a game of that length, as JSON."),
        Column("positions", pa.uint64(), "Positions whose moves the independent checker made.", "positions"),
        Column("results", pa.uint64(), "Results of their moves it found in the next layer.", "positions"),
    ),
    ("problem",),
)
