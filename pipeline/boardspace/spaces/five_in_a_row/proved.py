"""Boards and boxes with their certificates, as checks take them, and certificates weighed from the rules alone.

A certificate gives lines a weight and strips a price for each cell. Where no stone is charged more than the scale, all
in all, any placement has at least as many stones as the weights and the cheapest placements on the strips come to, in
units of the scale: that is the bound. :func:`weigh` verifies this, with the charges and the placement that
:mod:`boardspace_kernels.five_in_a_row.checker` looks at and the cheapest placements of :mod:`.strip_rows`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from boardspace.spaces.five_in_a_row import strip_rows
from boardspace_kernels.five_in_a_row.checker import CertificateError, check_claims, checked_bound

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


def weigh(certificate: Mapping[str, Any]) -> int:
    """The bound that a certificate proves, in 1 / SCALE stone; its fields and its witness are verified too.

    Raises:
        CertificateError: what is wrong.
    """
    if set(certificate) != FIELDS or certificate["version"] != VERSION or certificate["scale"] != SCALE:
        raise CertificateError("it has other fields, another version or another scale")
    bound = checked_bound(certificate)
    check_claims(certificate, bound.lines)
    shape, strips, aims = certificate["shape"], certificate["strips"], certificate["aimed"]
    starts = [strip["start"] for strip in strips]
    if starts != sorted(set(starts)) or (strips and len(shape) != 2) or type(certificate["states"]) is not int:
        raise CertificateError("the order of strips, a strip's place or the number of states is wrong")
    if any(set(strip) != STRIP for strip in strips) or any(set(aim) != AIM for aim in aims):
        raise CertificateError("a strip or an aim has other fields")
    floor = sum(bound.weights)
    for strip in bound.strips:
        prices = np.array(list(strip.values()), dtype=np.int64).reshape(shape[0], -1)
        floor += strip_rows.least_price(certificate["k"], prices.shape[1], prices)
    if floor != certificate["floor"]:
        raise CertificateError(f"the bound is {floor}, it says {certificate['floor']}")
    return floor


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
