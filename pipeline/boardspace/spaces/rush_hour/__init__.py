"""Rush Hour: all boards of small squares, their groups, and the starts that take the most moves.

What is heavy is loaded when it is asked for: ``SPACE`` with all its tables, and the command.
"""

import importlib
from typing import Any

from boardspace.spec.entry import Entry

COMMANDS = (Entry("rush-hour", "Rush Hour: show, solve, play, and the hardest.", f"{__name__}.commands"),)


def __getattr__(name: str) -> Any:
    if name == "SPACE":
        return importlib.import_module(f"{__name__}.space").SPACE
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
