"""Measures the statements of the source on the finished dataset; ``claims.toml`` has them in the order of the text.

``cells`` section 2, ``division`` what 3.1 to 3.3 say of the construction and print in the proof, ``formula`` 3.3 on
boards, ``placements`` 3.4 and table 2, ``outlook`` section 4 and published sequences,
``readings`` what no data of boards can decide.
"""

from collections.abc import Mapping

from boardspace.spaces.five_in_a_row.claims.cells import cell_claims
from boardspace.spaces.five_in_a_row.claims.division import division_claims
from boardspace.spaces.five_in_a_row.claims.formula import formula_claims
from boardspace.spaces.five_in_a_row.claims.outlook import outlook_claims
from boardspace.spaces.five_in_a_row.claims.placements import placement_claims
from boardspace.spaces.five_in_a_row.claims.readings import READINGS
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.rows import all_results
from boardspace.spec.space import Inputs, Measurement


def claims(config: FiveInARowConfig, inputs: Inputs) -> Mapping[str, Measurement]:
    """Measurements by claim id; what the run's limits leave out is not measured."""
    rows = all_results(inputs)
    five = [row for row in rows if row["k"] == 5]
    measured = {**READINGS, **cell_claims(inputs), **division_claims(inputs), **formula_claims(inputs, five)}
    return {**measured, **placement_claims(inputs, five), **outlook_claims(inputs, rows)}
