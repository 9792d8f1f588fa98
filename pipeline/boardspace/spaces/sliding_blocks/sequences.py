"""Sequences of sliding blocks: packings of trays by pieces of any shape, with voids."""

from boardspace.oeis.sequence import Sequence, program
from boardspace_kernels.sliding_blocks.frontier import count_packings

HOW = "Counted cell by cell, by which cells of the frontier are of one piece."


def _of_width(rows: int) -> Sequence:
    return Sequence(
        name=f"packings-{rows}",
        title=f"Number of ways to choose disjoint polyominoes on a {rows} X n board.",
        offset=1,
        term=lambda n, data: count_packings(rows, n),
        usual=24 - 4 * rows,
        known=None,
        keywords=("nonn",),
        program=program(__package__, "packings", f"def a(n): return packings({rows}, n)"),
        program_last=8 // rows,
        how=HOW,
    )


SEQUENCES = (
    Sequence(
        name="packings-square",
        title="Number of ways to choose disjoint polyominoes on an n X n board.",
        offset=1,
        term=lambda n, data: count_packings(n, n),
        usual=5,
        known=None,
        keywords=("nonn", "more"),
        program=program(__package__, "packings", "def a(n): return packings(n, n)"),
        program_last=2,
        how=HOW,
    ),
    *(_of_width(rows) for rows in (2, 3, 4)),
)
