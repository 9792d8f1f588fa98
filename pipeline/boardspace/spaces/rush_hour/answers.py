"""Questions about boards of Rush Hour: a board's group, a shortest solution, the hardest starts."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from boardspace.release.datasets import Dataset
from boardspace.spaces.rush_hour.config import LISTED_FROM, Board
from boardspace.spaces.rush_hour.notation import parse, text_of_code
from boardspace.spaces.rush_hour.rules import Game, Places
from boardspace.spec.errors import BoardspaceError, NothingFoundError
from boardspace.spec.wording import counted
from boardspace_kernels.rush_hour import search
from boardspace_kernels.rush_hour.lines import lines

MOST_POSITIONS = 1_000_000
"""Boards of a group that a question goes through; the largest of 6 x 6 has 541,934."""
MOST_ASKED = 50_000
"""Boards of a group whose every move is told; the search is in Python, some seconds at most."""
_groups: "deque[tuple[Game, frozenset[Places], Mapping[Places, int]]]" = deque(maxlen=4)
"""Groups that were searched last."""
SEARCHED_SIDE = 5
"""Cells of a side of boards that are searched whole for a question."""


@dataclass(frozen=True)
class Start:
    """A board of Rush Hour.

    >>> start = Start.of("AAB/..B/...")
    >>> start.solution(many=True)
    ['B+1', 'A+1']
    """

    game: Game
    places: Places

    @classmethod
    def of(cls, text: str) -> "Start":
        """The board of a text: a letter for each cell, A is the red car, o or a dot empty, x a wall."""
        return cls(*Game.of(*parse(text)))

    def __str__(self) -> str:
        """The board, a line for each row."""
        return "\n".join(self.lines(self.places))

    @property
    def text(self) -> str:
        """The board in one line."""
        return self.game.text(self.places)

    def lines(self, places: Places) -> list[str]:
        """The rows of the board after some moves, in the letters of this one."""
        cells, n = [["."] * self.game.board.n for _ in range(self.game.board.n)], self.game.board.n
        for r, c in self.game.board.walls:
            cells[r][c] = "x"
        for letter, (r, c, length, across, _) in zip(self.letters, self.game.pieces(places), strict=True):
            for i in range(length):
                cells[r + i * (not across)][c + i * across] = letter
        assert all(len(row) == n for row in cells)
        return ["".join(row) for row in cells]

    @cached_property
    def letters(self) -> list[str]:
        """Of each piece its letter in the text of the board."""
        n, text = self.game.board.n, self.text
        return [text[r * n + c] for r, c, *_ in self.game.pieces(self.places)]

    def moves(self, places: Places) -> dict[str, Places]:
        """The steps from a position, by the piece's letter and how far it goes: + is right or down."""
        return {self._name(places, there): there for _, there in self.game.moves(places)}

    def _name(self, here: Places, there: Places) -> str:
        (piece,) = [i for i, (a, b) in enumerate(zip(here, there, strict=True)) if a != b]
        return f"{self.letters[piece]}{there[piece] - here[piece]:+}"

    def way(self, places: Places, many: bool) -> list[tuple[str, Places]] | None:
        """A shortest way from a position to a goal: names of the moves, and the places after each; None for none."""
        found, here = self.game.solution(places, many), places
        if found is None:
            return None
        named = []
        for _, there in found:
            named.append((self._name(here, there), there))
            here = there
        return named

    def solution(self, many: bool) -> list[str] | None:
        """The names of the moves of a shortest solution, by steps or by unit moves."""
        found = self.way(self.places, many)
        return None if found is None else [name for name, _ in found]

    def document(self) -> dict[str, Any]:
        """Figures of the board's group, as JSON values."""
        group = self.game.group(self.places, MOST_POSITIONS)
        assert group is not None
        steps, units = group.levels(many=True), group.levels(many=False)
        return {
            "board": self.text,
            "pieces": len(self.places),
            "group_size": len(group.positions),
            "goals": sum(map(self.game.is_goal, group.positions)),
            "steps": steps.get(self.places),
            "unit_moves": units.get(self.places),
            "solutions": group.solutions(steps, self.places) if steps else None,
            "most_steps": max(steps.values(), default=None),
            "most_unit_moves": max(units.values(), default=None),
        }


@dataclass(frozen=True)
class Moves:
    """The next steps of a board, the best first: the name, the board after it, and the steps to a goal that it leaves;
    None where none lead there. ``steps`` are those of the board itself."""

    start: Start
    steps: int | None
    choices: tuple[tuple[str, str, int | None], ...]

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        moves = [{"move": name, "board": text, "steps": left} for name, text, left in self.choices]
        return {"board": self.start.text, "solvable": self.steps is not None, "steps": self.steps, "moves": moves}


def moves(board: str) -> Moves:
    """The next steps of a board, with the exact number of steps that each leaves.

    Its group is searched, and kept for the next question; BoardspaceError where that has more than 50,000 boards.

    >>> found = moves("AAB/..B/...")
    >>> found.steps, found.choices[0]
    (2, ('B+1', 'AA./..B/..B', 1))
    """
    start = Start.of(board)
    steps = _steps_of(start)
    found = (
        (name, "/".join(start.lines(there)), steps.get(there)) for name, there in start.moves(start.places).items()
    )
    choices = sorted(found, key=lambda one: (one[2] is None, one[2] or 0, one[0]))
    return Moves(start, steps.get(start.places), tuple(choices))


def _steps_of(start: Start) -> Mapping[Places, int]:
    """The steps of the boards of a group that lead to a goal."""
    for game, positions, steps in _groups:
        if game == start.game and start.places in positions:
            return steps
    group = start.game.group(start.places, MOST_ASKED)
    if group is None:
        raise BoardspaceError(f"the board's group has more than {MOST_ASKED:,} boards, too many to search at once")
    _groups.append((start.game, frozenset(group.positions), group.levels(many=True)))
    return _groups[-1][2]


def hardest(board: Board, dataset: Dataset | None = None) -> list[Start]:
    """The farthest boards of all groups that take many steps, the hardest first; those of 6 x 6 stand in a dataset."""
    if dataset is not None:
        rows = dataset.tables["hardest"].to_table(columns=["board", "text", "steps"]).to_pylist()
        found = [(-row["steps"], row["text"]) for row in rows if row["board"] == board.name]
    elif board.n > SEARCHED_SIDE:
        raise BoardspaceError(f"{board.name} has too many boards to search: make a run of it, and name it with --data")
    else:
        tables = lines(board.n, board.row, board.walls)
        sides = [np.arange(search.labels_of(tables, side)) for side in range(2)]
        outs = [search.search_labels(tables, side, sides[side], LISTED_FROM[board.n]) for side in range(2)]
        found = [(-int(row[1]), text_of_code(board, int(row[0]))) for out in outs for row in out.starts]
    return [Start.of(text) for _, text in sorted(found)]


def random(
    board: Board, dataset: Dataset | None, steps: tuple[int, int], pieces: int | None, seed: int | None
) -> Start:
    """One of the hardest starts by chance, of those with so many steps and pieces."""
    generator = np.random.default_rng(seed)
    starts = hardest(board, dataset)
    for place in generator.permutation(len(starts)).tolist():
        way = starts[place].solution(many=True) if pieces in (None, len(starts[place].places)) else None
        if way is not None and steps[0] <= len(way) <= steps[1]:
            return starts[place]
    raise NothingFoundError(
        f"{board.name}: none of {counted(len(starts), 'hard start')} takes {steps[0]} to {steps[1]} steps"
        + (f" and has {counted(pieces, 'piece')}" if pieces else "")
    )
