"""Section 3.3 and 4 of the source, on the boards of a run, and published sequences."""

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.boards.formula import formula_claims
from boardspace.spaces.five_in_a_row.parts.boards.outlook import outlook_claims
from boardspace.spaces.five_in_a_row.parts.boards.rows import all_results
from boardspace.spec.space import Inputs, Measurement


def measure(config: FiveInARowConfig, inputs: Inputs) -> dict[str, Measurement]:
    """The formula and the outlook; carried boards count too."""
    rows = all_results(inputs)
    return formula_claims(inputs, [row for row in rows if row["k"] == 5]) | outlook_claims(inputs, rows)
