"""Searches the classes of boards with cars of one cell, some labels a shard, and sums up squares."""

from collections.abc import Mapping
from math import comb
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.rush_hour.config import RushHourConfig
from boardspace.spaces.rush_hour.parts.boards.compute import figure_columns
from boardspace.spaces.rush_hour.parts.unit.part import FIGURES, LABELS, SQUARES
from boardspace.spec.space import Inputs, Output, Shard
from boardspace_kernels.rush_hour import unit
from boardspace_kernels.rush_hour.figures import CLASSES, STEPS, UNITS, merged

SECONDS = 45e-9
"""Of a core, for a board; measured on 4 x 4."""
LONGEST = 45.0
"""Seconds of a shard."""
TABLES = {table.name: table for table in (SQUARES, LABELS)}


def cut_labels(config: RushHourConfig, inputs: Inputs) -> list[Shard]:
    """Every so-many-th label of each square; the number is no divisor of (n + 1)^n, so shards take about as long."""
    found = []
    for n, voids in config.unit_squares:
        seconds = 0.003 + SECONDS * (comb(n * n, voids) << n * n - voids)
        every = 6 * int(seconds / LONGEST) + 1
        found += [
            Shard(
                f"{n}x{n}-{voids:02}/{first:03}",
                {"n": n, "voids": voids, "first": first, "every": every},
                seconds / every,
            )
            for first in range(every)
        ]
    return found


def search_labels(config: RushHourConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Figures of some labels, and of all of them together, as blobs: rows of numbers, the row of the exit first."""
    n = params["n"]
    labels = np.arange(params["first"], (n + 1) ** n, params["every"])
    figures, _, codes = unit.search_labels(n, params["voids"], labels)
    row, place = np.nonzero(figures[..., CLASSES].T)
    own = figures[place, row]
    squares = merged(np.column_stack([row, own, codes[row].view(np.int64)]), keys=1)
    return Output(blobs={LABELS.name: np.column_stack([row, labels[place], own]), SQUARES.name: squares})


def cut_tables(config: RushHourConfig, inputs: Inputs) -> list[Shard]:
    """A shard for each table, where there are such boards."""
    return [Shard(name, {"table": name}, 0.1) for name in TABLES if config.unit]


def make_tables(config: RushHourConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The rows of a table."""
    name, every = params["table"], cut_labels(config, inputs)
    found = [TABLES[name].schema.empty_table()]
    for n, voids in config.unit_squares:
        shards = [shard.name for shard in every if (shard.params["n"], shard.params["voids"]) == (n, voids)]
        rows = np.concatenate([inputs.blob("unit_search", name, shard) for shard in shards])
        found.append(_rows(name, n, voids, rows))
    return Output({name: pa.concat_tables(found).combine_chunks()})


def _rows(name: str, n: int, voids: int, found: NDArray[np.int64]) -> pa.Table:
    keys = 1 if name == SQUARES.name else 2
    sums = merged(found, keys)
    columns: dict[str, Any] = {"n": np.full(len(sums), n), "voids": np.full(len(sums), voids), "exit_row": sums[:, 0]}
    columns |= figure_columns(sums[:, keys : keys + len(FIGURES.names)])
    if keys == 2:
        return LABELS.from_columns(**columns, label=sums[:, 1])
    for code, column, most in ((-2, "start", STEPS), (-1, "unit_start", UNITS)):
        pairs = zip(sums[:, code].tolist(), sums[:, 1 + most].tolist(), strict=True)
        columns[column] = [text(n, code) if moves else None for code, moves in pairs]
    return SQUARES.from_columns(**columns)


def text(n: int, code: int) -> str:
    """A board, row by row, of its code."""
    return "".join(".-|"[code >> 2 * place & 3] for place in range(n * n - 1, -1, -1))
