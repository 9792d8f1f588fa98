"""Searches the classes of boards, some labels and a part of their classes a shard, and adds up what was found."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import product
from math import ceil
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.rush_hour.columns import FIGURES, HARDEST, LABELS, LEVELS, PIECES
from boardspace.spaces.rush_hour.config import LISTED_FROM, Board, RushHourConfig
from boardspace.spaces.rush_hour.notation import kind_text, text_of_code
from boardspace.spec.space import Inputs, Json, Output, Shard, cut_range
from boardspace_kernels.rush_hour import search
from boardspace_kernels.rush_hour.figures import CLASSES, STEPS, added, merged
from boardspace_kernels.rush_hour.lines import Lines, arranged, lines

EVERY = {3: 1, 4: 1, 5: 7, 6: 173}
"""Without walls. Odd, so that labels of a shard differ in the kinds of all lines, and shards take about as long."""
PARTS = {3: 1, 4: 1, 5: 1, 6: 5}
"""Without walls, shards of the same labels, each with a part of their classes: one label of 6 x 6 takes a core 20
seconds. More shards would be too small for a GPU, which waits for the largest class of each."""
TOGETHER = 64
"""Shards of the search whose rows are added up together."""
AT_ONCE = 64
"""Classes of starts that one call searches; where its room for starts was too small, it searches them once more."""
SECONDS = {3: 0.02, 4: 0.04, 5: 2.5, 6: 3900.0}
"""Of a core, by cells of a side, without walls; measured."""
GPU_FROM = 5
"""Cells of a side from which a shard is large enough for a GPU."""
SIDES = ("columns", "rows")
"""In the order of the table."""


@lru_cache(8)
def tables_of(board: Board) -> Lines:
    """The kernels' tables of a board."""
    return lines(board.n, board.row, board.walls)


def cut_labels(config: RushHourConfig, inputs: Inputs) -> list[Shard]:
    """Every so-many-th label of each board, in so many parts."""
    return [
        Shard(name, {"board": board.name, "first": first, "part": part}, SECONDS[board.n] * board.share / len(shards))
        for board in config.all_boards
        for shards in (shards_of(board),)
        for name, (first, part) in shards.items()
    ]


def cut_of(board: Board) -> tuple[int, int]:
    """Every which label is in the same shard, and the shards of the same labels: with walls so few that each
    has a quarter of the work of one without, where there is so much."""
    every, parts = EVERY[board.n], PARTS[board.n]
    number = int(every * parts * min(1.0, 4 * board.share))
    return (every, ceil(number / every)) if number >= every else (number | 1, 1)


def shards_of(board: Board) -> dict[str, tuple[int, int]]:
    """Names of the shards of a board, and of each its first label and its part."""
    every, parts = cut_of(board)
    return {f"{board.name}/{first:03}-{part:02}": (first, part) for first in range(every) for part in range(parts)}


