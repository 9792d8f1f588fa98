"""Sequence of dividing a chessboard: covers of squares by L-trominoes and at most one single cell."""

import pyarrow.dataset as ds

from boardspace.oeis.sequence import Sequence, program
from boardspace.release.datasets import Dataset
from boardspace_kernels.board_division.cover_counts import count_all_covers


def _covers(side: int, data: Dataset | None) -> int:
    """The number of covers of a square, from the dataset where it has the side."""
    if data is not None and "square_covers" in data.tables:
        found = data.tables["square_covers"].to_table(filter=ds.field("side") == side).column("covers")
        if len(found):
            return int(found[0].as_py())
    return count_all_covers(side)


SEQUENCES = (
    Sequence(
        name="A233807",
        title="Number of tilings of an n X n square using right trominoes and at most one monomino.",
        offset=0,
        term=_covers,
        usual=20,
        known=17,
        keywords=("nonn",),
        program=program(__package__, "trominoes"),
        program_last=8,
        how="Counted modulo primes below 2^62, as many as a bound on the number asks for.",
    ),
)
