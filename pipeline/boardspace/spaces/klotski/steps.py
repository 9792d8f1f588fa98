"""Steps: the object, all steps from a layout, and ways made of steps, listed and drawn as boards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from boardspace.cli.drawing import Picture, gallery
from boardspace.cli.lines import in_columns, side_by_side, terminal_width
from boardspace.spaces.klotski import pictures
from boardspace.spaces.klotski.layouts import Layout, LayoutLike, parse
from boardspace.spaces.klotski.texts import CELLS, COLUMNS, ROWS, Piece, encode
from boardspace.spec.texts import counted

ARROWS = {-COLUMNS: "↑", -1: "←", 1: "→", COLUMNS: "↓"}


@dataclass(frozen=True)
class Step:
    """One step: the piece before and after it, the way it went (arrows, one a cell), and the layout it leads to."""

    start: Piece
    end: Piece
    route: str
    layout: Layout

    @property
    def short(self) -> str:
        """The way with its lengths, such as →2 or ↓←."""
        runs = ("".join(run) for _, run in groupby(self.route))
        return "".join(f"{run[0]}{len(run) if len(run) > 1 else ''}" for run in runs)


@dataclass(frozen=True)
class Path:
    """A shortest way: its layouts, first and last included; ``unit`` where its steps are of one cell."""

    layouts: tuple[Layout, ...]
    unit: bool = False

    def __len__(self) -> int:
        return len(self.layouts) - 1

    @property
    def length(self) -> str:
        """Number of its steps, or unit moves."""
        return counted(len(self), "unit move" if self.unit else "step")

    def steps(self) -> list[tuple[int, Step]]:
        """The steps, each with the number of its piece in the first layout (0 is the block)."""
        pieces = list(self.layouts[0].pieces)
        found = []
        for before, after in zip(self.layouts, self.layouts[1:], strict=False):
            step = _step(before, after)
            number = pieces.index(step.start)
            pieces[number] = step.end
            found.append((number, step))
        return found

    def __repr__(self) -> str:
        return f"Path({self.length} from {self.layouts[0].text} to {self.layouts[-1].text})"

    def __str__(self) -> str:
        """The first layout with its pieces lettered, and the steps: number, piece, way."""
        return "\n".join([str(self.layouts[0]), *self.list_steps(terminal_width())])

    def list_steps(self, width: int) -> Iterator[str]:
        """The steps as a compact list: number, piece, way and cells."""
        entries = [
            f"{i:>3} {pictures.LETTERS[number]} {step.short}" for i, (number, step) in enumerate(self.steps(), 1)
        ]
        return in_columns(entries, width)

    def _drawn(self) -> Iterator[tuple[Layout, tuple[Any, ...]]]:
        """Yield each layout with what draws it: its pieces, and after a step which of them moved and what it left."""
        pieces = list(self.layouts[0].pieces)
        yield self.layouts[0], (pieces,)
        for number, step in self.steps():
            pieces[number] = step.end
            yield step.layout, (pieces, number, step.start.cells - step.end.cells)

    def boards(self) -> Iterator[tuple[str, list[str]]]:
        """For each layout a caption and its drawing; pieces keep their letters, the one just moved is drawn thick."""
        return ((f"({i}) {layout.text}", pictures.lines(*drawn)) for i, (layout, drawn) in enumerate(self._drawn()))

    def draw(self, width: int) -> Iterator[str]:
        """All boards, side by side as the width allows."""
        return side_by_side([[caption, *drawing] for caption, drawing in self.boards()], width)

    def document(self) -> dict[str, Any]:
        """Number of steps and codes, as JSON values."""
        return {"solvable": True, "steps": len(self), "codes": [layout.text for layout in self.layouts]}

    def picture(self) -> Picture:
        """All boards in one picture."""
        drawn = [pictures.picture(*drawn) for _, drawn in self._drawn()]
        return gallery(drawn, map(str, range(len(drawn))))

    def _repr_svg_(self) -> str:
        return self.picture().svg()


def neighbours(layout: LayoutLike) -> tuple[Step, ...]:
    """The layouts one step away, each with the step; pieces in order of their cells. LayoutError where ``layout`` is
    none and writes none.

    >>> [step.short for step in neighbours("横刀立马")]
    ['↓', '↓→', '↓', '↓←', '→', '→2', '←', '←2']
    """
    layout = parse(layout)
    return tuple(
        Step(piece, Piece(cell, piece.height, piece.width), route, Layout(_moved(layout, piece, cell)))
        for piece in layout.pieces
        for cell, route in _routes(layout, piece).items()
        if route
    )


def board(step: Step) -> list[str]:
    """A caption and the drawing of where a step leads; the piece that moved is drawn thick."""
    pieces = step.layout.pieces
    caption = f"{step.layout.text} {step.short}"
    return [caption, *pictures.lines(pieces, pieces.index(step.end), step.start.cells - step.end.cells)]


def picture_of(steps: Sequence[Step]) -> Picture:
    """Picture of where steps lead."""
    drawn = [
        pictures.picture(s.layout.pieces, s.layout.pieces.index(s.end), s.start.cells - s.end.cells) for s in steps
    ]
    return gallery(drawn, [step.layout.text for step in steps])


def _step(before: Layout, after: Layout) -> Step:
    (start,) = set(before.pieces) - set(after.pieces)
    (end,) = set(after.pieces) - set(before.pieces)
    return Step(start, end, _routes(before, start)[end.cell], after)


def _routes(layout: Layout, piece: Piece) -> dict[int, str]:
    """Return where a piece can stand after a step, each cell with a shortest way of arrows; its own cell first."""
    free = layout.empty | piece.cells
    routes = {piece.cell: ""}
    for cell in iter(places := [piece.cell]):
        for stride, arrow in ARROWS.items():
            other = Piece(cell + stride, piece.height, piece.width)
            if other.cell not in routes and _fits(cell, other) and other.cells <= free:
                routes[other.cell] = routes[cell] + arrow
                places.append(other.cell)
    return routes


def _fits(cell: int, piece: Piece) -> bool:
    """Return whether a piece moved from the cell beside is still on the board."""
    row, column = divmod(piece.cell, COLUMNS)
    inside = 0 <= piece.cell < CELLS and row + piece.height <= ROWS and column + piece.width <= COLUMNS
    return inside and (row == cell // COLUMNS or column == cell % COLUMNS)


def _moved(layout: Layout, piece: Piece, cell: int) -> int:
    return encode([other for other in layout.pieces if other != piece] + [Piece(cell, piece.height, piece.width)])
