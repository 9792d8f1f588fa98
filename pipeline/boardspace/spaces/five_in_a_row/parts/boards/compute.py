"""Solves boards, each by itself: minimum, proof, count and placements, as rows of the tables."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard
from boardspace.spaces.five_in_a_row.drawings import board_lines, explained, progress
from boardspace.spaces.five_in_a_row.parts.boards.part import (
    ADDITIONAL,
    CERTIFICATES,
    REFUTATIONS,
    RESULTS,
    SECONDS_PER_CONFLICT,
    board_seconds,
)
from boardspace.spaces.five_in_a_row.parts.placements.packed import FACT, packed
from boardspace.spaces.five_in_a_row.proofs import as_json, by_search, certified_by, with_proofs
from boardspace.spec.space import Inputs, Json, Output, Shard
from boardspace.spec.stage import fitting
from boardspace_kernels.five_in_a_row.best_cells import Cells, best_cells
from boardspace_kernels.five_in_a_row.board import Board, count_classes
from boardspace_kernels.five_in_a_row.certificate import certificate, thin_certificate
from boardspace_kernels.five_in_a_row.minimum import Solution, solve, thin_rule
from boardspace_kernels.five_in_a_row.periodic import lattice_placements

ADDITIONAL_AT_MOST = 2_500
"""Pictures are made for boards with so few placements; the array holds them all."""
SHARD_SECONDS = 1.5
THIN_STATES = 50_000
"""Boards with a side below k go by the rule alone where the search would meet more states than this."""


Windows = npt.NDArray[np.bool_]


def lattice_of(board: SizedBoard, cells: Cells) -> Windows | None:
    """The construction on a board: its best windows, (n, rows, columns); None where k has no best cells or a side is
    below k."""
    return lattice_placements(cells, board.rows, board.columns) if len(cells) and board.columns >= board.k else None


def result_row(board: SizedBoard, windows: Windows | None, found: dict[str, Any]) -> dict[str, Any]:
    """A row of ``results``; ``found`` has stones, proof, placements and the rest that the search knows."""
    count = found["placements"]
    stones = number = complete = None
    if windows is not None:
        stones, number = int(windows[0].sum()), len(windows)
        complete = False if stones != found["stones"] else None if count is None else int(count) == number
    return {
        **board._asdict(),
        "formula": board.rows * board.columns // board.k,
        "lattice_stones": stones,
        "lattice_placements": number,
        "complete": complete,
        **dict.fromkeys(("certificate", "certified", "refutation", "refuted", "classes", "base_rows", "base_columns")),
        **dict.fromkeys(("recounted", "listed"), False),
        **dict.fromkeys(("searches", "states", "peak"), 0),
        **found,
    }


def all_results(inputs: Inputs) -> list[dict[str, Any]]:
    """The rows of ``results`` that all stages wrote, stage by stage: the order in which claims name boards."""
    return [row for stage in ("boards", "carried", "joined") for row in inputs.read(stage, "results").to_pylist()]


def proved_tables(rows: Sequence[dict[str, Any]]) -> dict[str, pa.Table]:
    """Tables of boards, their certificates, and what refutes one stone less; without those that have no row."""
    certified = [row for row in rows if row["certificate"]]
    refuted = [row | {"stones": row["stones"] - 1, "clauses": row["refuted"]} for row in rows if row["refutation"]]
    tables = {
        "results": RESULTS.from_rows(rows),
        "certificates": CERTIFICATES.from_rows(certified),
        "refutations": REFUTATIONS.from_rows(refuted),
    }
    return {name: table for name, table in tables.items() if table.num_rows}


def additional_rows(
    board: SizedBoard, lattice: Windows | None, placements: npt.NDArray[np.bool_]
) -> list[dict[str, Any]]:
    """Rows of ``additional``: the optimal placements that are no lattice windows."""
    if lattice is None or len(placements) > ADDITIONAL_AT_MOST:
        return []
    windows = {window.tobytes() for window in lattice}
    return [
        {**board._asdict(), "placement": i, "picture": "/".join(board_lines(placement))}
        for i, placement in enumerate(placements)
        if placement.tobytes() not in windows
    ]


def cut_boards(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """Boards of one k and as many rows, in runs of neighbouring columns worth SHARD_SECONDS; single boards alone."""
    shards = list[Shard]()
    for k, side in config.squares:
        for rows in range(1, side + 1):
            boards = (SizedBoard(k, rows, m) for m in range(1, rows + 1))
            shards += map(_shard, fitting(boards, board_seconds, SHARD_SECONDS))
    refuting = config.refuted_conflicts * SECONDS_PER_CONFLICT
    return [*shards, *(_shard([board], refuting) for board in config.boards)]


def _shard(boards: list[SizedBoard], more_seconds: float = 0.0) -> Shard:
    params: dict[str, Json] = {"k": boards[0].k, "rows": boards[0].rows, "columns": [board.columns for board in boards]}
    return Shard(boards[0].name, params, cost=sum(map(board_seconds, boards)) + more_seconds)


def solve_boards(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Minimum, proof, count and placements of some boards."""
    cells = best_cells(params["k"])
    rows, additional, listed = [], [], []
    for columns in params["columns"]:
        board = SizedBoard(params["k"], params["rows"], columns)
        lattice = lattice_of(board, cells)
        solution = solved(config, board, inputs.report)
        if solution is None:
            proof = thin_certificate(Board((board.rows, board.columns), board.k))
            found = by_rule(board) | {"certificate": as_json(proof), "certified": certified_by(proof)}
            rows.append(result_row(board, lattice, found))
            continue
        inputs.report(f"{board.rows} x {board.columns}: certificate and second count")
        with explained():
            proof = certificate(solution)
        found = with_proofs(config, solution.board, by_search(solution), proof, inputs.report)
        if solution.count <= config.listed:
            placements = solution.placements(config.listed)
            found |= {"classes": str(count_classes(solution.board, placements)), "listed": True}
            listed.append((board, placements))
            additional += additional_rows(board, lattice, placements)
        elif board.columns < board.k:
            found["classes"] = by_rule(board)["classes"]
        rows.append(result_row(board, lattice, found))
    content, facts = packed(listed)
    others = {"additional": ADDITIONAL.from_rows(additional), "packed": content}
    tables = proved_tables(rows) | {name: table for name, table in others.items() if table.num_rows}
    return Output(tables, facts={FACT: facts})


def solved(config: FiveInARowConfig, board: SizedBoard, report: Callable[[str], None]) -> Solution | None:
    """A board by search, which reports its progress; None where only the rule for thin boards is practical: that has a
    placement to show."""
    is_thin = board.columns < board.k
    if is_thin and board.k**board.columns > THIN_STATES:
        return None
    name = f"{board.rows} x {board.columns}"
    report(f"{name}: the root bound")
    with explained():
        solution = solve(
            Board((board.rows, board.columns), board.k),
            config.memory_mb * 1_000_000,
            lambda row: report(f"{name} {progress(row)}"),
        )
    return None if is_thin and solution.sweeps[-1].diagram is None else solution


def by_rule(board: SizedBoard) -> dict[str, Any]:
    """Values of a row by the rule for thin boards."""
    rule = thin_rule(Board((board.rows, board.columns), board.k))
    return {
        "stones": rule.minimum,
        "proof": "rule",
        "placements": str(rule.count),
        "classes": str(rule.classes),
        "bound": rule.minimum << 30,
    }
