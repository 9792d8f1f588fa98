"""Searches the classes of boards: a shard has every so-many-th label of both sides, and the last stage adds up."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.rush_hour.config import LISTED_FROM, Board, RushHourConfig
from boardspace.spaces.rush_hour.notation import kind_text, text_of_code
from boardspace.spaces.rush_hour.parts.boards.part import HARDEST, LABELS, LEVELS, PIECES
from boardspace.spec.space import Inputs, Output, Shard
from boardspace_kernels.rush_hour import search
from boardspace_kernels.rush_hour.groups import CLASSES, STEPS, UNITS
from boardspace_kernels.rush_hour.lines import Lines, arranged, lines

SHARDS = {3: 1, 4: 1, 5: 7, 6: 1009}
"""Odd, so that labels of a shard differ in the kinds of all lines, and shards take about as long."""
SECONDS = {3: 0.03, 4: 0.05, 5: 2.5, 6: 4200.0}
"""Of a core, by cells of a side; measured."""
SIDES = ("rows", "columns")
FIGURES = ("classes", "boards", "groups", "solvable_groups", "solvable", "steps", "starts", "unit_moves", "unit_starts")


def tables_of(board: Board) -> Lines:
    """The kernels' tables of a board."""
    return lines(board.n, board.row, board.walls)


def cut_labels(config: RushHourConfig, inputs: Inputs) -> list[Shard]:
    """Every so-many-th label of each board."""
    return [
        Shard(
            f"{board.name}/{first:04}",
            {"board": board.name, "first": first, "every": SHARDS[board.n]},
            SECONDS[board.n] / SHARDS[board.n],
        )
        for board in config.all_boards
        for first in range(SHARDS[board.n])
    ]


