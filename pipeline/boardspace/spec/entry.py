"""Known of a space before its code is loaded: the commands that it adds to the command line, by name."""

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple


class Entry(NamedTuple):
    """A command: its name, a line of help, and the module that defines it under that name."""

    name: str
    help: str
    module: str


def lazy_space(package: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a space's package: its module ``space``, with all tables, is loaded for ``SPACE``."""

    def attribute(name: str) -> Any:
        if name == "SPACE":
            return importlib.import_module(f"{package}.space").SPACE
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return attribute
