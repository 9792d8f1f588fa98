"""Trays made again: layouts and classes counted row by row, small trays enumerated and walked, larger ones solved."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from boardspace.spaces.klotski import rules
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.frame import METRICS, STEP, STRAIGHT, UNIT, Frame
from boardspace.spaces.klotski.parts.trays.part import TRAYS
from boardspace.spec.equations import Making, Move, RowFaultError
from boardspace.verify import folds

WHOLE_FRAME = 400_000
"""A tray of at most so many layouts is walked whole."""
BY_HAND = 10_000
"""A tray of at most so many is enumerated and moved in plain Python as well."""
WHOLE_GROUP = 100_000
"""The hardest layouts of a larger tray are solved in plain Python where its groups have at most so many layouts."""
MOVES: Mapping[str, Move] = {STEP: "chain", STRAIGHT: "straight", UNIT: "unit"}
Row = dict[str, Any]

Sizes = Counter[tuple[int, int, int]]
"""Layouts by (dominoes, singles, lying dominoes)."""


def make_trays(config: KlotskiConfig, name: str, at: Making) -> dict[str, list[Row]]:
    """All rows: counted, and made again as far as NumPy goes."""
    given = {(row["columns"], row["rows"]): row for row in at.rows("trays")}
    return {"trays": [_made(config, frame, given.get(frame, {}), at) for frame in sorted(set(config.trays))]}


def _made(config: KlotskiConfig, frame: tuple[int, int], given: Row, at: Making) -> Row:
    """Row of a tray as far as it is known; of one that was only counted the other columns are null."""
    sizes = class_sizes(*frame)
    layouts = sum(sizes.values())
    row: Row = {"columns": frame[0], "rows": frame[1], "layouts": layouts, "classes": len(sizes)}
    if layouts > config.tray_layouts:
        return dict.fromkeys(column.name for column in TRAYS.columns) | row
    if layouts <= WHOLE_FRAME or at.draw.everything:
        row |= _walked(*frame)
    if layouts <= BY_HAND or (layouts > WHOLE_FRAME and (given.get("largest_group") or 0) <= WHOLE_GROUP):
        by_hand = _by_hand(given)
        if any(row.get(column, moves) != moves for column, moves in by_hand.items()):
            raise RowFaultError(f"trays {frame[0]}-{frame[1]}: by hand the hardest layouts need {by_hand}")
        row |= by_hand
    return row


def class_sizes(columns: int, rows: int) -> Sizes:
    """Count the sizes of the classes of a tray row by row, from the cells that pieces above cover in the next row.

    States are these cells, whether the block was placed, and the numbers of dominoes, singles and lying dominoes.
    """
    states = Counter({State(0, False, 0, 0, 0): 1})
    for row in range(rows):
        after: Counter[State] = Counter()
        for state, ways in states.items():
            for filled, more in _filled_rows(columns, state.covered, 0, row == rows - 1).items():
                if not (state.block and filled.block):
                    after[_joined(filled, state)] += ways * more
        states = after
    most, found = columns * rows - 6, Counter[tuple[int, int, int]]()
    for state, ways in states.items():
        if state.block and 2 * state.jiang + state.bing <= most:
            found[state.jiang, state.bing, state.style] += ways
    return found


class State(NamedTuple):
    """State of the rows that are filled, for the next row.

    covered: cells of the next row, as bits.
    block: whether the block was placed.
    jiang, bing, style: numbers of dominoes, singles, lying dominoes.
    """

    covered: int
    block: bool
    jiang: int
    bing: int
    style: int


def _joined(state: State, other: State) -> State:
    """The first state with the pieces of the other."""
    jiang, bing, style = (a + b for a, b in zip(state[2:], other[2:], strict=True))
    return State(state.covered, state.block or other.block, jiang, bing, style)


@cache
def _filled_rows(columns: int, covered: int, column: int, is_last: bool) -> Counter[State]:
    """The ways to fill a row from a column on, by what they hand down."""
    if column == columns:
        return Counter({State(0, False, 0, 0, 0): 1})
    if covered >> column & 1:
        return _filled_rows(columns, covered, column + 1, is_last)
    wide = column + 1 < columns and not covered >> column + 1 & 1
    pieces = [(1, State(0, False, 0, 0, 0)), (1, State(0, False, 0, 1, 0))]
    pieces += [(2, State(0, False, 1, 0, 1))] if wide else []
    pieces += [(1, State(1 << column, False, 1, 0, 0))] if not is_last else []
    pieces += [(2, State(3 << column, True, 0, 0, 0))] if wide and not is_last else []
    ways: Counter[State] = Counter()
    for width, piece in pieces:
        for rest, count in _filled_rows(columns, covered, column + width, is_last).items():
            if not (piece.block and rest.block):
                ways[_joined(rest, piece)._replace(covered=rest.covered | piece.covered)] += count
    return ways


def _walked(columns: int, rows: int) -> dict[str, int | None]:
    """The columns of a tray found by walking all its layouts with NumPy."""
    board = rules.Board(columns, rows)
    codes = np.array(sorted(Frame(columns, rows).layouts()), dtype=np.uint64)
    layouts = rules.Layouts(codes, board)
    ends = np.flatnonzero(layouts.anchors[rules.BLOCK] & board.exits)
    pieces = list(layouts.pieces())
    labels = folds.components(pieces, len(codes))
    sizes = np.unique(labels, return_counts=True)[1]
    found: dict[str, int | None] = {"groups": len(sizes), "largest_group": int(sizes.max())}
    for metric in METRICS:
        distances = folds.graph_of(pieces, len(codes), MOVES[metric]).distances(ends)
        hardest = int(distances.max())
        found |= {f"hardest_{metric}": hardest, f"hardest_{metric}_code": int(codes[distances == hardest].min())}
        found["solvable_layouts"] = int(np.count_nonzero(distances >= 0))
    return found


def _by_hand(row: Mapping[str, Any]) -> dict[str, int | None]:
    """The moves that the hardest layouts need, found by moving pieces as sets of cells."""
    frame = Frame(row["columns"], row["rows"])
    found: dict[str, int | None] = {}
    for metric in METRICS:
        distances = frame.distances([frame.decoded(row[f"hardest_{metric}_code"])], metric)
        moves = (moves for layout, moves in distances.items() if frame.solved(layout))
        found[f"hardest_{metric}"] = min(moves, default=None)
    return found
