"""Peg solitaire: frontiers by moves, shortest solutions with their proof, whole spaces by jumps.

What is heavy is loaded when it is asked for: ``SPACE`` with all its tables, and the commands.
"""

import importlib
from typing import Any

from boardspace.spec.entry import Entry

_MODULE = f"{__name__}.commands"

COMMANDS = (Entry("solitaire", "Peg solitaire: replay games, solve problems on any board.", _MODULE),)


def __getattr__(name: str) -> Any:
    if name == "SPACE":
        return importlib.import_module(f"{__name__}.space").SPACE
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
