"""Rush Hour by its rules, in plain Python, sharing nothing with the kernels: ``verify`` uses it.

A board that is moved is its rows, and moves look at the letters of a line. Boards that are laid are their pieces.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import product
from string import ascii_uppercase
from typing import Any

from boardspace.spaces.rush_hour.config import Board
from boardspace.spaces.rush_hour.notation import Pieces, by_lines, cells_of, parse
from boardspace.spec.groups import Moves, distances_to, group_of, shortest_ways

Rows = tuple[str, ...]
"""A board: a letter for each cell, A the red car, a dot where none is, x a wall."""


class RushHour:
    """The rules. A move is named by the piece and how far it goes along its line, + is right or down.

    The checker of instances has this class beside it, where nothing is installed.
    """

    def parse(self, size: Any, text: str) -> Rows:
        """The rows of a text, / between them."""
        return tuple(text.split("/"))

    def text(self, size: Any, state: Rows) -> str:
        """The rows in one line."""
        return "/".join(state)

    def solved(self, size: Any, state: Rows) -> bool:
        """The red car stands at the right end of its row."""
        return any(row.endswith("AA") for row in state)

    def moves(self, size: Any, state: Rows) -> dict[str, Rows]:
        """The boards after each move."""
        found = _slid_in_rows(state)
        down = _slid_in_rows(tuple(map("".join, zip(*state, strict=True))))
        return found | {name: tuple(map("".join, zip(*turned, strict=True))) for name, turned in down.items()}


def _slid_in_rows(rows: Rows) -> dict[str, Rows]:
    return {
        name: (*rows[:number], after, *rows[number + 1 :])
        for number, row in enumerate(rows)
        for name, after in slid(row)
    }


@lru_cache(1 << 16)
def slid(line: str) -> tuple[tuple[str, str], ...]:
    """All moves of the pieces that lie in a line, by their names, and the line after each."""
    found = []
    for letter in sorted({one for one in line if one not in ".x" and line.count(one) > 1}):
        first, length = line.index(letter), line.count(letter)
        last = first + length
        far = [n for n in range(1, len(line)) if line[last : last + n] == "." * n]
        back = [-n for n in range(1, first + 1) if line[first - n : first] == "." * n]
        for cells in far + back:
            left = line[:first] + "." * length + line[last:]
            found.append((f"{letter}{cells:+}", left[: first + cells] + letter * length + left[last + cells :]))
    return tuple(found)


RULES = RushHour()


@dataclass(frozen=True)
class Group:
    """All boards that moves join: next steps, and the fewest steps and unit moves to a goal, where there is one."""

    moves: Moves[Rows] = field(repr=False)
    steps: Mapping[Rows, int] = field(repr=False)
    unit_moves: Mapping[Rows, int] = field(repr=False)

    @classmethod
    def of(cls, start: Rows, most: int = 1 << 62) -> "Group | None":
        """The group of a board; None where it has more than ``most``."""
        moves = group_of(start, partial(RULES.moves, None), most)
        if moves is None:
            return None
        goals = [rows for rows in moves if RULES.solved(None, rows)]
        units = {
            rows: {name: after for name, after in found.items() if name.endswith(("+1", "-1"))}
            for rows, found in moves.items()
        }
        return cls(moves, distances_to(goals, moves), distances_to(goals, units))

    def solutions(self, start: Rows) -> int:
        """The number of shortest solutions of a board, by steps."""
        return sum(shortest_ways(start, self.moves, self.steps).values())


def rows_of(board: Board, pieces: Pieces) -> Rows:
    """A board in letters that no move changes: those of the other pieces go along the lines."""
    others = iter(ascii_uppercase[1:])
    cells = cells_of(board, {piece: "A" if piece[4] else next(others) for piece in by_lines(pieces)}, ".")
    return tuple("".join(cells[first : first + board.n]) for first in range(0, board.n**2, board.n))


def read(text: str) -> Rows:
    """The board of a text, as :func:`rows_of` writes it."""
    return rows_of(*parse(text))


Kind = tuple[tuple[int, bool, int], ...]
"""Of a line its pieces in order: length, redness and number of walls before each."""


class Line:
    """A row or a column of a board, and all ways to arrange pieces in it.

    arrangements: by kind, in order of the kinds, each as place, length and redness of its pieces, in order.
    """

    def __init__(self, board: Board, line: int) -> None:
        self.across, self.at, self.n = line < board.n, line % board.n, board.n
        n = self.n
        walls = [c if self.across else r for r, c in board.walls if (r if self.across else c) == self.at]
        found: dict[Kind, list[tuple[tuple[int, int, bool], ...]]] = defaultdict(list)
        for number in range(n // 2 + 1):
            for lengths in product((2, 3), repeat=number):
                reds = [i for i in range(number) if lengths[i] == 2] if line == board.row else [-1]
                for places, red in product(_places(n, lengths, 0), reds):
                    pieces = [
                        (place, length, i == red) for i, (place, length) in enumerate(zip(places, lengths, strict=True))
                    ]
                    if not any(place <= wall < place + length for place, length, _ in pieces for wall in walls):
                        kind = tuple(
                            (length, red, sum(wall < place for wall in walls)) for place, length, red in pieces
                        )
                        found[kind].append(tuple(pieces))
        self.arrangements = {kind: sorted(found[kind]) for kind in sorted(found)}

    def number(self, arrangement: tuple[tuple[int, int, bool], ...]) -> int:
        """The number of an arrangement among all."""
        return [one for some in self.arrangements.values() for one in some].index(arrangement)

    @cached_property
    def laid(self) -> dict[Kind, list[tuple[int, Pieces]]]:
        """Arrangements by kind: the cells that each covers, a bit each, and its pieces as the board has them."""
        found = {}
        for kind, some in self.arrangements.items():
            pieces = [[self._piece(*one) for one in arrangement] for arrangement in some]
            found[kind] = [
                (sum(self._cells(*one) for one in arrangement), own)
                for arrangement, own in zip(some, pieces, strict=True)
            ]
        return found

    def _piece(self, place: int, length: int, red: bool) -> tuple[int, int, int, bool, bool]:
        return (self.at, place, length, True, red) if self.across else (place, self.at, length, False, red)

    def _cells(self, place: int, length: int, _: bool) -> int:
        first, step = (self.at * self.n + place, 1) if self.across else (place * self.n + self.at, self.n)
        return sum(1 << first + i * step for i in range(length))


def lines_of(board: Board) -> list[Line]:
    """The rows, then the columns."""
    return [Line(board, line) for line in range(2 * board.n)]


def classes(
    lines: list[Line], allowed: list[list[Kind]], fits: Callable[[tuple[Kind, ...]], bool] = lambda kinds: True
) -> dict[tuple[Kind, ...], list[Pieces]]:
    """All boards whose lines are of these kinds, by class: the kinds of all lines, in the order of the lines given.

    The lines of one side come first. Where these are laid, those of the other side do not touch one another.
    fits: false of kinds of the first lines that no class wanted begins with.
    """
    found: dict[tuple[Kind, ...], list[Pieces]] = defaultdict(list)
    n = len(lines) // 2

    def cross(kinds: tuple[Kind, ...], pieces: Pieces, free: Sequence[Mapping[Kind, list[Pieces]]]) -> None:
        """Add the boards whose other lines, of which so many are chosen, are arranged in a way that is free."""
        chosen = len(kinds) - n
        if chosen == n:
            ways = (some[kind] for some, kind in zip(free, kinds[n:], strict=True))
            found[kinds] += [sum(own, pieces) for own in product(*ways)]
            return
        for kind, some in free[chosen].items():
            if some and fits((*kinds, kind)):
                cross((*kinds, kind), pieces, free)

    for kinds in product(*allowed[:n]):
        if not all(fits(kinds[: i + 1]) for i in range(n)):
            continue
        for own in product(*(line.laid[kind] for line, kind in zip(lines, kinds, strict=False))):
            covered = sum(mask for mask, _ in own)
            free = [
                {kind: [pieces for mask, pieces in line.laid[kind] if not mask & covered] for kind in some}
                for line, some in zip(lines[n:], allowed[n:], strict=True)
            ]
            cross(kinds, [piece for _, pieces in own for piece in pieces], free)
    return found


def _places(n: int, lengths: tuple[int, ...], first: int) -> Iterator[tuple[int, ...]]:
    if not lengths:
        yield ()
        return
    for place in range(first, n - sum(lengths) + 1):
        for others in _places(n, lengths[1:], place + lengths[0]):
            yield (place, *others)


def count(board: Board, weigh: Callable[[str, int, int], int], modulus: int, goals: bool = False) -> int:
    """The sum of all boards' weights modulo a prime, cell by cell: what matters is which pieces are to be gone on with.

    A board's weight is the product of its pieces': ``weigh(where, length, reds)``, where a piece stands "down", lies
    "across", or "beside" the red car in its row, and whether the red car, itself "beside", has been begun before it.
    goals: boards alone whose red car is at the right end.
    """
    n, walls = board.n, set(board.walls)
    ways: dict[tuple[tuple[int, ...], int, bool], int] = {((0,) * n, 0, False): 1}
    for row, column in product(range(n), range(n)):
        after: dict[tuple[tuple[int, ...], int, bool], int] = defaultdict(int)
        for (down, right, red), weight in ways.items():
            if (right and down[column]) or ((row, column) in walls and (right or down[column])):
                continue
            if right or down[column] or (row, column) in walls:
                begun = [(max(0, down[column] - 1), max(0, right - 1), red, 1)]
            else:
                begun = [(0, 0, red, 1)]
                where = "beside" if row == board.row else "across"
                for length in (2, 3):
                    if row + length <= n:
                        begun.append((length - 1, 0, red, weigh("down", length, 0)))
                    if column + length <= n:
                        begun.append((0, length - 1, red, weigh(where, length, int(red and where == "beside"))))
                if row == board.row and not red and (column == n - 2 if goals else column < n - 1):
                    begun.append((0, 1, True, 1))
            for below, beside, is_red, factor in begun:
                key = ((*down[:column], below, *down[column + 1 :]), beside, is_red)
                after[key] = (after[key] + weight * factor) % modulus
        ways = after
    return sum(weight for (down, right, red), weight in ways.items() if red and not right and not any(down)) % modulus
