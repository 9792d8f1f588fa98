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
            part[inner] = _shifted(assembled(k - 1, cells), before)
        others = [place for place, held in enumerate(holder) if held != quadrant]
        if others:
            part[others] = _at_centre(k - 1, quadrant, before, centre)
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
    cells = _shifted(assembled(level, [special]), before)[0]
    cells[special] = number
    return cells


def _shifted(boards: Numbers, before: int) -> Numbers:
    """The boards with their numbers raised by ``before``; special cells stay 0."""
    return np.where(boards > 0, boards + np.uint32(before), np.uint32(0))


@functools.lru_cache(maxsize=64)
def _corner(k: int, quadrant: int) -> Numbers:
    """The cover of a board whose special cell is the corner that lies at the centre of the board above it."""
    last = (1 << k) - 1
    return assembled(k, [(0 if quadrant // 2 else last, 0 if quadrant % 2 else last)])[0]


def _at_centre(k: int, quadrant: int, before: int, centre: int) -> Numbers:
    """A quadrant without the special cell: its corner at the centre has the number of the tromino there."""
    board = _corner(k, quadrant)
    return np.where(board > 0, board + np.uint32(before), np.uint32(centre))
