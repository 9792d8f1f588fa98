"""What the shard that has run longest said last, as a line."""

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from boardspace.cli.report.text import printable
from boardspace.cli.report.time_left import told_seconds
from boardspace.engine.inside import RunningShards, Said

LEAST_LABEL = 12
"""Columns that the end of a shard's name has beside a long text."""


class LongestLine:
    """One line: what the shard that has run longest said last; none where no shard said anything."""

    def __init__(self, running: RunningShards) -> None:
        self._running = running

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        said = self._running.longest()
        if said is not None:
            yield Text(told_within(said, options.max_width, "..." if options.ascii_only else "…"), no_wrap=True)


def told(said: Said) -> str:
    """What a shard said, in a line of any length."""
    return f"{said.shard}, {told_seconds(said.seconds)}: {said.text}"


def told_within(said: Said, width: int, mark: str = "…") -> str:
    """The same in a line of so many columns, which a terminal may be given: of the shard's name the end is left, of the
    text the beginning, and ``mark`` is where something is not."""
    label, rest = printable(said.shard), printable(told(said))[len(printable(said.shard)) :]
    if mark.isascii():
        label, rest = (part.encode("ascii", "backslashreplace").decode() for part in (label, rest))
    room = max(LEAST_LABEL, width - cell_len(rest))
    line = label if cell_len(label) <= room else mark + _fitting(label[::-1], room - cell_len(mark))[::-1]
    line += rest
    return line if cell_len(line) <= width else _fitting(line, width - cell_len(mark)) + mark


def _fitting(text: str, width: int) -> str:
    """As much of a text's beginning as has so many columns."""
    while cell_len(text) > width:
        text = text[:-1]
    return text
