"""What the commands that answer questions share: options, drawings to files, texts from files or standard input."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from boardspace.pipeline.errors import BoardspaceError
from boardspace.pipeline.storage.files import write_out
from boardspace.pipeline.svg import Picture

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
svg_file = click.option(
    "--svg", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Also write the drawing to FILE."
)


def print_document(document: Any) -> None:
    """Print a value as one line of JSON."""
    click.echo(json.dumps(document, ensure_ascii=False))


def print_lines(lines: Iterable[str]) -> None:
    """Print line by line: something large is never one string."""
    for line in lines:
        click.echo(line)


def write_svg(file: Path | None, picture: Picture) -> None:
    """Write a picture where a file was asked for."""
    if file is not None:
        write_out(file, lambda stream: stream.write(picture.svg().encode()))


def text_of(argument: str) -> str:
    """The text that an argument stands for: standard input for -, a file's where there is one, else itself."""
    try:
        if argument == "-":
            return sys.stdin.read()
        if "\n" not in argument and Path(argument).is_file():
            return Path(argument).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BoardspaceError(f"{argument}: not a text file in UTF-8") from None
    except (OSError, ValueError):  # no path at all: a name with too many or odd signs
        return argument
    return argument
