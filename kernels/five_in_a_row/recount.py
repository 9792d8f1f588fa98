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
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace.kernels.five_in_a_row.checker import CertificateError, all_lines
from boardspace.kernels.jit import kernel

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

VERSIONS = (1, 2)
"""Of certificates, that are understood."""

PRIMES = ((1 << 61) - 1, (1 << 62) - 57)
"""The moduli of the two residues."""

NOWHERE = -1
LARGEST = 1 << 60
"""Values below this, and a few of them added, fit 64 bits."""


class TooManyStatesError(ValueError):
    """A recount that met more states than it may."""


class Recount(NamedTuple):
    """Placements with at most so many stones, and ``fewer`` of them with less, both modulo ``modulus``; and the states
    that were met."""

    stones: int
    count: int
    fewer: int
    modulus: int
    states: int

    def agrees(self, count: int) -> bool:
        """Whether a number of placements, of any size, has these residues."""
        return count % self.modulus == self.count


class _Rows(NamedTuple):
    """One layer: lines hit (n, W), stones used (n,), weight owed by the certificate's weights and by the aimed ones
    (n, 2), residues (n, 2), nodes of the strips (n, S)."""

    hit: Words
    used: Ints
    owed: Ints
    ways: Words
    nodes: Ints


class _Cell(NamedTuple):
    """The lines through a cell and those of them that end there, as bits of words (W,); the bits (slots) and both
    weights (slots, 2) of those that have a weight; the strips."""

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


class _Lines:
    """The lines of a board, each with its bit while it is begun and not ended."""

    def __init__(self, shape: Sequence[int], k: int) -> None:
        self.cells = prod(shape)
        self.lines = all_lines(shape, k)
        by_cell: list[list[int]] = [[] for _ in range(self.cells)]
        for number, line in enumerate(self.lines):
            for cell in line:
                by_cell[cell].append(number)
        slot, free, self.bits = [0] * len(self.lines), list[int](), 0
        self.through: list[list[int]] = []
        self.ending: list[int] = []
        for cell, numbers in enumerate(by_cell):
            for number in numbers:
                if self.lines[number][0] == cell:
                    if not free:
                        free.append(self.bits)
                        self.bits += 1
                    slot[number] = free.pop()
            last = [number for number in numbers if self.lines[number][-1] == cell]
            self.through.append(last + [number for number in numbers if self.lines[number][-1] != cell])
            self.ending.append(len(last))
            free += [slot[number] for number in last]
        self.slot = np.array(slot, dtype=np.int64)
        self.words = max(1, -(-self.bits // 64))

    def cell(self, t: int, weights: Ints, strips: Ints) -> _Cell:
        """The tables of one cell; ``weights`` is (L, 2)."""
        numbers = np.array(self.through[t], dtype=np.int64)
        slots, weighted = self.slot[numbers], np.flatnonzero(weights[numbers].any(axis=1))
        through, ending = self._bits(slots), self._bits(slots[: self.ending[t]])
        return _Cell(through, ending, slots[weighted], weights[numbers][weighted], strips)

    def begun(self, t: int) -> Ints:
        """Numbers of the lines with cells before cell ``t`` and from it on."""
        return np.array([i for i, line in enumerate(self.lines) if line[0] < t <= line[-1]], dtype=np.int64)

    def ahead(self, t: int) -> Ints:
        """Numbers of the lines that begin at cell ``t`` or later."""
        return np.array([i for i, line in enumerate(self.lines) if line[0] >= t], dtype=np.int64)

    def _bits(self, slots: Ints) -> Words:
        """A set of bits as words."""
        bits = sum(1 << slot for slot in slots.tolist())
        return np.array([bits >> 64 * word & 0xFFFFFFFFFFFFFFFF for word in range(self.words)], dtype=np.uint64)


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
                missed |= cell.ending[w] & ~there
                hit[w] = (there | cell.through[w] if stone else there) & ~cell.ending[w]
            if stone:
                for j in range(len(cell.slots)):
                    if not rows.hit[i, cell.slots[j] >> 6] >> np.uint64(cell.slots[j] & 63) & np.uint64(1):
                        owed -= cell.weights[j, 0]
                        aimed -= cell.weights[j, 1]
            elif missed:
                continue
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


def _decided(rows: _Rows, cell: _Cell, strip: _Strip, one: int, scale: int, budget: int) -> tuple[_Rows, Ints]:
    n, room = len(rows.used), 2 * len(rows.used)
    after = _Rows(
        np.empty((room, rows.hit.shape[1]), np.uint64),
        np.empty(room, np.int64),
        np.empty((room, 2), np.int64),
        np.empty((room, 2), np.uint64),
        np.empty((room, rows.nodes.shape[1]), np.int64),
    )
    table = np.full(1 << (2 * room).bit_length(), NOWHERE, np.int64)
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
NONE_OVER = np.empty(0, np.int64)


def recount(certificate: Mapping[str, Any], stones: int, most_states: int = 1 << 40) -> Recount:
    """Placements that block the certificate's board with at most ``stones`` stones, counted anew.

    Raises:
        CertificateError: the certificate's bound does not hold, or its strips are none of the board's.
        TooManyStatesError: more than ``most_states`` states, of strips and board together.
    """
    board = _Lines(certificate["shape"], certificate["k"])
    weights, strips = _checked(certificate, board)
    aimed = _checked_aims(certificate, board)
    scale: int = certificate["scale"]
    diagram, met = _diagram(certificate, strips, most_states)
    rows = _first(board.words, len(strips), int(weights.sum()))
    both = np.column_stack([weights, np.zeros_like(weights)])
    for t in range(board.cells):
        over = np.array([b for b, (cells, _) in enumerate(strips) if t in cells], dtype=np.int64)
        for new in aimed.get(t, ()):
            both[:, 1] = new
            rows = _aimed_at(rows, board, t, new, scale, stones * scale)
        rows, _ = _decided(rows, board.cell(t, both, over), diagram, 1, scale, stones * scale)
        met += len(rows.used)
        _refuse_beyond(met, most_states)
    p, q = PRIMES
    return Recount(stones, _summed(rows.ways), _summed(rows.ways[rows.used < stones]), p * q, met)


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
    weights = [by_ends.pop((line[0], line[-1]), 0) for line in board.lines]
    if by_ends or min(weights, default=0) < 0:
        raise CertificateError("the weights name lines that are none, or are negative")
    return weights


def _charged(weights: Sequence[int], board: _Lines) -> list[int]:
    """By cell, what the weights of the lines charge a stone there."""
    charged = [0] * board.cells
    for line, weight in zip(board.lines, weights, strict=True):
        if weight:
            for cell in line:
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
    weights = np.zeros((len(board.lines), 2), dtype=np.int64)
    rows, layers, starts = _first(board.words, 0, 0), list[Ints](), [0]
    for t in range(board.cells):
        starts.append(starts[-1] + len(rows.used))
        _refuse_beyond(starts[-1], most_states)
        rows, links = _decided(rows, board.cell(t, weights, NONE_OVER), NO_STRIPS, 0, 0, 0)
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
