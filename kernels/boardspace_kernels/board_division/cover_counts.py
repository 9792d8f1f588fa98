"""Numbers of all covers by L-trominoes: of a board less one cell, by the place of that cell, and of strips.

*Boards.* An L-tromino always lies in two neighbouring rows. So the trominoes of a cover that meet row r are of two
sorts: those that reach up to row r - 1 and those that reach down to row r + 1, and the cells of row r split into P,
covered from above, the special cell c where it lies in this row, and the rest, covered from below. Let F_r[P] count the
ways to cover rows 0..r-1 fully and of row r exactly the cells P. Reflected, the rows below row r are such a stack too,
of n - 1 - r rows, so the covers of the n x n board less cell (r, c) number

    sum over P without c of  F_r[P] * F_{n-1-r}[all cells of the row but P and c].

One pass over the rows of a full board gives all F_r, and with them the counts for all n^2 special cells.

The pass is a broken-profile dynamic programme. Before cell c of a row the state is a word of n + 1 bits: bits 0..c
are cells 0..c of the next row, bits c + 1..n are cells c..n - 1 of this row; a 1 is a covered cell. The step covers
cell c where it is free, in one of four ways, and turns bit c + 1 from cell c of this row into cell c + 1 of the next:

    this row  c c+1    next row  c-1 c c+1        Only bits c - 1..c + 2 change, so the step is one linear map of 16
              x  x               .   x  .         counts, applied to the states that agree in all other bits. Split
              x  x               .   .  x         by bits c - 1 and c + 2, its four parts can be done in place when
              x  .               .   x  x         those with a 1 come first: each reads only itself and parts with a
              x  .               x   x  .         0 in place of a 1.

The counts are exact: the pass runs modulo primes below 2^31 whose product exceeds 4^T, T = (n^2 - 1)/3, and the
residues are joined by the Chinese remainder theorem. 4^T is a bound, since a cover is fixed by the ways in which its
first free cell is covered, T times over.

The symmetries of the square carry covers to covers, so only special cells with r <= c < (n + 1)/2 are computed.
Cost: n^2 * 2^n steps per prime. n = 16 takes 2^24 steps for each of 6 primes; n = 32 would take 2^42 for each of 23
primes, on vectors of 2^33 words, which is why the counts end at k = 4.

*Strips.* The covers of rectangles of so many rows satisfy a linear recurrence along their columns. An L-tromino lies in
two neighbouring columns. So when a column is full, all that matters of the columns before it is the set of cells of the
next column that are covered already: a state. Let M count in how many ways the trominoes that begin in a column, whose
state is s, fill it and leave the state t in the next. The covers of m x n cells number (M^n)[0, 0], where 0 is the
state without a covered cell; only states that can be reached from it count. Covers need 3 to divide m n, so where 3
does not divide m only every third n has any, and the terms of the sequence are those of n = 0, 3, 6, ...

By the theorem of Cayley and Hamilton such a sequence satisfies a linear recurrence of an order that is no larger than
the number of states S. The shortest one is found modulo primes by the algorithm of Berlekamp and Massey, and its
coefficients are put together by the Chinese remainder theorem until a prime more changes nothing. That makes a guess.
The proof is a comparison: the sequence and the one that the recurrence continues both satisfy recurrences, of orders
S and L, so their difference satisfies one of order S + L, and is 0 if its first S + L terms are.

With Q the polynomial of the recurrence and A the generating function of the terms, Q A is a polynomial P of a degree
below L, so A = P / Q.

Source: Berlekamp and Massey as in Massey, Shift-register synthesis and BCH decoding (1969).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.board_division.covers import BoardError
from boardspace_kernels.jit import kernel
from boardspace_kernels.residues import combined, is_prime, primes_beyond

LARGEST_SIDE = 20
"""Up to this side a row's counts, grown from residues below 2^31 by a factor of 3 per cell, fit 64 bits."""

MOST_ROWS = 9
LARGEST_PRIME = (1 << 61) - 1

Transitions = Mapping[int, Mapping[int, int]]
"""By state, the states that may follow it, and in how many ways."""


