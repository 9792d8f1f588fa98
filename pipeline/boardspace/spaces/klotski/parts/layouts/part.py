"""All layouts: codes, ids and names, the classes, and the groups that moves join."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import share_of_layouts
from boardspace.spaces.klotski.ids import cut_ids, one_shard
from boardspace.spaces.klotski.parts.layouts.cutting import cut_classes
from boardspace.spaces.klotski.parts.layouts.tables import (
    CLASS,
    CLASS_GROUPS,
    CLASSES,
    CODE,
    GROUP_INDEX,
    GROUP_NUM,
    GROUPS,
    MAIN,
)
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.klotski.parts.layouts import checks, claims, compute, enumeration, group_checks
else:
    names = ("checks", "claims", "compute", "enumeration", "group_checks")
    checks, claims, compute, enumeration, group_checks = deferred(__package__, *names)

SECONDS_PER_LAYOUT = 8.5e-7
MAIN_SECONDS = 20.0
"""Of all layouts."""


def stages(config: KlotskiConfig) -> Sequence[Stage]:
    """Return the classes, each on its own, then what is merged from them."""
    by_ids = partial(cut_ids, SECONDS_PER_LAYOUT)
    share = share_of_layouts(config.chosen)
    first, merged, groups = (round(share * size) for size in (970_000_000, 400_000_000, 230_000))
    after = ("classes",)
    return (
        Stage(
            "classes",
            "enumerate each class and its groups",
            enumeration.enumerate_class,
            cut_classes,
            bytes=first,
        ),
        Stage(
            "main",
            "all layouts in order of ids",
            compute.merge_main,
            by_ids,
            after=after,
            bytes=merged,
            seconds=share * MAIN_SECONDS,
        ),
        Stage(
            "summary", "all groups and classes", compute.summarise, one_shard, after=after, bytes=groups, seconds=0.5
        ),
    )


LAYOUTS = Part(
    name="layouts",
    scope="classes",
    stages=stages,
    tables=(MAIN, GROUPS, CLASSES, CLASS_GROUPS),
    arrays=(CODE, CLASS, GROUP_NUM, GROUP_INDEX),
    claims=claims.measure,
    checks=(
        Check(
            "layouts",
            {"main": ("layout_id", "code", "is_mirror", "jiang_num", "bing_num", "style_num")},
            "decoded, mirrored, and ranked by filling the board; of all rows items are counted by kind, and the "
            "layouts and mirror images of each class by filling",
            checks.check_layouts,
            checks.read_layouts,
        ),
        Check(
            "groups",
            {"main": ("group_num", "group_index"), "groups": tuple(column.name for column in GROUPS.columns)},
            "all rows counted anew from main and solution; classes of 200,000 layouts walked whole by unit moves, "
            "layouts of every class moved",
            group_checks.check_groups,
            group_checks.read_groups,
        ),
        Check(
            "classes",
            {"classes": tuple(column.name for column in CLASSES.columns)},
            "all rows made anew from the groups, sizes by filling the board",
            checks.check_classes,
        ),
        Check(
            "groups of the classes",
            {"class_groups": tuple(column.name for column in CLASS_GROUPS.columns)},
            "all rows compared with groups",
            checks.check_class_groups,
        ),
        Check(
            "arrays of layouts",
            {"code": (), "class": (), "group_num": (), "group_index": ()},
            "ranges of ids compared with main",
            checks.check_arrays,
        ),
    ),
)
