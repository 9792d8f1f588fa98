"""Placements of single boards, read from the array of all when they are asked for."""

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from boardspace.spaces.five_in_a_row.config import SizedBoard
from boardspace.spec.space import Inputs


def listed_placements(inputs: Inputs) -> Mapping[SizedBoard, npt.NDArray[np.uint8]]:
    """The packed placements (n, rows, bytes) of boards, read when they are asked for."""
    return _Listed(inputs)


class _Listed(Mapping[SizedBoard, "npt.NDArray[np.uint8]"]):
    def __init__(self, inputs: Inputs) -> None:
        rows = inputs.table("listed").to_pylist()
        self._rows = {SizedBoard(row["k"], row["rows"], row["columns"]): row for row in rows}
        self._array = inputs.array("placements") if rows else None

    def __getitem__(self, board: SizedBoard) -> npt.NDArray[np.uint8]:
        row = self._rows[board]
        shape = row["placements"], row["rows"], row["row_bytes"]
        first = row["first_byte"]
        found: npt.NDArray[np.uint8] = np.asarray(self._array[first : first + int(np.prod(shape))])  # type: ignore[index]
        return found.reshape(shape)

    def __iter__(self) -> Iterator[SizedBoard]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)
