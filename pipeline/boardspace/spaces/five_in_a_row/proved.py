"""Boards and boxes with their certificates, as checks take them, and certificates weighed from the rules alone.

A certificate gives lines a weight and strips a price for each cell. Where no stone is charged more than the scale, all
in all, any placement has at least as many stones as the weights and the cheapest placements on the strips come to, in
units of the scale: that is the bound. :func:`weigh` verifies this, the placement that attains the minimum, and the
weights that were aimed at later states, which must spare the cells still to be decided alone.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import Any

import numpy as np

from boardspace.spaces.five_in_a_row import rules, strip_rows

SCALE = 1 << 30
VERSION = 2
FIELDS = {
    "version", "shape", "k", "minimum", "count", "proof", "empty_budgets", "states", "witness", "scale", "floor",
    "lines", "strips", "aimed",
}  # fmt: skip
STRIP = {"start", "costs"}
AIM = {"cells", "lines"}
Row = dict[str, Any]
Key = tuple[int, ...]
"""k, then the sides, longest first."""


class UnsoundError(ValueError):
    """A certificate that does not prove what it says."""


def weigh(certificate: Mapping[str, Any]) -> int:
    """The bound that a certificate proves, in 1 / SCALE stone; its fields and its witness are verified too.

    Raises:
        UnsoundError: what is wrong.
    """
    if set(certificate) != FIELDS or certificate["version"] != VERSION or certificate["scale"] != SCALE:
        raise UnsoundError("it has other fields, another version or another scale")
    shape, k = tuple(certificate["shape"]), certificate["k"]
    _require(_whole([*shape, k, certificate["minimum"], certificate["floor"], certificate["states"]]), "a number")
    _verify_witness(shape, k, certificate["witness"], certificate["minimum"])
    charged = _charged(shape, k, certificate["lines"])
    floor = sum(weight for _, _, weight in certificate["lines"])
    starts = [strip["start"] for strip in certificate["strips"]]
    _require(starts == sorted(set(starts)), "the order of strips")
    for strip in certificate["strips"]:
        _require(set(strip) == STRIP and _whole([strip["start"], *strip["costs"]]), "a strip")
        width, rest = divmod(len(strip["costs"]), shape[0])
        _require(len(shape) == 2 and not rest and 0 <= strip["start"] <= shape[1] - width, "a strip's place")
        prices = np.array(strip["costs"], dtype=np.int64).reshape(shape[0], width)
        charged.reshape(shape)[:, strip["start"] : strip["start"] + width] += prices
        floor += strip_rows.least_price(k, width, prices)
    _require(int(charged.max()) <= SCALE, "the charge of a stone")
    for aim in certificate["aimed"]:
        _require(set(aim) == AIM and _whole([aim["cells"]]) and 0 <= aim["cells"] < len(charged), "an aim")
        _require(int(_charged(shape, k, aim["lines"])[aim["cells"] :].max()) <= SCALE, "the charge of an aim")
    if floor != certificate["floor"]:
        raise UnsoundError(f"the bound is {floor}, it says {certificate['floor']}")
    return floor


def _verify_witness(shape: tuple[int, ...], k: int, witness: str, stones: int) -> None:
    """The witness has so many stones and leaves no line free."""
    _require(len(witness) == np.prod(shape) and set(witness) <= set(".#"), "the witness")
    _require(witness.count("#") == stones, "the number of stones of the witness")
    lines = ((line[0], line[-1], line[1] - line[0] if k > 1 else 1) for line in _by_ends(shape, k).values())
    _require(all("#" in witness[first : last + 1 : step] for first, last, step in lines), "a line of the witness")


def _charged(shape: tuple[int, ...], k: int, weighted: Sequence[Sequence[int]]) -> np.ndarray:
    """(cells,): by cell, the weights of the lines through it; lines are given by first cell, last cell and weight."""
    ends = _by_ends(shape, k)
    charged = [0] * int(np.prod(shape))
    _require(_whole([number for line in weighted for number in line]), "a line's weight")
    for first, last, weight in weighted:
        _require(weight >= 0 and (first, last) in ends, "a line's weight")
        for cell in ends[first, last]:
            charged[cell] += weight
    return np.array(charged, dtype=np.int64)


@lru_cache(maxsize=1)
def _by_ends(shape: tuple[int, ...], k: int) -> Mapping[tuple[int, int], tuple[int, ...]]:
    return {(line[0], line[-1]): line for line in rules.lines(shape, k)}


def _whole(numbers: Sequence[Any]) -> bool:
    return all(type(number) is int and -SCALE * SCALE < number < SCALE * SCALE for number in numbers)


def _require(right: bool, what: str) -> None:
    if not right:
        raise UnsoundError(f"{what} is wrong")


@dataclass(frozen=True, eq=False)
class Proved:
    """A board or a box.

    key: k, then its sides.
    row: its row of ``results`` or ``boxes``.
    text: its certificate; None where it has none.
    refutation: a solver's proof that one stone less does not suffice; None where it has none.
    """

    key: Key
    row: Row
    text: str | None
    refutation: str | None

    @property
    def sides(self) -> tuple[int, ...]:
        """Its sides, longest first."""
        return self.key[1:]

    @property
    def cells(self) -> int:
        """Number of its cells."""
        return prod(self.sides)

    @property
    def where(self) -> str:
        """Its name in a fault."""
        return named(self.key)

    @property
    def searched(self) -> bool:
        """True where a search proved its row, whole or in parts."""
        return self.row["proof"] in ("bound", "search")

    @cached_property
    def certificate(self) -> Any:
        """Its certificate as a document; None where it has none. ValueError where it is no JSON."""
        return None if self.text is None else json.loads(self.text)

    @property
    def proved_by_weights(self) -> bool:
        """True where the bound of the certificate, rounded up, is the number of stones."""
        return -(-self.certificate["floor"] // SCALE) == self.row["stones"]


def named(key: Key) -> str:
    """The name of a board or a box in a fault."""
    return f"{' x '.join(map(str, key[1:]))}, k = {key[0]}"


def key_of(row: Row) -> Key:
    """The key of a row of a table of boards."""
    return row["k"], row["rows"], row["columns"]
