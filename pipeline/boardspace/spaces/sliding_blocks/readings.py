"""Statements that no data can decide: what was read, and how."""

from boardspace.spec.space import Measurement

READINGS = {
    "cost-4x5": Measurement(
        "minutes to hours of two cores, and 2 GB a worker",
        "the figure is of the author's first algorithm, which made positions many times; he withdraws it in the same "
        "article. `boardspace plan` says what a run of 4 x 5 takes here",
        "corrected",
        "reading",
    ),
}
