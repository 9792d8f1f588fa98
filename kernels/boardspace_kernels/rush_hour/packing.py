"""Boards of a class as bits of words, at places that need no search.

What sliding never changes is the kind of each line (:mod:`.lines`). A *class* is the kinds of the rows and of the
columns together. Pieces of two rows never meet, nor those of two columns. So take one side, rows or columns, as the
*index*: given the arrangements of all its lines, an *index entry*, the lines of the other side, the *inner* one, are
independent of each other. The side with fewer arrangements is the index, rows if both have as many.

A board is an index entry and a digit for each inner line. As many inner lines as have a product of radices up to 64 are
*packed*: a set of boards that differ in these digits alone is a word of 64 bits. The other inner lines are *outer*
ones; their digits are a number in mixed radix, w, and with the place of the index entry it is the number of the word.
So nothing is hashed and nothing sorted, and a class costs little beside its boards: only digits that fit beside some
entry get a place, and all arrays are written again for the next class.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import kernel, shared
from boardspace_kernels.rush_hour.lines import Lines

ENTRIES, OUTER_SIZE, PACKED_PIECES, OUTER_PIECES, INDEX_PIECES = range(5)
"""Counts of a class."""
LOW, RADIX, STRIDE, PACKED = range(4)
"""Of an inner line its lowest digit, its radix from there, its stride in the word or in w, whether it is packed."""
_ONE, _NONE = np.uint64(1), np.uint64(0)
_MOST_PIECES = 12
_EVERYTHING = ~_NONE


class Index(NamedTuple):
    """Entries of the index of a label, t, and the pieces of its lines that can move, q.

    pattern: int64 (t), six bits for each inner line: the cells of it that are covered, by index line.
    goal: bool (t), nothing on the index side keeps the board from being a goal.
    number: uint64 (t), its part of the boards' codes.
    moves: int32 (t, 2 q), 64 times the entry after the piece goes on by a cell, and the cell that it enters, six times
        its index line plus the inner line; -1 where it cannot. Each second one is of going back.
    """

    pattern: NDArray[np.int64]
    goal: NDArray[np.bool_]
    number: NDArray[np.uint64]
    moves: NDArray[np.int32]


class Packing(NamedTuple):
    """Packing of the boards of a class into words; s is the place of an index entry.

    slot: int32 (t), places of the entries.
    entry: int32 (s), entries of the places.
    valid: uint64 (s), the bits that are boards.
    lines: int64 (n, 4), of each inner line what ``LOW`` to ``PACKED`` name.
    sets: uint64 (n, 128), the bits whose digit in a packed line, from its lowest, is in a set of digits, a bit each.
    free: uint64 (36), bits whose packed lines leave a cell free; six times the index line plus the inner one.
    packed: int64 (piece, 2), line of a packed piece that can move, and which of the line it is.
    packed_shift: uint64 (piece), by how many bits a board moves when it goes on by a cell.
    packed_mask: uint64 (s, piece), bits from which it can go on.
    outer: int64 (piece, 4), line of an outer piece, which of the line it is, its step in the digit, and that in w.
    outer_set: int64 (s, piece), digits from which it can go on, from the lowest of its line.
    digits: int64 (w), four bits for each inner line.
    covered: int64 (w), cells that outer lines cover, numbered like ``free``.
    goal: bool (w).
    goal_bits: uint64 (1), bits whose packed lines keep no board from being a goal.
    """

    slot: NDArray[np.int32]
    entry: NDArray[np.int32]
    valid: NDArray[np.uint64]
    lines: NDArray[np.int64]
    sets: NDArray[np.uint64]
    free: NDArray[np.uint64]
    packed: NDArray[np.int64]
    packed_shift: NDArray[np.uint64]
    packed_mask: NDArray[np.uint64]
    outer: NDArray[np.int64]
    outer_set: NDArray[np.int64]
    digits: NDArray[np.int64]
    covered: NDArray[np.int64]
    goal: NDArray[np.bool_]
    goal_bits: NDArray[np.uint64]


class Class(NamedTuple):
    """The class that is searched now.

    lines: tables of the board.
    index_line, inner_line: the first line of the index side, and of the inner side.
    index_kinds, inner_kinds: int64 (n), kinds of their lines.
    index, packing: its boards as words.
    counts: int64 (5), what ``ENTRIES`` to ``INDEX_PIECES`` name: index entries that have boards, values of w, pieces
        that can move.
    """

    lines: Lines
    index_line: int
    inner_line: int
    index_kinds: NDArray[np.int64]
    inner_kinds: NDArray[np.int64]
    index: Index
    packing: Packing
    counts: NDArray[np.int64]


def room_for_classes(lines: Lines, side: int) -> Class:
    """Room for any class whose index is a side."""
    n = len(lines.kinds) // 2
    most = lines.arrangements.max(axis=1)
    entries = int(min(most[:n].prod(), most[n:].prod()))
    index = Index(
        np.empty(entries, np.int64),
        np.empty(entries, np.bool_),
        np.empty(entries, np.uint64),
        np.empty((entries, 2 * _MOST_PIECES), np.int32),
    )
    packing = Packing(
        slot=np.empty(entries, np.int32),
        entry=np.empty(entries, np.int32),
        valid=np.empty(entries, np.uint64),
        lines=np.empty((n, 4), np.int64),
        sets=np.zeros((n, 128), np.uint64),
        free=np.empty(36, np.uint64),
        packed=np.empty((_MOST_PIECES, 2), np.int64),
        packed_shift=np.empty(_MOST_PIECES, np.uint64),
        packed_mask=np.empty((entries, _MOST_PIECES), np.uint64),
        outer=np.empty((_MOST_PIECES, 4), np.int64),
        outer_set=np.empty((entries, _MOST_PIECES), np.int64),
        # Digits are below 8, so two of six lines always fit a word, and the other four have at most 8^4 values of w.
        digits=np.empty(4096, np.int64),
        covered=np.empty(4096, np.int64),
        goal=np.empty(4096, np.bool_),
        goal_bits=np.empty(1, np.uint64),
    )
    kinds = np.zeros((2, n), np.int64)
    return Class(lines, side * n, n - side * n, kinds[0], kinds[1], index, packing, np.zeros(5, np.int64))


@shared
def enter_index(one: Class) -> None:
    """Write the index entries of a label, by digits of its lines, the last one fastest."""
    lines, a, kinds, index = one.lines, one.index_line, one.index_kinds, one.index
    n = len(kinds)
    stride, radix = np.ones(n, np.int64), np.empty(n, np.int64)
    for i in range(n - 1, -1, -1):
        radix[i] = lines.radix[a + i, kinds[i]]
        if i:
            stride[i - 1] = stride[i] * radix[i]
    # By numbers of digits, so that an entry's neighbours are found by adding a piece's step.
    entry_of = np.full(stride[0] * radix[0], -1, np.int32)  # of each number of digits; two cars leave a digit out
    t = 0
    for number in range(len(entry_of)):
        is_entry, pattern, goal, code = True, 0, True, _NONE
        for i in range(n):
            digit = number // stride[i] % radix[i]
            covered = lines.covered[a + i, kinds[i], digit]
            if covered < 0:
                is_entry = False
                break
            for j in range(n):
                # Cell j of index line i is cell i of inner line j.
                pattern |= (covered >> j & 1) << (6 * j + i)
            goal &= lines.goal[a + i, kinds[i]] >> digit & 1 == 1
            code |= np.uint64(lines.number[a + i, kinds[i], digit]) << np.uint64(5 * (2 * n - 1 - a - i))
        if is_entry:
            entry_of[number] = t
            index.pattern[t], index.goal[t], index.number[t] = pattern, goal, code
            t += 1
    _enter_moves(one, entry_of, stride, radix)


@kernel
def _enter_moves(one: Class, entry_of: NDArray[np.int32], stride: NDArray[np.int64], radix: NDArray[np.int64]) -> None:
    """Write the moves from each index entry, piece by piece.

    entry_of: of each number of digits the entry, or -1.
    stride, radix: int64 (n), of the digit of each line.
    """
    lines, a, kinds, index, q = one.lines, one.index_line, one.index_kinds, one.index, 0
    for i in range(len(kinds)):
        k = kinds[i]
        for p in range(lines.pieces[a + i, k]):
            if not lines.moving[a + i, k, p, 0]:
                continue
            far = lines.step[a + i, k, p] * stride[i]
            for number in range(len(entry_of)):
                t = entry_of[number]
                if t >= 0:
                    digit = number // stride[i] % radix[i]
                    index.moves[t, 2 * q] = index.moves[t, 2 * q + 1] = -1
                    # A piece that can go on makes another arrangement, so the number at that distance is an entry's.
                    if lines.onward[a + i, k, p, digit] >= 0:
                        cell = 6 * i + lines.onward[a + i, k, p, digit]
                        index.moves[t, 2 * q] = entry_of[number + far] << 6 | cell
                    if lines.back[a + i, k, p, digit] >= 0:
                        cell = 6 * i + lines.back[a + i, k, p, digit]
                        index.moves[t, 2 * q + 1] = entry_of[number - far] << 6 | cell
            q += 1
    one.counts[INDEX_PIECES] = q


@kernel
def pack(one: Class, entries: NDArray[np.int32]) -> None:
    """Write how the boards of a class are packed into words.

    entries: int32 (s), the index entries that have boards.
    """
    one.counts[ENTRIES] = len(entries)
    for s in range(len(entries)):
        one.packing.slot[entries[s]], one.packing.entry[s] = s, entries[s]
    _choose_packed_lines(one)
    _write_sets(one)
    _write_entries(one)
    _write_outer_digits(one)


@kernel
def _choose_packed_lines(one: Class) -> None:
    """Choose the inner lines that fill a word best, number all digits, and list the pieces that can move."""
    tables, packing, pattern, b, kinds = one.lines, one.packing, one.index.pattern, one.inner_line, one.inner_kinds
    lines, entry, n, counts = packing.lines, packing.entry, len(kinds), one.counts
    for j in range(n):
        fits = np.int64(0)
        for s in range(counts[ENTRIES]):
            fits |= tables.fitting[b + j, kinds[j], pattern[entry[s]] >> 6 * j & 63]
        lines[j, LOW], lines[j, RADIX] = 0, 0
        # Entries have boards, so some digit fits, and this ends.
        while not fits >> lines[j, LOW] & 1:
            lines[j, LOW] += 1
        while fits >> lines[j, LOW] >> lines[j, RADIX]:
            lines[j, RADIX] += 1
    best, chosen = 0, 0
    # At most 2^6 choices of lines: the largest product up to 64 fills words best.
    for some in range(1 << n):
        size = 1
        for j in range(n):
            if some >> j & 1:
                size *= lines[j, RADIX]
        # The last of equal products is taken, so lines of a single digit are always packed.
        if best <= size <= 64:
            best, chosen = size, some
    packed_size, outer_size, packed, outer = 1, 1, 0, 0
    for j in range(n):
        lines[j, PACKED] = chosen >> j & 1
        stride = packed_size if lines[j, PACKED] else outer_size
        lines[j, STRIDE] = stride
        if lines[j, PACKED]:
            packed_size *= lines[j, RADIX]
        else:
            outer_size *= lines[j, RADIX]
        # Where one digit alone fits beside all entries, nothing in the line moves.
        for p in range(tables.pieces[b + j, kinds[j]] if lines[j, RADIX] > 1 else 0):
            step = tables.step[b + j, kinds[j], p]
            if not tables.moving[b + j, kinds[j], p, 0]:
                continue
            if lines[j, PACKED]:
                packing.packed[packed, 0], packing.packed[packed, 1] = j, p
                packing.packed_shift[packed] = step * stride
                packed += 1
            else:
                packing.outer[outer, 0], packing.outer[outer, 1] = j, p
                packing.outer[outer, 2], packing.outer[outer, 3] = step, step * stride
                outer += 1
    counts[OUTER_SIZE], counts[PACKED_PIECES], counts[OUTER_PIECES] = outer_size, packed, outer


@kernel
def _write_sets(one: Class) -> None:
    """Write the bits of sets of digits in packed lines, one digit after another, and what follows from them."""
    tables, packing, b, kinds = one.lines, one.packing, one.inner_line, one.inner_kinds
    lines, sets, free, n = packing.lines, packing.sets, packing.free, len(kinds)
    fitting, goal, goal_bits = tables.fitting, tables.goal, _EVERYTHING
    for cell in range(36):
        free[cell] = _EVERYTHING
    for j in range(n):
        if not lines[j, PACKED]:
            continue
        first = _ONE  # becomes all boards whose digit in line j is the lowest
        for i in range(n):
            if i != j and lines[i, PACKED]:
                every = _NONE
                for digit in range(lines[i, RADIX]):
                    every |= first << np.uint64(digit * lines[i, STRIDE])
                first = every
        for digit in range(lines[j, RADIX]):
            word = first << np.uint64(digit * lines[j, STRIDE])
            # Each set of digits is a smaller one and its largest digit, so all 2^radix sets take one step each.
            # The word of the empty set is 0 from the start, and stays so.
            for some in range(1 << digit):
                sets[j, some | 1 << digit] = sets[j, some] | word
        # Digits above the radix fit beside no entry, but they may beside one cell alone.
        every_digit = (1 << lines[j, RADIX]) - 1
        for i in range(n):
            free[6 * i + j] = sets[j, fitting[b + j, kinds[j], 1 << i] >> lines[j, LOW] & every_digit]
        goal_bits &= sets[j, goal[b + j, kinds[j]] >> lines[j, LOW] & every_digit]
    packing.goal_bits[0] = goal_bits


@kernel
def _write_entries(one: Class) -> None:
    """Write what each index entry leaves to the inner lines: boards, and digits from which pieces can go on."""
    tables, packing, b, kinds = one.lines, one.packing, one.inner_line, one.inner_kinds
    lines, sets, n, pattern = packing.lines, packing.sets, len(kinds), one.index.pattern
    packed_pieces, outer_pieces = one.counts[PACKED_PIECES], one.counts[OUTER_PIECES]
    for s in range(one.counts[ENTRIES]):
        valid, covered = _EVERYTHING, pattern[packing.entry[s]]
        for j in range(n):
            if lines[j, PACKED]:
                # What fits beside an entry lies within the radix, so here no mask is needed.
                valid &= sets[j, tables.fitting[b + j, kinds[j], covered >> 6 * j & 63] >> lines[j, LOW]]
        packing.valid[s] = valid
        for q in range(packed_pieces):
            j, p = packing.packed[q, 0], packing.packed[q, 1]
            packing.packed_mask[s, q] = sets[
                j, tables.moving[b + j, kinds[j], p, covered >> 6 * j & 63] >> lines[j, LOW]
            ]
        for q in range(outer_pieces):
            j, p = packing.outer[q, 0], packing.outer[q, 1]
            packing.outer_set[s, q] = tables.moving[b + j, kinds[j], p, covered >> 6 * j & 63] >> lines[j, LOW]


@kernel
def _write_outer_digits(one: Class) -> None:
    """Write digits, covered cells and goals of each value of w."""
    tables, packing, b, kinds = one.lines, one.packing, one.inner_line, one.inner_kinds
    lines, n = packing.lines, len(kinds)
    for w in range(one.counts[OUTER_SIZE]):
        digits, covered, goal = 0, 0, True
        for j in range(n):
            if lines[j, PACKED]:
                continue
            from_lowest = w // lines[j, STRIDE] % lines[j, RADIX]
            digit = from_lowest + lines[j, LOW]
            digits |= from_lowest << 4 * j
            cells = tables.covered[b + j, kinds[j], digit]
            if cells >= 0:
                for i in range(n):
                    covered |= (cells >> i & 1) << (6 * i + j)
            goal &= tables.goal[b + j, kinds[j]] >> digit & 1 == 1
        packing.digits[w], packing.covered[w], packing.goal[w] = digits, covered, goal


@kernel
def code_of(one: Class, s: int, w: int, bit: int) -> np.uint64:
    """The code of a board: five bits for each line, the first row highest, the numbers of their arrangements."""
    packing, b, kinds, numbers = one.packing, one.inner_line, one.inner_kinds, one.lines.number
    code, digits, lines, n = one.index.number[packing.entry[s]], packing.digits[w], packing.lines, len(kinds)
    for j in range(n):
        digit = digits >> 4 * j & 15
        if lines[j, PACKED]:
            digit = bit // lines[j, STRIDE] % lines[j, RADIX]
        code |= np.uint64(numbers[b + j, kinds[j], digit + lines[j, LOW]]) << np.uint64(5 * (2 * n - 1 - b - j))
    return code
