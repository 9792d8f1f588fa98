"""Claims on steps and groups, measured on every step of every class of the run."""

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.texts import CLASS_NAMES
from boardspace.spec.space import Basis, Inputs, Measurement


def measure_steps(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measure that steps can be taken back, that groups are closed and connected."""
    surveys = inputs.facts("classes")
    layouts = sum(row["layouts"] for row in surveys)
    steps, returned, leaving, reached = (
        sum(row["survey"][key] for row in surveys) for key in ("steps", "returned", "leaving", "reached")
    )
    groups = sum(row["groups"] for row in surveys)
    basis: Basis = "all cases" if config.complete else "sample"
    held = f"{len(surveys)} of the {len(CLASS_NAMES)} classes"
    return {
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
    }
