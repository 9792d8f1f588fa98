"""Placements packed into bytes, on their way from the shard that found them into the array of all."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from boardspace.spaces.five_in_a_row.config import SizedBoard
from boardspace.spaces.five_in_a_row.parts.placements.part import PACKED

FACT = "packed"
"""The fact of a shard that names the boards whose placements it packed."""


class Packed(NamedTuple):
    """A board whose placements a shard packed, as a fact and as a row of the table ``listed``.

    k, rows, columns: the board.
    row_bytes: bytes of one row.
    placements: how many there are.
    """

    k: int
    rows: int
    columns: int
    row_bytes: int
    placements: int

    @property
    def bytes(self) -> int:
        """Bytes of all its placements."""
        return self.placements * self.rows * self.row_bytes


def packed(found: list[tuple[SizedBoard, npt.NDArray[np.bool_]]]) -> tuple[pa.Table, list[Packed]]:
    """Boards and their placements (n, rows, columns), packed: rows for the exchange, and facts."""
    bits = [np.packbits(placements, axis=2) for _, placements in found]
    table = PACKED.from_columns(
        k=[board.k for board, _ in found],
        rows=[board.rows for board, _ in found],
        columns=[board.columns for board, _ in found],
        bytes=[one.tobytes() for one in bits],
    )
    return table, [Packed(*board, one.shape[2], len(one)) for (board, _), one in zip(found, bits, strict=True)]
