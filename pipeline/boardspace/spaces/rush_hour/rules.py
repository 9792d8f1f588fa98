"""Rush Hour by its rules, in plain Python, sharing nothing with the kernels: ``verify`` uses it.

A board that is moved is its rows of letters. Boards that are laid are their pieces, line by line.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import count, product
from typing import Any, NamedTuple

from boardspace.spaces.rush_hour.config import Board
from boardspace.spaces.rush_hour.notation import Pieces, cells_under, line_of
from boardspace.spec.second_rules import AlongLines, Group, Rows, every_way, transfer


class RushHour(AlongLines):
    """The rules: A is the red car. The checker of instances has them beside it, where nothing is installed."""

    def solved(self, size: Any, state: Rows) -> bool:
        """The red car stands at the right end of its row."""
        return any(row.endswith("AA") for row in state)


RULES = RushHour()

Rules = tuple[Callable[[Any], Mapping[str, Any]], Callable[[Any], bool]]
"""The boards after each move of a board, by name, and true for one that is solved."""
LETTERS: Rules = partial(RULES.moves, None), partial(RULES.solved, None)


def groups_of(start: Any, most: int = 1 << 62, rules: Rules = LETTERS) -> dict[str, Group[Any]]:
    """The group of a board by steps, and by unit moves; {} where it has more than ``most`` boards."""
    group = Group.of(start, *rules, most)
    return {"step": group, "unit_move": group.by(is_unit)} if group else {}


def is_unit(move: str) -> bool:
    """True for a move by one cell, by its name."""
    return move.endswith(("+1", "-1"))


def all_groups(boards: Iterable[Any], rules: Rules = LETTERS) -> Iterator[dict[str, Group[Any]]]:
    """Yield all groups of some boards, which moves do not leave."""
    left = dict.fromkeys(boards)
    while left:
        groups = groups_of(next(iter(left)), rules=rules)
        for one in groups["step"].moves:
            del left[one]
        yield groups


Kind = tuple[tuple[int, bool, int], ...]
"""Of a line its pieces in order: length, redness and number of walls before each."""


class Laid(NamedTuple):
    """Pieces of a line, or of some: what they add to the code of a board, the cells that they cover, a bit each."""

    code: int
    cells: int
    pieces: Pieces


Begun = tuple[tuple[Kind, ...], Laid]
"""Lines in which pieces are laid: their kinds, and these pieces."""
Line = Mapping[Kind, Sequence[Laid]]
"""All ways to arrange pieces in a line, by kind, in order of the kinds."""


@lru_cache(8)
def lines_of(board: Board) -> list[Line]:
    """The rows, then the columns."""
    return [_arranged(board, line) for line in range(2 * board.n)]


def _arranged(board: Board, line: int) -> Line:
    n, at, across, number = board.n, line % board.n, line < board.n, count()
    walls = [c if across else r for r, c in board.walls if (r if across else c) == at]
    found: dict[Kind, list[Pieces]] = defaultdict(list)
    for lengths in (some for pieces in range(n // 2 + 1) for some in product((2, 3), repeat=pieces)):
        reds = [i for i, length in enumerate(lengths) if length == 2] if line == board.row else [-1]
        for places, red in product(product(range(n), repeat=len(lengths)), reds):
            own = [(place, length, i == red) for i, (place, length) in enumerate(zip(places, lengths, strict=True))]
            apart = all(
                place + length <= after for (place, length, _), after in zip(own, (*places[1:], n), strict=False)
            )
            if apart and not any(place <= wall < place + length for place, length, _ in own for wall in walls):
                kind = tuple((length, is_red, sum(wall < place for wall in walls)) for place, length, is_red in own)
                found[kind].append([((at, a) if across else (a, at)) + (b, across, is_red) for a, b, is_red in own])
    return {
        kind: [
            Laid(next(number) << 5 * (2 * n - 1 - line), sum(1 << c for one in own for c in cells_under(n, one)), own)
            for own in sorted(found[kind])
        ]
        for kind in sorted(found)
    }


def classes(
    lines: Sequence[Line], fits: Callable[[tuple[Kind, ...]], bool] = lambda kinds: True, most: int = 1 << 62
) -> dict[tuple[Kind, ...], list[Laid]]:
    """All boards of these lines, by class: the kinds of all lines, in their order; ValueError where they are more than
    ``most``.

    fits: false of kinds of the first lines that no class wanted begins with.
    """

    def ways(line: Line, begun: Begun) -> Iterator[Begun]:
        kinds, (code, cells, pieces) = begun
        for kind, arranged in line.items():
            free = [one for one in arranged if not one.cells & cells]
            if free and fits((*kinds, kind)):
                for one in free:
                    yield (*kinds, kind), Laid(code + one.code, cells + one.cells, pieces + one.pieces)

    start: Begun = ((), Laid(0, 0, []))
    found: dict[tuple[Kind, ...], list[Laid]] = defaultdict(list)
    for kinds, laid in every_way(start, lines, ways, most):
        found[kinds].append(laid)
    return found


def code_of(board: Board, pieces: Pieces) -> int:
    """The code of a board."""
    own = [sorted(piece for piece in pieces if line_of(board.n, piece) == line) for line in range(2 * board.n)]
    lines = zip(lines_of(board), own, strict=True)
    return sum(one.code for line, some in lines for ways in line.values() for one in ways if one.pieces == some)


def fillings(
    board: Board, cell: tuple[int, int], down: tuple[int, ...], right: int, red: bool
) -> Iterator[tuple[str, int, tuple[int, ...], int]]:
    """Ways to fill a cell, where cells are filled one by one: what begins there and its length, "" for nothing;
    then ``down`` and ``right`` as they are after it.

    A piece stands "down", or lies "across"; in the row of the red car, which is "red", it lies "before" or "after" it.
    down, right: cells that the piece of each column goes on, and that of the row.
    red: the red car was there.
    """
    (row, column), n, is_wall = cell, board.n, cell in board.walls
    if right or down[column] or is_wall:
        if bool(right) + bool(down[column]) + is_wall == 1:
            yield "", 0, _replaced(down, column, max(0, down[column] - 1)), max(0, right - 1)
        return
    yield "", 0, down, 0
    where = "across" if row != board.row else "after" if red else "before"
    for length in (2, 3):
        if row + length <= n:
            yield "down", length, _replaced(down, column, length - 1), 0
        if column + length <= n:
            yield where, length, down, length - 1
    if where == "before" and column < n - 1:
        yield "red", 2, down, 1


def _replaced(numbers: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    return (*numbers[:place], number, *numbers[place + 1 :])


def count_boards(board: Board, weights: Mapping[tuple[str, int], int], modulus: int, goals: bool = False) -> int:
    """The sum of all boards' weights modulo a prime: a board's is the product of its pieces', each by
    where it lies and its length; 1 where there is none.

    goals: boards alone whose red car is at the right end.
    """

    def ways(cell: tuple[int, int], edge: Any) -> Iterator[tuple[Any, int]]:
        for where, length, down, right in fillings(board, cell, *edge):
            if where != "red" or not goals or cell[1] == board.n - 2:
                yield (down, right, edge[2] or where == "red"), weights.get((where, length), 1)

    none = (0,) * board.n
    return transfer((none, 0, False), product(range(board.n), range(board.n)), ways, modulus).get((none, 0, True), 0)
