"""Results, certificates, placements beyond the construction, and proofs of a SAT solver."""

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
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.space import Column, Table

DRAW_PLACEMENT = DeferredFunction("boardspace.spaces.five_in_a_row.drawn_rows", "draw_placement")
DRAW_WITNESS = DeferredFunction("boardspace.spaces.five_in_a_row.drawn_rows", "draw_witness")

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
)
CERTIFICATES = Table(
    "certificates",
    "The proof of each board's minimum as one JSON document: the weight of every line and the costs of the strips, "
    "which prove the bound, a placement that attains the minimum, and the budgets whose searches found nothing. Boards "
    "that were searched in parts, that have a rule, or that are carried from smaller ones have one too.",
    (K, ROWS, COLUMNS, Column("certificate", pa.string(), "The certificate, JSON.")),
    ("k", "rows", "columns"),
    draw=DRAW_WITNESS,
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
    draw=DRAW_PLACEMENT,
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
)
