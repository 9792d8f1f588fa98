"""Range-partitioned shuffle between two stages: a sample sort whose buckets are shards.

Each shard writes one sorted run to a table whose first key column is an unsigned integer of any width, and leaves, as
facts, how many rows it has and keys that cut it into equal parts (:func:`sample`). The stage after it joins these
samples and cuts the range of all keys so that each of its shards owns about as many rows (:func:`key_shards`); a shard
reads its range of every run (:func:`received`). So a set of keys larger than a worker's memory is sorted, merged and
freed of repeats without workers talking to one another. Cuts depend on the runs alone, so they are the same whoever
computed them.

A range is [low, high); the last one ends at 2^64, above every key, whatever the width.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spec.space import Inputs, Json, Shard, Table
from boardspace.spec.stage import refuse_more_shards

SAMPLES = 64
ROOT_SECONDS = 0.1
END = 1 << 64
RUN = "run"


def sample(keys: NDArray[np.unsignedinteger[Any]]) -> dict[str, Any]:
    """Fact ``run`` of a shard: the number of its keys, ascending, and up to 64 of them at equal distances."""
    places = np.linspace(0, len(keys) - 1, min(SAMPLES, len(keys))).astype(np.int64)
    return {"rows": len(keys), "sample": keys[places].tolist()}


def key_ranges(runs: Sequence[Mapping[str, Any]], rows_per_shard: int) -> list[tuple[int, int]]:
    """Ranges [low, high) that tile all keys, each with about ``rows_per_shard`` rows of the runs together. ValueError
    for too many."""
    shards = max(1, -(-sum(run["rows"] for run in runs) // rows_per_shard))
    refuse_more_shards(shards)
    keys = np.array([key for run in runs for key in run["sample"]], dtype=np.uint64)
    weights = np.array([run["rows"] / len(run["sample"]) for run in runs for _ in run["sample"]])
    order = np.argsort(keys, kind="stable")
    reached = np.cumsum(weights[order])
    cuts = [int(keys[order][np.searchsorted(reached, reached[-1] * i / shards)]) for i in range(1, shards)]
    return list(pairwise([0, *sorted(set(cuts) - {0}), END]))


def key_shards(
    inputs: Inputs,
    stage: str | None,
    folder: str,
    params: Mapping[str, Json],
    rows_per_shard: int,
    seconds_per_row: float,
) -> list[Shard]:
    """Shards ``FOLDER/0000``, ... that own the key ranges of what ``stage`` wrote; none where it wrote nothing.

    Each has ``params`` and its range as ``low`` and ``high``. Without a stage, one shard that owns all keys: a root.
    """
    if stage is None:
        return [Shard(f"{folder}/0000", {**params, "low": 0, "high": END}, ROOT_SECONDS)]
    runs = [facts[RUN] for facts in inputs.facts(stage) if facts[RUN]["rows"]]
    return range_shards(runs, folder, params, rows_per_shard, seconds_per_row)


def range_shards(
    runs: Sequence[Mapping[str, Any]],
    folder: str,
    params: Mapping[str, Json],
    rows_per_shard: int,
    seconds_per_row: float = 0.0,
) -> list[Shard]:
    """Shards ``FOLDER/0000``, ... that own the key ranges of these runs, as :func:`key_shards` has them."""
    if not runs:
        return []
    ranges = key_ranges(runs, rows_per_shard)
    cost = sum(run["rows"] for run in runs) / len(ranges) * seconds_per_row
    return [Shard(f"{folder}/{i:04}", {**params, "low": a, "high": b}, cost) for i, (a, b) in enumerate(ranges)]


def received(
    inputs: Inputs,
    stage: str,
    table: Table,
    params: Mapping[str, Any] | None = None,
    shards: Iterable[str] | None = None,
) -> Iterator[tuple[NDArray[Any], ...]]:
    """For each of the ``shards`` of a stage (all, if None) its rows in the range of ``params`` (all
    without them), as one array a column."""
    between = (0, END) if params is None else (params["low"], params["high"])
    for shard in inputs.named_facts(stage) if shards is None else shards:
        rows = inputs.read(stage, table.name, shards=[shard], between=between)
        yield tuple(column_of(rows, column.name) for column in table.columns)


def column_of(rows: pa.Table, name: str) -> NDArray[Any]:
    """A column as kernels take it: a copy that may be written. What Arrow hands out may only be read, even by way of
    ``numpy.array``; numba holds that for another type, and each worker would compile its kernels once more."""
    return np.array(rows.column(name).to_numpy())
