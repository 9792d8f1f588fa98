"""Stage ``strips``: boards of a few columns and any length."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.errors import explained
from boardspace.spaces.five_in_a_row.rows import as_json, table_of
from boardspace.spaces.five_in_a_row.tables import STRIPS
from boardspace.spec.space import Inputs, Output, Shard

PUBLISHED_STATES = 20_000
"""Potentials are published of strips with so many states at most."""

CHECKED_STATES = 1_100
"""Potentials are checked in plain Python of strips with so many states at most."""

WIDE = {2: (16, 2.0), 3: (12, 12.0), 4: (8, 4.0), 5: (7, 5.0), 6: (6, 2.0)}
"""By k, a width and about how many seconds it takes; each column less takes a quarter."""


def cut_strips(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each strip."""
    shards = []
    for k, widest in sorted(config.strips):
        columns, seconds = WIDE[k]
        for width in range(k, widest + 1):
            cost = 0.02 + seconds * 4.0 ** (width - columns)
            shards.append(Shard(f"k{k:02}-m{width:02}", {"k": k, "width": width}, cost=cost))
    return shards


def solve_strip(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Fewest stones of a strip for every length, with the certificate of its density."""
    from boardspace_kernels.five_in_a_row.strip_density import density, strip_certificate
    from boardspace_kernels.five_in_a_row.strip_states import strip

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
    return Output({"strips": table_of(STRIPS, [row])})


def strip_faults(inputs: Inputs, rows: list[dict[str, Any]]) -> Iterator[str]:
    """Certificates of strips checked; boards of the run have the strips' stones, whichever way each was found."""
    from boardspace_kernels.five_in_a_row.strip_checker import StripError, check_strip
    from boardspace_kernels.five_in_a_row.strip_density import continued

    strips = {(row["k"], row["width"]): row for row in inputs.read("strips", "strips").to_pylist()}
    for (k, width), row in strips.items():
        where = f"strip of {width} columns, k = {k}"
        if len(row["fewest"]) != row["start_rows"] + row["period"]:
            yield f"{where}: {len(row['fewest'])} lengths do not go from 0 to start_rows + period - 1"
            return
        if row["certificate"] is None or row["states"] > CHECKED_STATES:
            continue
        given = json.loads(row["certificate"])
        says = given["k"], given["width"], given["period"], given["stones"], "/".join(given["pattern"])
        try:
            check_strip(given)
            wanted = k, width, row["period"], row["stones"], row["pattern"]
            yield "" if says == wanted else f"{where}: the certificate says {says}"
        except StripError as error:
            yield f"{where}: {error}"
    boards = {(row["k"], row["rows"], row["columns"]): row["stones"] for row in rows}
    for (k, n, m), stones in boards.items():
        for length, width in {(n, m), (m, n)}:
            if (k, width) in strips:
                strip = strips[k, width]
                found = continued(strip["fewest"], strip["period"], strip["stones"], length)
                yield "" if found == stones else f"{n} x {m}, k = {k}: {stones} stones, as a strip {found}"
