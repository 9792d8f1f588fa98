"""The ``[sliding_blocks]`` section of a run."""

from pydantic import Field, model_validator

from boardspace.spaces.sliding_blocks.boards import MOST_CELLS, TraySize
from boardspace.spec.space import SpaceConfig

GROUP_CELLS = 16
"""Up to so many cells of a tray its groups are listed."""


class SlidingBlocksConfig(SpaceConfig):
    """Trays that are enumerated, and puzzles that are records."""

    trays: tuple[TraySize, ...] = Field(
        (TraySize(3, 3), TraySize(3, 4)),
        description="trays whose packings are all enumerated, each [rows, columns], up to 20 cells",
    )
    records_from: int = Field(
        40, ge=1, le=4000, description="corner puzzles of at least so many steps are listed in records"
    )

    @model_validator(mode="after")
    def _trays_can_be_done(self) -> "SlidingBlocksConfig":
        for rows, columns in self.trays:
            if rows < 1 or columns < 1:
                raise ValueError(f"trays: {rows} x {columns}; a tray has at least one row and one column")
            if rows * columns > MOST_CELLS:
                raise ValueError(
                    f"trays: {rows} x {columns} has {rows * columns} cells; up to {MOST_CELLS} can be enumerated. "
                    "5 x 5 has 3,117,469,335,485 packings, 450 times as many as 4 x 5: about a month of two cores, and "
                    "positions of 65 bits"
                )
        if len(set(self.trays)) < len(self.trays):
            raise ValueError("trays: one is there twice")
        return self
