"""Pictures of rows for the atlas, which runs no Python: made by the space's own functions when a site is written.

A table whose space is installed here, and draws its rows, has some of them drawn, evenly from the first to the last.
What a space draws is looked at before it is written: shapes and text alone, nothing that could run, load or link. The
page shows them as images, in which a browser runs nothing either.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet as pq

from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import error_text, space_named, spaces
from boardspace.spec.space import Table
from boardspace.storage.release_folder import SUMS, read_sums
from boardspace.storage.stored import stored

MOST_DRAWN = 12
LONGEST_SVG = 1 << 15
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = ("rect", "circle", "ellipse", "line", "polyline", "polygon", "path")
ELEMENTS = {f"{SVG}{name}" for name in ("svg", "g", *SHAPES, "text", "tspan", "title", "desc")}
ATTRIBUTES = {
    *("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "dx", "dy", "d", "points", "width", "height"),
    *("viewBox", "transform", "fill", "fill-rule", "fill-opacity", "stroke", "stroke-width", "stroke-linecap"),
    *("stroke-linejoin", "stroke-dasharray", "stroke-opacity", "opacity", "font-size", "font-family", "font-weight"),
    *("text-anchor", "dominant-baseline", "preserveAspectRatio", "role", "aria-label"),
}


class DrawingError(BoardspaceError):
    """A picture that the atlas does not show, and why."""


def rows_to_draw(folder: Path) -> dict[Table, list[dict[str, Any]]]:
    """Some rows of each table of a published dataset that its space draws; none where the space is not installed."""
    name = folder.resolve().name
    if name not in spaces():
        return {}
    paths = sorted(path for path in read_sums(folder / SUMS) if path.endswith(".parquet"))
    tables = [table.unfolded for table in space_named(name).tables if table.published and table.picture is not None]
    files = {
        table: [folder / path for path in paths if path.split("/")[0] in (table.name, f"{table.name}.parquet")]
        for table in tables
    }
    return {table: list(sample(own)) for table, own in files.items() if own}


def pictures(rows: Mapping[Table, Sequence[Mapping[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Rows as pictures, by table: ``{"key": its values as text, "svg": the picture}``, without those that have none.

    DrawingError where a space cannot draw one, or draws what is not shown.
    """
    drawn = {table.name: [_drawn(table, row) for row in own] for table, own in rows.items()}
    return {name: [one for one in own if one["svg"]] for name, own in drawn.items()}


def _drawn(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    where = f"{table.name}, {', '.join(f'{name} {row[name]}' for name in table.key)}"
    try:
        svg = table.picture(row) if table.picture is not None else ""
    except Exception as error:  # the function of a space, which may raise anything
        raise DrawingError(f"{where}: cannot be drawn by `picture` of the table: {error_text(error)}") from error
    return {"key": [str(row[name]) for name in table.key], "svg": checked(svg, where) if svg else ""}


def sample(files: list[Path]) -> Iterator[dict[str, Any]]:
    """Some rows, evenly from the first to the last; whole row groups are read, one at a time."""
    with ExitStack() as stack:
        yield from _sample([stack.enter_context(pq.ParquetFile(stored(file).table_file())) for file in files])


def _sample(opened: Sequence[pq.ParquetFile]) -> Iterator[dict[str, Any]]:
    total = sum(file.metadata.num_rows for file in opened)
    wanted = sorted({at * (total - 1) // max(1, min(MOST_DRAWN, total) - 1) for at in range(min(MOST_DRAWN, total))})
    first = 0
    for file in opened:
        for group in range(file.metadata.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            inside = [at - first for at in wanted if first <= at < first + rows]
            if inside:
                yield from file.read_row_group(group).take(inside).to_pylist()
            first += rows


def checked(svg: str, where: str) -> str:
    """The picture itself; DrawingError where it is no SVG of shapes and text alone, or too long. ``where`` names it."""
    if not isinstance(svg, str) or len(svg) > LONGEST_SVG:
        raise DrawingError(f"{where}: its picture is no text of up to {LONGEST_SVG:,} signs")
    if "<!" in svg or "<?" in svg:
        raise DrawingError(f"{where}: its picture has a declaration, <! or <?; give the element svg alone")
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise DrawingError(f"{where}: its picture is no XML: {error}") from error
    if root.tag != f"{SVG}svg":
        raise DrawingError(f"{where}: its picture is no svg of the name space http://www.w3.org/2000/svg")
    for element in root.iter():
        if element.tag not in ELEMENTS:
            raise DrawingError(f"{where}: its picture has the element {element.tag}; shapes and text alone are shown")
        for name, value in element.attrib.items():
            if name not in ATTRIBUTES or "url(" in value.lower():
                raise DrawingError(f"{where}: its picture has {name}={value[:40]!r}, which is not shown")
    return svg
