"""Re-derivations for ``verify``: plain Python on cells and sets, sharing no code with the kernels."""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np

from boardspace.pipeline.space import Check, Inputs
from boardspace.pipeline.spaces.solitaire.boards import load_board
from boardspace.pipeline.spaces.solitaire.config import Search, SolitaireConfig
from boardspace.pipeline.spaces.solitaire.frontiers import DIRECTIONS, Direction, depth, slug, stage_name
from boardspace.pipeline.spaces.solitaire.levels import level_name, winning_name

SAMPLED = 5
Cell = tuple[int, int]
Position = frozenset[Cell]


def check(config: SolitaireConfig, inputs: Inputs, seed: int) -> Sequence[Check]:
    """Positions of every frontier and level are played by hand, and every solution is replayed."""
    chance = random.Random(seed)
    checks = []
    for search in config.searches:
        problem = _Problem(search.problem)
        checks += [_check_steps(search, direction, problem, inputs, chance) for direction in DIRECTIONS]
        checks.append(_check_solutions(search, problem, inputs))
    checks += [_check_levels(_Problem(name), inputs, chance) for name in config.levels]
    return checks


class _Problem:
    """A board as cells, read from its picture alone, with a start and a goal."""

    def __init__(self, name: str) -> None:
        self.name = name
        board, problem = name.split("/")
        text = load_board(board)
        lines = [line.split() for line in text.picture.strip("\n").splitlines()]
        self.cell = {int(token): (r, c) for r, line in enumerate(lines) for c, token in enumerate(line) if token != "."}
        self.cells = [self.cell[number] for number in sorted(self.cell)]
        axes = [(0, 1), (1, 0)] + [(1, 1)] * (text.grid == "triangular")
        self.directions = {(s * a, s * b) for a, b in axes for s in (1, -1)}
        self.start = self._pegs(text.problems[problem].start)
        self.goal = self._pegs(text.problems[problem].goal)
        self.symmetries = [image for image in self._symmetries() if self._keeps(image)]

    def position(self, word: int) -> Position:
        return frozenset(cell for i, cell in enumerate(self.cells) if word >> i & 1)

    def word(self, position: Position) -> int:
        return sum(1 << i for i, cell in enumerate(self.cells) if cell in position)

    def canonical(self, position: Position) -> int:
        return min(self.images(position))

    def images(self, position: Position) -> set[int]:
        return {self.word(frozenset(image[cell] for cell in position)) for image in self.symmetries}

    def jumps(self, position: Position, cell: Cell, back: bool = False) -> Iterator[tuple[Cell, Position]]:
        """What one peg can jump to; taken back, the peg jumped over comes back."""
        for dr, dc in self.directions:
            over, end = (cell[0] + dr, cell[1] + dc), (cell[0] + 2 * dr, cell[1] + 2 * dc)
            if end in self.cells and over in self.cells and end not in position and (over in position) != back:
                yield end, (position ^ {over} ^ {cell, end})

    def moves(self, position: Position, back: bool) -> set[Position]:
        """Every position one whole move away."""
        found = set()
        open_ends = [(cell, position) for cell in position]
        while open_ends:
            cell, before = open_ends.pop()
            for end, after in self.jumps(before, cell, back):
                found.add(after)
                open_ends.append((end, after))
        return found

    def _pegs(self, text: str) -> Position:
        ends = [list(map(int, word.split("-"))) for word in text.removeprefix("all but ").split()]
        listed = frozenset(self.cell[n] for first, *last in ends for n in range(first, (last or [first])[0] + 1))
        return frozenset(self.cells) - listed if text.startswith("all but ") else listed

    def _symmetries(self) -> Iterator[dict[Cell, Cell]]:
        """Every small matrix that permutes the directions and, shifted, maps the board to itself."""
        for a, b, c, d in product((-1, 0, 1), repeat=4):
            if {(a * r + b * s, c * r + d * s) for r, s in self.directions} != self.directions:
                continue
            turned = {(r, s): (a * r + b * s, c * r + d * s) for r, s in self.cells}
            corners = [
                min(cell[axis] for cell in turned.values()) - min(c[axis] for c in self.cells) for axis in (0, 1)
            ]
            image = {cell: (r - corners[0], s - corners[1]) for cell, (r, s) in turned.items()}
            if set(image.values()) == set(self.cells):
                yield image

    def _keeps(self, image: dict[Cell, Cell]) -> bool:
        return all({image[cell] for cell in position} == position for position in (self.start, self.goal))


def _check_steps(
    search: Search, direction: Direction, problem: _Problem, inputs: Inputs, chance: random.Random
) -> Check:
    """Some positions of each layer are moved by hand; each result has to be in the next layer."""
    name = f"{search.problem}: {direction} moves by hand"
    cases = 0
    for moves in range(depth(search, direction)):
        here = inputs.read(stage_name(search.problem, direction, moves), "frontier", columns=["position"])
        following = inputs.read(stage_name(search.problem, direction, moves + 1), "frontier", columns=["position"])
        words = set(following.column("position").to_pylist())
        for row in chance.sample(range(here.num_rows), min(SAMPLED, here.num_rows)):
            position = problem.position(here.column("position")[row].as_py())
            for result in problem.moves(position, back=direction == "backward"):
                cases += 1
                if problem.canonical(result) not in words:
                    fault = f"layer {moves}, row {row}: a move leads to a position not in the next layer"
                    return Check(name, cases, fault)
    return Check(name, cases)


def _check_solutions(search: Search, problem: _Problem, inputs: Inputs) -> Check:
    """Every solution is replayed jump by jump from start to goal."""
    name = f"{search.problem}: solutions replayed"
    rows: list[dict[str, Any]] = inputs.read(f"{slug(search.problem)}.solutions", "solutions").to_pylist()
    for row in rows:
        position = problem.start
        for move in row["moves"].split(", "):
            stops = [problem.cell[int(label)] for label in move.split("==>")]
            for begin, end in pairwise(stops):
                reached = dict(problem.jumps(position, begin)) if begin in position else {}
                if end not in reached:
                    return Check(name, len(rows), f"solution {row['number']}: {move} is not possible")
                position = reached[end]
        if position != problem.goal:
            return Check(name, len(rows), f"solution {row['number']} does not end at the goal")
    return Check(name, len(rows))


class _Level:
    """What the dataset says of one level."""

    def __init__(self, problem: _Problem, pegs: int, inputs: Inputs) -> None:
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


def _check_levels(problem: _Problem, inputs: Inputs, chance: random.Random) -> Check:
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


def _level_fault(problem: _Problem, level: _Level, row: int, below: _Level | None) -> str:
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
