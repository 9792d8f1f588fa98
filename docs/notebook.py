"""Notebooks made from pages: ``python docs/notebook.py docs/lesson_fifteen_holes.md`` writes the .ipynb beside it.

A block of Python is a cell. The block of text after it is what the cell prints, and a picture right after it what the
cell draws; all else is Markdown.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

CELL = re.compile(
    r"```python\n(?P<code>.*?)```\n(?:\n```text\n(?P<text>.*?)```\n)?(?:\n!\[[^\]]*\]\((?P<picture>[^)]+)\)\n)?",
    re.DOTALL,
)


class Cell(NamedTuple):
    """A block of code of a page, what it prints, and the path of what it draws, from the page's folder; '' where there
    is none."""

    code: str
    text: str
    picture: str


def code_cells(page: str) -> list[Cell]:
    """The blocks of Python of a page."""
    return [_cell(found) for found in CELL.finditer(page)]


def notebook(page: str, folder: Path) -> str:
    """The notebook of a page whose pictures lie in a folder, as JSON."""
    cells = [cell | {"id": f"cell-{number}"} for number, cell in enumerate(_cells(page, folder))]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _cell(found: re.Match[str]) -> Cell:
    return Cell(found["code"], found["text"] or "", found["picture"] or "")


def _cells(page: str, folder: Path) -> Iterator[dict[str, Any]]:
    end = 0
    for found in CELL.finditer(page):
        yield from _markdown(page[end : found.start()])
        cell, end = _cell(found), found.end()
        outputs = [_printed(cell.text)] if cell.text else []
        outputs += [_drawn((folder / cell.picture).read_text(encoding="utf-8"))] if cell.picture else []
        code = {"execution_count": None, "metadata": {}, "outputs": outputs, "source": _lines(cell.code.rstrip())}
        yield {"cell_type": "code"} | code
    yield from _markdown(page[end:])


def _markdown(text: str) -> Iterator[dict[str, Any]]:
    if text.strip():
        yield {"cell_type": "markdown", "metadata": {}, "source": _lines(text.strip())}


def _printed(text: str) -> dict[str, Any]:
    return {"name": "stdout", "output_type": "stream", "text": _lines(text)}


def _drawn(svg: str) -> dict[str, Any]:
    return {"data": {"image/svg+xml": _lines(svg)}, "metadata": {}, "output_type": "display_data"}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        made = notebook(path.read_text(encoding="utf-8"), path.parent)
        path.with_suffix(".ipynb").write_text(made, encoding="utf-8", newline="\n")
