#!/usr/bin/env python3
"""Score answers to instances of boardspace: plain Python, 3.10 or newer, that needs nothing installed.

    python check.py INSTANCES.jsonl ANSWERS.jsonl

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

A right answer with the least number scores 1, one with more scores least / number, and a wrong or missing one 0.
"""

import io
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from runpy import run_path
from typing import Any, NoReturn

Cell = tuple[int, int]
Puzzle = Mapping[str, Any]

TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]|[^][{}"]+')
OPENING, CLOSING = frozenset("[{"), frozenset("]}")
DIRECTIONS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}


class WrongError(Exception):
    """The answer is wrong, and why."""


def score(instance: Mapping[str, Any], answer: Any, rules: Mapping[str, Any] | None = None) -> tuple[float, str]:
    """Score of an answer, from 0 to 1, and a sentence that says why; ``rules`` by kind, by default those here."""
    try:
        if not isinstance(answer, (list, tuple)) or not all(isinstance(line, str) for line in answer):
            raise WrongError("an answer is a list of lines of text")
        number = number_of((rules or KINDS)[instance["puzzle"]["kind"]], instance["puzzle"], answer)
    except WrongError as wrong:
        return 0.0, f"wrong: {wrong}"
    least = instance["least"]
    if number < least:
        raise ValueError(f"{instance['id']}: {number} is less than the least, {least}; is the file of instances whole?")
    if number == least:
        return 1.0, f"optimal: {number}"
    return least / number, f"right: {number}, the least is {least}"


def number_of(rule: Any, puzzle: Puzzle, answer: Sequence[str]) -> int:
    """Moves, stones or pegs of an answer by the rule of its kind: a function, or an object that has moves."""
    try:
        return walk(rule, puzzle, answer) if hasattr(rule, "moves") else rule(puzzle, answer)
    except WrongError:
        raise
    except ValueError as error:
        raise WrongError(str(error)) from error
    except Exception as error:  # a rule may raise anything where somebody's answer is none
        raise WrongError(f"it cannot be read: {type(error).__name__}: {error}") from error


def walk(rule: Any, puzzle: Puzzle, answer: Sequence[str]) -> int:
    """Moves of an answer that leads from the start to a goal.

    The rule has ``moves(size, state)``, the states one move away by the name of the move, ``text(size, state)`` and
    ``parse(size, text)``. The puzzle has its ``size``, its ``start`` and its ``goal``, texts of states any of which is
    wanted; a puzzle without them has a rule with ``solved(size, state)``.
    """
    size = puzzle.get("size", {})
    state = rule.parse(size, puzzle["start"])
    for number, line in enumerate(answer, 1):
        moves = rule.moves(size, state)
        if line not in moves:
            names = [*sorted(moves)[:20], *(["..."] if len(moves) > 20 else [])]
            raise WrongError(f"move {number}, {line!r}: no move of that name; there are: {', '.join(names)}")
        state = moves[line]
    goals = [rule.parse(size, goal) for goal in puzzle.get("goal", [])]
    if not (state in goals if goals else rule.solved(size, state)):
        raise WrongError(f"it ends at {' / '.join(rule.text(size, state).splitlines())}, which is no goal")
    return len(answer)


def whole(text: str, what: str) -> int:
    """A whole number that a text writes."""
    digits = text[1:] if text[:1] == "-" else text
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
        raise WrongError(f"{what}: {text!r} is no whole number")
    return int(text)


def slide(puzzle: Puzzle, answer: Sequence[str]) -> int:
    """Steps of an answer that takes the piece to its place."""
    rows, columns = len(puzzle["board"]), len(puzzle["board"][0])
    pieces: dict[str, set[Cell]] = {}
    for row, line in enumerate(puzzle["board"]):
        for column, sign in enumerate(line):
            if sign != ".":
                pieces.setdefault(sign, set()).add((row, column))
    for number, line in enumerate(answer, 1):
        words = line.split()
        if len(words) != 3 or words[0] not in pieces:
            raise WrongError(f"step {number}, {line!r}: write a piece, a row and a column, such as 'B 1 2'")
        target = (whole(words[1], f"step {number}") - 1, whole(words[2], f"step {number}") - 1)
        own = pieces.pop(words[0])
        if target == corner(own):
            raise WrongError(f"step {number}, {line!r}: the piece is there already")
        taken = {cell for piece in pieces.values() for cell in piece}
        free = {(row, column) for row in range(rows) for column in range(columns)} - taken
        reached = placements(own, free)
        if target not in reached:
            raise WrongError(f"step {number}, {line!r}: no way leads there through free cells")
        pieces[words[0]] = reached[target]
    row, column = corner(pieces[puzzle["piece"]])
    if [row + 1, column + 1] != list(puzzle["to"]):
        raise WrongError(f"the piece {puzzle['piece']} ends at {[row + 1, column + 1]}, not at {list(puzzle['to'])}")
    return len(answer)


def corner(piece: set[Cell]) -> Cell:
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


