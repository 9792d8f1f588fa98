"""Stages ``boards`` and ``boxes``: every board solved by itself, and ``carried``: large ones proved from small
ones."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard
from boardspace.spaces.five_in_a_row.errors import explained
from boardspace.spaces.five_in_a_row.listing import FACT, packed
from boardspace.spaces.five_in_a_row.proofs import certified_by, counted_twice
from boardspace.spaces.five_in_a_row.refuted import refutations_table, refuted
from boardspace.spaces.five_in_a_row.rows import (
    additional_rows,
    additional_table,
    as_json,
    certificates_table,
    lattice_of,
    result_row,
    results_table,
    table_of,
)
from boardspace.spaces.five_in_a_row.tables import BOXES
from boardspace.spaces.five_in_a_row.texts import how_far
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Inputs, Json, Output, Shard

if TYPE_CHECKING:
    from boardspace_kernels.five_in_a_row.minimum import Solution
    from boardspace_kernels.five_in_a_row.periodic import Computed, Sides

SHARD_SECONDS = 1.0
THIN_STATES = 50_000
"""Boards with a side below k go by the rule alone where the search would meet more states than this."""

HARD = {
    2: (18, 0.5, 1.5),
    3: (14, 4.0, 1.5),
    4: (12, 40.0, 8.0),
    6: (12, 10.0, 8.0),
    8: (12, 3.0, 3.5),
    9: (13, 110.0, 5.0),
    10: (12, 0.6, 5.0),
    11: (12, 3.0, 5.0),
    12: (13, 5.2, 10.0),
    13: (14, 24.0, 4.0),
}
"""By k: a number of columns, about how many seconds such a board takes, and by how much each column more multiplies
it."""


def seconds(board: SizedBoard) -> float:
    """About how long a board takes, on one core."""
    columns, base, growth = HARD.get(board.k, (25, 0.1, 1.1))
    return 0.008 + 3e-5 * board.rows * board.columns + base * growth ** (board.columns - columns)


def cut_boards(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """Boards of one k and as many rows, in runs of neighbouring columns worth a second; single boards alone."""
    shards = []
    for k, side in config.squares:
        for rows in range(1, side + 1):
            for columns in _runs([SizedBoard(k, rows, m) for m in range(1, rows + 1)]):
                boards = [SizedBoard(k, rows, m) for m in columns]
                shards.append(_shard(boards))
    return [*shards, *(_shard([board]) for board in config.boards)]


def _runs(boards: list[SizedBoard]) -> Iterator[list[int]]:
    run: list[SizedBoard] = []
    for board in boards:
        if run and sum(map(seconds, run)) + seconds(board) > SHARD_SECONDS:
            yield [one.columns for one in run]
            run = []
        run.append(board)
    yield [one.columns for one in run]


def _shard(boards: list[SizedBoard]) -> Shard:
    params: dict[str, Json] = {"k": boards[0].k, "rows": boards[0].rows, "columns": [board.columns for board in boards]}
    return Shard(boards[0].name, params, cost=sum(map(seconds, boards)))


def solve_boards(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Minimum, proof, count and placements of some boards."""
    from boardspace_kernels.five_in_a_row.best_cells import best_cells
    from boardspace_kernels.five_in_a_row.board import Board
    from boardspace_kernels.five_in_a_row.certificate import certificate, thin_certificate
    from boardspace_kernels.five_in_a_row.orbits import count_classes

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


def solved(config: FiveInARowConfig, board: SizedBoard, report: Callable[[str], None]) -> "Solution | None":
    """A board by search, which says how far it is; None where only the rule for thin boards is practical: that has a
    placement to show."""
    from boardspace_kernels.five_in_a_row.board import Board
    from boardspace_kernels.five_in_a_row.minimum import solve

    if is_thin(board) and board.k**board.columns > THIN_STATES:
        return None
    name = f"{board.rows} x {board.columns}"
    report(f"{name}: the root bound")
    with explained():
        solution = solve(
            Board((board.rows, board.columns), board.k),
            config.memory_mb * 1_000_000,
            lambda row: report(f"{name} {how_far(row)}"),
        )
    return None if is_thin(board) and solution.sweeps[-1].diagram is None else solution


def is_thin(board: SizedBoard) -> bool:
    """Whether only one direction has lines, or none."""
    return board.columns < board.k


def by_search(solution: "Solution") -> dict[str, Any]:
    """What a search found, but for classes, as values of a row."""
    return {
        "stones": solution.minimum,
        "proof": solution.proof,
        "placements": str(solution.count),
        "classes": None,
        "bound": solution.prepared.floor,
        "searches": len(solution.sweeps),
        "states": solution.states,
        "peak": solution.peak,
        "listed": False,
    }


def by_rule(board: SizedBoard) -> dict[str, Any]:
    """What the rule for thin boards says, as values of a row."""
    from boardspace_kernels.five_in_a_row.board import Board
    from boardspace_kernels.five_in_a_row.thin import thin_rule

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


