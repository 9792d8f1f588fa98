"""Klotski: all layouts with codes, ids and names, their classes and groups."""

from boardspace.spec.deferred import Entry, lazy_space

COMMANDS = (Entry("klotski", "Klotski (Huarong Dao): layouts, their groups and solutions.", f"{__name__}.commands"),)

__getattr__ = lazy_space(__name__)
