"""Section 4 of the source: more dimensions; and a published sequence."""

from itertools import product
from math import gcd

import numpy as np

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spec.space import Inputs, Measurement

DIMENSION_3_ORDERS = range(2, 14)


def measure(config: FiveInARowConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Cells and boxes of three dimensions, and the largest of 3 x 3 x 3 without three in a row."""
    measured = _dimensions(inputs)
    for box in inputs.table("boxes").to_pylist():
        if (box["k"], box["a"], box["b"], box["c"]) == (3, 3, 3, 3):
            measured["oeis-a003142"] = Measurement(27 - box["stones"], f"X = {box['stones']} by search", None, "proof")
    return measured


def _dimensions(inputs: Inputs) -> dict[str, Measurement]:
    orders = [n for n in DIMENSION_3_ORDERS if _linear_in_space(n)]
    measured = {
        "outlook-dimensions-cells": Measurement(
            bool(orders),
            f"a sample of the orders {DIMENSION_3_ORDERS[0]} to {DIMENSION_3_ORDERS[-1]}: of {orders}, not of 5 or 7, "
            "there are a, b so that the stones where z + a y + b x = 0 modulo n meet every n cells in a row of space "
            "once, in all 13 directions; all a, b were tried",
            None,
            "sample",
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
        measured["outlook-dimensions"] = Measurement(len(wrong), evidence, None, "sample")
    return measured


def _linear_in_space(n: int) -> bool:
    """True where z + a y + b x = 0 modulo n, for some a and b, holds one stone in every n cells in a row of space."""
    z, y, x = np.array([v for v in product((-1, 0, 1), repeat=3) if any(v)]).T
    pairs = product(range(n), range(n))
    return any(all(gcd(int(step), n) == 1 for step in z + a * y + b * x) for a, b in pairs)
