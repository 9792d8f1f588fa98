"""``boardspace new-space``"""

import keyword
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

import click

from boardspace.cli.commands.options import Folder
from boardspace.cli.notices import print_line
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import refuse_name, spaces
from boardspace.storage.files import require_empty, write_files

SKELETONS = files("boardspace.cli") / "skeletons"
KINDS = ("table", "graph")
ENDING = ".in"
"""Ending of the files of a skeleton, in which {name} stands for the name of the space, {command} for its command."""


@click.command("new-space")
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="table",
    show_default=True,
    help="Tables that you compute, or a puzzle of states and moves, of which you write the rules alone.",
)
@click.option("--out", type=Folder(), help="Folder to write to [NAME].")
def new_space(name: str, kind: str, out: Path | None) -> None:
    """Write the skeleton of a space of your own, and a test that passes.

    The kind "table" gives a package NAME with one part: a table, its checks and a claim. The kind "graph" gives one
    file of rules. In the documentation the page "A space of your own" explains the first, "A puzzle of your own" the
    second.
    """
    _check_name(name)
    folder = out or Path(name)
    require_empty(folder)
    write_files(folder, {path: text.encode() for path, text in skeleton(name, kind)})
    print_line(f"{folder}: the space {name!r}; README.md says how to go on; try it there:")
    print_line('pip install -e ".[test]" && python -m pytest')


def skeleton(name: str, kind: str = "table") -> Iterator[tuple[str, str]]:
    """The files of a new space of a kind: path and text of each."""
    for path, file in _files_below(SKELETONS / kind):
        text = file.read_text(encoding="utf-8").format(name=name, command=name.replace("_", "-"))
        yield path.removesuffix(ENDING).replace("NAME", name), text


def _files_below(folder: Traversable, within: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files_below(entry, f"{within}{entry.name}/")
        elif entry.name.endswith(ENDING):
            yield within + entry.name, entry


def _check_name(name: str) -> None:
    """BoardspaceError where no package or no space can have this name."""
    refuse_name(name)
    if name in spaces() or keyword.iskeyword(name) or find_spec(name) is not None:
        what = "a space, a word of Python or an installed module"
        raise BoardspaceError(f"{name!r} is the name of {what}: choose another name")
