"""Pictures as SVG: a few shapes, no library. Lengths are pixels; a picture has its own size and no background."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

CELL = 26
HUES = 29
"""Degrees of hue between two letters of a drawing."""
GAP = 12
CAPTION = 18
COLUMNS = 8


@dataclass
class Picture:
    """An SVG in the making: ``width`` by ``height`` pixels, shapes in the order they are painted."""

    width: float
    height: float
    shapes: list[str] = field(default_factory=list)

    def rect(self, x: float, y: float, width: float, height: float, fill: str, **more: str | float) -> None:
        """A rectangle; ``more`` are attributes, such as ``rx`` for round corners (``_`` stands for ``-``)."""
        self._add("rect", {"x": x, "y": y, "width": width, "height": height, "fill": fill, **more})

    def circle(self, x: float, y: float, radius: float, fill: str, title: str = "", **more: str | float) -> None:
        """A disc around (x, y); ``title`` appears where a pointer rests on it."""
        content = f"<title>{escape(title)}</title>" if title else ""
        self._add("circle", {"cx": x, "cy": y, "r": radius, "fill": fill, **more}, content)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str, **more: str | float) -> None:
        """A line."""
        self._add("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke": stroke, **more})

    def text(self, x: float, y: float, content: str, size: float = 14, **more: str | float) -> None:
        """A line of text, centred on (x, y)."""
        given: dict[str, str | float] = {
            "x": x,
            "y": y,
            "font_size": size,
            "font_family": "sans-serif",
            "text_anchor": "middle",
        }
        self._add("text", {**given, "dominant_baseline": "central", **more}, escape(content))

    def svg(self) -> str:
        """The document."""
        size = f'width="{_number(self.width)}" height="{_number(self.height)}"'
        box = f'viewBox="0 0 {_number(self.width)} {_number(self.height)}"'
        return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>', *self.shapes, "</svg>\n"])

    def _repr_svg_(self) -> str:
        return self.svg()

    def _add(self, tag: str, attributes: dict[str, str | float], content: str = "") -> None:
        written = " ".join(f'{name.replace("_", "-")}="{_number(value)}"' for name, value in attributes.items())
        self.shapes.append(f"<{tag} {written}>{content}</{tag}>" if content else f"<{tag} {written}/>")


TRAY_CELL, MARGIN = 40, 6
FLOOR, WALL = "#f4ecd8", "#6e4b1f"
PIECES = ("#c0392b", "#2e86c1", "#1e8449", "#d4ac0d", "#7d3c98", "#ca6f1e", "#148f77", "#5d6d7e")
"""Colours of pieces, in turn."""


def tray_picture(rows: int, columns: int, pieces: Mapping[str, int], walls: int = 0) -> Picture:
    """A tray with its pieces by their signs, and walls: sets of cells, a bit for each in reading order."""
    side = TRAY_CELL
    drawn = Picture(side * columns + 2 * MARGIN, side * rows + 2 * MARGIN)
    drawn.rect(MARGIN / 2, MARGIN / 2, side * columns + MARGIN, side * rows + MARGIN, FLOOR, stroke=WALL, rx=4)

    def places(cells: int) -> list[tuple[float, float]]:
        found = (divmod(cell, columns) for cell in range(rows * columns) if cells >> cell & 1)
        return [(MARGIN + side * column, MARGIN + side * row) for row, column in found]

    for x, y in places(walls):
        drawn.rect(x, y, side, side, WALL)
    for number, (sign, piece) in enumerate(pieces.items()):
        fill, cells = PIECES[number % len(PIECES)], places(piece)
        left, top, right, bottom = (end(one) for end in (min, max) for one in zip(*cells, strict=True))
        if len(cells) * side**2 == (right - left + side) * (bottom - top + side):  # a rectangle
            drawn.rect(left + 2, top + 2, right - left + side - 4, bottom - top + side - 4, fill, rx=6)
            middle = (left + right + side) / 2, (top + bottom + side) / 2
        else:
            for x, y in cells:
                drawn.rect(x + 2, y + 2, side if (x + side, y) in cells else side - 4, side - 4, fill)
                drawn.rect(x + 2, y + 2, side - 4, side if (x, y + side) in cells else side - 4, fill)
            middle = cells[0][0] + side / 2, cells[0][1] + side / 2
        drawn.text(*middle, sign, 15, fill="#fff")
    return drawn


def text_picture(lines: Sequence[str]) -> Picture:
    """A drawing in text as cells of colour, the same for the same sign; blanks stay empty, and dots are pale."""
    picture = Picture(CELL * max(map(len, lines), default=0), CELL * len(lines))
    for row, line in enumerate(lines):
        for column, sign in enumerate(line):
            if sign != " ":
                fill = "#eee" if sign in ".-_" else f"hsl({ord(sign) * HUES % 360},60%,75%)"
                picture.rect(column * CELL + 1, row * CELL + 1, CELL - 2, CELL - 2, fill, rx=3)
                picture.text((column + 0.5) * CELL, (row + 0.5) * CELL, sign)
    return picture


def picture_of(svg: str) -> Picture:
    """A picture that is a whole SVG already; ValueError where it does not say its width and height in pixels."""
    root = re.search(r"<svg\b[^>]*>", svg)
    sides = [re.search(rf'\s{side}="([0-9.]+)(?:px)?"', root[0]) if root else None for side in ("width", "height")]
    if not sides[0] or not sides[1]:
        raise ValueError("a drawing in SVG begins with <svg, and has width and height in pixels there")
    return Picture(float(sides[0][1]), float(sides[1][1]), [svg[svg.index("<svg") :]])


def gallery(pictures: Sequence[Picture], captions: Iterable[str], columns: int = COLUMNS) -> Picture:
    """Pictures of one size in rows of up to ``columns``, each with a line of text below."""
    width, height = pictures[0].width + GAP, pictures[0].height + CAPTION + GAP
    columns = min(columns, len(pictures))
    rows = -(-len(pictures) // columns)
    whole = Picture(columns * width - GAP, rows * height)
    for number, (picture, caption) in enumerate(zip(pictures, captions, strict=True)):
        x, y = number % columns * width, number // columns * height
        whole.shapes += [f'<g transform="translate({_number(x)} {_number(y)})">', *picture.shapes, "</g>"]
        whole.text(x + picture.width / 2, y + picture.height + CAPTION / 2, caption, 12, fill="#777")
    return whole


def _number(value: str | float) -> str:
    return value.replace('"', "&quot;") if isinstance(value, str) else f"{value:g}"