def cut_carried(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each large board."""
    return [Shard(board.name, {"board": list(board)}, cost=0.2) for board in config.carried]


def carry(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """A large board from the smallest computed one that proves it: stones, and the lattice windows if they are
    all."""
    from boardspace_kernels.five_in_a_row.best_cells import best_cells
    from boardspace_kernels.five_in_a_row.board import Board
    from boardspace_kernels.five_in_a_row.certificate import carried_certificate
    from boardspace_kernels.five_in_a_row.orbits import count_classes
    from boardspace_kernels.five_in_a_row.periodic import completeness_from, stones_from

    board = SizedBoard(*params["board"])
    computed = computed_boards(inputs, board.k)
    sides = board.rows, board.columns
    lattice = lattice_of(board, best_cells(board.k))
    complete = completeness_from(board.k, sides, computed)
    base = complete or stones_from(board.k, sides, computed)
    if base is None or lattice is None:
        raise BoardspaceError(
            f"carried: {board.rows} x {board.columns}, k = {board.k}, is proved by none of the boards of this run: on "
            "each of those from which it could follow, fewer stones suffice than the construction has"
        )
    listed = complete is not None and len(lattice.windows) <= config.listed
    given = _certificate_of(inputs, board.k, base)
    proof = (
        carried_certificate(given, Board(sides, board.k), base, lattice.windows[0])
        if given["proof"] == "bound" and not given["strips"]
        else None
    )
    found = {
        "stones": lattice.stones,
        "proof": "carried",
        "certified": certified_by(proof),
        "placements": str(len(lattice.windows)) if complete else None,
        "classes": str(count_classes(Board(sides, board.k), lattice.windows)) if complete else None,
        "bound": lattice.stones << 30,
        "searches": 0,
        "states": 0,
        "peak": 0,
        "listed": listed,
        "base_rows": base[0],
        "base_columns": base[1],
    }
    content, facts = packed([(board, lattice.windows)] if listed else [])
    tables = {"results": results_table([result_row(board, lattice, found)])}
    if listed:
        tables["packed"] = content
    if proof is not None:
        tables["certificates"] = certificates_table([(board, proof)])
    return Output(tables, facts={FACT: facts})


def _certificate_of(inputs: Inputs, k: int, sides: "Sides") -> dict[str, Any]:
    """The certificate of a board of this run, given either way round."""
    rows, columns = max(sides), min(sides)
    for row in inputs.read("boards", "certificates", between=(k, k + 1)).to_pylist():
        if (row["k"], row["rows"], row["columns"]) == (k, rows, columns):
            found: dict[str, Any] = json.loads(row["certificate"])
            return found
    raise BoardspaceError(f"carried: this run has no certificate of {rows} x {columns}, k = {k}")


def computed_boards(inputs: Inputs, k: int) -> "dict[Sides, Computed]":
    """What the searches of this run said of the boards of k, both ways round."""
    from boardspace_kernels.five_in_a_row.periodic import Computed

    found = {}
    for row in inputs.read("boards", "results").to_pylist():
        if row["k"] == k and row["columns"] >= k and row["lattice_stones"] is not None:
            one = Computed(row["lattice_stones"] == row["stones"], bool(row["complete"]))
            found[row["rows"], row["columns"]] = found[row["columns"], row["rows"]] = one
    return found


def cut_boxes(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each box."""
    boxes = sorted({(k, *sorted(sides, reverse=True)) for k, *sides in config.boxes})
    return [
        Shard(f"k{k:02}-{a}x{b}x{c}", {"k": k, "sides": [a, b, c]}, cost=3.5e-7 * (a * b * c) ** 4 * (k / 3) ** 8)
        for k, a, b, c in boxes
    ]


def solve_box(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Minimum, proof and count of one box."""
    from boardspace_kernels.five_in_a_row.board import Board
    from boardspace_kernels.five_in_a_row.certificate import certificate
    from boardspace_kernels.five_in_a_row.minimum import solve
    from boardspace_kernels.five_in_a_row.orbits import count_classes

    with explained():
        board = Board(tuple(params["sides"]), params["k"])
        solution = solve(board, config.memory_mb * 1_000_000, lambda row: inputs.report(how_far(row)))
        proof = certificate(solution)
    row = by_search(solution) | dict(zip("abc", params["sides"], strict=True)) | {"k": params["k"]}
    row |= {"certified": certified_by(proof), "recounted": counted_twice(config, proof), "certificate": as_json(proof)}
    row |= {"refuted": None, "refutation": None}
    refutation = refuted(config, board, row, inputs.report)
    if refutation is not None:
        row |= {"refuted": len(refutation.clauses), "refutation": refutation.text}
    if solution.count <= config.listed:
        row["classes"] = str(count_classes(solution.board, solution.placements(config.listed)))
    return Output({"boxes": table_of(BOXES, [row])})
