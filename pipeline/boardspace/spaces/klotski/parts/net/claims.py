"""Claims on steps, unit moves and shortest paths, measured on the net."""

import numpy as np

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spec.space import Inputs, Measurement


def measure(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Return the counts of the net's stages; totals only where they are those of all layouts."""
    if not config.net:
        return {}
    groups = inputs.read("net_summary", "group_nets")
    degrees = inputs.read("net_summary", "degrees").to_pydict()
    total = {name: int(np.asarray(groups.column(name)).sum()) for name in ("dead_ends", "cut_layouts", "bridges")}
    by_degree = ", ".join(f"{n}: {count:,}" for n, count in zip(*degrees.values(), strict=True))
    paths = np.asarray(groups.column("most_paths"))
    most = int(paths.argmax())
    best = (
        f"{paths[most]:,} shortest paths lead from {groups.column('most_paths_code')[most].as_py():09X} to its nearest"
    )
    found = {
        "many-paths": Measurement(
            bool(paths[most] > 1), f"{best} solutions, the most of all layouts of the run", basis="proof"
        )
    }
    if not config.complete:
        return found
    facts = inputs.facts("net_classes")
    shape = (
        f"{total['dead_ends']:,} layouts have one neighbour, {total['cut_layouts']:,} hold their group together, "
        f"{total['bridges']:,} pairs of neighbours are bridges"
    )
    return found | {
        "steps": Measurement(sum(f["steps"] for f in facts), f"{shape}; layouts by number of neighbours: {by_degree}"),
        "unit-moves": Measurement(sum(f["unit_pairs"] for f in facts), "unit moves from every layout, halved"),
    }
