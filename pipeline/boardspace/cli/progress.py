"""Progress of a run: bars where the output is a terminal, plain lines with the time otherwise and in a log, nothing for
scripts.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any, cast

import click
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.text import Text

from boardspace.cli.notices import TimeLeft, cell, complain, duration, printable
from boardspace.engine.events import Listener
from boardspace.engine.progress import RunningShards
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Stage
from boardspace.spec.texts import counted
from boardspace.storage.locations import Location
from boardspace.storage.progress_file import ProgressEvent

LEAST_LABEL = 12
"""Columns that the end of a shard's name has beside a long text."""


class LongestLine:
    """One line for a terminal: the shard that has run longest; none where no shard reports."""

    def __init__(self) -> None:
        self.running = RunningShards()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        event = self.running.longest()
        if event is not None:
            yield Text(fitted_line(event, options.max_width, "..." if options.ascii_only else "…"), no_wrap=True)


def shard_line(event: ProgressEvent) -> str:
    """A shard's name, how long it has run and its text, in a line of any length."""
    return f"{event.shard}, {duration(event.seconds)}: {event.text}"


def fitted_line(event: ProgressEvent, width: int, mark: str = "…") -> str:
    """Such a line in ``width`` columns, safe for a terminal.

    The end of the shard's name and the beginning of the text are kept; ``mark`` stands where something is left out.
    """
    label, rest = printable(event.shard), printable(shard_line(event))[len(printable(event.shard)) :]
    if mark.isascii():
        label, rest = (part.encode("ascii", "backslashreplace").decode() for part in (label, rest))
    columns = max(LEAST_LABEL, width - cell_len(rest))
    if cell_len(label) > columns:
        label = mark + _beginning(label[::-1], columns - cell_len(mark))[::-1]
    line = label + rest
    return line if cell_len(line) <= width else _beginning(line, width - cell_len(mark)) + mark


def _beginning(text: str, width: int) -> str:
    """As much of a text's beginning as has so many columns."""
    while cell_len(text) > width:
        text = text[:-1]
    return text


SECONDS_BETWEEN_LINES = 5.0
LINE = 160


@contextmanager
def progress(
    console: Console, quiet: bool, stages: int, first: Iterable[str] = (), log: Path | None = None
) -> Iterator[Listener]:
    """The listener that fits the output; ``stages`` is how many stages the run has, ``first`` are lines to say when it
    begins, unless it should be quiet. A ``log`` gets the lines of a run whose output is no terminal."""
    with _shown(console, quiet, stages, first := tuple(first)) as listener:
        if log is None:
            yield listener
        else:
            file = cast(IO[str], Log(log))
            yield Both(listener, Lines(Console(file=file, width=LINE, force_terminal=False), TimeLeft(stages), first))


@contextmanager
def _shown(console: Console, quiet: bool, stages: int, first: Iterable[str]) -> Iterator[Listener]:
    if quiet:
        yield Silent(console)
    elif console.is_terminal:
        left, longest = TimeLeft(stages), LongestLine()
        bars = Progress(
            TextColumn("{task.description:<16}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[stage]:<28}"),
            TimeElapsedColumn(),
            console=console,
            expand=True,
        )
        with Live(Group(bars, _Line(left), longest), console=console):
            yield Bars(bars, left, longest, first)
    else:
        yield Lines(console, TimeLeft(stages), first)


class _Line:
    """The time left, as it is when the bars are drawn."""

    def __init__(self, left: TimeLeft) -> None:
        self._left = left

    def __rich__(self) -> Text:
        return Text(str(self._left))


