"""The patterns of a class: where the block and the dominoes stand, and how a piece moves from pattern to pattern.

A layout of the class (jiang, bing, style) is a pattern and a *filling*: which of the 16 - 2 jiang free cells of the
pattern hold the bing singles. Every pattern takes every filling, so with patterns and fillings both numbered

    address = pattern * C(16 - 2 jiang, bing) + filling

numbers the layouts of the class without gaps. Unlike the rank by code an address is found with a few shifts from a
neighbour's: a single moves inside the filling, and where a domino or the block moves the next pattern is tabulated.
Patterns are numbered by their code (that of the layout with the pattern and no singles), fillings by the integer whose
bit ``i`` stands for the ``i``-th free cell.
"""

from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.klotski.board import (
    ALL_CELLS,
    BLOCK,
    CELLS,
    COLUMNS,
    FOOTPRINT,
    LYING,
    STANDING,
    STRIDE,
    covered_by_dominoes,
    decode_code,
    encode_layout,
    on_board,
)
from boardspace_kernels.klotski.scan import Scan, class_scan, rank_code, unrank

_ROW = 15


class Patterns(NamedTuple):
    """All patterns with so many lying and standing dominoes, by the number of the pattern.

    block: int32 (patterns), the block's anchor.
    lying: int32 (patterns), mask of the anchors of lying dominoes.
    standing: int32 (patterns), mask of the anchors of standing dominoes.
    free: int32 (patterns), mask of the free cells.
    move_to: int16 (patterns, cells, directions), the pattern after the block or domino with that anchor moved by one
        cell, -1 where there is none or the move leaves the board or meets a block or domino.
    scan: ranks a pattern by its code.
    """

    block: npt.NDArray[np.int32]
    lying: npt.NDArray[np.int32]
    standing: npt.NDArray[np.int32]
    free: npt.NDArray[np.int32]
    move_to: npt.NDArray[np.int16]
    scan: Scan


class Fillings(NamedTuple):
    """All ways to choose which free cells hold singles.

    ``cells`` uint16 (fillings): the choices as sets of bits, ascending. ``number`` uint16 (2 ** free cells): the number
    of a choice, meaningful for sets of the right size only.
    """

    cells: npt.NDArray[np.uint16]
    number: npt.NDArray[np.uint16]


def patterns(lying: int, standing: int) -> Patterns:
    """The patterns with so many lying and standing dominoes."""
    scan = class_scan(lying, standing, 0)
    return Patterns(*_pattern_arrays(scan, unrank(scan, np.arange(scan.size, dtype=np.uint32))), scan)


def fillings(free: int, singles: int) -> Fillings:
    """The ways to put so many singles on so many free cells."""
    sets = np.arange(1 << free)
    chosen = np.bitwise_count(sets) == singles
    assert int(chosen.sum()) == comb(free, singles)
    # The running count before a set is its number. At most 16 cells are free, so all of it fits in 16 bits.
    return Fillings(sets[chosen].astype(np.uint16), (np.cumsum(chosen) - 1).astype(np.uint16))


@kernel
def _pattern_arrays(
    scan: Scan, codes: npt.NDArray[np.uint64]
) -> tuple[
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int16],
]:
    """The arrays of :class:`Patterns`, in its order, of the patterns with these codes uint64 (patterns)."""
    block = np.empty(len(codes), dtype=np.int32)
    lying = np.empty(len(codes), dtype=np.int32)
    standing = np.empty(len(codes), dtype=np.int32)
    free = np.empty(len(codes), dtype=np.int32)
    move_to = np.full((len(codes), CELLS, 4), -1, dtype=np.int16)
    for number in range(len(codes)):
        pieces = decode_code(codes[number])
        block[number], lying[number], standing[number], _ = pieces
        covered = FOOTPRINT[BLOCK, pieces[0]] | covered_by_dominoes(pieces[1], pieces[2])
        free[number] = ALL_CELLS & ~covered
        _tabulate_moves(scan, pieces[0], pieces[1], pieces[2], free[number], move_to[number])
    return block, lying, standing, free, move_to


@inlined
def kind_at(block: int, lying: int, standing: int, cell: int) -> int:
    """Kind of the block or domino anchored at a cell, -1 where there is none."""
    if cell == block:
        return BLOCK
    if (lying >> cell) & 1:
        return LYING
    return STANDING if (standing >> cell) & 1 else -1


@kernel
def _tabulate_moves(
    scan: Scan, block: int, lying: int, standing: int, free: int, move_to: npt.NDArray[np.int16]
) -> None:
    """Fill ``move_to`` (cells, directions) of one pattern."""
    for cell in range(CELLS):
        kind = kind_at(block, lying, standing, cell)
        if kind < 0:
            continue
        for direction in range(4):
            target = cell + STRIDE[direction]
            # A longer piece keeps some of its cells when it moves along, so its own are free to it.
            if not on_board(kind, cell, direction) or FOOTPRINT[kind, target] & ~(free | FOOTPRINT[kind, cell]):
                continue
            swap = (1 << cell) | (1 << target)
            code = encode_layout(
                target if kind == BLOCK else block,
                lying ^ swap if kind == LYING else lying,
                standing ^ swap if kind == STANDING else standing,
                0,
            )
            move_to[cell, direction] = rank_code(scan, code)


_GATHER = np.zeros((16, 16), dtype=np.int64)
_SCATTER = np.zeros((16, 16), dtype=np.int64)
for _mask in range(16):
    _places = [bit for bit in range(4) if _mask >> bit & 1]
    for _bits in range(16):
        _GATHER[_mask, _bits] = sum((_bits >> place & 1) << rank for rank, place in enumerate(_places))
        _SCATTER[_mask, _bits] = sum((_bits >> rank & 1) << place for rank, place in enumerate(_places))
_SIZE = np.bitwise_count(np.arange(16)).astype(np.int64)


@inlined
def gather(free: int, cells: int) -> int:
    """The bits of ``cells`` at the cells of ``free``, moved together: bit ``i`` is that of the ``i``-th free cell."""
    gathered = 0
    size = 0
    # A row of the board at a time: one look in a table of 16 x 16 does the work of four cells.
    for shift in range(0, CELLS, COLUMNS):
        row = (free >> shift) & _ROW
        gathered |= _GATHER[row, (cells >> shift) & _ROW] << size
        size += _SIZE[row]
    return gathered


@inlined
def scatter(free: int, bits: int) -> int:
    """The inverse of :func:`gather`: the cells of ``free`` whose bits are set."""
    cells = 0
    for shift in range(0, CELLS, COLUMNS):
        row = (free >> shift) & _ROW
        cells |= _SCATTER[row, bits & _ROW] << shift
        # The bits of this row are used up, so those of the next one are the lowest now.
        bits >>= _SIZE[row]
    return cells


@inlined
def address_of(patterns: Patterns, fillings: Fillings, pattern: int, singles: int) -> int:
    """Address of the layout of a pattern with singles on these cells."""
    return pattern * len(fillings.cells) + fillings.number[gather(patterns.free[pattern], singles)]


@inlined
def layout_at(patterns: Patterns, fillings: Fillings, address: int) -> tuple[int, int]:
    """The pattern of an address, and the mask of its singles."""
    pattern, filling = divmod(address, len(fillings.cells))
    return pattern, scatter(patterns.free[pattern], np.int64(fillings.cells[filling]))
