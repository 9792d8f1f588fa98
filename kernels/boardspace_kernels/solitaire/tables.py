"""Tables that the kernels look up: the jumps of a board and the images of positions, as arrays.

A symmetry permutes holes, so on positions (words over GF(2)) it is linear. Hence a jump, which flips its three
holes, flips in the image of the position the images of these holes: the g images of a child are the g images of its
parent XOR a row of ``flips`` known in advance, and its canonical form, the least of the images, costs g XORs and g
minima. Only the positions that are read from outside need the images from scratch, by tables over bytes.

Of all jumps of a board few are possible. A byte of a position rules out jumps, whatever its other bytes are; what no
byte rules out is possible. So tables over bytes give these jumps as well, as bits, and none has to be tried.

Undoing a jump is the same as making one with another test: the peg on ``c`` goes back over the hole ``b``, which is
filled again, to the hole ``a``. So one kernel serves both directions, each with its own tables.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import lowest_bit
from boardspace_kernels.jit import inlined
from boardspace_kernels.solitaire.board import Board


class MoveTables(NamedTuple):
    """J jumps, sorted by the hole the peg leaves; g symmetries, the identity first; n holes.

    first: int64 (n + 1), the jumps of a peg on hole h are ``first[h]`` up to ``first[h + 1]``.
    test, need: uint64 (J), a jump is possible where ``position & test == need``.
    landing: int64 (J, g), the hole the peg comes to, in each image of the position.
    flips: uint64 (J, g), what the jump flips in each image of the position.
    images: uint64 (ceil(n / 8), 256, g), the images of the pegs that byte k of a position stands for.
    allowed: uint64 (ceil(n / 8), 256, ceil(J / 64)), bits of the jumps that byte k of a position does not rule out.
    following: int64 (J, d), the jumps with which the peg may go on after a jump; where they are fewer, the jump itself,
    which is not possible again.
    """

    first: NDArray[np.int64]
    test: NDArray[np.uint64]
    need: NDArray[np.uint64]
    landing: NDArray[np.int64]
    flips: NDArray[np.uint64]
    images: NDArray[np.uint64]
    allowed: NDArray[np.uint64]
    following: NDArray[np.int64]


def forward_tables(board: Board, group: NDArray[np.int64] | None = None) -> MoveTables:
    """Tables for playing; ``group``: int64 (g, n), the symmetries that identify positions, all by default."""
    return _tables(board, board.jumps, needed=2, group=group)


def backward_tables(board: Board, group: NDArray[np.int64] | None = None) -> MoveTables:
    """Tables for taking back: the peg leaves the hole it landed in, and the hole it came over is filled."""
    return _tables(board, board.jumps[:, ::-1], needed=1, group=group)


def _tables(board: Board, jumps: NDArray[np.int64], needed: int, group: NDArray[np.int64] | None) -> MoveTables:
    """Tables for pegs that go from column 0 to column 2 where exactly the first ``needed`` columns are occupied."""
    group = board.symmetries if group is None else group
    jumps = jumps[np.argsort(jumps[:, 0], kind="stable")]
    bits = np.uint64(1) << jumps.astype(np.uint64)
    image_bits = np.uint64(1) << group.astype(np.uint64)
    test, need = np.bitwise_or.reduce(bits, axis=1), np.bitwise_or.reduce(bits[:, :needed], axis=1)
    first = np.searchsorted(jumps[:, 0], np.arange(board.holes + 1)).astype(np.int64)
    return MoveTables(
        first=first,
        test=test,
        need=need,
        landing=np.ascontiguousarray(group[:, jumps[:, 2]].T),
        flips=np.ascontiguousarray(np.bitwise_or.reduce(image_bits[:, jumps], axis=2).T),
        images=_images_of_bytes(image_bits),
        allowed=_allowed_by_bytes(test, need, board.holes),
        following=_following(first, jumps[:, 2], test),
    )


def _following(first: NDArray[np.int64], landing: NDArray[np.int64], test: NDArray[np.uint64]) -> NDArray[np.int64]:
    """``following`` of :class:`MoveTables`."""
    # Back over the hole that a jump has just changed no peg can go: these two jumps test the same holes.
    after = [
        [one for one in range(first[hole], first[hole + 1]) if test[one] != test[jump]]
        for jump, hole in enumerate(landing.tolist())
    ]
    width = max(map(len, after), default=0)
    rows = [some + [jump] * (width - len(some)) for jump, some in enumerate(after)]
    return np.array(rows, np.int64).reshape(len(test), width)


def _allowed_by_bytes(test: NDArray[np.uint64], need: NDArray[np.uint64], holes: int) -> NDArray[np.uint64]:
    """``allowed`` of :class:`MoveTables`."""
    shift = 8 * np.arange(-(-holes // 8), dtype=np.uint64)[:, None, None]
    tested, needed = (words >> shift & np.uint64(255) for words in (test, need))
    # A byte in which a jump tests no hole allows it, whatever it holds. Bits beyond the last jump stay 0.
    allowed = np.zeros((*tested.shape[:1], 256, 64 * -(-len(test) // 64)), np.uint8)
    allowed[..., : len(test)] = np.arange(256, dtype=np.uint64)[:, None] & tested == needed
    # Little-endian in bits and in bytes, so that bit j of word w is jump 64 w + j on every machine.
    return np.packbits(allowed, axis=2, bitorder="little").view("<u8").astype(np.uint64)


def _images_of_bytes(image_bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """uint64 (ceil(n / 8), 256, g) from ``image_bits``: uint64 (g, n), the image of each single peg."""
    group, holes = image_bits.shape
    chunks = -(-holes // 8)
    images = np.zeros((chunks, 256, group), dtype=np.uint64)
    for hole in range(holes):
        chunk, bit = divmod(hole, 8)
        pegged = np.arange(256) >> bit & 1 == 1
        images[chunk, pegged] |= image_bits[:, hole]
    return images


@inlined
def write_images(images: NDArray[np.uint64], position: np.uint64, out: NDArray[np.uint64]) -> np.uint64:
    """Write the g images of a position to ``out``: uint64 (g); returns the least, the canonical form."""
    group = images.shape[2]
    # The first byte's images are written over what the array held, so it needs no zeros.
    for s in range(group):
        out[s] = images[0, position & np.uint64(255), s]
    for chunk in range(1, images.shape[0]):
        byte = (position >> np.uint64(8 * chunk)) & np.uint64(255)
        for s in range(group):
            out[s] |= images[chunk, byte, s]
    least = out[0]
    for s in range(1, group):
        least = min(least, out[s])
    return least


@inlined
def write_possible(tables: MoveTables, position: np.uint64, out: NDArray[np.int64]) -> int:
    """Write the numbers of the jumps that a position allows to ``out``: int64 (J), ascending; returns how many."""
    written = 0
    for word in range(tables.allowed.shape[2]):
        left = tables.allowed[0, position & np.uint64(255), word]
        for chunk in range(1, tables.allowed.shape[0]):
            left &= tables.allowed[chunk, (position >> np.uint64(8 * chunk)) & np.uint64(255), word]
        while left:
            # Signed, since numba makes a float of a sum of int64 and uint64.
            out[written] = 64 * word + np.int64(lowest_bit(left))
            left &= left - np.uint64(1)
            written += 1
    return written
