"""Positions of every level, looked at by hand."""

import random

import numpy as np

from boardspace.pipeline.space import Check, Inputs
from boardspace.pipeline.spaces.solitaire.checks.by_hand import ProblemByHand
from boardspace.pipeline.spaces.solitaire.levels import level_name, winning_name

SAMPLED = 5


class _Level:
    """What the dataset says of one level."""

    def __init__(self, problem: ProblemByHand, pegs: int, inputs: Inputs) -> None:
        table = inputs.read(level_name(problem.name, pegs), "positions")
        self.positions, self.moves, self.choices, self.orbits = (
            np.array(table.column(name)) for name in ("position", "moves", "choices", "orbit")
        )
        self.winning = np.empty(0, np.uint64)
        if len(problem.goal) <= pegs:
            self.winning = np.array(inputs.read(winning_name(problem.name, pegs), "winning").column("position"))

    def moves_to(self, word: int) -> int | None:
        row = int(np.searchsorted(self.positions, np.uint64(word)))
        found = row < len(self.positions) and int(self.positions[row]) == word
        return int(self.moves[row]) if found else None

    def wins(self, word: int) -> bool:
        row = int(np.searchsorted(self.winning, np.uint64(word)))
        return row < len(self.winning) and int(self.winning[row]) == word


def check_levels(problem: ProblemByHand, inputs: Inputs, chance: random.Random) -> Check:
    """Some positions of each level are looked at by hand: their orbit, their jumps, and where these lead."""
    name = f"{problem.name}: positions by hand"
    cases, below = 0, None
    for pegs in range(1, len(problem.start) + 1):
        level = _Level(problem, pegs, inputs)
        for row in chance.sample(range(len(level.positions)), min(SAMPLED, len(level.positions))):
            cases += 1
            fault = _level_fault(problem, level, row, below)
            if fault:
                return Check(name, cases, f"{pegs} pegs, row {row}: {fault}")
        below = level
    return Check(name, cases)


def _level_fault(problem: ProblemByHand, level: _Level, row: int, below: _Level | None) -> str:
    """What is wrong with a row of a level, or ''."""
    word = int(level.positions[row])
    position = problem.position(word)
    images = problem.images(position)
    if word != min(images) or level.orbits[row] != len(images):
        return f"is not the least of {len(images)} images, or the table's {level.orbits[row]} is wrong"
    results = [problem.canonical(after) for cell in position for _, after in problem.jumps(position, cell)]
    if level.choices[row] != len(results):
        return f"{len(results)} jumps are possible, the table says {level.choices[row]}"
    if below is None:
        return ""
    reached = [below.moves_to(result) for result in results]
    if any(moves is None or moves > level.moves[row] + 1 for moves in reached):
        return "a jump leads to a position that is missing, or that is said to take more moves than this way"
    won = position == problem.goal or any(below.wins(result) for result in results)
    return "" if level.wins(word) == won else f"wins: {won} by its jumps, {level.wins(word)} by the table"
