"""A space whose tables and arrays have every shape a dataset may have: hive folders, keys of several columns, text,
lists, truth values, floats, nulls, a table without rows, a family of arrays of several dimensions."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from boardspace.spec.space import (
    Array,
    ArrayPart,
    Check,
    Column,
    Draw,
    Inputs,
    Measurement,
    Outcome,
    Output,
    Part,
    Shard,
    Space,
    SpaceConfig,
    Stage,
    Table,
)


class ShapesConfig(SpaceConfig):
    """The ``[shapes]`` section."""

    sides: tuple[int, ...] = (3, 4)


BOXES = Table(
    "boxes",
    "Rectangles; their | is a bar.",
    (
        Column("word", pa.string(), "A word with a ' in it."),
        Column("even", pa.bool_(), "Whether the side is even."),
        Column("root", pa.float64(), "Its root.", "cells"),
        Column("divisors", pa.list_(pa.uint16()), "Its divisors."),
        Column("half", pa.uint32(), "Half of an even side.", nullable=True),
    ),
    ("word",),
    folders=(Column("kind", pa.string(), "What it is."), Column("side", pa.uint8(), "The side.", "cells")),
    on_card=True,
)
NOTHING = Table("nothing", "No rows.", (Column("id", pa.uint64(), "An id."),), ("id",), folders=BOXES.folders)
SIDES = Table(
    "sides", "All sides, in one file.", (Column("side", pa.uint8(), "The side.", "cells"),), ("side",), one_file=True
)
GRIDS = Array("grids/{side}", "uint16", ("row", "column"), "row times column", "cells")


def shards(config: ShapesConfig, inputs: Inputs) -> list[Shard]:
    """One for each side, in its own hive folder."""
    return [Shard(f"kind=box/side={side:02}/0000", {"side": side}) for side in config.sides]


def compute(tables: tuple[Table, Table], config: ShapesConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Two rows, no row, and a grid."""
    side = params["side"]
    boxes = tables[0].from_columns(
        word=["it's", "плитка"],
        even=[side % 2 == 0] * 2,
        root=[side**0.5] * 2,
        divisors=[[n for n in range(1, side + 1) if side % n == 0], []],
        half=[None if side % 2 else side // 2] * 2,
    )
    grid = np.outer(np.arange(side), np.arange(side)).astype(np.uint16)
    part = ArrayPart(GRIDS, f"grids/{side}", (side, side), (2, 2), (4, 4), (0, 0), grid)
    return Output({"boxes": boxes, "nothing": tables[1].schema.empty_table()}, [part], {})


def list_sides(config: ShapesConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """A row for each side."""
    return Output({"sides": SIDES.from_columns(side=sorted(config.sides))})


def stages(config: ShapesConfig) -> Sequence[Stage]:
    """One for the boxes, and one for the sides."""
    return (
        Stage("boxes", "all boxes", partial(compute, (BOXES, NOTHING)), shards),
        Stage("sides", "all sides", list_sides, lambda config, inputs: [Shard("sides", {})]),
    )


def claims(config: ShapesConfig, inputs: Inputs) -> dict[str, Measurement]:
    """One statement, with a long value."""
    return {"long": Measurement(list(range(100)), "counted | twice")}


def check_divisors(config: ShapesConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The divisors of every number, counted again."""
    rows = inputs.read("boxes", "boxes").to_pylist()
    lists = [row["divisors"] for row in rows if row["divisors"]]
    wrong = [found for found in lists if any(found[-1] % n for n in found)]
    return Outcome(len(lists), len(rows), f"{wrong[0]} are no divisors" if wrong else "")


UNCHECKED = (
    *(
        f"{table.name}.{one.name}"
        for table in (BOXES, NOTHING, SIDES)
        for one in table.unfolded.columns
        if one.name != "divisors"
    ),
    GRIDS.name,
)
CHECKS = (Check("divisors", {"boxes": ("divisors",)}, "divided again", check_divisors),)


SPACE = Space(
    name="shapes",
    version=2,
    title="Shapes",
    doc="A space for tests.",
    config=ShapesConfig,
    parts=(
        Part(
            name="shapes",
            stages=stages,
            tables=(BOXES, NOTHING, SIDES),
            arrays=(GRIDS,),
            claims=claims,
            checks=CHECKS,
            unchecked=dict.fromkeys(UNCHECKED, "nothing but its shape is tried"),
        ),
    ),
    claims_file=Path(__file__).with_name("shapes_claims.toml"),
    warm_up=lambda: None,
)
