"""The shortest solutions of the problems of a class, replayed and counted by hand."""

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from boardspace.spaces.solitaire.by_hand import GameByHand, Position
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace.spec.space import Inputs, Outcome

SAMPLED = 5
Moves = tuple[str, ...]


def check_shortest(vacancy: Vacancy, inputs: Inputs, chance: random.Random) -> Outcome:
    """Every solution is replayed from the vacancy to its survivor, and no two have the same moves; some are played in
    all orders; and what the tables count is what the listed ones add up to."""
    game, stage = GameByHand(vacancy.text), f"{vacancy.slug}.shortest"
    listed, counted = (inputs.read(stage, table).to_pylist() for table in ("class_solutions", "problem_solutions"))
    start = frozenset(game.cells) - {game.cell[vacancy.hole]}
    for row in listed:
        fault = _replay_fault(game, start, row)
        if fault:
            return Outcome(len(listed), len(listed), f"solution {row['number']} to {row['survivor']}: {fault}")
    for row in chance.sample(listed, min(SAMPLED, len(listed))):
        orders = _orders(game, start, tuple(sorted(row["moves"].split(", "))), {})
        if orders != row["orders"]:
            fault = f"its moves can be played in {orders} orders, the table says {row['orders']}"
            return Outcome(len(listed), len(listed), f"solution {row['number']} to {row['survivor']}: {fault}")
    return Outcome(len(listed), len(listed), _count_fault(listed, counted))


def _replay_fault(game: GameByHand, start: Position, row: Mapping[str, Any]) -> str:
    """What is wrong with a solution when it is played, or ''."""
    position, moves = start, row["moves"].split(", ")
    for move in moves:
        after = game.after(position, move)
        if after is None:
            return f"{move} is not possible"
        position = after
    if position != frozenset([game.cell[row["survivor"]]]):
        return "it does not end with one peg on the survivor's hole"
    return "" if len(moves) == row["length"] else f"it has {len(moves)} moves, the table says {row['length']}"


def _orders(game: GameByHand, position: Position, left: Moves, known: dict[Moves, int]) -> int:
    """In how many orders these moves can be played; they say what the position is."""
    if left not in known:
        known[left] = 0 if left else 1
        for move in set(left):
            after = game.after(position, move)
            if after is not None:
                rest = list(left)
                rest.remove(move)
                known[left] += _orders(game, after, tuple(rest), known)
    return known[left]


def _count_fault(listed: list[dict[str, Any]], counted: list[dict[str, Any]]) -> str:
    """Whether the counts of each problem whose solutions are listed are those of the list."""
    by_survivor: dict[int, list[dict[str, Any]]] = {}
    for row in listed:
        by_survivor.setdefault(row["survivor"], []).append(row)
    for survivor, rows in by_survivor.items():
        if max(Counter(tuple(sorted(row["moves"].split(", "))) for row in rows).values()) > 1:
            return f"to {survivor}: two solutions have the same moves"
        found = {
            (True, True, True): sum(row["orders"] * row["images"] for row in rows),
            (False, True, True): sum(row["images"] for row in rows),
            (False, False, True): len(rows),
            (False, False, False): len({row["sweeps"] for row in rows}),
        }
        said = {(row["order"], row["mirror"], row["loop"]): row for row in counted if row["survivor"] == survivor}
        for rule, number in found.items():
            if said[rule]["solutions"] != number or said[rule]["moves"] != rows[0]["length"]:
                return f"to {survivor}: {number:,} solutions by the list, {said[rule]['solutions']:,} by the counts"
    return ""
