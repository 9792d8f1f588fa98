"""Checks of certificates, second counts and searches, alike for boards and boxes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.proved import Proved, UnsoundError, each, weigh
from boardspace.spec.space import Draw
from boardspace_kernels.five_in_a_row.board import Board, BoardTooLargeError
from boardspace_kernels.five_in_a_row.bound import SCALE, Bound
from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.cnf import clauses
from boardspace_kernels.five_in_a_row.recount import recount
from boardspace_kernels.five_in_a_row.recount_layers import TooManyStatesError
from boardspace_kernels.five_in_a_row.refutation import check_refutation
from boardspace_kernels.five_in_a_row.search import AIM_AT, AIM_GROWTH, DEFAULT_MEMORY, limits, prepare, sweep

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
UNLIMITED = 1 << 62
SHORT_PROOF, LONG_PROOFS = 10_000, 5
"""Proofs of SAT solvers are checked where they have so few clauses, and so many of the longer ones."""


def certificate_fault(one: Proved) -> str:
    """The fault of a certificate, from the rules alone, or of a row that names another proof than it has."""
    given, row = one.certificate, one.row
    if given is None:
        return "" if row["certified"] is None else f"certified {row['certified']}, and there is no certificate"
    if json.dumps(given, separators=(",", ":")) != one.text:
        return "the certificate is not written as JSON on one line"
    try:
        floor = weigh(given)
    except (UnsoundError, KeyError, TypeError, ValueError, OverflowError) as error:
        return f"the certificate: {error}"
    by_weights, counted = one.proved_by_weights, one.searched
    wanted = {
        "shape": list(one.sides),
        "k": one.key[0],
        "minimum": row["stones"],
        "count": row["placements"] if counted else None,
        "proof": "bound" if by_weights else "search",
        "states": row["states"],
    }
    for name, value in wanted.items():
        if given[name] != value:
            return f"the certificate says {name} {given[name]!r}, its row {value!r}"
    if row["certified"] != ("weights" if by_weights else "search"):
        return f"certified {row['certified']}, but its certificate proves by {'weights' if by_weights else 'search'}"
    least, budgets = -(-floor // SCALE), given["empty_budgets"]
    if least > row["stones"] or budgets != sorted(set(budgets)):
        return f"its bound leaves {least} stones, its searches tried {budgets}"
    open_numbers = list(range(least, row["stones"])) if counted else []
    if [stones for stones in budgets if stones >= least] != open_numbers:
        return f"its bound leaves {open_numbers} stones open, its searches tried {budgets}"
    return ""


def second_counts(config: FiveInARowConfig, proved: Sequence[Proved], draw: Draw) -> Iterator[str]:
    """Placements counted again, and searches with one stone less, by code of its own: all of a few million states
    together, smallest first, and a draw of the others; of the rest it is tried whether they take few states after all,
    whatever their rows say, and only a fault is told."""
    ascending = sorted((one for one in proved if one.searched and one.certificate), key=lambda one: one.row["states"])
    whole = [spent <= COUNTED_STATES for spent in accumulate(one.row["states"] for one in ascending)]
    larger = [one for one, is_whole in zip(ascending, whole, strict=True) if not is_whole]
    within = [one for one in larger if draw.everything or one.row["states"] <= LARGEST_COUNT]
    chosen = [within[i] for i in draw.choose(len(within), DRAWN_COUNTS)]
    rest = [one for one in larger if one not in chosen]
    yield from each(ascending[: sum(whole)] + chosen, lambda one: _count_fault(config, one, 1 << 40))
    yield from filter(None, each(rest, lambda one: _count_fault(config, one, PROBED_STATES)))


def _count_fault(config: FiveInARowConfig, one: Proved, most: int) -> str:
    row = one.row
    allowed = row["states"] <= config.recounted
    if row["recounted"] and not allowed:
        return f"recounted, with {row['states']} states; the config allows {config.recounted}"
    if allowed and not row["recounted"]:
        most = min(most, STATES_A_STATE * config.recounted, GIVEN_UP)
    try:
        found = recount(one.certificate, row["stones"], most)
    except CertificateError as error:
        return str(error)
    except TooManyStatesError:
        return ""
    if found.fewer or not found.agrees(int(row["placements"])):
        return f"counted again, {found.count} placements, and {found.fewer} with fewer stones"
    return "not recounted, though a second count takes few states" if allowed and not row["recounted"] else ""


def efforts(proved: Sequence[Proved]) -> Iterator[str]:
    """States of searches: of small ones made again; of others only a fault is told, where the states of one layer and
    of all layers do not go together."""
    for one in proved:
        if one.searched and one.certificate:
            fault = _layers_fault(one) or _effort_fault(one)
            if fault is not None:
                yield f"{one.where}: {fault}" if fault else ""


def _layers_fault(one: Proved) -> str:
    states, peak = one.row["states"], one.row["peak"]
    searches = 1 + len(one.certificate["empty_budgets"])
    possible = peak <= states <= peak * one.cells * searches
    return "" if possible else f"a search of {states} states has no layer of {peak}"


def _effort_fault(one: Proved) -> str | None:
    """The fault of a row by its search made again; None where that is too large, or not the same on every machine."""
    is_small = repeatable(one.certificate, one.row["peak"])
    found = search_again(one.certificate, UNLIMITED if is_small else PROBED_STATES)
    if found is None or not (is_small or repeatable(one.certificate, found.peak)):
        return None
    if found == (one.row["states"], one.row["peak"]):
        return ""
    return f"searched again, {found.states} states, {found.peak} in a layer"


def refutations(proved: Sequence[Proved], given: dict[tuple[int, ...], dict[str, object]], draw: Draw) -> Iterator[str]:
    """Proofs of a SAT solver: every row that names one has it, of one stone less, and no other has one; all short ones
    and a draw of the others are checked again."""
    strange = sorted(given.keys() - {one.key for one in proved})
    if strange:
        yield f"{strange[0]}: there is a solver's proof of no board of the run"
    longer = [one.key for one in proved if (one.row["refuted"] or 0) > SHORT_PROOF]
    chosen = {longer[i] for i in draw.choose(len(longer), LONG_PROOFS)}
    left_out = set(longer) - chosen
    yield from each(proved, lambda one: _refutation_fault(one, given.get(one.key), one.key not in left_out))


def _refutation_fault(one: Proved, proof: dict[str, object] | None, look: bool) -> str:
    stones, number = one.row["stones"] - 1, one.row["refuted"]
    if number is None:
        return "" if proof is None else "there is a solver's proof, and its row names none"
    if proof is None or (proof["stones"], proof["clauses"]) != (stones, number):
        found = "there is none" if proof is None else f"it has {proof['clauses']}, for {proof['stones']} stones"
        return f"a solver's proof of {number} clauses should refute {stones} stones, and {found}"
    if one.row["proof"] != "search":
        return f"a solver's proof of a minimum that is proved by {one.row['proof']}"
    lines = str(proof["refutation"]).split("\n")
    if len(lines) != number:
        return f"its row names {number} clauses, the proof has {len(lines)}"
    if not look:
        return ""
    try:
        checked = check_refutation(clauses(Board(one.sides, one.key[0]), stones), lines)
    except CertificateError as error:
        return str(error)
    if lines != [" ".join(line.split()) for line in lines]:
        return "a clause of the solver's proof is not written as its literals, a blank between them"
    return "" if checked == number else f"{checked} clauses of the solver's proof are a proof, its row names {number}"


class Effort(NamedTuple):
    """States made in all sweeps, and in the largest layer of any."""

    states: int
    peak: int


def repeatable(certificate: Mapping[str, Any], peak: int) -> bool:
    """True for a search with so large a layer that takes the same steps on every machine.

    That is where layers are so small that no linear program was aimed at them, and where all numbers of stones were
    tried with the bound of the certificate (a search that outgrows its first bound goes on with a better one).
    """
    least = -(-certificate["floor"] // SCALE)
    tried = list(range(least, certificate["minimum"]))
    return peak < AIM_AT * AIM_GROWTH and certificate["empty_budgets"] == tried


def search_again(certificate: Mapping[str, Any], most: int = UNLIMITED) -> Effort | None:
    """Sweep the board of a certificate with each number of stones that it names, and with the fewest; None where a
    sweep makes more than ``most`` states.

    No other means knows how many states a search makes, so here alone a check shares code with the writers.
    """
    board = Board(tuple(certificate["shape"]), certificate["k"])
    by_ends = {(first, last): weight for first, last, weight in certificate["lines"]}
    weights = np.array([by_ends.get((line[0], line[-1]), 0) for line in board.lines.tolist()], dtype=np.int64)
    strips = certificate["strips"]
    costs = np.array([strip["costs"] for strip in strips], dtype=np.int64) if strips else np.empty((0, 0), np.int64)
    width = len(strips[0]["costs"]) // board.shape[0] if strips else 0
    prepared = prepare(board, width, Bound(weights, costs))
    bounds = limits(prepared, DEFAULT_MEMORY, most)
    try:
        sweeps = [sweep(prepared, stones, bounds) for stones in (*certificate["empty_budgets"], certificate["minimum"])]
    except BoardTooLargeError:
        if most == UNLIMITED:
            raise
        return None
    return Effort(sum(one.states for one in sweeps), max(one.peak for one in sweeps))
