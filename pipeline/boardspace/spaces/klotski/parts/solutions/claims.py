"""The claim on shortest paths, measured on one pair of layouts where the run has no net."""

from boardspace.spaces.klotski import answers
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.texts import EXAMPLES
from boardspace.spec.space import Inputs, Measurement


def measure(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Count the shortest paths from the first example of the text to a farthest layout; a net counts all."""
    if config.net:
        return {}
    farthest = answers.farthest(EXAMPLES[0])[0]
    paths = answers.path(EXAMPLES[0], farthest)
    assert paths is not None
    evidence = f"one pair is enough: {paths.count:,} shortest paths lead from {EXAMPLES[0]} to {farthest.text}"
    return {"many-paths": Measurement(paths.count > 1, evidence, basis="proof")}
