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
this one the certificate's bound.

Cost: for every state the words of a set and the lines of some weight through a cell.
"""

import functools
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np

from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.recount_layers import (
    PRIMES,
    Limit,
    Rows,
    Search,
    States,
    decided,
    first_layer,
    refuse_beyond,
    unhit_weight,
)
from boardspace_kernels.five_in_a_row.recount_tables import NO_STRIPS, NOWHERE, Ints, Lines, Strip, Words

VERSIONS = (1, 2)
"""Of certificates, that are understood."""

LARGEST = 1 << 60
"""Values below this, and a few of them added, fit 64 bits."""


def checked(certificate: Mapping[str, Any], board: Lines) -> tuple[Ints, list[tuple[dict[int, int], Ints]]]:
    """Weights (L,) of the lines, and every strip as the places of its cells and its costs; what they charge is
    verified in Python's integers."""
    numbers = [certificate["scale"], *(x for strip in certificate["strips"] for x in (strip["start"], *strip["costs"]))]
    _refuse_unless_small(numbers, board)
    if certificate["scale"] < 1 or certificate.get("version", 1) not in VERSIONS:
        raise CertificateError(f"the scale is not positive, or the version is none of {VERSIONS}")
    weights = _line_weights(certificate["lines"], board)
    charged = _charged(weights, board)
    columns = certificate["shape"][-1]
    strips = []
    for strip in certificate["strips"]:
        width, rest = divmod(len(strip["costs"]) * columns, board.cells)
        if rest or not 0 <= strip["start"] <= columns - width:
            raise CertificateError(f"the strip from column {strip['start']} on is none of the board's")
        under = range(strip["start"], strip["start"] + width)
        cells = {cell: i for i, cell in enumerate(c for c in range(board.cells) if c % columns in under)}
        for cell, cost in zip(cells, strip["costs"], strict=True):
            charged[cell] += cost
        strips.append((cells, np.array(strip["costs"], dtype=np.int64)))
    if max(charged) > certificate["scale"]:
        raise CertificateError("the weights charge a stone too much")
    if len({len(costs) for _, costs in strips}) > 1:
        raise CertificateError("the strips differ in width")
    return np.array(weights, dtype=np.int64), strips


def checked_aims(certificate: Mapping[str, Any], board: Lines) -> dict[int, list[Ints]]:
    """Weights (L,) that were aimed at the states after some cells, by the number of these; what they charge the cells
    still to be decided is verified."""
    found: dict[int, list[Ints]] = {}
    for aim in certificate.get("aimed", []):
        cells, weights = aim["cells"], _line_weights(aim["lines"], board)
        if type(cells) is not int or not 0 <= cells < board.cells:
            raise CertificateError(f"weights aimed at the states after {cells!r} cells")
        if max(_charged(weights, board)[cells:]) > certificate["scale"]:
            raise CertificateError(f"the weights aimed at the states after {cells} cells charge a stone too much")
        found.setdefault(cells, []).append(np.array(weights, dtype=np.int64))
    return found


def _line_weights(given: Sequence[Sequence[int]], board: Lines) -> list[int]:
    """Weights by line, of those given as first cell, last cell and weight."""
    _refuse_unless_small([x for line in given for x in line], board)
    by_ends = {(first, last): weight for first, last, weight in given}
    ends = zip(board.first.tolist(), board.last.tolist(), strict=True)
    weights = [by_ends.pop(both, 0) for both in ends] if by_ends else [0] * len(board.lines)
    if by_ends or min(weights, default=0) < 0:
        raise CertificateError("the weights name lines that are none, or are negative")
    return weights


def _charged(weights: Sequence[int], board: Lines) -> list[int]:
    """Charge of a stone on each cell by the weights of the lines."""
    charged = [0] * board.cells
    for number, weight in enumerate(weights):
        if weight:
            for cell in board.lines[number].tolist():
                charged[cell] += weight
    return charged


def _refuse_unless_small(numbers: Sequence[Any], board: Lines) -> None:
    if any(type(number) is not int for number in numbers):
        raise CertificateError("a weight, a cost or the scale is no whole number")
    if max(map(abs, numbers), default=0) * (board.cells + len(board.lines)) >= LARGEST:
        raise CertificateError("a weight or a cost is too large to be added")


def diagram(
    certificate: Mapping[str, Any], strips: list[tuple[dict[int, int], Ints]], most_states: int
) -> tuple[Strip, int]:
    """The strips' states with their cheapest completions, and how many there are."""
    if not strips:
        return NO_STRIPS, 0
    shape = list(certificate["shape"])
    width = len(strips[0][1]) * shape[-1] // prod(shape)
    listed = _listed((*shape[:-1], width), certificate["k"], most_states)
    costs = np.array([costs for _, costs in strips])
    starts, free, stone = listed
    to_go = np.zeros((len(strips), starts[-1] + 1), np.int64)
    for t in reversed(range(len(starts) - 1)):
        here = slice(starts[t], starts[t + 1])
        with_stone = to_go.take(stone[here], axis=1) + costs[:, t, None]
        without = np.where(free[here] == NOWHERE, with_stone, to_go.take(free[here], axis=1))
        to_go[:, here] = np.minimum(with_stone, without)
    return Strip(free, stone, to_go), starts[-1] + 1


@functools.lru_cache(maxsize=64)
def _listed(shape: tuple[int, ...], k: int, most_states: int) -> tuple[list[int], Ints, Ints]:
    """All states of a strip by itself, kept because boards of many lengths have strips of one shape.

    Returns where the states before each cell begin, and those after the last cell; by state, the ones that follow a
    free cell and a stone.
    """
    board = Lines(shape, k)
    cells = board.tables(np.zeros((len(board.lines), 2), dtype=np.int64), [[]] * board.cells)
    search = Search(cells, NO_STRIPS, Limit(0, 0, 0))
    rows, layers, starts = first_layer(board.words, 0, 0), list[Ints](), [0]
    for t in range(board.cells):
        starts.append(starts[-1] + len(rows.used))
        refuse_beyond(starts[-1], most_states)
        rows, links = decided(rows, t, search)
        layers.append(np.where(links == NOWHERE, NOWHERE, links + starts[-1]))
    free, stone = np.ascontiguousarray(np.concatenate(layers).T)
    return starts, free, stone


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
