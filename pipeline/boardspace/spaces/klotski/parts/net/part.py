"""The net of all layouts: the neighbours of each, the nets of the groups, and shortest paths."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.klotski import columns
from boardspace.spaces.klotski.columns import cut_ids, shard_name
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_size, labels_of, share_of_layouts
from boardspace.spaces.klotski.parts.layouts.part import LAYOUTS
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Again, Beside, Bounds, Classes, Is, Key, Most, Total, Totals, Ways
from boardspace.spec.space import Array, Column, Inputs, Part, Shard, Stage, Table, one_shard

if TYPE_CHECKING:
    from boardspace.spaces.klotski import rules
    from boardspace.spaces.klotski.parts.net import checks, compute
else:
    checks, compute = deferred(__package__, "checks", "compute")
    (rules,) = deferred("boardspace.spaces.klotski", "rules")


def with_net(config: KlotskiConfig) -> set[tuple[int, ...]]:
    """The classes whose net is asked for."""
    return labels_of(config.chosen) if config.net else set()


WITH_NET = Classes("layouts with their net", LAYOUTS, with_net)
CUT_AGAIN = Again(
    "cuts of nets",
    checks.find_cuts,
    states=40_000,
    why="what a group falls apart without is no fold over neighbours",
    says="groups of drawn classes, walked whole by another method",
)
GROUP_NETS = Table(
    "group_nets",
    "What the net of each group is like.",
    (
        *(column.by(Key()) for column in (*columns.CLASS, columns.GROUP_NUM)),
        Column(
            "step_pairs",
            pa.uint32(),
            "Pairs of layouts that are one step apart.",
            "pairs",
            equation=Total("half", "neighbours"),
        ),
        Column(
            "unit_pairs",
            pa.uint32(),
            "Pairs of layouts that are one unit move apart.",
            "pairs",
            equation=Total("half", "unit_neighbours"),
        ),
        Column(
            "least_degree",
            pa.uint8(),
            "Fewest neighbours of a layout.",
            "layouts",
            equation=Total("least", "neighbours"),
        ),
        Column(
            "most_degree",
            pa.uint8(),
            "Most neighbours of a layout.",
            "layouts",
            equation=Total("greatest", "neighbours"),
        ),
        Column(
            "dead_ends",
            pa.uint32(),
            "Layouts with one neighbour.",
            "layouts",
            equation=Total("count", where=Is("neighbours", 1)),
        ),
        Column(
            "cut_layouts",
            pa.uint32(),
            "Layouts without which the group would fall apart.",
            "layouts",
            equation=CUT_AGAIN,
        ),
        Column("bridges", pa.uint32(), "Pairs of neighbours that nothing else joins.", "pairs", equation=CUT_AGAIN),
        Column(
            "most_paths",
            pa.uint64(),
            "Largest number of shortest paths from a layout to its nearest solutions.",
            "paths",
            equation=Total("greatest", "solution_paths"),
        ),
        Column(
            "most_paths_code",
            pa.uint64(),
            "Smallest code of the layouts with so many; 0 where there is no path.",
            equation=Total("least", "code", where=Most("solution_paths", above=0)),
        ),
    ),
    ("jiang_num", "bing_num", "style_num", "group_num"),
    rows=Totals(WITH_NET, (*LAYOUTS.label, "group_num")),
)

DEGREES = Table(
    "degrees",
    "How many layouts have so many neighbours.",
    (
        Column("neighbours", pa.uint8(), "Number of neighbours.", "layouts", equation=Key()),
        Column("layouts", pa.uint32(), "Layouts with so many.", "layouts", equation=Total("count")),
    ),
    ("neighbours",),
    rows=Totals(WITH_NET, ("neighbours",)),
)

CLASS_NETS = Table("class_nets", "The nets of the groups of one class.", GROUP_NETS.columns, GROUP_NETS.key, False)

NEIGHBOUR_START = Array(
    "neighbour_start",
    "uint32",
    ("bound",),
    "Where the neighbours of the layout with this id begin in `neighbours`; they end where those of the next begin, so "
    "there is one entry more than layouts. A layout of a class that the run left out has none.",
    rows=WITH_NET,
    equation=Bounds("neighbours"),
)
NEIGHBOURS = Array(
    "neighbours",
    "int32",
    ("step",),
    "The layouts one step away, ascending, layout after layout: their ids less that of the layout.",
    rows=WITH_NET,
    equation=Beside(NEIGHBOUR_START.name, "chain"),
)
SOLUTION_PATHS = Array(
    "solution_paths",
    "uint64",
    ("layout_id",),
    "Number of shortest paths to its nearest solutions, 0 where it has none.",
    "paths",
    rows=WITH_NET,
    equation=Ways(rules.at_exit, "min_solution_step", "chain"),
)

SECONDS_PER_ID = 1e-7
STARTS_SECONDS, STEPS_SECONDS, SUMMARY_SECONDS = 3.0, 12.0, 0.5
STEPS_SHARD_SECONDS = 1.0
"""Of all layouts, of the stages after the classes."""

SECONDS_PER_LAYOUT = 2e-6


def cut_classes(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return one shard a class."""
    return [Shard(shard_name(name), {"class": name}, class_size(name) * SECONDS_PER_LAYOUT) for name in config.chosen]


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
            longest=STEPS_SHARD_SECONDS,
        ),
        Stage(
            "net_summary",
            "nets of all groups",
            compute.collect,
            one_shard("all"),
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
    claims=compute.measure_claims,
)
