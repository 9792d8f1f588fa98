"""All layouts: codes, ids and names, the classes, and the groups that moves join.

A layout is a state of the closed set LAYOUTS: moves turn it into layouts of its own class. Each column says how its
values follow, by the second rules (:mod:`boardspace.spaces.klotski.rules`), and ``boardspace verify`` tries that at
every layout.
"""

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.klotski import columns
from boardspace.spaces.klotski.columns import cut_ids, shard_name
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_size, number_of_layouts, share_of_layouts
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.equations import Closed, Image, Joined, Key, Made, Most, Rank, Same, State, Total, Totals, Value
from boardspace.spec.space import Array, Column, Inputs, Part, Shard, Stage, Table, cut_range, one_shard

if TYPE_CHECKING:
    from boardspace.spaces.klotski import rules
    from boardspace.spaces.klotski.parts.layouts import claims, compute
else:
    claims, compute = deferred(__package__, "claims", "compute")
    (rules,) = deferred("boardspace.spaces.klotski", "rules")

LAYOUTS = Closed(
    "layouts",
    table="main",
    state="code",
    label=tuple(column.name for column in columns.CLASS),
    states=rules.Layouts,
    sizes=rules.sizes,
    keys=rules.ids,
    text=format_code,
    degrees=(("neighbours", "chain"), ("unit_neighbours", "unit")),
)
"""All layouts of the run's classes; other parts have tables of them, too."""

CODE_COLUMN = Column(
    "code", pa.uint64(), "Code of 36 bits: the block's cell, then 16 items of 2 bits.", equation=State()
)
MIRROR = Column(
    "is_mirror",
    pa.bool_(),
    "Whether the layout is its own left-right mirror image.",
    equation=Value(rules.is_mirror, "the mirror image of its pieces has the same cells"),
)

MAIN = Table(
    "main",
    "All layouts.",
    (
        columns.LAYOUT_ID.by(Key(rules.ranks)),
        CODE_COLUMN,
        MIRROR,
        *(column.by(Value(rules.class_of, "pieces of the decoded layout, counted")) for column in columns.CLASS),
        columns.GROUP_NUM.by(Joined()),
        columns.GROUP_INDEX.by(Rank("group_num")),
    ),
    ("layout_id",),
    lookup=("layout_id", "code"),
    picture=DeferredFunction("boardspace.spaces.klotski.layouts", "draw_layout"),
    rows=LAYOUTS,
)

HARDEST = Column(
    "hardest_code",
    pa.uint64(),
    "Smallest code of the layouts that need so many steps.",
    equation=Total("least", "code", where=Most("min_solution_step")),
)
BOARD = Column(
    "board",
    pa.string(),
    "This layout, row by row: A is the block, each other piece a letter of its own, . an empty cell.",
    equation=Value(rules.hardest_drawing, "hardest_code decoded, and its pieces drawn"),
    since=4,
)
GROUPS = Table(
    "groups",
    "Connected components: layouts that moves turn into one another.",
    (
        *(column.by(Key()) for column in (*columns.CLASS, columns.GROUP_NUM)),
        Column("group_size", pa.uint32(), "Number of layouts.", "layouts", equation=Total("count")),
        Column("seed_code", pa.uint64(), "Smallest code of the group.", equation=Total("least", "code")),
        Column(
            "exits",
            pa.uint32(),
            "Layouts whose block stands at the exit (feature S).",
            "layouts",
            equation=Total("count", where=rules.at_exit),
        ),
        Column(
            "solvable",
            pa.bool_(),
            "Whether the group has a layout of feature S.",
            equation=Total("any", where=rules.at_exit),
        ),
        Column(
            "hardest_step",
            pa.int16(),
            "Largest min_solution_step of the group, -1 where it has none.",
            "steps",
            equation=Total("greatest", "min_solution_step"),
        ),
        HARDEST,
        BOARD,
        Column(
            "mirror_group",
            pa.uint16(),
            "Group of the mirror images; the group itself where it is its own mirror.",
            equation=Image("seed_code", rules.mirror_codes, "group_num"),
        ),
    ),
    ("jiang_num", "bing_num", "style_num", "group_num"),
    picture=DeferredFunction("boardspace.spaces.klotski.layouts", "draw_hardest"),
    rows=Totals(LAYOUTS, (*LAYOUTS.label, "group_num")),
)

