"""Whole spaces by jumps: every position that can be reached, level by level, and those that can still win.

Every jump takes a peg away, so the positions of a problem are the ranked set POSITIONS, those that can still win one
within it. Each column says how its values follow, by the second rules (:mod:`boardspace.spaces.solitaire.numbering`),
and ``boardspace verify`` tries that at every position.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from boardspace.spaces.solitaire.columns import DRAW_POSITION, PEGS, POSITION, PROBLEM, one_shard, sizes, slug
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.costs import with_costs
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Is, Key, Orbit, Ranked, Step, Total, Totals, Value
from boardspace.spec.space import Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.solitaire import numbering
    from boardspace.spaces.solitaire.parts.levels import compute
else:
    (compute,) = deferred(__package__, "compute")
    (numbering,) = deferred("boardspace.spaces.solitaire", "numbering")


def level_stage(problem: str, pegs: int) -> str:
    """The stage that makes one level."""
    return f"{slug(problem)}.pegs.{pegs:02}"


def winning_stage(problem: str, pegs: int) -> str:
    """The stage that finds the winning positions of one level."""
    return f"{slug(problem)}.winning.{pegs:02}"


REACHED = Key(says="the start, and all that jumps lead to from a position: legal, and none is missing")
WINS = Key(says="the goal, and all reachable positions from which a jump leads to one: none is missing")
RANK = Value(attrgetter("rank"), "pegs of the position, counted")

ALL_POSITIONS = Ranked("position", numbering.problems_by_levels)
"""All positions of the run's problems; WINNING has a table within it."""

POSITIONS = Table(
    "positions",
    "Every position that can be reached by jumps, one of each orbit, with the fewest moves to it.",
    (
        POSITION.by(REACHED),
        Column(
            "moves",
            pa.uint8(),
            "Fewest whole moves from the start.",
            "moves",
            equation=Step(numbering.at_start, "jumps"),
        ),
        Column(
            "choices",
            pa.uint8(),
            "Jumps possible; 0 is a dead end.",
            "jumps",
            equation=Value(attrgetter("choices"), "jumps of the position, counted"),
        ),
        Column("orbit", pa.uint8(), "Positions in its orbit.", "positions", equation=Orbit()),
    ),
    ("position",),
    folders=(PROBLEM.by(REACHED), PEGS.by(RANK)),
    picture=DRAW_POSITION,
    rows=ALL_POSITIONS,
)

WINNING = Table(
    "winning",
    "Reachable positions from which the goal can be reached, with the least moves to it.",
    (
        POSITION.by(WINS),
        Column(
            "moves", pa.uint8(), "Fewest whole moves to the goal.", "moves", equation=Step(numbering.at_goal, "jumps")
        ),
    ),
    ("position",),
    folders=(PROBLEM.by(WINS), PEGS.by(RANK)),
    picture=DRAW_POSITION,
    rows=Ranked("position", numbering.problems_by_levels, back=True, within="positions"),
)


def _totals(columns: tuple[Column, Column], where: Any = None) -> tuple[Column, Column]:
    """The columns, summed up over positions, or over those of them that a column or a condition picks."""
    return columns[0].by(Total("count", where=where)), columns[1].by(Total("sum", "orbit", where=where))


LEVELS = Table(
    "levels",
    "The whole space by number of pegs.",
    (
        PROBLEM.by(Key()),
        PEGS.by(Key()),
        *_totals(sizes("positions", "Orbits that can be reached.", "Positions that can be reached.")),
        *_totals(
            sizes(
                "winning",
                "Orbits that can be reached and from which the goal can be.",
                "Positions that can be reached and from which it can be.",
            ),
            "winning",
        ),
        *_totals(sizes("dead_ends", "Orbits without a jump.", "Positions without a jump."), Is("choices", 0)),
        Column(
            "most_moves",
            pa.uint8(),
            "The largest of the fewest numbers of moves to a position.",
            "moves",
            equation=Total("greatest", "moves"),
        ),
    ),
    ("problem", "pegs"),
    rows=Totals(ALL_POSITIONS, ("problem", "pegs")),
)

NEXT_LEVEL = Table(
    "next_level",
    "Results of the jumps from a part of a level, on their way to the next.",
    (
        POSITION,
        Column("moves", pa.uint8(), "Fewest moves by way of that part.", "moves"),
        Column("live", pa.uint64(), "Pegs that can have moved last in that many, as bits."),
    ),
    ("position",),
    published=False,
)


def stages(config: SolitaireConfig) -> Sequence[Stage]:
    """The stages of each problem."""
    return with_costs(stage for problem in config.levels for stage in level_stages(problem, config))


def level_stages(problem: str, config: SolitaireConfig) -> Iterator[Stage]:
    """Levels from the start down, winning positions from the goal up, and the count of both."""
    start, goal = compute.peg_counts(problem, config)
    for pegs in range(start, 0, -1):
        yield Stage(
            level_stage(problem, pegs),
            f"{problem}: positions with {pegs} pegs",
            compute.level,
            partial(compute.cut, problem, pegs, start),
            after=(level_stage(problem, pegs + 1),) if pegs < start else (),
        )
    for pegs in range(goal, start + 1):
        yield Stage(
            winning_stage(problem, pegs),
            f"{problem}: winning positions with {pegs} pegs",
            compute.winning,
            partial(compute.cut_winning, problem, pegs, goal),
            after=(winning_stage(problem, pegs - 1) if pegs > goal else level_stage(problem, 1),),
            drops=True,
        )
    yield Stage(
        f"{slug(problem)}.levels",
        f"{problem}: sizes of all levels",
        partial(compute.count_levels, start, goal),
        partial(one_shard, problem),
        after=(winning_stage(problem, start) if goal <= start else level_stage(problem, 1),),
    )


LEVELS_BY_PEGS = Part(
    name="levels",
    scope="problems by pegs",
    stages=stages,
    tables=(POSITIONS, WINNING, LEVELS, NEXT_LEVEL),
    claims=compute.measure_claims,
    results=compute.results,
)
