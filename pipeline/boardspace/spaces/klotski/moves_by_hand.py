"""Moves made by hand, layout after layout, in plain Python, apart from the kernels and from :mod:`.walks`.

A layout is four integers here, the block's cell and masks of the anchors of lying dominoes, standing ones and singles.
A search goes from a layout outward, layer by layer, in a dictionary. It finds the nearest layouts at the exit; carried
through the whole group it also finds which layouts at the exit have no other on any shortest path, the solutions.
"""

from collections.abc import Iterator
from functools import cache

from boardspace.spaces.klotski.texts import CELLS, COLUMNS, EXIT, ITEMS, ROWS, decode, format_code

BLOCK, LYING, STANDING, SINGLE = range(4)
EXTENT = ((2, 2), (1, 2), (2, 1), (1, 1))
Layout = tuple[int, int, int, int]


def nearest_solutions(start: Layout, budget: int) -> tuple[tuple[int, int] | None, int]:
    """Return steps to the nearest layouts at the exit and their number, (-1, 0) where there are none; None where more
    than ``budget`` layouts would have to be seen. Then how many were seen."""
    seen, layer, step = {start}, [start], 0
    while layer:
        solved = sum(layout[BLOCK] == EXIT for layout in layer)
        if solved:
            return (step, solved), len(seen)
        following = []
        for layout in layer:
            for other in steps(layout):
                if other not in seen:
                    seen.add(other)
                    following.append(other)
            if len(seen) > budget:
                return None, len(seen)
        layer, step = following, step + 1
    return (-1, 0), len(seen)


def all_solutions(start: Layout) -> int:
    """Number of layouts at the exit with no other, nor ``start``, on any shortest path to them."""
    step_of, clean, layer, step, solutions = {start: 0}, {start: True}, [start], 0, 0
    while layer:
        following = []
        for layout in layer:
            at_exit = layout[BLOCK] == EXIT
            solutions += at_exit and clean[layout]
            passes = clean[layout] and not at_exit
            for other in steps(layout):
                if other not in step_of:
                    step_of[other] = step + 1
                    clean[other] = passes
                    following.append(other)
                elif step_of[other] == step + 1:
                    clean[other] &= passes
        layer, step = following, step + 1
    return solutions


def steps(layout: Layout) -> Iterator[Layout]:
    """Every layout that one piece makes by moving any number of cells, round corners too."""
    anchors = (1 << layout[BLOCK], *layout[LYING:])
    covered = sum(_covered(kind, anchors[kind]) for kind in range(4))
    for kind in range(4):
        left = anchors[kind]
        while left:
            bit = left & -left
            left ^= bit
            home = bit.bit_length() - 1
            footprint, beside = _moves(kind)[home]
            others = covered ^ footprint
            if any(not shape & others for _, shape in beside):
                for cell in _reached(kind, home, others):
                    yield _moved(layout, kind, home, cell)


def _reached(kind: int, home: int, others: int) -> list[int]:
    """The anchors that a piece reaches from its own where the other pieces cover the cells ``others``."""
    seen, places = 1 << home, [home]
    for place in places:
        for cell, shape in _moves(kind)[place][1]:
            if not shape & others and not seen >> cell & 1:
                seen |= 1 << cell
                places.append(cell)
    return places[1:]


def _moved(layout: Layout, kind: int, home: int, cell: int) -> Layout:
    if kind == BLOCK:
        return cell, layout[LYING], layout[STANDING], layout[SINGLE]
    swap = [0, 0, 0, 0]
    swap[kind] = 1 << home | 1 << cell
    return layout[BLOCK], layout[LYING] ^ swap[LYING], layout[STANDING] ^ swap[STANDING], layout[SINGLE] ^ swap[SINGLE]


@cache
def _moves(kind: int) -> dict[int, tuple[int, list[tuple[int, int]]]]:
    """For each anchor of a kind of piece the cells it covers, and the anchors beside it with theirs."""
    height, width = EXTENT[kind]
    shape = {
        COLUMNS * row + column: sum(1 << COLUMNS * (row + r) + column + c for r in range(height) for c in range(width))
        for row in range(ROWS - height + 1)
        for column in range(COLUMNS - width + 1)
    }
    beside = {cell: [other for other in shape if _apart(cell, other) == 1] for cell in shape}
    return {cell: (shape[cell], [(other, shape[other]) for other in beside[cell]]) for cell in shape}


def _apart(cell: int, other: int) -> int:
    return abs(cell // COLUMNS - other // COLUMNS) + abs(cell % COLUMNS - other % COLUMNS)


def _covered(kind: int, anchors: int) -> int:
    height, width = EXTENT[kind]
    return sum(anchors << COLUMNS * row + column for row in range(height) for column in range(width))


def layout_of(code: int) -> Layout:
    """The layout of a code."""
    pieces = decode(code, format_code(code))
    masks = [0, 0, 0]
    for piece in pieces[1:]:
        masks[EXTENT.index((piece.height, piece.width)) - 1] |= 1 << piece.cell
    return (pieces[0].cell, masks[0], masks[1], masks[2])


def code_of(layout: Layout) -> int:
    """The code of a layout: an item for each cell that no earlier piece covers."""
    code, items = layout[BLOCK], 0
    covered = _covered(BLOCK, 1 << layout[BLOCK])
    for cell in range(CELLS):
        if not covered >> cell & 1:
            item = next((kind for kind in (LYING, STANDING, SINGLE) if layout[kind] >> cell & 1), 0)
            covered |= _covered(item, 1 << cell) if item else 0
            code, items = code << 2 | item, items + 1
    return code << 2 * (ITEMS - items)
