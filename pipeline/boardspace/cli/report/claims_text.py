"""Claims with their verdicts as text that fits the terminal: short, or everything."""

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import click

COLOURS = {
    "confirmed": "green",
    "corrected": "yellow",
    "refuted": "red",
    "answered": "cyan",
    "open": "bright_black",
    "not_covered": "bright_black",
}
TELLING = ("refuted", "corrected", "answered")
LONGEST = 200
INDENT = "  "

Row = Mapping[str, Any]


def totals(space: str, rows: Sequence[Row]) -> str:
    """Line with the number of statements of each verdict."""
    counts = Counter(row["verdict"] for row in rows)
    counted = [f"{counts[verdict]} {_worded(verdict)}" for verdict in COLOURS if counts[verdict]]
    return f"{space}: {', '.join(counted) or 'no claims'}"


def short(space: str, rows: Sequence[Row], width: int) -> Iterator[str]:
    """The totals, then the statements that are refuted, corrected or answered, by their sources."""
    yield click.style(totals(space, rows), bold=True)
    yield from by_source(space, [row for row in rows if row["verdict"] in TELLING], width)


def by_source(space: str, rows: Sequence[Row], width: int, evidence: bool = False) -> Iterator[str]:
    """The statements in the order of their texts, below a line that names the source and the place in it."""
    for source, own in groupby(sorted(rows, key=itemgetter("position")), key=itemgetter("source")):
        yield from textwrap.wrap(source, max(30, width), initial_indent=INDENT, subsequent_indent=2 * INDENT)
        for row in own:
            yield from entry(space, row, width, evidence)


def address(space: str, row: Row) -> str:
    """The permanent address of a statement: in the pages of this project, in an atlas, and wherever it is cited.

    >>> address("solitaire", {"claim": "ls-solutions"})
    'claims/solitaire#ls-solutions'
    """
    return f"claims/{space}#{row['claim']}"


def entry(space: str, row: Row, width: int, evidence: bool = False) -> Iterator[str]:
    """One statement: its number among those of its dataset, verdict and address, what is stated, the stated and the
    measured value."""
    verdict = click.style(f"{_worded(row['verdict']):<11}", fg=COLOURS.get(row["verdict"]))
    yield f"{INDENT}{row['position'] + 1:>4}  {verdict}  {address(space, row)}"
    texts = [row["statement"], f"{_stated(row)}{_measured(row)}"]
    asked = evidence or _as_stated(row)
    texts += [row["evidence"]] if asked and row["measured"] and row["evidence"] else []
    for text in texts:
        yield from textwrap.wrap(text, max(30, width), initial_indent=4 * INDENT, subsequent_indent=4 * INDENT)


def _worded(verdict: str) -> str:
    return verdict.replace("_", " ")


def _stated(row: Row) -> str:
    return "no value stated" if row["stated"] == "null" else f"stated {_value(row['stated'])}"


def _as_stated(row: Row) -> bool:
    """True where the value is the stated one and the statement still not confirmed: its wording is wrong."""
    return row["verdict"] in TELLING and row["measured"] == row["stated"]


def _measured(row: Row) -> str:
    """Measured value, where it is not the stated one; ``null`` is no measurement."""
    if not row["measured"]:
        return f"; {row['evidence']}" if row["evidence"] else ""
    if row["measured"] == "null":
        return f" ({row['basis']})"
    if row["measured"] != row["stated"]:
        return f", measured {_value(row['measured'])} ({row['basis']})"
    if _as_stated(row):
        return f"; this holds ({row['basis']}), but its wording is not right:"
    return f", measured the same ({row['basis']})"


def _value(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} signs; see --json)"
