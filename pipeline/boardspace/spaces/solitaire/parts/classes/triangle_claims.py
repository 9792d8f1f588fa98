"""Statements about triangles and the hexagon: which problems from a vacancy to a survivor can be solved, and how fast.

A problem stands for its images under the symmetries of the board. Bell names the holes of 15 by a column and a row; his
a1, b3, a4, d4 and c5 are 1, 5, 7, 10 and 13 here.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from boardspace.spaces.solitaire.config import Classes, SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy, vacancies
from boardspace.spec.space import Inputs, Measurement
from boardspace_kernels.solitaire.board import Board

TRIANGLES = ("triangle10", "triangle15", "triangle21", "triangle28")
ALL_SOLVABLE = ("triangle21", "triangle28")
FIFTEEN = "triangle15"
HEXAGON = "hexagon19"
LARGEST = "triangle36"
CATALOGUE = ((1, 1), (7, 1), (13, 1), (13, 5), (1, 13), (5, 13), (7, 13), (13, 13), (1, 7), (7, 7), (10, 7), (13, 7))
"""Vacancy and survivor of each problem of 15 holes that Bell's catalogue has a length for, in its order."""

Row = dict[str, Any]
Pair = tuple[int, int]


def measure(config: SolitaireConfig, inputs: Inputs) -> Iterator[tuple[str, Measurement]]:
    """Measurements on the boards all of whose vacancies the config has, up to symmetry."""
    whole = {section.board: section for section in config.classes if not section.vacancies}
    problems = {board: _Problems(section, config, inputs) for board, section in whole.items()}
    if HEXAGON in problems:
        yield "hexagon-problems", problems[HEXAGON].none_solvable()
    if FIFTEEN in problems:
        yield from _fifteen(problems[FIFTEEN])
    if problems.keys() >= set(TRIANGLES):
        chosen = [problems[board] for board in TRIANGLES]
        pairs = [len(board.possible) for board in chosen]
        how = "pairs of a vacancy and a survivor with the same parities, one of each that symmetries map to one another"
        yield "triangles-possible", Measurement(pairs, how)
        if all(board.section.moves for board in chosen):
            moves = [min(row["moves"] for row in board.solvable.values()) for board in chosen]
            yield "triangles-moves", Measurement(moves, "least moves to all positions of every class of each board")
    if problems.keys() >= set(ALL_SOLVABLE):
        solvable = [len(problems[board].solvable) for board in ALL_SOLVABLE]
        yield "triangles-solvable", Measurement(solvable, "of the pairs that parities allow, those that jumps connect")
    if LARGEST in problems:
        pairs = [len(problems[LARGEST].possible), len(problems[LARGEST].solvable)]
        yield "triangle36-solvable", Measurement(pairs, "all positions that each of eight vacancies leads to")


class _Problems:
    """The problems of a board, one of each that symmetries map to one another."""

    def __init__(self, section: Classes, config: SolitaireConfig, inputs: Inputs) -> None:
        self.section, self.inputs = section, inputs
        self.vacancies: list[Vacancy] = vacancies(section, config.boards)
        board = self.vacancies[0].board
        self._images = [_renamed(board, image) for image in board.symmetries.tolist()]
        rows = inputs.read(f"{section.board}.problems", "problems").to_pylist()
        self.rows: Mapping[Pair, Row] = {self.least(row["vacancy"], row["survivor"]): row for row in rows}

    def least(self, vacancy: int, survivor: int) -> Pair:
        """The pair that stands for all its images."""
        return min((image[vacancy], image[survivor]) for image in self._images)

    @property
    def possible(self) -> Mapping[Pair, Row]:
        """Problems that parities allow."""
        return {pair: row for pair, row in self.rows.items() if row["same_class"]}

    @property
    def solvable(self) -> Mapping[Pair, Row]:
        """Problems that jumps connect."""
        return {pair: row for pair, row in self.rows.items() if row["solvable"]}

    def none_solvable(self) -> Measurement:
        """Measure the number of problems that are solvable, of those that parities allow."""
        evidence = f"the bitmaps of what each vacancy leads to; parities allow {len(self.possible)}, up to symmetry"
        return Measurement(len(self.solvable), evidence)

    def solutions(self, loop: bool) -> Mapping[Pair, int]:
        """Numbers of shortest solutions up to order and symmetry; ``loop``: the way of a move counts."""
        found: dict[Pair, int] = {}
        for vacancy in self.vacancies:
            for row in self.inputs.read(f"{vacancy.slug}.shortest", "problem_solutions").to_pylist():
                if (row["ordered"], row["mirror"], row["loop"]) == (False, False, loop):
                    found[self.least(row["vacancy"], row["survivor"])] = row["solutions"]
        return found


def _renamed(board: Board, image: list[int]) -> dict[int, int]:
    """Number of the image by the number of a hole."""
    return {board.labels[hole]: board.labels[image[hole]] for hole in range(board.holes)}


def _fifteen(problems: _Problems) -> Iterator[tuple[str, Measurement]]:
    pairs = [len(problems.possible), len(problems.solvable)]
    yield "fifteen-problems", Measurement(pairs, "the bitmaps of what each of four vacancies leads to")
    keys = [problems.least(*pair) for pair in CATALOGUE]
    if problems.section.moves:
        moves = [problems.rows[key]["moves"] for key in keys]
        yield "fifteen-moves", Measurement(moves, "least moves to all positions that each of four vacancies leads to")
    if problems.section.shortest:
        one, both = ([problems.solutions(loop)[key] for key in keys] for loop in (False, True))
        evidence = (
            "solutions up to the order of moves and symmetry, where moves with the same ends that take the same pegs "
            f"are one, {sum(one)} together; where such moves count by themselves there are {both}, {sum(both)} together"
        )
        yield "fifteen-solutions", Measurement(one, evidence)