def search_labels(config: RushHourConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Findings about the classes of some labels, as blobs: rows of numbers, which later shards add up."""
    board, kinds = config.board(params["board"]), _kinds_of_red(config.board(params["board"]))
    tables, rank, (every, parts) = tables_of(board), np.argsort(np.argsort(kinds)), cut_of(board)
    pieces, levels, labels, starts = [], [], [], []
    for side in range(2):
        inputs.report(f"labels of {SIDES[1 - side]}")
        some, part = np.arange(params["first"], search.labels_of(tables, side), every), (params["part"], parts)
        if inputs.gpu is None or board.n < GPU_FROM:
            found = search.search_labels(tables, side, some, LISTED_FROM[board.n], part=part)
        else:
            from boardspace_kernels.rush_hour import cuda  # needs the extra of that name

            found = cuda.search_labels(tables, side, some, LISTED_FROM[board.n], inputs.gpu, part=part)
        keys = np.argwhere(found.figures[..., CLASSES] > 0)
        at = tuple(keys.T)
        pieces.append(
            np.column_stack([rank[keys[:, 0]], keys[:, 1:], found.figures[at], found.codes[at].view(np.int64)])
        )
        keys = np.argwhere((found.levels > 0) | (found.depths > 0))
        at = tuple(keys.T)
        levels.append(np.column_stack([rank[keys[:, 0]], keys[:, 1:], found.levels[at], found.depths[at]]))
        kept = np.flatnonzero(found.labels[:, CLASSES])
        labels.append(np.column_stack([np.full(len(kept), 1 - side), some[kept], found.labels[kept]]))
        starts.append(found.starts)
    named = {"pieces": pieces, "levels": levels, "labels": labels, "hardest": starts}
    return Output(blobs={name: np.concatenate(rows) for name, rows in named.items()})


def cut_sums(config: RushHourConfig, inputs: Inputs) -> list[Shard]:
    """Of each board so many shards of the search at a time."""
    return [
        Shard(f"{board.name}/{low:04}", {"board": board.name, "low": low, "high": high}, 0.005 * (high - low))
        for board in config.all_boards
        for low, high in cut_range(0, len(shards_of(board)), TOGETHER)
    ]


def add_up(config: RushHourConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The rows of some shards of the search, those of the same key added up."""
    shards = [*shards_of(config.board(params["board"]))][params["low"] : params["high"]]

    def read(name: str) -> NDArray[Any]:
        return np.concatenate([inputs.blob("search", name, shard) for shard in shards])

    return Output(blobs={name: add(read(name)) for name, add in SUMS.items()})


def cut_tables(config: RushHourConfig, inputs: Inputs) -> list[Shard]:
    """A shard for each table of a board; of a large board the table of pieces by the red car's row."""
    found = []
    for board in config.all_boards:
        red_rows = [*range(len(_kinds_of_red(board)))] if cut_of(board)[1] > 1 else [None]
        for table, red in (*product(("hardest", "labels", "levels"), [None]), *product(["pieces"], red_rows)):
            params: dict[str, Json] = {"board": board.name, "table": table, "red": red}
            found.append(Shard(f"board={board.name}/{table}-{red or 0}", params, 0.05 if board.n < 6 else 1.5))
    return found


def make_table(config: RushHourConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The rows of a table of a board, or of those with one of the red car's rows."""
    board, table, red = config.board(params["board"]), params["table"], params["red"]
    names = [shard.name for shard in cut_sums(config, inputs) if shard.params["board"] == board.name]
    found = (inputs.blob("sums", table, name) for name in names)
    rows = np.concatenate([some if red is None else some[some[:, 0] == red] for some in found])
    return Output({table: TABLES[table](board, SUMS[table](rows))})


def _kinds_of_red(board: Board) -> list[str]:
    """The kinds of the red car's row, as texts, by their numbers."""
    walls = tuple(c for r, c in board.walls if r == board.row)
    return [kind_text(board, same[0]) for same in arranged(board.n, True, walls)]


SUMS: Mapping[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "pieces": partial(merged, keys=3),
    "levels": lambda rows: added(rows, 3)[0],
    "labels": partial(merged, keys=2),
    "hardest": lambda rows: rows[np.argsort(rows[:, 0])],
}
"""By the name of a table, how its rows are added up."""


def figure_columns(sums: NDArray[np.int64]) -> dict[str, Any]:
    """Columns of figures; the most moves are numbers one too high, or 0 where nothing can be solved."""
    columns: dict[str, Any] = dict(zip(FIGURES.names, sums.T, strict=True))
    for name in ("steps", "unit_moves"):
        columns[name] = np.ma.masked_array(columns[name] - 1, columns[name] == 0)
    return columns


def _pieces(board: Board, sums: NDArray[np.int64]) -> pa.Table:
    tables, kinds = tables_of(board), _kinds_of_red(board)
    by_text = sorted(range(len(kinds)), key=kinds.__getitem__)
    red = [by_text[rank] for rank in sums[:, 0].tolist()]
    across, down = (
        np.array([search.pieces_of_pair(pair) for pair in column]).reshape(-1, 2) for column in sums[:, 1:3].T
    )
    solved = sums[:, 3 + STEPS] > 0
    starts, unit_starts = sums[solved, -2:].T.tolist()
    moves = (sums[solved, 3 + STEPS] - 1).tolist()

    def where_solved(values: Iterable[Any]) -> list[Any]:
        left = iter(values)
        return [next(left) if is_solved else None for is_solved in solved]

    return PIECES.from_columns(
        red_row=[kinds[kind] for kind in red],
        cars_across=across[:, 0],
        trucks_across=across[:, 1],
        cars_down=down[:, 0],
        trucks_down=down[:, 1],
        searched=tables.solvable[board.row, red] > 0,
        **figure_columns(sums[:, 3:-2]),
        start=where_solved(text_of_code(board, code) for code in starts),
        solutions=where_solved(solutions_of(tables, list(zip(starts, moves, strict=True)))),
        unit_start=where_solved(text_of_code(board, code) for code in unit_starts),
    )


def _levels(board: Board, sums: NDArray[np.int64]) -> pa.Table:
    kinds = sorted(_kinds_of_red(board))
    return LEVELS.from_columns(
        red_row=[kinds[rank] for rank in sums[:, 0]],
        metric=[("step", "unit_move")[metric] for metric in sums[:, 1]],
        **dict(zip(("moves", "boards", "groups"), sums[:, 2:].T, strict=True)),
    )


def _labels(board: Board, sums: NDArray[np.int64]) -> pa.Table:
    return LABELS.from_columns(
        side=[SIDES[side] for side in sums[:, 0]], label=sums[:, 1], **figure_columns(sums[:, 2:])
    )


def _hardest(board: Board, starts: NDArray[np.uint64]) -> pa.Table:
    figures = ("steps", "unit_moves", "solutions", "group_size", "goals", "starts")
    return HARDEST.from_columns(
        code=starts[:, 0],
        text=[text_of_code(board, code) for code in starts[:, 0].tolist()],
        **dict(zip(figures, starts[:, 1:].T, strict=True)),
    )


TABLES: Mapping[str, Callable[[Board, NDArray[Any]], pa.Table]] = {
    "pieces": _pieces,
    "levels": _levels,
    "labels": _labels,
    "hardest": _hardest,
}


def solutions_of(tables: Lines, starts: Sequence[tuple[int, int]]) -> list[int]:
    """Of boards that are farthest in their groups, by code and steps, the numbers of shortest solutions."""
    found = dict[int, int]()
    classes = [(search.class_of(tables, code), steps) for code, steps in starts]
    for own in range(2):
        each = [(label, kinds, steps) for (side, label, kinds), steps in classes if side == own]
        for first in range(0, len(each), AT_ONCE):
            rows = search.search_listed(tables, own, each[first : first + AT_ONCE])
            found |= dict(rows[:, [0, 3]].tolist())
    return [found[code] for code, _ in starts]
