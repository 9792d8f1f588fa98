"""Checks: how ``boardspace verify`` re-derives what is published, by other means than the writers'.

Every column of every table, and every array, is named by a check, or by its part's ``unchecked`` with the reason
(:mod:`.coverage`). A check tries all rows where that is quick, else a draw of them; :class:`Outcome` says how many of
how many. A check reads tables and arrays by name (:meth:`.Inputs.table`, :meth:`.Inputs.array`) where it can, so that
it works on a downloaded release as well; one that needs a stage or a receipt works on runs only.
"""

import secrets
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.spec.arguments import LARGEST, within
from boardspace.spec.stage import Inputs

Number = TypeVar("Number", np.int64, np.uint64)
Faults = Generator[str, None, Any]
"""The fault of each case, '' where it has none; then the number of all cases, if more than these."""

MANY = 1 << 10
"""From so many words on they are sorted before they are looked up."""
TOGETHER = 1 << 18
"""Words that are sorted together: so many stay in the cache of a core."""


@dataclass(frozen=True)
class Draw:
    """Choice of the cases that a check tries: a sample that ``seed`` chooses, or, where ``everything``, all of them.

    Whoever knows the seed beforehand knows which cases nobody looks at, so verifications draw it (:meth:`at_random`).
    """

    seed: int = 0
    everything: bool = False

    def __post_init__(self) -> None:
        within("seed", self.seed, 0, LARGEST)

    @classmethod
    def at_random(cls, everything: bool = False) -> "Draw":
        """A draw that nobody could foresee."""
        return cls(secrets.randbelow(1 << 32), everything)

    def generator(self) -> np.random.Generator:
        """A generator of random numbers that begins at the seed; every check has its own."""
        return np.random.default_rng(self.seed)

    def choose(self, count: int, most: int, random: np.random.Generator | None = None) -> list[int]:
        """Numbers of the cases to try, ascending, of ``count`` cases: ``most`` of them, or all."""
        if self.everything or count <= most:
            return list(range(count))
        chosen: list[int] = np.sort((random or self.generator()).choice(count, most, replace=False)).tolist()
        return chosen


@dataclass(frozen=True)
class Outcome:
    """Result of a check.

    cases: how many were tried (rows, unless the check's ``means`` says of what).
    of: how many there are.
    fault: what is wrong with the first that is, or ''.
    left: which could not be tried here, and why; '' where the draw alone left cases out.
    whole: the columns (``table.column``) that were tried at every row, although others of the check were not.
    """

    cases: int
    of: int
    fault: str = ""
    left: str = ""
    whole: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.cases <= self.of:
            raise ValueError(f"a check says that it tried {self.cases:,} of {self.of:,} cases")


@dataclass(frozen=True)
class Check:
    """One check of a part.

    name: short; faults are reported under it.
    columns: the columns that it re-derives, by table, and the arrays, each with no columns.
    means: from what, and how, in a line: ``moves made by hand from the layout's picture``.
    run: the check itself, from the config, the finished stages and a draw; named by :mod:`boardspace.spec.deferred`.
    says: how single columns (``table.column``) and arrays follow, where ``means`` names several.
    together: makes several checks at once, those that have the same function here, on one reading of the rows.
    """

    name: str
    columns: Mapping[str, Sequence[str]]
    means: str
    run: Callable[[Any, Inputs, Draw], Outcome]
    says: Mapping[str, str] = field(default_factory=dict)
    together: "Callable[[Sequence[Check], Any, Inputs, Draw], list[Outcome]] | None" = None


def outcome(faults: Iterable[str], of: int | None = None) -> Outcome:
    """The outcome of cases that are given by their faults, '' for each that has none; they end at the first fault.

    ``of`` is the number of all cases, if more than these.
    """
    cases = 0
    for fault in faults:
        cases += 1
        if fault:
            return Outcome(cases, max(cases, of or 0), fault)
    return Outcome(cases, cases if of is None else of)


def each_case(faults: Callable[[Any, Inputs, Draw], Faults]) -> Callable[[Any, Inputs, Draw], Outcome]:
    """A check from the faults of its cases, one after the other; they end at the first fault."""

    @wraps(faults)
    def check(config: Any, inputs: Inputs, draw: Draw) -> Outcome:
        of = 0

        def cases() -> Faults:
            """Yield the fault of each case, and note how many there are."""
            nonlocal of
            of = (yield from faults(config, inputs, draw)) or 0

        found = outcome(cases())
        return replace(found, of=max(found.cases, of))

    return check


def exact(residue: int, size: float) -> int:
    """The number with this residue modulo 2^64 that is about so large: of up to 30 digits, as sums of floats go.

    A count that does not fit a word is added up twice, modulo 2^64 and in floating point, and needs no long arithmetic.
    ArithmeticError where the two do not fit.
    """
    multiples, rest = divmod(int(size) - residue + (1 << 63), 1 << 64)
    if abs(rest - (1 << 63)) >= 1 << 62:
        raise ArithmeticError(f"no number of about {size:.6g} is known to have the residue {residue} modulo 2^64")
    return residue + (multiples << 64)


def distinct(values: NDArray[Number]) -> NDArray[Number]:
    """The values in ascending order, without repeats; of large arrays quicker than ``numpy.unique``."""
    ascending = np.sort(values)
    return ascending[begins_of(ascending)]


def begins_of(ascending: NDArray[Any]) -> NDArray[np.int64]:
    """int64: where each different value begins among ascending ones."""
    return np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1])[: len(ascending)])


def places_of(words: NDArray[np.uint64], ascending: NDArray[np.uint64]) -> NDArray[np.int64]:
    """``numpy.searchsorted(ascending, words)``: int64 (words).

    Many words are looked up in ascending order: several times quicker, since neighbours end at neighbouring places.
    """
    if len(words) < MANY or (words[1:] >= words[:-1]).all():
        return np.searchsorted(ascending, words)
    places = np.empty(len(words), np.int64)
    for low in range(0, len(words), TOGETHER):
        part = words[low : low + TOGETHER]
        order = np.argsort(part)
        places[low : low + TOGETHER][order] = np.searchsorted(ascending, part.take(order))
    return places


def places_among(words: NDArray[np.uint64], ascending: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The place of each word among ascending ones, int64 (words); -1 where it is not there."""
    if not len(ascending):
        return np.full(len(words), -1)
    places = np.minimum(places_of(words, ascending), len(ascending) - 1)
    return np.where(ascending.take(places) == words, places, -1)


def by_folders(table: pa.Table, names: Sequence[str]) -> dict[tuple[Any, ...], pa.Table]:
    """The rows of a table by the values of some columns, in which it is sorted; ValueError where it is not."""
    changes = np.zeros(table.num_rows, bool)
    changes[:1] = True
    for column in table.select(names).columns:
        differs = pc.not_equal(column.slice(1), column.slice(0, max(0, len(column) - 1)))
        changes[1:] |= pc.fill_null(differs, True).combine_chunks().to_numpy(zero_copy_only=False)
    begins = np.flatnonzero(changes).tolist()
    found: dict[tuple[Any, ...], pa.Table] = {}
    for begin, end in pairwise([*begins, table.num_rows]):
        key = tuple(table.column(name)[begin].as_py() for name in names)
        if key in found:
            raise ValueError(f"rows of {', '.join(map(str, key))} do not stand together")
        found[key] = table.slice(begin, end - begin)
    return found
