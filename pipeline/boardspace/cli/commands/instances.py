"""``boardspace instances``"""

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from boardspace.cli.commands.chosen_dataset import dataset_in
from boardspace.cli.commands.options import existing_folder
from boardspace.cli.commands.together import together
from boardspace.cli.report.compiling import announced
from boardspace.cli.report.text import print_line
from boardspace.instances.folder import Row, draw, require, write_folder
from boardspace.instances.source import Request, source_of
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.locations import Location


@dataclass(frozen=True)
class Drawing:
    """Options that decide which instances are drawn; see the help of each."""

    number: int
    seed: int
    strata: str
    parts: tuple[str, ...]
    data: Location | None

    def __post_init__(self) -> None:
        if self.number < 1:
            raise BoardspaceError(f"--number {self.number}: at least 1 instance is drawn")

    def words(self) -> list[str]:
        """The words of the command line that say the same, but for folders; options without a value are left out."""
        options = {"--number": self.number, "--seed": self.seed, "--strata": self.strata}
        valued = [(option, str(value)) for option, value in options.items() if value != ""]
        data = [("--data", "DATA")] if self.data is not None else []
        return [word for pair in [*(("--of", part) for part in self.parts), *valued, *data] for word in pair]


drawing_options = together(
    "drawing",
    Drawing,
    click.option("--number", default=1000, show_default=True, help="How many at most."),
    click.option("--seed", default=1, show_default=True, help="Draw the same instances again."),
    click.option("--strata", default="", help="What they are stratified by [steps, moves, stones or cells]."),
    click.option("--of", "parts", multiple=True, help="Only these classes, boards, trays or lengths (repeatable)."),
    click.option(
        "--data", type=existing_folder, help="Draw from this run or release; not for solitaire, board division."
    ),
)


def _languages(pddl: bool, minizinc: bool) -> list[str]:
    return [name for name, asked in (("pddl", pddl), ("minizinc", minizinc)) if asked]


@click.command()
@click.argument("space")
@drawing_options
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder to write to [instances-SPACE].")
@together(
    "languages",
    _languages,
    click.option("--pddl", is_flag=True, help="Also write each as a planning problem, in PDDL."),
    click.option("--minizinc", is_flag=True, help="Also write each as a model for constraint solvers, in MiniZinc."),
)
def instances(space: str, drawing: Drawing, out: Path | None, languages: Sequence[str]) -> None:
    """Write problem instances of SPACE with proven optima, for training and testing, and a checker of answers.

    As many of each difficulty as there are; instances that help to solve one another are on one side; no two are images
    of one another. The same command writes the same bytes.

    \b
    boardspace instances klotski --of 5-4-1 --number 500
    boardspace instances solitaire --pddl
    python instances-solitaire/check.py instances-solitaire/test-00000-of-00001.jsonl answers.jsonl
    """
    source, folder = source_of(space), out or Path(f"instances-{space}")
    require(folder, space, source, languages)
    request = Request(drawing.parts, drawing.strata, dataset_in(drawing.data, space))
    with announced():
        rows = draw(space, source, request, drawing.number, drawing.seed)
    if not rows:
        raise BoardspaceError(f"nothing to draw from: no puzzle of {', '.join(drawing.parts) or space} has an answer")
    command = ["boardspace", "instances", space, *drawing.words(), *(f"--{language}" for language in languages)]
    write_folder(folder, space, source, rows, shlex.join(command), languages)
    print_line(f"{folder}: {len(rows):,} instances, {_counted(rows)}; README.md says what they are")


def _counted(rows: Sequence[Row]) -> str:
    """How many instances are on each side."""
    sides = Counter(row.split for row in rows)
    return ", ".join(f"{sides[split]:,} for {split}ing" for split in ("train", "test"))
