"""``PYTHONPATH=examples python -m benchmarks.unit_rush_hour N VOIDS METRIC``: the farthest boards of Unit Rush Hour.

It searches every class of boards by the kernels of a run, once for each row that may have the exit. A run also lists
all groups, of which 5 x 5 with one void has 84,860,492.
"""

import sys
import time
from importlib import import_module
from math import comb

import numpy as np

from boardspace.graphs.classes import linked, placed
from boardspace.graphs.puzzle import Case
from boardspace_kernels.graph import closed


def main(n: int, voids: int, metric: str) -> None:
    """Print for each row of the upper half the most moves, the boards that take them, and one of these."""
    puzzle, begun = import_module("unit_rush_hour").UNIT_RUSH_HOUR, time.process_time()
    cases = [Case(metric, {"n": n, "voids": voids, "row": row}) for row in range((n + 1) // 2)]
    farthest, boards, first, states = [0] * n, [0] * n, [0] * n, 0
    buffer = np.empty(1 << 22, np.uint64)
    for label in range((n + 1) ** n):
        some = placed(puzzle, cases[0], label, buffer)
        rows, ends = linked(puzzle, cases[0], some)
        states += len(some)
        for row, case in enumerate(cases):
            found = np.empty(len(some), np.uint8)
            assert closed.distances(puzzle.states.goal, case.numbers, some, rows, ends, found) < 0
            numbers = np.bincount(found, minlength=256)[: closed.NONE]
            most = int(numbers.nonzero()[0].max(initial=0))
            if most > farthest[row]:
                farthest[row], boards[row], first[row] = most, 0, int(some[np.argmax(found == most)])
            if most == farthest[row]:
                boards[row] += int(numbers[most])
    assert states == comb(n * n, voids) << n * n - voids
    for row, case in enumerate(cases):
        drawing = puzzle.rules_of(metric).text(case.size, first[row]).replace("\n", "/")
        print(f"{metric}, {n} x {n}, {voids} voids, row {row}: {farthest[row]} moves, {boards[row]} boards, {drawing}")
    print(f"{states:,} boards, {time.process_time() - begun:.0f} CPU s")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
