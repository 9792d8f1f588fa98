"""Statements that no data of boards can decide: what was read, and how."""

from boardspace.spec.space import Measurement

READINGS = {
    "history": Measurement(
        None, "a statement about a contest and about other authors' papers, not about boards", "open", "reading"
    ),
    "definition-product": Measurement(
        "(1,1), (1,2), ..., (1,N), (2,1), (2,2), ..., (N,1), ..., (N,N)",
        "the printed list of the Cartesian product goes from (1, N) to (N, 1), (N, 2) and names (N, 1) twice",
        "corrected",
        "reading",
    ),
    "definition-lines": Measurement(
        "x a column, y a row",
        "I is what two stones of one column share, J what two of one row share; sums and differences are the diagonals",
        None,
        "reading",
    ),
    "other-methods-one": Measurement(
        True,
        "one solution is what a solver of 0-1 programs returns; to get all, each found one is forbidden in turn, as "
        "benchmarks/five_in_a_row.py does with CP-SAT",
        None,
        "reading",
    ),
    "faster": Measurement(
        None,
        "of seconds, which no published data hold; docs/open_questions.md has those of 0-1 programming and of a search "
        "with dual weights, either of which proves 25 x 25 in less than one",
        "open",
        "reading",
    ),
    "two-proofs": Measurement(
        "minimum: holds once mended; completeness: does not",
        "proof 1 needs its counts mended (proof-cells-stones to proof-sum) and the case of one side below 10, which "
        "goes the same way; proof 2 takes for granted that each 5 x 5 block holds five stones (method-complete-five)",
        "corrected",
        "reading",
    ),
    "model-flow": Measurement(
        None, "figure 11, the flow of the method, is lost; its steps are the claims of 3.1 to 3.4", "open", "reading"
    ),
}
