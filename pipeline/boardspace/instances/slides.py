"""Puzzles of sliding pieces as the checker and planners read them.

A step is one piece, any number of cells in any directions. Planners count actions, so the text in PDDL has actions
that move a piece by one cell and cost nothing, between one that takes hold of it, which costs 1, and one that lets it
go. The least total cost of a plan is the least number of steps. A piece is where the upper left corner of its bounding
box is. One domain serves all puzzles: a problem has a *way* for each shape, placement and direction, with the
cells that a move enters and leaves. Predicates have two parameters at most, as some planners list all their values.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import pairwise
from typing import Any

from boardspace.instances.checker import DIRECTIONS, corner, pieces_of
from boardspace.spec.errors import BoardspaceError


def pddl_name(text: str) -> str:
    """A name like the text, which begins with a letter; other signs become hyphens.

    >>> pddl_name("klotski-1A9BF0C00")
    'klotski-1a9bf0c00'
    """
    return re.sub(r"[^a-z0-9_-]", "-", text.lower())


def least_cost(least: int | None) -> str:
    """The comment on the least total cost of a problem."""
    return "there is no plan" if least is None else f"the least total cost is {least}"


Cells = Set[tuple[int, int]]


def slide_puzzle(board: Sequence[str], piece: str, to: tuple[int, int]) -> dict[str, Any]:
    """The puzzle that takes a piece to a place: row and column of its upper left corner, from 1."""
    return {"kind": "slide", "board": list(board), "piece": piece, "to": list(to)}


def steps_between(boards: Sequence[Mapping[str, Cells]]) -> tuple[str, ...]:
    """The answer: for each step the piece that moved and its new upper left corner, from 1."""
    lines = []
    for before, after in pairwise(boards):
        (sign,) = (sign for sign, cells in after.items() if cells != before[sign])
        row, column = corner(after[sign])
        lines.append(f"{sign} {row + 1} {column + 1}")
    return tuple(lines)


def pddl(name: str, puzzle: Mapping[str, Any], least: int | None) -> dict[str, str]:
    """The domain, which all puzzles share, and the problem, in PDDL (:strips :typing :action-costs)."""
    return {"domain.pddl": DOMAIN, f"{name}-problem.pddl": _problem(name, puzzle, least)}


MOST_ENTERED = 8
"""Cells that a piece enters when it moves by one cell."""


def _action(cells: int) -> str:
    """The action that moves a piece by one cell where it enters so many cells, and leaves as many."""
    numbers = range(1, cells + 1)
    entered, left = ([f"?{letter}{number}" for number in numbers] for letter in "el")
    known = " ".join(f"(enters-{n} ?w ?e{n}) (leaves-{n} ?w ?l{n})" for n in numbers)
    free, taken, freed = (
        " ".join(pattern.format(cell) for cell in some)
        for pattern, some in (("(free {})", entered), ("(not (free {}))", entered), ("(free {})", left))
    )
    return f"""  (:action move-{cells}
    :parameters (?p - piece ?s - shape ?w - way ?a ?b {" ".join(entered + left)} - place)
    :precondition (and (held ?p) (shaped ?p ?s) (of ?w ?s) (cells-{cells} ?w) (begins ?w ?a) (ends ?w ?b) (at ?p ?a)
      {known} {free})
    :effect (and (not (at ?p ?a)) (at ?p ?b) {freed} {taken}))
