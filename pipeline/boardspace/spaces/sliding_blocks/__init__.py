"""Sliding blocks of any pieces: every packing of a tray, its groups, and the longest corner puzzles.

What is heavy is loaded when it is asked for: ``SPACE`` with all its tables, and the command.
"""

import importlib
from typing import Any

from boardspace.spec.entry import Entry

_MODULE = f"{__name__}.commands"

COMMANDS = (Entry("sliding", "Sliding blocks of any pieces: count, show, solve, and the hardest.", _MODULE),)


def __getattr__(name: str) -> Any:
    if name == "SPACE":
        return importlib.import_module(f"{__name__}.space").SPACE
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
