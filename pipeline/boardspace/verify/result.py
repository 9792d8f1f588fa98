"""Results of a verification: faults, checks made, and signers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from boardspace.spec.check import Check, Outcome
from boardspace.spec.texts import counted

MOST_SHOWN = 10
"""Faults that the text of an error has."""
Level = Literal["hashes", "structure", "logic"]
LEVELS: tuple[Level, ...] = ("hashes", "structure", "logic")


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: ``where`` is a path (and row) relative to the folder verified, or a check's name."""

    level: Level
    where: str
    what: str


@dataclass(frozen=True)
class Rederived:
    """One check of a dataset.

    dataset, check: their names.
    columns: the columns that it re-derives, by table, and arrays, each with none.
    means: from what, and how.
    says: the same of single columns (``table.column``) and arrays, where ``means`` names several.
    cases, of: how many cases were tried, of how many.
    impossible: why it cannot be made here: a release lacks what the check needs; '' where it was made.
    left: which cases could not be tried here, and why, where it was made of others.
    whole: the columns (``table.column``) that were tried at every row, although others of the check were not.
    """

    dataset: str
    check: str
    columns: Mapping[str, Sequence[str]]
    means: str
    cases: int
    of: int
    impossible: str = ""
    left: str = ""
    says: Mapping[str, str] = field(default_factory=dict)
    whole: Sequence[str] = ()

    @classmethod
    def by(cls, dataset: str, check: Check, found: Outcome, impossible: str = "") -> "Rederived":
        """Result of a check, from its outcome."""
        counts = found.cases, found.of, impossible, found.left
        return cls(dataset, check.name, check.columns, check.means, *counts, check.says, found.whole)

    def tried(self, name: str) -> int:
        """Number of cases of a column (``table.column``) or an array that were tried."""
        return self.of if name in self.whole else self.cases


@dataclass(frozen=True)
class Signed:
    """Signer of a release.

    by: a name in the file of allowed signers.
    key: the type and the fingerprint of the key.
    """

    by: str
    key: str


@dataclass(frozen=True)
class Verification:
    """Result of a verification: how far and what was checked, and what was wrong.

    notes: what was left out.
    rederived: the checks of the level ``logic``.
    unchecked: by dataset, the columns and arrays that cannot be re-derived, each with the reason.
    signed: who signed the release, where that was asked for and found.
    seed: of the draw at the level ``logic``; None where nothing was drawn.
    """

    level: Level
    files: int
    bytes: int
    rows: int
    cases: int
    faults: tuple[Fault, ...]
    notes: tuple[str, ...] = ()
    rederived: tuple[Rederived, ...] = ()
    unchecked: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    signed: Signed | None = None
    seed: int | None = None

    @classmethod
    def of_all(cls, level: Level, parts: Sequence["Verification"], faults: Iterable[Fault] = ()) -> "Verification":
        """Verification of several datasets, which have these faults besides: counts are added up."""
        counts = {name: sum(getattr(part, name) for part in parts) for name in ("files", "bytes", "rows", "cases")}
        return cls(
            level,
            **counts,
            faults=(*faults, *(fault for part in parts for fault in part.faults)),
            notes=tuple(note for part in parts for note in part.notes),
            rederived=tuple(one for part in parts for one in part.rederived),
            unchecked={name: reasons for part in parts for name, reasons in part.unchecked.items()},
        )


def faults_text(place: object, faults: Sequence[Fault], so: str) -> str:
    """The text of an error for what has faults, with the first of them: ``so`` says what cannot be done."""
    lines = (f"\n  {fault.where}: {fault.what}" for fault in faults[:MOST_SHOWN])
    return f"{place}: {counted(len(faults), 'fault')}, so not to be {so}:{''.join(lines)}"


def what_was_left(rederived: Iterable[Rederived]) -> Iterator[str]:
    """Notes on the cases that checks could not try."""
    return (f"{one.dataset}: {one.left}" for one in rederived if one.left)
