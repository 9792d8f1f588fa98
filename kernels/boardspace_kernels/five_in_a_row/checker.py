"""Checks a certificate from the rules alone, in plain Python; it shares no code with the search.

Its own encoding: the state after t cells is the set of lines that already hold a stone, among those begun and not
ended, as one integer with a bit for every line. Its own search: a dictionary from (set, stones) to the number of
ways. The certificate's bounds, at the root and aimed at later states, are verified first and then used to drop states,
as any valid bound may be.

It is slower than the search by a factor of about a hundred, and meant for boards with up to some 100,000 states.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import ceil, prod
from typing import Any

Line = tuple[int, ...]
Step = tuple[int, int]


class CertificateError(ValueError):
    """A certificate that does not prove what it says."""


def all_lines(shape: Sequence[int], k: int) -> list[Line]:
    """Every k cells in a row, in any direction, as ascending cell numbers in C order."""
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    lines = []
    for heading in product((-1, 0, 1), repeat=len(shape)):
        if heading > (0,) * len(shape):  # of two opposite headings the one in which cells ascend
            ranges = [
                range(max(0, -h * (k - 1)), side - max(0, h * (k - 1))) for h, side in zip(heading, shape, strict=True)
            ]
            step = sum(h * stride for h, stride in zip(heading, strides, strict=True))
            firsts = [0]
            for places, stride in zip(ranges, strides, strict=True):
                firsts = [first + place * stride for first in firsts for place in places]
            lines += [tuple(range(first, first + k * step, step)) for first in firsts]
    return sorted(lines)


def check_certificate(certificate: Mapping[str, Any]) -> None:
    """Verify the witness, the bound, the minimum and, where the certificate gives one, the count.

    Raises:
        CertificateError: what is wrong, where.
    """
    try:
        checker = _Checker(certificate)
        checker.witness()
    except (AttributeError, KeyError, IndexError, TypeError) as error:
        raise CertificateError(f"the certificate has a part that is missing or of another form: {error!r}") from error
    checker.bound()
    checker.minimum()
    checker.count()


def _require_whole_numbers(certificate: Mapping[str, Any]) -> None:
    """Refuse a certificate with a number that is not whole, for a float compares and adds as it likes (NaN is not
    above any scale), with a scale that is not positive, or with a proof of no known kind."""
    places = {name: [certificate[name]] for name in ("k", "minimum", "scale", "floor")}
    places |= {"shape": certificate["shape"], "lines": [x for line in certificate["lines"] for x in line]}
    places["strips"] = [x for strip in certificate["strips"] for x in (strip["start"], *strip["costs"])]
    aims = certificate.get("aimed", [])
    places["aimed"] = [x for aim in aims for x in (aim["cells"], *(y for line in aim["lines"] for y in line))]
    places["version"] = [certificate.get("version", 1)]
    if any(len(line) != 3 for lines in (certificate["lines"], *(aim["lines"] for aim in aims)) for line in lines):
        raise CertificateError("a line's weight is given by its first cell, its last cell and the weight")
    for name, numbers in places.items():
        for number in numbers:
            if type(number) is not int:
                raise CertificateError(f"{name}: {number!r} is no whole number")
    if certificate.get("version", 1) not in (1, 2):
        raise CertificateError(f"version {certificate['version']}; this checker knows 1 and 2")
    if min(certificate["scale"], certificate["k"] - 1, *certificate["shape"]) < 1 or not certificate["shape"]:
        raise CertificateError("the scale and the sides are at least 1, and k at least 2")
    count = certificate["count"]
    if count is not None and not (type(count) is str and count.isdecimal()):
        raise CertificateError(f"count: {count!r} is no number in decimal digits")
    if certificate["proof"] not in ("bound", "search"):
        raise CertificateError(f"proof: {certificate['proof']!r} is neither 'bound' nor 'search'")


class _Checker:
    def __init__(self, certificate: Mapping[str, Any]) -> None:
        _require_whole_numbers(certificate)
        self.given = certificate
        self.shape: list[int] = certificate["shape"]
        self.cells = prod(self.shape)
        if len(certificate["witness"]) != self.cells:
            raise CertificateError(f"the witness has {len(certificate['witness'])} cells, not {self.cells}")
        self.scale: int = certificate["scale"]
        self.lines = all_lines(self.shape, certificate["k"])
        self.weights = self._weights(certificate["lines"])
        self.aimed = [(aim["cells"], self._weights(aim["lines"])) for aim in certificate.get("aimed", [])]
        self.strips = [_Strip(self, strip["start"], strip["costs"]) for strip in certificate["strips"]]

    @cached_property
    def through(self) -> list[int]:
        """Sets of lines through each cell; a bound alone needs none of them, and large boards have no room."""
        sets = [0] * self.cells
        for i, line in enumerate(self.lines):
            for cell in line:
                sets[cell] |= 1 << i
        return sets

    @cached_property
    def ending(self) -> list[int]:
        """Sets of lines that end at each cell."""
        sets = [0] * self.cells
        for i, line in enumerate(self.lines):
            sets[line[-1]] |= 1 << i
        return sets

    def _weights(self, lines: Sequence[Sequence[int]]) -> list[int]:
        given = {(first, last): weight for first, last, weight in lines}
        weights = [given.pop((line[0], line[-1]), 0) for line in self.lines]
        if given:
            raise CertificateError(f"no line runs from cell {min(given)[0]} to cell {min(given)[1]}")
        if min(weights, default=0) < 0:
            raise CertificateError("a line has a negative weight")
        return weights

    def witness(self) -> None:
        """The witness has X stones and leaves no line free."""
        stones = {cell for cell, mark in enumerate(self.given["witness"]) if mark == "#"}
        if len(stones) != self.given["minimum"]:
            raise CertificateError(f"the witness has {len(stones)} stones, not {self.given['minimum']}")
        for line in self.lines:
            if stones.isdisjoint(line):
                raise CertificateError(f"the witness leaves the line of cells {line} free")

    def bound(self) -> None:
        """No stone is charged more than the scale, and the bound is what the certificate says."""
        charged = self._charged(self.weights)
        for strip in self.strips:
            for cell, cost in strip.cost.items():
                charged[cell] += cost
        if max(charged) > self.scale:
            raise CertificateError(f"a stone on cell {charged.index(max(charged))} is charged more than the scale")
        floor = sum(self.weights) + sum(strip.to_go[0][0] for strip in self.strips)
        if floor != self.given["floor"]:
            raise CertificateError(f"the bound is {floor}, not {self.given['floor']}")

        for cells, weights in self.aimed:
            if not 0 <= cells < self.cells or max(self._charged(weights)[cells:]) > self.scale:
                raise CertificateError(
                    f"the weights aimed at the states after {cells} cells charge more than the scale"
                )

    def _charged(self, weights: Sequence[int]) -> list[int]:
        """Weight of the lines through each cell."""
        charged = [0] * self.cells
        for line, weight in zip(self.lines, weights, strict=True):
            for cell in line:
                charged[cell] += weight
        return charged

    def minimum(self) -> None:
        """The bound, rounded up, is X, or a search with X - 1 stones finds nothing."""
        proved = ceil(Fraction(self.given["floor"], self.scale))
        if proved == self.given["minimum"]:
            return
        if self.given["proof"] == "bound":
            raise CertificateError(f"the bound proves {proved} stones, not {self.given['minimum']}")
        if self._placements(self.given["minimum"] - 1):
            raise CertificateError(f"{self.given['minimum'] - 1} stones suffice")

    def count(self) -> None:
        """The number of placements with X stones, where it is given."""
        if self.given["count"] is None:
            return
        found = self._placements(self.given["minimum"])
        if found != int(self.given["count"]):
            raise CertificateError(f"there are {found} placements with {self.given['minimum']} stones")

    def _placements(self, stones: int) -> int:
        """The number of blocking placements with at most that many stones."""
        layer = {(0, 0): (1, sum(self.weights))}
        for cell in range(self.cells):
            for weights in (weights for cells, weights in self.aimed if cells == cell):
                layer = {
                    (hit, used): value
                    for (hit, used), value in layer.items()
                    if used * self.scale + self._owed(weights, cell, hit) <= stones * self.scale
                }
            following: dict[Step, tuple[int, int]] = {}
            for (hit, used), (ways, owed) in layer.items():
                for stone in (0, 1):
                    after = hit | self.through[cell] if stone else hit
                    if self.ending[cell] & ~after:
                        continue
                    newly = after & ~hit
                    left = owed - sum(w for i, w in enumerate(self.weights) if newly >> i & 1) if newly else owed
                    after &= ~self.ending[cell]
                    strips = sum(strip.least(cell + 1, after) for strip in self.strips)
                    if (used + stone) * self.scale + left + strips <= stones * self.scale:
                        before = following.get((after, used + stone), (0, 0))[0]
                        following[after, used + stone] = (before + ways, left)
            layer = following
        return sum(ways for ways, _ in layer.values())

    def _owed(self, weights: Sequence[int], cells: int, hit: int) -> int:
        """The weight of the lines that end after the first ``cells`` cells and hold no stone yet."""
        unended = (i for i, line in enumerate(self.lines) if line[-1] >= cells)
        return sum(weights[i] for i in unended if not hit >> i & 1)


class _Strip:
    """A strip's lines, costs, and the cheapest completion after each number of board cells, by the lines hit."""

    def __init__(self, checker: _Checker, start: int, costs: list[int]) -> None:
        columns = checker.shape[-1]
        width = len(costs) * columns // checker.cells
        if len(costs) != width * (checker.cells // columns) or not 0 <= start <= columns - width:
            raise CertificateError(f"{len(costs)} costs from column {start} on make no strip of the board")
        under = [cell for cell in range(checker.cells) if start <= cell % columns < start + width]
        self.cost = dict(zip(under, costs, strict=True))
        self.mask = sum(1 << i for i, line in enumerate(checker.lines) if all(cell in self.cost for cell in line))
        reached = [{0}]
        for cell in range(checker.cells):
            reached.append({after for hit in reached[-1] for after, _ in self._steps(checker, cell, hit)})
        self.to_go: list[dict[int, int]] = [{} for _ in range(checker.cells)] + [dict.fromkeys(reached[-1], 0)]
        for cell in reversed(range(checker.cells)):
            for hit in reached[cell]:
                ways = [price + self.to_go[cell + 1][after] for after, price in self._steps(checker, cell, hit)]
                self.to_go[cell][hit] = min(ways)

    def _steps(self, checker: _Checker, cell: int, hit: int) -> list[Step]:
        """(lines hit afterwards, price) for a free cell, where allowed, and for a stone."""
        if cell not in self.cost:
            return [(hit, 0)]
        ending = checker.ending[cell] & self.mask
        steps = [] if ending & ~hit else [(hit & ~ending, 0)]
        return [*steps, ((hit | checker.through[cell] & self.mask) & ~ending, self.cost[cell])]

    def least(self, cells: int, hit: int) -> int:
        """The cheapest completion of the strip after that many cells of the board."""
        return self.to_go[cells][hit & self.mask]