"""


_NUMBERS = range(1, MOST_ENTERED + 1)
_OF_CELLS = " ".join(
    f"(cells-{n} ?w - way) (enters-{n} ?w - way ?c - place) (leaves-{n} ?w - way ?c - place)" for n in _NUMBERS
)
DOMAIN = f"""(define (domain slide)
  (:requirements :strips :typing :action-costs)
  (:types piece shape place way)
  (:predicates (at ?p - piece ?c - place) (free ?c - place) (resting) (held ?p - piece) (shaped ?p - piece ?s - shape)
    (of ?w - way ?s - shape) (begins ?w - way ?c - place) (ends ?w - way ?c - place)
    {_OF_CELLS})
  (:functions (total-cost) - number)
  (:action hold
    :parameters (?p - piece)
    :precondition (resting)
    :effect (and (not (resting)) (held ?p) (increase (total-cost) 1)))
  (:action release
    :parameters (?p - piece)
    :precondition (held ?p)
    :effect (and (resting) (not (held ?p))))
{"".join(map(_action, _NUMBERS))})
"""


def _ways(shape: Cells, number: int, rows: int, columns: int) -> Iterator[str]:
    """The facts of each placement of a shape and each direction in which it stays on the tray, but for the name of the
    way: its shape, from where to where, the cells that it enters, those that it leaves."""
    places = {(row, column): _placed(shape, (row, column)) for row in range(rows) for column in range(columns)}
    inside = {place: cells for place, cells in places.items() if all(r < rows and c < columns for r, c in cells)}
    for place, cells in inside.items():
        for down, right in DIRECTIONS.values():
            target = (place[0] + down, place[1] + right)
            if target not in inside:
                continue
            entered, left = sorted(inside[target] - cells), sorted(cells - inside[target])
            if len(entered) > MOST_ENTERED:
                raise BoardspaceError(f"--pddl: a piece enters {len(entered)} cells at once; {MOST_ENTERED} at most")
            facts = [f"(of WAY shape{number}) (cells-{len(entered)} WAY)"]
            facts += [f"(begins WAY {_cell(place)}) (ends WAY {_cell(target)})"]
            facts += [f"(enters-{n} WAY {_cell(cell)})" for n, cell in enumerate(entered, 1)]
            facts += [f"(leaves-{n} WAY {_cell(cell)})" for n, cell in enumerate(left, 1)]
            yield " ".join(facts)


def _problem(name: str, puzzle: Mapping[str, Any], least: int | None) -> str:
    board, names = puzzle["board"], _shapes(puzzle)
    rows, columns = len(board), len(board[0])
    pieces = pieces_of(board)
    cells = " ".join(_cell((r, c)) for r in range(rows) for c in range(columns))
    facts = [f"(at {_piece(sign)} {_cell(corner(own))})" for sign, own in pieces.items()]
    facts += [f"(shaped {_piece(sign)} shape{names[_home(own)]})" for sign, own in pieces.items()]
    facts += [
        f"(free {_cell((row, column))})"
        for row, line in enumerate(board)
        for column, sign in enumerate(line)
        if sign == "."
    ]
    ways = [fact for shape, number in names.items() for fact in _ways(shape, number, rows, columns)]
    way_facts = "\n    ".join(fact.replace("WAY", f"way{number}") for number, fact in enumerate(ways, 1))
    goal = f"(at {_piece(puzzle['piece'])} {_cell((puzzle['to'][0] - 1, puzzle['to'][1] - 1))})"
    return f"""; {name}: {least_cost(least)}
(define (problem {pddl_name(name)})
  (:domain slide)
  (:objects {" ".join(map(_piece, pieces))} - piece {" ".join(f"shape{one}" for one in names.values())} - shape
    {cells} - place {" ".join(f"way{number}" for number in range(1, len(ways) + 1))} - way)
  (:init (= (total-cost) 0) (resting) {" ".join(facts)}
    {way_facts})
  (:goal (and {goal}))
  (:metric minimize (total-cost)))
"""


def _shapes(puzzle: Mapping[str, Any]) -> dict[Cells, int]:
    """The shapes of the pieces, moved to the upper left corner, numbered."""
    homes = dict.fromkeys(_home(cells) for cells in pieces_of(puzzle["board"]).values())
    return {home: number for number, home in enumerate(homes, 1)}


def _home(cells: Cells) -> Cells:
    row, column = corner(cells)
    return frozenset((r - row, c - column) for r, c in cells)


def _placed(shape: Cells, place: tuple[int, int]) -> Cells:
    return frozenset((row + place[0], column + place[1]) for row, column in shape)


def _cell(cell: tuple[int, int]) -> str:
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def _piece(sign: str) -> str:
    """The name of a piece: names in PDDL begin with a letter and do not tell small from capital ones."""
    return f"p{ord(sign)}"
