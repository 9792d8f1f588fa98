"""Look-up of terms in a copy of the encyclopaedia: its file ``stripped``, all sequences with their first terms.

A line is ``A000001 ,0,1,1,1,2,``. The file is published by the encyclopaedia; it is read here as it is or as ``.gz``.
"""

import gzip
import hashlib
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from boardspace.spec.errors import BoardspaceError

FEWEST = 4
"""Terms that say something."""
TRIVIAL = 1
"""Terms of at most this value say nothing at the beginning: many sequences begin with them or leave them out."""


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
    for number, line in enumerate(_lines(file), 1):
        if line.startswith("#") or not line.strip():
            continue
        name, _, listed = line.partition(" ")
        if not (name[:1] == "A" and name[1:].isdigit() and listed.startswith(",")):
            raise BoardspaceError(f"{file}, line {number}: not a line such as 'A000001 ,0,1,1,1,2,'")
        newest = max(newest, name)
        if sought in listed or _is_beginning(sought, listed):
            found.append(name)
    if not newest:
        raise BoardspaceError(f"{file}: no sequence in it")
    return LookUp(tuple(wanted), tuple(found), hashlib.sha256(file.read_bytes()).hexdigest(), newest)


def _is_beginning(sought: str, listed: str) -> bool:
    """True where the terms that are listed end within those sought: the copy has fewer terms."""
    terms = sought.strip(",").split(",")
    return any(listed.rstrip().endswith(f",{','.join(terms[:length])},") for length in range(FEWEST, len(terms)))


def _lines(file: Path) -> Iterator[str]:
    try:
        with file.open("rb") as stream:
            content = stream.read()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
        yield from content.decode("ascii").splitlines()
    except (UnicodeDecodeError, zlib.error, EOFError, gzip.BadGzipFile) as error:
        raise BoardspaceError(f"{file}: neither the file stripped nor stripped.gz of the encyclopaedia") from error
