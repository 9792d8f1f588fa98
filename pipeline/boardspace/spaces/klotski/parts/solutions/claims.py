"""The claim on shortest paths, measured on one pair of layouts where the run has no net."""

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.queries import LayoutInClass, count_paths
from boardspace.spaces.klotski.texts import EXAMPLES, parse_code
from boardspace.spec.space import Inputs, Measurement


def measure(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Count the shortest paths from the first example of the text to a farthest layout; a net counts all."""
    if config.net:
        return {}
    start = LayoutInClass(parse_code(EXAMPLES[0]))
    farthest = start.farthest()[0]
    paths = count_paths(start.shortest_paths(farthest))
    evidence = f"one pair is enough: {paths:,} shortest paths lead from {EXAMPLES[0]} to {farthest:09X}"
    return {"many-paths": Measurement(paths > 1, evidence, basis="proof")}
