"""``boardspace instances``"""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from boardspace.cli.commands.chosen_dataset import dataset_in
from boardspace.cli.commands.options import existing_folder
from boardspace.cli.report.compiling import announced
from boardspace.cli.report.text import print_line
from boardspace.instances.folder import Row, draw, require, write_folder
from boardspace.instances.source import Request, source_of
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.locations import Location

LANGUAGES = ("pddl", "minizinc")


@click.command()
@click.argument("space")
@click.option("--number", default=1000, show_default=True, help="How many at most.")
@click.option("--seed", default=1, show_default=True, help="Draw the same instances again.")
@click.option("--strata", default="", help="What they are stratified by [steps, moves, stones or cells].")
@click.option("--of", "parts", multiple=True, help="Only these classes, boards, trays or lengths (repeatable).")
@click.option("--data", type=existing_folder, help="Draw from this run or release; not for solitaire, board division.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder to write to [instances-SPACE].")
@click.option("--pddl", is_flag=True, help="Also write each as a planning problem, in PDDL.")
@click.option("--minizinc", is_flag=True, help="Also write each as a model for constraint solvers, in MiniZinc.")
def instances(  # its parameters are the options of the command
    space: str,
    number: int,
    seed: int,
    strata: str,
    parts: tuple[str, ...],
    data: Location | None,
    out: Path | None,
    pddl: bool,
    minizinc: bool,
) -> None:
    """Write problem instances of SPACE with proven optima, for training and testing, and a checker of answers.

    As many of each difficulty as there are; instances that help to solve one another are on one side; no two are images
    of one another. The same command writes the same bytes.

    \b
    boardspace instances klotski --of 5-4-1 --number 500
    boardspace instances solitaire --pddl
    python instances-solitaire/check.py instances-solitaire/test-00000-of-00001.jsonl answers.jsonl
    """
    if number < 1:
        raise BoardspaceError(f"--number {number}: at least 1 instance is drawn")
    source, folder = source_of(space), out or Path(f"instances-{space}")
    languages = [name for name, asked in zip(LANGUAGES, (pddl, minizinc), strict=True) if asked]
    require(folder, space, source, languages)
    request = Request(parts, strata, dataset_in(data, space))
    with announced():
        rows = draw(space, source, request, number, seed)
    if not rows:
        raise BoardspaceError(f"nothing to draw from: no puzzle of {', '.join(parts) or space} has an answer")
    options: dict[str, int | str] = {
        "--number": number,
        "--seed": seed,
        "--strata": strata,
        "--data": "DATA" if data is not None else "",
    }
    write_folder(folder, space, source, rows, _command(space, options, parts, languages), languages)
    print_line(f"{folder}: {len(rows):,} instances, {_counted(rows)}; README.md says what they are")


def _counted(rows: Sequence[Row]) -> str:
    """How many instances are on each side."""
    sides = Counter(row.split for row in rows)
    return ", ".join(f"{sides[split]:,} for {split}ing" for split in ("train", "test"))


def _command(space: str, options: Mapping[str, int | str], parts: Sequence[str], languages: Sequence[str]) -> str:
    """The command that writes the same, but for folders; options without a value are left out."""
    words = ["boardspace", "instances", space]
    words += [word for part in parts for word in ("--of", part)]
    words += [word for option, value in options.items() if value != "" for word in (option, str(value))]
    return shlex.join([*words, *(f"--{language}" for language in languages)])
