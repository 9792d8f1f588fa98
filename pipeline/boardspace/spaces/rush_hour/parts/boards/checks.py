"""Boards made, counted and searched again by the second rules."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import prod
from typing import Any

import numpy as np

from boardspace.spaces.rush_hour.config import LISTED_FROM, Board, RushHourConfig
from boardspace.spaces.rush_hour.notation import Pieces, kind_text, parse, text_of
from boardspace.spaces.rush_hour.rules import Group, Kind, Line, Rows, classes, count, lines_of, read, rows_of
from boardspace.spec.equations import Making, RowFaultError
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

MADE_SIDE = 4
"""Cells of a side up to which all boards are made again."""
LABELS, LABEL_BOARDS = 40, 5000
"""Labels that are drawn, and boards that one of them may have."""
STARTS, GROUP_BOARDS = 20, 1500
"""Starts that are drawn, and boards of the groups that are searched."""
PRIME = (1 << 61) - 1
METRICS = (("step", "steps", "starts", "start"), ("unit_move", "unit_moves", "unit_starts", "unit_start"))
"""Of each metric its name, and columns: the most moves, the boards that take so many, and the first of them."""
PIECES = ("red_row", "cars_across", "trucks_across", "cars_down", "trucks_down")
COUNTED = (("cars", 2, "across"), ("trucks", 3, "across"), ("cars", 2, "down"), ("trucks", 3, "down"))
"""Pieces that the table of pieces counts: the name of the column, their length, and where they lie."""
Row = dict[str, Any]
NOTHING: Row = {
    **dict.fromkeys(("classes", "boards", "groups", "solvable_groups", "solvable", "starts", "unit_starts"), 0),
    **dict.fromkeys(("steps", "unit_moves", "start", "unit_start", "solutions")),
}
"""Figures of no boards."""


def seconds_of(config: RushHourConfig) -> Mapping[str, float]:
    """Seconds that each board takes to be made again."""
    return {board.name: 1.5 if board.n <= MADE_SIDE else float("inf") for board in config.all_boards}


def make(config: RushHourConfig, name: str, at: Making) -> Mapping[str, Sequence[Row]]:
    """All tables of a small board; of a larger one what drawn labels and starts tell."""
    board = config.board(name)
    if not at.whole:
        return _known(board, at)
    pieces, labels, levels, hardest = _survey(board, every_class(board))
    return {
        "pieces": [
            dict(zip(PIECES, key, strict=True)) | _searched(board, key[0]) | pieces[key] for key in sorted(pieces)
        ],
        "labels": [labels[key] for key in sorted(labels)],
        "levels": [
            {"red_row": red_row, "metric": metric, "moves": moves, **levels[red_row, metric, moves]}
            for red_row, metric, moves in sorted(levels)
        ],
        "hardest": sorted(hardest, key=lambda row: int(row["code"])),
    }


def every_class(board: Board) -> Mapping[tuple[Kind, ...], Sequence[Pieces]]:
    """All boards by their classes."""
    lines = _lines(board)
    return classes(lines, [list(line.arrangements) for line in lines])


@lru_cache(4)
def _lines(board: Board) -> list[Line]:
    return lines_of(board)


def _survey(board: Board, classes: Mapping[tuple[Kind, ...], Sequence[Pieces]]) -> tuple[Any, Any, Any, list[Row]]:
    """Figures of classes, given by the kinds of their lines: of each set of pieces, of each label, boards and groups of
    each level; and the rows of the hardest starts."""
    pieces, labels = defaultdict[Any, list[Row]](list), defaultdict[Any, list[Row]](list)
    levels, hardest = dict[Any, Row](), list[Row]()
    for kinds, boards in classes.items():
        key = _set_of(board, kinds)
        rows = [NOTHING | {"classes": 1, "boards": len(boards)}]
        for group, laid in _groups(board, boards) if _searched(board, key[0])["searched"] else ():
            rows.append(_figures(board, group, laid))
            for metric, most, _, _ in METRICS if group.steps else ():
                found = Counter(getattr(group, most).values())
                for moves in found:
                    level = levels.setdefault((key[0], metric, moves), {"boards": 0, "groups": 0})
                    level["boards"] += found[moves]
                    level["groups"] += moves == max(found)
            if group.steps and rows[-1]["steps"] >= LISTED_FROM[board.n]:
                hardest += [_start_row(board, group, one, laid[one]) for one in _farthest(group.steps)]
        pieces[key] += rows
        labels[label_of(board, kinds)] += rows
    of_labels = {key: {"side": key[0], "label": key[1]} | _sum(labels[key]) for key in labels}
    return {key: _sum(pieces[key]) for key in pieces}, of_labels, levels, hardest


def _groups(board: Board, boards: Sequence[Pieces]) -> Iterator[tuple[Group, Mapping[Rows, Pieces]]]:
    """The groups of a class, and the pieces of the boards of each."""
    left = {rows_of(board, pieces): pieces for pieces in boards}
    while left:
        group = _group_of(next(iter(left)))
        yield group, {one: left.pop(one) for one in group.moves}


def _group_of(start: Rows) -> Group:
    """The group of a board, however many boards it has."""
    group = Group.of(start)
    assert group is not None
    return group


def _farthest(moves: Mapping[Rows, int]) -> list[Rows]:
    most = max(moves.values())
    return [one for one in moves if moves[one] == most]


def _figures(board: Board, group: Group, laid: Mapping[Rows, Pieces]) -> Row:
    """The figures of a group. A start is its code, its text, and its shortest solutions."""
    row = NOTHING | {"groups": 1, "solvable_groups": int(bool(group.steps)), "solvable": len(group.steps)}
    for _, most, number, start in METRICS if group.steps else ():
        moves = getattr(group, most)
        codes = {code_of(board, laid[one]): one for one in _farthest(moves)}
        first = codes[min(codes)]
        row |= {most: moves[first], number: len(codes), start: (min(codes), text_of(board, laid[first]))}
        row |= {"solutions": group.solutions(first)} if most == "steps" else {}
    return row


def _sum(rows: Sequence[Row]) -> Row:
    """The figures of all together: of those that take the most moves their numbers, and the first start."""
    found = {name: sum(row[name] for row in rows) for name, value in NOTHING.items() if value == 0}
    for _, most, number, start in METRICS:
        found[most] = max((row[most] for row in rows if row[most] is not None), default=None)
        far = [row for row in rows if row[most] == found[most] is not None]
        first = min(far, key=lambda row: row[start][0], default=NOTHING)
        found |= {number: sum(row[number] for row in far), start: first[start] and first[start][1]}
        found |= {"solutions": first["solutions"]} if most == "steps" else {}
    return found


def _set_of(board: Board, kinds: tuple[Kind, ...]) -> tuple[Any, ...]:
    """The key of a class's set of pieces."""
    n, red = board.n, next(iter(_lines(board)[board.row].arrangements[kinds[board.row]]))
    lengths = [Counter(piece[0] for kind in some for piece in kind) for some in (kinds[:n], kinds[n:])]
    return kind_text(board, red), *(one[length] for one in lengths for length in (2, 3))


