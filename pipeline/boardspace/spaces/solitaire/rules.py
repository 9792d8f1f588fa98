"""Second rules of peg solitaire: boards, jumps, moves and symmetries, from the board's picture alone.

No code is the kernels'. Games are played twice here: in plain Python on sets of cells, which is slow and easy to see
through, and on arrays of positions. There a position is a word, hole i as bit i, and moves are made by NumPy, hole by
hole: of all positions the pegs that are in the course of their move are kept by the hole that they stand in. Images are
looked up in tables, several holes at a time, of so few positions that these and the tables stay in a core's cache.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.board_files import NO_BOARDS, Boards, BoardText, load_board
from boardspace.spec.check import distinct, places_among

Cell = tuple[int, int]
Path = tuple[Cell, ...]
Position = frozenset[Cell]
ARROW = "==>"
Symmetry = dict[Cell, Cell]
"""For each hole that to which it goes."""
Words = NDArray[np.uint64]
Stops = tuple[NDArray[Any], ...]
"""Origins int64 (s), results uint64 (s), and further columns, where pegs stand in the course of a move."""
AT_ONCE = 1 << 16
"""Positions whose moves are counted together."""
IMAGES_AT_ONCE = 1 << 15
"""Positions whose images are made together."""
TABLE_HOLES = 11
"""Bits of a word whose images are looked up together."""
PART = np.uint64((1 << TABLE_HOLES) - 1)


class GameByHand:
    """A board as cells, read from its picture alone, and the jumps on it."""

    def __init__(self, text: BoardText) -> None:
        lines = [line.split() for line in text.picture.strip("\n").splitlines()]
        self.cell = {int(token): (r, c) for r, line in enumerate(lines) for c, token in enumerate(line) if token != "."}
        self.number = {cell: number for number, cell in self.cell.items()}
        self.cells = [self.cell[number] for number in sorted(self.cell)]
        self.holes = frozenset(self.cells)
        self.index = {cell: hole for hole, cell in enumerate(self.cells)}
        axes = [(0, 1), (1, 0)] + [(1, 1)] * (text.grid == "triangular")
        self.directions = {(s * a, s * b) for a, b in axes for s in (1, -1)}

    def position(self, word: int) -> Position:
        """The position that a word stands for."""
        return frozenset(cell for i, cell in enumerate(self.cells) if word >> i & 1)

    def word(self, position: Position) -> int:
        """The word of a position: bit i for the i-th cell."""
        return sum(1 << self.index[cell] for cell in position)

    def drawing(self, word: int) -> str:
        """A position row by row: o is a peg, . a hole without one, # no hole."""
        position = self.position(word)
        signs = {cell: "o" if cell in position else "." for cell in self.cells}
        rows, columns = (range(1 + max(cell[axis] for cell in signs)) for axis in (0, 1))
        return "/".join("".join(signs.get((r, c), "#") for c in columns) for r in rows)

    def jumps(self, position: Position, cell: Cell, back: bool = False) -> Iterator[tuple[Cell, Position]]:
        """The jumps of one peg, by the cell it comes to; where jumps are taken back, the peg jumped over comes back."""
        for dr, dc in self.directions:
            over, end = (cell[0] + dr, cell[1] + dc), (cell[0] + 2 * dr, cell[1] + 2 * dc)
            if end in self.holes and over in self.holes and end not in position and (over in position) != back:
                yield end, (position ^ {over} ^ {cell, end})

    def replayed(self, position: Position, moves: Iterable[str]) -> Position | None:
        """The position after moves, one after the other; None where one is not possible."""
        for move in moves:
            after = self.after(position, move)
            if after is None:
                return None
            position = after
        return position

    def after(self, position: Position, move: str) -> Position | None:
        """The position after a move, written ``9==>23==>25`` and in no other way; None where it is not possible."""
        stops = self.stops(move)
        if move != self.text(stops):
            return None
        for begin, end in pairwise(self.cells[hole] for hole in stops):
            reached = dict(self.jumps(position, begin)) if begin in position else {}
            if end not in reached:
                return None
            position = reached[end]
        return position

    def stops(self, move: str) -> tuple[int, ...]:
        """The holes in which the peg of a move stands, 0 for the first by number."""
        return self.holes_of(self.cell[int(label)] for label in move.split(ARROW))

    def holes_of(self, path: Iterable[Cell]) -> tuple[int, ...]:
        """Cells as holes."""
        return tuple(self.index[cell] for cell in path)

    def text(self, stops: Iterable[int]) -> str:
        """A move as it is written."""
        return ARROW.join(str(self.number[self.cells[hole]]) for hole in stops)

    def keeping(self, *holes: int) -> list[Symmetry]:
        """The symmetries of the board that keep some holes, given by their numbers."""
        kept = [self.cell[hole] for hole in holes]
        return [image for image in self._symmetries if all(image[cell] == cell for cell in kept)]

    def orbits(self, symmetries: Sequence[Symmetry]) -> list[int]:
        """Of the holes that symmetries exchange the least number, ascending."""
        return sorted({min(self.number[image[cell]] for image in symmetries) for cell in self.cells})

    @cached_property
    def _symmetries(self) -> list[Symmetry]:
        """Every small matrix that permutes the directions and, shifted, maps the board to itself."""
        found = []
        for a, b, c, d in product((-1, 0, 1), repeat=4):
            if {(a * r + b * s, c * r + d * s) for r, s in self.directions} != self.directions:
                continue
            turned = {(r, s): (a * r + b * s, c * r + d * s) for r, s in self.cells}
            corners = [
                min(cell[axis] for cell in turned.values()) - min(c[axis] for c in self.cells) for axis in (0, 1)
            ]
            image = {cell: (r - corners[0], s - corners[1]) for cell, (r, s) in turned.items()}
            if set(image.values()) == set(self.cells):
                found.append(image)
        return found

    def paths(self, position: Position, back: bool = False) -> Iterator[tuple[Path, Position]]:
        """Every whole move, as the cells its peg stood in, and the position it leads to."""
        open_ends: list[tuple[Path, Position]] = [((cell,), position) for cell in position]
        while open_ends:
            path, before = open_ends.pop()
            for end, after in self.jumps(before, path[-1], back):
                yield (*path, end), after
                open_ends.append(((*path, end), after))


