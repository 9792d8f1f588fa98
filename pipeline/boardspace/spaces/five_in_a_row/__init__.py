"""Five in a row: the fewest stones that leave no k cells in a row free, proved, with all ways to place them.

What is heavy is loaded when it is asked for: ``SPACE`` with all its tables, and the commands.
"""

from boardspace.spec.entry import Entry, lazy_space

_MODULE = f"{__name__}.commands"

COMMANDS = (Entry("five", "Fewest stones that leave no five (or k) cells in a row free.", _MODULE),)

__getattr__ = lazy_space(__name__)
