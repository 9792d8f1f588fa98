"""Re-derivations for ``verify``: plain Python on labels and sets, sharing no code with the kernels."""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from pipeline.space import Check, Inputs
from pipeline.spaces.solitaire.boards import load_board
from pipeline.spaces.solitaire.config import Search, SolitaireConfig
from pipeline.spaces.solitaire.frontiers import Direction, depth, slug, stage_name

SAMPLED = 40
Cell = tuple[int, int]
Position = frozenset[Cell]


def check(config: SolitaireConfig, inputs: Inputs, seed: int) -> Sequence[Check]:
    """A sample of frontier positions is stepped by hand, and every solution is replayed."""
    chance = random.Random(seed)
    checks = []
    for search in config.searches:
        board = _Cells(search.problem.split("/")[0])
        checks += [_check_steps(search, direction, board, inputs, chance) for direction in ("forward", "backward")]
        checks.append(_check_solutions(search, board, inputs))
    return checks


class _Cells:
    """A board as cells, read from its picture alone."""

    def __init__(self, name: str) -> None:
        self.text = load_board(name)
        lines = [line.split() for line in self.text.picture.strip("\n").splitlines()]
        self.label = {
            (r, c): int(token) for r, line in enumerate(lines) for c, token in enumerate(line) if token != "."
        }
        self.cells = sorted(self.label)
        axes = [(0, 1), (1, 0)] + [(1, 1)] * (self.text.grid == "triangular")
        self.directions = [(s * a, s * b) for a, b in axes for s in (1, -1)]

    def position(self, word: int) -> Position:
        return frozenset(cell for i, cell in enumerate(self.cells) if word >> i & 1)

    def word(self, position: Position) -> int:
        return sum(1 << i for i, cell in enumerate(self.cells) if cell in position)

    def jumps(self, position: Position, cell: Cell, back: bool) -> Iterator[tuple[Cell, Position]]:
        """What one peg can jump to; taken back, the peg jumped over comes back."""
        for dr, dc in self.directions:
            over, end = (cell[0] + dr, cell[1] + dc), (cell[0] + 2 * dr, cell[1] + 2 * dc)
            if end in self.label and over in self.label and end not in position and (over in position) != back:
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

    def images(self, position: Position) -> set[Position]:
        """All images under the turns and reflections of the grid that map the board to itself."""
        found = set()
        image, whole = position, frozenset(self.cells)
        for _ in range(2):
            image, whole = (frozenset((c, r) for r, c in cells) for cells in (image, whole))
            for _ in range(6 if self.text.grid == "triangular" else 4):
                image, whole = self._turned(image), self._turned(whole)
                down, right = min(r for r, _ in whole), min(c for _, c in whole)
                if {(r - down, c - right) for r, c in whole} == set(self.cells):
                    found.add(frozenset((r - down, c - right) for r, c in image))
        return found

    def _turned(self, cells: Position) -> Position:
        """By 60 degrees on a triangular grid, by 90 on a square one."""
        if self.text.grid == "triangular":
            return frozenset((c, c - r) for r, c in cells)
        return frozenset((c, -r) for r, c in cells)


def _check_steps(search: Search, direction: Direction, board: _Cells, inputs: Inputs, chance: random.Random) -> Check:
    """Positions of one layer are moved by hand; each result, or an image of it, has to be in the next layer."""
    name = f"{search.problem}: {direction} moves by hand"
    cases = 0
    for moves in range(depth(search, direction)):
        here = inputs.read(stage_name(search.problem, direction, moves), "frontier", columns=["position"])
        following = inputs.read(stage_name(search.problem, direction, moves + 1), "frontier", columns=["position"])
        words = set(following.column("position").to_pylist())
        for row in chance.sample(range(here.num_rows), min(SAMPLED // 8, here.num_rows)):
            position = board.position(here.column("position")[row].as_py())
            for result in board.moves(position, back=direction == "backward"):
                cases += 1
                if not any(board.word(image) in words for image in board.images(result)):
                    return Check(
                        name, cases, f"layer {moves}, row {row}: a move leads to a position not in the next layer"
                    )
    return Check(name, cases)


def _check_solutions(search: Search, board: _Cells, inputs: Inputs) -> Check:
    """Every solution is replayed jump by jump from start to goal."""
    name = f"{search.problem}: solutions replayed"
    problem = board.text.problems[search.problem.split("/")[1]]
    cell = {label: c for c, label in board.label.items()}
    start, goal = (_pegs(board, text, cell) for text in (problem.start, problem.goal))
    rows: list[dict[str, Any]] = inputs.read(f"{slug(search.problem)}.solutions", "solutions").to_pylist()
    for row in rows:
        position = start
        for move in row["moves"].split(", "):
            stops = [cell[int(label)] for label in move.split("==>")]
            for begin, end in pairwise(stops):
                reached = dict(board.jumps(position, begin, back=False)) if begin in position else {}
                if end not in reached:
                    return Check(name, len(rows), f"solution {row['number']}: {move} is not possible")
                position = reached[end]
        if position != goal:
            return Check(name, len(rows), f"solution {row['number']} does not end at the goal")
    return Check(name, len(rows))


def _pegs(board: _Cells, text: str, cell: dict[int, Cell]) -> Position:
    listed = frozenset(cell[int(word)] for word in text.removeprefix("all but ").split())
    return frozenset(board.cells) - listed if text.startswith("all but ") else listed
