"""Statements that no data can decide: what was read, and how."""

from boardspace.spec.space import Measurement

READINGS = {
    "step": Measurement(
        True,
        "read as any number of cells in any directions, round corners too: with this reading the public database's "
        "files of solutions and of farthest layouts come out byte for byte",
        basis="reading",
    ),
}
