"""Stage ``placements``: what the boards' shards packed, board after board in one array, and where each board lies.

An array of its own for every board would be two files each, a thousand boards and a few kilobytes apart.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard
from boardspace.spaces.five_in_a_row.tables import LISTED, PACKED, PLACEMENTS
from boardspace.spec.space import ArrayPart, Inputs, Output, Shard, cut_range

STAGES = ("boards", "carried")
CHUNK = 16_384
SHARD = 1 << 24
FACT = "packed"


class Packed(NamedTuple):
    """A board whose placements a shard of a stage packed, as a fact and as a row of the table ``listed``."""

    k: int
    rows: int
    columns: int
    row_bytes: int
    placements: int

    @property
    def bytes(self) -> int:
        """Bytes of all its placements."""
        return self.placements * self.rows * self.row_bytes


class Place(NamedTuple):
    """Where a board lies in the array, and what wrote it."""

    board: Packed
    first_byte: int
    stage: str
    shard: str


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


def cut_placements(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """Ranges of bytes, a file of the array each; none where no board is listed."""
    places = _places(inputs)
    end = places[-1].first_byte + places[-1].board.bytes if places else 0
    return [Shard(f"{low:012}", {"low": low, "high": high, "end": end}) for low, high in cut_range(0, end, SHARD)]


def list_placements(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """A range of the array; the first also has the table of boards."""
    low, high = params["low"], params["high"]
    places = _places(inputs)
    values = np.empty(high - low, np.uint8)
    for place in places:
        first, last = place.first_byte, place.first_byte + place.board.bytes
        if first < high and last > low:
            content = np.frombuffer(_content(inputs, place), np.uint8)
            values[max(first - low, 0) : last - low] = content[max(low - first, 0) : high - first]
    end = params["end"]
    file = min(SHARD, -(-end // CHUNK) * CHUNK)
    part = ArrayPart(PLACEMENTS, PLACEMENTS.name, (end,), (CHUNK,), (file,), (low,), values)
    rows = [{**place.board._asdict(), "first_byte": place.first_byte} for place in places]
    return Output({} if low else {"listed": LISTED.from_rows(rows)}, [part])


def listed_placements(inputs: Inputs) -> Mapping[SizedBoard, npt.NDArray[np.uint8]]:
    """The packed placements (n, rows, bytes) of boards, read when they are asked for."""
    return _Listed(inputs)


class _Listed(Mapping[SizedBoard, "npt.NDArray[np.uint8]"]):
    def __init__(self, inputs: Inputs) -> None:
        rows = inputs.read("placements", "listed").to_pylist()
        self._rows = {SizedBoard(row["k"], row["rows"], row["columns"]): row for row in rows}
        self._array = inputs.array(PLACEMENTS.name) if rows else None

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


def _places(inputs: Inputs) -> list[Place]:
    """All listed boards, in order of k, rows and columns."""
    found = sorted(
        (Packed(*fact), stage, shard)
        for stage in STAGES
        for shard, facts in inputs.named_facts(stage).items()
        for fact in facts.get(FACT, ())
    )
    ends = np.cumsum([0, *(board.bytes for board, _, _ in found)]).tolist()
    return [Place(board, first, stage, shard) for (board, stage, shard), first in zip(found, ends, strict=False)]


def _content(inputs: Inputs, place: Place) -> bytes:
    rows = inputs.read(place.stage, "packed", shards=[place.shard])
    wanted = place.board[:3]
    found = next(row for row in rows.to_pylist() if (row["k"], row["rows"], row["columns"]) == wanted)
    content: bytes = found["bytes"]
    return content
