"""Checks what a certificate says of its board from the rules alone, in plain Python: form, placement, and charges.

It shares no code with the search. A bound of weights and costs holds where no stone is charged more than the scale
(:mod:`.bound`). :mod:`.recount` adds up what such a bound proves, and counts placements by it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple, TypeVar

VERSIONS = (1, 2)
"""Of certificates, that are understood."""
LARGEST = 1 << 60
"""Values below this, and a few of them added, fit 64 bits."""

Line = tuple[int, ...]
Found = TypeVar("Found")


class CertificateError(ValueError):
    """A certificate that does not prove what it says."""


class Bound(NamedTuple):
    """The bound of a certificate, whose charges are right.

    lines: every line of the board.
    weights: of each of these.
    strips: of each strip its cells, ascending, each with the cost of a stone on it.
    aimed: the weights of lines that were aimed at the states after so many cells, one after another.
    """

    lines: Sequence[Line]
    weights: Sequence[int]
    strips: Sequence[Mapping[int, int]]
    aimed: Sequence[tuple[int, Sequence[int]]]


def all_lines(shape: Sequence[int], k: int) -> list[Line]:
    """Every k cells in a row, in any direction, as ascending cell numbers in C order."""
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    lines = []
    for heading in product((-1, 0, 1), repeat=len(shape)):
        if heading > (0,) * len(shape):  # of two opposite headings the one in which cells ascend
            # Along every axis the first cells from which k - 1 steps stay on the board.
            ranges = [
                range(max(0, -h * (k - 1)), side - max(0, h * (k - 1))) for h, side in zip(heading, shape, strict=True)
            ]
            step = sum(h * stride for h, stride in zip(heading, strides, strict=True))
            firsts = [0]
            for places, stride in zip(ranges, strides, strict=True):
                firsts = [first + place * stride for first in firsts for place in places]
            lines += [tuple(range(first, first + k * step, step)) for first in firsts]
    return sorted(lines)


def checked_bound(certificate: Mapping[str, Any]) -> Bound:
    """The bound of a certificate, if no stone is charged more than the scale. What it adds up to is left to the caller.

    Raises:
        CertificateError: what is wrong, where.
    """
    return _of_right_form(_bound, certificate)


def check_claims(certificate: Mapping[str, Any], lines: Sequence[Line]) -> None:
    """Check the form of what a certificate says that its bound proves, and its placement on a board with these lines.

    Raises:
        CertificateError: what is wrong, where.
    """
    _of_right_form(lambda given: _check_claims(given, lines), certificate)


def _of_right_form(check: Callable[[Mapping[str, Any]], Found], certificate: Mapping[str, Any]) -> Found:
    try:
        return check(certificate)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, CertificateError):
            raise
        raise CertificateError(f"the certificate has a part that is missing or of another form: {error!r}") from error


def _bound(certificate: Mapping[str, Any]) -> Bound:
    shape, k, scale, aims = certificate["shape"], certificate["k"], certificate["scale"], certificate.get("aimed", [])
    version = certificate.get("version", 1)
    numbers = {
        "lines": [x for line in certificate["lines"] for x in line],
        "strips": [x for strip in certificate["strips"] for x in (strip["start"], *strip["costs"])],
        "aimed": [x for aim in aims for x in (aim["cells"], *(y for line in aim["lines"] for y in line))],
    }
    _require_whole_numbers({"k": [k], "shape": shape, "scale": [scale], "version": [version]} | numbers)
    if version not in VERSIONS:
        raise CertificateError(f"version {version}; understood are {VERSIONS}")
    if min(scale, k - 1, *shape) < 1 or not shape:
        raise CertificateError("the scale and the sides are at least 1, and k at least 2")
    cells, lines = prod(shape), all_lines(shape, k)
    if max(map(abs, (scale, *(x for some in numbers.values() for x in some)))) * (cells + len(lines)) >= LARGEST:
        raise CertificateError("a weight, a cost or the scale is too large to be added")
    weights = _weights(certificate["lines"], lines)
    charged = _charged(weights, lines, cells)
    strips = [_strip(strip["start"], strip["costs"], shape[-1], cells) for strip in certificate["strips"]]
    for strip in strips:
        for cell, cost in strip.items():
            charged[cell] += cost
    if max(charged) > scale:
        raise CertificateError(f"a stone on cell {charged.index(max(charged))} is charged more than the scale")
    if len(set(map(len, strips))) > 1:
        raise CertificateError("the strips differ in width")
    aimed = [(aim["cells"], _weights(aim["lines"], lines)) for aim in aims]
    for after, aim in aimed:
        if not 0 <= after < cells or max(_charged(aim, lines, cells)[after:]) > scale:
            raise CertificateError(f"the weights aimed at the states after {after} cells charge more than the scale")
    return Bound(lines, weights, strips, aimed)


def _require_whole_numbers(places: Mapping[str, Iterable[Any]]) -> None:
    """Refuse a number that is not whole, for a float compares and adds as it likes (NaN is not above any scale)."""
    for name, numbers in places.items():
        for number in numbers:
            if type(number) is not int:
                raise CertificateError(f"{name}: {number!r} is no whole number")


def _weights(given: Sequence[Sequence[int]], lines: Sequence[Line]) -> list[int]:
    """Weights by line, of those given as first cell, last cell and weight."""
    left = {(first, last): weight for first, last, weight in given}
    weights = [left.pop((line[0], line[-1]), 0) for line in lines] if left else [0] * len(lines)
    if left:
        raise CertificateError(f"no line runs from cell {min(left)[0]} to cell {min(left)[1]}")
    if min(weights, default=0) < 0:
        raise CertificateError("a line has a negative weight")
    return weights


def _charged(weights: Sequence[int], lines: Sequence[Line], cells: int) -> list[int]:
    """Charge of a stone on each cell by the weights of the lines through it."""
    charged = [0] * cells
    for line, weight in zip(lines, weights, strict=True):
        if weight:
            for cell in line:
                charged[cell] += weight
    return charged


def _strip(start: int, costs: Sequence[int], columns: int, cells: int) -> Mapping[int, int]:
    """The cells of a strip and their costs."""
    width, rest = divmod(len(costs) * columns, cells)
    if rest or width < 1 or not 0 <= start <= columns - width:
        raise CertificateError(f"{len(costs)} costs from column {start} on make no strip of the board")
    under = (cell for cell in range(cells) if start <= cell % columns < start + width)
    return dict(zip(under, costs, strict=True))


def _check_claims(certificate: Mapping[str, Any], lines: Sequence[Line]) -> None:
    _require_whole_numbers({name: [certificate[name]] for name in ("minimum", "floor")})
    count, proof, witness = (certificate[name] for name in ("count", "proof", "witness"))
    if count is not None and not (type(count) is str and count.isdecimal()):
        raise CertificateError(f"count: {count!r} is no number in decimal digits")
    if proof not in ("bound", "search"):
        raise CertificateError(f"proof: {proof!r} is neither 'bound' nor 'search'")
    if len(witness) != prod(certificate["shape"]) or not set(witness) <= set("#."):
        raise CertificateError(f"the witness is no board of {certificate['shape']} cells, # or .")
    stones = {cell for cell, mark in enumerate(witness) if mark == "#"}
    if len(stones) != certificate["minimum"]:
        raise CertificateError(f"the witness has {len(stones)} stones, not {certificate['minimum']}")
    for line in lines:
        if stones.isdisjoint(line):
            raise CertificateError(f"the witness leaves the line of cells {line} free")
