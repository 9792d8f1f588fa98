"""Questions about puzzles by their names: which metric and size are asked, and every next move of a state."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from boardspace.graphs.answers import Answers, Step
from boardspace.graphs.declared import refuse_cases
from boardspace.graphs.puzzle import Case, Closed, Dense, Puzzle, Sparse
from boardspace.graphs.space import PuzzleSpace
from boardspace.graphs.word_answers import ClassAnswers, SparseAnswers
from boardspace.release.datasets import Dataset
from boardspace.spec.arguments import shown
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import space_named


def puzzle_named(space: str) -> Puzzle:
    """The puzzle that a space was made from; BoardspaceError where it was made from none."""
    found = space_named(space)
    if not isinstance(found, PuzzleSpace):
        raise BoardspaceError(f"{space}: is no space made from a puzzle's rules")
    return found.puzzle


def answers(
    space: str, metric: str = "", size: Mapping[str, int] | None = None, dataset: Dataset | None = None
) -> Answers:
    """Questions about a puzzle of a size, its first metric where none is named, the last size where none is given.

    The last is that which ``sizes`` of the puzzle makes last, from the config of the dataset, or from the default one.

    >>> answers("pocket_cube").distance(1_574_640)  # after one turn of the upper face
    1

    BoardspaceError where the space is no puzzle, or it or the dataset has no such metric or size.
    """
    puzzle = puzzle_named(space)
    known = {} if dataset is None else {case.name: case for case in puzzle.cases(dataset.config)}
    metric = metric or next((case.metric for case in known.values()), next(iter(puzzle.moves)))
    if metric not in puzzle.moves:
        raise BoardspaceError(f"{space}: there is no metric {metric!r}; there are: {', '.join(puzzle.moves)}")
    names = puzzle.size_names
    if size is None:
        size = [*puzzle.sizes(dataset.config if dataset is not None else puzzle.config())][-1]
    if set(size) != set(names):
        raise BoardspaceError(f"{space}: its size has {', '.join(names) or 'no numbers'}, each once")
    made = {Dense: Answers, Sparse: SparseAnswers, Closed: ClassAnswers}[type(puzzle.states)]
    case = Case(metric, {name: size[name] for name in names})
    refuse_cases(puzzle, [case])
    if dataset is not None and case.name not in known:
        raise BoardspaceError(
            f"{space}: these data have no {case.name}; they have {', '.join(known)}: ask without data, or make a run "
            "of this size"
        )
    return made(puzzle, case, dataset)


@dataclass(frozen=True)
class Moves:
    """A state, the moves that are left from it to where solutions end, and each next move with the state it leads to
    and the moves left there, the best first; None where no moves lead to an end."""

    asked: Answers
    state: int
    left: int | None
    choices: tuple[tuple[Step, int | None], ...]

    def document(self) -> dict[str, Any]:
        """Return it as JSON values; numbers of states are texts, as they may have 64 bits."""
        choices = [{"move": step.move, "state": f"#{step.state}", "moves": left} for step, left in self.choices]
        drawn = {"state": f"#{self.state}", "text": self.asked.text(self.state)}
        return {**self.asked.case.columns, **drawn, "moves": self.left, "choices": choices}


def moves(space: str, state: str = "", metric: str = "", size: str = "") -> Moves:
    """Every next move of a state, given as :meth:`Answers.parse` takes it, with the exact number of moves it leaves; a
    size is written ``rows=3,columns=4``. What is searched for it is kept for the next question."""
    asked = _kept(space, metric, size)
    number = asked.parse(state) if state else asked.example
    found = ((Step(name, there), asked.moves_left(there)) for name, there in asked.moves(number).items())
    choices = sorted(found, key=lambda one: (one[1] is None, one[1] or 0, one[0].move))
    return Moves(asked, number, asked.moves_left(number), tuple(choices))


def numbers_of(size: str) -> dict[str, int]:
    """The numbers of a size that is written ``rows=3,columns=4``; BoardspaceError where it is none."""
    parts = size.split(",")
    found = dict(part.split("=") for part in parts if re.fullmatch(r"[^=]+=[0-9]{1,18}", part))
    if len(found) < len(parts):
        raise BoardspaceError(f"size: {shown(size)} is not of the form rows=3,columns=4, each name once")
    return {name: int(number) for name, number in found.items()}


@lru_cache(4)
def _kept(space: str, metric: str, size: str) -> Answers:
    return answers(space, metric, numbers_of(size) if size else None)
