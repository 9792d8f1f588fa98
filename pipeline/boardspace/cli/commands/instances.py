"""``boardspace instances``"""

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import click

from boardspace.cli.commands.options import Folder, data_option, dataset_in, option_group
from boardspace.cli.commands.questions import search_progress
from boardspace.cli.notices import announced, complain, print_line
from boardspace.instances.choice import Sample
from boardspace.instances.folder import draw, require, write_folder
from boardspace.instances.source import Request, source_of
from boardspace.spec.arguments import shown
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted
from boardspace.storage.locations import Location


@dataclass(frozen=True)
class Drawing:
    """Options that decide which instances are drawn; see the help of each."""

    number: int
    seed: int
    strata: str
    parts: tuple[str, ...]
    data: Location | str | None
    test_fraction: str
    difficulty: str
    unsolvable: bool
    bins: int
    middle: bool

    @property
    def sample(self) -> Sample:
        """The sample that they ask for; BoardspaceError where there is none such."""
        return Sample(self.number, self.seed, self._fraction(), *self._range(), self.bins)

    def _fraction(self) -> Fraction:
        try:
            return Fraction(self.test_fraction)
        except (ValueError, ZeroDivisionError):
            raise BoardspaceError(f"--test-fraction {shown(self.test_fraction)}: write a share, such as 0.2") from None

    def _range(self) -> tuple[int | None, int | None]:
        match = re.fullmatch(r"([0-9]{0,9})(\.\.)?([0-9]{0,9})", self.difficulty)
        if match is None or (self.difficulty and not (match[1] or match[3])):
            raise BoardspaceError(f"--difficulty {shown(self.difficulty)}: write a number, or a range such as 40..60")
        low, high = match[1], match[3] if match[2] else match[1]
        found = int(low) if low else None, int(high) if high else None
        if found[0] is not None and found[1] is not None and found[0] > found[1]:
            raise BoardspaceError(f"--difficulty {self.difficulty}: the range ends before it begins")
        return found

    def words(self) -> list[str]:
        """The words of the command line that say the same, but for folders; options without a value are left out."""
        usual = {"--test-fraction": (self.test_fraction, "1/5"), "--bins": (self.bins, 0)}
        options = {"--number": self.number, "--seed": self.seed, "--strata": self.strata}
        options |= {"--difficulty": self.difficulty}
        options |= {option: value for option, (value, default) in usual.items() if value != default}
        valued = [(option, str(value)) for option, value in options.items() if value != ""]
        data = [("--data", "DATA")] if self.data is not None else []
        flags = ["--unsolvable"] * self.unsolvable + ["--middle"] * self.middle
        return [word for pair in [*(("--of", part) for part in self.parts), *valued, *data] for word in pair] + flags


drawing_options = option_group(
    "drawing",
    Drawing,
    click.option("--number", default=1000, show_default=True, help="Largest number of instances."),
    click.option("--seed", default=1, show_default=True, help="Seed; the same seed draws the same instances."),
    click.option("--strata", default="", help="Measure of difficulty [steps, moves, stones or cells]."),
    click.option(
        "--of", "parts", multiple=True, help="Only these classes, boards, trays, or slide/3x4 of a puzzle (repeatable)."
    ),
    data_option(help="Draw from this run or release; not for solitaire, board division."),
    click.option("--test-fraction", default="1/5", show_default=True, help="Share of instances for testing."),
    click.option("--difficulty", default="", metavar="RANGE", help="Only those of these difficulties, such as 40..60."),
    click.option("--unsolvable", is_flag=True, help="As many without an answer too, with a certificate of it."),
    click.option("--middle", is_flag=True, help="Also positions on the way, where instances are the hardest starts."),
    click.option("--bins", default=0, help="Equally many of so many ranges of difficulty [of every difficulty]."),
)


@click.command()
@click.argument("space")
@drawing_options
@click.option("--out", type=Folder(), help="Folder to write to [instances-SPACE].")
@option_group(
    "languages",
    lambda pddl, minizinc: ["pddl"] * pddl + ["minizinc"] * minizinc,
    click.option("--pddl", is_flag=True, help="Also write each as a planning problem, in PDDL."),
    click.option("--minizinc", is_flag=True, help="Also write each as a model for constraint solvers, in MiniZinc."),
)
@click.option("--baseline", is_flag=True, help="Measure random moves and a search on some of them, for the card.")
@announced()
def instances(space: str, drawing: Drawing, out: Path | None, languages: Sequence[str], baseline: bool) -> None:
    """Write problem instances of SPACE with proven optima, for training and testing, and a checker of answers.

    Training and testing both get instances of all difficulties. Instances that help to solve one another are on the
    same side; a warning says which difficulties this leaves out. No two are images of one another. The same command
    writes the same bytes.

    \b
    boardspace instances klotski --of 5-4-1 --number 500
    boardspace instances solitaire --pddl
    python instances-solitaire/check.py instances-solitaire/test-00000-of-00001.jsonl answers.jsonl
    """
    source, folder = source_of(space), out or Path(f"instances-{space}")
    require(folder, space, source, languages)
    request = Request(
        drawing.parts, drawing.strata, dataset_in(drawing.data, space), drawing.unsolvable, drawing.middle
    )
    sample = drawing.sample
    with search_progress() as progress:
        drawn = draw(space, source, request, sample, complain, progress)
    if not drawn.rows:
        hardness = f", of difficulty {drawing.difficulty}," if drawing.difficulty else ""
        raise BoardspaceError(
            f"nothing to draw from: no puzzle of {', '.join(drawing.parts) or space}{hardness} has an answer"
        )
    command = ["boardspace", "instances", space, *drawing.words(), *(f"--{language}" for language in languages)]
    command += ["--baseline"] if baseline else []
    write_folder(folder, space, source, drawn, shlex.join(command), languages, baseline)
    sides = Counter(row.split for row in drawn.rows)
    both = ", ".join(f"{sides[split]:,} for {split}ing" for split in ("train", "test"))
    print_line(f"{folder}: {counted(len(drawn.rows), 'instance')}, {both}; README.md says what they are")
