"""Proves large boards from small ones, and tells what the boards of a run prove of all."""

import json
from collections.abc import Mapping
from typing import Any

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard
from boardspace.spaces.five_in_a_row.parts.boards.compute import lattice_of, proved_tables, result_row
from boardspace.spaces.five_in_a_row.parts.placements.packed import FACT, packed
from boardspace.spaces.five_in_a_row.proofs import as_json, certified_by
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Inputs, Output, Shard
from boardspace_kernels.five_in_a_row.best_cells import best_cells
from boardspace_kernels.five_in_a_row.board import Board, count_classes
from boardspace_kernels.five_in_a_row.certificate import carried_certificate
from boardspace_kernels.five_in_a_row.periodic import (
    Computed,
    Sides,
    completeness_from,
    least_side,
    stones_from,
    theorem,
)


def computed_boards(inputs: Inputs, k: int) -> dict[Sides, Computed]:
    """Findings of the searches of this run on the boards of k, both ways round."""
    found = {}
    for row in inputs.read("boards", "results").to_pylist():
        if row["k"] == k and row["columns"] >= k and row["lattice_stones"] is not None:
            one = Computed(row["lattice_stones"] == row["stones"], bool(row["complete"]))
            found[row["rows"], row["columns"]] = found[row["columns"], row["rows"]] = one
    return found


def all_boards(inputs: Inputs, k: int) -> tuple[str, str]:
    """Theorems on all boards that the computed ones prove, in words: of the stones, and of placements; '' for none."""
    proved = theorem(k, computed_boards(inputs, k))
    up_to = f"The boards up to {proved.side} x {proved.side} prove it for all boards"
    stones = f"{up_to}: {k} more rows cost exactly M stones." if proved.stones else ""
    if proved.incomplete is None:
        return stones, ""
    named = ", ".join(f"{n} x {m}" for n, m in proved.incomplete)
    return stones, (
        f"The boards up to {proved.side} x {proved.side} prove completeness for all other boards, of any size, than "
        f"{named}: two optimal windows that share {least_side(k) - k} rows of {k} cells are windows of one "
        f"lattice, since so many rows tell a best cell of order {k}."
    )


def cut_carried(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each large board."""
    return [Shard(board.name, {"board": list(board)}, cost=0.2) for board in config.carried]


def carry(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """A large board from the smallest computed one that proves it: stones, and the lattice windows if they are
    all."""
    board = SizedBoard(*params["board"])
    computed = computed_boards(inputs, board.k)
    sides = board.rows, board.columns
    windows = lattice_of(board, best_cells(board.k))
    complete = completeness_from(board.k, sides, computed)
    base = complete or stones_from(board.k, sides, computed)
    if base is None or windows is None:
        raise BoardspaceError(
            f"carried: {board.rows} x {board.columns}, k = {board.k}, is proved by none of the boards of this run: on "
            "each of those from which it could follow, fewer stones suffice than the construction has"
        )
    listed = complete is not None and len(windows) <= config.listed
    given = _certificate_of(inputs, board.k, base)
    proof = (
        carried_certificate(given, Board(sides, board.k), base, windows[0])
        if given["proof"] == "bound" and not given["strips"]
        else None
    )
    stones, all_windows = int(windows[0].sum()), complete is not None
    found = {
        "stones": stones,
        "proof": "carried",
        "placements": str(len(windows)) if all_windows else None,
        "classes": str(count_classes(Board(sides, board.k), windows)) if all_windows else None,
        "bound": stones << 30,
        "base_rows": base[0],
        "base_columns": base[1],
        "certificate": None if proof is None else as_json(proof),
        "certified": certified_by(proof),
        "listed": listed,
    }
    content, facts = packed([(board, windows)] if listed else [])
    tables = proved_tables([result_row(board, windows, found)])
    return Output(tables | {"packed": content} if listed else tables, facts={FACT: facts})


def _certificate_of(inputs: Inputs, k: int, sides: Sides) -> dict[str, Any]:
    """The certificate of a board of this run, given either way round."""
    rows, columns = max(sides), min(sides)
    for row in inputs.read("boards", "certificates", between=(k, k + 1)).to_pylist():
        if (row["k"], row["rows"], row["columns"]) == (k, rows, columns):
            found: dict[str, Any] = json.loads(row["certificate"])
            return found
    raise BoardspaceError(f"carried: this run has no certificate of {rows} x {columns}, k = {k}")
