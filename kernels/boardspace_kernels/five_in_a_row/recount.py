"""Placements counted a second time, by a search that shares nothing with the first but the certificate it checks.

A state after t cells is the set of *lines* that hold a stone, among those begun and not ended: a bit for each, in as
many 64-bit words as it takes. (The search of :mod:`.layers` keeps runs of free cells instead.) A free cell is allowed
where no line ends without a stone; a stone adds all lines through its cell. A line gives its bit back after its last
cell. States that agree are one state, and after the last cell there is one state for each number of stones: so one
search also tells that fewer stones do not suffice.

Numbers of ways are carried modulo two primes beyond 2**60, so no sum can overflow unnoticed: the two residues tell a
number below their product, about 2**123, and a claimed number of any size is compared with them.

States are dropped by the certificate's bound, which :mod:`.checker` verifies first: no cell is charged more than the
scale for a stone by the weights of its lines and the costs of the strips over it. Then SCALE * stones + the weight of
the lines without a stone + the cheapest completion of every strip is at most SCALE times the stones of any placement
that goes through a state. A strip is a board of its own: the same search without any bound lists its states, a pass
from the last cell back finds their cheapest completions.

A certificate may hold weights that were *aimed* at the states after some number of cells: they need not spare the cells
already decided, and prove more of the rest. From there on a state has a second bound, by the last of these, until the
next.

Module :mod:`.recount_tables` has the lines with their bits, :mod:`.recount_layers` the states, and this one what the
certificate's bound proves.

Cost: for every state the words of a set and the lines of some weight through a cell.
"""

import functools
from collections.abc import Mapping
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np

from boardspace_kernels.five_in_a_row.checker import Bound, CertificateError, all_lines, check_claims, checked_bound
from boardspace_kernels.five_in_a_row.recount_layers import (
    PRIMES,
    Limit,
    Rows,
    Search,
    States,
    first_layer,
    unhit_weight,
)
from boardspace_kernels.five_in_a_row.recount_tables import NO_STRIPS, NOWHERE, Ints, Lines, Strip, Words

MANY_STATES = 1 << 40


class Recount(NamedTuple):
    """Numbers of placements, modulo the product of the primes.

    count: placements with at most as many stones as were asked for, modulo ``modulus``.
    fewer: placements with fewer stones, modulo ``modulus``.
    modulus: the product of the primes.
    states: how many were met.
    """

    count: int
    fewer: int
    modulus: int
    states: int

    def agrees(self, count: int) -> bool:
        """Return whether a number of placements, of any size, has these residues."""
        return count % self.modulus == self.count


