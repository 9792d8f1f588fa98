"""Sequence that a space knows terms of: the interface that ``sequences.py`` beside a space fills, as ``SEQUENCES``."""

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

from boardspace.release.datasets import Dataset
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import module_beside, spaces

MODULE = "sequences"
"""Module beside a space that defines its ``SEQUENCES``."""


@dataclass(frozen=True)
class Witness:
    """Evidence that a term is right: lines of text, in ASCII."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Sequence:
    """A sequence of whole numbers.

    name: its number in the encyclopaedia, such as A181018, or a name of our own where it has none.
    title: its name there, one sentence with a full stop at the end.
    offset: index of the first term.
    term: the term at an index; taken from a dataset of the space where there is one and it has it.
    usual: last index that is written where none is asked for; of those without a dataset, a minute or two.
    known: last index that the encyclopaedia has, in the copy that docs/sequences.md names; None for a name of our own,
        whose terms have not been looked up.
    keywords: as the encyclopaedia has them.
    program: Python of about 20 lines that defines ``a(n)``, by other means than ``term``.
    program_last: last index that it reaches in seconds.
    how: how terms are found and proved, a comment.
    cross: sequences that are like it, such as "Cf. A181019."
    witness: what shows that the term at an index is right; None where there is nothing to show.
    """

    name: str
    title: str
    offset: int
    term: Callable[[int, Dataset | None], int]
    usual: int
    known: int | None
    keywords: tuple[str, ...]
    program: str
    program_last: int
    how: str
    cross: str = ""
    witness: Callable[[int, Dataset | None], Witness] | None = None

    @property
    def is_new(self) -> bool:
        """True for a name of our own."""
        return self.known is None

    def terms(self, last: int, data: Dataset | None) -> Iterator[tuple[int, int]]:
        """Indices and terms up to ``last``, as they are found."""
        yield from ((n, self.term(n, data)) for n in range(self.offset, last + 1))


def sequences() -> Mapping[str, tuple[str, Sequence]]:
    """All sequences by name, each with its space."""
    found: dict[str, tuple[str, Sequence]] = {}
    for space in spaces():
        if module := module_beside(space, MODULE):
            found |= {one.name: (space, one) for one in importlib.import_module(module).SEQUENCES}
    return found


def sequence_named(name: str) -> tuple[str, Sequence]:
    """The space and the sequence of that name; BoardspaceError lists all where there is none."""
    known = sequences()
    if name not in known:
        raise BoardspaceError(f"no sequence {name!r} is known here; there are: {', '.join(known)}")
    return known[name]


def program(package: str, name: str, *last: str, first: str = "") -> str:
    """The text ``programs/NAME.txt`` of a space's package, with a line before it and lines after it."""
    text = (files(package) / "programs" / f"{name}.txt").read_text(encoding="ascii")
    return (f"{first}\n" if first else "") + text + "".join(f"{line}\n" for line in last)
