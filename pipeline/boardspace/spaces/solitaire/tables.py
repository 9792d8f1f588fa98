"""Every table of the solitaire dataset."""

import pyarrow as pa

from boardspace.spec.space import Array, Column, Table

_PROBLEM = Column("problem", pa.string(), "The problem, as BOARD-PROBLEM.")
_DIRECTION = Column(
    "direction",
    pa.string(),
    "Which way the moves were made.",
    codes=(("forward", "from the start"), ("backward", "moves taken back, from the goal")),
)
_MOVES = Column("moves", pa.uint8(), "Number of whole moves from the start, or taken back from the goal.", "moves")
_TOLD_APART = (
    Column("order", pa.bool_(), "Whether the order of moves counts."),
    Column("mirror", pa.bool_(), "Whether solutions that a symmetry of the problem maps to each other count."),
    Column("loop", pa.bool_(), "Whether the way round a closed loop counts."),
)
_POSITION = Column("position", pa.uint64(), "Pegs as bits: bit i is the i-th hole by number; canonical.")

_PEGS = Column("pegs", pa.uint8(), "Pegs on the board.", "pegs")

FRONTIER = Table(
    "frontier",
    "Positions after exactly k moves, one of each orbit under the symmetries of start and goal.",
    (
        _POSITION,
        Column("first", pa.bool_(), "Whether no fewer moves lead here."),
        Column("ways", pa.uint64(), "Sequences of exactly k moves between here and the root.", "sequences"),
    ),
    ("position",),
    folders=(_PROBLEM, _DIRECTION, _MOVES),
)

LAYERS = Table(
    "layers",
    "Sizes of the frontiers, with and without identifying isomorphic positions.",
    (
        _PROBLEM,
        _DIRECTION,
        _MOVES,
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
        _PROBLEM,
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
        _PROBLEM,
        _MOVES,
        Column("sequences", pa.float64(), "Number of sequences of that many moves from the start.", "sequences"),
        Column("standard_error", pa.float64(), "Standard error of the estimate; 0 where it is exact.", "sequences"),
    ),
    ("problem", "moves"),
)

_LISTED = (
    Column("number", pa.uint32(), "From 1, in order of the moves."),
    Column("moves", pa.string(), "One order in which it can be played, in the source's notation."),
    Column("length", pa.uint8(), "Number of moves.", "moves"),
    Column("orders", pa.uint64(), "In how many orders its moves can be played.", "sequences"),
    Column("images", pa.uint8(), "How many different solutions the symmetries make of it.", "solutions"),
    Column("sweeps", pa.uint32(), "Number of the solution up to the direction of closed loops as well."),
)

SOLUTIONS = Table(
    "solutions",
    "All solutions with the fewest moves, up to the order of their moves and the symmetries of start and goal.",
    (_PROBLEM, *_LISTED),
    ("problem", "number"),
)

COUNTS = Table(
    "solution_counts",
    "Number of solutions with the fewest moves, by what is held to tell two solutions apart. Rule 1 is the source's: "
    "isomorphic solutions and those that differ only in the order of their moves are one, nothing else.",
    (
        _PROBLEM,
        Column("rule", pa.uint8(), "From 1, the source's own rule first."),
        *_TOLD_APART,
        Column("solutions", pa.uint64(), "Number of solutions.", "solutions"),
    ),
    ("problem", "rule"),
    on_card=True,
)

STEPS = Table(
    "solution_steps",
    "The graph of all solutions with the fewest moves: every labelled position on one, and the moves that stay on one.",
    (
        _PROBLEM,
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
        _PROBLEM,
        Column("moves", pa.uint8(), "Moves needed.", "moves"),
        Column("forward", pa.uint8(), "Forward layers 0 to this belong to the certificate."),
        Column("backward", pa.uint8(), "Backward layers 0 to this belong to it."),
        Column("document", pa.string(), "Cells, start, goal, symmetries and a game of that length, as JSON."),
        Column("positions", pa.uint64(), "Positions whose moves the independent checker made.", "positions"),
        Column("results", pa.uint64(), "Results of their moves it found in the next layer.", "positions"),
    ),
    ("problem",),
)

