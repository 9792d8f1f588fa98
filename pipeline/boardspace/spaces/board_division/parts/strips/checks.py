"""Derives again what is published of strips: covers counted cell by cell, and the recurrences proved by them."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any

from boardspace.spaces.board_division.checking import Faults
from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.strips.compute import NARROWEST
from boardspace.spaces.board_division.rules import strip_of_covers
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

PRIME = (1 << 61) - 1


def check_strips(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Rows of all strips, by counting the terms that prove their recurrences."""
    return outcome(_strips(config, inputs))


def _strips(config: BoardDivisionConfig, inputs: Inputs) -> Faults:
    table = inputs.table("strips").to_pylist()
    heights = list(range(NARROWEST, config.strips + 1))
    if [row["rows"] for row in table] != heights:
        yield f"strips of {[row['rows'] for row in table]} rows, and those of {heights} are asked for"
        return
    for row in table:
        yield _fault_of_row(row) or _fault_of_terms(row)


def _fault_of_row(row: Mapping[str, Any]) -> str:
    """Return the contradiction of a row with itself, or ''."""
    name = f"strips of {row['rows']} rows"
    order = len(row["denominator"]) - 1
    if row["period"] != (1 if row["rows"] % 3 == 0 else 3):
        return f"{name}: a term every {row['period']} columns"
    if row["recurrence_order"] != order or len(row["numerator"]) != order or row["denominator"][0] != "1":
        return f"{name}: the order {row['recurrence_order']} is not that of the generating function"
    if not _are_coprime(*(list(map(int, row[column])) for column in ("numerator", "denominator"))):
        return f"{name}: its generating function is not in lowest terms, so there is a shorter recurrence"
    if row["compared"] != row["states"] + order:
        return f"{name}: {row['compared']} terms compared, and {row['states']} states with order {order} take their sum"
    return ""


def _are_coprime(one: Sequence[int], other: Sequence[int]) -> bool:
    """True where polynomials, lowest powers first, have no factor in common modulo a prime, and so none at all."""
    a, b = (_without_zeros([c % PRIME for c in polynomial]) for polynomial in (other, one))
    while b:
        inverse = pow(b[-1], -1, PRIME)
        while len(a) >= len(b):
            factor, shift = a[-1] * inverse % PRIME, len(a) - len(b)
            a = _without_zeros([(c - factor * b[i - shift]) % PRIME if i >= shift else c for i, c in enumerate(a)])
        a, b = b, a
    return len(a) == 1


def _without_zeros(polynomial: list[int]) -> list[int]:
    while polynomial and not polynomial[-1]:
        polynomial.pop()
    return polynomial


def _fault_of_terms(row: Mapping[str, Any]) -> str:
    """Count the covers, and compare them with the generating function; '' where they are its coefficients."""
    name = f"strips of {row['rows']} rows"
    states, terms = _counted(row["rows"], row["compared"], row["period"])
    if states != row["states"]:
        return f"{name}: {states} states of a column are met, the table has {row['states']}"
    numerator, denominator = (list(map(int, row[column])) for column in ("numerator", "denominator"))
    for place in range(len(terms)):
        product = sum(c * terms[place - back] for back, c in enumerate(denominator[: place + 1]))
        if product != (numerator[place] if place < len(numerator) else 0):
            columns = place * row["period"]
            return f"{name}: the generating function does not give the {terms[place]} covers of {columns} columns"
    return ""


@cache
def _counted(rows: int, length: int, period: int) -> tuple[int, tuple[int, ...]]:
    """States of a column that are met, and the covers of 0, ``period``, 2 ``period``, ... columns."""
    counted = list(islice(strip_of_covers(rows), period * (length - 1) + 1))
    return len({state for covers in counted for state in covers}), tuple(covers[0] for covers in counted[::period])
