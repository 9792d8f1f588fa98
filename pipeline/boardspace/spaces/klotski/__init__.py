"""Klotski: all layouts with codes, ids and names, their classes and groups.

What is heavy is loaded when it is asked for: ``SPACE`` with all its tables, and the commands.
"""

from boardspace.spec.entry import Entry, lazy_space

_MODULE = f"{__name__}.commands"

COMMANDS = (Entry("klotski", "Klotski (Huarong Dao): layouts, their groups and solutions.", _MODULE),)

__getattr__ = lazy_space(__name__)
