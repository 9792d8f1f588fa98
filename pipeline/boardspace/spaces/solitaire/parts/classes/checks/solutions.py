"""The shortest solutions of the problems of a class: found again where it is small, else replayed and counted.

Of a class that is too large to be played whole nobody knows all shortest solutions without a search. But from a listed
solution one can go over to others: between two of its positions that are three moves apart all sequences of moves are
found, by two moves from the one and one taken back from the other. Each has to make a listed solution again, and none
may be shorter. A window is a listed solution with the position where such a part begins.
"""

from collections.abc import Iterator
from typing import Any

from boardspace.spaces.solitaire.parts.classes.checks.played import PlayedClass
from boardspace.spaces.solitaire.parts.classes.moves import MOST_LISTED
from boardspace.spaces.solitaire.rules import GameByArrays, GameByHand, Path, Position
from boardspace.spaces.solitaire.shortest_by_hand import ShortestByHand, Stops, graph_of
from boardspace.spec.equations import Given, Making, RowFaultError
from boardspace.spec.second_rules import transfer
from boardspace.spec.space import Draw

DRAWN = 5
"""Listed solutions of a problem whose orders are counted, where the class is not played whole."""
LENGTH, WINDOWS = 3, 20
"""Moves of a window, and windows of a problem that are drawn."""
Moves = tuple[str, ...]
Rows = list[dict[str, Any]]


def solution_tables(played: PlayedClass, at: Making) -> dict[str, Rows]:
    """Every solution from one vacancy, and the numbers of solutions by every rule, as far as they are known."""
    stated = [] if played.is_whole else at.rows("problems", vacancy=played.vacancy.hole)
    least = played.least if played.is_whole else {row["survivor"]: row["moves"] for row in stated if row["solvable"]}
    tables: dict[str, Rows] = {"class_solutions": [], "problem_solutions": []}
    for survivor, moves in sorted(least.items()):
        for table, rows in zip(tables, _of_survivor(played, survivor, moves, at), strict=True):
            every = ({"survivor": survivor, **row} for row in rows)
            tables[table] += every if played.is_whole else ({n: Given(own) for n, own in row.items()} for row in every)
    return tables


def _of_survivor(played: PlayedClass, survivor: int, moves: int, at: Making) -> tuple[Rows, Rows]:
    hand, home, last = played.hand, played.hand.cell[played.vacancy.hole], played.hand.cell[survivor]
    start, goal = frozenset(hand.cells) - {home}, frozenset([last])
    given, counted = (
        at.rows(table, vacancy=played.vacancy.hole, survivor=survivor)
        for table in ("class_solutions", "problem_solutions")
    )
    if played.is_whole:
        solutions = solutions_of(played, survivor)
        are_listed = len(solutions.orders) <= MOST_LISTED
    else:
        game = _game(played, survivor)
        solutions, are_listed = ShortestByHand(game, unfolded(game, hand, given)), bool(given)
    listed = solutions.rows(hand, start, goal, (row["moves"] for row in given)) if are_listed else []
    if not played.is_whole:
        fault = _fault(moves, counted, listed) or _orders_fault(hand, start, given, at.draw)
        if fault := fault or window_fault(hand, start, given, solutions, at.draw):
            raise RowFaultError(f"{played.vacancy.slug} to {survivor}: {fault}")
    known = solutions.counts if played.is_whole or given else {}
    rules = [(o, m, loop) for o in (False, True) for m in (False, True) for loop in (False, True) if o or are_listed]
    return listed, [
        {"ordered": rule[0], "mirror": rule[1], "loop": rule[2], "moves": moves}
        | ({"solutions": known[rule]} if rule in known else {})
        for rule in rules
    ]


def _game(played: PlayedClass, survivor: int) -> GameByArrays:
    return GameByArrays(played.hand, played.hand.keeping(played.vacancy.hole, survivor))


