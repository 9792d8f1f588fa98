"""Progress of one shard as a line."""

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from boardspace.cli.report.text import printable
from boardspace.cli.report.time_left import duration
from boardspace.engine.progress import RunningShards
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
