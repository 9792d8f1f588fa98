"""Checks that inequalities over variables that are 0 or 1 contradict one another, by a proof in VeriPB's format.

In plain Python, for whoever has no VeriPB or trusts nobody: it knows no board, shares no code with what made the proof,
and reads the part of the format that is cutting planes. An inequality is kept as the coefficients of its variables and
a right-hand side, sum of a(x) x >= b. Written with literals x and 1 - x instead, so that all coefficients are
positive, its right-hand side is the *degree*, b and the sum of -a(x) over the negative a(x). The rules:

- a literal is 0 or more; a sum of inequalities, and a positive multiple of one, hold where these do;
- ``d``: all coefficients and the degree, divided by a positive number and rounded up: the left-hand side only grows by
  the rounding, and is whole;
- ``s``: a coefficient above the degree is as good as the degree.

A contradiction is an inequality whose coefficients add up to less than its degree.

Cost: a look at every coefficient for every operation, so some 10,000 steps a second on boards of 100 cells.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from boardspace_kernels.five_in_a_row.checker import CertificateError

VERSIONS = ("1.0", "1.1", "1.2", "2.0", "3.0")
COMMENT = ("*", "%")


class Inequality(NamedTuple):
    """The sum of ``terms``, variables with their coefficients other than 0, is ``least`` or more."""

    terms: dict[str, int]
    least: int

    @property
    def degree(self) -> int:
        """The right-hand side where all coefficients are those of literals, and positive."""
        return self.least - sum(factor for factor in self.terms.values() if factor < 0)

    @property
    def contradiction(self) -> bool:
        """True where nothing satisfies it."""
        return sum(map(abs, self.terms.values())) < self.degree


def check_proof(formula: Iterable[str], proof: Iterable[str]) -> int:
    """Number of inequalities that a proof derives from a formula in OPB, up to a contradiction that it names.

    Raises:
        CertificateError: a line that is not understood, an inequality that is not there, or no contradiction.
    """
    checker = _Checker(list(parsed(formula)))
    if not checker.follow(proof):
        raise CertificateError("the proof names no contradiction")
    return checker.next - checker.given


def inequalities(formula: Iterable[str], proof: Iterable[str]) -> dict[int, Inequality]:
    """All inequalities that a formula has and a proof derives, and does not delete, by number.

    Raises:
        CertificateError: as of :func:`check_proof`, but a contradiction is not wanted.
    """
    checker = _Checker(list(parsed(formula)))
    checker.follow(proof)
    return checker.known


def parsed(formula: Iterable[str]) -> Iterator[Inequality]:
    """The inequalities of a formula in OPB.

    Raises:
        CertificateError: a line that is none.
    """
    for number, line in enumerate(formula, 1):
        words = line.replace(";", " ; ").split()
        if words and not words[0].startswith(COMMENT):
            try:
                yield _inequality(words)
            except (ValueError, IndexError):
                short = line.strip()[:80]
                raise CertificateError(f"line {number} of the formula is no inequality: {short!r}") from None


def _inequality(words: list[str]) -> Inequality:
    *left, relation, least, end = words
    if relation != ">=" or end != ";" or len(left) % 2:
        raise ValueError(relation)
    found = Inequality({}, int(least))
    for factor, literal in zip(left[::2], left[1::2], strict=True):
        found = _added(found, _times(_literal(literal), int(factor), signed=True))
    return found


def _literal(word: str) -> Inequality:
    """A literal is 0 or more."""
    name = word.removeprefix("~")
    if not name[0].isalpha():
        raise ValueError(word)
    return Inequality({name: 1}, 0) if name == word else Inequality({name: -1}, -1)


def _times(one: Inequality, factor: int, signed: bool = False) -> Inequality:
    if factor < 1 and not signed:
        raise ValueError(factor)
    return Inequality({name: a * factor for name, a in one.terms.items() if factor}, one.least * factor)


def _added(one: Inequality, other: Inequality) -> Inequality:
    """The sum, in the terms of the first, so that a long sum costs no more than its terms."""
    terms = one.terms
    for name, factor in other.terms.items():
        total = terms.get(name, 0) + factor
        if total:
            terms[name] = total
        else:
            terms.pop(name, None)
    return Inequality(terms, one.least + other.least)


def _with_degree(terms: dict[str, int], degree: int) -> Inequality:
    return Inequality(terms, degree + sum(factor for factor in terms.values() if factor < 0))


def _divided(one: Inequality, divisor: int) -> Inequality:
    if divisor < 1:
        raise ValueError(divisor)
    # Rounded up is the coefficient of the literal: of 1 - x that is -a, so a itself is rounded down.
    terms = {name: -(-a // divisor) if a > 0 else a // divisor for name, a in one.terms.items()}
    return _with_degree(terms, -(-one.degree // divisor))


def _saturated(one: Inequality) -> Inequality:
    degree = one.degree
    # Literals are 0 or more, so anything meets a degree of 0 or less.
    if degree <= 0:
        return Inequality({}, degree)
    return _with_degree({name: max(-degree, min(degree, a)) for name, a in one.terms.items()}, degree)


class _Checker:
    """Inequalities by number, the formula's first."""

    def __init__(self, formula: list[Inequality]) -> None:
        self.known = dict(enumerate(formula, 1))
        self.given = self.next = len(formula) + 1

    def follow(self, proof: Iterable[str]) -> bool:
        """Derive what a proof derives, up to the contradiction that it names; False where it names none."""
        headed = False
        for number, line in enumerate(proof, 1):
            words = line.replace(";", " ").split()
            if not words or words[0].startswith(COMMENT):
                continue
            try:
                if not headed:
                    headed = self._head(words)
                elif self._obeyed(words):
                    return True
            except (ValueError, IndexError, KeyError) as error:
                where = f"line {number} of the proof, {line.strip()[:80]!r}"
                known = f"there is no inequality {error}" if isinstance(error, KeyError) else "it is not understood"
                reason = error if isinstance(error, CertificateError) else known
                raise CertificateError(f"{where}: {reason}") from None
        return False

    @staticmethod
    def _head(words: list[str]) -> bool:
        if words[:-1] != ["pseudo-Boolean", "proof", "version"] or words[-1] not in VERSIONS:
            raise CertificateError(f"a proof begins with: pseudo-Boolean proof version {' or '.join(VERSIONS)}")
        return True

    def _obeyed(self, words: list[str]) -> bool:
        """Follow one line of a proof; True where it names a contradiction."""
        match words:
            case ["f", *number]:
                if number and int(number[0]) != self.given - 1:
                    raise CertificateError(f"the formula has {self.given - 1} inequalities")
            case ["pol" | "p", *polish]:
                self.known[self.next] = self._computed(polish)
                self.next += 1
            case ["del", "id", *numbers]:
                for one in numbers:
                    del self.known[int(one)]
            case ["output", "NONE"]:
                pass
            case ["c", which] | ["conclusion", "UNSAT", ":", which]:
                if not self.known[int(which)].contradiction:
                    raise CertificateError(f"inequality {which} is no contradiction")
                return True
            case _:
                raise ValueError(words)
        return False

    def _computed(self, polish: list[str]) -> Inequality:
        """The inequality that a text in reverse Polish notation says."""
        stack: list[Inequality | int] = []
        for word in polish:
            if word == "+":
                # The lower of the two is the sum so far, as a rule: the other is added to it, in its terms.
                other, one = self._popped(stack), self._popped(stack)
                stack.append(_added(one, other))
            elif word in ("*", "d"):
                factor, one = stack.pop(), self._popped(stack)
                if not isinstance(factor, int):
                    raise ValueError(word)
                stack.append(_times(one, factor) if word == "*" else _divided(one, factor))
            elif word == "s":
                stack.append(_saturated(self._popped(stack)))
            else:
                stack.append(_literal(word) if not word.isdecimal() else int(word))
        (only,) = stack
        return self._popped([only])

    def _popped(self, stack: list[Inequality | int]) -> Inequality:
        """The inequality on top, to be changed; a number stands for the inequality with that number."""
        top = stack.pop()
        if not isinstance(top, int):
            return top
        known = self.known[top]
        return Inequality(dict(known.terms), known.least)
