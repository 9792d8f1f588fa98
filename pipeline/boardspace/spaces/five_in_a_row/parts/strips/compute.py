"""Solves boards of a few columns and any length, and bounds the density of patterns of the plane on both sides."""

from collections.abc import Mapping
from typing import Any

from boardspace.spaces.five_in_a_row.columns import PUBLISHED_STATES
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.drawings import explained
from boardspace.spaces.five_in_a_row.parts.strips.part import PLANE, STRIPS, strip_seconds
from boardspace.spaces.five_in_a_row.proofs import as_json
from boardspace.spec.space import Inputs, Output, Shard
from boardspace_kernels.five_in_a_row.periodic import best_linear_pattern
from boardspace_kernels.five_in_a_row.strip_density import density, plane_certificate, strip_certificate
from boardspace_kernels.five_in_a_row.strip_states import strip


def cut_strips(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each strip."""
    shards = []
    for k, widest in sorted(config.strips):
        for width in range(k, widest + 1):
            cost = strip_seconds(k, width)
            shards.append(Shard(f"k{k:02}-m{width:02}", {"k": k, "width": width}, cost=cost))
    return shards


def solve_strip(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Fewest stones of a strip for every length, with the certificate of its density."""
    with explained():
        found = density(strip(params["k"], params["width"]))
    states = found.strip.states
    certificate = strip_certificate(found)
    row = {
        **params,
        "period": found.period,
        "stones": found.stones,
        "start_rows": found.start_rows,
        "fewest": list(found.fewest),
        "states": states,
        "pattern": "/".join(certificate["pattern"]),
        "certificate": as_json(certificate) if states <= PUBLISHED_STATES else None,
    }
    return Output({"strips": STRIPS.from_rows([row])})


def cut_plane(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each k."""
    return [
        # Measured for k = 6: twice as long as the strip of that width.
        Shard(f"k{k:02}", {"k": k, "weights": list(weights)}, cost=2 * strip_seconds(k, len(weights)))
        for k, weights in sorted(config.plane)
    ]


def bound_plane(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Lower bound with its certificate, and the best pattern of a short period."""
    k, weights = params["k"], params["weights"]
    with explained():
        found = density(strip(k, len(weights)), weights)
        pattern = best_linear_pattern(k)
    published = found.strip.states <= PUBLISHED_STATES
    row = {
        **params,
        "period": found.period,
        "weight": found.stones,
        "stones": found.of_the_plane.numerator,
        "cells": found.of_the_plane.denominator,
        "states": found.strip.states,
        "modulus": pattern.modulus,
        "slope": pattern.slope,
        "residues": list(pattern.residues),
        "certificate": as_json(plane_certificate(found)) if published else None,
    }
    return Output({"plane": PLANE.from_rows([row])})
