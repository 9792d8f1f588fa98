"""Instances from a run or a release: boards whose placements it lists, among them boards that no question searches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.instances.source import Batch, Instance
from boardspace.release.datasets import Dataset
from boardspace.spec.errors import BoardspaceError

RESULTS, LISTED, PLACEMENTS = "results", "listed", "placements"
Row = dict[str, Any]


def recorded(
    parts: tuple[str, ...], by_cells: bool, group: Callable[[int, int, int], int], data: Dataset
) -> Iterator[Batch]:
    """One batch for each k of a dataset, or of ``parts``: the boards whose placements it lists, rows not more than
    columns. ``group`` is that of a board, from k and its sides; the difficulty is cells, or stones."""
    boards = _boards(data)
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
            group=np.array([group(k, row["columns"], row["rows"]) for row in own], dtype=np.uint64),
            difficulty=np.array([_difficulty(row, by_cells) for row in own], dtype=np.int64),
            make=_Maker(data, own, by_cells),
            show=_Named(own),
        )


def _boards(data: Dataset) -> list[Row]:
    """Rows of ``results`` with the place of their placements, of boards with no side below k, in the table's order."""
    places = {(row["k"], row["rows"], row["columns"]): row for row in data.tables[LISTED].to_table().to_pylist()}
    columns = ["k", "rows", "columns", "stones", "listed"]
    rows = data.tables[RESULTS].to_table(columns=columns).to_pylist()
    found = [row for row in rows if row["listed"] and row["columns"] >= row["k"]]
    return [row | places[row["k"], row["rows"], row["columns"]] for row in found]


def _difficulty(row: Row, by_cells: bool) -> int:
    return int(row["rows"] * row["columns"] if by_cells else row["stones"])


@dataclass(frozen=True)
class _Named:
    """The sides of a board, by its place among the boards of its k."""

    boards: Sequence[Row]

    def __call__(self, key: int) -> str:
        return f"{self.boards[key]['columns']}x{self.boards[key]['rows']}"


@dataclass(frozen=True)
class _Maker:
    data: Dataset
    boards: Sequence[Row]
    by_cells: bool

    def __call__(self, keys: NDArray[np.uint64]) -> Sequence[Instance]:
        return [self._instance(self.boards[key]) for key in keys.tolist()]

    def _instance(self, row: Row) -> Instance:
        """A board on its side, as the table has its longer side first; the answer is its first placement."""
        first, size = row["first_byte"], row["rows"] * row["row_bytes"]
        packed = np.asarray(self.data.arrays[PLACEMENTS][first : first + size]).reshape(row["rows"], -1)
        stones = np.unpackbits(packed, axis=1, count=row["columns"]).T
        return Instance(
            puzzle={"kind": "block", "rows": row["columns"], "columns": row["rows"], "k": row["k"]},
            least=row["stones"],
            solutions=row["placements"],
            answer=tuple("".join(".#"[stone] for stone in line) for line in stones.tolist()),
            difficulty=_difficulty(row, self.by_cells),
        )