def jump(puzzle: Puzzle, answer: Sequence[str]) -> int:
    """Moves of an answer that leaves one peg in its hole."""
    places = {
        int(word): (row, column)
        for row, line in enumerate(puzzle["board"])
        for column, word in enumerate(line.split())
        if word != "."
    }
    hole_at = {place: hole for hole, place in places.items()}
    ways = list(DIRECTIONS.values()) + ([(1, 1), (-1, -1)] if puzzle["grid"] == "triangular" else [])
    pegs = set(puzzle["pegs"])
    for number, line in enumerate(answer, 1):
        stops = [whole(word.strip(), f"move {number}") for word in line.split("==>")]
        if len(stops) < 2 or not set(stops) <= set(places):
            raise WrongError(f"move {number}, {line!r}: write holes of the board, such as 9==>23==>25")
        for begin, end in pairwise(stops):
            over = None
            for down, right in ways:
                row, column = places[begin]
                if hole_at.get((row + 2 * down, column + 2 * right)) == end:
                    over = hole_at.get((row + down, column + right))
            if over is None:
                raise WrongError(f"move {number}, {line!r}: no jump leads from {begin} to {end}")
            if begin not in pegs or over not in pegs or end in pegs:
                raise WrongError(f"move {number}, {line!r}: {begin} and {over} must hold pegs, and {end} none")
            pegs ^= {begin, over, end}
    if pegs != set(puzzle["goal"]):
        raise WrongError(f"pegs are left in {sorted(pegs)}, not in {sorted(puzzle['goal'])}")
    return len(answer)


def block(puzzle: Puzzle, answer: Sequence[str]) -> int:
    """Stones of an answer that leaves no line free."""
    rows, columns, k = puzzle["rows"], puzzle["columns"], puzzle["k"]
    if len(answer) != rows or any(len(line) != columns or set(line) - set("#.") for line in answer):
        raise WrongError(f"write {rows} lines of {columns} signs, # and .")
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + i * down, column + i * right) for i in range(k)]
                if line[-1][0] < rows and 0 <= line[-1][1] < columns and all(answer[r][c] == "." for r, c in line):
                    raise WrongError(f"free cells from row {row + 1}, column {column + 1}: {k} in a row")
    return sum(line.count("#") for line in answer)


def reduce(puzzle: Puzzle, answer: Sequence[str]) -> int:
    """Pegs that the jumps of an answer leave."""
    pegs = {(row, column) for row in range(1, puzzle["rows"] + 1) for column in range(1, puzzle["columns"] + 1)}
    for number, line in enumerate(answer, 1):
        words = line.split()
        if len(words) != 3 or words[2] not in DIRECTIONS:
            raise WrongError(f"jump {number}, {line!r}: write a row, a column and U, R, D or L")
        row, column = (whole(word, f"jump {number}") for word in words[:2])
        down, right = DIRECTIONS[words[2]]
        begin, over, end = ((row + i * down, column + i * right) for i in range(3))
        if begin not in pegs or over not in pegs or end in pegs:
            raise WrongError(f"jump {number}, {line!r}: {begin} and {over} must hold pegs, and {end} none")
        pegs ^= {begin, over, end}
    return len(pegs)


def cover(puzzle: Puzzle, answer: Sequence[str]) -> int:
    """Trominoes of an answer that covers the board."""
    rows = [line.split() for line in answer]
    side = puzzle["side"]
    if len(rows) != side or any(len(row) != side for row in rows):
        raise WrongError(f"write {side} lines of {side} numbers")
    cells: dict[int, list[Cell]] = {}
    for r, row in enumerate(rows):
        for c, word in enumerate(row):
            cells.setdefault(whole(word, f"row {r + 1}"), []).append((r, c))
    out = (puzzle["hole"][0] - 1, puzzle["hole"][1] - 1)
    if cells.pop(0, []) != [out]:
        raise WrongError(f"0 stands for the cell in row {out[0] + 1}, column {out[1] + 1}, and for no other")
    for number, own in cells.items():
        square = len({r for r, _ in own}) == len({c for _, c in own}) == 2
        near = max(r for r, _ in own) - min(r for r, _ in own) == max(c for _, c in own) - min(c for _, c in own) == 1
        if len(own) != 3 or not square or not near:
            raise WrongError(f"the cells of {number} are no L of three cells")
    return len(cells)


KINDS = {"slide": slide, "jump": jump, "block": block, "reduce": reduce, "cover": cover}
RULES = "rules.py"


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


def main(arguments: Sequence[str]) -> int:
    """Print a line for each answer that is not optimal, then the sums.

    Exit code 1 where an answer is not right, 2 where nothing can be scored.
    """
    if len(arguments) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    instances, answers = (read(path) for path in arguments)
    beside = Path(__file__).with_name(RULES)
    rules = {**(kinds_in(beside) if beside.exists() else {}), **KINDS}
    for name, instance in instances.items():
        if not isinstance(instance.get("puzzle"), dict) or not isinstance(instance.get("least"), int):
            stop(f"{arguments[0]}: {name} is no instance: a puzzle and the least number are wanted")
        if instance["puzzle"].get("kind") not in rules:
            kind = instance["puzzle"].get("kind")
            stop(f"{name}: no rule of the kind {kind!r}; {RULES}, of the folder of these instances, has to be here")
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


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal may lack letters of somebody's answer
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
