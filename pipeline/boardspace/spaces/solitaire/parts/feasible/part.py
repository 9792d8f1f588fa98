"""The source's own search: positions that a count of pegs on the goal's holes does not exclude, move by move."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from boardspace.spaces.solitaire.config import FeasibleSearch, SolitaireConfig
from boardspace.spaces.solitaire.costs import with_costs
from boardspace.spaces.solitaire.parts.feasible.names import move_stage, table_stage
from boardspace.spaces.solitaire.parts.feasible.tables import FEASIBLE, FEASIBLE_CHILDREN
from boardspace.spaces.solitaire.problems import one_shard
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.feasible import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")


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
        partial(one_shard, search.problem),
        after=(move_stage(search, search.moves),),
    )


COLUMNS = tuple(column.name for column in FEASIBLE.columns)

FEASIBLE_POSITIONS = Part(
    name="feasible",
    scope="feasible searches",
    stages=stages,
    tables=(FEASIBLE, FEASIBLE_CHILDREN),
    claims=claims.measure,
    checks=(
        Check(
            "first feasible moves",
            {"feasible": COLUMNS},
            "found again by arrays from the start, while there are up to 20,000 positions",
            checks.check_first_moves,
        ),
        Check(
            "feasible moves",
            {"feasible": COLUMNS},
            "made again by arrays from what the stages exchanged: whole up to 100,000 positions, else of a draw",
            checks.check_moves,
        ),
    ),
)
