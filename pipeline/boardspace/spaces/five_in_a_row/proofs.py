"""Proofs behind a number: the search, its certificate, and a second count."""

import json
from collections.abc import Mapping
from typing import Any

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace_kernels.five_in_a_row.minimum import Solution
from boardspace_kernels.five_in_a_row.recount import recount
from boardspace_kernels.five_in_a_row.recount_layers import TooManyStatesError

STATES_A_STATE = 8
"""A second count may meet so many times the states that are allowed, strips included, before it is given up."""

BY_WEIGHTS, BY_SEARCH = "weights", "search"


def by_search(solution: Solution) -> dict[str, Any]:
    """Values of a row that the search of a board knows: all but classes, certificate and second count."""
    return {
        "stones": solution.minimum,
        "proof": solution.proof,
        "placements": str(solution.count),
        "classes": None,
        "bound": solution.prepared.floor,
        "searches": len(solution.sweeps),
        "states": solution.states,
        "peak": solution.peak,
        "listed": False,
    }


def certified_by(certificate: Mapping[str, Any] | None) -> str | None:
    """How a certificate proves the minimum: by its weights alone, or by a search that has to be repeated."""
    if certificate is None:
        return None
    return BY_WEIGHTS if certificate["proof"] == "bound" else BY_SEARCH


def as_json(certificate: Mapping[str, Any]) -> str:
    """A certificate on one line."""
    return json.dumps(certificate, separators=(",", ":"))


def counted_twice(config: FiveInARowConfig, certificate: Mapping[str, Any]) -> bool:
    """Count a board's placements by the second method; False where the search was too long to be repeated.

    Raises:
        ArithmeticError: the two methods differ.
    """
    if certificate["states"] > config.recounted:
        return False
    stones, count = certificate["minimum"], int(certificate["count"])
    try:
        found = recount(certificate, stones, STATES_A_STATE * config.recounted)
    except TooManyStatesError:
        return False
    if found.fewer or not found.agrees(count):
        raise ArithmeticError(
            f"board {certificate['shape']}, k = {certificate['k']}: the search found {count} placements with {stones} "
            f"stones, the second count {found.count} (modulo {found.modulus}) and {found.fewer} with fewer"
        )
    return True
