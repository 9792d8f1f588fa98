"""Questions about one position of a class: can it be reached, can it still win, which jumps keep it so.

The answers come from the two bitmaps of a vacancy, wherever these are: in a dataset, of which one small chunk is read
for each position asked, or in memory, where a small class is swept in a second or two.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from boardspace.pipeline.errors import BoardspaceError
from boardspace.pipeline.spaces.solitaire.classes.levels import array_path
from boardspace.pipeline.spaces.solitaire.classes.sweeps import Goal
from boardspace.pipeline.spaces.solitaire.classes.vacancy import Vacancy, vacancies
from boardspace.pipeline.spaces.solitaire.config import Classes
from boardspace.pipeline.storage.arrays import open_array

MOST_BYTES_IN_MEMORY = 256 << 20


class ClassTooLargeForAQuestionError(BoardspaceError):
    """A class that cannot be swept for one question."""


class Bitmap(Protocol):
    """uint64 (words): an array in memory, or one of a dataset."""

    def __getitem__(self, word: int, /) -> Any:
        """One word."""


class NextJump(NamedTuple):
    """A jump from a position: numbers of the holes that the peg leaves and comes to, and where it leads."""

    begin: int
    end: int
    position: int
    can_win: bool


class NextMove(NamedTuple):
    """A move from a position, such as ``9==>23==>25``, where it leads to, and the least moves to one peg from there;
    None where it cannot be reached."""

    move: str
    position: int
    moves_to_win: int | None


class Answer(NamedTuple):
    """What is known of a position: whether jumps lead to it from the vacancy and from it to one peg; its next jumps.

    ``moves_to_win`` is the least number of moves to one peg anywhere, and ``moves`` are the next moves, the best ones
    first; None and none where least moves were not asked for, or one peg cannot be reached.
    """

    position: int
    reachable: bool
    can_win: bool
    jumps: tuple[NextJump, ...]
    moves_to_win: int | None = None
    moves: tuple[NextMove, ...] = ()

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        jumps, moves = [jump._asdict() for jump in self.jumps], [move._asdict() for move in self.moves]
        return {**self._asdict(), "jumps": jumps, "moves": moves}


@dataclass(frozen=True)
class ClassAnswers:
    """Answers about the positions of one vacancy's class."""

    vacancy: Vacancy
    reachable: Bitmap
    winning: Bitmap
    planes: NDArray[np.uint64] | None = None  # (planes, words): bit p of the least moves to one peg in plane p

    def ask(self, position: int) -> Answer:
        """All that is known of a position; BoardspaceError where it is not one of the class."""
        jumps = tuple(self._next_jumps(position))
        known = (position, self._has(self.reachable, position), self._has(self.winning, position), jumps)
        return Answer(*known, self._moves_to_win(position), tuple(self._next_moves(position)))

    def _next_jumps(self, position: int) -> list[NextJump]:
        board = self.vacancy.board
        found = []
        for a, b, c in board.jumps.tolist():
            if position >> a & 1 and position >> b & 1 and not position >> c & 1:
                after = position ^ (1 << a | 1 << b | 1 << c)
                found.append(NextJump(board.labels[a], board.labels[c], after, self._has(self.winning, after)))
        return found

    def _next_moves(self, position: int) -> list[NextMove]:
        from boardspace.kernels.solitaire.play import Play

        if self._moves_to_win(position) is None:
            return []
        play = Play(self.vacancy.board)
        found = [NextMove(play.format(move), p, self._moves_to_win(p)) for move, p in play.moves(position)]
        return sorted(found, key=lambda move: (move.moves_to_win is None, move.moves_to_win))

    def _moves_to_win(self, position: int) -> int | None:
        """None where one peg cannot be reached, which all planes say, or where there are no planes."""
        if self.planes is None or not self._has(self.winning, position):
            return None
        return sum(self._has(plane, position) << bit for bit, plane in enumerate(self.planes))

    def _has(self, bitmap: Bitmap, position: int) -> bool:
        from boardspace.kernels.solitaire.board import BoardError

        positions = self.vacancy.order.positions
        try:
            number = positions.number(position)
        except BoardError as error:
            raise BoardspaceError(str(error)) from error
        return bool(int(bitmap[number >> 6]) >> (number & 63) & 1)


def answers_from(dataset: Path, board: str, hole: int) -> ClassAnswers:
    """Answers from the bitmaps of a dataset's folder; BoardspaceError where it has none of this vacancy.

    >>> from pathlib import Path
    >>> answers_from(Path("outputs/french/solitaire"), "french", 99)
    Traceback (most recent call last):
    boardspace...Error: ...
    """
    vacancy = single_vacancy(board, hole)
    goals: tuple[Goal, Goal] = ("reachable", "winning")
    try:
        return ClassAnswers(vacancy, *(open_array(dataset, array_path(vacancy, goal)) for goal in goals))
    except FileNotFoundError as error:
        raise BoardspaceError(
            f"{dataset}: no position class of {board} from vacancy {hole} is published here"
        ) from error


def answers_now(board: str, hole: int, *, moves: bool = False) -> ClassAnswers:
    """Answers from a sweep in memory; BoardspaceError for a class of more than 256 MiB. ``moves``: with least moves.

    >>> first = answers_now("triangle15", 1).ask(0b111111111111110)  # all but hole 1, whose bit is the lowest
    >>> first.can_win, [(jump.begin, jump.end) for jump in first.jumps]
    (True, [(4, 1), (6, 1)])
    """
    from boardspace.kernels.solitaire.classes.moves import moves_to
    from boardspace.kernels.solitaire.classes.sweep import bitmap, reachable, winning

    vacancy = single_vacancy(board, hole)
    order = vacancy.order
    if order.positions.bytes > MOST_BYTES_IN_MEMORY:
        raise ClassTooLargeForAQuestionError(
            f"{board}: a class takes {order.positions.bytes >> 20:,} MiB, too much to be swept for one question; "
            "run a config with its classes, such as french, and ask its dataset with --dataset"
        )
    swept = (reachable(order, [vacancy.start]), winning(order, vacancy.single_pegs))
    blocks = (bitmap(order, pieces.values()).reshape(-1).view(np.uint64) for pieces in swept)
    reached, can_win = blocks
    if not moves:
        return ClassAnswers(vacancy, reached, can_win)
    planes = moves_to(order, vacancy.single_pegs)
    return ClassAnswers(vacancy, reached, can_win, planes.reshape(len(planes), -1).view(np.uint64))


def single_vacancy(board: str, hole: int) -> Vacancy:
    """The vacancy of a board, by the number of the hole."""
    return vacancies(Classes(board=board, vacancies=(hole,)))[0]
