"""Puts the placements that the boards' shards packed into one array, board after board.

An array of its own for every board would be two files each, a thousand boards and a few kilobytes apart.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.placements.packed import FACT, Packed
from boardspace.spaces.five_in_a_row.parts.placements.part import LISTED, PLACEMENTS
from boardspace.spec.space import ArrayPart, Inputs, Output, Shard, cut_range

STAGES = ("boards", "carried")
CHUNK = 16_384
SHARD = 1 << 24


class Extent(NamedTuple):
    """A board's part of the array: its first byte, and the stage and shard that packed it."""

    board: Packed
    first_byte: int
    stage: str
    shard: str


def cut_placements(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """Ranges of bytes, a file of the array each; none where no board is listed."""
    extents = _extents(inputs)
    end = extents[-1].first_byte + extents[-1].board.bytes if extents else 0
    return [Shard(f"{low:012}", {"low": low, "high": high, "end": end}) for low, high in cut_range(0, end, SHARD)]


def list_placements(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """A range of the array; the first also has the table of boards."""
    low, high = params["low"], params["high"]
    extents = _extents(inputs)
    values = np.empty(high - low, np.uint8)
    for extent in extents:
        first, last = extent.first_byte, extent.first_byte + extent.board.bytes
        if first < high and last > low:
            content = np.frombuffer(_content(inputs, extent), np.uint8)
            values[max(first - low, 0) : last - low] = content[max(low - first, 0) : high - first]
    end = params["end"]
    file = min(SHARD, -(-end // CHUNK) * CHUNK)
    part = ArrayPart(PLACEMENTS, PLACEMENTS.name, (end,), (CHUNK,), (file,), (low,), values)
    rows = [{**extent.board._asdict(), "first_byte": extent.first_byte} for extent in extents]
    return Output({} if low else {"listed": LISTED.from_rows(rows)}, [part])


def _extents(inputs: Inputs) -> list[Extent]:
    """All listed boards, in order of k, rows and columns."""
    found = sorted(
        (Packed(*fact), stage, shard)
        for stage in STAGES
        for shard, facts in inputs.named_facts(stage).items()
        for fact in facts.get(FACT, ())
    )
    ends = np.cumsum([0, *(board.bytes for board, _, _ in found)]).tolist()
    return [Extent(board, first, stage, shard) for (board, stage, shard), first in zip(found, ends, strict=False)]


def _content(inputs: Inputs, extent: Extent) -> bytes:
    rows = inputs.read(extent.stage, "packed", shards=[extent.shard])
    wanted = extent.board[:3]
    found = next(row for row in rows.to_pylist() if (row["k"], row["rows"], row["columns"]) == wanted)
    content: bytes = found["bytes"]
    return content