FEASIBLE = Table(
    "feasible",
    "Search through the positions that a count of pegs on goal holes does not exclude, move by move.",
    (
        _PROBLEM,
        Column("length", pa.uint8(), "Moves in which the goal is to be reached.", "moves"),
        Column("move", pa.uint8(), "Number of the move, from 1."),
        Column("positions", pa.uint64(), "Orbits of feasible positions before the move.", "orbits"),
        Column("variants", pa.uint64(), "Moves from them with feasible stops only.", "moves"),
        Column("most_variants", pa.uint32(), "Most moves of one position with feasible stops only.", "moves"),
        Column("most_choices", pa.uint32(), "Most moves of one position, whatever their stops.", "moves"),
        Column("longest_chain", pa.uint8(), "Most jumps in one move with feasible stops only.", "jumps"),
        Column("most_gain", pa.uint8(), "Most goal holes that one move, whatever its stops, fills more.", "holes"),
        Column("children", pa.uint64(), "Orbits of feasible positions after the move.", "orbits"),
        Column("goal", pa.bool_(), "Whether the goal is among these."),
    ),
    ("problem", "length", "move"),
)

POSITIONS = Table(
    "positions",
    "Every position that can be reached by jumps, one of each orbit, with the fewest moves to it.",
    (
        _POSITION,
        Column("moves", pa.uint8(), "Fewest whole moves from the start.", "moves"),
        Column("choices", pa.uint8(), "Jumps possible; 0 is a dead end.", "jumps"),
        Column("orbit", pa.uint8(), "Positions in its orbit.", "positions"),
    ),
    ("position",),
    folders=(_PROBLEM, _PEGS),
)

WINNING = Table(
    "winning",
    "Reachable positions from which the goal can be reached, with the least moves to it.",
    (_POSITION, Column("moves", pa.uint8(), "Fewest whole moves to the goal.", "moves")),
    ("position",),
    folders=POSITIONS.folders,
)

LEVELS = Table(
    "levels",
    "The whole space by number of pegs.",
    (
        _PROBLEM,
        _PEGS,
        Column("positions", pa.uint64(), "Orbits that can be reached.", "orbits"),
        Column("labelled_positions", pa.uint64(), "Positions that can be reached.", "positions"),
        Column("winning", pa.uint64(), "Orbits that can be reached and from which the goal can be.", "orbits"),
        Column("labelled_winning", pa.uint64(), "Positions that can be reached and from which it can be.", "positions"),
        Column("dead_ends", pa.uint64(), "Orbits without a jump.", "orbits"),
        Column("labelled_dead_ends", pa.uint64(), "Positions without a jump.", "positions"),
        Column("most_moves", pa.uint8(), "The largest of the fewest numbers of moves to a position.", "moves"),
    ),
    ("problem", "pegs"),
)

_BOARD = Column("board", pa.string(), "The board.")
_VACANCY = Column("vacancy", pa.uint8(), "The hole that is empty at the start; all others have pegs.")
_SURVIVOR = Column("survivor", pa.uint8(), "The hole with the last peg.")

CLASS_LEVELS = Table(
    "class_levels",
    "Whole position classes by number of pegs, counted on their bitmaps, or while these are made.",
    (
        _BOARD,
        _VACANCY,
        _PEGS,
        Column("positions", pa.uint64(), "Orbits that can be reached, under the symmetries of the start.", "orbits"),
        Column("labelled_positions", pa.uint64(), "Positions that can be reached.", "positions"),
        Column(
            "winning",
            pa.uint64(),
            "Those orbits from which one peg, anywhere, can be reached; none where that was not asked.",
            "orbits",
            nullable=True,
        ),
        Column(
            "labelled_winning",
            pa.uint64(),
            "Those positions from which one peg can be reached.",
            "positions",
            nullable=True,
        ),
        Column(
            "returning",
            pa.uint64(),
            "Those orbits from which one peg in the vacancy can be; none where no bitmaps were made, unless it is 0.",
            "orbits",
            nullable=True,
        ),
        Column(
            "labelled_returning",
            pa.uint64(),
            "Those positions from which one peg in it can be.",
            "positions",
            nullable=True,
        ),
        Column("dead_ends", pa.uint64(), "Those orbits without a jump.", "orbits"),
        Column("labelled_dead_ends", pa.uint64(), "Those positions without a jump.", "positions"),
    ),
    ("board", "vacancy", "pegs"),
)

PROBLEMS = Table(
    "problems",
    "Every problem from one vacancy to one survivor: whether it is solvable.",
    (
        _BOARD,
        _VACANCY,
        _SURVIVOR,
        Column("same_class", pa.bool_(), "Whether the parities that no jump changes allow it."),
        Column("solvable", pa.bool_(), "Whether jumps lead from the one to the other."),
        Column(
            "moves", pa.uint8(), "Least moves; none where it is unsolvable, or was not asked.", "moves", nullable=True
        ),
    ),
    ("board", "vacancy", "survivor"),
)

