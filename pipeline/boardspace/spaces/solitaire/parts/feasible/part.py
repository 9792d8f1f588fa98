"""The source's own search: positions that a count of pegs on the goal's holes does not exclude, move by move."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.solitaire.columns import POSITION, PROBLEM, one_shard, slug
from boardspace.spaces.solitaire.config import FeasibleSearch, SolitaireConfig
from boardspace.spaces.solitaire.costs import with_costs
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Key, Made
from boardspace.spec.space import Column, Inputs, Part, Shard, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.feasible import checks, compute
else:
    checks, compute = deferred(__package__, "checks", "compute")


def table_stage(search: FeasibleSearch) -> str:
    """The stage that has the table."""
    return f"{slug(search.problem)}.feasible-{search.moves:02}"


def move_stage(search: FeasibleSearch, move: int) -> str:
    """The stage that makes a move."""
    return f"{table_stage(search)}.{move:02}"


FEASIBLE = Table(
    "feasible",
    "Search through the positions that a count of pegs on goal holes does not exclude, move by move.",
    (
        PROBLEM.by(Key()),
        Column("length", pa.uint8(), "Moves in which the goal is to be reached.", "moves", equation=Key()),
        Column("move", pa.uint8(), "Number of the move, from 1.", equation=Key()),
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
    rows=Made(
        "feasible searches",
        checks.make_feasible,
        says="made again by arrays from the start, whole up to 100,000 positions, then of a draw of intermediates",
    ),
)

FEASIBLE_CHILDREN = Table(
    "feasible_children",
    "Feasible results of the moves from a part of the feasible positions, on their way to the next move.",
    (POSITION,),
    ("position",),
    published=False,
)


def cut_total(search: FeasibleSearch, config: SolitaireConfig, inputs: Inputs) -> list[Shard]:
    """A shard for the whole search; where its problem is searched for games of several lengths, their names differ."""
    (shard,) = one_shard(search.problem, config, inputs)
    several = [other.problem for other in config.feasible].count(search.problem) > 1
    return [replace(shard, name=f"{shard.name}-{search.moves:02}") if several else shard]


def stages(config: SolitaireConfig) -> Sequence[Stage]:
    """The stages of each search."""
    return with_costs(stage for search in config.feasible for stage in feasible_stages(search))


def feasible_stages(search: FeasibleSearch) -> Iterator[Stage]:
    """A stage for each move, and one that counts them all."""
    for move in range(1, search.moves + 1):
        yield Stage(
            move_stage(search, move),
            f"{search.problem}: feasible positions before move {move} of {search.moves}",
            partial(compute.make_move, search),
            partial(compute.cut, search, move),
            after=(move_stage(search, move - 1),) if move > 1 else (),
        )
    yield Stage(
        table_stage(search),
        f"{search.problem}: sizes of the search for games of {search.moves} moves",
        partial(compute.count_moves, search),
        partial(cut_total, search),
        after=(move_stage(search, search.moves),),
    )


FEASIBLE_POSITIONS = Part(
    name="feasible",
    scope="feasible searches",
    stages=stages,
    tables=(FEASIBLE, FEASIBLE_CHILDREN),
    claims=compute.measure_claims,
)
