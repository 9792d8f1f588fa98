"""The claim on the deepest group of the standard pieces in unit moves."""

import numpy as np

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.unit_distances.tables import STAGE, UNIT_DISTANCES
from boardspace.spec.space import Inputs, Measurement

STANDARD = (5, 4, 1)
"""Five dominoes, one of them lying, and four single pieces: the class of the best known start."""


def measure(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Return the largest distance in the first group of the standard class, where it was counted."""
    if "-".join(map(str, STANDARD)) not in config.in_unit_moves:
        return {}
    columns = {name: np.asarray(inputs.read(STAGE, UNIT_DISTANCES.name).column(name)) for name in _NAMES}
    own = np.all([columns[name] == value for name, value in zip(_NAMES, (*STANDARD, 0), strict=False)], axis=0)
    moves, pairs = columns["moves"][own].astype(np.int64), columns["pairs"][own].astype(np.int64)
    size = int(pairs[0])
    mean = float((moves * pairs).sum() / pairs.sum())
    found = (
        f"all {pairs.sum():,} ordered pairs of the {size:,} layouts of group 5-4-1-0; {pairs[-1]} of them are that far "
        f"apart, the mean is {mean:.2f} moves"
    )
    return {"unit-diameter": Measurement(int(moves[-1]), found, basis="proof")}


_NAMES = UNIT_DISTANCES.schema.names
