"""Drawings of layouts: each piece a box of its own, nothing where a cell is empty, the exit open below.

Graphs of shortest paths are drawn as SVG, and written as GraphML for programs that draw and measure graphs.
"""

from collections.abc import Collection, Mapping, Sequence

from boardspace.cli.drawing import Picture
from boardspace.spaces.klotski.texts import COLUMNS, ROWS, Piece, format_code

LETTERS = "ABCDEFGHIJKLMNOPQRS"
WIDE, HIGH = 4, 2
"""Signs of a cell, across and down."""
THIN, THICK = "╭─╮│ │╰─╯", "┏━┓┃▒┃┗━┛"
CELL = 40
MARGIN = 6
COLOURS = {(2, 2): "#c0392b", (1, 2): "#2e86c1", (2, 1): "#1e8449", (1, 1): "#d4ac0d"}
NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
STEP_WIDTH, NODE_HEIGHT, RADIUS, AROUND = 56, 16, 4, 24
"""Pixels from one step to the next, from one layout of a step to the next, of a layout's disc, and around."""


def lines(pieces: Sequence[Piece], moved: int | None = None, left: Collection[int] = ()) -> list[str]:
    """A layout in 12 lines of 18 signs. Pieces are lettered by their places in the list; that of the number ``moved``
    is drawn thick, and the cells in ``left``, which it left, are dotted."""
    canvas = [[" "] * (WIDE * COLUMNS) for _ in range(HIGH * ROWS)]
    for cell in left:
        row, column = divmod(cell, COLUMNS)
        for down in range(HIGH):
            canvas[HIGH * row + down][WIDE * column + 1] = canvas[HIGH * row + down][WIDE * column + 2] = "·"
    for number, piece in enumerate(pieces):
        _box(canvas, piece, LETTERS[number], THICK if number == moved else THIN)
    edge = "─" * (WIDE * COLUMNS)
    door = " " * (2 * WIDE)
    bottom = "─" * WIDE + door + "─" * WIDE
    return [f"┌{edge}┐", *(f"│{''.join(line)}│" for line in canvas), f"└{bottom}┘"]


def _box(canvas: list[list[str]], piece: Piece, letter: str, style: str) -> None:
    row, column = divmod(piece.cell, COLUMNS)
    top, first = HIGH * row, WIDE * column
    bottom, last = top + HIGH * piece.height - 1, first + WIDE * piece.width - 1
    for y in range(top, bottom + 1):
        for x in range(first, last + 1):
            part = 3 * ((y > top) + (y == bottom)) + (x > first) + (x == last)
            canvas[y][x] = style[part]
    canvas[top][first + 1] = letter


def picture(pieces: Sequence[Piece], moved: int | None = None, left: Collection[int] = ()) -> Picture:
    """Draw a layout: a red block, blue and green dominoes, yellow singles; the moved piece has a dark edge."""
    side = 2 * MARGIN
    drawn = Picture(CELL * COLUMNS + side, CELL * ROWS + side)
    drawn.rect(MARGIN / 2, MARGIN / 2, CELL * COLUMNS + MARGIN, CELL * ROWS + MARGIN, "#f4ecd8", stroke="#6e4b1f", rx=4)
    drawn.rect(MARGIN + CELL, CELL * ROWS + side - 5, 2 * CELL, 4, "#f4ecd8")
    for cell in left:
        row, column = divmod(cell, COLUMNS)
        drawn.circle(MARGIN + CELL * (column + 0.5), MARGIN + CELL * (row + 0.5), 4, "#bbb")
    for number, piece in enumerate(pieces):
        row, column = divmod(piece.cell, COLUMNS)
        x, y = MARGIN + CELL * column + 1.5, MARGIN + CELL * row + 1.5
        width, height = CELL * piece.width - 3, CELL * piece.height - 3
        edge = {"stroke": "#111", "stroke_width": 3} if number == moved else {"stroke": "#0003"}
        drawn.rect(x, y, width, height, COLOURS[piece.height, piece.width], rx=5, **edge)
        drawn.text(x + width / 2, y + height / 2, LETTERS[number], 15, fill="#fff")
    return drawn


def graph_picture(after: Mapping[int, Sequence[int]]) -> Picture:
    """Draw a graph of shortest paths: a column for each step, from left to right, a disc for each layout, whose code
    appears where a pointer rests on it, a line for each step between them."""
    columns = _columns(after)
    tallest = max(map(len, columns))
    drawn = Picture(2 * AROUND + STEP_WIDTH * (len(columns) - 1), 3 * AROUND + NODE_HEIGHT * (tallest - 1))
    middle = AROUND + NODE_HEIGHT * (tallest - 1) / 2
    place = {
        code: (AROUND + STEP_WIDTH * step, middle + NODE_HEIGHT * (i - (len(codes) - 1) / 2))
        for step, codes in enumerate(columns)
        for i, code in enumerate(codes)
    }
    for code, others in after.items():
        for other in others:
            drawn.line(*place[code], *place[other], stroke="#9993")
    for step, codes in enumerate(columns):
        for code in codes:
            colour = "#c0392b" if step in (0, len(columns) - 1) else "#2e86c1"
            drawn.circle(*place[code], RADIUS, colour, title=format_code(code))
        drawn.text(AROUND + STEP_WIDTH * step, drawn.height - AROUND / 2, f"{step}", 10, fill="#777")
    return drawn


def _columns(after: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """The codes by step. Those of a step stand by the mean place of the layouts that lead to them, so that fewer lines
    cross."""
    columns = [list(after)[:1]]
    while following := dict.fromkeys(other for code in columns[-1] for other in after.get(code, ())):
        places: dict[int, list[int]] = {other: [] for other in following}
        for i, code in enumerate(columns[-1]):
            for other in after[code]:
                places[other].append(i)
        columns.append(sorted(following, key=lambda code: (sum(places[code]) / len(places[code]), code)))
    return columns


def graphml(after: Mapping[int, Sequence[int]]) -> str:
    """The layouts on shortest paths as nodes, named by their codes, with the attribute ``step``; a directed edge for
    each step. ``after`` tells by code what may follow each layout, those nearer to the first one first."""
    from xml.etree.ElementTree import Element, SubElement, indent, tostring  # slower to import than a way is to find

    root = Element("graphml", xmlns=NAMESPACE)
    SubElement(root, "key", {"id": "step", "for": "node", "attr.name": "step", "attr.type": "int"})
    graph = SubElement(root, "graph", edgedefault="directed")
    step = dict.fromkeys(list(after)[:1], 0)
    for code, others in after.items():
        node = SubElement(graph, "node", id=format_code(code))
        SubElement(node, "data", key="step").text = str(step[code])
        step |= dict.fromkeys(others, step[code] + 1)
    for code, others in after.items():
        for other in others:
            SubElement(graph, "edge", source=format_code(code), target=format_code(other))
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True) + "\n"
