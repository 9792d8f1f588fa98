"""Questions about one position of a class: can it be reached, can it still win, which jumps keep it so.

The answers come from the two bitmaps of a vacancy, and the least moves that are left, wherever these are: in a dataset,
of which one small chunk is read for each position asked, or in memory: a small class is swept in a second, one block of
each orbit.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boardspace.spaces.solitaire.boards import parse_position
from boardspace.spaces.solitaire.parts.classes.vacancy import ARRAY, Vacancy, array_path, goals_of, vacancies_of
from boardspace.spec.arguments import shown, switch, text, whole
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.locations import Location, located
from boardspace.storage.shipped import BOARDS, shipped_names
from boardspace_kernels.solitaire.board import BoardError
from boardspace_kernels.solitaire.classes.census import is_in
from boardspace_kernels.solitaire.classes.gather import Piece, sweep
from boardspace_kernels.solitaire.classes.moves_left import NO_WAY, moves_left
from boardspace_kernels.solitaire.classes.steps import backward_steps, forward_steps
from boardspace_kernels.solitaire.play import Play

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.config import Hint

MOST_BYTES_IN_MEMORY = 256 << 20
MOST_BYTES_UNASKED = 1 << 20
"""Of a bitmap of a class whose least moves are found without being asked for."""


class ClassTooLargeForAQuestionError(BoardspaceError):
    """A class that cannot be swept for one question."""


Has = Callable[[int], bool]


class NextJump(NamedTuple):
    """A jump from a position: numbers of the holes that the peg leaves and comes to, and where it leads."""

    begin: int
    end: int
    position: int
    can_win: bool


class NextMove(NamedTuple):
    """A move from a position, such as ``9==>23==>25``, where it leads to, and the least moves from there to one peg,
    and to one in the vacancy; None where it cannot be reached."""

    move: str
    position: int
    moves_to_win: int | None
    moves_to_return: int | None = None


class Answer(NamedTuple):
    """Facts of a position: whether jumps lead to it from the vacancy, and from it to one peg; its next jumps.

    ``moves_to_win`` is the least number of moves to one peg anywhere, ``moves_to_return`` that to one peg in the
    vacancy, and ``moves`` are the next moves, the best ones first; None and none where least moves are not known, or
    there are none.
    """

    position: int
    reachable: bool
    can_win: bool
    jumps: tuple[NextJump, ...]
    moves_to_win: int | None = None
    moves_to_return: int | None = None
    moves: tuple[NextMove, ...] = ()

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        jumps, moves = [jump._asdict() for jump in self.jumps], [move._asdict() for move in self.moves]
        return {**self._asdict(), "jumps": jumps, "moves": moves}


@dataclass(frozen=True)
class ClassAnswers:
    """Answers about the positions of one vacancy's class.

    reachable, winning: tell of a position of the class if jumps lead to it, and from it to one peg.
    left: the least moves to a goal by the positions' numbers, a byte each, 255 where there are none: uint64 (words), in
        memory or of a dataset.
    """

    vacancy: Vacancy
    reachable: Has
    winning: Has
    left: "Mapping[Hint, Any]" = field(default_factory=dict)

    def ask(self, position: int) -> Answer:
        """Facts of a position, a bit for each hole in order of numbers; BoardspaceError where it is not one
        of the class."""
        position = whole("position", position)
        jumps = tuple(self._next_jumps(position))
        known = (position, self._has(self.reachable, position), self._has(self.winning, position), jumps)
        left = (self.moves_left("winning", position), self.moves_left("returning", position))
        return Answer(*known, *left, tuple(self._next_moves(position)))

    def moves_left(self, hint: "Hint", position: int) -> int | None:
        """The least moves to one peg anywhere (``winning``), or in the vacancy (``returning``); None where there are
        none, or they are not known."""
        if hint not in self.left:
            return None
        number = self._number(position)
        moves = int(self.left[hint][number >> 3]) >> 8 * (number & 7) & NO_WAY
        return None if moves == NO_WAY else moves

    def _next_jumps(self, position: int) -> list[NextJump]:
        board = self.vacancy.board
        found = []
        for a, b, c in board.jumps.tolist():
            if position >> a & 1 and position >> b & 1 and not position >> c & 1:
                after = position ^ (1 << a | 1 << b | 1 << c)
                found.append(NextJump(board.labels[a], board.labels[c], after, self._has(self.winning, after)))
        return found

    def _next_moves(self, position: int) -> list[NextMove]:
        if self.moves_left("winning", position) is None and self.moves_left("returning", position) is None:
            return []
        play = Play(self.vacancy.board)
        found = [
            NextMove(play.format(move), p, self.moves_left("winning", p), self.moves_left("returning", p))
            for move, p in play.moves(position)
        ]
        return sorted(found, key=lambda move: [(m is None, m or 0) for m in (move.moves_to_win, move.moves_to_return)])

    def _has(self, known: Has, position: int) -> bool:
        self._number(position)
        return known(position)

    def _number(self, position: int) -> int:
        try:
            return self.vacancy.order.positions.number(position)
        except BoardError as error:
            raise BoardspaceError(str(error)) from error


def answers_from(dataset: str | Location, board: str, hole: int) -> ClassAnswers:
    """Answers from the arrays of a dataset's folder; BoardspaceError where it has none of this vacancy. Least moves are
    known of positions that can be reached, where the dataset has them (``hints``).

    >>> answers_from("outputs/french/solitaire", "french", 99)
    Traceback (most recent call last):
    boardspace...Error: vacancies of french: the board has no hole 99
    """
    if not isinstance(dataset, Location):
        dataset = located(text("dataset", dataset, "outputs/french/solitaire"))
    vacancy = single_vacancy(board, hole)
    reached, can_win = (_stored(dataset, vacancy, name) for name in ("reachable", "winning"))
    if reached is None or can_win is None:
        raise BoardspaceError(f"{dataset}: no position class of {board} from vacancy {hole} is published here")
    left = {hint: _stored(dataset, vacancy, name) for hint, name in ARRAY.items()}
    known = [partial(_stored_bit, vacancy, bitmap) for bitmap in (reached, can_win)]
    return ClassAnswers(vacancy, known[0], known[1], {hint: array for hint, array in left.items() if array is not None})


def _stored_bit(vacancy: Vacancy, bitmap: Any, position: int) -> bool:
    number = vacancy.order.positions.number(position)
    return bool(int(bitmap[number >> 6]) >> (number & 63) & 1)


def _swept_bit(vacancy: Vacancy, pieces: Mapping[int, Piece], position: int) -> bool:
    """Return whether a folded sweep, its pieces by weight, has an image of a position."""
    return is_in(vacancy.order, vacancy.fold, pieces[vacancy.order.weight(position)], position)


def _wins_return(vacancy: Vacancy) -> bool:
    """Return whether every position that can win, and is not one peg yet, can win in the vacancy.

    It can where each two pegs that leave one somewhere by a last jump leave one in the vacancy by another: from the
    centre of the English board, for one."""
    jumps = vacancy.board.jumps.tolist()
    last = {goal: {1 << a | 1 << b for a, b, c in jumps if goal == 1 << c} for goal in vacancy.single_pegs}
    home = vacancy.board.full ^ vacancy.start
    return home in last and all(pairs <= last[home] for pairs in last.values())


def _won_by_complement(vacancy: Vacancy, reached: Mapping[int, Piece], position: int) -> bool:
    """Return whether a position can win where :func:`_wins_return`.

    A jump fills one hole and empties two, and a jump taken back does the same to the complement: so jumps lead from a
    position to one peg in the vacancy where they lead from the start to its complement."""
    return position in vacancy.single_pegs or _swept_bit(vacancy, reached, vacancy.board.full ^ position)


def _stored(dataset: Location, vacancy: Vacancy, name: str) -> Any:
    """An array of a dataset; None where it has none of that name."""
    from boardspace.storage.arrays import open_array  # libraries for which answers from memory need not wait

    try:
        return open_array(dataset, array_path(vacancy, name))
    except FileNotFoundError:
        return None


def answers_now(board: str, hole: int, *, moves: bool | None = None) -> ClassAnswers:
    """Answers from a sweep in memory; BoardspaceError for a class of more than 256 MiB. ``moves``: with least moves, or
    without; by default with them where a bitmap has 1 MiB at most.

    >>> first = answers_now("triangle15", 1).ask(0b111111111111110)  # all but hole 1, whose bit is the lowest
    >>> first.can_win, [(jump.begin, jump.end) for jump in first.jumps]
    (True, [(4, 1), (6, 1)])
    >>> first.moves_to_win, first.moves[0].move, first.moves[0].moves_to_win
    (10, '4==>1', 9)
    """
    vacancy = single_vacancy(board, hole)
    order = vacancy.order
    if order.positions.bytes > MOST_BYTES_IN_MEMORY:
        raise ClassTooLargeForAQuestionError(
            f"{board}: a class takes {order.positions.bytes >> 20:,} MiB, too much to be swept for one question; "
            "run a config with its classes, such as french, and ask its dataset with --dataset"
        )
    reached = sweep(order, forward_steps(order), [vacancy.start], vacancy.fold)
    if _wins_return(vacancy):
        winning = partial(_won_by_complement, vacancy, reached)
    else:
        winning = partial(_swept_bit, vacancy, sweep(order, backward_steps(order), vacancy.single_pegs, vacancy.fold))
    asked = order.positions.bytes <= MOST_BYTES_UNASKED if moves is None else switch("moves", moves)
    goals = {hint: goals_of(vacancy, name) for hint, name in ARRAY.items() if asked}
    left = {hint: moves_left(order, vacancy.fold, some).view(np.uint64) for hint, some in goals.items() if some}
    return ClassAnswers(vacancy, partial(_swept_bit, vacancy, reached), winning, left)


def ask_shipped(board: str, vacancy: int, pegs: str) -> Answer:
    """Facts of a position of a board that ships; its class is swept once, and kept for the next question.

    >>> ask_shipped("triangle15", 1, "all but 1").moves_to_win
    10
    """
    if board not in shipped_names(BOARDS):
        there = ", ".join(shipped_names(BOARDS))
        raise BoardspaceError(f"{shown(board)}: no board of that name ships; there are: {there}")
    known = _kept(board, vacancy)
    return known.ask(parse_position(known.vacancy.board, pegs))


_kept = lru_cache(2)(answers_now)


def single_vacancy(board: str, hole: int) -> Vacancy:
    """The vacancy of a board, by the number of the hole; BoardspaceError where there is none."""
    return vacancies_of(text("board", board, "triangle15"), (whole("hole", hole),))[0]
