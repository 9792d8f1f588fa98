"""Boards: the fewest stones, the proof, the number of ways; hard ones in parts, large ones carried from small ones."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.five_in_a_row.columns import (
    CERTIFIED,
    CLASSES,
    COLUMNS,
    NUMBER,
    PEAK,
    PROOF,
    RECOUNTED,
    REFUTED,
    ROWS,
    STATES,
    K,
)
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard
from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.equations import Made
from boardspace.spec.space import Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.five_in_a_row.parts.boards import carried, checks, claims, compute, hard
else:
    carried, checks, claims, compute, hard = deferred(__package__, "carried", "checks", "claims", "compute", "hard")

DRAW_PLACEMENT = DeferredFunction("boardspace.spaces.five_in_a_row.drawings", "draw_placement")
DRAW_WITNESS = DeferredFunction("boardspace.spaces.five_in_a_row.drawings", "draw_witness")

MADE = Made(
    "boards",
    checks.make_boards,
    says="from the config, certificates weighed by the rules, second counts by sets of lines, searches made again, "
    "solvers' proofs tried clause by clause, smaller boards, and windows of best cells: of boards with many states a "
    "draw, the others as far as one number follows from another",
)
RESULTS = Table(
    "results",
    "One row for each board: the fewest stones that leave no k cells in a row free, in how many ways, and what the "
    "source's formula and construction say.",
    (
        K,
        ROWS,
        COLUMNS,
        Column("stones", pa.uint32(), "X, the fewest stones that block every line.", "stones"),
        PROOF,
        CERTIFIED,
        NUMBER,
        RECOUNTED,
        REFUTED,
        CLASSES,
        Column("formula", pa.uint32(), "floor(N M / k), the source's formula.", "stones"),
        Column(
            "lattice_stones",
            pa.uint32(),
            "Fewest stones of a window of a repeated best cell; null where k has none.",
            "stones",
            nullable=True,
        ),
        Column(
            "lattice_placements",
            pa.uint32(),
            "Number of different windows with so few stones.",
            "placements",
            nullable=True,
        ),
        Column(
            "complete",
            pa.bool_(),
            "Whether these windows are all placements with the fewest stones; null where the number is not known.",
            nullable=True,
        ),
        Column(
            "bound",
            pa.uint64(),
            "The dual bound of the last search, of lines and of strips where it had any.",
            "1/2^30 stone",
        ),
        Column("searches", pa.uint8(), "Searches made, each with one stone more."),
        STATES,
        PEAK,
        Column("listed", pa.bool_(), "Whether the placements are published; `listed` tells where."),
        Column("base_rows", pa.uint16(), "For proof = carried: rows of the smaller board.", "cells", nullable=True),
        Column("base_columns", pa.uint16(), "For proof = carried: its columns.", "cells", nullable=True),
    ),
    ("k", "rows", "columns"),
    rows=MADE,
)
CERTIFICATES = Table(
    "certificates",
    "The proof of each board's minimum as one JSON document: the weight of every line and the costs of the strips, "
    "which prove the bound, a placement that attains the minimum, and the budgets whose searches found nothing. Boards "
    "that were searched in parts, that have a rule, or that are carried from smaller ones have one too.",
    (K, ROWS, COLUMNS, Column("certificate", pa.string(), "The certificate, JSON.")),
    ("k", "rows", "columns"),
    picture=DRAW_WITNESS,
    rows=MADE,
)
ADDITIONAL = Table(
    "additional",
    "Placements with the fewest stones that are no windows of a repeated best cell: the counterexamples to the claim "
    "that the construction finds all.",
    (
        K,
        ROWS,
        COLUMNS,
        Column("placement", pa.uint32(), "Number of the placement among the board's in the array, from 0."),
        Column("picture", pa.string(), "Rows from the top, separated by slashes: # a stone, . a free cell."),
    ),
    ("k", "rows", "columns", "placement"),
    picture=DRAW_PLACEMENT,
    rows=MADE,
)
REFUTATIONS = Table(
    "refutations",
    "Proofs by a SAT solver (Glucose 4) that one stone less than the minimum does not suffice, of boards with proof = "
    "search. They refute the formula that `boardspace five cnf` prints; the same command checks them.",
    (
        K,
        ROWS,
        COLUMNS,
        Column("stones", pa.uint32(), "So many stones do not suffice: one less than the fewest.", "stones"),
        Column("clauses", pa.uint32(), "Clauses of the proof, the empty one last.", "clauses"),
        Column("refutation", pa.string(), "The proof, DRUP: a clause a line, its literals and then 0."),
    ),
    ("k", "rows", "columns"),
    rows=MADE,
)


def stages(config: FiveInARowConfig) -> Sequence[Stage]:
    """Boards at once; hard boards go through three stages, and large ones follow from the boards."""
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
            longest=max((seconds_in_parts(split.board) / split.parts for split in config.split), default=0.0),
            memory=config.memory_mb * 1_000_000 if config.split else 0,
        ),
        Stage("joined", "hard boards from their parts", hard.join, hard.cut_joined, after=("bounds", "parts")),
        Stage(
            "carried",
            "large boards proved from small ones",
            carried.carry,
            carried.cut_carried,
            after=("boards",),
            bytes=len(config.carried) * 30_000,
            seconds=len(config.carried) * 0.6,
        ),
    )


BOARDS = Part(
    name="boards",
    scope="boards",
    stages=stages,
    tables=(RESULTS, CERTIFICATES, ADDITIONAL, REFUTATIONS),
    claims=claims.measure,
)

HARD = {
    2: (18, 0.25, 1.5),
    3: (14, 2.4, 1.6),
    4: (12, 40.0, 8.0),
    6: (12, 6.0, 8.0),
    8: (12, 2.0, 3.5),
    9: (13, 110.0, 5.0),
    10: (12, 0.6, 5.0),
    11: (12, 1.0, 5.0),
    12: (13, 4.0, 10.0),
    13: (14, 11.0, 4.0),
}
"""By k: a number of columns, about how many seconds such a board takes, and by how much each column more multiplies
it. A column less divides by more: most small boards have bounds that are exact, and their searches end at once."""
OTHER = (25, 0.05, 1.1)
"""The same of every other k."""
IN_PARTS = {4: (12, 20.0, 3.5), 6: (13, 38.0, 2.0), 8: (13, 4.0, 3.5), 9: (13, 110.0, 5.0)}
"""As HARD, of boards that are searched in parts; fitted to all of the config `full`, but for boards of 14 columns with
k = 9, and more, which nobody ran."""
SECONDS_PER_CONFLICT = 4e-5
"""Of the solver that refutes one stone less, for each conflict that it may have; many boards need fewer."""


def board_seconds(board: SizedBoard) -> float:
    """About how long a board takes, on one core."""
    columns, base, growth = HARD.get(board.k, OTHER)
    more = board.columns - columns
    own = 0.003 if board.columns < board.k else 0.015 + 6e-5 * board.rows * board.columns  # the second count included
    return own + base * growth ** (more if more > 0 else 1.6 * more)


def seconds_in_parts(board: SizedBoard) -> float:
    """About how long all parts of a board take together, on one core."""
    columns, base, growth = IN_PARTS.get(board.k) or HARD.get(board.k, OTHER)
    return base * float(growth) ** (board.columns - columns)
