"""The net of all layouts: the neighbours of each, the nets of the groups, and shortest paths."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import share_of_layouts
from boardspace.spaces.klotski.ids import cut_ids, one_shard
from boardspace.spaces.klotski.parts.net.cutting import cut_classes
from boardspace.spaces.klotski.parts.net.tables import (
    CLASS_NETS,
    DEGREES,
    GROUP_NETS,
    NEIGHBOUR_START,
    NEIGHBOURS,
    SOLUTION_PATHS,
)
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.klotski.parts.net import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")

SECONDS_PER_ID = 1e-7
STARTS_SECONDS, STEPS_SECONDS, SUMMARY_SECONDS = 3.0, 12.0, 0.5
"""Of all layouts, of the stages after the classes."""


def stages(config: KlotskiConfig) -> Sequence[Stage]:
    """Return the stages; none where the net is not asked for."""
    if not config.net:
        return ()
    classes, starts = "net_classes", "net_starts"
    by_ids = partial(cut_ids, SECONDS_PER_ID)
    share = share_of_layouts(config.chosen)
    rows, bounds, steps, groups = (round(share * size) for size in (2_200_000_000, 110_000_000, 195_000_000, 500_000))
    return (
        Stage(classes, "step graph of each class", compute.net_of_class, cut_classes, bytes=rows),
        Stage(
            starts,
            "where each layout's neighbours begin",
            compute.net_starts,
            by_ids,
            after=(classes,),
            bytes=bounds,
            seconds=share * STARTS_SECONDS,
        ),
        Stage(
            "net",
            "all neighbours",
            compute.neighbours,
            compute.cut_steps,
            after=(classes, starts),
            bytes=steps,
            seconds=share * STEPS_SECONDS,
        ),
        Stage(
            "net_summary",
            "nets of all groups",
            compute.collect,
            one_shard,
            after=(classes,),
            bytes=groups,
            seconds=SUMMARY_SECONDS,
        ),
    )


NET = Part(
    name="net",
    scope="classes with their net",
    stages=stages,
    tables=(GROUP_NETS, DEGREES, CLASS_NETS),
    arrays=(NEIGHBOUR_START, NEIGHBOURS, SOLUTION_PATHS),
    claims=claims.measure,
    checks=(
        Check(
            "nets",
            {
                "group_nets": tuple(column.name for column in GROUP_NETS.columns),
                "degrees": tuple(column.name for column in DEGREES.columns),
                "neighbour_start": (),
                "solution_paths": (),
            },
            "neighbours and paths of all layouts counted anew from the arrays; classes of 40,000 layouts walked whole "
            "for unit moves, cuts, bridges and paths",
            checks.check_nets,
        ),
        Check(
            "neighbours",
            {"neighbours": ()},
            "steps made by hand, ids counted by filling the board",
            checks.check_neighbours,
        ),
    ),
)
