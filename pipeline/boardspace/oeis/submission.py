"""Folder ready to be sent: b-file, a-file, the text of the edit, the program; see :func:`submission`.

Faults that the encyclopaedia's editors would send back are found before: by the rules of its style sheet and of its
page on b-files, as far as a program can tell. Terms are looked up in a copy of the encyclopaedia before they are sent:
in its file ``stripped``, all sequences with their first terms.
"""

import gzip
import hashlib
import io
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from boardspace.oeis.sequence import Sequence as Known
from boardspace.release.datasets import Dataset
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.files import open_regular

DATA_CHARACTERS = 260
FEWEST_TERMS = 4
LONGEST_TERM = 1000
"""Digits that a term of a b-file may have."""
KEYWORDS = frozenset(
    {"base", "bref", "cofr", "cons", "core", "dead", "dumb", "dupe", "easy", "eigen", "fini", "frac", "full", "hard"}
    | {"hear", "less", "look", "more", "mult", "nice", "nonn", "obsc", "sign", "tabf", "tabl", "unkn", "walk", "word"}
)
MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
DATE = rf"(?:{MONTHS}) [0-3]\d \d{{4}}"
SIGNATURE = rf"_[^_<>]+_, {DATE}"

FEWEST = 4
"""Terms that say something."""
TRIVIAL = 1
"""Terms of at most this value say nothing at the beginning: many sequences begin with them or leave them out."""
MOST, MOST_LINES, LONGEST_LINE = 1 << 30, 10_000_000, 1 << 16
"""Bytes, lines, and bytes of a line: ten times and more what the file has, decompressed."""


