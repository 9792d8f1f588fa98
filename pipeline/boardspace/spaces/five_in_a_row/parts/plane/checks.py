"""Re-derives the bounds of the plane: strips cell by cell by code of its own, patterns line by line."""

import json
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from boardspace.spaces.five_in_a_row import strip_rows
from boardspace.spaces.five_in_a_row.columns import PUBLISHED_STATES
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.proved import Row
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

Numbers = npt.NDArray[np.int64]
LARGEST_MODULUS = 16


def check_bounds(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every lower bound: the strip's states, and the least weight of rows until it repeats itself."""
    rows = inputs.table("plane").to_pylist()
    wanted = [(k, list(weights)) for k, weights in sorted(config.plane)]

    def faults() -> Iterator[str]:
        """Yield the fault of each thing that is looked at, '' where it is right."""
        found = [(row["k"], row["weights"]) for row in rows]
        yield "" if found == wanted else f"the plane has (k, weights) {found}, the config has {wanted}"
        for row in rows:
            fault = _bound_fault(row)
            yield f"k = {row['k']}: {fault}" if fault else ""

    return outcome(faults())


def check_patterns(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every pattern blocks the plane, and none of a modulus up to 16 with fewer stones a cell does."""
    rows = inputs.table("plane").to_pylist()

    def faults() -> Iterator[str]:
        """Yield the fault of each thing that is looked at, '' where it is right."""
        for row in rows:
            given = (row["modulus"], row["slope"], tuple(row["residues"]))
            expected = _first_of_least_density(row["k"])
            yield "" if given == expected else f"k = {row['k']}: the pattern is {given}, not {expected}"

    return outcome(faults())


def _bound_fault(row: Row) -> str:
    """The first column that differs from what the strip's states and the weights say."""
    strip = strip_rows.layers(row["k"], len(row["weights"]))
    prices = np.array(row["weights"], np.int64)
    values, period = strip_rows.until_periodic(strip, prices)
    weight = int(values[-1][0] - values[-1 - period][0])
    density = Fraction(weight, period * int(prices.sum()))
    states = len(strip.states[0])
    expected = {
        "period": period,
        "weight": weight,
        "stones": density.numerator,
        "cells": density.denominator,
        "states": states,
    }
    for name, value in expected.items():
        if row[name] != value:
            return f"{name} is {row[name]}, not {value}"
    wanted = None
    if states <= PUBLISHED_STATES:
        fields = {name: row[name] for name in ("k", "weights", "period", "weight")}
        wanted = fields | {"potential": strip_rows.potential(strip, values, period)}
    given = None if row["certificate"] is None else json.loads(row["certificate"])
    if given != wanted or row["certificate"] != (given and json.dumps(given, separators=(",", ":"))):
        return "the certificate is another than its states and its row make"
    return ""


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
    """How many residues each set has."""
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
