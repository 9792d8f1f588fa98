"""Positions of every level, looked at by hand."""

import random
from collections.abc import Mapping

import numpy as np

from boardspace.spaces.solitaire.by_hand import ProblemByHand
from boardspace.spaces.solitaire.checking import joined
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.levels.names import level_stage, winning_stage
from boardspace.spec.space import Draw, Inputs, Outcome

SAMPLED = 5


class _Level:
    """What the dataset says of one level."""

    def __init__(self, problem: ProblemByHand, pegs: int, inputs: Inputs) -> None:
        table = inputs.read(level_stage(problem.name, pegs), "positions")
        self.positions, self.moves, self.choices, self.orbits = (
            np.array(table.column(name)) for name in ("position", "moves", "choices", "orbit")
        )
        self.winning, self.left = np.empty(0, np.uint64), np.empty(0, np.uint8)
        if len(problem.goal) <= pegs:
            won = inputs.read(winning_stage(problem.name, pegs), "winning")
            self.winning, self.left = (np.array(won.column(name)) for name in ("position", "moves"))

    def moves_to(self, word: int) -> int | None:
        row = int(np.searchsorted(self.positions, np.uint64(word)))
        found = row < len(self.positions) and int(self.positions[row]) == word
        return int(self.moves[row]) if found else None

    def moves_left(self, word: int) -> int | None:
        """The least moves to the goal; None where it cannot be reached."""
        row = int(np.searchsorted(self.winning, np.uint64(word)))
        found = row < len(self.winning) and int(self.winning[row]) == word
        return int(self.left[row]) if found else None


def check_levels(problem: ProblemByHand, inputs: Inputs, chance: random.Random) -> Outcome:
    """Some positions of each level are looked at by hand: their orbit, their jumps, and where these lead; and of those
    from which the goal can be reached the whole moves."""
    cases, below, by_pegs = 0, None, dict[int, _Level]()
    for pegs in range(1, len(problem.start) + 1):
        level = by_pegs[pegs] = _Level(problem, pegs, inputs)
        for row in chance.sample(range(len(level.winning)), min(SAMPLED, len(level.winning))):
            cases += 1
            left = _moves_left_by_hand(problem, int(level.winning[row]), by_pegs)
            if left != level.left[row]:
                found = f"{left} moves to the goal by hand, {level.left[row]} by the table"
                return Outcome(cases, cases, f"{pegs} pegs, winning row {row}: {found}")
        for row in chance.sample(range(len(level.positions)), min(SAMPLED, len(level.positions))):
            cases += 1
            fault = _level_fault(problem, level, row, below)
            if fault:
                return Outcome(cases, cases, f"{pegs} pegs, row {row}: {fault}")
        below = level
    return Outcome(cases, cases)


def _moves_left_by_hand(problem: ProblemByHand, word: int, by_pegs: Mapping[int, _Level]) -> int | None:
    """The least moves from a position to the goal, by those that the tables have for the positions after it."""
    position = problem.position(word)
    if position == problem.goal:
        return 0
    results = problem.moves(position, back=False)
    left = [by_pegs[len(result)].moves_left(problem.canonical(result)) for result in results]
    return min((1 + moves for moves in left if moves is not None), default=None)


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
    won = position == problem.goal or any(below.moves_left(result) is not None for result in results)
    wins = level.moves_left(word) is not None
    return "" if wins == won else f"wins: {won} by its jumps, {wins} by the table"


def check_positions(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Some positions of each level of each problem."""
    chance = random.Random(draw.seed)
    return joined((name, check_levels(ProblemByHand(name, config.boards), inputs, chance)) for name in config.levels)