def check_certificate(certificate: Mapping[str, Any]) -> None:
    """Verify the witness, the bound, the minimum and, where the certificate gives one, the count.

    Raises:
        CertificateError: what is wrong, where.
    """
    bound = checked_bound(certificate)
    check_claims(certificate, bound.lines)
    strip, _ = _completions(certificate, bound, MANY_STATES)
    floor = sum(bound.weights) + int(strip.to_go[:, :1].sum())
    stones, count = certificate["minimum"], certificate["count"]
    if floor != certificate["floor"]:
        raise CertificateError(f"the bound is {floor}, not {certificate['floor']}")
    proved = -(-floor // certificate["scale"])
    if proved != stones and certificate["proof"] == "bound":
        raise CertificateError(f"the bound proves {proved} stones, not {stones}")
    if proved == stones and count is None:
        return
    found = recount(certificate, stones)
    if found.fewer:
        raise CertificateError(f"{stones - 1} stones suffice")
    if count is not None and not found.agrees(int(count)):
        raise CertificateError(f"there are {found.count} placements with {stones} stones")


def recount(certificate: Mapping[str, Any], stones: int, most_states: int = MANY_STATES) -> Recount:
    """Placements that block the certificate's board with at most ``stones`` stones, counted anew.

    Raises:
        CertificateError: the certificate's bound does not hold, its strips are none of the board's, or a part of it is
            missing or of another form.
        TooManyStatesError: more than ``most_states`` states, of strips and board together.
    """
    bound = checked_bound(certificate)
    strip, met = _completions(certificate, bound, most_states)
    board = Lines(prod(certificate["shape"]), certificate["k"], bound.lines)
    weights = np.array(bound.weights, dtype=np.int64)
    limit = Limit(1, certificate["scale"], stones * certificate["scale"])
    states = States(first_layer(board.words, len(bound.strips), sum(bound.weights)))
    states.met = met
    over = [[b for b, cells in enumerate(bound.strips) if t in cells] for t in range(board.cells)]
    # Until weights are aimed the second bound counts the stones alone, which holds, too.
    both = np.column_stack([weights, np.zeros_like(weights)])
    stops = sorted({0, *(cells for cells, _ in bound.aimed)})
    for begin, end in pairwise([*stops, board.cells]):
        # Each aim rules out states, also where several come one after another, and the last is carried on.
        for new in (np.array(aim, dtype=np.int64) for cells, aim in bound.aimed if cells == begin):
            both[:, 1] = new
            states.keep(_aimed_at(states.rows, board, begin, new, limit))
        states.decide(begin, end, Search(board.tables(both, over), strip, limit), most_states)
    rows = states.rows
    p, q = PRIMES
    return Recount(_summed(rows.ways), _summed(rows.ways[rows.used < stones]), p * q, states.met)


def _completions(certificate: Mapping[str, Any], bound: Bound, most_states: int) -> tuple[Strip, int]:
    """The strips' states with their cheapest completions, and how many there are."""
    if not bound.strips:
        return NO_STRIPS, 0
    shape, costs = list(certificate["shape"]), np.array([list(strip.values()) for strip in bound.strips])
    width = costs.shape[1] * shape[-1] // prod(shape)
    starts, free, stone = _listed((*shape[:-1], width), certificate["k"], most_states)
    # Stones are not counted here, so one state is left after the last cell, and its completion costs 0.
    to_go = np.zeros((len(costs), starts[-1] + 1), np.int64)
    for t in reversed(range(len(starts) - 1)):
        here = slice(starts[t], starts[t + 1])
        with_stone = to_go.take(stone[here], axis=1) + costs[:, t, None]
        # Where there is no free cell the last state is read, and what it says is passed over.
        without = np.where(free[here] == NOWHERE, with_stone, to_go.take(free[here], axis=1))
        to_go[:, here] = np.minimum(with_stone, without)
    return Strip(free, stone, to_go), starts[-1] + 1


@functools.lru_cache(maxsize=64)
def _listed(shape: tuple[int, ...], k: int, most_states: int) -> tuple[list[int], Ints, Ints]:
    """All states of a strip by itself, kept because boards of many lengths have strips of one shape.

    Returns where the states before each cell begin, and those after the last cell; by state, the ones that follow a
    free cell and a stone.
    """
    board = Lines(prod(shape), k, all_lines(shape, k))
    cells = board.tables(np.zeros((len(board.lines), 2), dtype=np.int64), [[]] * board.cells)
    # With weights, scale and budget 0 every value is 0, and no state is dropped.
    search = Search(cells, NO_STRIPS, Limit(0, 0, 0))
    states, layers, starts = States(first_layer(board.words, 0, 0)), list[Ints](), [0]
    for t in range(board.cells):
        starts.append(starts[-1] + states.size)
        links = states.decide(t, t + 1, search, most_states)
        layers.append(np.where(links == NOWHERE, NOWHERE, links + starts[-1]))
    # Column by column: to turn over one array of all links took a fifth of the time of listing a large strip.
    free, stone = (np.concatenate([links[:, kind] for links in layers]) for kind in range(2))
    return starts, free, stone


def _summed(ways: Words) -> int:
    """The number below the product of the primes that has the residues of all ``ways`` (n, 2) together."""
    p, q = PRIMES
    # Added up as Python's integers: a few residues already exceed 64 bits.
    a, b = (int(sum(int(way) for way in ways[:, i]) % prime) for i, prime in enumerate(PRIMES))
    return a + p * ((b - a) * pow(p, -1, q) % q)


def _aimed_at(rows: Rows, board: Lines, t: int, weights: Ints, limit: Limit) -> Rows:
    """The states before cell ``t`` with the second bound by new weights (L,), those that it allows."""
    begun = board.begun(t)
    rows.owed[:, 1] = unhit_weight(rows.hit, board.slot[begun], weights[begun]) + weights[board.ahead(t)].sum()
    keep = rows.used * limit.scale + rows.owed[:, 1] <= limit.budget
    return Rows(*(column[keep] for column in rows))
