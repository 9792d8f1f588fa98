"""Boards: the fewest stones, the proof, the number of ways; hard ones searched in parts by many workers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.boards.costs import seconds_in_parts
from boardspace.spaces.five_in_a_row.parts.boards.tables import ADDITIONAL, CERTIFICATES, REFUTATIONS, RESULTS
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.five_in_a_row.parts.boards import checks, claims, compute, hard
else:
    checks, claims, compute, hard = deferred(__package__, "checks", "claims", "compute", "hard")


def stages(config: FiveInARowConfig) -> Sequence[Stage]:
    """Boards at once; hard boards go through three stages."""
    return (
        Stage("bounds", "root bounds of the hard boards", hard.find_bound, hard.cut_bounds),
        Stage(
            "boards",
            "minimum, proof and placements of every board",
            compute.solve_boards,
            compute.cut_boards,
            bytes=config.searched_boards * 6_000,
        ),
        Stage(
            "parts",
            "parts of the hard boards, again in parts where they outgrow their memory",
            hard.search_part,
            hard.cut_parts,
            after=("bounds", "parts"),
            seconds=sum(seconds_in_parts(split.board) for split in config.split),
            memory=config.memory_mb * 1_000_000 if config.split else 0,
        ),
        Stage("joined", "hard boards from their parts", hard.join, hard.cut_joined, after=("bounds", "parts")),
    )


BOARDS = Part(
    name="boards",
    scope="boards",
    stages=stages,
    tables=(RESULTS, CERTIFICATES, ADDITIONAL, REFUTATIONS),
    claims=claims.measure,
    checks=(
        Check(
            "boards",
            {"results": ("k", "rows", "columns"), "certificates": ("k", "rows", "columns")},
            "the boards of the config, each once",
            checks.check_boards,
        ),
        Check(
            "certificates",
            {"certificates": ("certificate",), "results": ("stones", "certified", "states")},
            "witness, charges and bound of every certificate from the rules alone, and what its row repeats of it",
            checks.check_certificates,
        ),
        Check(
            "second counts",
            {"results": ("stones", "placements", "recounted")},
            "counted by the second method, sets of lines instead of runs: all boards of few states, a draw of others",
            checks.check_counts,
        ),
        Check(
            "thin boards",
            {"results": ("stones", "placements", "classes")},
            "columns below k wide: ways of one column, and those that read the same upside down, multiplied",
            checks.check_thin_boards,
        ),
        Check(
            "larger boards",
            {"results": ("stones",)},
            "a row or column more needs no fewer stones, and at most one for each of its cells",
            checks.check_larger_boards,
        ),
        Check(
            "columns that follow",
            {
                "results": (
                    "proof",
                    "refuted",
                    "recounted",
                    "classes",
                    "states",
                    "peak",
                    "formula",
                    "lattice_stones",
                    "lattice_placements",
                    "complete",
                    "bound",
                    "searches",
                    "listed",
                    "base_rows",
                    "base_columns",
                )
            },
            "from sides, stones, placements, config and certificate; windows of best cells counted cell by cell",
            checks.check_rows,
        ),
        Check(
            "searches",
            {"results": ("states", "peak")},
            "the search itself made again with the certificate's weights, where layers have fewer than 4,000 states; "
            "of others, that one layer and all layers can be so large",
            checks.check_searches,
        ),
        Check(
            "searches in parts",
            {"results": ("states", "peak")},
            "of boards that were searched in parts: sums and maxima over the facts of these",
            checks.check_parts,
        ),
        Check(
            "additional",
            {"additional": ("k", "rows", "columns", "placement", "picture")},
            "the published placements that do not repeat a best cell",
            checks.check_additional,
        ),
        Check(
            "refutations",
            {
                "refutations": ("k", "rows", "columns", "stones", "clauses", "refutation"),
                "results": ("refuted",),
            },
            "every clause by unit propagation, of all short proofs and of a draw of the others",
            checks.check_refutations,
        ),
    ),
)
