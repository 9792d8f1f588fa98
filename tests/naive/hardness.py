"""Measures of a start by their definitions: all shortest solutions one by one, walks by exact fractions."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

Position = Any
Moves = Mapping[Position, Sequence[Position]]


def distances(moves: Moves, goals: set[Position]) -> dict[Position, int]:
    """The fewest moves of each position to a goal."""
    found = dict.fromkeys(goals, 0)
    for here in (queue := list(found)):
        for there in moves[here]:
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def shortest(moves: Moves, left: Mapping[Position, int], start: Position) -> Iterator[list[Position]]:
    """All shortest solutions, as the positions on them."""
    if left[start] == 0:
        yield [start]
    for there in moves[start]:
        if left[there] < left[start]:
            yield from ([start, *way] for way in shortest(moves, left, there))


def rises(way: Sequence[Position], number: Mapping[Position, int]) -> int:
    """How often a number rises on a way."""
    return sum(number[after] > number[before] for before, after in pairwise(way))


def walk(moves: Moves, goals: set[Position], start: Position) -> Fraction:
    """The moves that a random walk takes on an average to a goal: linear equations, by elimination."""
    unknown = [position for position in moves if position not in goals]
    rows = []
    for position in unknown:
        row = {other: Fraction(moves[position].count(other)) for other in moves[position] if other not in goals}
        row[position] = row.get(position, Fraction(0)) - len(moves[position])
        rows.append((row, Fraction(-len(moves[position]))))
    for i, position in enumerate(unknown):
        row, value = rows[i]
        scaled = {other: part / row[position] for other, part in row.items()}
        rows[i] = scaled, value / row[position]
        for j, (other_row, other_value) in enumerate(rows):
            if j != i and (factor := other_row.get(position, Fraction(0))):
                for other, part in scaled.items():
                    other_row[other] = other_row.get(other, Fraction(0)) - factor * part
                rows[j] = other_row, other_value - factor * rows[i][1]
    return dict(zip(unknown, (value for _, value in rows), strict=True)).get(start, Fraction(0))
