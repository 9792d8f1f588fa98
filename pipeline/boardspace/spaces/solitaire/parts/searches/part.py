"""Frontiers from both sides, the shortest solutions where they meet, and certificates that there are none shorter."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

import pyarrow as pa

from boardspace.spaces.solitaire.columns import (
    DRAW_POSITION,
    DRAW_SOLUTION,
    POSITION,
    PROBLEM,
    RULE,
    SOLUTION,
    one_shard,
    sizes,
    slug,
)
from boardspace.spaces.solitaire.config import Search, SolitaireConfig
from boardspace.spaces.solitaire.costs import with_costs
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Key, Made
from boardspace.spec.space import Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.searches import certificates, checks, claims, compute
else:
    certificates, checks, claims, compute = deferred(__package__, "certificates", "checks", "claims", "compute")

Direction = Literal["forward", "backward"]
DIRECTIONS: tuple[Direction, Direction] = ("forward", "backward")


def depth(search: Search, direction: Direction) -> int:
    """Number of layers after the root."""
    return search.forward if direction == "forward" else search.backward


def layer_stage(problem: str, direction: Direction, moves: int) -> str:
    """The stage that makes one layer."""
    return f"{slug(problem)}.{direction}.{moves:02}"


DIRECTION = Column(
    "direction",
    pa.string(),
    "Which way the moves were made.",
    codes=(("forward", "from the start"), ("backward", "moves taken back, from the goal")),
)

MOVES = Column("moves", pa.uint8(), "Number of whole moves from the start, or taken back from the goal.", "moves")

SEARCHED = Made(
    "searches",
    checks.make_search,
    folder="problem",
    folders=checks.seconds_by_problem,
    says="all moves of every position made by arrays, layer by layer from both ends; solutions where the layers meet",
)

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
    picture=DRAW_POSITION,
    rows=SEARCHED,
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
        *sizes("positions", "Orbits of positions after exactly k moves.", "Positions after exactly k moves."),
        *sizes("first", "Orbits that no fewer moves reach.", "Positions that no fewer moves reach."),
        Column("choices", pa.uint64(), "Moves possible from one position of each orbit.", "moves"),
        Column("labelled_choices", pa.uint64(), "Moves possible from all positions.", "moves"),
        Column("most_choices", pa.uint32(), "Most moves possible from one position.", "moves"),
        Column("longest_chain", pa.uint8(), "Most jumps in one move.", "jumps"),
    ),
    ("problem", "direction", "moves"),
    rows=SEARCHED,
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
    rows=SEARCHED,
)

SEQUENCES = Table(
    "sequences",
    "How many games of a given length there are: exact while all positions are held, then estimated from random games.",
    (
        PROBLEM.by(Key()),
        MOVES.by(Key()),
        Column("sequences", pa.float64(), "Number of sequences of that many moves from the start.", "sequences"),
        Column("standard_error", pa.float64(), "Standard error of the estimate; 0 where it is exact.", "sequences"),
    ),
    ("problem", "moves"),
    complete="sample",
    rows=Made(
        "lengths of games",
        checks.make_lengths,
        says="summed from the frontiers; estimated again by the same games, and by others within six standard errors",
    ),
)

SOLUTIONS = Table(
    "solutions",
    "All solutions with the fewest moves, up to the order of their moves and the symmetries of start and goal.",
    (PROBLEM, *SOLUTION),
    ("problem", "number"),
    picture=DRAW_SOLUTION,
    rows=SEARCHED,
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
    rows=SEARCHED,
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
    rows=SEARCHED,
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
    rows=SEARCHED,
)


def stages(config: SolitaireConfig) -> Sequence[Stage]:
    """The frontiers, the solutions and the certificate of each search."""
    return with_costs(
        stage for search in config.searches for kind in (frontier_stages, proof_stages) for stage in kind(search)
    )


def frontier_stages(search: Search) -> Iterator[Stage]:
    """A stage for each layer, the smaller numbers of moves first, and one that counts them all."""
    last: list[str] = []
    for direction in DIRECTIONS:
        for moves in range(depth(search, direction) + 1):
            name = layer_stage(search.problem, direction, moves)
            before = (layer_stage(search.problem, direction, moves - 1),) if moves else ()
            yield Stage(
                name,
                f"{search.problem}: positions {direction}, {moves} moves",
                compute.layer,
                partial(compute.cut, search, direction, moves),
                after=before,
            )
        last.append(name)
    yield Stage(
        f"{slug(search.problem)}.layers",
        f"{search.problem}: sizes of all layers",
        partial(compute.count_layers, search),
        partial(one_shard, search.problem),
        after=tuple(last),
    )
    if search.games > search.forward:
        yield Stage(
            f"{slug(search.problem)}.games",
            f"{search.problem}: how many games of up to {search.games} moves there are, about",
            partial(compute.count_games, search),
            partial(one_shard, search.problem),
            after=tuple(last[:1]),
        )


def proof_stages(search: Search) -> Iterator[Stage]:
    """Find all shortest solutions; check all moves from the layers, then everything else."""
    name = slug(search.problem)
    yield Stage(
        f"{name}.solutions",
        f"{search.problem}: all solutions with the fewest moves",
        partial(compute.solve, search),
        partial(one_shard, search.problem),
        after=(f"{name}.layers",),
    )
    yield Stage(
        f"{name}.proof",
        f"{search.problem}: all moves from the layers lead into the layers after, by another program",
        partial(certificates.prove, search),
        partial(certificates.cut, search),
        after=(f"{name}.solutions",),
    )
    yield Stage(
        f"{name}.certificate",
        f"{search.problem}: the layers do not meet: no solution has fewer moves",
        partial(certificates.certify, search),
        partial(one_shard, search.problem),
        after=(f"{name}.proof",),
    )


SEARCHES = Part(
    name="searches",
    scope="frontiers",
    stages=stages,
    tables=(FRONTIER, LAYERS, WAYS_TO_PLAY, SEQUENCES, SOLUTIONS, COUNTS, STEPS, CERTIFICATES, CHILDREN),
    claims=claims.measure,
    results=claims.results,
)
