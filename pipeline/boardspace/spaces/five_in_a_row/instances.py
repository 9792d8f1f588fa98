"""Instances of five in a row: boards and lines of k cells, with the fewest stones that block all of them."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from boardspace.instances.source import Batch, Instance, Request, Source, one_by_one
from boardspace.release.datasets import Dataset
from boardspace.spaces.five_in_a_row.drawings import board_lines
from boardspace.spaces.five_in_a_row.fewest import CARRIED_K, fewest
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.five_in_a_row.periodic import base_of

RESULTS, LISTED, PLACEMENTS = "results", "listed", "placements"
MOST_SIDE = {2: 12, 3: 12, 4: 9, 5: 18, 6: 11, 7: 16, 8: 10}
"""Largest side of the boards of each k: all of them are answered in seconds."""
Row = dict[str, Any]


def batches(request: Request) -> Iterator[Batch]:
    """One batch for each k: boards with no side below it, rows not more than columns; of a dataset, those it lists."""
    if request.data is not None:
        yield from _recorded(request.parts, request.strata == "cells", request.data)
        return
    for name in request.parts:
        if name not in map(str, MOST_SIDE):
            raise BoardspaceError(f"--of {name}: write a length of lines, {min(MOST_SIDE)} to {max(MOST_SIDE)}")
        k = int(name)
        sides = [(n, m) for n in range(k, MOST_SIDE[k] + 1) for m in range(n, MOST_SIDE[k] + 1)]
        yield Batch(
            name=name,
            family=name,
            key=np.array([n << 8 | m for n, m in sides], dtype=np.uint64),
            group=np.array([_group(k, n, m) for n, m in sides], dtype=np.uint64),
            difficulty=np.array([_difficulty(request.strata, k, n, m) for n, m in sides], dtype=np.int64),
            make=one_by_one(partial(_instance, k, request.strata)),
            show=lambda key: f"{key >> 8}x{key & 255}",
        )


def _group(k: int, n: int, m: int) -> int:
    """The board that a proof by k more rows or columns begins with; the board itself where there is no such proof."""
    rows, columns = sorted(base_of(k, (n, m))) if k in CARRIED_K else (n, m)
    return rows << 8 | columns


def _difficulty(strata: str, k: int, n: int, m: int) -> int:
    return n * m if strata == "cells" else fewest(n, m, k).stones


def _instance(k: int, strata: str, key: int) -> Instance:
    n, m = key >> 8, key & 255
    found = fewest(n, m, k)
    return Instance(
        puzzle={"kind": "block", "rows": n, "columns": m, "k": k},
        least=found.stones,
        solutions=found.count,
        answer=tuple(board_lines(found.placement())),
        difficulty=n * m if strata == "cells" else found.stones,
    )


def _recorded(parts: tuple[str, ...], by_cells: bool, data: Dataset) -> Iterator[Batch]:
    """One batch for each k of a dataset, or of ``parts``: the boards whose placements it lists, rows not more than
    columns; the difficulty is cells, or stones."""
    boards = _boards(data, by_cells)
    known = sorted({row["k"] for row in boards})
    if unknown := set(parts) - set(map(str, known)):
        lengths = ", ".join(map(str, known)) or "no length"
        raise BoardspaceError(f"--of {min(unknown)}: the dataset lists placements for lines of {lengths}")
    for k in (k for k in known if not parts or str(k) in parts):
        own = [row for row in boards if row["k"] == k]
        yield Batch(
            name=f"{k}-listed",
            family=str(k),
            key=np.arange(len(own), dtype=np.uint64),
            group=np.array([_group(k, row["columns"], row["rows"]) for row in own], dtype=np.uint64),
            difficulty=np.array([row["difficulty"] for row in own], dtype=np.int64),
            make=one_by_one(partial(_recorded_instance, data, own)),
            show=partial(_sides, own),
        )


def _boards(data: Dataset, by_cells: bool) -> list[Row]:
    """Rows of ``results`` with difficulty and the place of their placements, of boards with no side below k, in the
    table's order."""
    places = {(row["k"], row["rows"], row["columns"]): row for row in data.tables[LISTED].to_table().to_pylist()}
    columns = ["k", "rows", "columns", "stones", "listed"]
    rows = data.tables[RESULTS].to_table(columns=columns).to_pylist()
    found = [row for row in rows if row["listed"] and row["columns"] >= row["k"]]
    for row in found:
        row["difficulty"] = row["rows"] * row["columns"] if by_cells else row["stones"]
    return [row | places[row["k"], row["rows"], row["columns"]] for row in found]


def _sides(boards: list[Row], place: int) -> str:
    return f"{boards[place]['columns']}x{boards[place]['rows']}"


def _recorded_instance(data: Dataset, boards: list[Row], place: int) -> Instance:
    """A board on its side, as the table has its longer side first; the answer is its first placement."""
    row = boards[place]
    first, size = row["first_byte"], row["rows"] * row["row_bytes"]
    packed = np.asarray(data.arrays[PLACEMENTS][first : first + size]).reshape(row["rows"], -1)
    stones = np.unpackbits(packed, axis=1, count=row["columns"]).T.astype(bool)
    return Instance(
        puzzle={"kind": "block", "rows": row["columns"], "columns": row["rows"], "k": row["k"]},
        least=row["stones"],
        solutions=row["placements"],
        answer=tuple(board_lines(stones)),
        difficulty=row["difficulty"],
    )


def minizinc(name: str, puzzle: Mapping[str, Any], least: int | None) -> dict[str, str]:
    """A model of the board, with as few stones as can be."""
    rows, columns, k = puzzle["rows"], puzzle["columns"], puzzle["k"]
    return {f"{name}.mzn": MODEL.format(name=name, least=least, rows=rows, columns=columns, k=k)}


MODEL = """% {name}: the least number of stones is {least}
int: N = {rows};
int: M = {columns};
int: K = {k};
array [1..N, 1..M] of var 0..1: stone;
constraint forall (r in 1..N, c in 1..M - K + 1) (sum (i in 0..K - 1) (stone[r, c + i]) >= 1);
constraint forall (r in 1..N - K + 1, c in 1..M) (sum (i in 0..K - 1) (stone[r + i, c]) >= 1);
constraint forall (r in 1..N - K + 1, c in 1..M - K + 1) (sum (i in 0..K - 1) (stone[r + i, c + i]) >= 1);
constraint forall (r in 1..N - K + 1, c in K..M) (sum (i in 0..K - 1) (stone[r + i, c - i]) >= 1);
solve minimize sum (stone);
output [if fix(stone[r, c]) = 1 then "#" else "." endif ++ if c = M then "\\n" else "" endif | r in 1..N, c in 1..M];
"""

SOURCE = Source(
    title="Place as few stones as can be so that no k cells in a row, a column or a diagonal are free.",
    part="length of lines",
    usual=("3", "4", "5", "6", "7"),
    strata=("stones", "cells"),
    grouped="A group is one board, or all boards that a proof carries from one small board.",
    batches=batches,
    formats={"minizinc": minizinc},
    table=RESULTS,
    kinds=("block",),
)
