"""Records of the layouts of a class in order of ids, which the stage ``classes`` leaves for later ones as a blob.

They are mapped, not decoded: tables would be compressed by the one stage and taken apart by the other, a third of the
work of both.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski import columns
from boardspace.spaces.klotski.parts.layouts.part import CODE_COLUMN, MIRROR
from boardspace.spaces.klotski.parts.solutions.part import VALUES
from boardspace.spec.space import Inputs
from boardspace.spec.table import record_of

_COLUMNS = (columns.LAYOUT_ID, CODE_COLUMN, MIRROR, columns.GROUP_NUM, columns.GROUP_INDEX, *VALUES)
RECORD = record_of(_COLUMNS)
"""33 bytes a layout."""


def packed(columns: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """The columns as records (layouts)."""
    records = np.empty(len(columns["layout_id"]), dtype=RECORD)
    for name in RECORD.names or ():
        records[name] = columns[name]
    return records


def members_of(inputs: Inputs, shard: str) -> NDArray[Any]:
    """The records of a class (layouts), mapped into memory."""
    return inputs.blob("classes", "members", shard)


def members_between(inputs: Inputs, low: int, high: int) -> Iterator[tuple[str, NDArray[Any]]]:
    """The classes that have layouts with ids in [low, high), and the records of these."""
    for shard in inputs.named_facts("classes"):
        records = members_of(inputs, shard)
        ids = records["layout_id"]  # searchsorted would copy them all, and so read every class for every range
        first, end = bisect_left(ids, low), bisect_left(ids, high)
        if first < end:
            yield shard, records[first:end]
