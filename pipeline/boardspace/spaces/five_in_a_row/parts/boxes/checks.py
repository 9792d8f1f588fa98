"""Boxes made anew, as boards are, and their classes by the placements that a symmetry keeps as they are.

These are counted on the orbits of its cells, decided in the order of their first cells. A state is the set of lines
that hold a stone, among those begun and not ended, and the stones so far; the weights of the certificate's lines drop
states, as any valid bound may: the lines that hold no stone yet need at least as many stones as their weights come to.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np

from boardspace.spaces.five_in_a_row import verified
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.proved import Proved, Row
from boardspace.spec.equations import Making, RowFaultError
from boardspace.spec.second_rules import bits, cycles, symmetries, transfer
from boardspace_kernels.five_in_a_row.checker import checked_bound

SIDES = ("k", "a", "b", "c")
COUNTED_STATES = 10_000_000
"""Classes are counted of boxes whose searches have so few states: in seconds."""
KEPT_STATES = 1 << 21
"""No symmetry keeps placements through so many states, all layers together; of 6 x 3 x 3, k = 3, it is a fifteenth."""
Symmetry = tuple[int, ...]
"""For each cell, in C order, the cell that it goes to."""


def make_boxes(config: FiveInARowConfig, name: str, at: Making) -> dict[str, list[Row]]:
    """A row for each box of the config."""
    named = sorted({(k, *sorted(sides, reverse=True)) for k, *sides in config.boxes})
    rows = [(key, row) for row in at.rows("boxes") if (key := tuple(row[side] for side in SIDES)) in named]
    proved = {key: Proved(key, row, row["certificate"], row["refutation"]) for key, row in rows}
    known, boxes = verified.known(config, list(proved.values()), at.draw), list[Row]()
    for box in named:
        row: Row = dict(zip(SIDES, box, strict=True))
        if (one := proved.get(box)) is not None:
            proof = "bound" if one.proved_by_weights else "search"
            row |= {"proof": proof, "certificate": one.text} | known[box] | _classes(config, one)
            if one.row["refuted"] is None or "refuted" in row:
                row["refutation"] = None if one.row["refuted"] is None else one.refutation
        boxes.append(row)
    return {"boxes": boxes}


def _classes(config: FiveInARowConfig, one: Proved) -> Row:
    """The classes of a box whose placements were listed; of others there are none."""
    placements, found = int(one.row["placements"]), one.row["classes"]
    if placements > config.listed:
        return {"classes": None}
    every = list(dict.fromkeys(symmetries(one.sides)))  # a side of one cell makes some of them twice
    if one.row["states"] > COUNTED_STATES:
        if not placements <= len(every) * int(found or 0) <= placements * len(every):
            raise RowFaultError(f"{one.where}: {found} classes of {placements}")
        return {}
    identity = tuple(range(one.cells))
    kept = placements + sum(
        len(alike) * kept_by(alike[0], one.certificate) for alike in conjugates(every) if alike != [identity]
    )
    classes, rest = divmod(kept, len(every))
    return {"classes": f"{kept} / {len(every)}" if rest else str(classes)}


def conjugates(every: Sequence[Symmetry]) -> list[list[Symmetry]]:
    """The symmetries of a group in classes of conjugates.

    With ``a = b c b^-1`` a placement is kept by c exactly where b carries it to one that is kept by a: each symmetry of
    a class keeps as many placements as any other.
    """
    inverse = {one: tuple(np.argsort(one).tolist()) for one in every}
    found: list[list[Symmetry]] = []
    left = dict.fromkeys(every)
    while left:
        one = next(iter(left))
        found.append(list(dict.fromkeys(tuple(by[one[cell]] for cell in inverse[by]) for by in every)))
        for same in found[-1]:
            del left[same]
    return found


def kept_by(symmetry: Symmetry, certificate: Mapping[str, Any]) -> int:
    """Number of placements with the certificate's minimum of stones that the symmetry keeps as they are. RowFaultError
    where the certificate's weights drop so few states that there are too many."""
    shape, k, most = certificate["shape"], certificate["k"], certificate["minimum"] * certificate["scale"]
    bound = checked_bound(certificate)
    orbits = list(cycles(symmetry))
    number_of = {cell: number for number, orbit in enumerate(orbits) for cell in orbit}
    through, ending = [0] * len(orbits), [0] * len(orbits)
    for bit, line in enumerate(bound.lines):
        numbers = {number_of[cell] for cell in line}
        for number in numbers:
            through[number] |= 1 << bit
        ending[max(numbers)] |= 1 << bit
    weight_of = functools.cache(lambda free: sum(bound.weights[bit] for bit in bits(free)))
    met = count(1)

    def ways(number: int, state: tuple[int, int, int]) -> Iterator[tuple[tuple[int, int, int], int]]:
        """Leave an orbit free, or place stones on it; what the weights of lines without come to goes along."""
        hit, stones, owed = state
        if next(met) > KEPT_STATES:
            raise RowFaultError(f"box {shape}, k = {k}: its weights leave more than {KEPT_STATES:,} states")
        if not ending[number] & ~hit:
            yield (hit & ~ending[number], stones, owed), 1
        stones, owed = stones + len(orbits[number]), owed - weight_of(through[number] & ~hit)
        if stones * certificate["scale"] + owed <= most:
            yield ((hit | through[number]) & ~ending[number], stones, owed), 1

    ends = transfer((0, 0, sum(bound.weights)), range(len(orbits)), ways)
    return sum(number for (_, stones, _), number in ends.items() if stones == certificate["minimum"])
