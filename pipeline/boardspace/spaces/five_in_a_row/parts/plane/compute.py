"""Bounds the density of patterns of the plane from below and from above."""

from collections.abc import Mapping
from typing import Any

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.errors import explained
from boardspace.spaces.five_in_a_row.parts.plane.tables import PLANE
from boardspace.spaces.five_in_a_row.proofs import as_json
from boardspace.spec.space import Inputs, Output, Shard
from boardspace_kernels.five_in_a_row.plane import best_linear_pattern
from boardspace_kernels.five_in_a_row.strip_density import plane_bound, plane_certificate
from boardspace_kernels.five_in_a_row.strip_states import strip

PUBLISHED_STATES = 20_000
"""Potentials are published of strips with so many states at most."""
SECONDS = {2: (16, 2.0), 3: (12, 12.0), 4: (8, 4.0), 5: (7, 5.0), 6: (6, 15.0)}
"""By k, a width and about how many seconds it takes; each column less takes a quarter."""


def cut_plane(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each k."""
    shards = []
    for k, weights in sorted(config.plane):
        columns, seconds = SECONDS[k]
        cost = 0.05 + seconds * 4.0 ** (len(weights) - columns)
        shards.append(Shard(f"k{k:02}", {"k": k, "weights": list(weights)}, cost=cost))
    return shards


def bound_plane(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Lower bound with its certificate, and the best pattern of a short period."""
    k, weights = params["k"], params["weights"]
    with explained():
        found = plane_bound(strip(k, len(weights)), weights)
        pattern = best_linear_pattern(k)
    published = found.strip.states <= PUBLISHED_STATES
    row = {
        **params,
        "period": found.period,
        "weight": found.weight,
        "stones": found.density.numerator,
        "cells": found.density.denominator,
        "states": found.strip.states,
        "modulus": pattern.modulus,
        "slope": pattern.slope,
        "residues": list(pattern.residues),
        "certificate": as_json(plane_certificate(found)) if published else None,
    }
    return Output({"plane": PLANE.from_rows([row])})
