"""Sequence of dividing a chessboard: covers of squares by L-trominoes and at most one single cell."""

from boardspace.oeis.sequence import Sequence, program
from boardspace_kernels.board_division.tromino.total import count_all_covers

SEQUENCES = (
    Sequence(
        name="A233807",
        title="Number of tilings of an n X n square using right trominoes and at most one monomino.",
        offset=0,
        term=lambda n, data: count_all_covers(n),
        usual=20,
        known=17,
        keywords=("nonn",),
        program=program(__package__, "trominoes"),
        program_last=8,
        how="Counted modulo primes below 2^62, as many as a bound on the number asks for.",
    ),
)
