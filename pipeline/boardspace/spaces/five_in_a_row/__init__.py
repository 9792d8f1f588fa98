"""Five in a row: the fewest stones that leave no k cells in a row free, proved, with all ways to place them."""

from boardspace.spec.deferred import Entry, lazy_space

COMMANDS = (Entry("five", "Fewest stones that leave no five (or k) cells in a row free.", f"{__name__}.commands"),)

__getattr__ = lazy_space(__name__)
