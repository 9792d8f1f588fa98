"""A game played line by line: moves, moves taken back, hints.

What is known of each position comes from its class (:mod:`.classes.queries`), where that is small enough to be swept
before the game, or a dataset has it; without it the game is played all the same.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from boardspace.spaces.solitaire.boards import open_board
from boardspace.spaces.solitaire.parts.classes.queries import (
    Answer,
    ClassAnswers,
    ClassTooLargeForAQuestionError,
    answers_from,
    answers_now,
    single_vacancy,
)
from boardspace.spaces.solitaire.pictures import lines, numbers
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted
from boardspace_kernels.solitaire.board import Board, BoardError
from boardspace_kernels.solitaire.play import ARROW, Move, MoveError, Play

WAYS = "write the holes of a peg, such as 6 19, or 9==>23==>25; or hint, undo, help, quit"


@dataclass
class GameInPlay:
    """A game from a single vacancy; ``known`` is None where nothing is known of its class."""

    board: Board
    vacancy: int
    known: ClassAnswers | None
    moves: list[Move] = field(default_factory=list)

    @property
    def positions(self) -> list[int]:
        """The positions before the first move and after each."""
        return Play(self.board).replay(self.board.full ^ self.board.position([self.vacancy]), self.moves)

    @property
    def pegs(self) -> int:
        """Number of pegs left."""
        return self.positions[-1].bit_count()

    @property
    def is_over(self) -> bool:
        """Return whether no jump is possible."""
        return next(Play(self.board).moves(self.positions[-1]), None) is None

    def obey(self, line: str) -> list[str]:
        """The lines to be printed for a line that is a move, ``undo``, ``hint`` or ``help``; BoardspaceError where it
        cannot be obeyed, and says why."""
        if line == "hint":
            return self._hint()
        if line in {"help", "?"}:
            return self.explained()
        if line == "undo":
            if not self.moves:
                raise BoardspaceError("there is no move to take back")
            self.moves.pop()
        else:
            self._move(line)
        return self.shown()

    def shown(self) -> list[str]:
        """The board after the last move, and how the game stands."""
        before, position = [None, *self.positions][-2:]
        drawn = lines(self.board, position or 0, before)
        return [*drawn, ", ".join(self._standing())]

    def explained(self) -> list[str]:
        """The numbers of the holes, and what may be written."""
        return [*numbers(self.board), WAYS]

    def _move(self, line: str) -> None:
        play = Play(self.board)
        written = ARROW.join(line.split()) if re.fullmatch(r"[\d\s]+", line) else line
        try:
            move = play.parse(written)
            play.make(self.positions[-1], move)
        except (MoveError, BoardError) as error:
            raise BoardspaceError(f"{error} ({WAYS})") from error
        self.moves.append(move)

    def _standing(self) -> Iterator[str]:
        yield counted(self.pegs, "peg")
        yield counted(self._moves_made(), "move")
        if self.is_over:
            yield "won" if self.pegs == 1 else "no jump is left"
        elif self.known:
            answer = self.known.ask(self.positions[-1])
            left = min(self._more_moves(answer).values(), default=None)
            more = "" if left is None else f" in {counted(left, 'more move')}, and no fewer"
            yield f"one peg can be reached{more}" if answer.can_win else "one peg cannot be reached any more"

    def _moves_made(self) -> int:
        """A peg that goes on makes no new move."""
        begins, ends = ([move.stops[end] for move in self.moves] for end in (0, -1))
        return sum(begin != end for begin, end in zip(begins, [None, *ends], strict=False))

    def _hint(self) -> list[str]:
        if self.known is None:
            raise BoardspaceError("nothing is known of the positions of this board: give --dataset with its classes")
        answer = self.known.ask(self.positions[-1])
        more = self._more_moves(answer)
        if more:
            return [move for move, left in more.items() if left == min(more.values())]
        wins = [f"{jump.begin}==>{jump.end}" for jump in answer.jumps if jump.can_win]
        return wins or ["no jump wins: take moves back, with undo"]

    def _more_moves(self, answer: Answer) -> dict[str, int]:
        """Moves that a game to one peg still takes, by its next move, which counts unless the peg that moved last goes
        on."""
        last = f"{self.board.labels[self.moves[-1].stops[-1]]}{ARROW}" if self.moves else ARROW
        return {
            move.move: move.moves_to_win + (not move.move.startswith(last))
            for move in answer.moves
            if move.moves_to_win is not None
        }


def begin(board: str, vacancy: int | None, dataset: Path | None, moves: bool | None) -> GameInPlay:
    """A game with what can be known of it: from a dataset, or from a sweep now (with least ``moves`` or without, see
    :func:`.answers_now`), or nothing where the class is too large for that. Where no vacancy is given, it is the hole
    that every symmetry keeps, or hole 1 where there is none."""
    vacant = vacancy if vacancy is not None else _middle(board)
    if dataset:
        known = answers_from(dataset, board, vacant)
        return GameInPlay(known.vacancy.board, vacant, known)
    try:
        known = answers_now(board, vacant, moves=moves)
    except ClassTooLargeForAQuestionError:
        return GameInPlay(single_vacancy(board, vacant).board, vacant, None)
    return GameInPlay(known.vacancy.board, vacant, known)


def _middle(name: str) -> int:
    board = open_board(name)
    alone = [orbit[0] for orbit in board.orbits if len(orbit) == 1]
    return board.labels[alone[0]] if len(alone) == 1 else min(board.labels)
