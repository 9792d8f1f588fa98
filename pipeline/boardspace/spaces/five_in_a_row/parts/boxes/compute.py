"""Solves boxes: minimum, proof and count."""

from collections.abc import Mapping
from itertools import product
from math import gcd
from typing import Any

import numpy as np

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.drawings import explained, progress
from boardspace.spaces.five_in_a_row.parts.boxes.part import BOXES
from boardspace.spaces.five_in_a_row.proofs import by_search, with_proofs
from boardspace.spec.space import Inputs, Measurement, Output, Shard, by_proof, by_sample
from boardspace_kernels.five_in_a_row.board import Board, count_classes
from boardspace_kernels.five_in_a_row.certificate import certificate
from boardspace_kernels.five_in_a_row.minimum import solve

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
    row = with_proofs(config, board, by_search(solution), proof, inputs.report)
    row |= dict(zip("abc", params["sides"], strict=True)) | {"k": params["k"]}
    if solution.count <= config.listed:
        row["classes"] = str(count_classes(solution.board, solution.placements(config.listed)))
    return Output({"boxes": BOXES.from_rows([row])})


DIMENSION_3_ORDERS = range(2, 14)


def measure_claims(config: FiveInARowConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Cells and boxes of three dimensions, and the largest of 3 x 3 x 3 without three in a row."""
    measured = _dimensions(inputs)
    for box in inputs.table("boxes").to_pylist():
        if (box["k"], box["a"], box["b"], box["c"]) == (3, 3, 3, 3):
            measured["oeis-a003142"] = by_proof(27 - box["stones"], f"X = {box['stones']} by search")
    return measured


def _dimensions(inputs: Inputs) -> dict[str, Measurement]:
    orders = [n for n in DIMENSION_3_ORDERS if _linear_in_space(n)]
    measured = {
        "outlook-dimensions-cells": by_sample(
            bool(orders),
            f"a sample of the orders {DIMENSION_3_ORDERS[0]} to {DIMENSION_3_ORDERS[-1]}: of {orders}, not of 5 or 7, "
            "there are a, b so that the stones where z + a y + b x = 0 modulo n meet every n cells in a row of space "
            "once, in all 13 directions; all a, b were tried",
        )
    }
    boxes = inputs.table("boxes").to_pylist()
    boxes = [box for box in boxes if box["c"] >= box["k"]]
    if boxes:
        wrong = [
            f"{box['a']} x {box['b']} x {box['c']}, k = {box['k']}: {box['stones']}"
            for box in boxes
            if box["stones"] != box["a"] * box["b"] * box["c"] // box["k"]
        ]
        evidence = f"a sample of {len(boxes)} boxes, by search; {'; '.join(wrong)}"
        measured["outlook-dimensions"] = by_sample(len(wrong), evidence, "answered")
    return measured


def _linear_in_space(n: int) -> bool:
    """True where z + a y + b x = 0 modulo n, for some a and b, holds one stone in every n cells in a row of space."""
    z, y, x = np.array([v for v in product((-1, 0, 1), repeat=3) if any(v)]).T
    pairs = product(range(n), range(n))
    return any(all(gcd(int(step), n) == 1 for step in z + a * y + b * x) for a, b in pairs)
