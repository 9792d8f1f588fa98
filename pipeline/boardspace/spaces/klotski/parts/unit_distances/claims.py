"""The claim on the deepest group of the standard pieces in unit moves."""

import numpy as np

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.unit_distances.part import STAGE, UNIT_DISTANCES
from boardspace.spec.space import Inputs, Measurement

STANDARD = "5-4-1"
"""Five dominoes, one of them lying, and four single pieces: the class of the best known start."""


def measure(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Return the largest distance in the first group of the standard class, where it was counted."""
    if STANDARD not in config.in_unit_moves:
        return {}
    table = inputs.read(STAGE, UNIT_DISTANCES.name)
    group = (*map(int, STANDARD.split("-")), 0)
    own = np.all([np.asarray(table.column(k)) == v for k, v in zip(UNIT_DISTANCES.key, group, strict=False)], axis=0)
    moves, pairs = (np.asarray(table.column(name))[own].astype(np.int64) for name in ("moves", "pairs"))
    mean = float((moves * pairs).sum() / pairs.sum())
    found = (
        f"all {pairs.sum():,} ordered pairs of the {pairs[0]:,} layouts of group {STANDARD}-0; {pairs[-1]} of them are "
        f"that far apart, the mean is {mean:.2f} moves"
    )
    return {"unit-diameter": Measurement(int(moves[-1]), found, basis="proof")}
