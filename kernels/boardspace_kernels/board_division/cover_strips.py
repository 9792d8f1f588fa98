"""Numbers of all covers by L-trominoes of strips: rectangles of so many rows and any number of columns.

The covers satisfy a linear recurrence along the columns. An L-tromino lies in two neighbouring columns. So when a
column is full, all that matters of the columns before it is the set of cells of the next column that are covered
already: a state. Let M count in how many ways the trominoes that begin in a column, whose state is s, fill it and leave
the state t in the next. The covers of m x n cells number (M^n)[0, 0], where 0 is the state without a covered cell; only
states that can be reached from it count. Covers need 3 to divide m n, so where 3 does not divide m only every third n
has any, and the terms of the sequence are those of n = 0, 3, 6, ...

By the theorem of Cayley and Hamilton such a sequence satisfies a linear recurrence of an order that is no larger than
the number of states S. The shortest one modulo a prime is found by the algorithm of Berlekamp and Massey, and its
coefficients are taken for the numbers nearest to 0 with these residues. That makes a guess; of strips of 8 rows they
have 72 bits. The proof is a comparison: the sequence and the one that the recurrence continues both satisfy
recurrences, of orders S and L, so their difference satisfies one of order S + L, and is 0 if its first S + L terms are.
There is no shorter one, as it would be one modulo the prime.

With Q the polynomial of the recurrence and A the generating function of the terms, Q A is a polynomial P of a degree
below L, so A = P / Q.

Source: Berlekamp and Massey as in Massey, Shift-register synthesis and BCH decoding (1969).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

MOST_ROWS = 9
PRIME = (1 << 521) - 1
"""Of Mersenne, and much larger than twice any coefficient."""

Transitions = Mapping[int, Mapping[int, int]]
"""By state, the states that may follow it, and in how many ways."""


class StripRecurrence(NamedTuple):
    """The covers of strips of so many rows.

    rows: of the strip.
    period: columns from term to term: 1, or 3 where other numbers of columns have no cover.
    states: of a column, that can be reached.
    numerator, denominator: coefficients of the generating function of the terms, constant first; the denominator's
        first is 1, and the others, negated, are those of the recurrence.
    compared: how many terms were compared with the recurrence, which proves it.
    """

    rows: int
    period: int
    states: int
    numerator: tuple[int, ...]
    denominator: tuple[int, ...]
    compared: int

    @property
    def order(self) -> int:
        """Of the recurrence."""
        return len(self.denominator) - 1

    def terms(self) -> Iterator[int]:
        """The numbers of covers of strips of 0, period, 2 period, ... columns, without end.

        >>> from itertools import islice
        >>> list(islice(strip_recurrence(4).terms(), 5))
        [1, 4, 18, 88, 468]
        """
        last: list[int] = []
        while True:
            place = len(last)
            # The denominator times the terms is the numerator, whose coefficients end below the order.
            term = self.numerator[place] if place < len(self.numerator) else 0
            term -= sum(c * last[place - back] for back, c in enumerate(self.denominator[1 : place + 1], 1))
            yield term
            last.append(term)


def strip_recurrence(rows: int) -> StripRecurrence:
    """The recurrence of strips of ``rows`` rows, proved; ValueError where they are not 1 to 9.

    >>> strip_recurrence(2).denominator
    (1, -2)
    """
    if not 1 <= rows <= MOST_ROWS:
        raise ValueError(f"strips of {rows} rows: the recurrences are made for 1 to {MOST_ROWS} rows")
    period = 1 if rows % 3 == 0 else 3
    steps = transitions(rows)
    states = len(steps)
    terms = strip_covers(steps, period, 2 * states)
    residues = berlekamp_massey([term % PRIME for term in terms], PRIME)
    denominator = [value - PRIME if 2 * value > PRIME else value for value in residues]
    order = len(denominator) - 1
    for place in range(order, states + order):
        if _product(denominator, terms, place):
            raise ArithmeticError(f"strips of {rows} rows: term {place} does not satisfy the recurrence that was found")
    numerator = tuple(_product(denominator, terms, place) for place in range(order))
    return StripRecurrence(rows, period, states, numerator, tuple(denominator), states + order)


def strip_covers(steps: Transitions, period: int, terms: int) -> list[int]:
    """The first ``terms`` numbers of covers of strips of 0, period, 2 period, ... columns, exactly."""
    place = {state: number for number, state in enumerate(sorted(steps))}
    arcs = [[(place[after], ways) for after, ways in steps[state].items()] for state in sorted(steps)]
    counts = [1] + [0] * (len(arcs) - 1)
    found = [1]
    for column in range(1, period * (terms - 1) + 1):
        following = [0] * len(arcs)
        for number, count in enumerate(counts):
            if count:
                for after, ways in arcs[number]:
                    following[after] += ways * count
        counts = following
        if column % period == 0:
            found.append(counts[0])
    return found


def transitions(rows: int) -> Transitions:
    """The steps from column to column of a strip, of all states that can be reached from the empty one."""
    steps: dict[int, Counter[int]] = {}
    waiting = [0]
    while waiting:
        state = waiting.pop()
        if state not in steps:
            steps[state] = Counter(_filled(rows, state, 0))
            waiting += steps[state]
    return steps


def _filled(rows: int, covered: int, beside: int) -> Iterator[int]:
    """Fill the free cells of a column, first cell first, by trominoes that reach into the next column, of which the
    cells ``beside`` are covered; yields what is covered of that in the end, once for each way."""
    free = ~covered & ((1 << rows) - 1)
    if not free:
        yield beside
        return
    # The first free cell is covered in one of four ways, so each filling comes once.
    here = free & -free
    below = here << 1 if here << 1 < 1 << rows else 0
    two = here | below
    shapes = [(two, here), (two, below), (here, two)] if below else []
    shapes += [(here, here | here >> 1)] if here > 1 else []
    for own, other in shapes:
        if not own & covered and not other & beside:
            yield from _filled(rows, covered | own, beside | other)


def berlekamp_massey(terms: Sequence[int], prime: int) -> list[int]:
    """The polynomial of the shortest recurrence modulo a prime, constant 1 first."""
    current, before = [1], [1]
    order, gap, last = 0, 1, 1
    for place in range(len(terms)):
        wrong = sum(current[back] * terms[place - back] for back in range(min(order, len(current) - 1) + 1)) % prime
        if wrong == 0:
            gap += 1
            continue
        kept, factor = current, wrong * pow(last, -1, prime) % prime
        current = current + [0] * (len(before) + gap - len(current))
        for back, value in enumerate(before, gap):
            # The former recurrence, `gap` terms later and scaled, is wrong by as much here and by nothing earlier.
            current[back] = (current[back] - factor * value) % prime
        # The order grows here alone, and the recurrence before that is kept for later corrections.
        if 2 * order <= place:
            order, before, last, gap = place + 1 - order, kept, wrong, 1
        else:
            gap += 1
    return current[: order + 1] + [0] * (order + 1 - len(current))


def _product(denominator: Sequence[int], terms: Sequence[int], place: int) -> int:
    """A coefficient of the product of two series."""
    return sum(c * terms[place - back] for back, c in enumerate(denominator[: place + 1]))