@kernel
def cover_cell(counts: NDArray[Any], cell: int, width: int) -> None:
    """Cover ``cell`` of the row in all states of ``counts`` [2^(width + 1)], uint64 or float64, in place."""
    # Bits of a state: left below the cell, below it, the cell itself, and to its right; 0 where there is no such cell.
    left, next_bit, here = (1 << cell) >> 1, 1 << cell, 2 << cell
    right = 4 << cell if cell < width - 1 else 0
    # States with covered neighbours first: they read counts of those with free ones, which are written later.
    for with_left in range(1 if left else 0, -1, -1):
        for with_right in range(1 if right else 0, -1, -1):
            for high in range(0, counts.size, max(2 * right, 2 * here)):
                start = high + with_left * left + with_right * right
                for state in range(start, start + max(left, 1)):
                    # The four counts are read before they are written, as each is made of others.
                    free = counts[state]
                    covered, covered_next = counts[state + here], counts[state + here + next_bit]
                    across, diagonal = np.uint64(0), np.uint64(0)
                    if with_right:
                        across, diagonal = counts[state - right], counts[state - right + next_bit]
                    if with_left:
                        covered_next += counts[state - left]
                    counts[state] = covered
                    counts[state + next_bit] = covered_next + across
                    counts[state + here] = across if right else np.uint64(0)
                    counts[state + here + next_bit] = diagonal + free if right else np.uint64(0)


@kernel
def stack_counts(rows: int, width: int, prime: int) -> NDArray[np.uint64]:
    """F [rows + 1, 2^width] modulo ``prime``: F[r, P] covers rows 0..r-1 and, of row r, exactly the cells P.

    F[r, 0] counts the covers of the full r x width rectangle. ``prime`` is below 2^31, ``width`` at most
    ``LARGEST_SIDE``.
    """
    stacks = np.zeros((rows + 1, 1 << width), np.uint64)
    stacks[0, 0] = 1
    counts = np.zeros(2 << width, np.uint64)
    for row in range(rows):
        for cells in range(1 << width):
            counts[2 * cells], counts[2 * cells + 1] = stacks[row, cells], 0
        for cell in range(width):
            cover_cell(counts, cell, width)
        for cells in range(1 << width):
            # Once a row is enough, see LARGEST_SIDE. The last cell leaves counts in the first half alone.
            stacks[row + 1, cells] = counts[cells] % np.uint64(prime)
    return stacks


@kernel
def _joined(above: NDArray[np.uint64], below: NDArray[np.uint64], column: int, prime: int) -> int:
    """Covers modulo ``prime`` with the special cell in ``column`` of the row where two stacks meet."""
    special = 1 << column
    total = np.uint64(0)
    for cells in range(above.size):
        if not cells & special:
            # The products are below 2^62, and of their residues a sum of 2^20 is below 2^51.
            total += above[cells] * below[above.size - 1 - (cells | special)] % np.uint64(prime)
    return int(total % np.uint64(prime))


def special_cells(side: int) -> NDArray[np.int64]:
    """One special cell [s, 2] of each class under the symmetries of the square: row <= column < (side + 1)/2."""
    return np.array([(r, c) for c in range((side + 1) // 2) for r in range(c + 1)], np.int64)


def count_covers(side: int) -> list[int]:
    """Covers of the ``side`` x ``side`` board less one cell, exactly, for each of :func:`special_cells`.

    Raises :class:`BoardError` for a side below 1 or above ``LARGEST_SIDE``.
    """
    if not 1 <= side <= LARGEST_SIDE:
        raise BoardError(f"covers are counted for sides 1 to {LARGEST_SIDE}, not {side}")
    cells = special_cells(side)
    if (side * side - 1) % 3:
        return [0] * len(cells)
    primes = primes_beyond(1 << 2 * ((side * side - 1) // 3))
    residues = []
    for prime in primes:
        stacks = stack_counts(side - 1, side, prime)
        residues.append([_joined(stacks[r], stacks[side - 1 - r], int(c), prime) for r, c in cells])
    return [combined(of_cell, primes) for of_cell in zip(*residues, strict=True)]


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
    denominator = _shortest_recurrence(terms)
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


def _shortest_recurrence(terms: Sequence[int]) -> list[int]:
    """The coefficients, constant first, of the shortest recurrence of integers that the terms satisfy modulo primes."""
    found: list[int] = []
    modulus, lifted = 1, [0]
    for prime in _primes():
        residues = berlekamp_massey([term % prime for term in terms], prime)
        if len(residues) != len(found):  # a prime may make the recurrence shorter; the longest is right
            if len(residues) < len(found):
                continue
            found, modulus = residues, prime
        else:
            # Residues modulo all primes so far are carried on to one prime more.
            inverse = pow(modulus, -1, prime)
            found = [old + modulus * ((new - old) * inverse % prime) for old, new in zip(found, residues, strict=True)]
            modulus *= prime
        # Coefficients may be negative, so each is the number nearest to 0 with its residue.
        before, lifted = lifted, [value - modulus if 2 * value > modulus else value for value in found]
        if lifted == before:
            return lifted
    raise ArithmeticError("there are no primes left")


def _primes() -> Iterator[int]:
    return (number for number in range(LARGEST_PRIME, 1, -2) if is_prime(number))


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