class ProblemByHand(GameByHand):
    """A board with a start and a goal."""

    def __init__(self, name: str, boards: Boards = NO_BOARDS) -> None:
        self.name = name
        self.board_name, problem = name.split("/")
        text = load_board(self.board_name, boards)
        super().__init__(text)
        self.start = self._pegs(text.problems[problem].start)
        self.goal = self._pegs(text.problems[problem].goal)
        self.symmetries = [
            image
            for image in self.keeping()
            if all({image[cell] for cell in ends} == ends for ends in (self.start, self.goal))
        ]

    def _pegs(self, text: str) -> Position:
        text = text.strip().lower()
        listed = text.removeprefix("all but").replace(",", " ").split()
        cells = {(int(word[1:]) - 1, ord(word[0]) - ord("a")) for word in listed if word[0].isalpha()}
        words = (word.partition("-") for word in listed if word[0].isdigit())
        ends = [(int(first), int(last or first)) for first, _, last in words]
        cells |= {cell for n, cell in self.cell.items() if any(first <= n <= last for first, last in ends)}
        return frozenset(self.cells) - cells if text.startswith("all but") else frozenset(cells)


class Made(NamedTuple):
    """Moves of so many jumps: ``origin`` int64 (m), the index of the position each is made from; ``result`` uint64."""

    jumps: int
    origin: NDArray[np.int64]
    result: Words


