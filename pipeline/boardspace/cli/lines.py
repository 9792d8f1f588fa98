"""Lines of text: drawings side by side, as many as the terminal is wide, in the letters that it has."""

import codecs
import io
import shutil
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

GAP = "  "
PLAIN_LETTERS = "boardspace-plain"
"""Name of the error handler by which streams write letters that their encoding lacks, see :func:`plain_letters`."""
PLAIN_ASCII = "boardspace_ascii"
PLAIN = {
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛", "+"),
    **dict.fromkeys("─╴╶", "-"),
    **dict.fromkeys("│╵╷┃", "|"),
    **dict.fromkeys("█▒", "#"),
    **dict(zip("━·…×●◉○↑↓←→", "=..xoOx^v<>", strict=True)),
}
"""One sign of ASCII for each letter of drawings and tables; pegs and holes are those that drawings may have."""
BRAILLE = range(0x2800, 0x2900)
"""Letters of what turns while a search runs."""


def plain_letters(error: UnicodeError) -> tuple[str, int]:
    """Error handler for encoding: signs of ASCII, as wide, for the letters of drawings, and escapes for all others."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(PLAIN.get(letter) or _escaped(letter) for letter in letters), error.end


def _escaped(letter: str) -> str:
    return "." if ord(letter) in BRAILLE else letter.encode("ascii", "backslashreplace").decode("ascii")


codecs.register_error(PLAIN_LETTERS, plain_letters)


def _plain_ascii(name: str) -> codecs.CodecInfo | None:
    """ASCII by another name: to a stream that calls it ASCII, Click writes UTF-8."""
    if name != PLAIN_ASCII:
        return None
    own = codecs.lookup("ascii")
    return codecs.CodecInfo(*own, own.incrementalencoder, own.incrementaldecoder, PLAIN_ASCII)


codecs.register(_plain_ascii)


def draw_plainly(stream: io.TextIOWrapper) -> None:
    """Let a stream write the letters that its encoding lacks as signs of ASCII, or as escapes."""
    is_ascii = codecs.lookup(stream.encoding).name == "ascii"
    stream.reconfigure(encoding=PLAIN_ASCII if is_ascii else None, errors=PLAIN_LETTERS)


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


def aligned(rows: Sequence[Sequence[str]], gap: str = GAP) -> Iterator[str]:
    """The rows of a table, each column to the right; the first row has all columns."""
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return (gap.join(value.rjust(width) for value, width in zip(row, widths, strict=False)) for row in rows)


def in_columns(entries: Sequence[str], width: int) -> Iterator[str]:
    """Short texts in columns of one width, read down, as ``ls`` lists names."""
    across = max(map(len, entries), default=0)
    columns = max(1, (width + len(GAP)) // (across + len(GAP)))
    rows = -(-len(entries) // columns)
    for row in range(rows):
        yield GAP.join(entry.ljust(across) for entry in entries[row::rows]).rstrip()
