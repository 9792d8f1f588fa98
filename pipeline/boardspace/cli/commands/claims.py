"""``boardspace claims``"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from boardspace.cli.commands.options import as_json, existing_folder, print_json
from boardspace.cli.commands.questions import print_lines
from boardspace.cli.lines import terminal_width
from boardspace.cli.report import claims_text
from boardspace.cli.report.text import cleaned, printable
from boardspace.release.datasets import Dataset, open_datasets
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import CLAIMS
from boardspace.storage.locations import Location, located
from boardspace.storage.parquet import CLAIMS_FILE, read_claims
from boardspace.verify.files import MOST_CLAIMS, FileFaultError, check_table, memory_bounded


@click.command()
@click.argument("folder", type=existing_folder)
@click.option("--space", "names", multiple=True, metavar="NAME", help="Only of this space (repeatable).")
@click.option(
    "--verdict",
    "verdicts",
    multiple=True,
    type=click.Choice(list(claims_text.COLOURS)),
    help="Only these (repeatable).",
)
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
        space: [row for row in rows if not verdicts or row["verdict"] in verdicts]
        for space, rows in _claims_of(datasets).items()
    }
    if as_json:
        print_json(found)
        return
    width = terminal_width()
    for space, rows in ((printable(name), cleaned(rows)) for name, rows in found.items()):
        if partial := _partial(datasets[space]):
            click.secho(f"{space}: {partial}", fg="yellow", bold=True)
        if everything or evidence or verdicts:
            click.secho(claims_text.totals(space, rows), bold=True)
            print_lines(claims_text.by_source(space, rows, width, evidence))
        else:
            print_lines(claims_text.short(space, rows, width))
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
    return _claims_of(complete_datasets(root))


def _claims_of(datasets: Mapping[str, Dataset]) -> dict[str, list[dict[str, Any]]]:
    return {name: _checked(located(dataset.place)) for name, dataset in datasets.items()}


def _partial(dataset: Dataset) -> str:
    """Share of its space that a dataset holds, where it is not the whole, or a note that nobody can tell."""
    try:
        return dataset.partial
    except BoardspaceError as error:
        return f"how much of its space this is cannot be told: {printable(str(error))}"


def _checked(dataset: Location) -> list[dict[str, Any]]:
    """The claims of a dataset that somebody else may have made: they are looked at as ``verify`` does before they are
    read, so that a link, a hole or a file that swells ends in a message."""
    try:
        with memory_bounded():
            if isinstance(dataset, Path):
                _require_moderate(dataset / CLAIMS_FILE)
            return read_claims(dataset)
    except FileFaultError as error:
        raise BoardspaceError(f"{dataset / CLAIMS_FILE}: {error}; boardspace verify names all that is wrong") from error
    except MemoryError as error:
        raise BoardspaceError(f"{dataset / CLAIMS_FILE}: takes more memory than claims can need") from error


def _require_moderate(file: Path) -> None:
    """FileFaultError where it is no table of claims, or states more than any text."""

    def too_many(rows: int) -> str:
        """The fault of so many rows, or ''."""
        return f"{rows:,} rows, and no text states more than {MOST_CLAIMS:,} things" if rows > MOST_CLAIMS else ""

    check_table(file, CLAIMS, wrong_number=too_many)
