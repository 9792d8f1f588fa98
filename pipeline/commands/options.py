"""What several commands share: options, standard output, JSON."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

FAULTS_FOUND = 1

existing_folder = click.Path(path_type=Path, exists=True, file_okay=False)
changes = click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE", help="Change a key of the config: klotski.classes=['5-*']."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of tables.")
only_spaces = click.option(
    "--space", "names", multiple=True, metavar="NAME", help="Only this space of the config (repeatable)."
)


def console() -> "Console":
    """Standard output; wide enough for tables where it is not a terminal."""
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=160)


def print_json(value: Any) -> None:
    """Print a value as one JSON document, in ASCII: every terminal shows it, and none obeys what a name holds."""
    click.echo(json.dumps(value, indent=1, default=str))
