"""Rows of boards and of boxes, as far as they follow from a certificate, a second count, a search and a solver's proof.

Each of these is tried; what none tells is left out."""

import json
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from boardspace.spaces.five_in_a_row.config import WIDEST_STRIP, FiveInARowConfig
from boardspace.spaces.five_in_a_row.proved import Key, Proved, Row, weigh
from boardspace.spec.equations import RowFaultError
from boardspace.spec.space import Draw
from boardspace_kernels.five_in_a_row.board import Board, BoardTooLargeError
from boardspace_kernels.five_in_a_row.bound import SCALE
from boardspace_kernels.five_in_a_row.certificate import prepared_by
from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.formulas import clauses
from boardspace_kernels.five_in_a_row.recount import recount
from boardspace_kernels.five_in_a_row.recount_layers import TooManyStatesError
from boardspace_kernels.five_in_a_row.refutation import check_refutation
from boardspace_kernels.five_in_a_row.search import AIM_AT, AIM_GROWTH, DEFAULT_MEMORY, limits, sweep

COUNTED_STATES = 8_000_000
"""States of all boards that are counted again whatever the draw, smallest first: two seconds."""
DRAWN_COUNTS, LARGEST_COUNT = 2, 20_000_000
"""So many of the others are drawn, of those with so few states; without a draw all are counted, which may take long."""
PROBED_STATES = 200_000
"""A board is counted again where that takes so few states, however many its row says that its search took."""
STATES_A_STATE = 8
"""A run gives a second count up where it meets so many times the states that its config allows."""
GIVEN_UP = 4_000_000
"""States after which a check believes that a second count was given up."""
SHORT_PROOF, LONG_PROOFS = 10_000, 5
"""Proofs of SAT solvers are checked where they have so few clauses, and so many of the longer ones."""


def known(config: FiveInARowConfig, proved: Sequence[Proved], draw: Draw) -> dict[Key, Row]:
    """The columns of each row that a certificate, a second count, a search or a solver's proof tells.

    RowFaultError where one of these is wrong.

    Placements are counted again of all boards of a few million states together, smallest first, and of a draw of the
    others; of the rest it is tried whether they take few states after all, whatever their rows say. Solver's proofs are
    tried if they are short, and a draw of the others.
    """
    ascending = sorted((one for one in proved if one.searched and one.certificate), key=lambda one: one.row["states"])
    spent = list(accumulate(one.row["states"] for one in ascending))
    few = sum(states <= COUNTED_STATES for states in spent)
    within = [one for one in ascending[few:] if draw.everything or one.row["states"] <= LARGEST_COUNT]
    counted = {*ascending[:few], *(within[i] for i in draw.choose(len(within), DRAWN_COUNTS))}
    longer = [one for one in proved if (one.row["refuted"] or 0) > SHORT_PROOF]
    left_out = {*longer} - {longer[i] for i in draw.choose(len(longer), LONG_PROOFS)}
    found, in_parts = dict[Key, Row](), {tuple(split.board) for split in config.split}
    for one in proved:
        try:
            if one.searched and one.certificate is None and one.key not in in_parts:
                raise CertificateError("a search has no certificate")
            row = _certified(config, one) | _refuted(config, one, look=one not in left_out)
            if one.searched and one.certificate:
                row |= _counted(config, one, whole=one in counted)
                row |= _effort(one) if one.key not in in_parts else {}
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise RowFaultError(f"{one.where}: {error}") from error
        found[one.key] = row
    return found


