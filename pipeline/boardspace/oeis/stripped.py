"""Look-up of terms in a copy of the encyclopaedia: its file ``stripped``, all sequences with their first terms.

A line is ``A000001 ,0,1,1,1,2,``. The file is published by the encyclopaedia; it is read here as it is or as ``.gz``.
"""

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from boardspace.spec.errors import BoardspaceError
from boardspace.storage.files import open_regular

FEWEST = 4
"""Terms that say something."""
TRIVIAL = 1
"""Terms of at most this value say nothing at the beginning: many sequences begin with them or leave them out."""
MOST, MOST_LINES, LONGEST_LINE = 1 << 30, 10_000_000, 1 << 16
"""Bytes, lines, and bytes of a line: ten times and more what the file has, decompressed."""


@dataclass(frozen=True)
class LookUp:
    """Sequences that hold the terms that were looked up; the copy by the SHA-256 of its file and its newest number."""

    terms: tuple[int, ...]
    found: tuple[str, ...]
    sha256: str
    newest: str

    def __str__(self) -> str:
        looked = f"the copy of the encyclopaedia up to {self.newest} (SHA-256 {self.sha256[:16]})"
        wanted = ", ".join(map(str, self.terms))
        if self.found:
            return f"found in {looked}: {wanted} in {', '.join(self.found)}"
        return f"not found as of {looked}: {wanted}"


def look_up(file: Path, terms: Sequence[int]) -> LookUp:
    """The sequences of a copy that hold the terms in a row, but for those of 0 and 1 that they begin with.

    BoardspaceError where the file is no such copy, or the terms are too few to say anything.
    """
    wanted = list(terms)
    while wanted and abs(wanted[0]) <= TRIVIAL:
        wanted.pop(0)
    if len(wanted) < FEWEST:
        raise BoardspaceError(f"{', '.join(map(str, terms))}: too few terms to be looked up; {FEWEST} besides 0 and 1")
    sought = f",{','.join(map(str, wanted))},"
    found, newest = [], ""
    with _opened(file) as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        stream.seek(0)
        for name, listed in _sequences(_lines(stream, file), file):
            newest = max(newest, name)
            if sought in listed or _is_beginning(sought, listed):
                found.append(name)
    if not newest:
        raise BoardspaceError(f"{file}: no sequence in it")
    return LookUp(tuple(wanted), tuple(found), sha256, newest)


def _sequences(lines: Iterable[str], file: Path) -> Iterator[tuple[str, str]]:
    """The names of the sequences and their terms; BoardspaceError for a line that is of none."""
    for number, line in enumerate(lines, 1):
        if line.startswith("#") or not line.strip():
            continue
        name, _, listed = line.partition(" ")
        if not (name[:1] == "A" and name[1:].isdigit() and listed.startswith(",")):
            raise BoardspaceError(f"{file}, line {number}: not a line such as 'A000001 ,0,1,1,1,2,'")
        yield name, listed


def _is_beginning(sought: str, listed: str) -> bool:
    """True where the terms that are listed end within those sought: the copy has fewer terms."""
    terms = sought.strip(",").split(",")
    return any(listed.rstrip().endswith(f",{','.join(terms[:length])},") for length in range(FEWEST, len(terms)))


def _opened(file: Path) -> io.BufferedReader:
    """The file, opened; BoardspaceError for a pipe, a device, a hole, or what is longer than such a file can be."""
    try:
        stream = open_regular(file, follow=True)
    except OSError as error:
        raise BoardspaceError(f"{file}: cannot be read ({error.strerror})") from error
    if stream.seek(0, io.SEEK_END) > MOST:
        stream.close()
        raise _too_long(file)
    stream.seek(0)
    return stream


def _lines(stream: io.BufferedReader, file: Path) -> Iterator[str]:
    """The lines of the file, decompressed one by one; BoardspaceError where they are no text, or more than there can
    be."""
    text = gzip.GzipFile(fileobj=stream) if stream.peek(2)[:2] == b"\x1f\x8b" else stream
    rest = MOST
    try:
        for number, line in enumerate(iter(lambda: text.readline(LONGEST_LINE + 1), b"")):
            rest -= len(line)
            if rest < 0 or number >= MOST_LINES or len(line) > LONGEST_LINE:
                raise _too_long(file)
            yield line.decode("ascii")
    except (UnicodeDecodeError, zlib.error, EOFError, gzip.BadGzipFile) as error:
        raise BoardspaceError(f"{file}: neither the file stripped nor stripped.gz of the encyclopaedia") from error


def _too_long(file: Path) -> BoardspaceError:
    return BoardspaceError(
        f"{file}: more than {MOST >> 20:,} MB, {MOST_LINES:,} lines, or {LONGEST_LINE:,} bytes a line, which the file "
        "stripped of the encyclopaedia does not have; fetch it anew"
    )
