"""Checks a SAT solver's proof that a formula cannot be satisfied; it shares no code with any solver.

The proof is a list of clauses (the format DRUP, the part of DRAT that needs no resolution on a chosen literal). Each
follows from those before it by unit propagation: where all its literals are false, some clause has one literal left
that must then be true, and so on, until a clause has none. The last clause is empty. Lines that delete a clause (``d``)
only save a solver work: to keep the clause is right too, and so they are passed over.

Clauses lie in one array, and each is watched by two of its literals, which stand first. A literal is twice its
variable, and one more where it is negated. The clauses that a literal watches are a linked list through ``after``, with
two links a clause. While a clause is checked, what follows from its negation is put on ``trail`` behind what follows
for good, and taken back.

Cost: as many visits of watched clauses as the propagations make.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.jit import kernel

Literals = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]

MOST_VARIABLES = 1 << 26
NO_LINK = -1
CONTRADICTION, END = -1, -2
"""What the kernel returns where every clause follows: the clauses are contradictory, or they came to an end."""
SATISFIED = -1
"""Instead of a number of literals that are not false."""


def check_refutation(formula: Iterable[Sequence[int]], proof: Iterable[str]) -> int:
    """Number of clauses of a proof that follow from a formula and one another, up to the empty one.

    Raises:
        CertificateError: a line that is no clause, a clause that does not follow, or no empty clause.
    """
    given = [_distinct(clause) for clause in formula]
    lines = list(_added(proof))
    clauses = given + [_distinct(clause) for _, _, clause in lines]
    variables = max(map(abs, chain.from_iterable(clauses)), default=0)
    if variables > MOST_VARIABLES:
        raise CertificateError(f"a clause has the variable {variables}; they go up to {MOST_VARIABLES}")
    first = np.zeros(len(clauses) + 1, dtype=np.int64)
    np.cumsum([len(clause) for clause in clauses], out=first[1:])
    coded = (2 * abs(literal) + (literal < 0) for literal in chain.from_iterable(clauses))
    literals = np.fromiter(coded, dtype=np.int32, count=int(first[-1]))
    found = int(_first_that_does_not_follow(literals, first, len(given), variables))
    if found >= 0:
        number, line, _ = lines[found]
        raise CertificateError(f"line {number} of the proof does not follow from those before it: {line.strip()[:80]}")
    if found == END:
        raise CertificateError(f"the proof ends after {len(lines)} clauses without a contradiction")
    return len(lines)


def _distinct(clause: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(clause))


def _added(proof: Iterable[str]) -> Iterator[tuple[int, str, list[int]]]:
    """The clauses that are not deleted, up to the empty one, each with its line and before it the line's number."""
    for number, line in enumerate(proof, 1):
        if line.startswith("d "):
            continue
        clause = _clause(line, number)
        yield number, line, clause
        if not clause:
            return


def _clause(line: str, number: int) -> list[int]:
    try:
        *literals, end = map(int, line.split())
    except ValueError:
        raise CertificateError(f"line {number} of the proof is no clause: {line.strip()[:80]!r}") from None
    if end != 0 or 0 in literals:
        raise CertificateError(f"line {number} of the proof does not end with its only 0: {line.strip()[:80]!r}")
    return literals


class Watches(NamedTuple):
    """Clauses, what is true, and which clauses are watched by which literal.

    literals: int32, of all clauses; the first two of each watch it. Put in another order while clauses are checked.
    first: int64 (clauses + 1), where those of a clause begin.
    true: bool, by literal.
    head: int64, by literal the first link to a clause that it watches.
    after: int64 (2 clauses), by link the next one.
    trail: int32, the true literals in the order in which they became so.
    """

    literals: Literals
    first: Numbers
    true: npt.NDArray[np.bool_]
    head: Numbers
    after: Numbers
    trail: Literals


