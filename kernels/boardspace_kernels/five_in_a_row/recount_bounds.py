"""A certificate's bound, verified for a recount: weights of lines, costs of strips, and weights aimed at states."""

import functools
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.recount_layers import Limit, Search, decided, first_layer, refuse_beyond
from boardspace_kernels.five_in_a_row.recount_tables import NO_STRIPS, NOWHERE, Ints, Lines, Strip

VERSIONS = (1, 2)
"""Of certificates, that are understood."""

LARGEST = 1 << 60
"""Values below this, and a few of them added, fit 64 bits."""


def checked(certificate: Mapping[str, Any], board: Lines) -> tuple[Ints, list[tuple[dict[int, int], Ints]]]:
    """Weights (L,) of the lines, and every strip as the places of its cells and its costs; what they charge is
    verified in Python's integers."""
    numbers = [certificate["scale"], *(x for strip in certificate["strips"] for x in (strip["start"], *strip["costs"]))]
    _refuse_unless_small(numbers, board)
    if certificate["scale"] < 1 or certificate.get("version", 1) not in VERSIONS:
        raise CertificateError(f"the scale is not positive, or the version is none of {VERSIONS}")
    weights = _line_weights(certificate["lines"], board)
    charged = _charged(weights, board)
    columns = certificate["shape"][-1]
    strips = []
    for strip in certificate["strips"]:
        width, rest = divmod(len(strip["costs"]) * columns, board.cells)
        if rest or not 0 <= strip["start"] <= columns - width:
            raise CertificateError(f"the strip from column {strip['start']} on is none of the board's")
        under = range(strip["start"], strip["start"] + width)
        cells = {cell: i for i, cell in enumerate(c for c in range(board.cells) if c % columns in under)}
        for cell, cost in zip(cells, strip["costs"], strict=True):
            charged[cell] += cost
        strips.append((cells, np.array(strip["costs"], dtype=np.int64)))
    if max(charged) > certificate["scale"]:
        raise CertificateError("the weights charge a stone too much")
    if len({len(costs) for _, costs in strips}) > 1:
        raise CertificateError("the strips differ in width")
    return np.array(weights, dtype=np.int64), strips


def checked_aims(certificate: Mapping[str, Any], board: Lines) -> dict[int, list[Ints]]:
    """Weights (L,) that were aimed at the states after some cells, by the number of these; what they charge the cells
    still to be decided is verified."""
    found: dict[int, list[Ints]] = {}
    for aim in certificate.get("aimed", []):
        cells, weights = aim["cells"], _line_weights(aim["lines"], board)
        if type(cells) is not int or not 0 <= cells < board.cells:
            raise CertificateError(f"weights aimed at the states after {cells!r} cells")
        if max(_charged(weights, board)[cells:]) > certificate["scale"]:
            raise CertificateError(f"the weights aimed at the states after {cells} cells charge a stone too much")
        found.setdefault(cells, []).append(np.array(weights, dtype=np.int64))
    return found


def _line_weights(given: Sequence[Sequence[int]], board: Lines) -> list[int]:
    """Weights by line, of those given as first cell, last cell and weight."""
    _refuse_unless_small([x for line in given for x in line], board)
    by_ends = {(first, last): weight for first, last, weight in given}
    ends = zip(board.first.tolist(), board.last.tolist(), strict=True)
    weights = [by_ends.pop(both, 0) for both in ends] if by_ends else [0] * len(board.lines)
    if by_ends or min(weights, default=0) < 0:
        raise CertificateError("the weights name lines that are none, or are negative")
    return weights


def _charged(weights: Sequence[int], board: Lines) -> list[int]:
    """Charge of a stone on each cell by the weights of the lines."""
    charged = [0] * board.cells
    for number, weight in enumerate(weights):
        if weight:
            for cell in board.lines[number].tolist():
                charged[cell] += weight
    return charged


def _refuse_unless_small(numbers: Sequence[Any], board: Lines) -> None:
    if any(type(number) is not int for number in numbers):
        raise CertificateError("a weight, a cost or the scale is no whole number")
    if max(map(abs, numbers), default=0) * (board.cells + len(board.lines)) >= LARGEST:
        raise CertificateError("a weight or a cost is too large to be added")


def diagram(
    certificate: Mapping[str, Any], strips: list[tuple[dict[int, int], Ints]], most_states: int
) -> tuple[Strip, int]:
    """The strips' states with their cheapest completions, and how many there are."""
    if not strips:
        return NO_STRIPS, 0
    shape = list(certificate["shape"])
    width = len(strips[0][1]) * shape[-1] // prod(shape)
    listed = _listed((*shape[:-1], width), certificate["k"], most_states)
    costs = np.array([costs for _, costs in strips])
    starts, free, stone = listed
    to_go = np.zeros((len(strips), starts[-1] + 1), np.int64)
    for t in reversed(range(len(starts) - 1)):
        here = slice(starts[t], starts[t + 1])
        with_stone = to_go.take(stone[here], axis=1) + costs[:, t, None]
        without = np.where(free[here] == NOWHERE, with_stone, to_go.take(free[here], axis=1))
        to_go[:, here] = np.minimum(with_stone, without)
    return Strip(free, stone, to_go), starts[-1] + 1


@functools.lru_cache(maxsize=64)
def _listed(shape: tuple[int, ...], k: int, most_states: int) -> tuple[list[int], Ints, Ints]:
    """All states of a strip by itself, kept because boards of many lengths have strips of one shape.

    Returns where the states before each cell begin, and those after the last cell; by state, the ones that follow a
    free cell and a stone.
    """
    board = Lines(shape, k)
    cells = board.tables(np.zeros((len(board.lines), 2), dtype=np.int64), [[]] * board.cells)
    search = Search(cells, NO_STRIPS, Limit(0, 0, 0))
    rows, layers, starts = first_layer(board.words, 0, 0), list[Ints](), [0]
    for t in range(board.cells):
        starts.append(starts[-1] + len(rows.used))
        refuse_beyond(starts[-1], most_states)
        rows, links = decided(rows, t, search)
        layers.append(np.where(links == NOWHERE, NOWHERE, links + starts[-1]))
    free, stone = np.ascontiguousarray(np.concatenate(layers).T)
    return starts, free, stone
