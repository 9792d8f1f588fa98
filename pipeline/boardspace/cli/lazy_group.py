"""Commands that are known by name before their code is loaded, so that ``boardspace --help`` loads none."""

import importlib
from collections.abc import Iterable
from typing import Any

import click

from boardspace.spec.entry import Entry


class LazyGroup(click.Group):
    """A group whose commands are entries; the module of one is imported when that command is asked for."""

    def __init__(self, *args: Any, entries: Iterable[Entry] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._given = tuple(entries)

    def entries(self) -> dict[str, Entry]:
        """The entries by name, in order."""
        return {entry.name: entry for entry in self._given}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the entries."""
        return list(self.entries())

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name, loaded."""
        entry = self.entries().get(name)
        if entry is None:
            return None
        command = getattr(importlib.import_module(entry.module), name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The names with their lines of help."""
        with formatter.section("Commands"):
            formatter.write_dl([(entry.name, entry.help) for entry in self.entries().values()])
