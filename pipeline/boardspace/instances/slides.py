"""Puzzles of sliding pieces as the checker and planners read them.

A step is one piece, any number of cells in any directions. Planners count actions, so the text in PDDL has actions
that move a piece by one cell and cost nothing, between one that takes hold of it, which costs 1, and one that lets it
go. The least total cost of a plan is the least number of steps. A piece is where the upper left corner of its bounding
box is; which cells a move enters and leaves is in the actions, one for each shape, placement and direction.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from boardspace.instances.pddl_names import pddl_name

Cells = frozenset[tuple[int, int]]
DIRECTIONS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


def slide_puzzle(board: Sequence[str], piece: str, to: tuple[int, int]) -> dict[str, Any]:
    """The puzzle that takes a piece to a place: row and column of its upper left corner, from 1."""
    return {"kind": "slide", "board": list(board), "piece": piece, "to": list(to)}


def steps_between(boards: Sequence[Mapping[str, Cells]]) -> tuple[str, ...]:
    """The answer: for each step the piece that moved and its new upper left corner, from 1."""
    lines = []
    for before, after in pairwise(boards):
        (sign,) = (sign for sign, cells in after.items() if cells != before[sign])
        row, column = _corner(after[sign])
        lines.append(f"{sign} {row + 1} {column + 1}")
    return tuple(lines)


def pieces_of(board: Sequence[str]) -> dict[str, Cells]:
    """The cells of each piece, (row, column) from 0, by its sign, in the order of their first cells."""
    found: dict[str, set[tuple[int, int]]] = {}
    for row, line in enumerate(board):
        for column, sign in enumerate(line):
            if sign != ".":
                found.setdefault(sign, set()).add((row, column))
    return {sign: frozenset(cells) for sign, cells in found.items()}


def pddl(name: str, puzzle: Mapping[str, Any], least: int) -> dict[str, str]:
    """Domain and problem in PDDL (:strips :typing :action-costs) by file name."""
    return {f"{name}-domain.pddl": _domain(puzzle), f"{name}-problem.pddl": _problem(name, puzzle, least)}


def _domain(puzzle: Mapping[str, Any]) -> str:
    rows, columns = len(puzzle["board"]), len(puzzle["board"][0])
    names = _shapes(puzzle)
    types = " ".join(f"shape{number}" for number in names.values())
    cells = " ".join(_cell(cell) for cell in sorted((r, c) for r in range(rows) for c in range(columns)))
    actions = "".join(action for shape, number in names.items() for action in _moves(shape, number, rows, columns))
    return f"""(define (domain slide)
  (:requirements :strips :typing :action-costs)
  (:types {types} - piece place)
  (:constants {cells} - place)
  (:predicates (at ?p - piece ?c - place) (free ?c - place) (resting) (held ?p - piece))
  (:functions (total-cost) - number)
  (:action hold
    :parameters (?p - piece)
    :precondition (resting)
    :effect (and (not (resting)) (held ?p) (increase (total-cost) 1)))
  (:action release
    :parameters (?p - piece)
    :precondition (held ?p)
    :effect (and (resting) (not (held ?p))))
{actions})
"""


def _moves(shape: Cells, number: int, rows: int, columns: int) -> Iterator[str]:
    """One action for each placement of a shape and each direction in which it stays on the tray."""
    places = {(row, column): _placed(shape, (row, column)) for row in range(rows) for column in range(columns)}
    inside = {place: cells for place, cells in places.items() if all(r < rows and c < columns for r, c in cells)}
    for place, cells in inside.items():
        for direction, (down, right) in DIRECTIONS.items():
            target = (place[0] + down, place[1] + right)
            if target not in inside:
                continue
            entered, left = sorted(inside[target] - cells), sorted(cells - inside[target])
            needed = " ".join(f"(free {_cell(cell)})" for cell in entered)
            freed = " ".join(f"(free {_cell(cell)})" for cell in left)
            filled = " ".join(f"(not (free {_cell(cell)}))" for cell in entered)
            yield (
                f"  (:action {direction}-{number}-{_cell(place)}\n"
                f"    :parameters (?p - shape{number})\n"
                f"    :precondition (and (held ?p) (at ?p {_cell(place)}) {needed})\n"
                f"    :effect (and (not (at ?p {_cell(place)})) (at ?p {_cell(target)}) {freed} {filled}))\n"
            )


def _problem(name: str, puzzle: Mapping[str, Any], least: int) -> str:
    board, names = puzzle["board"], _shapes(puzzle)
    pieces = pieces_of(board)
    objects = " ".join(f"{_piece(sign)} - shape{names[_home(cells)]}" for sign, cells in pieces.items())
    facts = [f"(at {_piece(sign)} {_cell(_corner(cells))})" for sign, cells in pieces.items()]
    facts += [
        f"(free {_cell((row, column))})"
        for row, line in enumerate(board)
        for column, sign in enumerate(line)
        if sign == "."
    ]
    goal = f"(at {_piece(puzzle['piece'])} {_cell((puzzle['to'][0] - 1, puzzle['to'][1] - 1))})"
    return f"""; {name}: the least total cost is {least}
(define (problem {pddl_name(name)})
  (:domain slide)
  (:objects {objects})
  (:init (= (total-cost) 0) (resting) {" ".join(facts)})
  (:goal (and {goal}))
  (:metric minimize (total-cost)))
"""


def _shapes(puzzle: Mapping[str, Any]) -> dict[Cells, int]:
    """The shapes of the pieces, moved to the upper left corner, numbered."""
    homes = dict.fromkeys(_home(cells) for cells in pieces_of(puzzle["board"]).values())
    return {home: number for number, home in enumerate(homes, 1)}


def _home(cells: Cells) -> Cells:
    row, column = _corner(cells)
    return frozenset((r - row, c - column) for r, c in cells)


def _placed(shape: Cells, place: tuple[int, int]) -> Cells:
    return frozenset((row + place[0], column + place[1]) for row, column in shape)


def _corner(cells: Cells) -> tuple[int, int]:
    return min(row for row, _ in cells), min(column for _, column in cells)


def _cell(cell: tuple[int, int]) -> str:
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def _piece(sign: str) -> str:
    """The name of a piece: names in PDDL begin with a letter and do not tell small from capital ones."""
    return f"p{ord(sign)}"
