"""Columns that several tables share, shards that are ranges of ids, and arrays that are addressed by ids."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import number_of_layouts
from boardspace.spec.equations import Rows, Same
from boardspace.spec.space import Array, ArrayPart, Column, Inputs, Shard, cut_range


def shard_name(name: str) -> str:
    """Turn the name of a class, such as 5-4-1, into a file name that sorts as classes do: 5-04-1."""
    jiang, bing, style = name.split("-")
    return f"{jiang}-{bing:>02}-{style}"


CHUNK = 1 << 11
"""Ids in a chunk. A reader of one layout fetches a chunk of each array; if chunks held twice as many ids, seven chunks
would be 25 kB and not 13, and all arrays 4 % smaller."""


def cut_ids(seconds_per_id: float, config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Ranges of ids; with all classes they tile them."""
    size = number_of_layouts()
    params = {"size": size, "complete": config.complete}
    return [
        Shard(f"{low:08}", {**params, "low": low, "high": high}, (high - low) * seconds_per_id)
        for low, high in cut_range(0, size, config.ids_per_shard)
    ]


def array_part(array: Array, values: NDArray[Any], params: Mapping[str, Any], config: KlotskiConfig) -> ArrayPart:
    """The values of a shard's range of ids as its part of an array."""
    shape, shards, start = (params["size"],), (config.ids_per_shard,), (params["low"],)
    return ArrayPart(array, array.name, shape, (CHUNK,), shards, start, values)


def by_id(table: str, column: Column, doc: str, rows: Rows) -> Array:
    """An array, addressed by ids, of the values that a column of a table of layouts has."""
    same = Same(f"{table}.{column.name}")
    return Array(column.name, str(column.type), ("layout_id",), doc, column.unit, rows=rows, equation=same)


LAYOUT_ID = Column("layout_id", pa.uint32(), "Rank of the code among all layouts, from 0.")
CLASS = (
    Column("jiang_num", pa.uint8(), "Number of dominoes.", "pieces"),
    Column("bing_num", pa.uint8(), "Number of 1x1 pieces.", "pieces"),
    Column("style_num", pa.uint8(), "Number of lying dominoes.", "pieces"),
)
GROUP_NUM = Column("group_num", pa.uint16(), "Number of the group in its class, largest first.")
GROUP_INDEX = Column("group_index", pa.uint32(), "Number of the layout in its group, by code.")
PAIRS = Column(
    "pairs", pa.uint64(), "Ordered pairs of layouts at this distance; at 0 each layout with itself.", "pairs"
)
