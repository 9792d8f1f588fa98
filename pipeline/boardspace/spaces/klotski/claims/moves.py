"""What the source states about steps, groups and shortest paths, measured on every step of every class of the run."""

import numpy as np

from boardspace.spaces.klotski.claims.codes import EXAMPLES
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.texts import CLASS_NAMES, parse_code
from boardspace.spec.space import Basis, Inputs, Measurement


def measure_moves(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Steps taken back, groups closed and connected; several shortest paths; how many steps and unit moves."""
    surveys = inputs.facts("classes")
    layouts = sum(row["layouts"] for row in surveys)
    steps, returned, leaving, reached = (
        sum(row["survey"][key] for row in surveys) for key in ("steps", "returned", "leaving", "reached")
    )
    groups = sum(row["groups"] for row in surveys)
    basis: Basis = "all cases" if config.complete else "sample"
    held = f"{len(surveys)} of the {len(CLASS_NAMES)} classes"
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
    } | (_net(config, inputs) if config.net else {})


def _net(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """What the stages of the net counted; the totals only where they are those of all layouts."""
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


def _several_paths() -> Measurement:
    from boardspace.spaces.klotski.queries import Place, count_paths

    place = Place(parse_code(EXAMPLES[0]))
    farthest = place.farthest()[0]
    ways = count_paths(place.shortest_paths(farthest))
    evidence = f"one pair is enough: {ways:,} shortest paths lead from {EXAMPLES[0]} to {farthest:09X}"
    return Measurement(ways > 1, evidence, basis="proof")
