"""Rush Hour by its rules, in plain Python, sharing nothing with the kernels: ``verify`` uses it.

A position is the pieces of a board, which never change, and where each stands. Its moves look at the cells.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from boardspace.spaces.rush_hour.config import Board
from boardspace.spaces.rush_hour.notation import Pieces, parse, text_of

Places = tuple[int, ...]
"""Of each piece its first cell in its line."""


@dataclass(frozen=True)
class Game:
    """The pieces of a board, in an order of their own, and what follows for any places of them.

    board: its side, the red car's row, and its walls.
    fixed: of each piece its line, its length, whether it lies across, whether it is red.
    """

    board: Board
    fixed: tuple[tuple[int, int, bool, bool], ...]

    @classmethod
    def of(cls, board: Board, pieces: Pieces) -> tuple["Game", Places]:
        """A game, and the places of its pieces."""
        ordered = sorted(
            (r if across else c, length, across, red, c if across else r) for r, c, length, across, red in pieces
        )
        return cls(board, tuple(piece[:4] for piece in ordered)), tuple(piece[4] for piece in ordered)

    @classmethod
    def read(cls, text: str) -> tuple["Game", Places]:
        """The game of a text, and the places of its pieces."""
        return cls.of(*parse(text))

    def pieces(self, places: Places) -> Pieces:
        """Row, column, length, direction and redness of each piece."""
        return [
            (line if across else place, place if across else line, length, across, red)
            for (line, length, across, red), place in zip(self.fixed, places, strict=True)
        ]

    def text(self, places: Places) -> str:
        """The text of a position."""
        return text_of(self.board, self.pieces(places))

    @cached_property
    def _masks(self) -> list[list[int]]:
        """The cells of each piece at each place, a bit each."""
        n, masks = self.board.n, []
        for line, length, across, _ in self.fixed:
            cells = [
                [line * n + place + i if across else (place + i) * n + line for i in range(length)]
                for place in range(n - length + 1)
            ]
            masks.append([sum(1 << cell for cell in own) for own in cells])
        return masks

    @cached_property
    def _walls(self) -> int:
        return sum(1 << r * self.board.n + c for r, c in self.board.walls)

    def moves(self, places: Places, many: bool = True) -> Iterator[tuple[int, Places]]:
        """Every move: which piece, and the places after it; by any number of cells, or by one."""
        masks = self._masks
        covered = self._walls
        for piece, place in enumerate(places):
            covered |= masks[piece][place]
        for piece, place in enumerate(places):
            own = masks[piece]
            others = covered & ~own[place]
            for way in (1, -1):
                there = place + way
                while 0 <= there < len(own) and not own[there] & others:
                    yield piece, (*places[:piece], there, *places[piece + 1 :])
                    if not many:
                        break
                    there += way

    @cached_property
    def red(self) -> int:
        """The number of the red car."""
        return next(i for i, piece in enumerate(self.fixed) if piece[3])

    def is_goal(self, places: Places) -> bool:
        """The red car stands at the right end of its row."""
        return places[self.red] == self.board.n - 2

    def group(self, places: Places, most: int = 1 << 62) -> "Group | None":
        """All positions that moves join to this one; None where there are more than ``most``."""
        found = {places: None}
        for here in (queue := [places]):
            if len(found) > most:
                return None
            for _, there in self.moves(here, many=False):
                if there not in found:
                    found[there] = None
                    queue.append(there)
        return Group(self, list(found))


@dataclass(frozen=True)
class Group:
    """Positions that moves join, all of them."""

    game: Game
    positions: list[Places] = field(repr=False)

    def levels(self, many: bool) -> dict[Places, int]:
        """The fewest moves of each position to a goal; empty where there is no goal."""
        found = {places: 0 for places in self.positions if self.game.is_goal(places)}
        for here in (queue := list(found)):
            for _, there in self.game.moves(here, many):
                if there not in found:
                    found[there] = found[here] + 1
                    queue.append(there)
        return found

    def solutions(self, steps: dict[Places, int], start: Places) -> int:
        """The number of shortest solutions of a position."""
        ways = Counter({start: 1})
        for _ in range(steps[start]):
            after = Counter[Places]()
            for here, number in ways.items():
                for _, there in self.game.moves(here):
                    if steps[there] < steps[here]:
                        after[there] += number
            ways = after
        return sum(ways.values())


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


def _places(n: int, lengths: tuple[int, ...], first: int) -> Iterator[Places]:
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
