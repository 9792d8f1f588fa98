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

Cost: for every state the words of a set and the lines of some weight through a cell.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.checker import CertificateError, all_lines
from boardspace_kernels.jit import kernel

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

VERSIONS = (1, 2)
"""Of certificates, that are understood."""

PRIMES = ((1 << 61) - 1, (1 << 62) - 57)
"""The moduli of the two residues."""

NOWHERE = -1
FIRST_CAPACITY = 1 << 10
"""Of states, at first."""
LARGEST = 1 << 60
"""Values below this, and a few of them added, fit 64 bits."""


class TooManyStatesError(ValueError):
    """A recount that met more states than it may."""


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


class _Rows(NamedTuple):
    """One layer of n states.

    hit: uint64 (n, W), the set of lines with a stone.
    used: int64 (n), stones.
    owed: int64 (n, 2), the weight of the lines without a stone, by the certificate's weights and by those aimed.
    ways: uint64 (n, 2), the residues of the number of ways to the state.
    nodes: int64 (n, S), the node of each strip.
    """

    hit: Words
    used: Ints
    owed: Ints
    ways: Words
    nodes: Ints


class _Cell(NamedTuple):
    """The tables of one cell.

    through: uint64 (W), the lines through it.
    ending: uint64 (W), those of them that end there.
    slots: int64 (lines), the bits of those that have a weight.
    weights: int64 (lines, 2), their two weights.
    strips: int64, the numbers of the strips over it.
    """

    through: Words
    ending: Words
    slots: Ints
    weights: Ints
    strips: Ints


class _Strip(NamedTuple):
    """Nodes of the strips' common diagram: after a free cell, after a stone; completions (S, nodes), cheapest first."""

    free: Ints
    stone: Ints
    to_go: Ints


class _Cells(NamedTuple):
    """The tables of all cells, each as in :class:`_Cell`.

    through: uint64 (cells, W).
    ending: uint64 (cells, W).
    slots: int64, of all cells one after the other.
    weights: int64, of the same lines.
    first_slot: int64 (cells + 1), where those of a cell begin.
    strips: int64, of all cells one after the other.
    first_strip: int64 (cells + 1), where those of a cell begin.
    """

    through: Words
    ending: Words
    slots: Ints
    weights: Ints
    first_slot: Ints
    strips: Ints
    first_strip: Ints


