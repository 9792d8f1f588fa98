"""Measures the statements of the source on the finished dataset; ``claims.toml`` has them in the order of the text.

``trominoes`` the first example, ``rectangles`` the second, ``lines`` its case m = 1, ``readings`` what no data can
decide.
"""

from collections.abc import Mapping

from boardspace.pipeline.space import Inputs, Measurement
from boardspace.pipeline.spaces.board_division.claims.lines import line_claims
from boardspace.pipeline.spaces.board_division.claims.readings import READINGS
from boardspace.pipeline.spaces.board_division.claims.rectangles import rectangle_claims
from boardspace.pipeline.spaces.board_division.claims.trominoes import tromino_claims
from boardspace.pipeline.spaces.board_division.config import BoardDivisionConfig


def claims(config: BoardDivisionConfig, inputs: Inputs) -> Mapping[str, Measurement]:
    """Measurements by claim id; what the run's limits leave out is not measured."""
    measured = {**READINGS, **tromino_claims(config, inputs)}
    return {**measured, **rectangle_claims(config, inputs), **line_claims(config, inputs)}