def _searched(board: Board, red_row: str) -> Row:
    """No piece and no wall stands to the right of the red car for good."""
    walls = sum(r == board.row for r, _ in board.walls)
    return {"searched": red_row[-1] == "A" and red_row.count("|") == walls}


def label_of(board: Board, kinds: tuple[Kind, ...]) -> tuple[str, int]:
    """The side and the label that list a class."""
    lines, n = _lines(board), board.n
    ways = [len(line.arrangements[kind]) for line, kind in zip(lines, kinds, strict=True)]
    side = "rows" if prod(ways[:n]) <= prod(ways[n:]) else "columns"
    own = slice(0, n) if side == "rows" else slice(n, 2 * n)
    label = 0
    for line, kind in zip(lines[own], kinds[own], strict=True):
        label = label * len(line.arrangements) + list(line.arrangements).index(kind)
    return side, label


def code_of(board: Board, pieces: Pieces) -> int:
    """The code of a board."""
    code = 0
    for line in _lines(board):
        own = sorted(
            (c if across else r, length, red)
            for r, c, length, across, red in pieces
            if across == line.across and (r if across else c) == line.at
        )
        code = code << 5 | line.number(tuple(own))
    return code


def _start_row(board: Board, group: Group, start: Rows, pieces: Pieces) -> Row:
    """The row of a start that is farthest in its group."""
    most = max(group.steps.values())
    return {
        "code": code_of(board, pieces),
        "text": text_of(board, pieces),
        "steps": most,
        "unit_moves": group.unit_moves[start],
        "solutions": group.solutions(start),
        "group_size": len(group.moves),
        "goals": sum(not steps for steps in group.steps.values()),
        "starts": sum(steps == most for steps in group.steps.values()),
    }


def _known(board: Board, at: Making) -> Mapping[str, Sequence[Row]]:
    """Rows of a large board as far as they are known: those of drawn labels and of drawn starts."""
    random, found = at.draw.generator(), {name: at.rows(name) for name in ("pieces", "labels", "levels", "hardest")}
    _require_all_groups(board, found["hardest"], found["levels"])
    known: dict[str, list[Row]] = {name: [{} for _ in rows] for name, rows in found.items()}

    def drawn(table: str, number: int, fits: list[bool]) -> Iterator[tuple[Row, Row]]:
        """Yield drawn rows of those that fit, each with what is known of it, to be added to."""
        places = np.flatnonzero(fits)
        for place in places[at.draw.choose(len(places), number, random)].tolist():
            yield found[table][place], known[table][place]

    for row, own in drawn("labels", LABELS, [row["boards"] <= LABEL_BOARDS for row in found["labels"]]):
        own |= _label_again(board, row["side"], row["label"])
    for row, own in drawn("hardest", STARTS, [row["group_size"] <= GROUP_BOARDS for row in found["hardest"]]):
        start = read(row["text"])
        own |= _start_row(board, _group_of(start), start, parse(row["text"])[1])
    for row, own in zip(found["pieces"], known["pieces"], strict=True):
        own |= _searched(board, row["red_row"])
        own |= {} if own["searched"] else {name: NOTHING[name] for name in NOTHING if name not in ("classes", "boards")}
    for row, own in drawn("pieces", STARTS, [row["steps"] is not None for row in found["pieces"]]):
        for _, most, _, name in METRICS:
            own |= _pieces_again(row[name], most)
    return known


