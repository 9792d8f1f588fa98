"""Questions about sliding blocks: how many packings a tray has, a board's group, a puzzle's solution.

Rows and columns count from 1.
"""

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from boardspace.spaces.sliding_blocks.boards import MOST_CELLS, Board, TraySize, parse, tray_size
from boardspace.spec.arguments import shown, text, whole
from boardspace.spec.deferred import deferred
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.second_rules import bits
from boardspace.spec.slides import HOW_EMPTY, Moves, Slides, Solution
from boardspace.spec.texts import counted

if TYPE_CHECKING:
    from boardspace.graphs import hardness as measures
    from boardspace.spec import sliding
    from boardspace_kernels.sliding_blocks import frontier, step_graph
    from boardspace_kernels.sliding_blocks import tray as trays
else:
    (measures,) = deferred("boardspace.graphs", "hardness")
    (sliding,) = deferred("boardspace.spec", "sliding")
    frontier, step_graph, trays = deferred("boardspace_kernels.sliding_blocks", "frontier", "step_graph", "tray")

COUNTED_SIDE, COUNTED_LENGTH = 5, 100
"""Trays that are counted: the shorter side and the longer one."""
MOST_POSITIONS = 4_000_000


@dataclass(frozen=True)
class Count:
    """Packings of a tray. by_voids: how many have 0, 1, ... voids; only for trays of up to 20 cells."""

    rows: int
    columns: int
    packings: int
    by_voids: tuple[int, ...] = ()

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self) | {"by_voids": list(self.by_voids)}

    def __str__(self) -> str:
        lines = [f"{self.rows} x {self.columns}: {counted(self.packings, 'packing')}"]
        lines += [
            f"{voids:3} {'void' if voids == 1 else 'voids':5} {packings:>{len(lines[0])},}"
            for voids, packings in enumerate(self.by_voids)
        ]
        return "\n".join(lines)


def count(rows: int, columns: int) -> Count:
    """The number of packings of a tray of rows x columns cells, counted without making one; by voids for trays of up to
    20 cells. BoardspaceError for trays beyond 5 x 100.

    >>> print(count(2, 2))
    2 x 2: 43 packings
      0 voids                 12
      1 void                  16
      2 voids                 10
      3 voids                  4
      4 voids                  1
    >>> count(5, 5).packings
    3117469335485
    """
    rows, columns = tray_size(rows, columns)
    short, long = sorted((rows, columns))
    if short > COUNTED_SIDE or long > COUNTED_LENGTH:
        raise BoardspaceError(
            f"{rows} x {columns}: trays are counted up to {COUNTED_SIDE} x {COUNTED_LENGTH}; each row more of the "
            "shorter side takes ten times as long for each cell"
        )
    if rows * columns > MOST_CELLS:
        return Count(rows, columns, frontier.count_packings(rows, columns))
    voids = [0] * (rows * columns + 1)
    for sizes, packings in frontier.count_by_sizes(rows, columns).items():
        voids[rows * columns - sum(sizes)] += packings
    return Count(rows, columns, sum(voids), tuple(voids))


@dataclass(frozen=True)
class Group:
    """A board among the positions with the same pieces.

    positions: of its class, all arrangements of its pieces.
    groups: how many groups these make.
    group: positions of the board's own group.
    """

    board: Board
    positions: int
    groups: int
    group: int

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "board": "/".join(self.board.lines()),
            "code": self.board.code,
            "pieces": len(self.board.pieces),
            "voids": self.board.tray.cells - sum(piece.bit_count() for piece in self.board.pieces.values()),
            "positions": self.positions,
            "groups": self.groups,
            "group": self.group,
        }

    def __str__(self) -> str:
        about = self.document()
        return "\n".join(
            [
                *self.board.lines(),
                f"{counted(about['pieces'], 'piece')}, {counted(about['voids'], 'void')}, code {about['code']}",
                f"{counted(self.positions, 'position')} with these pieces, in {counted(self.groups, 'group')}; "
                f"its own: {self.group:,}",
            ]
        )


def group(board: Board | str) -> Group:
    """The board's class and group, in numbers of positions. A board, or a text as :func:`parse` reads it.

    BoardspaceError beyond trays of 20 cells, or 4,000,000 positions with the same pieces, and for a tray with walls.

    >>> found = group("AAB/.CB")
    >>> found.positions, found.groups, found.group
    (8, 4, 2)
    """
    board = parse(board)
    if board.walls:
        raise BoardspaceError("a tray with walls has no class among those of trays; it can be solved")
    if not board.pieces:
        return Group(board, 1, 1, 1)
    graph, start = _located(board)
    own = int(graph.work.size[graph.work.group[start]])
    return Group(board, len(graph.own.code), graph.groups, own)