class GameByArrays:
    """The jumps of a board, and the symmetries that identify positions: permutations of holes, the identity first."""

    def __init__(self, game: GameByHand, symmetries: Sequence[Symmetry]) -> None:
        self.index = game.index
        found = {tuple(self.index[image[cell]] for cell in game.cells) for image in symmetries}
        self.permutations = sorted(map(list, found))
        self.jumps = [
            (self.index[r, c], self.index[r + dr, c + dc], self.index[r + 2 * dr, c + 2 * dc])
            for r, c in game.cells
            for dr, dc in sorted(game.directions)
            if (r + dr, c + dc) in self.index and (r + 2 * dr, c + 2 * dc) in self.index
        ]
        self._begins = {(b - a, c - a): np.uint64(0) for a, b, c in self.jumps}
        for a, b, c in self.jumps:
            self._begins[b - a, c - a] |= np.uint64(1 << a)
        self._tables = [tables_of([1 << hole for hole in permutation]) for permutation in self.permutations]

    def images(self, words: Words) -> Iterator[Words]:
        """The images of positions, symmetry by symmetry."""
        for tables in self._tables:
            yield looked_up(words, tables)

    def canonical(self, words: Words) -> Words:
        """The least image of each."""
        return _by_parts(words, lambda part: reduce(np.minimum, self.images(part)))

    def orbits(self, words: Words) -> tuple[Words, NDArray[np.int64]]:
        """The positions that are the least of their images, and of each the number of different images."""
        found = list[Stops]()
        for part in _parts(words):
            kept = np.ones(len(part), np.uint8)  # number of symmetries that map each to itself
            for tables in self._tables[1:]:
                image = looked_up(part, tables)
                least = np.flatnonzero(part <= image)
                kept = (kept + (image == part)).take(least)
                part = part.take(least)
            found.append((part, len(self.permutations) // kept.astype(np.int64)))
        words, sizes = _joined(found)
        return words, sizes

    def orbit_sizes(self, words: Words) -> NDArray[np.int64]:
        """Number of different images of each."""

        def kept(part: Words) -> NDArray[np.uint8]:
            """Number of symmetries that map each to itself."""
            return sum((image == part for image in self.images(part)), np.zeros(len(part), np.uint8))

        return len(self.permutations) // _by_parts(words, kept).astype(np.int64)

    def jump_counts(self, words: Words) -> NDArray[np.int64]:
        """Number of single jumps of each position: those over and to holes that are as many further, together."""

        def at(part: Words, further: int) -> Words:
            """Words whose bit i is the bit of hole i + ``further``."""
            return part >> np.uint64(further) if further >= 0 else part << np.uint64(-further)

        def count(part: Words) -> NDArray[np.uint8]:
            able = (at(part, over) & ~at(part, end) & begins for (over, end), begins in self._begins.items())
            return sum((np.bitwise_count(part & one) for one in able), np.zeros(len(part), np.uint8))

        return _by_parts(words, count).astype(np.int64)

    def moves_from(self, words: Words, back: bool = False, single: bool = False) -> Iterator[Made]:
        """All whole moves, each way to make one by itself, or all single jumps; made, or taken back. Of a part of the
        positions, one after another, those of one jump come first, then those of two, and so on."""
        for begin in range(0, len(words), AT_ONCE):
            for jumps, standing in enumerate(self.landed(words[begin : begin + AT_ONCE], back), 1):
                origin, result = _joined(standing.values())
                yield Made(jumps, origin + begin, result)
                if single:
                    break

    def moved(self, words: Words, back: bool = False, single: bool = False) -> Made:
        """All these moves together, with the most jumps of any; of their results the least images."""
        moves = [Made(0, np.empty(0, np.int64), words[:0]), *self.moves_from(words, back, single)]
        origin = np.concatenate([made.origin for made in moves])
        ends = np.concatenate([self.canonical(made.result) for made in moves])
        return Made(max(made.jumps for made in moves), origin, ends)

    def ends(self, words: Words, back: bool = False, single: bool = False) -> Words:
        """The different least images of the results of all these moves, ascending."""
        return distinct(self.moved(words, back, single).result)

    def levels(self, start: int) -> Iterator[Words]:
        """The positions after 0, 1, 2, ... jumps from a start, the least images, ascending, while there are any."""
        level = self.canonical(np.array([start], np.uint64))
        while len(level):
            yield level
            level = self.ends(level, single=True)

    def joined_to(self, words: Words, levels: Iterable[Words], back: bool = False, single: bool = False) -> list[Words]:
        """Of each level, ascending, the positions to which moves lead from those of the level before it, first from
        ``words``; or single jumps."""
        found = [words]
        for level in levels:
            found.append(level[are_in(level, self.ends(found[-1], back, single))])
        return found[1:]

    def landed(self, words: Words, back: bool, more: Stops = ()) -> Iterator[dict[int, Stops]]:
        """After one jump of a move, after two, and so on: origins and results, by the hole that the peg has come to.
        The peg goes on from what stands there then: others that are put in their place, or fewer.

        more: further columns of the positions, which the results have as well.
        """
        standing: dict[int, Stops] = dict.fromkeys(self.index.values(), (np.arange(len(words)), words, *more))
        while True:
            landed: dict[int, list[Stops]] = {}
            for a, b, c in self.jumps:
                if a not in standing:
                    continue
                three = np.uint64(1 << a | 1 << b | 1 << c)
                wanted = np.uint64(1 << a | (0 if back else 1 << b))
                origin, before, *others = standing[a]
                possible = np.flatnonzero(before & three == wanted)
                if len(possible):
                    kept = (column.take(possible) for column in others)
                    landed.setdefault(c, []).append((origin.take(possible), before.take(possible) ^ three, *kept))
            if not landed:
                return
            standing = {hole: _joined(parts) for hole, parts in landed.items()}
            yield standing


def _parts(words: Words) -> Iterator[Words]:
    """Positions, so many at a time that a core's cache holds them; where there are none, one empty part."""
    return (words[low : low + IMAGES_AT_ONCE] for low in range(0, len(words) or 1, IMAGES_AT_ONCE))


def _by_parts(words: Words, of: Callable[[Words], NDArray[Any]]) -> NDArray[Any]:
    """A value of each position, part by part."""
    return np.concatenate([of(part) for part in _parts(words)])


def _joined(parts: Iterable[Stops]) -> Stops:
    """The columns of several parts, one after another."""
    return tuple(map(np.concatenate, zip(*parts, strict=True)))


def are_in(words: Words, ascending: Words) -> NDArray[np.bool_]:
    """bool: which words are among ascending ones."""
    return places_among(words, ascending) >= 0


def looked_up(words: Words, tables: Sequence[Words]) -> Words:
    """Entries of tables for words, part by part, added modulo 2."""
    found = tables[0].take((words & PART).view(np.int64), mode="clip")  # no part is outside its table
    for place, table in enumerate(tables[1:], 1):
        found ^= table.take((words >> np.uint64(place * TABLE_HOLES) & PART).view(np.int64), mode="clip")
    return found


def tables_of(images: Sequence[int]) -> list[Words]:
    """For each part of so many bits of a word, uint64 (2^11): the images of its bits, added modulo 2."""
    tables = []
    for low in range(0, len(images), TABLE_HOLES):
        table = np.zeros(1, np.uint64)
        for image in (*images[low : low + TABLE_HOLES], *[0] * (TABLE_HOLES + low - len(images))):
            table = np.concatenate([table, table ^ np.uint64(image)])
        tables.append(table)
    return tables