class Log:
    """File to which lines are added. Where it cannot be written any more, a warning says so once, and the run goes on.

    BoardspaceError where it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file: IO[Any] | None = click.open_file(str(path), "a", "utf-8")
        except OSError as error:
            raise BoardspaceError(f"{path}: the log cannot be opened: {error.strerror or error}") from error

    def write(self, text: str) -> None:
        """Add text."""
        if self._file is not None:
            try:
                self._file.write(text)
                self._file.flush()
            except OSError as error:
                self._file = None
                complain(f"warning: {self.path}: the log ends here: {error.strerror or error}")

    def flush(self) -> None:
        """Do nothing: what was written is in the file."""


class Both(Listener):
    """Passes every event on to two listeners: one that shows it, and one that logs it."""

    def __init__(self, shown: Listener, logged: Listener) -> None:
        for event in (name for name in vars(Listener) if not name.startswith("_")):
            setattr(self, event, partial(_tell, (getattr(shown, event), getattr(logged, event))))


def _tell(both: Sequence[Callable[..., None]], *event: Any, **named: Any) -> None:
    for one in both:
        one(*event, **named)


class Silent(Listener):
    """Prints warnings and failures alone."""

    def __init__(self, console: Console, first: Iterable[str] = ()) -> None:
        self.console = console
        self.first = first

    def begun(self, running: RunningShards) -> None:
        for line in self.first:
            self._say(line)

    def shard_failed(self, shard: str, cause: str, again: bool) -> None:
        """Print the first line of the cause: the error that ends a run has all of them."""
        self._say(f"{shard} failed: {cause.partition(chr(10))[0]}; {'trying again' if again else 'giving up'}")

    def warned(self, text: str) -> None:
        self._say(text)

    def space_done(self, space: str, swept: Sequence[Location]) -> None:
        """Print the paths of files that were swept aside because no receipt names them."""
        for path in swept:
            self._say(f"{path}: no receipt vouches for it; moved to .run/swept")

    def _say_omitted(self, space: str, stage: Stage) -> None:
        if stage.omits:
            self._say(f"{space}: {stage.omits}")

    def _say(self, text: str) -> None:
        self.console.print(cell(text), highlight=False, soft_wrap=True)


class Lines(Silent):
    """A line for each stage that starts, and one every few seconds, with the time of day; further rounds of a stage, of
    which there may be hundreds, are among these."""

    def __init__(self, console: Console, left: TimeLeft, first: Iterable[str]) -> None:
        super().__init__(console, first)
        self.left = left
        self.running = RunningShards()
        self.total: dict[str, int] = {}
        self.done: dict[str, int] = {}
        self.begun_stages: set[tuple[str, str]] = set()
        self.last = time.monotonic()

    def begun(self, running: RunningShards) -> None:
        """Print the first lines, and keep the list of running shards, from which progress lines are chosen."""
        super().begun(running)
        self.running = running

    def stage_cut(self, space: str, stage: Stage, shards: int, done: int) -> None:
        self.left.cut(shards, done, stage.repeats)
        self.total[space] = self.total.get(space, 0) + shards
        self.done[space] = self.done.get(space, 0) + done
        if (space, stage.name) in self.begun_stages and not self._due:
            return
        self.begun_stages.add((space, stage.name))
        skipped = f", {done} done before" if done else ""
        self._say(f"{space}: stage {stage.name}, {counted(shards, 'shard')}{skipped}")
        self._say_omitted(space, stage)

    def shards_done(self, space: str, stage: str, shards: int) -> None:
        """Count finished shards; print a line if the last one is some seconds old."""
        self.left.done(shards)
        self.done[space] += shards
        if self._due:
            counts = ", ".join(f"{space} {self.done[space]}/{self.total[space]}" for space in self.total)
            self._say(f"shards: {counts}; {self.left}".removesuffix("; "))

    def shard_progress(self, event: ProgressEvent) -> None:
        """Print the event of the shard that has run longest, if the last line is some seconds old."""
        longest = self.running.longest()
        if self._due and longest is not None and longest.shard == event.shard:
            self._say(printable(shard_line(event)))

    def space_done(self, space: str, swept: Sequence[Location]) -> None:
        super().space_done(space, swept)
        self._say(f"{space}: complete")

    @property
    def _due(self) -> bool:
        return time.monotonic() - self.last > SECONDS_BETWEEN_LINES

    def _say(self, text: str) -> None:
        super()._say(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}")
        self.last = time.monotonic()


class Bars(Silent):
    """One bar for each space; it grows as stages are cut."""

    def __init__(self, bars: Progress, left: TimeLeft, longest: LongestLine, first: Iterable[str]) -> None:
        super().__init__(bars.console, first)
        self.left = left
        self.longest = longest
        self.bars = bars
        self.rows: dict[str, TaskID] = {}

    def begun(self, running: RunningShards) -> None:
        super().begun(running)
        self.longest.running = running

    def stage_cut(self, space: str, stage: Stage, shards: int, done: int) -> None:
        """Lengthen the space's bar by the stage's shards; the first stage of a space makes its bar."""
        self.left.cut(shards, done, stage.repeats)
        if space not in self.rows:
            self.rows[space] = self.bars.add_task(space, total=0, stage="")
        row = self.rows[space]
        total = (self.bars.tasks[row].total or 0) + shards
        self.bars.update(row, total=total, advance=done, stage=stage.name)
        self._say_omitted(space, stage)

    def shards_done(self, space: str, stage: str, shards: int) -> None:
        self.left.done(shards)
        self.bars.update(self.rows[space], advance=shards, stage=stage)

    def space_done(self, space: str, swept: Sequence[Location]) -> None:
        super().space_done(space, swept)
        if space in self.rows:
            self.bars.update(self.rows[space], stage="complete")
