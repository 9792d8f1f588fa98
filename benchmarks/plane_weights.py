"""``python -m benchmarks.plane_weights K COLUMNS``: the weights of columns that prove most about patterns of the plane.

Any weights prove a lower bound of the density (:mod:`boardspace_kernels.five_in_a_row.strip_density`), and a cheapest
pattern of the strip shows that these weights prove no more. Whatever the weights, they prove no more than any pattern
allows, so all patterns found so far make a linear programme whose optimum bounds what weights can prove (Kelley's
cutting planes). Its optimal weights, rounded to whole numbers, give the next pattern. The search ends when the best
bound is that of the programme, or the rounded weights were tried before.
"""

import sys
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

from boardspace_kernels.five_in_a_row.board import BoardError
from boardspace_kernels.five_in_a_row.strip_density import HEAVIEST, density
from boardspace_kernels.five_in_a_row.strip_states import Strip, strip

Floats = npt.NDArray[np.float64]


def best_weights(columns: Strip) -> Iterator[tuple[tuple[int, ...], Fraction, float]]:
    """Weights tried one after the other, the density that each proves, and what no weights exceed by the patterns
    found so far. Weights are symmetric: the mean of two mirrored ones proves no less than either."""
    patterns: list[Floats] = []
    tried: set[tuple[int, ...]] = set()
    weights, ceiling = (1,) * columns.width, 1.0
    while weights not in tried:
        tried.add(weights)
        pattern = density(columns, weights).pattern
        stones = pattern.mean(axis=0)
        patterns.append((stones + stones[::-1]) / 2)
        best, ceiling = _optimum(np.array(patterns))
        yield weights, Fraction(int((pattern @ np.array(weights)).sum()), len(pattern) * sum(weights)), ceiling
        weights = _rounded(best, np.array(patterns))


def _optimum(patterns: Floats) -> tuple[Floats, float]:
    """Weights (w,) of sum 1 whose least product with the ``patterns`` (n, w), stones a row in each column, is greatest;
    and that product."""
    count, width = patterns.shape
    mirrored = np.eye(width) - np.eye(width)[::-1]
    found = linprog(
        np.append(np.zeros(width), -1.0),
        A_ub=np.hstack([-patterns, np.ones((count, 1))]),
        b_ub=np.zeros(count),
        A_eq=np.vstack([np.append(np.ones(width), 0.0), np.hstack([mirrored, np.zeros((width, 1))])]),
        b_eq=np.append(1.0, np.zeros(width)),
        bounds=[(0, 1)] * (width + 1),
    )
    return found.x[:width], float(found.x[width])


def _rounded(weights: Floats, patterns: Floats) -> tuple[int, ...]:
    """Whole weights near ``weights`` with a sum of at most HEAVIEST, for which the patterns allow the most."""
    whole = [np.rint(weights * scale).astype(int) for scale in np.arange(len(weights), HEAVIEST - len(weights), 0.5)]
    best = max((row for row in whole if row.sum()), key=lambda row: float((patterns @ row).min()) / row.sum())
    return tuple((best // np.gcd.reduce(best)).tolist())


def main(k: int, width: int) -> None:
    """Print each step, and the best weights at the end."""
    columns = strip(k, width, most=1 << 23)
    print(f"k = {k}, {width} columns: {columns.states:,} states", flush=True)
    found = []
    try:
        for weights, density, ceiling in best_weights(columns):
            found.append((density, weights))
            print(f"{weights}: {density} = {float(density):.6f}; no weights prove more than {ceiling:.6f}", flush=True)
    except BoardError as error:
        print(f"the next weights were not tried to the end: {error}")
    print("best: {} by {}".format(*max(found)))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
