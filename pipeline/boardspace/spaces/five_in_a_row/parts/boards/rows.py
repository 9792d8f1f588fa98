"""Rows of the tables, from boards that were solved."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from boardspace.spaces.five_in_a_row.config import SizedBoard
from boardspace.spaces.five_in_a_row.parts.boards.part import ADDITIONAL, CERTIFICATES, REFUTATIONS, RESULTS
from boardspace.spaces.five_in_a_row.proofs import as_json
from boardspace.spaces.five_in_a_row.refuted import Refutation
from boardspace.spec.space import Inputs
from boardspace_kernels.five_in_a_row.best_cells import Cells
from boardspace_kernels.five_in_a_row.lattice import lattice_placements, lattice_stones

ADDITIONAL_AT_MOST = 2_500
"""Pictures are made for boards with so few placements; the array holds them all."""


@dataclass(frozen=True)
class Lattice:
    """The construction on a board: stones of its best windows, and the windows."""

    stones: int
    windows: npt.NDArray[np.bool_]


def lattice_of(board: SizedBoard, cells: Cells) -> Lattice | None:
    """The construction on a board, None where k has no best cells or a side is below k."""
    if not len(cells) or board.columns < board.k:
        return None
    windows = lattice_placements(cells, board.rows, board.columns)
    return Lattice(lattice_stones(cells, board.rows, board.columns), windows)


def result_row(board: SizedBoard, lattice: Lattice | None, found: dict[str, Any]) -> dict[str, Any]:
    """A row of ``results``; ``found`` has stones, proof, placements and the rest that the search knows."""
    count = found["placements"]
    complete = None
    if lattice is not None:
        optimal = lattice.stones == found["stones"]
        complete = False if not optimal else None if count is None else int(count) == len(lattice.windows)
    return {
        "k": board.k,
        "rows": board.rows,
        "columns": board.columns,
        "formula": board.rows * board.columns // board.k,
        "lattice_stones": None if lattice is None else lattice.stones,
        "lattice_placements": None if lattice is None else len(lattice.windows),
        "complete": complete,
        "certified": None,
        "recounted": False,
        "refuted": None,
        "base_rows": None,
        "base_columns": None,
        **found,
    }


def results_table(rows: list[dict[str, Any]]) -> pa.Table:
    """Rows of ``results``."""
    return RESULTS.from_rows(rows)


def all_results(inputs: Inputs) -> list[dict[str, Any]]:
    """The rows of ``results`` that all stages wrote, stage by stage: the order in which claims name boards."""
    return [row for stage in ("boards", "carried", "joined") for row in inputs.read(stage, "results").to_pylist()]


def certificates_table(rows: list[tuple[SizedBoard, Any]]) -> pa.Table:
    """Boards and certificates."""
    return CERTIFICATES.from_columns(
        k=[board.k for board, _ in rows],
        rows=[board.rows for board, _ in rows],
        columns=[board.columns for board, _ in rows],
        certificate=[as_json(certificate) for _, certificate in rows],
    )


def refutations_table(refutations: Sequence[tuple[SizedBoard, Refutation]]) -> pa.Table:
    """Boards and what refutes one stone less."""
    boards = [board for board, _ in refutations]
    return REFUTATIONS.from_columns(
        k=[board.k for board in boards],
        rows=[board.rows for board in boards],
        columns=[board.columns for board in boards],
        stones=[refutation.stones for _, refutation in refutations],
        clauses=[len(refutation.clauses) for _, refutation in refutations],
        refutation=[refutation.text for _, refutation in refutations],
    )


def additional_rows(
    board: SizedBoard, lattice: Lattice | None, placements: npt.NDArray[np.bool_]
) -> list[dict[str, Any]]:
    """Rows of ``additional``: the optimal placements that are no lattice windows."""
    if lattice is None or len(placements) > ADDITIONAL_AT_MOST:
        return []
    windows = {window.tobytes() for window in lattice.windows}
    return [
        {"k": board.k, "rows": board.rows, "columns": board.columns, "placement": i, "picture": picture(placement)}
        for i, placement in enumerate(placements)
        if placement.tobytes() not in windows
    ]


def additional_table(rows: list[dict[str, Any]]) -> pa.Table:
    """Rows of ``additional``."""
    return ADDITIONAL.from_rows(rows)


def picture(placement: npt.NDArray[np.bool_]) -> str:
    """A placement on one line."""
    return "/".join("".join(".#"[stone] for stone in row) for row in placement.astype(int))
