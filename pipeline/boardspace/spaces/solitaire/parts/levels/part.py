"""Whole spaces by jumps: every position that can be reached, level by level, and those that can still win."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.costs import with_costs
from boardspace.spaces.solitaire.parts.levels.names import level_stage, winning_stage
from boardspace.spaces.solitaire.parts.levels.tables import LEVELS, NEXT_LEVEL, POSITIONS, WINNING
from boardspace.spaces.solitaire.problems import one_shard, slug
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.levels import checks, claims, compute, results
else:
    checks, claims, compute, results = deferred(__package__, "checks", "claims", "compute", "results")


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
    claims=claims.measure,
    checks=(
        Check(
            "levels",
            {
                "positions": ("problem", "pegs", "position", "moves", "choices", "orbit"),
                "winning": ("problem", "pegs", "position", "moves"),
                "levels": tuple(column.name for column in LEVELS.columns),
            },
            "jumps and moves of drawn positions by arrays, the fewest moves by the neighbours'; all sums again",
            checks.check_positions,
        ),
        Check(
            "exchanged levels",
            {"next_level": ("position", "moves", "live")},
            "joined over a range of each level, they are the level; live pegs by the jumps made by hand",
            checks.check_exchanged,
        ),
    ),
    results=results.results,
)