PROBLEM_SOLUTIONS = Table(
    "problem_solutions",
    "How many shortest solutions a problem has from one vacancy to one survivor, by what tells two of them apart.",
    (
        _BOARD,
        _VACANCY,
        _SURVIVOR,
        *_TOLD_APART,
        Column("moves", pa.uint8(), "Least moves.", "moves"),
        Column("solutions", pa.uint64(), "How many there are.", "solutions"),
    ),
    ("board", "vacancy", "survivor", "order", "mirror", "loop"),
)

CLASS_SOLUTIONS = Table(
    "class_solutions",
    "The shortest solutions of problems from one vacancy to one survivor, up to the order of their moves and the "
    "symmetries of start and goal; none of a problem that has over 100,000 up to order.",
    (_BOARD, _VACANCY, _SURVIVOR, *_LISTED),
    ("board", "vacancy", "survivor", "number"),
)

CLASS_MOVES = Table(
    "class_moves",
    "All positions that can be reached from a vacancy, by pegs and by the least moves to them.",
    (
        _BOARD,
        _VACANCY,
        _PEGS,
        Column("moves", pa.uint8(), "Least moves from the start.", "moves"),
        Column("positions", pa.uint64(), "Orbits, under the symmetries of the start.", "orbits"),
        Column("labelled_positions", pa.uint64(), "Positions.", "positions"),
    ),
    ("board", "vacancy", "pegs", "moves"),
)

HARDEST = Table(
    "hardest",
    "The positions that need the most moves from a vacancy, one of each orbit under the symmetries of the start.",
    (_BOARD, _VACANCY, _POSITION, Column("moves", pa.uint8(), "Least moves from the start.", "moves")),
    ("board", "vacancy", "position"),
)

HARDEST_PARTS = Table(
    "hardest_parts",
    "Positions of a part of a class that need the most moves of any so far, on their way to those of the whole class.",
    (_POSITION,),
    ("position",),
    published=False,
)

BITMAPS = Array(
    "classes/{board}-{vacancy}/{set}",
    "uint64",
    ("word",),
    "A set of positions of one class, a bit each, lowest bits first: `reachable` from the vacancy, or `winning`, those "
    "from which one peg can be reached. The number of a position has bit i set where the i-th of the class's holes has "
    "a peg; it is bit `number % 64` of word `number // 64`. Holes: see `class_holes`.",
)

MOVES_LEFT = Array(
    "classes/{board}-{vacancy}/{goal}_moves",
    "uint64",
    ("word",),
    "Least moves from every position that can be reached from the vacancy: `winning_moves` to one peg, anywhere, "
    "`returning_moves` to one peg in the vacancy. Each takes a byte, lowest first: those of a number, the bitmaps', "
    "are `word >> 8 * (number % 8) & 255` of word `number // 8`; 255 where the position cannot be reached, or no moves "
    "lead there. A move is one jump or more by one peg.",
    "moves",
)

CLASS_HOLES = Table(
    "class_holes",
    "Which hole is which bit of the number of a position of a class; the pegs of the other holes follow from these.",
    (
        _BOARD,
        Column("bit", pa.uint8(), "Bit of the number; bits without a row are 0."),
        Column("hole", pa.uint8(), "The hole."),
        Column("core", pa.bool_(), "Whether a jump can pass over it: it is a bit of the number of a block."),
    ),
    ("board", "bit"),
)

CHILDREN = Table(
    "children",
    "Results of the moves from a part of a frontier, on their way to the next.",
    (_POSITION, Column("ways", pa.uint64(), "Sequences of moves that lead here by way of that part.")),
    ("position",),
    published=False,
)

FEASIBLE_CHILDREN = Table(
    "feasible_children",
    "Feasible results of the moves from a part of the feasible positions, on their way to the next move.",
    (_POSITION,),
    ("position",),
    published=False,
)

NEXT_LEVEL = Table(
    "next_level",
    "Results of the jumps from a part of a level, on their way to the next.",
    (
        _POSITION,
        Column("moves", pa.uint8(), "Fewest moves by way of that part.", "moves"),
        Column("live", pa.uint64(), "Pegs that can have moved last in that many, as bits."),
    ),
    ("position",),
    published=False,
)

TABLES = (
    FRONTIER,
    LAYERS,
    WAYS_TO_PLAY,
    SEQUENCES,
    SOLUTIONS,
    COUNTS,
    STEPS,
    CERTIFICATES,
    FEASIBLE,
    POSITIONS,
    WINNING,
    LEVELS,
    CLASS_LEVELS,
    CLASS_MOVES,
    HARDEST,
    HARDEST_PARTS,
    CLASS_HOLES,
    PROBLEMS,
    PROBLEM_SOLUTIONS,
    CLASS_SOLUTIONS,
    CHILDREN,
    FEASIBLE_CHILDREN,
    NEXT_LEVEL,
)
