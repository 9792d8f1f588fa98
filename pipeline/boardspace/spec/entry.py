"""A command that a space adds to the command line, known by name before its code is loaded."""

from typing import NamedTuple


class Entry(NamedTuple):
    """A command: its name, a line of help, and the module that defines it under that name."""

    name: str
    help: str
    module: str
