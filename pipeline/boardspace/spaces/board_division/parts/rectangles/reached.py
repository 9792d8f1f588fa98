"""Every position of a rectangle of pegs once more, by another search: ``verify`` compares the counts with it.

A level of positions with equally many pegs is an array of two words of bits a position. For each of the jumps that
there are, all positions of the level in which it is possible are found at once: for each cell a row of bits tells which
positions have a peg there, so one machine word answers for 64 positions. Which successors are the same is told
by hashes: each cell has a random word, a position the exclusive or of its pegs' words, and one such hash for each
symmetry of the rectangle; the least of them names the orbit, the number of different ones is its size. That two orbits
of a rectangle of 18 pegs share a hash has a chance below 10^-5; the words are always the same, so a run of the check
that agrees will agree for ever.

The cells are those that the golden weights allow, summed with 60 decimal digits; there is no jump off them. The
kernels keep exact positions in hash tables; no code is shared.
"""

import functools
from decimal import Decimal, localcontext
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.board_division.rules import MARGIN
from boardspace.spec.check import begins_of
from boardspace.spec.second_rules import symmetries

Cell = tuple[int, int]
Words = NDArray[np.uint64]
DIGITS = 60
WORD = 64


class Jumps(NamedTuple):
    """All j jumps.

    cells: for each the numbers of its cells, the landing last, unless the weights do not allow that.
    masks: uint64 [j, w], its cells as words of bits.
    changes: uint64 [g, j], the words that it adds to the hash for each symmetry.
    """

    cells: list[list[int]]
    masks: Words
    changes: Words


@functools.cache
def allowed_cells(m: int, n: int) -> list[Cell]:
    """The cells, from 1 and in reading order, for which the pegs of the rectangle weigh at least 1."""
    with localcontext(prec=DIGITS):
        golden = (Decimal(5).sqrt() - 1) / 2
        least = 1 - Decimal(10) ** (10 - DIGITS)
        rows, columns = (
            {at: sum((golden ** abs(peg - at) for peg in range(1, side + 1)), Decimal(0)) for at in _line(side)}
            for side in (m, n)
        )
        return [(row, column) for row in rows for column in columns if rows[row] * columns[column] >= least]


def _line(side: int) -> range:
    return range(1 - MARGIN, side + MARGIN + 1)


def search(m: int, n: int) -> tuple[list[dict[str, int]], set[Cell]]:
    """Positions that can be reached from the m x n rectangle on an unbounded board: the rows of ``positions``, fewest
    pegs first, and the cells that pegs come to, from 1. ArithmeticError where a jump leaves the allowed cells."""
    cells = allowed_cells(m, n)
    at = {cell: number for number, cell in enumerate(cells)}
    images = _images(m, n, cells)
    words = np.random.default_rng(18).integers(1, 2**64 - 1, len(cells), np.uint64)
    hashes = np.stack([words[image] for image in images])
    start = [at[row, column] for row in range(1, m + 1) for column in range(1, n + 1)]
    bits = _bits(start, len(cells))[None]
    keys = np.bitwise_xor.reduce(hashes[:, start], axis=1)[:, None]
    jumps = _jumps(cells, at, hashes)
    seen = np.zeros(bits.shape[1], np.uint64)
    levels = list[dict[str, int]]()
    for pegs in range(m * n, 0, -1):
        seen |= np.bitwise_or.reduce(bits, axis=0)
        sizes = _orbit_sizes(keys)
        stuck, bits, keys = _after(bits, keys, jumps)
        row = {"pegs": pegs, "orbits": len(sizes), "positions": int(sizes.sum())}
        levels.insert(0, row | {"stuck_orbits": int(stuck.sum()), "stuck_positions": int(sizes[stuck].sum())})
        if not len(bits):
            break
    occupied = {
        number for number in range(len(cells)) if seen[number // WORD] >> np.uint64(number % WORD) & np.uint64(1)
    }
    return levels, {cells[image[number]] for image in images for number in occupied}


def _images(m: int, n: int, cells: list[Cell]) -> list[list[int]]:
    """Images of the cells, by their numbers, under each symmetry of the rectangle; the identity first."""
    rows, columns = m + 2 * MARGIN, n + 2 * MARGIN
    places = [(row + MARGIN - 1) * columns + column + MARGIN - 1 for row, column in cells]
    number = {place: cell for cell, place in enumerate(places)}
    return [[number[image[place]] for place in places] for image in symmetries((rows, columns))]


def _bits(numbers: list[int], cells: int) -> Words:
    found = np.zeros(-(-cells // WORD), np.uint64)
    for number in numbers:
        found[number // WORD] |= np.uint64(1) << np.uint64(number % WORD)
    return found


def _jumps(cells: list[Cell], at: dict[Cell, int], hashes: Words) -> Jumps:
    """The jumps of a peg on one of these cells over another; ``hashes`` [g, cells] are the cells' words."""
    found = []
    for row, column in cells:
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            over, landing = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if over in at:
                pegs = [at[row, column], at[over]]
                found.append([*pegs, at[landing]] if landing in at else pegs)
    masks, changes = (
        np.zeros((len(found), -(-len(cells) // WORD)), np.uint64),
        np.zeros((len(hashes), len(found)), np.uint64),
    )
    for number, one in enumerate(found):
        masks[number], changes[:, number] = _bits(one, len(cells)), np.bitwise_xor.reduce(hashes[:, one], axis=1)
    return Jumps(found, masks, changes)


def _orbit_sizes(keys: Words) -> NDArray[np.int64]:
    """Number of different hashes of each position [g, p]."""
    ordered = np.sort(keys, axis=0)
    return 1 + np.count_nonzero(ordered[1:] != ordered[:-1], axis=0)


def _after(bits: Words, keys: Words, jumps: Jumps) -> tuple[NDArray[np.bool_], Words, Words]:
    """Stuck positions of [p, w]; the positions one jump on, one of each orbit, and their hashes [g, p]."""
    stuck, filled = np.ones(len(bits), np.bool_), _filled(bits)
    names, sources, numbers = [], [], []
    for which, cells in enumerate(jumps.cells):
        possible = filled[cells[0]] & filled[cells[1]]
        if len(cells) == 3:
            possible &= ~filled[cells[2]]
        if not possible.any():
            continue
        if len(cells) == 2:
            raise ArithmeticError("a peg leaves the cells that the weights allow")
        found = np.flatnonzero(np.unpackbits(possible, count=len(bits)).view(np.bool_))
        stuck[found] = False
        names.append((keys.take(found, axis=1) ^ jumps.changes[:, which, None]).min(axis=0))
        sources.append(found)
        numbers.append(np.full(len(found), which))
    if not names:
        return stuck, bits[:0], keys[:, :0]
    first = _one_of_each(np.concatenate(names))
    source, number = (np.concatenate(parts)[first] for parts in (sources, numbers))
    after = bits.take(source, axis=0) ^ jumps.masks.take(number, axis=0)
    return stuck, after, keys.take(source, axis=1) ^ jumps.changes.take(number, axis=1)


def _filled(bits: Words) -> list[NDArray[np.uint8]]:
    """For each cell a bit for each of the positions [p, w], eight a byte: set where it has a peg there."""
    eights = np.ascontiguousarray(bits.astype("<u8").view(np.uint8).T)
    return [np.packbits(eight & np.uint8(1 << place)) for eight in eights for place in range(8)]


def _one_of_each(names: Words) -> NDArray[np.int64]:
    """int64: the places of different names, in the order of these, one place of each."""
    order = np.argsort(names)
    return order[begins_of(names.take(order))]