class _Lines:
    """The lines of a board, each with its bit while it is begun and not ended."""

    def __init__(self, shape: Sequence[int], k: int) -> None:
        self.cells = prod(shape)
        self.lines = np.array(all_lines(shape, k), dtype=np.int64).reshape(-1, k)
        self.first, self.last = self.lines[:, 0], self.lines[:, -1]
        self.slot, self.bits = self._slots()
        self.words = max(1, -(-self.bits // 64))
        numbers = np.repeat(np.arange(len(self.lines)), k)
        order = np.argsort(self.lines.ravel(), kind="stable")
        self._cell, self._number = self.lines.ravel()[order], numbers[order]
        through, ending = (np.zeros((self.cells, self.words), dtype=np.uint64) for _ in range(2))
        for bits, cells, lines in ((through, self._cell, self._number), (ending, self.last, slice(None))):
            slots = self.slot[lines]
            np.bitwise_or.at(bits, (cells, slots >> 6), np.uint64(1) << (slots & 63).astype(np.uint64))
        self._through, self._ending = through, ending

    def _slots(self) -> tuple[Ints, int]:
        """The bit of every line, and how many bits there are: lines that begin take bits of lines that have ended."""
        slot, free, bits = np.empty(len(self.lines), dtype=np.int64), list[int](), 0
        ended = np.argsort(self.last, kind="stable").tolist()
        begun = np.argsort(self.first, kind="stable").tolist()
        first, last, done = self.first.tolist(), self.last.tolist(), 0
        for number in begun:
            while last[ended[done]] < first[number]:
                free.append(int(slot[ended[done]]))
                done += 1
            if not free:
                free.append(bits)
                bits += 1
            slot[number] = free.pop()
        return slot, bits

    def tables(self, weights: Ints, strips: Sequence[Sequence[int]]) -> _Cells:
        """The tables of all cells; ``weights`` is (L, 2), ``strips`` are the numbers of the strips over each cell."""
        weighted = weights[self._number].any(axis=1)
        numbers = self._number[weighted]
        first_slot = np.searchsorted(self._cell[weighted], np.arange(self.cells + 1))
        first_strip = np.cumsum([0, *map(len, strips)])
        over = np.array([strip for some in strips for strip in some], dtype=np.int64)
        return _Cells(self._through, self._ending, self.slot[numbers], weights[numbers], first_slot, over, first_strip)

    def begun(self, t: int) -> Ints:
        """Numbers of the lines with cells before cell ``t`` and from it on."""
        return np.flatnonzero((self.first < t) & (t <= self.last))

    def ahead(self, t: int) -> Ints:
        """Numbers of the lines that begin at cell ``t`` or later."""
        return np.flatnonzero(self.first >= t)


@kernel
def _advance(
    rows: _Rows, cell: _Cell, strip: _Strip, one: int, scale: int, budget: int, table: Ints, after: _Rows, links: Ints
) -> int:
    """Decide a cell in all states: write the states after it to ``after`` and return how many; ``links`` (n, 2) says
    which state follows a free cell and a stone. ``table`` is a hash table of -1's, its length a power of two."""
    p, q = np.uint64(PRIMES[0]), np.uint64(PRIMES[1])
    words, strips = rows.hit.shape[1], rows.nodes.shape[1]
    hit = np.empty(words, np.uint64)
    nodes = np.empty(strips, np.int64)
    mask = np.uint64(len(table) - 1)
    size = 0
    for i in range(len(rows.used)):
        for stone in range(2):
            links[i, stone] = NOWHERE
            owed, aimed, used = rows.owed[i, 0], rows.owed[i, 1], rows.used[i] + stone * one
            missed = np.uint64(0)
            for w in range(words):
                there = rows.hit[i, w]
                missed |= cell.ending[w] & ~there  # a line that ends here without a stone, unless this cell has one
                hit[w] = (there | cell.through[w] if stone else there) & ~cell.ending[w]
            if stone:
                for j in range(len(cell.slots)):
                    if not rows.hit[i, cell.slots[j] >> 6] >> np.uint64(cell.slots[j] & 63) & np.uint64(1):
                        owed -= cell.weights[j, 0]
                        aimed -= cell.weights[j, 1]
            elif missed:
                continue
            # The cheaper bound first; the strips' one needs a look-up for each of them.
            if used * scale + aimed > budget:
                continue
            value = used * scale + owed
            for b in range(strips):
                nodes[b] = rows.nodes[i, b]
            for b in cell.strips:
                nodes[b] = strip.stone[nodes[b]] if stone else strip.free[nodes[b]]
            for b in range(strips):
                value += strip.to_go[b, nodes[b]]
            if value > budget:
                continue
            # Open addressing, linear probing: the table has four places a state, so that few are tried. Numbers of
            # stones and sets decide a state; what it owes follows from its set, and its nodes do, too.
            place = np.uint64(used) * np.uint64(0x9E3779B97F4A7C15)
            for w in range(words):
                place = (place ^ hit[w]) * np.uint64(0xD6E8FEB86659FD93)
                place ^= place >> np.uint64(32)
            place &= mask
            found = NOWHERE
            while table[place] != NOWHERE:
                same = after.used[table[place]] == used
                for w in range(words):
                    same = same and after.hit[table[place], w] == hit[w]
                if same:
                    found = table[place]
                    break
                place = (place + np.uint64(1)) & mask
            if found == NOWHERE:
                found, table[place] = size, size
                after.used[size], after.owed[size, 0], after.owed[size, 1] = used, owed, aimed
                after.ways[size, 0], after.ways[size, 1] = 0, 0
                for w in range(words):
                    after.hit[size, w] = hit[w]
                for b in range(strips):
                    after.nodes[size, b] = nodes[b]
                size += 1
            for r in range(2):  # both are below the prime, so that one subtraction does for a division
                ways = after.ways[found, r] + rows.ways[i, r]
                prime = q if r else p
                after.ways[found, r] = ways - prime if ways >= prime else ways
            links[i, stone] = found
    return size


@kernel
def _cell_at(cells: _Cells, t: int) -> _Cell:
    """The tables of one cell."""
    slots, more = cells.first_slot[t], cells.first_slot[t + 1]
    return _Cell(
        cells.through[t],
        cells.ending[t],
        cells.slots[slots:more],
        cells.weights[slots:more],
        cells.strips[cells.first_strip[t] : cells.first_strip[t + 1]],
    )


@kernel
def _first_rows(rows: _Rows, size: int) -> _Rows:
    return _Rows(rows.hit[:size], rows.used[:size], rows.owed[:size], rows.ways[:size], rows.nodes[:size])


@kernel
def _decide_cells(
    size: int, begin: int, end: int, cells: _Cells, strip: _Strip, scale: int, budget: int, most: int, table: Ints,
    rows: _Rows, spare: _Rows, links: Ints,
) -> tuple[int, int, int]:  # fmt: skip
    """Decide cells ``begin`` to ``end`` - 1 in the first ``size`` states of ``rows``, ``spare`` being as large. Stops
    before a cell whose states may be too many for them, and after the one that makes the states met more than ``most``.

    Returns the next cell, how many states there are, and how many were met; after an odd number of cells the states are
    in ``spare``.
    """
    met = 0
    for t in range(begin, end):
        if 2 * size > len(rows.used) or met > most:
            return t, size, met
        slots = 4
        while slots < 4 * size:
            slots *= 2
        for i in range(slots):
            table[i] = NOWHERE
        size = _advance(
            _first_rows(rows, size), _cell_at(cells, t), strip, 1, scale, budget, table[:slots], spare, links
        )
        met += size
        rows, spare = spare, rows
    return end, size, met


def _empty_rows(capacity: int, words: int, strips: int) -> _Rows:
    return _Rows(
        np.empty((capacity, words), np.uint64),
        np.empty(capacity, np.int64),
        np.empty((capacity, 2), np.int64),
        np.empty((capacity, 2), np.uint64),
        np.empty((capacity, strips), np.int64),
    )


class _States:
    """The states of a layer in arrays that grow with it, and as large ones for the next layer."""

    def __init__(self, rows: _Rows) -> None:
        self.size, self.met = len(rows.used), 0
        self._grow(rows)

    @property
    def rows(self) -> _Rows:
        """The states."""
        return _Rows(*(column[: self.size] for column in self._rows))

    def keep(self, rows: _Rows) -> None:
        """Go on with these states, no more than there were."""
        for column, kept in zip(self._rows, rows, strict=True):
            column[: len(kept)] = kept
        self.size = len(rows.used)

    def decide(
        self, begin: int, end: int, cells: _Cells, strip: _Strip, scale: int, budget: int, most_states: int
    ) -> None:
        """Decide the cells ``begin`` to ``end`` - 1. TooManyStatesError where all layers have more than so many."""
        while begin < end:
            if 2 * self.size > len(self._rows.used):
                self._grow(self.rows)
            after, self.size, met = _decide_cells(
                self.size,
                begin,
                end,
                cells,
                strip,
                scale,
                budget,
                most_states - self.met,
                self._table,
                self._rows,
                self._next,
                self._links,
            )
            if (after - begin) % 2:
                self._rows, self._next = self._next, self._rows
            begin, self.met = after, self.met + met
            _refuse_beyond(self.met, most_states)

    def _grow(self, rows: _Rows) -> None:
        capacity = max(FIRST_CAPACITY, 4 * len(rows.used))
        self._rows, self._next = (_empty_rows(capacity, rows.hit.shape[1], rows.nodes.shape[1]) for _ in range(2))
        self._table, self._links = np.empty(4 * capacity, np.int64), np.empty((capacity, 2), np.int64)
        self.keep(rows)


def _decided(rows: _Rows, cell: _Cell, strip: _Strip, one: int, scale: int, budget: int) -> tuple[_Rows, Ints]:
    n = len(rows.used)
    after = _empty_rows(2 * n, rows.hit.shape[1], rows.nodes.shape[1])
    table = np.full(1 << (4 * n).bit_length(), NOWHERE, np.int64)
    links = np.empty((n, 2), np.int64)
    size = _advance(rows, cell, strip, one, scale, budget, table, after, links)
    return _Rows(*(column[:size] for column in after)), links


@kernel
def _owed(hit: Words, slots: Ints, weights: Ints) -> Ints:
    """(n,): the weight of the lines with these bits (slots,) that no stone hits, for sets of lines (n, W)."""
    owed = np.zeros(len(hit), np.int64)
    for i in range(len(hit)):
        for j in range(len(slots)):
            if not hit[i, slots[j] >> 6] >> np.uint64(slots[j] & 63) & np.uint64(1):
                owed[i] += weights[j]
    return owed


def _aimed_at(rows: _Rows, board: _Lines, t: int, weights: Ints, scale: int, budget: int) -> _Rows:
    """The states before cell ``t`` with the second bound by new weights (L,), those that it allows."""
    begun = board.begun(t)
    rows.owed[:, 1] = _owed(rows.hit, board.slot[begun], weights[begun]) + weights[board.ahead(t)].sum()
    keep = rows.used * scale + rows.owed[:, 1] <= budget
    return _Rows(*(column[keep] for column in rows))


def _first(words: int, strips: int, owed: int) -> _Rows:
    return _Rows(
        np.zeros((1, words), np.uint64),
        np.zeros(1, np.int64),
        np.array([[owed, 0]], np.int64),
        np.ones((1, 2), np.uint64),
        np.zeros((1, strips), np.int64),
    )


NO_STRIPS = _Strip(np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 0), np.int64))


