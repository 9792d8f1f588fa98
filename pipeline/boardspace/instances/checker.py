#!/usr/bin/env python3
"""Score answers to instances of boardspace: plain Python, 3.10 or newer, that needs nothing installed.

    python check.py INSTANCES.jsonl ANSWERS.jsonl
    python check.py --certificates INSTANCES.jsonl...
    python check.py --baseline INSTANCES.jsonl

Each line of ANSWERS.jsonl is {"id": ..., "answer": [line, ...]}. What the lines say depends on the puzzle's kind:

slide    steps, "B 1 2": the piece B slides any way through free cells until the upper left corner of its bounding
         box is in row 1, column 2 (both from 1). Fewest steps.
jump     moves of pegs, "9==>23==>25": one peg jumps from hole 9 to 23 and on to 25. Fewest moves.
block    a board row by row, # a stone and . a free cell: no k cells in a row may be free. Fewest stones.
reduce   jumps of pegs on a board without end, "1 2 U": the peg in row 1, column 2 jumps up (U), right (R), down (D)
         or left (L). Fewest pegs left.
cover    a board row by row, numbers between blanks: cells with one number are an L of three cells, the cell that is
         left out is 0.

Instances of other kinds come with a file rules.py beside this one that has their rules. Where these have moves, each
line of an answer is the name of a move, and the fewest moves are wanted; else rules.py says how an answer is written.
The answer ["unsolvable"] says that there is none.

A right answer with the least number scores 1, one with more scores least / number, and a wrong or missing one 0.

--certificates proves of each unsolvable instance that it is (by the group of all positions that moves reach, a parity,
or weights), and --baseline has all instances solved by random moves and by a search breadth first, and scores these.
"""

import io
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from runpy import run_path
from typing import Any, NoReturn

Cell = tuple[int, int]
Puzzle = Mapping[str, Any]
State = Any

TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]|[^][{}"]+')
OPENING, CLOSING = frozenset("[{"), frozenset("]}")
DIRECTIONS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
UNSOLVABLE = ["unsolvable"]
MOST_POSITIONS = 10_000
"""Positions that the search of the baseline looks at for an instance."""


class WrongError(Exception):
    """The answer is wrong, and why."""


class Kind:
    """Kind of puzzle whose answer is made move by move from a start; a state can be compared and hashed."""

    def start(self, puzzle: Puzzle) -> State:
        """The state that the puzzle begins with."""
        raise NotImplementedError

    def moves(self, puzzle: Puzzle, state: State) -> Mapping[str, State]:
        """The states one move away, by the names of the moves."""
        raise NotImplementedError

    def solved(self, puzzle: Puzzle, state: State) -> bool:
        """True where nothing is left to be done."""
        raise NotImplementedError

    def finished(self, puzzle: Puzzle, state: State) -> bool:
        """True where one may end, as there is an answer, whether or not more can be done."""
        return self.solved(puzzle, state)

    def text(self, puzzle: Puzzle, state: State) -> str:
        """A drawing of a state."""
        raise NotImplementedError

    def goal(self, puzzle: Puzzle) -> str:
        """A drawing of what is wanted; '' where the puzzle says it by no drawing."""
        return ""

    def same(self, puzzle: Puzzle, state: State) -> Any:
        """Key that states which count as one have in common."""
        return state

    def step(self, puzzle: Puzzle, state: State, line: str) -> State:
        """The state after a line of an answer; WrongError, without its number, where it is no move."""
        moves = self.moves(puzzle, state)
        if line not in moves:
            names = [*sorted(moves)[:20], *(["..."] if len(moves) > 20 else [])]
            raise WrongError(f"no move of that name; there are: {', '.join(names)}")
        return moves[line]

    def played(self, puzzle: Puzzle, answer: Sequence[str]) -> State:
        """The state after all lines of an answer; WrongError, with its number, where one is no move."""
        state = self.start(puzzle)
        for number, line in enumerate(answer, 1):
            try:
                state = self.step(puzzle, state, line)
            except WrongError as wrong:
                raise WrongError(f"{self.unit(puzzle)} {number}, {line!r}: {wrong}") from None
        return state

    def number(self, puzzle: Puzzle, answer: Sequence[str]) -> int:
        """The number that a right answer has; WrongError for another."""
        state = self.played(puzzle, answer)
        if not self.solved(puzzle, state):
            raise WrongError(f"it ends at {' / '.join(self.text(puzzle, state).splitlines())}, which is no goal")
        return len(answer)

    def unit(self, puzzle: Puzzle) -> str:
        """Name of a line of an answer."""
        return "move"

    def answer(self, puzzle: Puzzle, lines: Sequence[str], state: State) -> list[str]:
        """The answer that consists of these moves, which lead to a state."""
        return list(lines)


class ByRules(Kind):
    """Kind of a rule that has ``moves(size, state)``, ``text(size, state)`` and ``parse(size, text)``.

    The puzzle has its ``size``, its ``start`` and its ``goal``, texts of states any of which is wanted; a puzzle
    without them has a rule with ``solved(size, state)``.
    """

    def __init__(self, rule: Any) -> None:
        self.rule = rule

    def start(self, puzzle: Puzzle) -> State:
        return self.rule.parse(puzzle.get("size", {}), puzzle["start"])

    def moves(self, puzzle: Puzzle, state: State) -> Mapping[str, State]:
        return self.rule.moves(puzzle.get("size", {}), state)

    def solved(self, puzzle: Puzzle, state: State) -> bool:
        size = puzzle.get("size", {})
        goals = [self.rule.parse(size, goal) for goal in puzzle.get("goal", [])]
        return state in goals if goals else bool(self.rule.solved(size, state))

    def text(self, puzzle: Puzzle, state: State) -> str:
        return self.rule.text(puzzle.get("size", {}), state)

    def goal(self, puzzle: Puzzle) -> str:
        return next(iter(puzzle.get("goal", [])), "")


class Function(Kind):
    """Kind of a function from a puzzle and an answer to its number, which raises ValueError with what is wrong."""

    def __init__(self, rule: Callable[[Puzzle, Sequence[str]], int]) -> None:
        self.rule = rule

    def number(self, puzzle: Puzzle, answer: Sequence[str]) -> int:
        return self.rule(puzzle, answer)


def kind_of(rule: Any) -> Kind:
    """The kind that a rule says: it is one, or has moves, or is a function."""
    if isinstance(rule, Kind):
        return rule
    return ByRules(rule) if hasattr(rule, "moves") else Function(rule)


def has_moves(kind: Kind) -> bool:
    """True where an answer can be made move by move."""
    return type(kind).moves is not Kind.moves


def score(instance: Mapping[str, Any], answer: Any, rules: Mapping[str, Any] | None = None) -> tuple[float, str]:
    """Score of an answer, from 0 to 1, and a sentence that says why; ``rules`` by kind, by default those here."""
    least = instance["least"]
    try:
        if not isinstance(answer, (list, tuple)) or not all(isinstance(line, str) for line in answer):
            raise WrongError("an answer is a list of lines of text")
        if list(answer) == UNSOLVABLE:
            if least is None:
                return 1.0, "optimal: there is no way"
            raise WrongError("it can be solved")
        number = number_of((rules or KINDS)[instance["puzzle"]["kind"]], instance["puzzle"], answer)
    except WrongError as wrong:
        return 0.0, f"wrong: {wrong}"
    if least is None or number < least:
        than = "it is called unsolvable" if least is None else f"{number} is less than the least, {least}"
        raise ValueError(f"{instance['id']}: {than}, and has this answer; is the file of instances whole?")
    if number == least:
        return 1.0, f"optimal: {number}"
    return least / number, f"right: {number}, the least is {least}"


def number_of(rule: Any, puzzle: Puzzle, answer: Sequence[str]) -> int:
    """Moves, stones or pegs of an answer by the rule of its kind."""
    try:
        return kind_of(rule).number(puzzle, answer)
    except WrongError:
        raise
    except ValueError as error:
        raise WrongError(str(error)) from error
    except Exception as error:  # a rule may raise anything where somebody's answer is none
        raise WrongError(f"it cannot be read: {type(error).__name__}: {error}") from error


def whole(text: str) -> int:
    """A whole number that a text writes."""
    digits = text[1:] if text[:1] == "-" else text
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
        raise WrongError(f"{text!r} is no whole number")
    return int(text)


class Slide(Kind):
    """Pieces that slide on a tray until one is in its place; a state is the rows of its drawing."""

    def start(self, puzzle: Puzzle) -> State:
        return tuple(puzzle["board"])

    def moves(self, puzzle: Puzzle, state: State) -> Mapping[str, State]:
        found = {}
        for sign, cells in pieces_of(state).items():
            for (row, column), placed in placements(cells, self._free(state, sign)).items():
                if (row, column) != corner(cells):
                    found[f"{sign} {row + 1} {column + 1}"] = _moved(state, sign, placed)
        return found

    def step(self, puzzle: Puzzle, state: State, line: str) -> State:
        words, pieces = line.split(), pieces_of(state)
        if len(words) != 3 or words[0] not in pieces:
            raise WrongError("write a piece, a row and a column, such as 'B 1 2'")
        target, own = (whole(words[1]) - 1, whole(words[2]) - 1), pieces[words[0]]
        if target == corner(own):
            raise WrongError("the piece is there already")
        reached = placements(own, self._free(state, words[0]))
        if target not in reached:
            raise WrongError("no way leads there through free cells")
        return _moved(state, words[0], reached[target])

    def solved(self, puzzle: Puzzle, state: State) -> bool:
        row, column = corner(pieces_of(state)[puzzle["piece"]])
        return [row + 1, column + 1] == list(puzzle["to"])

    def text(self, puzzle: Puzzle, state: State) -> str:
        return "\n".join(state)

    def goal(self, puzzle: Puzzle) -> str:
        own, empty = pieces_of(puzzle["board"])[puzzle["piece"]], tuple("." * len(row) for row in puzzle["board"])
        down, right = (to - 1 - at for to, at in zip(puzzle["to"], corner(own), strict=True))
        return "\n".join(_moved(empty, puzzle["piece"], {(row + down, column + right) for row, column in own}))

    def same(self, puzzle: Puzzle, state: State) -> Any:
        """The places of all pieces: of equal ones, but for that which has a goal, any may be where another is."""
        return frozenset((sign == puzzle["piece"], frozenset(own)) for sign, own in pieces_of(state).items())

    def unit(self, puzzle: Puzzle) -> str:
        return "step"

    def _free(self, state: State, sign: str) -> set[Cell]:
        return {(r, c) for r, row in enumerate(state) for c, here in enumerate(row) if here in (".", sign)}


def pieces_of(rows: Sequence[str]) -> dict[str, set[Cell]]:
    """The cells of each piece by its sign."""
    pieces: dict[str, set[Cell]] = {}
    for row, line in enumerate(rows):
        for column, sign in enumerate(line):
            if sign != ".":
                pieces.setdefault(sign, set()).add((row, column))
    return pieces


def corner(piece: Collection[Cell]) -> Cell:
    """The upper left corner of a piece's bounding box."""
    return min(row for row, _ in piece), min(column for _, column in piece)


def placements(piece: set[Cell], free: set[Cell]) -> dict[Cell, set[Cell]]:
    """The cells of a piece wherever it can slide through free cells, by the corner of its bounding box."""
    found, queue = {corner(piece): piece}, [piece]
    while queue:
        here = queue.pop()
        for down, right in DIRECTIONS.values():
            there = {(row + down, column + right) for row, column in here}
            if there <= free and corner(there) not in found:
                found[corner(there)] = there
                queue.append(there)
    return found


def _moved(rows: Sequence[str], sign: str, cells: set[Cell]) -> State:
    """Rows with a piece in these cells, and nowhere else."""
    return tuple(
        "".join(sign if (r, c) in cells else "." if here == sign else here for c, here in enumerate(row))
        for r, row in enumerate(rows)
    )


class Jump(Kind):
    """Pegs that jump until those of the goal are left; a state is the set of holes with pegs."""

    def start(self, puzzle: Puzzle) -> State:
        return frozenset(puzzle["pegs"])

    def moves(self, puzzle: Puzzle, state: State) -> Mapping[str, State]:
        over, found = self.jumps(puzzle), dict[str, State]()

        def go_on(line: str, here: int, pegs: State) -> None:
            for (begin, end), hole in over.items():
                if begin == here and hole in pegs and end not in pegs:
                    name = f"{line}==>{end}"
                    found[name] = pegs ^ {begin, hole, end}
                    go_on(name, end, found[name])

        for peg in sorted(state):
            go_on(str(peg), peg, state)
        return found

    def step(self, puzzle: Puzzle, state: State, line: str) -> State:
        stops, holes = [whole(word.strip()) for word in line.split("==>")], self._places(puzzle)
        if len(stops) < 2 or not set(stops) <= set(holes):
            raise WrongError("write holes of the board, such as 9==>23==>25")
        over = self.jumps(puzzle)
        for begin, end in pairwise(stops):
            if (begin, end) not in over:
                raise WrongError(f"no jump leads from {begin} to {end}")
            hole = over[begin, end]
            if begin not in state or hole not in state or end in state:
                raise WrongError(f"{begin} and {hole} must hold pegs, and {end} none")
            state = state ^ {begin, hole, end}
        return state

    def solved(self, puzzle: Puzzle, state: State) -> bool:
        return state == frozenset(puzzle["goal"])

    def text(self, puzzle: Puzzle, state: State) -> str:
        holes = {place: hole for hole, place in self._places(puzzle).items()}
        rows, columns = (max(place[axis] for place in holes) + 1 for axis in (0, 1))
        signs = [
            ["o."[holes[r, c] not in state] if (r, c) in holes else " " for c in range(columns)] for r in range(rows)
        ]
        return "\n".join("".join(row).rstrip() for row in signs)

    def goal(self, puzzle: Puzzle) -> str:
        return self.text(puzzle, frozenset(puzzle["goal"]))

    def jumps(self, puzzle: Puzzle) -> dict[tuple[int, int], int]:
        """The holes that are jumped over by where a jump begins and ends."""
        places, found = self._places(puzzle), {}
        hole_at = {place: hole for hole, place in places.items()}
        ways = list(DIRECTIONS.values()) + ([(1, 1), (-1, -1)] if puzzle["grid"] == "triangular" else [])
        for begin, (row, column) in places.items():
            for down, right in ways:
                over, end = (hole_at.get((row + i * down, column + i * right)) for i in (1, 2))
                if over is not None and end is not None:
                    found[begin, end] = over
        return found

    def _places(self, puzzle: Puzzle) -> dict[int, Cell]:
        return {
            int(word): (row, column)
            for row, line in enumerate(puzzle["board"])
            for column, word in enumerate(line.split())
            if word != "."
        }


class Block(Kind):
    """Stones that block all lines of k cells; a state is the rows of the board, and a move places a stone."""

    def start(self, puzzle: Puzzle) -> State:
        return ("." * puzzle["columns"],) * puzzle["rows"]

    def moves(self, puzzle: Puzzle, state: State) -> Mapping[str, State]:
        return {
            f"{r + 1} {c + 1}": (*state[:r], row[:c] + "#" + row[c + 1 :], *state[r + 1 :])
            for r, row in enumerate(state)
            for c, sign in enumerate(row)
            if sign == "."
        }

    def solved(self, puzzle: Puzzle, state: State) -> bool:
        return self._free_line(puzzle, state) is None

    def text(self, puzzle: Puzzle, state: State) -> str:
        return "\n".join(state)

    def number(self, puzzle: Puzzle, answer: Sequence[str]) -> int:
        rows, columns, k = puzzle["rows"], puzzle["columns"], puzzle["k"]
        if len(answer) != rows or any(len(line) != columns or set(line) - set("#.") for line in answer):
            raise WrongError(f"write {rows} lines of {columns} signs, # and .")
        if free := self._free_line(puzzle, answer):
            raise WrongError(f"free cells from row {free[0] + 1}, column {free[1] + 1}: {k} in a row")
        return sum(line.count("#") for line in answer)

    def answer(self, puzzle: Puzzle, lines: Sequence[str], state: State) -> list[str]:
        return list(state)

    def _free_line(self, puzzle: Puzzle, board: Sequence[str]) -> Cell | None:
        """Where a line of k free cells begins."""
        rows, columns, k = puzzle["rows"], puzzle["columns"], puzzle["k"]
        for row in range(rows):
            for column in range(columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    line = [(row + i * down, column + i * right) for i in range(k)]
                    if line[-1][0] < rows and 0 <= line[-1][1] < columns and all(board[r][c] == "." for r, c in line):
                        return row, column
        return None


class Reduce(Kind):
    """Pegs on a board without end, as few of which as can be are left; a state is the set of their cells, from 1."""

    def start(self, puzzle: Puzzle) -> State:
        return frozenset((r, c) for r in range(1, puzzle["rows"] + 1) for c in range(1, puzzle["columns"] + 1))

    def moves(self, puzzle: Puzzle, state: State) -> Mapping[str, State]:
        found = {}
        for row, column in sorted(state):
            for sign, (down, right) in DIRECTIONS.items():
                over, end = ((row + i * down, column + i * right) for i in (1, 2))
                if over in state and end not in state:
                    found[f"{row} {column} {sign}"] = state ^ {(row, column), over, end}
        return found

    def step(self, puzzle: Puzzle, state: State, line: str) -> State:
        words = line.split()
        if len(words) != 3 or words[2] not in DIRECTIONS:
            raise WrongError("write a row, a column and U, R, D or L")
        row, column = (whole(word) for word in words[:2])
        down, right = DIRECTIONS[words[2]]
        begin, over, end = ((row + i * down, column + i * right) for i in range(3))
        if begin not in state or over not in state or end in state:
            raise WrongError(f"{begin} and {over} must hold pegs, and {end} none")
        return state ^ {begin, over, end}

    def solved(self, puzzle: Puzzle, state: State) -> bool:
        """No jump is left; an answer may end before."""
        return not self.moves(puzzle, state)

    def finished(self, puzzle: Puzzle, state: State) -> bool:
        return True

    def text(self, puzzle: Puzzle, state: State) -> str:
        """The rectangle and two cells around it, which the pegs of the fewest need not leave."""
        rows, columns = range(-1, puzzle["rows"] + 3), range(-1, puzzle["columns"] + 3)
        return "\n".join("".join("o" if (r, c) in state else "." for c in columns) for r in rows)

    def number(self, puzzle: Puzzle, answer: Sequence[str]) -> int:
        return len(self.played(puzzle, answer))

    def unit(self, puzzle: Puzzle) -> str:
        return "jump"


class Cover(Kind):
    """L-trominoes that cover a square but for one cell; a state is its rows of numbers, -1 for a cell that is free yet,
    and a move covers the first free cell: the upper left corner of a square of 2 x 2 cells, and which of them it leaves
    out."""

    def start(self, puzzle: Puzzle) -> State:
        side, hole = puzzle["side"], tuple(puzzle["hole"])
        return tuple(tuple(-((r, c) != hole) for c in range(1, side + 1)) for r in range(1, side + 1))

    def moves(self, puzzle: Puzzle, state: State) -> Mapping[str, State]:
        first = next(((r, c) for r, row in enumerate(state) for c, one in enumerate(row) if one < 0), None)
        found: dict[str, State] = {}
        for r, c in [] if first is None else [(first[0], first[1]), (first[0], first[1] - 1)]:
            square = [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)]
            for without in range(4):
                cells = square[:without] + square[without + 1 :]
                inside = all(0 <= x < len(state) and 0 <= y < len(state) for x, y in cells)
                if first in cells and inside and all(state[x][y] < 0 for x, y in cells):
                    number = max(map(max, state)) + 1
                    found[f"{r + 1} {c + 1} {without + 1}"] = tuple(
                        tuple(number if (x, y) in cells else one for y, one in enumerate(row))
                        for x, row in enumerate(state)
                    )
        return found

    def solved(self, puzzle: Puzzle, state: State) -> bool:
        return all(one >= 0 for row in state for one in row)

    def text(self, puzzle: Puzzle, state: State) -> str:
        return "\n".join(
            "".join("." if one < 0 else chr(33 + one % 90 + (one % 90 > 12)) for one in row) for row in state
        )

    def number(self, puzzle: Puzzle, answer: Sequence[str]) -> int:
        rows = [line.split() for line in answer]
        side = puzzle["side"]
        if len(rows) != side or any(len(row) != side for row in rows):
            raise WrongError(f"write {side} lines of {side} numbers")
        cells: dict[int, list[Cell]] = {}
        for r, row in enumerate(rows):
            for c, word in enumerate(row):
                cells.setdefault(whole(word), []).append((r, c))
        out = (puzzle["hole"][0] - 1, puzzle["hole"][1] - 1)
        if cells.pop(0, []) != [out]:
            raise WrongError(f"0 stands for the cell in row {out[0] + 1}, column {out[1] + 1}, and for no other")
        for number, own in cells.items():
            square = len({r for r, _ in own}) == len({c for _, c in own}) == 2
            near = all(max(places) - min(places) == 1 for places in zip(*own, strict=True))
            if len(own) != 3 or not square or not near:
                raise WrongError(f"the cells of {number} are no L of three cells")
        return len(cells)

    def answer(self, puzzle: Puzzle, lines: Sequence[str], state: State) -> list[str]:
        return [" ".join(map(str, row)) for row in state]


KINDS: dict[str, Kind] = {"slide": Slide(), "jump": Jump(), "block": Block(), "reduce": Reduce(), "cover": Cover()}
RULES = "rules.py"


def prove(instance: Mapping[str, Any], rules: Mapping[str, Any], most: int | None = None) -> None:
    """Prove that an instance has no answer by its certificate; ValueError, with what is wrong, where it does not.

    group    moves reach so many positions, and none of them is a goal: with ``most``, so many are looked at.
    parity   every jump changes an even number of these holes; one of start and goal has pegs in an odd number of them.
    weights  no jump makes the sum of the weights of the pegs larger, and that of the goal is larger than the start's.
    """
    puzzle, proof = instance["puzzle"], instance["certificate"]
    kind = kind_of(rules[puzzle["kind"]])
    if proof["kind"] == "group":
        positions = reached(kind, puzzle, proof["positions"] + 1 if most is None else most)
        if any(kind.solved(puzzle, state) for state in positions):
            raise ValueError("the group has a goal")
        if len(positions) != proof["positions"] and most is None:
            raise ValueError(f"moves do not reach {proof['positions']} positions")
        return
    if not isinstance(kind, Jump):
        raise ValueError(f"there is no certificate {proof['kind']!r} of this puzzle")
    jumps = [(begin, over, end) for (begin, end), over in kind.jumps(puzzle).items()]
    start, goal = set(puzzle["pegs"]), set(puzzle["goal"])
    if proof["kind"] == "parity":
        holes = set(proof["holes"])
        if any(len(holes & set(jump)) % 2 for jump in jumps) or not len(holes & start) % 2 ^ len(holes & goal) % 2:
            raise ValueError("the parity does not differ, or a jump changes it")
    elif proof["kind"] == "weights":
        weight = {int(hole): value for hole, value in proof["weights"].items()}
        if any(weight[begin] + weight[over] < weight[end] for begin, over, end in jumps):
            raise ValueError("a jump makes the sum of weights larger")
        if sum(weight[hole] for hole in start) >= sum(weight[hole] for hole in goal):
            raise ValueError("the start has the weight of the goal")
    else:
        raise ValueError(f"there is no certificate {proof['kind']!r}")


def reached(kind: Kind, puzzle: Puzzle, most: int) -> list[State]:
    """The positions that moves reach, those that count as one once, the start first; at most so many."""
    found = [kind.start(puzzle)]
    seen = {kind.same(puzzle, found[0])}
    for state in found:
        for after in kind.moves(puzzle, state).values():
            if (key := kind.same(puzzle, after)) not in seen:
                if len(found) >= most:
                    return found
                seen.add(key)
                found.append(after)
    return found


def most_moves(instance: Mapping[str, Any]) -> int:
    """Moves after which a player is stopped: 20, and four times those of the answer, or as many lines as it has."""
    return 20 + 4 * max(instance["least"] or 20, len(instance["answer"]))


def random_play(kind: Kind, instance: Mapping[str, Any], draws: random.Random) -> list[str]:
    """The answer of random moves, until all is done, no move is left, or there were too many."""
    puzzle, lines = instance["puzzle"], list[str]()
    state = kind.start(puzzle)
    while not kind.solved(puzzle, state) and len(lines) < most_moves(instance):
        moves = kind.moves(puzzle, state)
        if not moves:
            break
        line = draws.choice(sorted(moves))
        lines.append(line)
        state = moves[line]
    return kind.answer(puzzle, lines, state)


def breadth_first(kind: Kind, instance: Mapping[str, Any], most: int) -> tuple[list[str] | None, int]:
    """The first answer with the least number that a search finds, ["unsolvable"] where all positions were looked at,
    None where there were too many; and how many were looked at."""
    puzzle, start = instance["puzzle"], kind.start(instance["puzzle"])
    ways: dict[Any, list[str]] = {kind.same(puzzle, start): []}
    queue = [start]
    for state in queue:
        lines = ways[kind.same(puzzle, state)]
        if kind.solved(puzzle, state) or (isinstance(kind, Reduce) and len(state) == instance["least"]):
            return kind.answer(puzzle, lines, state), len(queue)
        for line, after in kind.moves(puzzle, state).items():
            if (key := kind.same(puzzle, after)) not in ways:
                if len(queue) >= most:
                    return None, len(queue)
                ways[key] = [*lines, line]
                queue.append(after)
    return UNSOLVABLE, len(queue)


def baseline(
    instances: Sequence[Mapping[str, Any]], rules: Mapping[str, Any], most: int = MOST_POSITIONS
) -> Iterator[dict[str, Any]]:
    """Scores of random moves, drawn by a seed, and of a search breadth first through so many positions; nothing where
    a kind has no moves."""
    kinds = [kind_of(rules[instance["puzzle"]["kind"]]) for instance in instances]
    if not instances or not all(map(has_moves, kinds)):
        return
    draws = random.Random(1)
    played = [score(one, random_play(kind, one, draws), rules)[0] for one, kind in zip(instances, kinds, strict=True)]
    yield {"player": "random moves", **_means(played)}
    found = [breadth_first(kind, one, most) for one, kind in zip(instances, kinds, strict=True)]
    points = [score(one, lines, rules)[0] for one, (lines, _) in zip(instances, found, strict=True)]
    yield {
        "player": f"breadth first, {most:,} positions",
        **_means(points),
        "positions": sum(count for _, count in found) // len(found),
    }


def _means(points: Sequence[float]) -> dict[str, Any]:
    right, optimal = (sum(one >= least for one in points) for least in (1e-9, 1.0))
    return {"score": round(sum(points) / len(points), 3), "right": right, "optimal": optimal, "instances": len(points)}


def kinds_in(file: Path) -> dict[str, Any]:
    """The rules that a file has as ``KINDS``, by kind."""
    found = run_path(str(file), run_name="rules")["KINDS"]
    return {kind: rule() if isinstance(rule, type) else rule for kind, rule in found.items()}


def read(path: str) -> dict[str, Any]:
    """Values of a file, one in each line, by their ids; what is none ends the program."""
    found: dict[str, Any] = {}
    for number, line in enumerate(text_of(path).split("\n"), 1):
        try:
            one = value_of(line) if line.strip() else None
        except ValueError as error:
            stop(f"{path}, line {number}: no JSON: {error}")
        if one is not None and (not isinstance(one, dict) or not isinstance(one.get("id"), str)):
            stop(f"{path}, line {number}: not an object with an id")
        if one is not None and one["id"] in found:
            stop(f"{path}, line {number}: {one['id']} is there twice")
        found |= {one["id"]: one} if one is not None else {}
    return found


def stop(why: str) -> NoReturn:
    """End the program: nothing is scored."""
    print(why, file=sys.stderr)
    sys.exit(2)


def text_of(path: str) -> str:
    """The text of a file in UTF-8, perhaps with a byte order mark; what is none ends the program."""
    try:
        content = Path(path).read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        stop(f"{path}: {error.strerror or error}")
    except UnicodeDecodeError as error:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            stop(f"{path}: not a text file in UTF-8, but in UTF-16; save it as UTF-8")
        line = content.count(b"\n", 0, error.start) + 1
        stop(f"{path}, line {line}: not a text file in UTF-8; save it as UTF-8")


def value_of(line: str) -> Any:
    """The value of a line in JSON. Of one that is nested too deep, what is nested in its members is left out: it has an
    id then and no answer, and scores 0 for that id alone."""
    try:
        return json.loads(line, parse_int=number)
    except RecursionError:
        return json.loads(shallow(line), parse_int=number)


def number(digits: str) -> int | str:
    """A whole number; a text where it has more digits than any number here, and more than Python may read."""
    return int(digits) if len(digits) < 20 else digits


def shallow(line: str) -> str:
    """A line of JSON with null in place of all that is nested in its members."""
    depth, parts = 0, []
    for part in TOKENS.findall(line):
        depth -= part in CLOSING
        if depth < 1 or (depth == 1 and part not in CLOSING):
            parts.append("null" if depth == 1 and part in OPENING else part)
        depth += part in OPENING
    return "".join(parts)


def load(path: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The instances of a file by their ids, and the rules of all kinds; what is none ends the program."""
    instances = read(path)
    beside = Path(__file__).with_name(RULES)
    rules = {**(kinds_in(beside) if beside.exists() else {}), **KINDS}
    for name, instance in instances.items():
        least = instance.get("least")
        if not isinstance(instance.get("puzzle"), dict) or not (least is None or isinstance(least, int)):
            stop(f"{path}: {name} is no instance: a puzzle and the least number are wanted")
        if least is None and not isinstance(instance.get("certificate"), dict):
            stop(f"{path}: {name} is no instance: the least number is wanted, or a certificate that there is none")
        if instance["puzzle"].get("kind") not in rules:
            kind = instance["puzzle"].get("kind")
            stop(f"{name}: no rule of the kind {kind!r}; {RULES}, of the folder of these instances, has to be here")
    return instances, rules


def main(arguments: Sequence[str]) -> int:
    """Print a line for each answer that is not optimal, then the sums.

    Exit code 1 where an answer is not right, 2 where nothing can be scored.
    """
    if arguments[:1] == ["--certificates"] and len(arguments) > 1:
        return max([prove_all(*load(path)) for path in arguments[1:]])
    if len(arguments) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    asked, path = arguments
    if asked == "--baseline":
        instances, rules = load(path)
        for line in baseline([*instances.values()], rules):
            print(json.dumps(line))
        return 0
    instances, rules = load(asked)
    answers = read(path)
    total = 0.0
    counts: Counter[str] = Counter()
    for name, instance in instances.items():
        try:
            points, why = score(instance, answers[name].get("answer"), rules) if name in answers else (0.0, "missing")
        except ValueError as error:
            stop(str(error))
        total += points
        counts[why.split(":")[0]] += 1
        if points < 1:
            print(f"{name}: {why}")
    unknown = len(answers.keys() - instances.keys())
    counts["unknown ids"] = unknown
    print(json.dumps({"instances": len(instances), "score": total, **+counts}))
    return 1 if counts["wrong"] or counts["missing"] else 0


def prove_all(instances: Mapping[str, Any], rules: Mapping[str, Any]) -> int:
    """Print which certificates prove nothing, then how many do."""
    counts: Counter[str] = Counter()
    for name, instance in instances.items():
        if instance["least"] is None:
            try:
                prove(instance, rules)
                counts["proved"] += 1
            except Exception as error:  # what is wrong with a certificate may be anything
                counts["wrong"] += 1
                print(f"{name}: wrong: {type(error).__name__}: {error}")
    print(json.dumps({"unsolvable": counts.total(), **counts}))
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal may lack letters of somebody's answer
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
