"""Checks of trays: layouts and classes counted row by row, small trays enumerated and walked, larger ones solved."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from boardspace.spaces.klotski import rules
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.frame import METRICS, STEP, STRAIGHT, UNIT, Frame
from boardspace.spec.equations import Move
from boardspace.spec.space import Draw, Inputs, Outcome
from boardspace.verify import folds

WHOLE_FRAME = 400_000
"""A tray of at most so many layouts is walked whole."""
BY_HAND = 10_000
"""A tray of at most so many is enumerated and moved in plain Python as well."""
WHOLE_GROUP = 100_000
"""The hardest layouts of a larger tray are solved in plain Python where its groups have at most so many layouts."""
MOVES: Mapping[str, Move] = {STEP: "chain", STRAIGHT: "straight", UNIT: "unit"}
FRAME, COUNTED = ("columns", "rows"), ("layouts", "classes")

Sizes = Counter[tuple[int, int, int]]
"""Layouts by (dominoes, singles, lying dominoes)."""


def check_trays(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """All rows: counted, and made again as far as NumPy goes; rows of larger trays do not count as tried."""
    if not config.trays:
        return Outcome(0, 0)
    rows = inputs.table("trays").to_pylist()
    if [(row["columns"], row["rows"]) for row in rows] != sorted(set(config.trays)):
        return Outcome(len(rows), len(rows), "the rows are not those of the trays of the configuration")
    tried = 0
    for row in rows:
        layouts, expected = _counted(row), _made_anew(config, row, draw.everything)
        fault = next(filter(None, (_difference(row, one) for one in (layouts, *expected))), "")
        if fault:
            return Outcome(tried + 1, len(rows), fault)
        tried += any(one.keys() == _searched(row) for one in expected)
    return Outcome(tried, len(rows))


def _searched(row: dict[str, Any]) -> set[str]:
    """The columns that say what was found of a tray by going through its layouts."""
    return row.keys() - {*FRAME, *COUNTED}


def _counted(row: dict[str, Any]) -> Mapping[str, int]:
    sizes = class_sizes(row["columns"], row["rows"])
    return {"layouts": sum(sizes.values()), "classes": len(sizes)}


def _made_anew(config: KlotskiConfig, row: dict[str, Any], everything: bool) -> list[Mapping[str, int | None]]:
    """Columns of a row, found by other means: nothing of a tray that is too large for that."""
    layouts = row["layouts"]
    if layouts > config.tray_layouts:
        return [dict.fromkeys(_searched(row))]
    found: list[Mapping[str, int | None]] = []
    if layouts <= WHOLE_FRAME or everything:
        found.append(_walked(row["columns"], row["rows"]))
    if layouts <= BY_HAND or (layouts > WHOLE_FRAME and row["largest_group"] <= WHOLE_GROUP):
        found.append(_by_hand(row))
    return found


def _difference(row: Mapping[str, Any], expected: Mapping[str, int | None]) -> str:
    """The first column in which a row differs from what was found, or ''."""
    for column, value in expected.items():
        if row[column] != value:
            return f"{row['columns']} x {row['rows']}: {column} is {value}, the table says {row[column]}"
    return ""


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