def recount(certificate: Mapping[str, Any], stones: int, most_states: int = 1 << 40) -> Recount:
    """Placements that block the certificate's board with at most ``stones`` stones, counted anew.

    Raises:
        CertificateError: the certificate's bound does not hold, its strips are none of the board's, or a part of it is
            missing or of another form.
        TooManyStatesError: more than ``most_states`` states, of strips and board together.
    """
    try:
        board = _Lines(certificate["shape"], certificate["k"])
        weights, strips = _checked(certificate, board)
        aimed = _checked_aims(certificate, board)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, CertificateError):
            raise
        raise CertificateError(f"the certificate has a part that is missing or of another form: {error!r}") from error
    scale: int = certificate["scale"]
    diagram, met = _diagram(certificate, strips, most_states)
    states = _States(_first(board.words, len(strips), int(weights.sum())))
    states.met = met
    over = [[b for b, (cells, _) in enumerate(strips) if t in cells] for t in range(board.cells)]
    both = np.column_stack([weights, np.zeros_like(weights)])
    stops = sorted({0, *aimed})
    for begin, end in pairwise([*stops, board.cells]):
        for new in aimed.get(begin, ()):
            both[:, 1] = new
            states.keep(_aimed_at(states.rows, board, begin, new, scale, stones * scale))
        states.decide(begin, end, board.tables(both, over), diagram, scale, stones * scale, most_states)
    rows = states.rows
    p, q = PRIMES
    return Recount(stones, _summed(rows.ways), _summed(rows.ways[rows.used < stones]), p * q, states.met)


