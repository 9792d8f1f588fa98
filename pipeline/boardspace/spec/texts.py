"""Text of files: UTF-8, perhaps with the byte order mark that some editors put before it. All readers of files that
people write read by this module; the checker of instances, which stands alone, has the same rule.
"""

import codecs
import io
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from boardspace.spec.errors import BoardspaceError

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class EncodingError(BoardspaceError):
    """A file that is no text in UTF-8."""


def decoded(content: bytes, name: object) -> str:
    """Return the text of a file, without a byte order mark; EncodingError names the file where it is not in UTF-8.

    >>> decoded(b"\\xef\\xbb\\xbfABBC", "board.txt")
    'ABBC'
    >>> decoded("ABBC".encode("utf-16"), "board.txt")
    Traceback (most recent call last):
    boardspace.spec.texts.EncodingError: board.txt: not a text file in UTF-8, but in UTF-16; save it as UTF-8
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(error, name, 1) from None
    return _without_zero(text, name)


def text_lines(stream: BinaryIO, name: object) -> Iterator[str]:
    """The lines of a text, however long, one after the other; EncodingError as :func:`decoded` raises it."""
    wrapped = io.TextIOWrapper(stream, encoding="utf-8-sig")
    number = 0
    try:
        for number, line in enumerate(wrapped, 1):  # noqa: B007 an error is in the line after it, or later
            yield _without_zero(line, name)
    except UnicodeDecodeError as error:
        raise _not_utf8(error, name, number + 1) from None
    finally:
        if not stream.closed:  # it is its owner's to close
            wrapped.detach()


def _without_zero(text: str, name: object) -> str:
    """The text; EncodingError where it holds a byte 0, the sign of UTF-16 without a mark, or of no text at all."""
    if "\0" in text:
        raise EncodingError(f"{name}: not a text file in UTF-8: it holds the byte 0; save it as UTF-8")
    return text


def _not_utf8(error: UnicodeDecodeError, name: object, first: int) -> EncodingError:
    """The error of bytes of which line ``first`` is the first."""
    if error.object.startswith(UTF_16):
        return EncodingError(f"{name}: not a text file in UTF-8, but in UTF-16; save it as UTF-8")
    line, byte = first + error.object.count(b"\n", 0, error.start), error.object[error.start]
    return EncodingError(f"{name}: not a text file in UTF-8: line {line} has the byte {byte:#04x}; save it as UTF-8")


def named(names: Sequence[str], most: int) -> str:
    """The first of some names, and how many more there are.

    >>> named(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def counted(number: int, thing: str) -> str:
    """Number of things: "1 shard", "1,000 shards"; ``thing`` is a noun in the singular that takes an s.

    >>> counted(1, "shard"), counted(1_000, "shard"), counted(0, "fault")
    ('1 shard', '1,000 shards', '0 faults')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
