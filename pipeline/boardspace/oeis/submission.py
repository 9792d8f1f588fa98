"""Folder ready to be sent: b-file, a-file, the text of the edit, the program; see :func:`submission`."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from boardspace.oeis import style
from boardspace.oeis.sequence import Sequence as Known
from boardspace.release.datasets import Dataset
from boardspace.spec.errors import BoardspaceError


def bfile_lines(
    name: str, definition: str, command: str, indices: tuple[int, int], terms: Iterable[tuple[int, int]]
) -> Iterator[str]:
    """A b-file of the OEIS: what the sequence is, for which indices (the first, the last) and by which command it was
    made, then a line for each term (index, value)."""
    yield f"# {name}: {definition}."
    yield f"# Table of n, a(n) for n = {indices[0]}..{indices[1]}, by: {command}"
    yield from (f"{n} {term}" for n, term in terms)


@dataclass(frozen=True)
class Signature:
    """Name of the sender in the encyclopaedia, and the day, Mon DD YYYY."""

    author: str
    date: str

    def __post_init__(self) -> None:
        if not re.fullmatch(style.SIGNATURE, str(self)):
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
    faults = [*style.faults_of_bfile(files[f"b{number}.txt"]), *style.faults_of_edit(fields)]
    if faults:
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
        "DATA": [style.as_data(value for _, value in terms)],
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
    title = sequence.title.removesuffix(".")
    return list(bfile_lines(sequence.name, title, command, (sequence.offset, last), terms))


def _afile(sequence: Known, terms: Sequence[tuple[int, int]], data: Dataset | None) -> Sequence[str]:
    assert sequence.witness is not None
    found = [f"{sequence.name}: {sequence.title}", sequence.how]
    for n, value in terms:
        found += ["", f"a({n}) = {value}", *sequence.witness(n, data).lines]
    return found
