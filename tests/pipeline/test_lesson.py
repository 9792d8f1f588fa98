"""The lesson of docs/lesson_fifteen_holes.md, run as it stands, and the notebook that is made from it."""

import ast
import contextlib
import importlib.util
import io
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.pipeline.conftest import ROOT

DOCS = ROOT / "docs"
LESSON = DOCS / "lesson_fifteen_holes.md"
PAGE = LESSON.read_text(encoding="utf-8")


def maker() -> ModuleType:
    """The module that makes notebooks; the documentation is no package."""
    spec = importlib.util.spec_from_file_location("notebook", DOCS / "notebook.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run_cell(code: str, names: dict[str, Any]) -> tuple[str, Any]:
    """What a block prints, and the value of its last line."""
    tree, value, printed = ast.parse(code), None, io.StringIO()
    with contextlib.redirect_stdout(printed):
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, LESSON.name, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), LESSON.name, "eval"), names)
    return printed.getvalue(), value


def assert_as_shown(cells: list[Any]) -> dict[str, Any]:
    """Run blocks one after the other: each prints and draws what the page shows. Returns the names they defined."""
    names: dict[str, Any] = {}
    for cell in cells:
        text, value = run_cell(cell.code, names)
        drawn = value._repr_svg_() if hasattr(value, "_repr_svg_") else ""
        if value is not None and not drawn:
            text += f"{value!r}\n"
        assert text == cell.text, cell.code
        assert drawn == ((DOCS / cell.picture).read_text(encoding="utf-8") if cell.picture else ""), cell.code
    return names


def test_blocks_without_a_dataset_print_and_draw_what_the_page_shows() -> None:
    cells = maker().code_cells(PAGE)
    first = next(number for number, cell in enumerate(cells) if "boardspace.run" in cell.code)
    assert first > 10
    names = assert_as_shown(cells[:first])
    assert names["chance"](names["all_but"](4)) == max(names["chance"](names["all_but"](hole)) for hole in range(1, 16))


@pytest.mark.slow  # 6 s more, for the run
def test_all_blocks_print_and_draw_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cells = maker().code_cells(PAGE)
    assert len(cells) == PAGE.count("```python")
    assert_as_shown(cells)


def test_the_notebook_is_the_page() -> None:
    written = LESSON.with_suffix(".ipynb").read_text(encoding="utf-8")
    assert written == maker().notebook(PAGE, DOCS), "python docs/notebook.py docs/lesson_fifteen_holes.md makes it anew"


def test_the_notebook_has_the_code_of_the_page_in_its_order() -> None:
    cells = json.loads(LESSON.with_suffix(".ipynb").read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert "\n".join(code) == "\n".join(block.split("```")[0].rstrip() for block in PAGE.split("```python\n")[1:])
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert not any("```" in line for cell in cells for line in cell["source"])
