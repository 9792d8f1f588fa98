"""Says on standard error that kernels are being compiled, which takes seconds where an answer takes none."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from boardspace_kernels.jit import listeners

NOTICE = "compiling kernels (once for this version; later they are loaded)"


@contextmanager
def announced() -> Iterator[None]:
    """Announce the first kernel that is compiled within it, by a spinner where standard error is a terminal, else by a
    line; and at the end say the seconds."""
    notice = _Notice()
    listeners.append(notice.start)
    try:
        yield
    finally:
        listeners.remove(notice.start)
        notice.end()


class _Notice:
    def __init__(self) -> None:
        self.started: float | None = None
        self._spinner: Any = None

    def start(self) -> None:
        """Announce it, once."""
        if self.started is not None:
            return
        self.started = time.monotonic()
        if not sys.stderr.isatty():
            click.echo(f"boardspace: {NOTICE}, which may take a minute", err=True)
            return
        from rich.console import Console  # rich is slow to import, and here is seldom anything to wait for
        from rich.status import Status

        self._spinner = Status(NOTICE, console=Console(stderr=True))
        self._spinner.start()

    def end(self) -> None:
        """Say how long it took."""
        if self._spinner is not None:
            self._spinner.stop()
        if self.started is not None:
            seconds = time.monotonic() - self.started
            click.echo(f"boardspace: kernels compiled, answered after {seconds:.1f} s", err=True)
