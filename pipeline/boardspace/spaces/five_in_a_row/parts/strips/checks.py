"""Re-derives strips and the plane: states and values cell by cell by code of its own, patterns line by line."""

import json
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from boardspace.spaces.five_in_a_row import strip_rows
from boardspace.spaces.five_in_a_row.columns import PUBLISHED_STATES
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.strips.part import strip_seconds
from boardspace.spaces.five_in_a_row.proved import Row, key_of
from boardspace.spec.check import Faults, each_case
from boardspace.spec.equations import Given, Making, RowFaultError
from boardspace.spec.second_rules import bits
from boardspace.spec.space import Draw, Inputs
from boardspace_kernels.five_in_a_row.strip_checker import StripError, check_pattern

WIDE_SECONDS, WIDE_STRIPS = 1.0, 1
"""Of strips that take their shard longer, by the plan, so many are drawn: the widest take a minute here."""
Numbers = npt.NDArray[np.int64]
LARGEST_MODULUS = 16


def make_strips(config: FiveInARowConfig, name: str, at: Making) -> dict[str, list[Row]]:
    """Every strip of the config, of those that take long the keys and a draw; RowFaultError for a pattern that is not
    as dense as its strip, or does not block it."""
    given = {(row["k"], row["width"]): row for row in at.rows("strips")}
    strips = [(k, width) for k, widest in sorted(config.strips) for width in range(k, widest + 1)]
    wide = [one for one in strips if strip_seconds(*one) > WIDE_SECONDS]
    left = {*wide} - {wide[place] for place in at.draw.choose(len(wide), WIDE_STRIPS)}
    rows = []
    for k, width in strips:
        row: Row = given.get((k, width), {})
        known = _values(k, width, row) if row and (k, width) not in left else {}
        try:
            if full := row | known:
                check_pattern(k, width, full["period"], full["stones"], row["pattern"].split("/"))
        except StripError as error:
            raise RowFaultError(f"strips {k}-{width}: {error}") from None
        pattern = {"pattern": row["pattern"] if known else Given(row["pattern"])} if row else {}
        rows.append({"k": k, "width": width, **known, **pattern})
    return {"strips": rows}


@each_case
def check_boards(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Faults:
    """Boards as wide or as high as a strip."""
    strips = {(row["k"], row["width"]): row for row in inputs.table("strips").to_pylist()}
    for row in inputs.table("results").to_pylist():
        k, n, m = key_of(row)
        for length, width in {(n, m), (m, n)}:
            if (k, width) in strips:
                found = _fewest(strips[k, width], length)
                right = found == row["stones"]
                yield "" if right else f"{n} x {m}, k = {k}: {row['stones']} stones, as a strip {found}"


def _values(k: int, width: int, given: Row) -> Row:
    """Values that the states of a strip give; the names in its certificate may stand in any order."""
    strip = strip_rows.layers(k, width)
    values, period = strip_rows.until_periodic(strip)
    start = len(values) - 1 - period
    row: Row = {"period": period, "stones": int(values[-1][0] - values[start][0])}
    document = {"k": k, "width": width, **row, "pattern": given["pattern"].split("/")}
    proof = _proof(document, strip, values, given["certificate"])
    fewest = [int(value[0]) for value in values[:-1]]
    return row | {"start_rows": start, "fewest": fewest, "states": len(strip.states[0]), "certificate": proof}


def _fewest(strip: Row, rows: int) -> int:
    fewest: list[int] = strip["fewest"]
    periods = max(0, -(-(rows + 1 - len(fewest)) // strip["period"]))
    return fewest[rows - periods * strip["period"]] + periods * int(strip["stones"])


def make_plane(config: FiveInARowConfig, name: str, at: Making) -> dict[str, list[Row]]:
    """Every bound, from the states of its strip and the least weights of rows until these repeat themselves, and every
    pattern, by trying all sets of residues. The states of a certificate may stand in any order."""
    given = {row["k"]: row["certificate"] for row in at.rows("plane")}
    rows = []
    for k, weights in sorted(config.plane):
        strip, prices = strip_rows.layers(k, len(weights)), np.array(weights, np.int64)
        values, period = strip_rows.until_periodic(strip, prices)
        weight = int(values[-1][0] - values[-1 - period][0])
        density, states = Fraction(weight, period * int(prices.sum())), len(strip.states[0])
        row: Row = {"k": k, "weights": list(weights), "period": period, "weight": weight}
        proof = _proof(row, strip, values, given.get(k))
        row |= {"stones": density.numerator, "cells": density.denominator, "states": states}
        row |= zip(("modulus", "slope", "residues"), _first_of_least_density(k), strict=True)
        rows.append(row | {"certificate": proof})
    return {"plane": rows}


def _proof(document: Row, strip: strip_rows.Layers, values: list[Numbers], given: str | None) -> str | None:
    """A certificate as JSON on one line: as it is given, where that differs in the order of its names alone; None where
    there are too many states to publish."""
    if len(strip.states[0]) > PUBLISHED_STATES:
        return None
    whole = document | {"potential": strip_rows.potential(strip, values, document["period"])}
    same = given is not None and json.loads(given) == whole
    return json.dumps(json.loads(given) if same else whole, separators=(",", ":"))  # type: ignore[arg-type]


def _first_of_least_density(k: int) -> tuple[int, int, list[int]]:
    """Modulus, slope and residues of the first pattern that no other of a modulus up to 16 beats, by trying all sets
    that hold 0."""
    found = [(Fraction(1), 1, 0, [0])]
    for modulus in range(2, LARGEST_MODULUS + 1):
        for slope in range(modulus):
            sets = np.arange(1, 1 << modulus, 2)
            for line in _lines(k, modulus, slope):
                sets = sets[sets & line != 0]
            sizes = np.bitwise_count(sets)
            residues = min([*bits(one)] for one in sets[sizes == sizes.min()].tolist())
            found.append((Fraction(len(residues), modulus), modulus, slope, residues))
    return min(found)[1:]


def _lines(k: int, modulus: int, slope: int) -> set[int]:
    """The residues on each line of k cells, as bits."""
    steps = {1, slope, slope + 1, slope - 1}
    return {
        sum(1 << residue for residue in {(start + i * step) % modulus for i in range(k)})
        for step in steps
        for start in range(modulus)
    }