@kernel
def _first_that_does_not_follow(literals: Literals, first: Numbers, given: int, variables: int) -> int:
    """The number, from 0, of the first clause after the ``given`` ones that does not follow from all before it.

    Clause c is ``literals[first[c]:first[c + 1]]``, its literals different and in any order; they are put in another.
    CONTRADICTION where all follow and the empty clause is among them, or follows too; END where it does not.
    """
    clauses = len(first) - 1
    watches = Watches(
        literals,
        first,
        np.zeros(2 * variables + 2, dtype=np.bool_),
        np.full(2 * variables + 2, NO_LINK, dtype=np.int64),
        np.full(2 * clauses, NO_LINK, dtype=np.int64),
        np.empty(variables + 1, dtype=np.int32),
    )
    kept: int = np.int64(0)  # type: ignore[assignment]  # of a literal numba would compile once more what takes it
    for clause in range(clauses):
        if clause >= given and not _follows(clause, watches, kept):
            return clause - given
        open_literals = _watched(clause, watches)
        if open_literals == 0:
            return CONTRADICTION
        if open_literals == 1:
            unit = literals[first[clause]]
            watches.true[unit] = True
            watches.trail[kept] = unit
            consistent, kept = _propagated(watches, kept, kept + 1)
            if not consistent:
                return CONTRADICTION
    return END


@kernel
def _follows(clause: int, watches: Watches, kept: int) -> bool:
    """Return whether a clause follows from those that are watched: its negation, put on the trail behind the ``kept``
    literals that are true for good, leads to a contradiction. The trail is taken back."""
    literals, true, trail = watches.literals, watches.true, watches.trail
    assumed = kept
    consistent = True
    for i in range(watches.first[clause], watches.first[clause + 1]):
        # It is true for good, or the clause has its negation, too: it cannot be made false.
        if true[literals[i]]:
            consistent = False
            break
        negated = literals[i] ^ 1
        if not true[negated]:
            true[negated] = True
            trail[assumed] = negated
            assumed += 1
    if consistent:
        consistent, assumed = _propagated(watches, kept, assumed)
    # Watches that moved may stay: a literal that was not false then is not false now, when less is assumed.
    for i in range(kept, assumed):
        true[trail[i]] = False
    return not consistent


@kernel
def _watched(clause: int, watches: Watches) -> int:
    """Put the literals of a clause that are not false first, and have the first two watch it; how many are not false.
    SATISFIED, and nothing watches, where one is true: for good, for what is on the trail here stays."""
    literals, true, head, after = watches.literals, watches.true, watches.head, watches.after
    begin, end = watches.first[clause], watches.first[clause + 1]
    open_literals = 0
    satisfied = False
    for i in range(begin, end):
        literal = literals[i]
        satisfied |= true[literal]
        # From the last open literal up to place i all are false, so it is one of these that the swap puts there.
        if not true[literal ^ 1]:
            literals[i], literals[begin + open_literals] = literals[begin + open_literals], literal
            open_literals += 1
    if satisfied:
        return SATISFIED
    for i in range(min(2, end - begin)):
        literal = literals[begin + i]
        after[2 * clause + i] = head[literal]
        head[literal] = 2 * clause + i
    return open_literals


@kernel
def _propagated(watches: Watches, begin: int, end: int) -> tuple[bool, int]:
    """Return whether ``trail[begin:end]``, all true, leads to no contradiction, and the end of the trail with all
    that follows from it."""
    literals, first, true, head, after, trail = watches
    while begin < end:
        false = trail[begin] ^ 1
        begin += 1
        link, last = head[false], NO_LINK
        while link != NO_LINK:
            following = after[link]
            # Clause c has the links 2 c and 2 c + 1. Which is in whose list does not matter: its watches may swap.
            start, stop = first[link >> 1], first[(link >> 1) + 1]
            if stop - start > 1 and literals[start] == false:
                literals[start], literals[start + 1] = literals[start + 1], false
            other = start + 2  # of the literals that do not watch, the first that is not false
            # A clause that is satisfied keeps its watches: where its true literal is taken back, so is the false one.
            if true[literals[start]]:
                other = stop
            while other < stop and true[literals[other] ^ 1]:
                other += 1
            if other < stop:  # watches from now on, instead of the one that is false
                literal = literals[other]
                literals[other], literals[start + 1] = false, literal
                if last == NO_LINK:
                    head[false] = following
                else:
                    after[last] = following
                after[link] = head[literal]
                head[literal] = link
                link = following
                continue
            last, link = link, following
            # All but the first are false here, unless that is true: it must be, and where it is false nothing is left.
            if true[literals[start] ^ 1]:
                return False, end
            if not true[literals[start]]:
                true[literals[start]] = True
                trail[end] = literals[start]
                end += 1
    return True, end
