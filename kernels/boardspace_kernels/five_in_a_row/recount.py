"""Placements counted a second time, by a search that shares nothing with the first but the certificate it checks.

A state after t cells is the set of *lines* that hold a stone, among those begun and not ended: a bit for each, in as
many 64-bit words as it takes. (The search of :mod:`.layers` keeps runs of free cells instead.) A free cell is allowed
where no line ends without a stone; a stone adds all lines through its cell. A line gives its bit back after its last
cell. States that agree are one state, and after the last cell there is one state for each number of stones: so one
search also tells that fewer stones do not suffice.

Numbers of ways are carried modulo two primes beyond 2**60, so no sum can overflow unnoticed: the two residues tell a
number below their product, about 2**123, and a claimed number of any size is compared with them.

States are dropped by the certificate's bound, which is verified first: no cell is charged more than the scale for a
stone by the weights of its lines and the costs of the strips over it. Then SCALE * stones + the weight of the lines
without a stone + the cheapest completion of every strip is at most SCALE times the stones of any placement that goes
through a state. A strip is a board of its own: the same search without any bound lists its states, a pass from the
last cell back finds their cheapest completions.

A certificate may hold weights that were *aimed* at the states after some number of cells: they need not spare the cells
already decided, and prove more of the rest. From there on a state has a second bound, by the last of these, until the
next.

Module :mod:`.recount_tables` has the lines with their bits, :mod:`.recount_layers` the states, and
:mod:`.recount_bounds` the certificate's bound.

Cost: for every state the words of a set and the lines of some weight through a cell.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.recount_bounds import checked, checked_aims, diagram
from boardspace_kernels.five_in_a_row.recount_layers import (
    PRIMES,
    Limit,
    Rows,
    Search,
    States,
    first_layer,
    unhit_weight,
)
from boardspace_kernels.five_in_a_row.recount_tables import Ints, Lines, Words


class Recount(NamedTuple):
    """Numbers of placements, modulo the product of the primes.

    stones: the most that a placement has.
    count: placements with at most so many stones, modulo ``modulus``.
    fewer: placements with fewer stones, modulo ``modulus``.
    modulus: the product of the primes.
    states: how many were met.
    """

    stones: int
    count: int
    fewer: int
    modulus: int
    states: int

    def agrees(self, count: int) -> bool:
        """Return whether a number of placements, of any size, has these residues."""
        return count % self.modulus == self.count


def recount(certificate: Mapping[str, Any], stones: int, most_states: int = 1 << 40) -> Recount:
    """Placements that block the certificate's board with at most ``stones`` stones, counted anew.

    Raises:
        CertificateError: the certificate's bound does not hold, its strips are none of the board's, or a part of it is
            missing or of another form.
        TooManyStatesError: more than ``most_states`` states, of strips and board together.
    """
    try:
        board = Lines(certificate["shape"], certificate["k"])
        weights, strips = checked(certificate, board)
        aimed = checked_aims(certificate, board)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, CertificateError):
            raise
        raise CertificateError(f"the certificate has a part that is missing or of another form: {error!r}") from error
    limit = Limit(1, certificate["scale"], stones * certificate["scale"])
    strip, met = diagram(certificate, strips, most_states)
    states = States(first_layer(board.words, len(strips), int(weights.sum())))
    states.met = met
    over = [[b for b, (cells, _) in enumerate(strips) if t in cells] for t in range(board.cells)]
    both = np.column_stack([weights, np.zeros_like(weights)])
    stops = sorted({0, *aimed})
    for begin, end in pairwise([*stops, board.cells]):
        for new in aimed.get(begin, ()):
            both[:, 1] = new
            states.keep(_aimed_at(states.rows, board, begin, new, limit))
        states.decide(begin, end, Search(board.tables(both, over), strip, limit), most_states)
    rows = states.rows
    p, q = PRIMES
    return Recount(stones, _summed(rows.ways), _summed(rows.ways[rows.used < stones]), p * q, states.met)


def _summed(ways: Words) -> int:
    """The number below the product of the primes that has the residues of all ``ways`` (n, 2) together."""
    p, q = PRIMES
    a, b = (int(sum(int(way) for way in ways[:, i]) % prime) for i, prime in enumerate(PRIMES))
    return a + p * ((b - a) * pow(p, -1, q) % q)


def _aimed_at(rows: Rows, board: Lines, t: int, weights: Ints, limit: Limit) -> Rows:
    """The states before cell ``t`` with the second bound by new weights (L,), those that it allows."""
    begun = board.begun(t)
    rows.owed[:, 1] = unhit_weight(rows.hit, board.slot[begun], weights[begun]) + weights[board.ahead(t)].sum()
    keep = rows.used * limit.scale + rows.owed[:, 1] <= limit.budget
    return Rows(*(column[keep] for column in rows))