def faults_of(files: Mapping[str, str], fields: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Faults that a sequence brings into its files, by name, and into the lines of the edit, by their field; all else
    in these is written in the style of the encyclopaedia."""
    for name, text in files.items():
        if not text.isascii():
            yield f"{name}: it has letters beyond ASCII"
        if name.startswith("b") and any(len(word.lstrip("-")) > LONGEST_TERM for word in text.split()):
            yield f"{name}: a term of more than {LONGEST_TERM} digits"
    for name, lines in fields.items():
        for one in lines:
            if one != one.rstrip() or "\t" in one or "\n" in one:
                yield f"{name}: {one!r} has tabs or blanks at its end, or is more than a line"
    if (terms := len(fields["DATA"][0].split(", "))) < FEWEST_TERMS:
        yield f"DATA: {terms} terms; {FEWEST_TERMS} at least"
    for name in fields.get("NAME", ()):
        if not name.endswith(".") or re.search(r"\d+x\d+|\bn x\b", name):
            yield f"NAME: {name!r} ends with a full stop, and has X between sides"
    for line in fields.get("CROSSREFS", ()):
        if not re.fullmatch(r"Cf\. A\d{6}(?:, A\d{6})*\.", line):
            yield f"CROSSREFS: {line!r} is not Cf. A000001, A000002."
    for given in (set(line.split(",")) for line in fields.get("KEYWORDS", ())):
        if unknown := given - KEYWORDS:
            yield f"KEYWORDS: there is no {', '.join(sorted(unknown))}"
        if len({"nonn", "sign"} & given) != 1:
            yield "KEYWORDS: either nonn or sign"


def as_data(terms: Iterable[int]) -> str:
    """First terms, as many as the field DATA takes."""
    data = ""
    for term in terms:
        longer = f"{data}, {term}" if data else str(term)
        if len(longer) > DATA_CHARACTERS:
            break
        data = longer
    return data


@dataclass(frozen=True)
class Signature:
    """Name of the sender in the encyclopaedia, and the day, Mon DD YYYY."""

    author: str
    date: str

    def __post_init__(self) -> None:
        if not re.fullmatch(SIGNATURE, str(self)):
            raise BoardspaceError(
                f"{self.author!r}, {self.date!r}: write a name and a day as the encyclopaedia does, "
                "--author 'Ada Lovelace' --date 'Dec 10 1842'"
            )

    def __str__(self) -> str:
        return f"_{self.author}_, {self.date}"


def submission(sequence: Known, last: int, signed: Signature, command: str, data: Dataset | None) -> dict[str, str]:
    """All files by name; BoardspaceError where the style of the encyclopaedia is not met, which says how."""
    terms = list(sequence.terms(last, data))
    number = sequence.name[1:] if not sequence.is_new else "NNNNNN"
    files = {f"b{number}.txt": "".join(f"{line}\n" for line in _bfile(sequence, last, command, terms))}
    if sequence.witness is not None:
        files[f"a{number}.txt"] = "".join(f"{line}\n" for line in _afile(sequence, terms, data))
    fields = edit(sequence, terms, signed, f"a{number}.txt" in files)
    files["edit.txt"] = "".join(f"{name}\n" + "".join(f"{line}\n" for line in lines) for name, lines in fields.items())
    files["program.py"] = sequence.program
    if faults := [*faults_of(files, fields)]:
        raise BoardspaceError(f"{sequence.name}: not in the style of the encyclopaedia: " + "; ".join(faults))
    return files


def edit(sequence: Known, terms: Sequence[tuple[int, int]], signed: Signature, a_file: bool) -> Mapping[str, list[str]]:
    """The fields of the edit, each with its lines: all of a new sequence, what is added to one that is there."""
    number = "NNNNNN" if sequence.is_new else sequence.name[1:]
    named = f"n = {terms[0][0]}..{terms[-1][0]}"
    links = [f'{signed.author}, <a href="/A{number}/b{number}.txt">Table of n, a(n) for {named}</a>']
    if a_file:
        links.append(f'{signed.author}, <a href="/A{number}/a{number}.txt">What shows a(n) to be right for {named}</a>')
    program = sequence.program.rstrip("\n").split("\n")
    fields = {
        "DATA": [as_data(value for _, value in terms)],
        "COMMENTS": [f"{sequence.how} - {signed}"],
        "LINKS": links,
        "PROG": ["(Python)", *program[:-1], f"{program[-1]}  # {signed}"],
    }
    if sequence.is_new:
        fields = {"NAME": [sequence.title], **fields, "OFFSET": [_offset(terms)]}
        fields |= {"CROSSREFS": [sequence.cross]} if sequence.cross else {}
        return fields | {"KEYWORDS": [",".join(sequence.keywords)], "AUTHOR": [str(signed)]}
    assert sequence.known is not None
    new = [n for n, _ in terms if n > sequence.known]
    if new:
        span = f"a({new[0]})" if len(new) == 1 else f"a({new[0]})-a({new[-1]})"
        fields["EXTENSIONS"] = [f"{span} from {signed}"]
    return fields


def _offset(terms: Sequence[tuple[int, int]]) -> str:
    """The index of the first term, and the place, from 1, of the first whose absolute value is above 1."""
    place = next((place for place, (_, value) in enumerate(terms, 1) if abs(value) > 1), 1)
    return f"{terms[0][0]},{place}"


def _bfile(sequence: Known, last: int, command: str, terms: Sequence[tuple[int, int]]) -> Sequence[str]:
    """Lines that say what the sequence is, for which indices and how it was made, then one for each term."""
    return [
        f"# {sequence.name}: {sequence.title.removesuffix('.')}.",
        f"# Table of n, a(n) for n = {sequence.offset}..{last}, by: {command}",
        *(f"{n} {term}" for n, term in terms),
    ]


def _afile(sequence: Known, terms: Sequence[tuple[int, int]], data: Dataset | None) -> Sequence[str]:
    assert sequence.witness is not None
    found = [f"{sequence.name}: {sequence.title}", sequence.how]
    for n, value in terms:
        found += ["", f"a({n}) = {value}", *sequence.witness(n, data).lines]
    return found


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
