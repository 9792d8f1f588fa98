"""Five in a row: the fewest stones that leave no k cells in a row free, proved, with all ways to place them.

What is heavy is loaded when it is asked for: ``SPACE`` with all its tables, and the commands.
"""

import importlib
from typing import Any

from boardspace.spec.entry import Entry

_MODULE = f"{__name__}.commands"

COMMANDS = (Entry("five", "Fewest stones that leave no five (or k) cells in a row free.", _MODULE),)


def __getattr__(name: str) -> Any:
    if name == "SPACE":
        return importlib.import_module(f"{__name__}.space").SPACE
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
