"""Whole spaces by jumps, sharded: every number of pegs is one stage, every shard of it owns a key range.

On the way down a shard merges its range of what the level above wrote, publishes its positions, and writes the
results of the jumps from them. On the way up the winning positions of a level are those of its positions that a
jump leads from into a winning position of the level below: jumps are taken back from these, which are few. Their least
moves to the goal follow on the way by the same rule, with the roles of time exchanged: live are the pegs that can be
the first to move in so many.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from boardspace.engine.shuffle import column_of, key_shards, received, sample
from boardspace.spaces.solitaire.board_files import problem_params
from boardspace.spaces.solitaire.boards import problem_of
from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.levels.part import (
    LEVELS,
    NEXT_LEVEL,
    POSITIONS,
    WINNING,
    level_stage,
    winning_stage,
)
from boardspace.spaces.solitaire.source_solutions import CENTRAL, Measured, rows
from boardspace.spec.space import Inputs, Measurement, Output, Shard
from boardspace_kernels.runs import intersection
from boardspace_kernels.solitaire.levels import Level, check_size, first_level, merge_levels, step
from boardspace_kernels.solitaire.search import labelled

SECONDS_PER_ROW = 6e-7
LIVE = "live"


def peg_counts(problem: str, config: SolitaireConfig) -> tuple[int, int]:
    """Pegs at the start and at the goal of a problem."""
    built = problem_of(problem_params(problem, config.boards))
    return built.start.bit_count(), built.goal.bit_count()


def cut(problem: str, pegs: int, start: int, config: SolitaireConfig, inputs: Inputs) -> Sequence[Shard]:
    """Key ranges with about ``rows_per_shard`` rows of the level above's runs each."""
    params = {**problem_params(problem, config.boards), "pegs": pegs, "top": pegs == start}
    folder = f"problem={slug(problem)}/pegs={pegs:02}"
    above = level_stage(problem, pegs + 1) if pegs < start else None
    return key_shards(inputs, above, folder, params, config.rows_per_shard, SECONDS_PER_ROW)


def level(config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """One key range of one level, and the results of the jumps from it."""
    problem = problem_of(params)
    check_size(problem.board)
    if params["top"]:
        here = first_level(problem.start)
    else:
        above = level_stage(f"{params['board']}/{params['problem']}", params["pegs"] + 1)
        here = merge_levels([Level(*columns) for columns in received(inputs, above, NEXT_LEVEL, params)])
    below = step(problem, here)
    dead = below.choices == 0
    positions = POSITIONS.from_columns(
        position=here.positions, moves=here.moves, choices=below.choices, orbit=below.orbits
    )
    facts = {
        "positions": len(here.positions),
        "labelled_positions": int(below.orbits.sum(dtype=np.int64)),
        "dead_ends": int(dead.sum()),
        "labelled_dead_ends": int(below.orbits[dead].sum(dtype=np.int64)),
        "most_moves": int(here.moves.max(initial=0)),
        "run": sample(below.level.positions),
    }
    children = NEXT_LEVEL.from_columns(position=below.level.positions, moves=below.level.moves, live=below.level.live)
    return Output({"positions": positions, "next_level": children}, facts=facts)


def cut_winning(problem: str, pegs: int, goal: int, config: SolitaireConfig, inputs: Inputs) -> Sequence[Shard]:
    """One shard: winning positions are few."""
    params = {**problem_params(problem, config.boards), "pegs": pegs, "goal_level": pegs == goal}
    return [Shard(_winning_shard(problem, pegs), params)]


def _winning_shard(problem: str, pegs: int) -> str:
    return f"problem={slug(problem)}/pegs={pegs:02}/0000"


def winning(config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The reachable positions of one level from which the goal can be reached, with the least moves to it."""
    problem = problem_of(params)
    name, pegs = f"{params['board']}/{params['problem']}", params["pegs"]
    if params["goal_level"]:
        before = first_level(problem.goal)
    else:
        rows = inputs.read(winning_stage(name, pegs - 1), "winning")
        # A copy: the stored one is mapped and cannot be written, which to a kernel is another type.
        live = np.array(inputs.blob(winning_stage(name, pegs - 1), LIVE, _winning_shard(name, pegs - 1)))
        below = Level(column_of(rows, "position"), column_of(rows, "moves"), live)
        before = step(problem, below, back=True).level
    reachable = inputs.read(level_stage(name, pegs), "positions", columns=["position"])
    found = intersection(before.positions, column_of(reachable, "position"))
    kept = np.searchsorted(before.positions, found)
    return Output(
        {"winning": WINNING.from_columns(position=found, moves=before.moves[kept])},
        facts={"winning": len(found), "labelled_winning": labelled(problem.forward, found)},
        blobs={LIVE: before.live[kept]},
    )


def count_levels(start: int, goal: int, config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The row of each number of pegs that occurs."""
    name = f"{params['board']}/{params['problem']}"
    rows: list[dict[str, Any]] = []
    for pegs in range(1, start + 1):
        facts = inputs.facts(level_stage(name, pegs))
        won = inputs.facts(winning_stage(name, pegs)) if goal <= pegs <= start else []
        sizes = ("positions", "labelled_positions", "dead_ends", "labelled_dead_ends")
        row = {"problem": slug(name), "pegs": pegs, **{size: sum(f[size] for f in facts) for size in sizes}}
        row |= {size: sum(f[size] for f in won) for size in ("winning", "labelled_winning")}
        rows.append(row | {"most_moves": max((f["most_moves"] for f in facts), default=0)})
    rows = [row for row in rows if row["positions"]]
    return Output({"levels": LEVELS.from_rows(rows)})


def measure_claims(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """The levels of the central game, where the config has them."""
    return dict(_levels(inputs)) if CENTRAL in config.levels else {}


def _levels(inputs: Inputs) -> Measured:
    levels = rows(CENTRAL, "levels", inputs, "levels")[::-1]
    totals = {
        name: sum(row[name] for row in levels) for name in ("positions", "winning", "dead_ends", "labelled_winning")
    }
    evidence = (
        f"every level enumerated completely, {totals['positions']:,} positions; {totals['dead_ends']:,} dead ends"
    )
    yield "english-levels", Measurement([row["positions"] for row in levels], evidence)
    evidence = (
        f"jumps taken back from the goal, level by level; {totals['winning']:,} in all, {totals['labelled_winning']:,} "
        "without identifying isomorphic ones"
    )
    yield "english-winning", Measurement([row["winning"] for row in levels], evidence)
    evidence = "the sum of the orbits of all positions"
    yield "english-positions", Measurement(sum(row["labelled_positions"] for row in levels), evidence)


def results(config: SolitaireConfig, inputs: Inputs) -> Iterator[str]:
    """Numbers of positions that can be reached, of those that can win, and of dead ends."""
    for problem in config.levels:
        rows = inputs.read(f"{slug(problem)}.levels", "levels").to_pylist()
        names = ("positions", "labelled_positions", "winning", "dead_ends")
        found, labelled, winning, dead = (sum(row[name] for row in rows) for name in names)
        yield (
            f"{problem}: {labelled:,} positions can be reached, {found:,} up to symmetry; from {winning:,} of these "
            f"the goal can be reached, and {dead:,} are dead ends"
        )
