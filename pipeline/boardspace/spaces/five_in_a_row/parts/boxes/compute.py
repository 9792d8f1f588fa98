"""Solves boxes: minimum, proof and count."""

from collections.abc import Mapping
from typing import Any

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.boxes.part import BOXES
from boardspace.spaces.five_in_a_row.proofs import as_json, by_search, certified_by, counted_twice, refuted
from boardspace.spaces.five_in_a_row.texts import explained, progress
from boardspace.spec.space import Inputs, Output, Shard
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.certificate import certificate
from boardspace_kernels.five_in_a_row.minimum import solve
from boardspace_kernels.five_in_a_row.orbits import count_classes

MEASURED = {
    (3, 3, 3, 3): 0.02,
    (3, 4, 3, 3): 0.1,
    (3, 5, 3, 3): 0.1,
    (3, 6, 3, 3): 2.0,
    (3, 4, 4, 3): 17.0,
    (4, 4, 4, 4): 11.0,
}
"""By k and the sides, about how many seconds a box takes; an exact bound, or none, makes more of a difference than the
sides."""


def cut_boxes(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each box."""
    boxes = sorted({(k, *sorted(sides, reverse=True)) for k, *sides in config.boxes})
    return [
        Shard(f"k{k:02}-{a}x{b}x{c}", {"k": k, "sides": [a, b, c]}, box_seconds(k, a, b, c)) for k, a, b, c in boxes
    ]


def box_seconds(k: int, a: int, b: int, c: int) -> float:
    """About how long a box takes, with its sides in falling order."""
    return MEASURED.get((k, a, b, c), 3.5e-7 * (a * b * c) ** 4 * (k / 3) ** 8)


def solve_box(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Minimum, proof and count of one box."""
    with explained():
        board = Board(tuple(params["sides"]), params["k"])
        solution = solve(board, config.memory_mb * 1_000_000, lambda row: inputs.report(progress(row)))
        proof = certificate(solution)
    row = by_search(solution) | dict(zip("abc", params["sides"], strict=True)) | {"k": params["k"]}
    row |= {"certified": certified_by(proof), "recounted": counted_twice(config, proof), "certificate": as_json(proof)}
    row |= {"refuted": None, "refutation": None}
    refutation = refuted(config, board, row, inputs.report)
    if refutation is not None:
        row |= {"refuted": len(refutation.clauses), "refutation": refutation.text}
    if solution.count <= config.listed:
        row["classes"] = str(count_classes(solution.board, solution.placements(config.listed)))
    return Output({"boxes": BOXES.from_rows([row])})
