"""Text of somebody else's making, such as names of files, as a terminal may be given it."""

import contextlib
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from boardspace.cli.lines import PLAIN_LETTERS

if TYPE_CHECKING:
    from rich.text import Text


def printable(text: object, lines: bool = False) -> str:
    """The text in one line; what a terminal would obey, or cannot show, stands as an escape such as ``\\x1b``.

    With ``lines``, the ends of lines stay.
    """
    return "".join(c if c.isprintable() or (lines and c == "\n") else _escaped(c) for c in str(text))


def print_line(text: object, err: bool = False) -> None:
    """Print a line of such text; where the terminal has no such letters, with escapes for them."""
    _print(printable(text), err)


def complain(text: object) -> None:
    """Print an error, of one line or several, to standard error; nowhere, where that is closed or full."""
    with contextlib.suppress(OSError, ValueError):
        _print(f"boardspace: {printable(text, lines=True)}", err=True)


def cleaned(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of a table with every text in them printable."""
    return [{key: printable(v) if isinstance(v, str) else v for key, v in row.items()} for row in rows]


def cell(text: object) -> "Text":
    """Such text for a table or a title, where square brackets would mark it up."""
    from rich.text import Text  # rich is slow to import, and most commands print plain lines

    return Text(printable(text, lines=True))


def _print(text: str, err: bool) -> None:
    stream = sys.stderr if err else sys.stdout
    encoding = getattr(stream, "encoding", None) or "ascii"
    click.echo(text.encode(encoding, PLAIN_LETTERS).decode(encoding), err=err)


def _escaped(letter: str) -> str:
    if 0xD800 <= ord(letter) < 0xE000:
        return f"\\u{ord(letter):04x}"
    return letter.encode("unicode_escape").decode("ascii")