def _certified(config: FiveInARowConfig, one: Proved) -> Row:
    """Columns that a certificate proves, from the rules alone. It is weighed once it is of this board, and has no wider
    strips than a search of it."""
    given, row = one.certificate, one.row
    if given is None:
        return {"certified": None}
    if json.dumps(given, separators=(",", ":")) != one.text:
        raise CertificateError("the certificate is not written as JSON on one line")
    proof = "bound" if one.proved_by_weights else "search"
    wanted = {
        "shape": list(one.sides),
        "k": one.key[0],
        "minimum": row["stones"],
        "count": row["placements"] if one.searched else None,
        "proof": proof,
        "states": row["states"],
    }
    for name, value in wanted.items():
        if given[name] != value:
            raise CertificateError(f"the certificate says {name} {given[name]!r}, its row {value!r}")
    widest = max(WIDEST_STRIP.get(one.key[0], 0), *(s.width for s in config.split if s.board == one.key), 0)
    if any(len(strip["costs"]) > widest * one.sides[0] for strip in given["strips"]):
        raise CertificateError(f"the certificate has strips of more than {widest} columns")
    try:
        floor = weigh(given)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise CertificateError(f"the certificate: {error}") from error
    least, budgets = -(-floor // SCALE), given["empty_budgets"]
    open_numbers = range(least, row["stones"] if one.searched else least)
    tried = [stones for stones in budgets if stones >= least]
    if not 0 <= least <= row["stones"] or budgets != sorted(set(budgets)) or tried != list(open_numbers):
        raise CertificateError(
            f"its bound leaves {open_numbers} open of {row['stones']} stones, its searches tried {budgets}"
        )
    return {"certified": "search"} if proof == "search" else {"certified": "weights", "stones": row["stones"]}


def _counted(config: FiveInARowConfig, one: Proved, whole: bool) -> Row:
    """Placements counted again, and a search with one stone less, by code of its own; nothing where that takes more
    states than a run would allow, or, of what is not drawn, than are probed."""
    row = one.row
    allowed = row["states"] <= config.recounted
    if row["recounted"] and not allowed:
        raise CertificateError(f"recounted, with {row['states']} states; the config allows {config.recounted}")
    most = max(GIVEN_UP, STATES_A_STATE * max(row["states"], config.recounted)) if whole else PROBED_STATES
    if allowed and not row["recounted"]:
        most = min(most, STATES_A_STATE * config.recounted, GIVEN_UP)
    try:
        found = recount(one.certificate, row["stones"], most)
    except TooManyStatesError:
        if whole and row["recounted"]:
            raise
        return {}
    if found.fewer or not found.agrees(int(row["placements"])):
        raise CertificateError(f"counted again, {found.count} placements, and {found.fewer} with fewer stones")
    return {"stones": row["stones"], "placements": row["placements"], "recounted": allowed}


def _effort(one: Proved) -> Row:
    """States of a search made again, where it is small and the same on every machine; of others it is tried that the
    states of one layer and of all layers go together."""
    states, peak, certificate = one.row["states"], one.row["peak"], one.certificate
    if not peak <= states <= peak * one.cells * (1 + len(certificate["empty_budgets"])):
        raise CertificateError(f"a search of {states} states has no layer of {peak}")
    same = repeatable(certificate, peak)
    found = search_again(certificate, states if same else PROBED_STATES)
    if same and not found:
        raise CertificateError(f"a search made again has more than the {states} states that the row says")
    if not found or not (same or repeatable(certificate, found[1])):
        return {}
    return dict(zip(("states", "peak"), found, strict=True))


def _refuted(config: FiveInARowConfig, one: Proved, look: bool) -> Row:
    """The clauses of a SAT solver's proof that one stone less does not suffice, if it is looked at."""
    number = one.row["refuted"]
    if number is None:
        return {} if one.row["proof"] == "search" and config.refuted_conflicts else {"refuted": None}
    if one.row["proof"] != "search":
        raise CertificateError(f"a solver's proof of a minimum that is proved by {one.row['proof']}")
    if not 0 < one.row["stones"] <= one.cells:
        raise CertificateError(f"a solver's proof of {one.row['stones']} stones on {one.cells} cells")
    lines = (one.refutation or "").split("\n")
    if len(lines) != number:
        raise CertificateError(f"its row names {number} clauses, the proof has {len(lines)}")
    if not look:
        return {}
    checked = check_refutation(clauses(Board(one.sides, one.key[0]), one.row["stones"] - 1), lines)
    if lines != [" ".join(line.split()) for line in lines]:
        raise CertificateError("a clause of the solver's proof is not written as its literals, a blank between them")
    return {"refuted": checked}


def repeatable(certificate: Mapping[str, Any], peak: int) -> bool:
    """True for a search with so large a layer that takes the same steps on every machine.

    That is where layers are so small that no linear program was aimed at them, and where all numbers of stones were
    tried with the bound of the certificate (a search that outgrows its first bound goes on with a better one).
    """
    least = -(-certificate["floor"] // SCALE)
    tried = list(range(least, certificate["minimum"]))
    return peak < AIM_AT * AIM_GROWTH and certificate["empty_budgets"] == tried


def search_again(certificate: Mapping[str, Any], most: int) -> tuple[int, int] | None:
    """Sweep the board of a certificate with each number of stones that it names, and with the fewest: states made in
    all sweeps, and in the largest layer of any; None where a sweep makes more than ``most`` states.

    No other means knows how many states a search makes, so here alone a check shares code with the writers.
    """
    prepared = prepared_by(certificate)
    bounds = limits(prepared, DEFAULT_MEMORY, most)
    try:
        sweeps = [sweep(prepared, stones, bounds) for stones in (*certificate["empty_budgets"], certificate["minimum"])]
    except BoardTooLargeError:
        return None
    return sum(one.states for one in sweeps), max(one.peak for one in sweeps)
