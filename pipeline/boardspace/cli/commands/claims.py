"""``boardspace claims``"""

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import click

from boardspace.cli.commands.options import as_json, existing_folder, print_json
from boardspace.cli.commands.questions import print_lines
from boardspace.cli.lines import terminal_width
from boardspace.cli.notices import cleaned, printable
from boardspace.release.datasets import Dataset, open_datasets
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import CLAIMS
from boardspace.storage.locations import Location, located
from boardspace.storage.parquet import CLAIMS_FILE, read_claims
from boardspace.verify.files import MOST_CLAIMS, FileFaultError, check_table, memory_bounded

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
    stated = "no value stated" if row["stated"] == "null" else f"stated {_value(row['stated'])}"
    texts = [row["statement"], f"{stated}{_measured(row)}"]
    asked = evidence or _as_stated(row)
    texts += [row["evidence"]] if asked and row["measured"] and row["evidence"] else []
    for text in texts:
        yield from textwrap.wrap(text, max(30, width), initial_indent=4 * INDENT, subsequent_indent=4 * INDENT)


def _worded(verdict: str) -> str:
    return verdict.replace("_", " ")


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


@click.command()
@click.argument("folder", type=existing_folder)
@click.option("--space", "names", multiple=True, metavar="NAME", help="Only of this space (repeatable).")
@click.option("--verdict", "verdicts", multiple=True, type=click.Choice(list(COLOURS)), help="Only these (repeatable).")
@click.option("--all", "everything", is_flag=True, help="Every statement.")
@click.option("--evidence", is_flag=True, help="Also say how each claim was measured.")
@as_json
def claims(
    folder: Location, names: tuple[str, ...], verdicts: tuple[str, ...], everything: bool, evidence: bool, as_json: bool
) -> None:
    """Show what the source texts state and what the data say, of the run or the release in FOLDER.

    Without options it shows totals, and the statements that are refuted, corrected or answered. They are numbered and
    stand below their sources; each has an address to be cited by, such as claims/solitaire#ls-solutions.
    """
    datasets = complete_datasets(folder, names)
    found = {
        space: [row for row in _checked(dataset) if not verdicts or row["verdict"] in verdicts]
        for space, dataset in datasets.items()
    }
    if as_json:
        print_json(found)
        return
    width = terminal_width()
    for space, rows in ((printable(name), cleaned(rows)) for name, rows in found.items()):
        if partial := _partial(datasets[space]):
            print_lines([click.style(f"{space}: {partial}", fg="yellow", bold=True)])
        if everything or evidence or verdicts:
            print_lines([click.style(totals(space, rows), bold=True)])
            print_lines(by_source(space, rows, width, evidence))
        else:
            print_lines(short(space, rows, width))
    if not (everything or evidence or verdicts):
        print_lines(
            ["every statement: --all; how each was measured: --evidence; some: --space NAME, --verdict not_covered"]
        )


def complete_datasets(root: Location, names: Sequence[str] = ()) -> dict[str, Dataset]:
    """The complete datasets at a folder, by space; of those named, BoardspaceError if one is missing."""
    found = open_datasets(root)
    for name in names:
        if name not in found:
            raise BoardspaceError(f"{root}: no complete dataset {name!r}; there are: {', '.join(found)}")
    return {name: dataset for name, dataset in found.items() if not names or name in names}


def complete_claims(root: Location) -> dict[str, list[dict[str, Any]]]:
    """The claims of the complete datasets at a folder, by space."""
    return {name: _checked(dataset) for name, dataset in complete_datasets(root).items()}


def _partial(dataset: Dataset) -> str:
    """Share of its space that a dataset holds, where it is not the whole, or a note that nobody can tell."""
    try:
        return dataset.partial
    except BoardspaceError as error:
        return f"how much of its space this is cannot be told: {printable(str(error))}"


def _checked(dataset: Dataset) -> list[dict[str, Any]]:
    """The claims of a dataset that somebody else may have made: they are looked at as ``verify`` does before they are
    read, so that a link, a hole or a file that swells ends in a message."""

    def too_many(rows: int) -> str:
        return f"{rows:,} rows, and no text states more than {MOST_CLAIMS:,} things" if rows > MOST_CLAIMS else ""

    place = located(dataset.place)
    try:
        with memory_bounded():
            if isinstance(place, Path):
                check_table(place / CLAIMS_FILE, CLAIMS, wrong_number=too_many)
            return read_claims(place)
    except FileFaultError as error:
        raise BoardspaceError(f"{place / CLAIMS_FILE}: {error}; boardspace verify names all that is wrong") from error
    except MemoryError as error:
        raise BoardspaceError(f"{place / CLAIMS_FILE}: takes more memory than claims can need") from error
