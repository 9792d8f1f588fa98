"""Notices that commands print: text of somebody else's making, such as names of files, as a terminal may be given it;
on standard error, that kernels are being compiled, which takes seconds where an answer takes none; and the time that a
run will still take, as far as that is known: stages not yet cut are named, not guessed."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from boardspace.cli.lines import PLAIN_LETTERS
from boardspace.spec.texts import counted
from boardspace_kernels.jit import listeners

if TYPE_CHECKING:
    from rich.text import Text


@contextmanager
def announced() -> Iterator[None]:
    """Announce the first kernel that is compiled within it by a line, and at the end say the seconds."""
    started: list[float] = []

    def announce() -> None:
        if not started:
            started.append(time.monotonic())
            once = "once for this version; later they are loaded"
            click.echo(f"boardspace: compiling kernels ({once}), which may take a minute", err=True)

    listeners.append(announce)
    try:
        yield
    finally:
        listeners.remove(announce)
        for start in started:
            seconds = time.monotonic() - start
            click.echo(f"boardspace: kernels compiled, answered after {seconds:.1f} s", err=True)


def printable(text: object, lines: bool = False) -> str:
    """The text in one line; what a terminal would obey, or cannot show, stands as an escape such as ``\\x1b``.

    With ``lines``, the ends of lines stay.
    """
    return "".join(c if c.isprintable() or (lines and c == "\n") else _escaped(c) for c in str(text))


def print_line(text: object, err: bool = False) -> None:
    """Print a line of such text; where the terminal has no such letters, with escapes for them."""
    _print(printable(text), err)


def complain(text: object) -> None:
    """Print an error, of one line or several, to standard error; nowhere, where that is closed or full."""
    with contextlib.suppress(OSError, ValueError):
        _print(f"boardspace: {printable(text, lines=True)}", err=True)


def cleaned(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of a table with every text in them printable."""
    return [{key: printable(v) if isinstance(v, str) else v for key, v in row.items()} for row in rows]


def cell(text: object) -> "Text":
    """Such text for a table or a title, where square brackets would mark it up."""
    from rich.text import Text  # rich is slow to import, and most commands print plain lines

    return Text(printable(text, lines=True))


def _print(text: str, err: bool) -> None:
    stream = sys.stderr if err else sys.stdout
    encoding = getattr(stream, "encoding", None) or "ascii"
    click.echo(text.encode(encoding, PLAIN_LETTERS).decode(encoding), err=err)


def _escaped(letter: str) -> str:
    if 0xD800 <= ord(letter) < 0xE000:
        return f"\\u{ord(letter):04x}"
    return letter.encode("unicode_escape").decode("ascii")


class TimeLeft:
    """Counts shards. ``stages`` is how many stages the run has in all; ``clock`` gives seconds."""

    def __init__(self, stages: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._uncut = stages
        self._waiting = 0
        self._done = 0
        self._clock = clock
        self._start = clock()

    def cut(self, shards: int, done: int, repeats: bool = False) -> None:
        """A stage was cut into shards, of which some were done by an earlier run; one that repeats, until it has none
        to do, is cut again."""
        self._uncut -= not (repeats and shards > done)
        self._waiting += shards - done

    def done(self, shards: int) -> None:
        """So many shards are done."""
        self._waiting -= shards
        self._done += shards

    def __str__(self) -> str:
        """Time left by the mean time of the shards so far; '' before the first is done and after the last."""
        if not self._done or (self._waiting <= 0 and self._uncut <= 0):
            return ""
        return time_left(self._waiting * (self._clock() - self._start) / self._done, self._uncut)


def time_left(seconds: float, uncut: int, where: str = "") -> str:
    """Seconds that are left, and how many stages are not yet cut; of these alone, where seconds are few."""
    if uncut <= 0:
        return f"about {duration(seconds)} left{where}"
    known = f"at least {duration(seconds)} left{where}; " if seconds >= 0.5 else ""
    return f"{known}{counted(uncut, 'stage')} to be cut"


def duration(seconds: float) -> str:
    """Seconds, minutes or hours in words, no finer than an estimate is."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
