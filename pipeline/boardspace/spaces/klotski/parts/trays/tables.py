"""The table of other trays."""

import pyarrow as pa

from boardspace.spec.space import Column, Table

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
)
