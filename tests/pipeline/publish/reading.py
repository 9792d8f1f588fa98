"""Cuts a card into its examples and runs them, as a reader would, in the dataset's folder."""

import re
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import duckdb


def blocks(card: Path, language: str) -> list[str]:
    """The fenced blocks of one language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", card.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def run_python(card: Path) -> Iterator[dict[str, Any]]:
    """Run each Python example in the card's folder; the names it leaves, and what it printed as ``printed``."""
    for block in blocks(card, "python"):
        names: dict[str, Any] = {}
        with chdir(card.parent), redirect_stdout(StringIO()) as printed:
            exec(compile(block, str(card), "exec"), names)
        yield {**names, "printed": printed.getvalue()}


def run_sql(card: Path) -> list[dict[str, Any]]:
    """The rows that the first DuckDB example finds."""
    block, *_ = blocks(card, "sql")
    with chdir(card.parent):
        return rows_of(block)


def rows_of(query: str) -> list[dict[str, Any]]:
    """The rows that DuckDB finds."""
    found = duckdb.sql(query)
    assert found is not None
    return found.to_arrow_table().to_pylist()