CLASSES = Table(
    "classes",
    "One row for each class of layouts that have the same pieces.",
    (
        *(column.by(Key()) for column in columns.CLASS),
        Column("layouts", pa.uint32(), "Number of layouts.", "layouts", equation=Total("sum", "group_size")),
        Column("groups", pa.uint16(), "Number of groups.", "groups", equation=Total("count")),
        Column(
            "largest_group", pa.uint32(), "Layouts of group 0.", "layouts", equation=Total("greatest", "group_size")
        ),
        Column(
            "solvable_layouts",
            pa.uint32(),
            "Layouts in groups that have a layout of feature S.",
            "layouts",
            equation=Total("sum", "group_size", where="solvable"),
        ),
        Column(
            "hardest_step",
            pa.int16(),
            "Largest min_solution_step of the class, -1 where it has none.",
            "steps",
            equation=Total("greatest", "hardest_step"),
        ),
        HARDEST.by(Total("least", "hardest_code", where=Most("hardest_step"))),
        BOARD,
    ),
    ("jiang_num", "bing_num", "style_num"),
    picture=DeferredFunction("boardspace.spaces.klotski.layouts", "draw_hardest"),
    rows=Totals("groups", LAYOUTS.label),
)

CLASS_GROUPS = Table(
    "class_groups",
    "The groups of one class.",
    tuple(column for column in GROUPS.columns if column != BOARD),
    GROUPS.key,
    published=False,
)

STARTS = Table(
    "starts",
    "Well-known starts, of all classes; layout_id leads to their rows in other tables.",
    (
        columns.LAYOUT_ID,
        Column("name", pa.string(), "Its name in Chinese."),
        Column("pinyin", pa.string(), "Its name in pinyin, without tones."),
        Column("code", pa.uint64(), "Its code."),
        *columns.CLASS,
        Column("board", pa.string(), "Its drawing, as in groups."),
        Column("origin", pa.string(), "Where it comes from."),
    ),
    ("layout_id",),
    on_card=True,
    complete="example",
    picture=DeferredFunction("boardspace.spaces.klotski.layouts", "draw_layout"),
    rows=Made(
        "well-known starts",
        rules.known_starts,
        says="the drawings of starts.toml read cell by cell, coded and counted by the second rules",
    ),
    since=4,
)

CODE = columns.by_id("main", CODE_COLUMN, "Code of the layout with this id.", LAYOUTS)
CLASS = Array(
    "class",
    "uint16",
    ("layout_id",),
    "Its class as a decimal number: 1000 jiang_num + 10 bing_num + style_num.",
    rows=LAYOUTS,
    equation=Same(rules.class_number),
)
GROUP_NUM = columns.by_id("main", columns.GROUP_NUM, "Number of its group in its class.", LAYOUTS)
GROUP_INDEX = columns.by_id("main", columns.GROUP_INDEX, "Its number in the group.", LAYOUTS)

MAIN_SECONDS = 20.0
"""Of all layouts."""

SECONDS_PER_LAYOUT = 1.5e-6
SECONDS_PER_ROW = 8.5e-7
SECONDS_PER_PAIR = 3e-11
"""Of layouts in a group whose solutions are counted."""


def cut_classes(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return one shard a class; the most expensive are those with the largest group to count."""
    shards = []
    for text in config.chosen:
        jiang, bing, style = map(int, text.split("-"))
        layouts = class_size(text)
        counted = layouts if layouts <= config.counted_group else 0  # most of a class is one group
        cost = layouts * SECONDS_PER_LAYOUT + counted**2 * SECONDS_PER_PAIR
        shards.append(Shard(shard_name(text), {"jiang": jiang, "bing": bing, "style": style}, cost))
    return shards


def cut_main(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Ranges of ids that tile all of them; a run of some classes has as many as their layouts fill."""
    if config.complete:
        return cut_ids(SECONDS_PER_ROW, config, inputs)
    size, share = number_of_layouts(), share_of_layouts(config.chosen)
    shards = max(1, ceil(share * size / config.ids_per_shard))
    params = {"size": size, "complete": False}
    return [
        Shard(f"{low:08}", {**params, "low": low, "high": high}, share * (high - low) * SECONDS_PER_ROW)
        for low, high in cut_range(0, size, ceil(size / shards))
    ]


def stages(config: KlotskiConfig) -> Sequence[Stage]:
    """Return the classes, each on its own, then what is merged from them."""
    share = share_of_layouts(config.chosen)
    first, merged, groups = (round(share * size) for size in (970_000_000, 400_000_000, 400_000))
    after = ("classes",)
    return (
        Stage("classes", "enumerate each class and its groups", compute.enumerate_class, cut_classes, bytes=first),
        Stage(
            "main",
            "all layouts in order of ids",
            compute.merge_main,
            cut_main,
            after=after,
            bytes=merged,
            seconds=share * MAIN_SECONDS,
        ),
        Stage(
            "summary",
            "groups, classes, known starts",
            compute.summarise,
            one_shard("all"),
            after=after,
            bytes=groups,
            seconds=1.5,
        ),
    )


ALL_LAYOUTS = Part(
    name="layouts",
    scope="classes",
    stages=stages,
    tables=(MAIN, GROUPS, CLASSES, STARTS, CLASS_GROUPS),
    arrays=(CODE, CLASS, GROUP_NUM, GROUP_INDEX),
    claims=claims.measure,
)
