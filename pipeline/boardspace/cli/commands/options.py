"""Shared by several commands: options, standard output, JSON."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boardspace.storage.locations import BucketPath, Location, located

if TYPE_CHECKING:
    from rich.console import Console


class LocationType(click.ParamType):  # type: ignore[type-arg]
    """A folder, or a place in a bucket such as ``s3://bucket/prefix``."""

    name = "directory"

    def __init__(self, exists: bool = False) -> None:
        self.folder = click.Path(path_type=Path, exists=exists, file_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Location:
        """The location; what lies in a bucket is looked for when it is read."""
        location = located(value) if isinstance(value, str) else value
        return location if isinstance(location, BucketPath) else self.folder.convert(value, param, ctx)


existing_folder = LocationType(exists=True)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of tables.")


def console() -> "Console":
    """Standard output; wide enough for tables where it is not a terminal."""
    from rich.console import Console  # rich is slow to import, and most commands print plain lines

    return Console() if sys.stdout.isatty() else Console(width=160)


def print_json(value: Any) -> None:
    """Print a value as one JSON document, in ASCII: every terminal shows it, and none obeys what a name holds."""
    click.echo(json.dumps(value, indent=1, default=str))
