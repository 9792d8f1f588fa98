"""How the results of one stage's shards find their owners in the next.

Each shard writes one sorted run and leaves, as facts, how many rows it has and keys that cut it into equal parts. The
next stage joins these samples and cuts the whole key range so that each of its shards owns about as many rows.
Cuts depend on the runs alone, so they are the same whoever computed them.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.pipeline.space import Inputs, Table

SAMPLES = 64
LAST_KEY = (1 << 64) - 1


def sample(keys: NDArray[np.uint64]) -> dict[str, Any]:
    """The facts of a run: its number of rows, and up to 64 keys at equal distances."""
    places = np.linspace(0, len(keys) - 1, min(SAMPLES, len(keys))).astype(np.int64)
    return {"rows": len(keys), "sample": keys[places].tolist()}


def key_ranges(runs: Sequence[Mapping[str, Any]], rows_per_shard: int) -> list[tuple[int, int]]:
    """Ranges [low, high) that tile all keys, each with about ``rows_per_shard`` rows of the runs together."""
    shards = max(1, -(-sum(run["rows"] for run in runs) // rows_per_shard))
    keys = np.array([key for run in runs for key in run["sample"]], dtype=np.uint64)
    weights = np.array([run["rows"] / len(run["sample"]) for run in runs for _ in run["sample"]])
    order = np.argsort(keys, kind="stable")
    reached = np.cumsum(weights[order])
    cuts = [int(keys[order][np.searchsorted(reached, reached[-1] * i / shards)]) for i in range(1, shards)]
    return list(pairwise([0, *sorted(set(cuts) - {0}), LAST_KEY]))


def exchanged(inputs: Inputs, stage: str) -> list[Mapping[str, Any]]:
    """The facts of a stage's runs that are not empty."""
    return [facts["run"] for facts in inputs.facts(stage) if facts["run"]["rows"]]


def received(inputs: Inputs, stage: str, table: Table, between: tuple[int, int]) -> Iterator[tuple[NDArray[Any], ...]]:
    """For each shard of a stage the part of its run with keys in [low, high), as one array a column."""
    for shard in inputs.named_facts(stage):
        rows = inputs.read(stage, table.name, shards=[shard], between=between)
        # Copied, because kernels are compiled for arrays that may be written.
        yield tuple(np.array(rows.column(column.name)) for column in table.columns)
