"""Lines of text: drawings side by side, as many as the terminal is wide."""

import shutil
import textwrap
from collections.abc import Iterator, Sequence

GAP = "  "


def terminal_width() -> int:
    """Columns of the terminal: COLUMNS where it is set, 80 where nothing is known."""
    return shutil.get_terminal_size((80, 24)).columns


def broken(line: str, width: int) -> str:
    """A line that is wider, as several: broken at blanks, those that follow indented by two more."""
    if len(line) <= width:
        return line
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    parts = textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(parts)


def side_by_side(drawings: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Drawings of one size (their lines) in rows that fit into ``width`` columns; a blank line after each row."""
    across = max((len(line) for lines in drawings for line in lines), default=0)
    fit = max(1, (width + len(GAP)) // (across + len(GAP)))
    for first in range(0, len(drawings), fit):
        for lines in zip(*drawings[first : first + fit], strict=True):
            yield GAP.join(line.ljust(across) for line in lines).rstrip()
        yield ""


def in_columns(entries: Sequence[str], width: int) -> Iterator[str]:
    """Short texts in columns of one width, read down, as ``ls`` lists names."""
    across = max(map(len, entries), default=0)
    columns = max(1, (width + len(GAP)) // (across + len(GAP)))
    rows = -(-len(entries) // columns)
    for row in range(rows):
        yield GAP.join(entry.ljust(across) for entry in entries[row::rows]).rstrip()
