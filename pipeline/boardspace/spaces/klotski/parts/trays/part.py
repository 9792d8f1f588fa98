"""Trays, the puzzle on frames of other sizes; the text asks nothing about them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_sizes
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Made
from boardspace.spec.space import Column, Inputs, Output, Part, Shard, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.klotski.parts.trays import checks
    from boardspace_kernels.klotski import trays
else:
    (checks,) = deferred(__package__, "checks")
    (trays,) = deferred("boardspace_kernels.klotski", "trays")

METRICS = (("step", "steps"), ("straight_step", "steps"), ("unit_move", "moves"))

TRAYS = Table(
    "trays",
    "The puzzle on frames of other sizes: one 2 x 2 block, any dominoes and single pieces, two empty cells or more; "
    "the block leaves in the middle of the lower short side: on a frame of odd width, which has no such place, at "
    "either of the two nearest to it. No value where the tray was only counted.",
    (
        Column("columns", pa.uint8(), "Width of the frame.", "cells"),
        Column("rows", pa.uint8(), "Height of the frame, not less.", "cells"),
        Column("layouts", pa.uint64(), "Number of layouts.", "layouts"),
        Column("classes", pa.uint32(), "Kinds of layouts by dominoes, singles and lying dominoes."),
        Column("groups", pa.uint32(), "Number of groups.", "groups", nullable=True),
        Column("largest_group", pa.uint32(), "Layouts of the largest group.", "layouts", nullable=True),
        Column("solvable_layouts", pa.uint32(), "Layouts with a way to the exit.", "layouts", nullable=True),
        *(
            column
            for name, unit in METRICS
            for column in (
                Column(f"hardest_{name}", pa.int16(), f"The most {unit} that a layout needs.", unit, nullable=True),
                Column(
                    f"hardest_{name}_code",
                    pa.uint64(),
                    "Smallest code of the layouts that need so many: the block's cell, then an item of 2 bits for each "
                    "cell, as many as the frame has beside the block.",
                    nullable=True,
                ),
            )
        ),
    ),
    ("columns", "rows"),
    rows=Made(
        "trays",
        checks.make_trays,
        says="layouts and classes counted cell after cell; trays of up to 4,000,000 layouts enumerated and walked "
        "whole, the hardest layouts of larger ones with small groups solved by hand",
    ),
)

SECONDS_PER_LAYOUT = 4.4e-6


def cut_trays(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return one shard a frame."""
    return [
        Shard(f"{columns}x{rows}", {"columns": columns, "rows": rows}, _seconds(columns, rows, config.tray_layouts))
        for columns, rows in sorted(set(config.trays))
    ]


def _seconds(columns: int, rows: int, most: int) -> float:
    layouts = sum(class_sizes(columns, rows).values())
    return layouts * SECONDS_PER_LAYOUT if layouts <= most else 0.1


def survey(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Compute the row of one frame; one too large to enumerate is counted."""
    columns, rows = params["columns"], params["rows"]
    sizes = class_sizes(columns, rows)
    layouts = sum(sizes.values())
    row: dict[str, Any] = dict.fromkeys(TRAYS.schema.names)
    row |= {"columns": columns, "rows": rows, "layouts": layouts, "classes": len(sizes)}
    if layouts <= config.tray_layouts:
        row |= _searched(columns, rows, layouts)
    facts = {**params, "layouts": layouts, "searched": row["groups"] is not None}
    return Output({TRAYS.name: TRAYS.from_columns(**{name: [value] for name, value in row.items()})}, facts=facts)


def _searched(columns: int, rows: int, layouts: int) -> dict[str, int]:
    found = trays.survey_tray(trays.tray(columns, rows), layouts)
    row = {"groups": found.groups, "largest_group": found.largest_group, "solvable_layouts": found.solvable}
    for (name, _), hardest in zip(METRICS, (found.by_step, found.by_straight_step, found.by_unit_move), strict=True):
        row |= {f"hardest_{name}": hardest.moves, f"hardest_{name}_code": hardest.code}
    return row


def stages(config: KlotskiConfig) -> Sequence[Stage]:
    """Return the stage; none where no tray is asked for."""
    if not config.trays:
        return ()
    return (Stage("trays", "frames of other sizes", survey, cut_trays, bytes=10_000 * len(config.trays)),)


OTHER_TRAYS = Part(name="trays", scope="other trays", stages=stages, tables=(TRAYS,))
