"""Shared by several commands: options, standard output, JSON, exit codes.

What exit codes mean is in the table of the page on questions, ``docs/api.md``, and a test compares the two.
"""

import functools
import inspect
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boardspace.spec.deferred import deferred
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.locations import BucketPath, Location, located

if TYPE_CHECKING:
    from rich.console import Console

    from boardspace.release import datasets
else:
    (datasets,) = deferred("boardspace.release", "datasets")  # few commands open any

DONE = 0
NOT_RIGHT = 1
USER_ERROR = 2
LASTING_FAILURE = 3
INTERNAL_ERROR = 70
INTERRUPTED = 130
PIPE_CLOSED = 141
TERMINATED = 143


class Folder(click.Path):
    """A folder of this machine."""

    def __init__(self, exists: bool = False) -> None:
        super().__init__(exists=exists, file_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The folder; what is none is refused before click does it, which says that a directory is a file."""
        if not str(value):
            self.fail("an empty text names no folder; the current one is .", param, ctx)
        if os.path.isfile(value):  # noqa: PTH113 no error where the name is too long
            self.fail(f"{str(value)!r} is a file; give a folder", param, ctx)
        return super().convert(value, param, ctx)


class LocationType(click.ParamType):  # type: ignore[type-arg]
    """A folder, or a place in a bucket such as ``s3://bucket/prefix``; of what is only read, a web address too."""

    name = "directory"

    def __init__(self, exists: bool = False, web: bool = False) -> None:
        self.folder, self.web = Folder(exists), web

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Location | str:
        """The location; what lies in a bucket, or on the web, is looked for when it is read."""
        if isinstance(value, str) and value.startswith(("http://", "https://")):
            return value if self.web else self.fail(f"{value} is an address: --data alone takes one", param, ctx)
        location = located(value) if isinstance(value, str) else value
        return location if isinstance(location, BucketPath) else self.folder.convert(value, param, ctx)


existing_folder = LocationType(exists=True)
data_option = functools.partial(click.option, "--data", type=LocationType(exists=True, web=True))
"""Run or release that a question reads, as :func:`dataset_in` takes it; ``help`` says what it reads there."""
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of tables.")


def console() -> "Console":
    """Standard output; wide enough for tables where it is not a terminal."""
    from rich.console import Console  # rich is slow to import, and most commands print plain lines

    return Console() if sys.stdout.isatty() else Console(width=160)


def print_json(value: Any) -> None:
    """Print a value as one JSON document, in ASCII: every terminal shows it, and none obeys what a name holds."""
    click.echo(json.dumps(value, indent=1, default=str))


Command = Callable[..., None]
Decorator = Callable[[Command], Command]


def option_group(name: str, make: Callable[..., Any], *options: Decorator) -> Decorator:
    """Add options, or arguments, to a command, which gets them as one parameter ``name``: what ``make`` returns.

    The parameters of ``make`` are named as the options are. Help lists the options in their order here.
    """
    taken = tuple(inspect.signature(make).parameters)

    def decorated(command: Command) -> Command:
        @functools.wraps(command)
        def calling(**given: Any) -> None:
            made = make(**{option: given.pop(option) for option in taken if option in given})
            command(**{name: made}, **given)

        collected: Command = calling
        for option in reversed(options):
            collected = option(collected)
        return collected

    return decorated


class _TwoNumbers(click.ParamType):  # type: ignore[type-arg]
    """Two numbers in one value: ``pattern`` finds them, and the second is the first where it is left out; ``form`` says
    how they are written, to whoever wrote something else."""

    def __init__(self, name: str, pattern: str, form: str) -> None:
        self.name, self.pattern, self.form = name, pattern, form

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """The two numbers."""
        if isinstance(value, tuple):
            return value
        matched = re.fullmatch(self.pattern, value)
        if matched is None:
            self.fail(f"{value!r} is not {self.form}", param, ctx)
        return int(matched[1]), int(matched[2] or matched[1])


RANGE = _TwoNumbers("least..most", r"([0-9]{1,5})(?:\.\.([0-9]{1,5}))?", "LEAST..MOST, such as 40..60")
"""The fewest and the most: ``40..60``, or one number for both."""
PLACE = _TwoNumbers("row,column", r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*", "ROW,COLUMN, such as 3,2")
"""Row and column, from 1: ``3,2``."""


def dataset_in(place: Location | str | None, space: str) -> "datasets.Dataset | None":
    """The dataset of a space in a run, or a release, which may be an address; None for no place, BoardspaceError where
    it holds none of it."""
    if place is None:
        return None
    found = datasets.open_datasets(place)
    if space not in found:
        raise BoardspaceError(f"--data {place}: no dataset of {space}; it has {', '.join(found)}")
    return found[space]