def solutions_of(played: PlayedClass, survivor: int) -> ShortestByHand:
    """All shortest solutions to a survivor, of a class that is played whole."""
    game = _game(played, survivor)
    graph = graph_of(played.hand, game, played.passed_to(survivor, game))
    return ShortestByHand.of_graph(game, graph, played.full ^ played.home)


def _fault(moves: int, counted: Rows, listed: Rows) -> str:
    """The first fault of solutions that nobody made again, or ''."""
    if not listed and max(row["solutions"] for row in counted) <= MOST_LISTED:
        return "its solutions are not listed, although they are few"
    for row in listed:
        if not row["moves"] or row["length"] != moves:
            return f"solution {row['number']} does not lead to one peg on the survivor's hole in {moves} moves"
    return ""


def unfolded(game: GameByArrays, hand: GameByHand, rows: Rows) -> dict[tuple[Stops, ...], int]:
    """All images of listed solutions, moves in no order, each with the orders that its row has."""
    found = dict[tuple[Stops, ...], int]()
    for row in rows:
        moves = [hand.stops(move) for move in row["moves"].split(", ")]
        for permutation in game.permutations:
            found[tuple(sorted(tuple(permutation[hole] for hole in move) for move in moves))] = row["orders"]
    return found


def _orders_fault(hand: GameByHand, start: Position, rows: Rows, draw: Draw) -> str:
    """The fault that a drawn solution cannot be played in as many orders as the table says, or ''."""
    for number in draw.choose(len(rows), DRAWN):
        row = rows[number]
        orders = _orders(hand, start, tuple(row["moves"].split(", ")))
        if orders != row["orders"]:
            return f"solution {row['number']} can be played in {orders} orders, the table says {row['orders']}"
    return ""


def _orders(game: GameByHand, start: Position, moves: Moves) -> int:
    """In how many orders these moves can be played."""

    def ways(step: int, here: tuple[Position, Moves]) -> Iterator[tuple[tuple[Position, Moves], int]]:
        """Yield the positions after each of the moves that are left, and what is left then."""
        position, left = here
        for number, move in enumerate(left):
            if move not in left[:number] and (after := game.after(position, move)) is not None:
                yield (after, (*left[:number], *left[number + 1 :])), 1

    return sum(transfer((start, moves), range(len(moves)), ways).values())


def window_fault(hand: GameByHand, start: Position, rows: Rows, solutions: ShortestByHand, draw: Draw) -> str:
    """The fault of a drawn window that a solution is not listed, or that it can be shorter; or ''."""
    listed = [row["moves"].split(", ") for row in rows]
    each = max(1, len(listed[0]) - LENGTH + 1) if listed else 0
    for window in draw.choose(each * len(listed), WINDOWS):
        number, begin = divmod(window, each)
        moves, last = listed[number], min(begin + LENGTH, len(listed[number]))
        first, then = (hand.replayed(start, moves[:played]) for played in (begin, last))
        assert first is not None, "solutions are replayed before"
        assert then is not None, "solutions are replayed before"
        kept = [hand.stops(move) for move in (*moves[:begin], *moves[last:])]
        for paths in _ways(hand, first, then):
            if len(paths) < last - begin:
                return f"solution {number + 1} is not the shortest: {last - begin} moves can be {len(paths)}"
            if solutions.least_image([*kept, *map(hand.holes_of, paths)]) is None:
                return f"a solution like solution {number + 1}, but for {last - begin} moves, is not listed"
    return ""


def _ways(hand: GameByHand, begin: Position, end: Position) -> Iterator[tuple[Path, ...]]:
    """All sequences of one move to three from one position to another."""
    before: dict[Position, list[Path]] = {}
    for path, earlier in hand.paths(end, back=True):
        before.setdefault(earlier, []).append(path[::-1])
    yield from ((path,) for path in before.get(begin, ()))
    for one, first in hand.paths(begin):
        if len(first) <= len(end):
            continue
        yield from ((one, path) for path in before.get(first, ()))
        for two, second in hand.paths(first):
            yield from ((one, two, path) for path in before.get(second, ()))
