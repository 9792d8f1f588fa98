"""Trays made again: layouts and classes counted, small trays enumerated and walked, larger ones solved by hand."""

import operator
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from boardspace.spaces.klotski import rules
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.trays.part import TRAYS
from boardspace.spec.equations import Making, Move
from boardspace.spec.second_rules import nearest_first, transfer
from boardspace.verify import folds

WHOLE_FRAME = 4_000_000
"""A tray of at most so many layouts is walked whole: half a minute."""
WHOLE_GROUP = 100_000
"""The hardest layouts of a larger tray are solved in plain Python where its groups have at most so many layouts."""
MOVES: Mapping[str, Move] = {"step": "chain", "straight_step": "straight", "unit_move": "unit"}
Row = dict[str, Any]

Sizes = Counter[tuple[int, int, int]]
"""Layouts by (dominoes, singles, lying dominoes)."""
Edge = tuple[int, ...]
"""Cells that are covered, from one on, as bits; then blocks, dominoes, singles, lying dominoes."""


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
        return row | _walked(*frame)
    largest = given.get("largest_group") or 0
    return row | (_by_hand(given, largest) if largest <= WHOLE_GROUP else {})


def class_sizes(columns: int, rows: int) -> Sizes:
    """Count the sizes of the classes of a tray cell after cell, each decided for all ways to decide those before it.

    These ways differ for what follows in the cells that they cover, as bits from the cell on, and in their pieces.
    """
    board = rules.Board(columns, rows)
    kinds = {
        rules.BLOCK: (1, 0, 0, 0),
        rules.LYING: (0, 1, 0, 1),
        rules.STANDING: (0, 1, 0, 0),
        rules.SINGLE: (0, 0, 1, 0),
    }

    def ways(cell: int, edge: Edge) -> Iterator[tuple[Edge, int]]:
        """Yield what may follow when a cell is passed, and when a piece that fits is laid there."""
        covered, *pieces = edge
        yield (covered >> 1, *pieces), 1
        for kind, added in kinds.items():
            shape = board.shapes[kind]
            if cell in board.places[kind] and not covered & shape and not (kind == rules.BLOCK and pieces[0]):
                yield ((covered | shape) >> 1, *map(operator.add, pieces, added)), 1

    most = board.cells - 4 - rules.EMPTIES
    none: Edge = (0, 0, 0, 0, 0)
    ends = transfer(none, range(board.cells), ways).items()
    return Counter({(a, b, c): n for (_, block, a, b, c), n in ends if block and 2 * a + b <= most})


def _walked(columns: int, rows: int) -> Row:
    """The columns of a tray found by walking all its layouts with NumPy, class by class, which moves do not leave."""
    board = rules.Board(columns, rows)
    codes = rules.all_codes(board)
    kinds = np.stack([*rules.class_of(rules.Layouts(codes, board)).values()], dtype=np.int64)
    kind = np.ravel_multi_index(tuple(kinds), [board.cells] * len(kinds))
    found: Row = dict.fromkeys(("groups", "largest_group", "solvable_layouts"), 0)
    farthest = dict.fromkeys(MOVES, (1, 0))
    for one in np.unique(kind).tolist():
        layouts = rules.Layouts(codes[kind == one], board)
        ends = np.flatnonzero(layouts.anchors[rules.BLOCK] & board.exits)
        pieces, count = list(layouts.pieces()), len(layouts.codes)
        sizes = np.bincount(folds.components(pieces, count))
        for metric, move in MOVES.items():
            distances = folds.graph_of(pieces, count, move).distances(ends)
            most = int(distances.max())
            farthest[metric] = min(farthest[metric], (-most, int(layouts.codes[distances == most].min())))
        found["groups"] += len(sizes)
        found["largest_group"] = max(found["largest_group"], int(sizes.max()))
        found["solvable_layouts"] += int(np.count_nonzero(distances >= 0))
    for metric, (most, code) in farthest.items():
        found |= {f"hardest_{metric}": -most, f"hardest_{metric}_code": code}
    return found


def _by_hand(row: Mapping[str, Any], most: int) -> dict[str, int | None]:
    """The moves that the hardest layouts need, found by moving pieces as sets of cells. ValueError where their groups
    have more than so many layouts."""
    board = rules.Board(row["columns"], row["rows"])
    found: dict[str, int | None] = {}
    for metric, move in MOVES.items():
        hardest = rules.Layouts(np.array([row[f"hardest_{metric}_code"]], np.uint64), board).layout(0)
        ways = nearest_first([hardest], partial(board.beside, move=move), most)
        found[f"hardest_{metric}"] = next((moves for layout, moves in ways if board.is_solved(layout)), None)
    return found
