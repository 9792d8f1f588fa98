"""Statements that no data can decide: what was read, and how."""

from boardspace.spec.space import Measurement

READINGS = {
    "cost-4x5": Measurement(
        "40 minutes of two cores, and 62 MB of data",
        "the figure is of the author's first algorithm, which made positions many times; he withdraws it in the same "
        "article. Measured is the run of configs/sliding_blocks.toml of November 2026",
        "corrected",
        "reading",
    ),
}
