"""Placements of single boards, read from the array of all when they are asked for.

Most boards have a few hundred bytes, and a read of the array takes milliseconds, so blocks of it are read, of many
boards each, and the last ones are kept.
"""

import functools
from collections.abc import Iterator, Mapping
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from boardspace.spaces.five_in_a_row.config import SizedBoard
from boardspace.spaces.five_in_a_row.parts.placements.part import PACKED
from boardspace.spaces.five_in_a_row.proved import named
from boardspace.spec.space import Inputs

FACT = "packed"
"""The fact of a shard that names the boards whose placements it packed."""
BLOCK = 1 << 24
"""Bytes that are read at once."""


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
    """Boards and their placements (n, rows, columns), packed: rows of an intermediate, and facts."""
    bits = [np.packbits(placements, axis=2) for _, placements in found]
    table = PACKED.from_columns(
        k=[board.k for board, _ in found],
        rows=[board.rows for board, _ in found],
        columns=[board.columns for board, _ in found],
        bytes=[one.tobytes() for one in bits],
    )
    return table, [Packed(*board, one.shape[2], len(one)) for (board, _), one in zip(found, bits, strict=True)]


def listed_placements(inputs: Inputs) -> Mapping[SizedBoard, npt.NDArray[np.uint8]]:
    """The packed placements (n, rows, bytes) of boards, read when they are asked for; ValueError for those that are not
    in the array."""
    return _Listed(inputs)


class _Listed(Mapping[SizedBoard, "npt.NDArray[np.uint8]"]):
    def __init__(self, inputs: Inputs) -> None:
        rows = inputs.table("listed").to_pylist()
        self._rows = {SizedBoard(row["k"], row["rows"], row["columns"]): row for row in rows}
        self._end = int(inputs.array("placements").shape[0]) if rows else 0
        self._block = functools.lru_cache(maxsize=2)(functools.partial(_block, inputs))

    def __getitem__(self, board: SizedBoard) -> npt.NDArray[np.uint8]:
        row = self._rows[board]
        shape = row["placements"], row["rows"], row["row_bytes"]
        first, last = row["first_byte"], row["first_byte"] + prod(shape)
        if row["row_bytes"] != -(-board.columns // 8) or not first < last <= self._end:
            raise ValueError(f"{named(tuple(board))}: its placements are none of the array's {self._end} bytes")
        blocks = [(number * BLOCK, self._block(number)) for number in range(first // BLOCK, -(-last // BLOCK))]
        parts = [block[max(first - begin, 0) : last - begin] for begin, block in blocks]
        return np.concatenate([np.empty(0, np.uint8), *parts]).reshape(shape)

    def __iter__(self) -> Iterator[SizedBoard]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def _block(inputs: Inputs, number: int) -> npt.NDArray[np.uint8]:
    """uint8 (bytes): a block of the array of all placements."""
    return np.asarray(inputs.array("placements")[number * BLOCK : (number + 1) * BLOCK])
