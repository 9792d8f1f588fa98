"""Text of somebody else's making, such as names of files, as a terminal may be given it."""

import sys

import click


def printable(text: object) -> str:
    """The text in one line; what a terminal would obey, or cannot show, stands as an escape such as ``\\x1b``."""
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in str(text))


def tell(text: object, err: bool = False) -> None:
    """Print a line of such text; where the terminal has no such letters, with escapes for them."""
    encoding = (sys.stderr if err else sys.stdout).encoding or "ascii"
    click.echo(printable(text).encode(encoding, "backslashreplace").decode(encoding), err=err)


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape", "surrogatepass").decode("ascii")
