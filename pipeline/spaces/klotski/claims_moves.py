"""What the source states about steps, groups and shortest paths, measured on every step of every class of the run."""

from collections.abc import Mapping, Sequence
from typing import Any

from boardspace.pipeline.space import Basis, Measurement
from boardspace.pipeline.spaces.klotski.claims_codes import EXAMPLES
from boardspace.pipeline.spaces.klotski.config import KlotskiConfig
from boardspace.pipeline.spaces.klotski.texts import CLASSES, parse_code


def measure_moves(config: KlotskiConfig, surveys: Sequence[Mapping[str, Any]]) -> dict[str, Measurement]:
    """Steps taken back, groups closed and connected; several shortest paths."""
    layouts = sum(row["layouts"] for row in surveys)
    steps, returned, leaving, reached = (
        sum(row["survey"][key] for row in surveys) for key in ("steps", "returned", "leaving", "reached")
    )
    groups = sum(row["groups"] for row in surveys)
    basis: Basis = "all cases" if config.complete else "sample"
    held = f"{len(surveys)} of the {len(CLASSES)} classes"
    return {
        "step": Measurement(
            True,
            "read as any number of cells in any directions, round corners too: with this reading the public database's "
            "files of solutions and of farthest layouts come out byte for byte",
            basis="reading",
        ),
        "mutual": Measurement(
            returned == steps, f"{returned:,} of {steps:,} steps of {held}, each met by its counterpart", basis=basis
        ),
        "closed": Measurement(leaving == 0, f"{leaving:,} of {steps:,} steps of {held} leave their group", basis=basis),
        "net": Measurement(
            reached == layouts,
            f"from the smallest layouts of {groups:,} groups of {held} searches reach {reached:,} of {layouts:,}",
            basis=basis,
        ),
        "one-yields-all": Measurement(
            reached == layouts and returned == steps and leaving == 0,
            f"every layout is reached from the smallest of its group ({reached:,} of {layouts:,}), and every step can "
            "be taken back: so any layout of a group reaches the smallest and from there all",
            basis=basis,
        ),
        "many-paths": _several_paths(),
    }


def _several_paths() -> Measurement:
    from boardspace.pipeline.spaces.klotski.queries import Place, count_paths

    place = Place(parse_code(EXAMPLES[0]))
    farthest = place.farthest()[0]
    ways = count_paths(place.shortest_paths(farthest))
    evidence = f"one pair is enough: {ways:,} shortest paths lead from {EXAMPLES[0]} to {farthest:09X}"
    return Measurement(ways > 1, evidence, basis="proof")
