"""A problem in plain Python, on cells and sets, read from its board's picture alone: no code is the kernels'."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product

from boardspace.spaces.solitaire.board_files import NO_BOARDS, Boards, BoardText, load_board

Cell = tuple[int, int]
Path = tuple[Cell, ...]
Position = frozenset[Cell]


class GameByHand:
    """A board as cells, read from its picture alone, and the jumps on it."""

    def __init__(self, text: BoardText) -> None:
        lines = [line.split() for line in text.picture.strip("\n").splitlines()]
        self.cell = {int(token): (r, c) for r, line in enumerate(lines) for c, token in enumerate(line) if token != "."}
        self.cells = [self.cell[number] for number in sorted(self.cell)]
        self.holes = frozenset(self.cells)
        axes = [(0, 1), (1, 0)] + [(1, 1)] * (text.grid == "triangular")
        self.directions = {(s * a, s * b) for a, b in axes for s in (1, -1)}

    def position(self, word: int) -> Position:
        """The position that a word stands for."""
        return frozenset(cell for i, cell in enumerate(self.cells) if word >> i & 1)

    def word(self, position: Position) -> int:
        """The word of a position: bit i for the i-th cell."""
        return sum(1 << i for i, cell in enumerate(self.cells) if cell in position)

    def jumps(self, position: Position, cell: Cell, back: bool = False) -> Iterator[tuple[Cell, Position]]:
        """The jumps of one peg, by the cell it comes to; where jumps are taken back, the peg jumped over comes back."""
        for dr, dc in self.directions:
            over, end = (cell[0] + dr, cell[1] + dc), (cell[0] + 2 * dr, cell[1] + 2 * dc)
            if end in self.holes and over in self.holes and end not in position and (over in position) != back:
                yield end, (position ^ {over} ^ {cell, end})

    def after(self, position: Position, move: str) -> Position | None:
        """The position after a move, written ``9==>23==>25`` and in no other way; None where it is not possible."""
        labels = move.split("==>")
        if any(label != str(int(label)) for label in labels):
            return None
        stops = [self.cell[int(label)] for label in labels]
        for begin, end in pairwise(stops):
            reached = dict(self.jumps(position, begin)) if begin in position else {}
            if end not in reached:
                return None
            position = reached[end]
        return position

    def all_symmetries(self) -> Iterator[dict[Cell, Cell]]:
        """Every small matrix that permutes the directions and, shifted, maps the board to itself."""
        for a, b, c, d in product((-1, 0, 1), repeat=4):
            if {(a * r + b * s, c * r + d * s) for r, s in self.directions} != self.directions:
                continue
            turned = {(r, s): (a * r + b * s, c * r + d * s) for r, s in self.cells}
            corners = [
                min(cell[axis] for cell in turned.values()) - min(c[axis] for c in self.cells) for axis in (0, 1)
            ]
            image = {cell: (r - corners[0], s - corners[1]) for cell, (r, s) in turned.items()}
            if set(image.values()) == set(self.cells):
                yield image

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
        self.symmetries = [image for image in self.all_symmetries() if self._keeps(image)]

    def canonical(self, position: Position) -> int:
        """The least word of its images."""
        return min(self.images(position))

    def images(self, position: Position) -> set[int]:
        """The words of its images under the symmetries of the problem."""
        return {self.word(frozenset(image[cell] for cell in position)) for image in self.symmetries}

    def moves(self, position: Position, back: bool) -> Counter[Position]:
        """Every position one whole move away, with the number of moves that lead there."""
        return Counter(after for _, after in self.paths(position, back))

    def _pegs(self, text: str) -> Position:
        text = text.strip().lower()
        listed = text.removeprefix("all but").replace(",", " ").split()
        cells = {(int(word[1:]) - 1, ord(word[0]) - ord("a")) for word in listed if word[0].isalpha()}
        words = (word.partition("-") for word in listed if word[0].isdigit())
        ends = [(int(first), int(last or first)) for first, _, last in words]
        cells |= {cell for n, cell in self.cell.items() if any(first <= n <= last for first, last in ends)}
        return frozenset(self.cells) - cells if text.startswith("all but") else frozenset(cells)

    def _keeps(self, image: dict[Cell, Cell]) -> bool:
        return all({image[cell] for cell in position} == position for position in (self.start, self.goal))
