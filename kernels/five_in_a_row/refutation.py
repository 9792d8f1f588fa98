"""Checks a SAT solver's proof that a formula cannot be satisfied, in plain Python; it shares no code with any solver.

The proof is a list of clauses (the format DRUP, the part of DRAT that needs no resolution on a chosen literal). Each
follows from those before it by unit propagation: where all its literals are false, some clause has one literal left
that must then be true, and so on, until a clause has none. The last clause is empty. Lines that delete a clause (``d``)
only save a solver work: to keep the clause is right too, and so they are passed over.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from boardspace.kernels.five_in_a_row.checker import CertificateError


def check_refutation(formula: Iterable[Sequence[int]], proof: Iterable[str]) -> int:
    """How many clauses of a proof were checked, up to the empty one.

    Raises:
        CertificateError: a line that is no clause, a clause that does not follow, or no empty clause.
    """
    known = _Clauses()
    for clause in formula:
        known.add(clause)
    number = 0
    for number, line in enumerate(proof, 1):
        if line.startswith("d "):
            continue
        clause = _clause(line, number)
        if not known.implies(clause):
            said = line.strip()[:80]
            raise CertificateError(f"line {number} of the proof does not follow from those before it: {said}")
        if not clause:
            return number
        known.add(clause)
    if not known.contradiction:
        raise CertificateError(f"the proof ends after {number} lines without a contradiction")
    return number


def _clause(line: str, number: int) -> list[int]:
    try:
        *literals, end = map(int, line.split())
    except ValueError:
        raise CertificateError(f"line {number} of the proof is no clause: {line.strip()[:80]!r}") from None
    if end != 0 or 0 in literals:
        raise CertificateError(f"line {number} of the proof does not end with its only 0: {line.strip()[:80]!r}")
    return literals


class _Clauses:
    """Clauses, each watched by two literals that are not false, or satisfied; what follows at once is kept."""

    def __init__(self) -> None:
        self.watched: dict[int, list[list[int]]] = defaultdict(list)
        self.true: set[int] = set()
        self.contradiction = False

    def add(self, literals: Sequence[int]) -> None:
        """One more clause, and all that follows from it at once."""
        clause = list(dict.fromkeys(literals))
        if any(-literal in clause for literal in clause):
            return
        clause.sort(key=lambda literal: -literal in self.true)
        for literal in clause[:2]:
            self.watched[literal].append(clause)
        if not clause or -clause[0] in self.true:
            self.contradiction = True
        elif len(clause) == 1 or -clause[1] in self.true:
            self.contradiction |= not self._assume([clause[0]], [])

    def implies(self, clause: Sequence[int]) -> bool:
        """Whether to make all literals of a clause false leads to a contradiction."""
        made: list[int] = []
        consistent = not self.contradiction and self._assume([-literal for literal in clause], made)
        self.true -= set(made)
        return not consistent

    def _assume(self, literals: Sequence[int], made: list[int]) -> bool:
        """Make literals true, and those that follow, which go to ``made``; False at a contradiction."""
        todo = list(literals)
        while todo:
            literal = todo.pop()
            if literal in self.true:
                continue
            if -literal in self.true:
                return False
            self.true.add(literal)
            made.append(literal)
            still = []
            watching = self.watched[-literal]
            for position, clause in enumerate(watching):
                if clause[0] == -literal and len(clause) > 1:
                    clause[0], clause[1] = clause[1], clause[0]
                other = next((i for i in range(2, len(clause)) if -clause[i] not in self.true), None)
                if clause[0] in self.true or other is None:
                    still.append(clause)
                    if -clause[0] in self.true:
                        self.watched[-literal] = still + watching[position + 1 :]
                        return False
                    todo.append(clause[0])
                else:
                    clause[1], clause[other] = clause[other], clause[1]
                    self.watched[clause[1]].append(clause)
            self.watched[-literal] = still
        return True
