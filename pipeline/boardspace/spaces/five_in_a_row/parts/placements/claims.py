"""Section 3.4 of the source, all optimal placements, and table 2."""

from collections.abc import Mapping
from itertools import product

import numpy as np

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard
from boardspace.spaces.five_in_a_row.parts.boards.carried import all_boards
from boardspace.spaces.five_in_a_row.parts.boards.claims import NAMED, Rows, boards_in_words
from boardspace.spaces.five_in_a_row.parts.boards.compute import all_results
from boardspace.spaces.five_in_a_row.parts.placements.packed import listed_placements
from boardspace.spec.space import Inputs, Measurement, Verdict, by_proof, by_sample

TABLE_2 = ((6, 7), (13, 17), (25, 25), (81, 81), (192, 193))
BLOCKS_TO = 15
"""Blocks of the placements of boards with so many rows are looked at."""


def measure(config: FiveInARowConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Completeness of the windows, statements of its proof on blocks of placements, and the source's figures."""
    five = [row for row in all_results(inputs) if row["k"] == 5]
    full = [row for row in five if row["columns"] >= 5 and row["complete"] is not None]
    return (_completeness(inputs, full) if full else {}) | _table_2(five)


def _completeness(inputs: Inputs, full: Rows) -> dict[str, Measurement]:
    more = [row for row in full if not row["complete"]]
    texts = "; ".join(
        f"{row['rows']} x {row['columns']} has {row['placements']}, {row['lattice_placements']} of them windows"
        for row in more[:NAMED]
    )
    _, carried = all_boards(inputs, 5)
    looked = f"{'' if carried else 'a sample of '}{boards_in_words(full)}"
    evidence = f"{looked}: {texts or 'none has more'}{_first_additional(inputs)}. {carried}"
    found = _blocks(inputs, full)
    rich = {board: int((blocks.sum(axis=(3, 4)) > 5).sum()) for board, blocks in found.items()}
    uneven = {board: int((~_one_each(blocks)).sum()) for board, blocks in found.items()}
    others = {board: int((~_best_cells(blocks)).sum()) for board, blocks in found.items()}
    mixed = {board: _mixed(blocks) for board, blocks in found.items()}
    total = sum(blocks[..., 0, 0].size for blocks in found.values())
    rows = [row for row in full if f"{row['rows']} x {row['columns']}" in found]
    looked_at = f"a sample of {total:,} blocks, all those of the placements of {boards_in_words(rows)}"
    placements = sum(len(blocks) for blocks in found.values())
    return {
        "method-complete-five": by_sample(sum(rich.values()), looked_at + _where(rich)),
        "method-complete-rows": by_sample(sum(uneven.values()), looked_at + _where(uneven)),
        "method-complete-step": by_sample(sum(others.values()), looked_at + _where(others)),
        "method-complete-same": by_sample(
            sum(mixed.values()),
            f"a sample of {placements:,} placements of {boards_in_words(rows)}, those with nothing but best cells in "
            f"their blocks{_where(mixed)}",
        ),
        "method-complete": Measurement(len(more), evidence, None, "proof" if carried else "sample"),
    }


def _where(numbers: Mapping[str, int]) -> str:
    return "".join(f"; {number} on {board}" for board, number in numbers.items() if number)


def _first_additional(inputs: Inputs) -> str:
    for row in inputs.read("boards", "additional").to_pylist():
        if row["k"] == 5:
            return f", such as {row['picture']}"
    return ""


def _blocks(inputs: Inputs, rows: Rows) -> dict[str, np.ndarray]:
    """(placements, N - 4, M - 4, 5, 5) bool: the 5 x 5 blocks of the listed placements, by board, to 15 rows."""
    blocks, listed = {}, listed_placements(inputs)
    for row in rows:
        if row["listed"] and row["rows"] <= BLOCKS_TO:
            board = SizedBoard(5, row["rows"], row["columns"])
            placements = np.unpackbits(listed[board], axis=2, count=board.columns).astype(bool)
            views = np.lib.stride_tricks.sliding_window_view(placements, (5, 5), axis=(1, 2))
            blocks[f"{board.rows} x {board.columns}"] = views
    return blocks


def _one_each(blocks: np.ndarray) -> np.ndarray:
    """(...): which blocks (..., 5, 5) have one stone in every row and every column."""
    return np.asarray((blocks.sum(axis=-1) == 1).all(axis=-1) & (blocks.sum(axis=-2) == 1).all(axis=-1))


def _best_cells(blocks: np.ndarray) -> np.ndarray:
    """(...): which blocks (..., 5, 5) have one stone on each of the 20 wrapped lines."""
    y, x = np.indices((5, 5))
    once = [blocks[..., (line % 5) == i].sum(axis=-1) == 1 for line in (y, x, x - y, x + y) for i in range(5)]
    return np.asarray(np.logical_and.reduce(once))


def _mixed(blocks: np.ndarray) -> int:
    """Number of placements that have best cells only in their blocks, but of two different lattices."""
    whole = _best_cells(blocks).all(axis=(1, 2))
    same = np.ones(len(blocks), dtype=bool)
    for y, x in product(range(blocks.shape[1]), range(blocks.shape[2])):
        same &= (np.roll(blocks[:, y, x], (y, x), axis=(1, 2)) == blocks[:, 0, 0]).all(axis=(1, 2))
    return int((whole & ~same).sum())


def _table_2(five: Rows) -> dict[str, Measurement]:
    found = {(row["columns"], row["rows"]): row for row in five}
    measured = {}
    for small, large in TABLE_2:
        if (small, large) not in found:
            continue
        row = found[small, large]
        how = {
            "bound": "dual bound, and an exhaustive search that lists the placements",
            "search": "exhaustive searches",
            "carried": f"carried from {row['base_rows']} x {row['base_columns']}, and the lattice windows",
        }[row["proof"]]
        name = f"table-2-{small}-{large}"
        slip, verdict = _forgotten_five(small, large, row["stones"])
        evidence = f"{how}; floor({small} x {large} / 5) = {row['formula']}{slip}"
        measured[f"{name}-stones"] = by_proof(row["stones"], evidence, verdict)
        measured[f"{name}-placements"] = by_proof(row["placements"], how)
    if (6, 7) in found:
        measured["matrix-1-2"] = by_proof([0, found[6, 7]["stones"]], "A(1, 2) and the search of 6 x 7")
    if (13, 17) in found:
        windows = found[13, 17]["lattice_placements"]
        value = [windows // 2, windows, int(found[13, 17]["placements"])]
        measured["placements-13-17"] = by_proof(
            value, "windows in one direction, in both, and all placements, by search"
        )
    return measured


def _forgotten_five(small: int, large: int, stones: int) -> tuple[str, Verdict | None]:
    """Diagnosis and verdict where the printed number is the formula without its factor 5."""
    printed = {(81, 81): 288, (192, 193): 1635}.get((small, large))
    (a, i), (b, j) = divmod(small, 5), divmod(large, 5)
    without = a * b + i * b + j * a + i * j // 5
    if printed is None or printed != without or stones != without + 4 * a * b:
        return "", None
    return (
        f"; the printed {printed} is ab + a1 b + b1 a + A = {a * b} + {i * b} + {j * a} + {i * j // 5}: the factor 5 "
        f"of 5ab was forgotten, with it the source's own formula gives {stones}",
        "corrected",
    )