def _require_all_groups(board: Board, hardest: Sequence[Row], levels: Sequence[Row]) -> None:
    """RowFaultError where each group has not as many starts as its rows say, or the levels count others."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for (steps, starts), rows in Counter((row["steps"], row["starts"]) for row in hardest).items():
        found[steps] += Fraction(rows, starts or 1)
    expected: Counter[int] = Counter()
    for row in levels:
        if row["metric"] == "step" and row["moves"] >= LISTED_FROM[board.n]:
            expected[row["moves"]] += row["groups"]
    for steps in sorted({*found, *expected}):
        if found[steps] != expected[steps]:
            groups = f"{expected[steps]:,} groups take {steps} steps at most"
            raise RowFaultError(f"hardest {board.name}: {groups}, and the listed starts are those of others")


def _label_again(board: Board, side: str, label: int) -> Row:
    """The figures of a label."""
    lines, n = _lines(board), board.n
    own, others = (lines[:n], lines[n:]) if side == "rows" else (lines[n:], lines[:n])
    kinds: list[Kind] = []
    for line in own[::-1]:
        label, digit = divmod(label, len(line.arrangements))
        kinds.insert(0, list(line.arrangements)[digit])
    least = prod(len(line.arrangements[kind]) for line, kind in zip(own, kinds, strict=True)) + (side == "columns")
    most = [max(map(len, line.arrangements.values())) for line in others]

    def fits(begun: tuple[Kind, ...]) -> bool:
        """The other side can still have as many arrangements as classes of this side's labels have."""
        ways = [len(line.arrangements[kind]) for line, kind in zip(others, begun[n:], strict=False)]
        return prod(ways) * prod(most[len(ways) :]) >= least

    allowed = [*([kind] for kind in kinds), *(list(line.arrangements) for line in others)]
    found = classes([*own, *others], allowed, fits).items()
    in_order = {one if side == "rows" else (*one[n:], *one[:n]): boards for one, boards in found}
    return next(iter(_survey(board, in_order)[1].values()), NOTHING)


def _pieces_again(text: str, most: str) -> Row:
    """Values of a set of pieces that a start tells, which is said to take the most moves of all; less of one whose
    group is large."""
    lengths = Counter((length, across) for _, _, length, across, _ in parse(text)[1])
    found: Row = {f"{of}_{where}": lengths[length, where == "across"] for of, length, where in COUNTED}
    start = read(text)
    group = Group.of(start, GROUP_BOARDS)
    if group is None:
        return found
    moves: Mapping[Rows, int] = getattr(group, most)
    if start not in _farthest(moves):
        raise RowFaultError(f"pieces {text}: {moves.get(start)} {most}, and others of its group take more")
    return found | {most: moves[start]} | ({"solutions": group.solutions(start)} if most == "steps" else {})


def check_boards(config: RushHourConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Boards by pieces, and goals, by a transfer over cells with random weights."""
    random = draw.generator()
    return outcome(fault for board in config.all_boards for fault in _board_faults(board, inputs, random))


def _board_faults(board: Board, inputs: Inputs, random: np.random.Generator) -> Iterator[str]:
    weights: dict[Any, int] = defaultdict(lambda: int(random.integers(1, PRIME)))
    rows, levels = (
        [row for row in inputs.table(table).to_pylist() if row["board"] == board.name] for table in ("pieces", "levels")
    )
    total = sum(row["boards"] * _weight(row, weights) for row in rows) % PRIME
    counted = count(board, partial(_looked_up, weights), PRIME)
    wrong = "the boards of the sets of pieces are not those that a transfer counts"
    yield "" if total == counted else f"{board.name}: {wrong}"
    goals = count(board, lambda *piece: 1, PRIME, goals=True)
    for metric, *_ in METRICS:
        at_goal = sum(row["boards"] for row in levels if row["metric"] == metric and not row["moves"])
        wrong = f"{goals:,} boards are goals, levels of {metric} have {at_goal:,}"
        yield "" if at_goal == goals else f"{board.name}: {wrong}"


def _looked_up(weights: Mapping[tuple[str, int, int], int], *piece: Any) -> int:
    return weights[piece]


def _weight(row: Row, weights: Mapping[tuple[str, int, int], int]) -> int:
    """The product of the weights of a row's pieces."""
    before, _, after = row["red_row"].replace("|", "").partition("A")
    own = [("beside", int(length), 0) for length in before] + [("beside", int(length), 1) for length in after]
    found = prod(weights[piece] for piece in own)
    for name, length, where in COUNTED:
        number = row[f"{name}_{where}"]
        if where == "across":
            number -= sum(piece[1] == length for piece in own) + (length == 2)
        found = found * pow(weights[where, length, 0], number, PRIME) % PRIME
    return found