def _summed(ways: Words) -> int:
    """The number below the product of the primes that has the residues of all ``ways`` (n, 2) together."""
    p, q = PRIMES
    a, b = (int(sum(int(way) for way in ways[:, i]) % prime) for i, prime in enumerate(PRIMES))
    return a + p * ((b - a) * pow(p, -1, q) % q)


def _checked(certificate: Mapping[str, Any], board: _Lines) -> tuple[Ints, list[tuple[dict[int, int], Ints]]]:
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


def _checked_aims(certificate: Mapping[str, Any], board: _Lines) -> dict[int, list[Ints]]:
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


def _line_weights(given: Sequence[Sequence[int]], board: _Lines) -> list[int]:
    """By line its weight, of those given as first cell, last cell and weight."""
    _refuse_unless_small([x for line in given for x in line], board)
    by_ends = {(first, last): weight for first, last, weight in given}
    ends = zip(board.first.tolist(), board.last.tolist(), strict=True)
    weights = [by_ends.pop(both, 0) for both in ends] if by_ends else [0] * len(board.lines)
    if by_ends or min(weights, default=0) < 0:
        raise CertificateError("the weights name lines that are none, or are negative")
    return weights


def _charged(weights: Sequence[int], board: _Lines) -> list[int]:
    """By cell, what the weights of the lines charge a stone there."""
    charged = [0] * board.cells
    for number, weight in enumerate(weights):
        if weight:
            for cell in board.lines[number].tolist():
                charged[cell] += weight
    return charged


def _refuse_unless_small(numbers: Sequence[Any], board: _Lines) -> None:
    if any(type(number) is not int for number in numbers):
        raise CertificateError("a weight, a cost or the scale is no whole number")
    if max(map(abs, numbers), default=0) * (board.cells + len(board.lines)) >= LARGEST:
        raise CertificateError("a weight or a cost is too large to be added")


def _diagram(
    certificate: Mapping[str, Any], strips: list[tuple[dict[int, int], Ints]], most_states: int
) -> tuple[_Strip, int]:
    """The strips' states with their cheapest completions, and how many there are."""
    if not strips:
        return NO_STRIPS, 0
    shape = list(certificate["shape"])
    board = _Lines([*shape[:-1], len(strips[0][1]) * shape[-1] // prod(shape)], certificate["k"])
    cells = board.tables(np.zeros((len(board.lines), 2), dtype=np.int64), [[]] * board.cells)
    rows, layers, starts = _first(board.words, 0, 0), list[Ints](), [0]
    for t in range(board.cells):
        starts.append(starts[-1] + len(rows.used))
        _refuse_beyond(starts[-1], most_states)
        rows, links = _decided(rows, _cell_at(cells, t), NO_STRIPS, 0, 0, 0)
        layers.append(links)
    last = starts[-1]
    free, stone = (np.full(last + 1, NOWHERE, np.int64) for _ in range(2))
    to_go = np.zeros((len(strips), last + 1), np.int64)
    for t in reversed(range(board.cells)):
        here, links = slice(starts[t], starts[t + 1]), layers[t]
        free[here] = np.where(links[:, 0] == NOWHERE, NOWHERE, links[:, 0] + starts[t + 1])
        stone[here] = links[:, 1] + starts[t + 1]
        for b, (_, costs) in enumerate(strips):
            with_stone = to_go[b, stone[here]] + costs[t]
            without = np.where(links[:, 0] == NOWHERE, with_stone, to_go[b, free[here]])
            to_go[b, here] = np.minimum(with_stone, without)
    return _Strip(free, stone, to_go), last + 1


def _refuse_beyond(states: int, most_states: int) -> None:
    if states > most_states:
        raise TooManyStatesError(f"more than {most_states} states")