def solve(
    board: Board | str, piece: str, to: tuple[int, int] | None = None, *, walls: str = "", metric: str = "step"
) -> Solution[Board] | None:
    """A shortest way that takes a piece to a place: row and column, from 1, of the upper left corner of its bounding
    box; without a place to the lower right corner of the tray. None where there is no way.

    The board is one, or a text as :func:`parse` reads it; cells of the sign ``walls``, if one is given, are walls. A
    step moves one piece any way, round corners too; where ``metric`` is "unit", by one cell.
    BoardspaceError where the board has no such piece, it does not fit at the place, or more than 4,000,000 positions
    were met.

    >>> found = solve("ABB./ACDD/EEFG/HEI.", "A")
    >>> found
    Solution(132 steps)
    >>> found.moved[:3]
    ['B', 'C', 'D']
    >>> print(found.boards[1])
    A.BB
    ACDD
    EEFG
    HEI.
    """
    board = parse(board, walls)
    return _slides(board, piece, to).solve(board, metric)


def moves(
    board: Board | str, piece: str, to: tuple[int, int] | None = None, *, walls: str = "", metric: str = "step"
) -> Moves[Board]:
    """The next steps of a board, with the exact number of steps that each leaves; arguments and errors as for
    :func:`solve`.

    The whole group is searched: BoardspaceError where it has more than 1,048,576 positions.

    >>> found = moves("AAB/.CB", "C", to=(2, 1))
    >>> found.steps, [(moved, left) for moved, _, left in found.choices]
    (1, [('C', 0)])
    """
    board = parse(board, walls)
    return _slides(board, piece, to).moves(board, metric)


def hardness(
    board: Board | str, piece: str, to: tuple[int, int] | None = None, *, walls: str = ""
) -> "measures.Hardness | None":
    """Measures of a puzzle beside the number of its steps, on the board's whole group; arguments and errors as for
    :func:`moves`. None where there is no way. A position seems the nearer, the fewer cells the piece is away from its
    place.

    >>> found = hardness("ABB./ACDD/EEFG/HEI.", "A")
    >>> found.moves, found.forced, found.detours, found.returns
    (132, 116, 6, 26)
    """
    board = parse(board, walls)
    graph = _slides(board, piece, to).graph(board)
    return measures.hardness(graph, seems=graph.away, as_begun=graph.as_begun)


def _slides(board: Board, piece: str, to: tuple[int, int] | None) -> Slides[Board]:
    """The question about a piece of a board and its place, which can be asked of all boards of its group."""
    if text("piece", piece, "A") not in board.pieces:
        raise BoardspaceError(f"the board has no piece {piece!r}; it has {', '.join(board.pieces) or 'none'}")
    signs = [piece, *(sign for sign in board.pieces if sign != piece)]
    floor, goals = (1 << board.tray.cells) - 1 & ~board.walls, 1 << _goal(board.tray, board.pieces[piece], to)

    def posed(board: Board) -> "sliding.Question":
        return sliding.Question(sliding.Tray(*board.tray, floor), [board.pieces[sign] for sign in signs], goals)

    def after(board: Board, step: "sliding.Step") -> tuple[str, Board]:
        sign = signs[step.piece]
        return sign, replace(board, pieces={**board.pieces, sign: step.cells})

    return Slides(posed, after)


def no_way(board: Board, piece: str) -> str:
    """The sentence that says that a piece cannot come to its place."""
    full = sum(map(int.bit_count, [*board.pieces.values(), board.walls])) == board.tray.cells
    return f"no way takes {piece} there" + (f": no cell is empty; {HOW_EMPTY}" if full else "")


def _goal(size: TraySize, piece: int, to: tuple[int, int] | None) -> int:
    """The cell of the upper left corner of the piece's bounding box at its place; BoardspaceError where it does not fit
    there."""
    cells = list(bits(piece))
    rows, columns = ([cell // size.columns for cell in cells], [cell % size.columns for cell in cells])
    height, width = (max(some) - min(some) + 1 for some in (rows, columns))
    row, column = _place(to) if to is not None else (size.rows - height + 1, size.columns - width + 1)
    if not (1 <= row <= size.rows - height + 1 and 1 <= column <= size.columns - width + 1):
        raise BoardspaceError(
            f"a piece of {height} x {width} cells does not fit at {row},{column}; its upper left corner can come to "
            f"rows 1 to {size.rows - height + 1} and columns 1 to {size.columns - width + 1}"
        )
    return (row - 1) * size.columns + column - 1


def _place(to: Any) -> tuple[int, int]:
    try:
        row, column = to
    except (TypeError, ValueError):
        raise BoardspaceError(f"to: a row and a column, such as (3, 2), are wanted, not {shown(to)}") from None
    return whole("row", row), whole("column", column)


def _located(board: Board) -> "tuple[step_graph.Graph, int]":
    if board.tray.cells > MOST_CELLS:
        raise BoardspaceError(
            f"a tray of {board.tray.rows} x {board.tray.columns}; boards of up to {MOST_CELLS} cells can be searched: "
            "on 5 x 5 pieces can lie in 2,301,877 ways, 20 times as many as on 4 x 5, and a position takes 65 bits, "
            "more than a word"
        )
    tables = trays.tray(*board.tray)
    placement = {mask: number for number, mask in enumerate(tables.mask.tolist())}
    own = step_graph.class_of(tables, sorted(placement[piece] for piece in board.pieces.values()), MOST_POSITIONS)
    if own is None:
        raise BoardspaceError(f"there are more than {MOST_POSITIONS:,} positions with these pieces, too many to search")
    return step_graph.graph_of(tables, own), own.code.tolist().index(board.code)
