"""Solutions re-derived for ``verify``: plain searches of its own in every class, apart from the kernels.

A layout is four integers here, the block's cell and masks of the anchors of lying dominoes, standing ones and singles.
A search goes from a layout outward, layer by layer, in a dictionary. It tells the nearest layouts at the exit; carried
through the whole group it also tells which layouts at the exit have no other on any shortest path, the solutions.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from boardspace.spaces.klotski.members import members_of
from boardspace.spaces.klotski.texts import CELLS, COLUMNS, ITEMS, ROWS, decode, format_code
from boardspace.spec.check import Finding
from boardspace.spec.space import Inputs

NEAREST = "nearest solutions found by hand, in every class"
ALL = "all solutions found by hand, in every class with a small group"
EXIT = 13
CANDIDATES = 8
BUDGET = 2_000
"""Layouts that the searches of one class go through, for the nearest solutions and again for all."""
DEAD = 300
"""Layouts of a group without an exit that is searched."""
LARGE_BUDGET = 30_000
"""Layouts of the group of one class, chosen by chance, that is too large for the other searches."""

BLOCK, LYING, STANDING, SINGLE = range(4)
EXTENT = ((2, 2), (1, 2), (2, 1), (1, 1))
Layout = tuple[int, int, int, int]


def check_solutions(inputs: Inputs, seed: int) -> Sequence[Finding]:
    """Some layouts of every class; the solutions of all layouts where their groups are small enough."""
    chance = random.Random(seed)
    nearest = solved = 0
    larger = []
    for shard in inputs.named_facts("classes"):
        sample = _Sample(inputs, shard, chance)
        found, fault = sample.check_nearest()
        nearest += found
        if fault:
            return [Finding(NEAREST, nearest, fault)]
        found, fault = sample.check_all(BUDGET)
        solved += found
        if fault:
            return [Finding(NEAREST, nearest), Finding(ALL, solved, fault)]
        if not found:
            larger.append(shard)
    for shard in chance.sample(larger, min(1, len(larger))):
        found, fault = _Sample(inputs, shard, chance).check_all(LARGE_BUDGET)
        solved += found
        if fault:
            return [Finding(NEAREST, nearest), Finding(ALL, solved, fault)]
    return [Finding(NEAREST, nearest), Finding(ALL, solved)]


class _Sample:
    """The rows of one class, and searches from some of them."""

    def __init__(self, inputs: Inputs, shard: str, chance: random.Random) -> None:
        columns = ["code", "group_num", "min_solution_step", "min_solution_num", "solution_num"]
        records = members_of(inputs, shard)
        self.rows = {name: np.ascontiguousarray(records[name]) for name in columns}
        self.sizes = np.bincount(self.rows["group_num"])
        self.chance = chance

    def check_nearest(self) -> tuple[int, str]:
        """How many layouts were searched from, nearest to the exit first; and the first fault."""
        count = len(self.rows["code"])
        drawn = self.chance.sample(range(count), min(CANDIDATES, count))
        # without an exit a search goes through the whole group
        chosen = [row for row in drawn if self.rows["min_solution_step"][row] >= 0 or self._group_size(row) <= DEAD]
        left = BUDGET
        cases = 0
        for row in sorted(chosen, key=lambda row: int(self.rows["min_solution_step"][row])):
            found, seen = nearest_solutions(layout_of(self._code(row)), left)
            left -= seen
            if found is None:
                break
            cases += 1
            stated = self._stated(row, "min_solution_step", "min_solution_num")
            if stated != found:
                return cases, f"{self._code(row):09X}: (least step, number) is {found}, the table says {stated}"
        return cases, ""

    def check_all(self, budget: int) -> tuple[int, str]:
        """The same for the solutions of one layout in each of some groups of at most ``budget`` layouts."""
        counted = (self.rows["solution_num"] > 0) & (self.rows["min_solution_step"] > 0)
        small = counted & (self.sizes[self.rows["group_num"]] <= budget)
        rows = np.flatnonzero(small)
        if not len(rows):
            return 0, ""
        row = int(rows[self.chance.randrange(len(rows))])
        found = all_solutions(layout_of(self._code(row)))
        (stated,) = self._stated(row, "solution_num")
        fault = f"{self._code(row):09X} has {found} solutions, the table says {stated}" if found != stated else ""
        return 1, fault

    def _code(self, row: int) -> int:
        return int(self.rows["code"][row])

    def _group_size(self, row: int) -> int:
        return int(self.sizes[self.rows["group_num"][row]])

    def _stated(self, row: int, *names: str) -> tuple[Any, ...]:
        return tuple(int(self.rows[name][row]) for name in names)


def nearest_solutions(start: Layout, budget: int) -> tuple[tuple[int, int] | None, int]:
    """Steps to the nearest layouts at the exit and their number, (-1, 0) where there are none; None where more than
    ``budget`` layouts would have to be seen. Then how many were seen."""
    seen, layer, step = {start}, [start], 0
    while layer:
        solved = sum(layout[BLOCK] == EXIT for layout in layer)
        if solved:
            return (step, solved), len(seen)
        following = []
        for layout in layer:
            for other in steps(layout):
                if other not in seen:
                    seen.add(other)
                    following.append(other)
            if len(seen) > budget:
                return None, len(seen)
        layer, step = following, step + 1
    return (-1, 0), len(seen)


def all_solutions(start: Layout) -> int:
    """Number of layouts at the exit with no other, nor ``start``, on any shortest path to them."""
    step_of, clean, layer, step, solutions = {start: 0}, {start: True}, [start], 0, 0
    while layer:
        following = []
        for layout in layer:
            at_exit = layout[BLOCK] == EXIT
            solutions += at_exit and clean[layout]
            passes = clean[layout] and not at_exit
            for other in steps(layout):
                if other not in step_of:
                    step_of[other] = step + 1
                    clean[other] = passes
                    following.append(other)
                elif step_of[other] == step + 1:
                    clean[other] &= passes
        layer, step = following, step + 1
    return solutions


def steps(layout: Layout) -> Iterator[Layout]:
    """Every layout that one piece makes by moving any number of cells, round corners too."""
    anchors = (1 << layout[BLOCK], *layout[LYING:])
    covered = sum(_covered(kind, anchors[kind]) for kind in range(4))
    for kind in range(4):
        left = anchors[kind]
        while left:
            bit = left & -left
            left ^= bit
            home = bit.bit_length() - 1
            footprint, beside = _moves(kind)[home]
            others = covered ^ footprint
            if any(not shape & others for _, shape in beside):
                for cell in _reached(kind, home, others):
                    yield _moved(layout, kind, home, cell)


def _reached(kind: int, home: int, others: int) -> list[int]:
    """The anchors that a piece reaches from its own where the other pieces cover the cells ``others``."""
    seen, places = 1 << home, [home]
    for place in places:
        for cell, shape in _moves(kind)[place][1]:
            if not shape & others and not seen >> cell & 1:
                seen |= 1 << cell
                places.append(cell)
    return places[1:]


def _moved(layout: Layout, kind: int, home: int, cell: int) -> Layout:
    if kind == BLOCK:
        return cell, layout[LYING], layout[STANDING], layout[SINGLE]
    swap = [0, 0, 0, 0]
    swap[kind] = 1 << home | 1 << cell
    return layout[BLOCK], layout[LYING] ^ swap[LYING], layout[STANDING] ^ swap[STANDING], layout[SINGLE] ^ swap[SINGLE]


@cache
def _moves(kind: int) -> dict[int, tuple[int, list[tuple[int, int]]]]:
    """For each anchor of a kind of piece the cells it covers, and the anchors beside it with theirs."""
    height, width = EXTENT[kind]
    shape = {
        COLUMNS * row + column: sum(1 << COLUMNS * (row + r) + column + c for r in range(height) for c in range(width))
        for row in range(ROWS - height + 1)
        for column in range(COLUMNS - width + 1)
    }
    beside = {cell: [other for other in shape if _apart(cell, other) == 1] for cell in shape}
    return {cell: (shape[cell], [(other, shape[other]) for other in beside[cell]]) for cell in shape}


def _apart(cell: int, other: int) -> int:
    return abs(cell // COLUMNS - other // COLUMNS) + abs(cell % COLUMNS - other % COLUMNS)


def _covered(kind: int, anchors: int) -> int:
    height, width = EXTENT[kind]
    return sum(anchors << COLUMNS * row + column for row in range(height) for column in range(width))


def layout_of(code: int) -> Layout:
    """The layout of a code."""
    pieces = decode(code, format_code(code))
    masks = [0, 0, 0]
    for piece in pieces[1:]:
        masks[EXTENT.index((piece.height, piece.width)) - 1] |= 1 << piece.cell
    return (pieces[0].cell, masks[0], masks[1], masks[2])


def code_of(layout: Layout) -> int:
    """The code of a layout: an item for each cell that no earlier piece covers."""
    code, items = layout[BLOCK], 0
    covered = _covered(BLOCK, 1 << layout[BLOCK])
    for cell in range(CELLS):
        if not covered >> cell & 1:
            item = next((kind for kind in (LYING, STANDING, SINGLE) if layout[kind] >> cell & 1), 0)
            covered |= _covered(item, 1 << cell) if item else 0
            code, items = code << 2 | item, items + 1
    return code << 2 * (ITEMS - items)
