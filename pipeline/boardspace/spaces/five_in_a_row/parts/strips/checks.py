"""Re-derives strips and the plane: states and values cell by cell by code of its own, patterns line by line."""

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from boardspace.spaces.five_in_a_row import strip_rows
from boardspace.spaces.five_in_a_row.columns import PUBLISHED_STATES
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.strips.part import strip_seconds
from boardspace.spaces.five_in_a_row.proved import Row, columns_of, key_of
from boardspace.spec.equations import ReadColumns
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

WIDE_SECONDS, WIDE_STRIPS = 1.0, 1
"""Of strips that take their shard longer, by the plan, so many are drawn: the widest take a minute here."""
Numbers = npt.NDArray[np.int64]
LARGEST_MODULUS = 16


def check_strips(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every strip of the config."""
    rows = inputs.table("strips").to_pylist()
    wanted = [(k, width) for k, widest in sorted(config.strips) for width in range(k, widest + 1)]
    found = [(row["k"], row["width"]) for row in rows]

    def faults() -> Iterator[str]:
        """Yield the fault of each thing that is looked at, '' where it is right."""
        yield "" if found == wanted else f"there are strips of (k, width) {found}, the config has {wanted}"
        wide = [row for row in rows if strip_seconds(row["k"], row["width"]) > WIDE_SECONDS]
        drawn = [wide[i] for i in draw.choose(len(wide), WIDE_STRIPS)]
        for row in rows:
            fault = (_values_fault(row) if row not in wide or row in drawn else "") or _pattern_fault(row)
            yield f"strip of {row['width']} columns, k = {row['k']}: {fault}" if fault else ""

    return outcome(faults())


def check_boards(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Boards as wide or as high as a strip."""
    strips = {(row["k"], row["width"]): row for row in inputs.table("strips").to_pylist()}
    boards = inputs.table("results").to_pylist()

    def faults() -> Iterator[str]:
        """Yield the fault of each thing that is looked at, '' where it is right."""
        for row in boards:
            k, n, m = key_of(row)
            for length, width in {(n, m), (m, n)}:
                if (k, width) in strips:
                    found = _fewest(strips[k, width], length)
                    right = found == row["stones"]
                    yield "" if right else f"{n} x {m}, k = {k}: {row['stones']} stones, as a strip {found}"

    return outcome(faults())


def _values_fault(row: Row) -> str:
    """The first column that differs from what the strip's states say."""
    strip = strip_rows.layers(row["k"], row["width"])
    values, period = strip_rows.until_periodic(strip)
    start = len(values) - 1 - period
    expected = {
        "period": period,
        "stones": int(values[-1][0] - values[start][0]),
        "start_rows": start,
        "fewest": [int(value[0]) for value in values[:-1]],
        "states": len(strip.states[0]),
    }
    for name, value in expected.items():
        if row[name] != value:
            return f"{name} is {row[name]}, not {value}"
    wanted = None
    if row["states"] <= PUBLISHED_STATES:
        proof = {column: row[column] for column in ("k", "width", "period", "stones")}
        proof |= {"pattern": row["pattern"].split("/"), "potential": strip_rows.potential(strip, values, period)}
        wanted = _written(proof, row["certificate"])
    return "" if row["certificate"] == wanted else "the certificate is not what its states, row and pattern make"


def _pattern_fault(row: Row) -> str:
    """The pattern has the strip's density and, repeated for ever, blocks it."""
    k, width, pattern = row["k"], row["width"], row["pattern"].split("/")
    if any(len(line) != width or set(line) - set(".#") for line in pattern):
        return f"the pattern has rows that are not {width} cells of # and ."
    if row["pattern"].count("#") * row["period"] != row["stones"] * len(pattern):
        return f"the pattern has not {row['stones']} stones in {row['period']} rows"
    for y, x, (down, right) in product(range(len(pattern)), range(width), ((0, 1), (1, 0), (1, 1), (1, -1))):
        if 0 <= x + (k - 1) * right < width:
            line = {pattern[(y + i * down) % len(pattern)][x + i * right] for i in range(k)}
            if "#" not in line:
                return f"the pattern leaves {k} cells free from row {y}, column {x}"
    return ""


def _fewest(strip: Row, rows: int) -> int:
    """The fewest stones of so many rows of a strip."""
    fewest: list[int] = strip["fewest"]
    periods = max(0, -(-(rows + 1 - len(fewest)) // strip["period"]))
    return fewest[rows - periods * strip["period"]] + periods * int(strip["stones"])


def make_plane(config: FiveInARowConfig, name: str, read: ReadColumns) -> Mapping[str, Mapping[str, Any]]:
    """Every bound, from the states of its strip and the least weights of rows until these repeat themselves, and every
    pattern, by trying all sets of residues. The states of a certificate may stand in any order."""
    given = dict(zip(*read("plane", ["k", "certificate"]).values(), strict=True))
    rows = []
    for k, weights in sorted(config.plane):
        strip, prices = strip_rows.layers(k, len(weights)), np.array(weights, np.int64)
        values, period = strip_rows.until_periodic(strip, prices)
        weight = int(values[-1][0] - values[-1 - period][0])
        density, states = Fraction(weight, period * int(prices.sum())), len(strip.states[0])
        row: Row = {"k": k, "weights": list(weights), "period": period, "weight": weight}
        proof = None
        if states <= PUBLISHED_STATES:
            proof = _written(row | {"potential": strip_rows.potential(strip, values, period)}, given.get(k))
        row |= {"stones": density.numerator, "cells": density.denominator, "states": states}
        row |= zip(("modulus", "slope", "residues"), _first_of_least_density(k), strict=True)
        rows.append(row | {"certificate": proof})
    return {"plane": columns_of(rows)}


def _written(document: Row, given: str | None) -> str:
    """A document as JSON on one line: as it is given, where that differs in the order of its names alone."""
    same = given is not None and json.loads(given) == document
    return json.dumps(json.loads(given) if same else document, separators=(",", ":"))  # type: ignore[arg-type]


def _first_of_least_density(k: int) -> tuple[int, int, tuple[int, ...]]:
    """Modulus, slope and residues of the first pattern that no other of a modulus up to 16 beats, by trying all sets
    that hold 0 in order of size."""
    best, found = Fraction(1), (1, 0, tuple[int, ...]((0,)))
    for modulus in range(2, LARGEST_MODULUS + 1):
        sets = np.arange(1, 1 << modulus, 2, dtype=np.int64)
        sizes = _sizes(sets)
        sets = sets[(sizes * best.denominator < modulus * best.numerator) & (sizes * k >= modulus)]
        for slope in range(modulus):
            hits = sets
            for line in _lines(k, modulus, slope):
                hits = hits[hits & line != 0]
            if len(hits):
                counts = _sizes(hits)
                least = int(counts.min())
                if Fraction(least, modulus) < best:
                    best = Fraction(least, modulus)
                    found = (modulus, slope, _first(hits[counts == least], modulus))
    return found


def _sizes(sets: Numbers) -> Numbers:
    """Number of residues of each set."""
    return np.bitwise_count(sets).astype(np.int64)


def _first(sets: Numbers, modulus: int) -> tuple[int, ...]:
    """The first set in order of its residues."""
    return min(tuple(place for place in range(modulus) if one >> place & 1) for one in sets.tolist())


def _lines(k: int, modulus: int, slope: int) -> set[int]:
    """The residues on each line of k cells, as bits."""
    steps = {1, slope, slope + 1, slope - 1}
    return {
        sum(1 << residue for residue in {(start + i * step) % modulus for i in range(k)})
        for step in steps
        for start in range(modulus)
    }
