"""Puzzles made from rules: states searched per core second, numbered ones and those in closed classes."""

import importlib
import sys
from pathlib import Path

from benchmarks.harness import Job, benchmark
from boardspace.graphs import Puzzle
from boardspace.graphs.classes import survey
from boardspace.graphs.questions import searched

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
LABELS = range(0, 6480, 9)


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


def _puzzle(name: str) -> Puzzle:
    """The puzzle of an example."""
    if str(EXAMPLES) not in sys.path:
        sys.path.insert(0, str(EXAMPLES))
    puzzle = importlib.import_module(name).SPACE.puzzle
    assert isinstance(puzzle, Puzzle)
    return puzzle
