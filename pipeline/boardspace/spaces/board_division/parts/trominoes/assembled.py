"""Covers put together from quadrants, level by level, as arrays: ``verify`` compares the published ones with them.

A board of 2^k x 2^k cells is four boards of half the side. The one that holds the special cell keeps it; in each of the
other three the special cell is the one at the board's centre, and there the tromino round the centre lies. Numbers
count the upper left quadrant, the upper right one, the tromino, the lower left quadrant, the lower right one.

This shares no code with the kernels, which number single cells by walking down from the whole board.
"""

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.uint32]
Cell = tuple[int, int]


def trominoes(k: int) -> int:
    """How many trominoes cover a board of 2^k x 2^k cells less one."""
    return (4**k - 1) // 3


def assembled(k: int, specials: Sequence[Cell]) -> Numbers:
    """Covers [s, 2^k, 2^k] for these special cells, counted from 0."""
    boards = np.zeros((len(specials), 1 << k, 1 << k), np.uint32)
    if k == 0:
        return boards
    half = 1 << (k - 1)
    centre = 2 * trominoes(k - 1) + 1
    holder = [2 * (row >= half) + (column >= half) for row, column in specials]
    for quadrant in range(4):
        down, right = divmod(quadrant, 2)
        part = boards[:, down * half :, right * half :][:, :half, :half]
        before = quadrant * trominoes(k - 1) + (quadrant >= 2)
        inner = [place for place, held in enumerate(holder) if held == quadrant]
        if inner:
            cells = [(specials[place][0] - down * half, specials[place][1] - right * half) for place in inner]
            covers = assembled(k - 1, cells)
            covers += np.uint32(before)
            covers[np.arange(len(cells)), *np.transpose(cells)] = 0
            part[inner] = covers
        others = [place for place, held in enumerate(holder) if held != quadrant]
        if others:
            corner = _corner(k - 1, quadrant) + np.uint32(before)
            corner[_centre(k - 1, quadrant)] = centre
            part[others] = corner
    return boards


def assembled_block(k: int, special: Cell, level: int, block: Cell) -> Numbers:
    """The 2^level x 2^level cells of one aligned block of a board, ``block`` counted in blocks from 0."""
    before, number = 0, 0
    for inner in reversed(range(level, k)):
        half = 1 << inner
        quadrant = 2 * (block[0] >> (inner - level) & 1) + (block[1] >> (inner - level) & 1)
        corner = (quadrant // 2 * half, quadrant % 2 * half)
        holds = corner[0] <= special[0] < corner[0] + half and corner[1] <= special[1] < corner[1] + half
        if not holds:
            number = before + 2 * trominoes(inner) + 1
            special = (half - 1 + quadrant // 2, half - 1 + quadrant % 2)
        before += quadrant * trominoes(inner) + (quadrant >= 2)
        special = (special[0] - corner[0], special[1] - corner[1])
    (cells,) = assembled(level, [special])
    cells += np.uint32(before)
    cells[special] = number
    return cells


@functools.lru_cache(maxsize=64)
def _corner(k: int, quadrant: int) -> Numbers:
    """The cover of a board whose special cell is the corner that lies at the centre of the board above it."""
    return assembled(k, [_centre(k, quadrant)])[0]


def _centre(k: int, quadrant: int) -> Cell:
    """The corner of a quadrant that lies at the centre."""
    last = (1 << k) - 1
    return (0 if quadrant // 2 else last, 0 if quadrant % 2 else last)
