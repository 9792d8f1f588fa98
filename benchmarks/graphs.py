"""Puzzles made from rules: states searched per core second, numbered ones and those in closed classes.

Problems of three spaces that ship are searched twice, by kernels of their own and by the library's: the ratios say what
these spaces would lose without their own.
"""

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import klotski, rush_hour
from benchmarks.harness import Job, benchmark
from boardspace.graphs import Puzzle
from boardspace.graphs.answers import searched
from boardspace.graphs.classes import survey
from boardspace.spaces.klotski.layouts import parse
from boardspace.spaces.solitaire.boards import open_board
from boardspace.spec.sliding import Posed, Tray
from boardspace_kernels.graph import sparse
from boardspace_kernels.graph.rule import RULE
from boardspace_kernels.graph.sliding import search
from boardspace_kernels.jit import kernel
from boardspace_kernels.runs import Run, merge
from boardspace_kernels.solitaire.levels import first_level, step
from boardspace_kernels.solitaire.play import Problem
from boardspace_kernels.solitaire.tables import forward_tables, write_images

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
LABELS = range(0, 6480, 9)
ENGLISH = open_board("english")
CENTRAL = Problem(ENGLISH, ENGLISH.full ^ ENGLISH.position([19]), ENGLISH.position([19]))
TABLES = forward_tables(ENGLISH, ENGLISH.symmetries)
TEST, NEED, FLIP = TABLES.test, TABLES.need, TABLES.flips[:, 0]
IMAGES = TABLES.images
FEWEST_PEGS = 20


@kernel(RULE)
def jumps(size: Any, state: Any, out: Any) -> int:
    """Every jump on 33 holes."""
    found = 0
    for place in range(len(TEST)):
        if state & TEST[place] == NEED[place]:
            out[found] = state ^ FLIP[place]
            found += 1
    return found


@kernel(RULE)
def images(size: Any, state: Any, out: Any) -> int:
    """Images under the eight symmetries of the board, eight holes at a time."""
    write_images(IMAGES, state, out)
    return 8


@benchmark(unit="states")
def states_of_the_pocket_cube_searched_by_half_turns() -> Job:
    """All levels, in memory; no engine, no file."""
    puzzle = _puzzle("pocket_cube")
    case = puzzle.case(puzzle.config(), "half_turn")

    def job() -> int:
        return len(searched(puzzle, case))

    return job


@benchmark(unit="boards")
def boards_of_rush_hour_5_x_5_grouped() -> Job:
    """Every ninth class: placed, linked, grouped, and the moves to the exit."""
    puzzle = _puzzle("rush_hour_5")
    case = puzzle.case(puzzle.config(), "step/5x2")

    def job() -> int:
        return sum(int(survey(puzzle, case, range(label, label + 1)).levels.sum()) for label in LABELS)

    return job


@benchmark(unit="boards")
def boards_of_rush_hour_by_their_own_kernels() -> Job:
    return rush_hour.boards_searched_in_steps_and_unit_moves()


@benchmark(unit="boards", baseline="boards_of_rush_hour_by_their_own_kernels")
def boards_of_rush_hour_by_rules() -> Job:
    return boards_of_rush_hour_5_x_5_grouped()


@benchmark(unit="layouts")
def layouts_of_klotski_by_their_own_kernels() -> Job:
    return klotski.distances_from_the_classic_start()


@benchmark(unit="layouts", baseline="layouts_of_klotski_by_their_own_kernels")
def layouts_of_klotski_by_the_search_of_questions() -> Job:
    """The group of the same start, met one by one and looked up by hashing."""
    pieces = [sum(1 << cell for cell in piece.cells) for piece in parse("heng-dao-li-ma").pieces]
    posed = Posed(Tray(5, 4, (1 << 20) - 1), pieces)

    def job() -> int:
        return len(search(posed.kinds, posed.start[None], np.uint64(0), False, 1 << 20).states)

    return job


@benchmark(unit="positions", runs=2)
def pegs_on_33_holes_by_their_own_kernels() -> Job:
    """Positions by falling pegs, with the least moves and the pegs that can have moved last."""

    def job() -> int:
        level, positions = first_level(CENTRAL.start), 0
        while int(level.positions[0]).bit_count() > FEWEST_PEGS:
            level = step(CENTRAL, level).level
            positions += len(level.positions)
        return positions

    return job


@benchmark(unit="positions", baseline="pegs_on_33_holes_by_their_own_kernels", runs=2)
def pegs_on_33_holes_by_rules() -> Job:
    """The positions alone."""
    size = np.zeros(1, np.int64)

    def job() -> int:
        level, positions = np.array([CENTRAL.start], np.uint64), 0
        while int(level[0]).bit_count() > FEWEST_PEGS:
            found = []
            for begin in range(0, len(level), 1 << 16):
                part = level[begin : begin + (1 << 16)]
                origins, after = np.empty(40 * len(part), np.uint32), np.empty(40 * len(part), np.uint64)
                after = after[: sparse.neighbours(jumps, size, 40, part, origins, after)]
                sparse.least_images(images, size, 8, after, np.empty(len(after), np.uint32))
                found.append(Run(np.unique(after)))
            level = merge(found).positions
            positions += len(level)
        return positions

    return job


def _puzzle(name: str) -> Puzzle:
    """The puzzle of an example."""
    if str(EXAMPLES) not in sys.path:
        sys.path.insert(0, str(EXAMPLES))
    puzzle = importlib.import_module(name).SPACE.puzzle
    assert isinstance(puzzle, Puzzle)
    return puzzle