def search_labels(config: RushHourConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Findings about the classes of some labels, as blobs: rows of numbers."""
    board = config.board(params["board"])
    tables = tables_of(board)
    pieces, levels, labels, starts = [], [], [], []
    for side in range(2):
        inputs.report(f"labels of {SIDES[side]}")
        some = np.arange(params["first"], search.labels_of(tables, side), params["every"])
        found = search.search_labels(tables, side, some, LISTED_FROM[board.n])
        keys = np.argwhere(found.figures[..., CLASSES] > 0)
        at = tuple(keys.T)
        pieces.append(np.hstack([keys, found.figures[at], found.codes[at].view(np.int64)]))
        keys = np.argwhere((found.levels > 0) | (found.depths > 0))
        at = tuple(keys.T)
        levels.append(np.column_stack([keys, found.levels[at], found.depths[at]]))
        kept = np.flatnonzero(found.labels[:, CLASSES])
        labels.append(np.column_stack([np.full(len(kept), side), some[kept], found.labels[kept]]))
        starts.append(found.starts)
    named = {"pieces": pieces, "levels": levels, "labels": labels, "starts": starts}
    return Output(blobs={name: np.concatenate(rows) for name, rows in named.items()})


def cut_boards(config: RushHourConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each board."""
    return [Shard(f"board={board.name}/0", {"board": board.name}, 0.2) for board in config.all_boards]


def add_up(config: RushHourConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The tables of a board."""
    board = config.board(params["board"])
    tables = tables_of(board)

    def rows_of(name: str) -> NDArray[Any]:
        """The rows that all shards of the board left."""
        names = [f"{board.name}/{first:04}" for first in range(SHARDS[board.n])]
        return np.concatenate([inputs.blob("search", name, shard) for shard in names])

    kinds = [kind_text(board, same[0]) for same in arranged(board.n, True, _walls_of_red(board))]
    pieces = [_pieces_row(board, tables, kinds, *one) for one in _merged(rows_of("pieces"))]
    labels = rows_of("labels")
    labels = labels[np.lexsort((labels[:, 1], -labels[:, 0]))]  # columns before rows, as texts are ordered
    starts = rows_of("starts")
    starts = starts[np.argsort(starts[:, 0])]
    columns = dict(zip(FIGURES, labels[:, 2:].T, strict=True))
    none = columns["steps"] < 0
    return Output(
        {
            "pieces": PIECES.from_rows(sorted(pieces, key=lambda row: [row[name] for name in PIECES.key])),
            "levels": LEVELS.from_rows(list(_level_rows(kinds, rows_of("levels")))),
            "labels": LABELS.from_columns(
                side=[SIDES[side] for side in labels[:, 0]],
                label=labels[:, 1],
                **{
                    name: np.ma.masked_array(values, none) if name in ("steps", "unit_moves") else values
                    for name, values in columns.items()
                },
            ),
            "hardest": HARDEST.from_columns(
                code=starts[:, 0],
                text=[text_of_code(board, int(code)) for code in starts[:, 0]],
                **dict(
                    zip(
                        ("steps", "unit_moves", "solutions", "group_size", "goals", "starts"),
                        starts[:, 1:].T,
                        strict=True,
                    )
                ),
            ),
        }
    )


def _walls_of_red(board: Board) -> tuple[int, ...]:
    return tuple(c for r, c in board.walls if r == board.row)


def _merged(rows: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], tuple[int, int]]]:
    """Figures of each set of pieces added up: its key, its figures, and its first starts with most steps and most unit
    moves, -1 where there is none."""
    rows = rows[np.lexsort(rows[:, 2::-1].T)]
    changes = np.flatnonzero((rows[1:, :3] != rows[:-1, :3]).any(1)) + 1
    for begin, end in pairwise([0, *changes.tolist(), len(rows)]):
        some = rows[begin:end]
        figures, codes = some[:, 3:-2].sum(0), []
        for place, metric in enumerate((STEPS, UNITS)):
            most = some[:, 3 + metric] == some[:, 3 + metric].max()
            figures[metric], figures[metric + 1] = some[:, 3 + metric].max(), some[most, 4 + metric].sum()
            codes.append(int(some[most, -2 + place].min()) if figures[metric] >= 0 else -1)
        yield some[0, :3], figures, (codes[0], codes[1])


def _pieces_row(
    board: Board,
    tables: Lines,
    kinds: Sequence[str],
    key: NDArray[np.int64],
    figures: NDArray[np.int64],
    codes: tuple[int, int],
) -> dict[str, Any]:
    (cars_across, trucks_across), (cars_down, trucks_down) = map(search.pieces_of_pair, key[1:].tolist())
    row: dict[str, Any] = dict(zip(FIGURES, figures.tolist(), strict=True))
    if codes[0] < 0:
        row |= {"steps": None, "unit_moves": None}
    return row | {
        "red_row": kinds[key[0]],
        "cars_across": cars_across,
        "trucks_across": trucks_across,
        "cars_down": cars_down,
        "trucks_down": trucks_down,
        "searched": bool(tables.solvable[board.row, key[0]]),
        "start": text_of_code(board, codes[0]) if codes[0] >= 0 else None,
        "solutions": solutions_of(tables, codes[0], row["steps"]) if codes[0] >= 0 else None,
        "unit_start": text_of_code(board, codes[1]) if codes[1] >= 0 else None,
    }


def solutions_of(tables: Lines, code: int, steps: int) -> int:
    """The number of shortest solutions of a board that is farthest in its group."""
    side, label, kinds = search.class_of(tables, code)
    starts = search.search_labels(tables, side, np.array([label]), steps, kinds).starts
    return int(starts[starts[:, 0] == code][0, 3])


def _level_rows(kinds: Sequence[str], rows: NDArray[np.int64]) -> Iterator[dict[str, Any]]:
    """Boards and groups by kind of the red row, metric and moves, added up."""
    sums: dict[tuple[str, str, int], NDArray[np.int64]] = {}
    for red, metric, moves, *numbers in rows.tolist():
        key = (kinds[red], ("step", "unit_move")[metric], moves)
        sums[key] = sums.get(key, np.zeros(2, np.int64)) + numbers
    for (red_row, name, moves), (boards, groups) in sorted(sums.items()):
        yield {"red_row": red_row, "metric": name, "moves": moves, "boards": int(boards), "groups": int(groups)}
