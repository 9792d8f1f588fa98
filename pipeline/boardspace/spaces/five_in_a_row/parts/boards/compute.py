"""Solves boards, each by itself: minimum, proof, count and placements."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard
from boardspace.spaces.five_in_a_row.errors import explained
from boardspace.spaces.five_in_a_row.packing import FACT, packed
from boardspace.spaces.five_in_a_row.parts.boards.costs import SECONDS_PER_CONFLICT, seconds
from boardspace.spaces.five_in_a_row.parts.boards.rows import (
    additional_rows,
    additional_table,
    certificates_table,
    lattice_of,
    refutations_table,
    result_row,
    results_table,
)
from boardspace.spaces.five_in_a_row.proofs import by_search, certified_by, counted_twice
from boardspace.spaces.five_in_a_row.refuted import refuted
from boardspace.spaces.five_in_a_row.texts import progress
from boardspace.spec.space import Inputs, Json, Output, Shard
from boardspace_kernels.five_in_a_row.best_cells import best_cells
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.certificate import certificate, thin_certificate
from boardspace_kernels.five_in_a_row.minimum import Solution, solve
from boardspace_kernels.five_in_a_row.orbits import count_classes
from boardspace_kernels.five_in_a_row.thin import thin_rule

SHARD_SECONDS = 1.0
THIN_STATES = 50_000
"""Boards with a side below k go by the rule alone where the search would meet more states than this."""


def cut_boards(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """Boards of one k and as many rows, in runs of neighbouring columns worth a second; single boards alone."""
    shards = []
    for k, side in config.squares:
        for rows in range(1, side + 1):
            for columns in _runs([SizedBoard(k, rows, m) for m in range(1, rows + 1)]):
                boards = [SizedBoard(k, rows, m) for m in columns]
                shards.append(_shard(boards))
    refuting = config.refuted_conflicts * SECONDS_PER_CONFLICT
    return [*shards, *(_shard([board], refuting) for board in config.boards)]


def _runs(boards: list[SizedBoard]) -> Iterator[list[int]]:
    run: list[SizedBoard] = []
    for board in boards:
        if run and sum(map(seconds, run)) + seconds(board) > SHARD_SECONDS:
            yield [one.columns for one in run]
            run = []
        run.append(board)
    yield [one.columns for one in run]


def _shard(boards: list[SizedBoard], more_seconds: float = 0.0) -> Shard:
    params: dict[str, Json] = {"k": boards[0].k, "rows": boards[0].rows, "columns": [board.columns for board in boards]}
    return Shard(boards[0].name, params, cost=sum(map(seconds, boards)) + more_seconds)


def solve_boards(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Minimum, proof, count and placements of some boards."""
    cells = best_cells(params["k"])
    rows, certificates, refutations, additional, listed = [], [], [], [], []
    for columns in params["columns"]:
        board = SizedBoard(params["k"], params["rows"], columns)
        lattice = lattice_of(board, cells)
        solution = solved(config, board, inputs.report)
        if solution is None:
            proof = thin_certificate(Board((board.rows, board.columns), board.k))
            rows.append(result_row(board, lattice, by_rule(board) | {"certified": certified_by(proof)}))
            certificates.append((board, proof))
            continue
        inputs.report(f"{board.rows} x {board.columns}: certificate and second count")
        with explained():
            proof = certificate(solution)
        found = by_search(solution)
        found |= {"certified": certified_by(proof), "recounted": counted_twice(config, proof)}
        refutation = refuted(config, solution.board, found, inputs.report)
        if refutation is not None:
            found["refuted"] = len(refutation.clauses)
            refutations.append((board, refutation))
        if solution.count <= config.listed:
            placements = solution.placements(config.listed)
            found |= {"classes": str(count_classes(solution.board, placements)), "listed": True}
            listed.append((board, placements))
            additional += additional_rows(board, lattice, placements)
        elif is_thin(board):
            found["classes"] = by_rule(board)["classes"]
        rows.append(result_row(board, lattice, found))
        certificates.append((board, proof))
    content, facts = packed(listed)
    tables = {
        "results": results_table(rows),
        "certificates": certificates_table(certificates),
        "refutations": refutations_table(refutations),
        "additional": additional_table(additional),
        "packed": content,
    }
    return Output({name: table for name, table in tables.items() if table.num_rows}, facts={FACT: facts})


def solved(config: FiveInARowConfig, board: SizedBoard, report: Callable[[str], None]) -> Solution | None:
    """A board by search, which reports its progress; None where only the rule for thin boards is practical: that has a
    placement to show."""
    if is_thin(board) and board.k**board.columns > THIN_STATES:
        return None
    name = f"{board.rows} x {board.columns}"
    report(f"{name}: the root bound")
    with explained():
        solution = solve(
            Board((board.rows, board.columns), board.k),
            config.memory_mb * 1_000_000,
            lambda row: report(f"{name} {progress(row)}"),
        )
    return None if is_thin(board) and solution.sweeps[-1].diagram is None else solution


def is_thin(board: SizedBoard) -> bool:
    """True where only one direction has lines, or none."""
    return board.columns < board.k


def by_rule(board: SizedBoard) -> dict[str, Any]:
    """Values of a row by the rule for thin boards."""
    rule = thin_rule(Board((board.rows, board.columns), board.k))
    return {
        "stones": rule.minimum,
        "proof": "rule",
        "placements": str(rule.count),
        "classes": str(rule.classes),
        "bound": rule.minimum << 30,
        "searches": 0,
        "states": 0,
        "peak": 0,
        "listed": False,
    }
