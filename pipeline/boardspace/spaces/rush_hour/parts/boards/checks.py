"""Boards made, counted and searched again by the second rules."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import prod
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from boardspace.spaces.rush_hour.config import LISTED_FROM, Board, RushHourConfig
from boardspace.spaces.rush_hour.notation import Pieces, kind_text, parse, text_of
from boardspace.spaces.rush_hour.rules import Group, Kind, Line, Rows, classes, count, lines_of, read, rows_of
from boardspace.spec.equations import ReadColumns
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

MADE_SIDE = 4
"""Cells of a side up to which all boards are made again."""
SUMS = ("classes", "boards", "groups", "solvable_groups", "solvable")
LABELS, LABEL_BOARDS = 40, 5000
"""Labels that are drawn, and boards that one of them may have."""
STARTS, GROUP_BOARDS = 20, 1500
"""Starts that are drawn, and boards of the groups that are searched."""
PRIME = (1 << 61) - 1
METRICS = (("step", "steps", "starts", "start"), ("unit_move", "unit_moves", "unit_starts", "unit_start"))
"""Of each metric its name, and columns: the most moves, the boards that take so many, and the first of them."""
COUNTED = (("cars", 2, "across"), ("trucks", 3, "across"), ("cars", 2, "down"), ("trucks", 3, "down"))
"""Pieces that the table of pieces counts: the name of the column, their length, and where they lie."""
Row = dict[str, Any]


def seconds_of(config: RushHourConfig) -> Mapping[str, float]:
    """Seconds that each board takes to be made again."""
    return {board.name: 1.5 if board.n <= MADE_SIDE else float("inf") for board in config.all_boards}


def make_all(config: RushHourConfig, name: str, read: ReadColumns) -> Mapping[str, Mapping[str, Any]]:
    """All tables of a small board."""
    board = config.board(name)
    lines = lines_of(board)
    made = Survey(board, lines)
    for kinds, boards in classes(lines, [list(line.arrangements) for line in lines]).items():
        made.add(kinds, boards)
    return made.tables()


class Survey:
    """Figures of classes of a board, added one by one."""

    def __init__(self, board: Board, lines: Sequence[Line]) -> None:
        self.board, self.lines = board, lines
        self.pieces: dict[tuple[Any, ...], Row] = {}
        self.labels: dict[tuple[Any, ...], Row] = {}
        self.levels: dict[tuple[str, str], list[Counter[int]]] = defaultdict(lambda: [Counter(), Counter()])
        self.hardest: list[Row] = []

    def add(self, kinds: tuple[Kind, ...], boards: Sequence[Pieces]) -> None:
        """Add a class: the kinds of its lines, and its boards."""
        rows = [
            self.pieces.setdefault(self._set_of(kinds), _none()),
            self.labels.setdefault(label_of(self.lines, kinds), _none()),
        ]
        for row in rows:
            row["classes"] += 1
            row["boards"] += len(boards)
        if not is_last(self.board, kinds[self.board.row]):
            return
        left = {rows_of(self.board, pieces): pieces for pieces in boards}
        while left:
            group = all_of(next(iter(left)))
            own = {one: left.pop(one) for one in group.moves}
            self._add_group(group, own, rows, self._set_of(kinds)[0])

    def _add_group(self, group: Group, pieces: Mapping[Rows, Pieces], rows: Sequence[Row], red_row: str) -> None:
        for row in rows:
            row["groups"] += 1
            row["solvable_groups"] += bool(group.steps)
            row["solvable"] += len(group.steps)
        if not group.steps:
            return
        for metric, most, number, start in METRICS:
            found: Mapping[Rows, int] = getattr(group, most)
            farthest = max(found.values())
            self.levels[red_row, metric][0].update(found.values())
            self.levels[red_row, metric][1].update([farthest])
            codes = {code_of(self.lines, pieces[one]): one for one in found if found[one] == farthest}
            for row in rows:
                if row[most] is None or row[most] < farthest:
                    row |= {most: farthest, number: 0, start: None}
                if farthest == row[most]:
                    row[number] += len(codes)
                    code = min(codes)
                    if row[start] is None or code < row[start][0]:
                        row[start] = code, text_of(self.board, pieces[codes[code]])
                        if most == "steps":
                            row["solutions"] = group.solutions(codes[code])
            if most == "steps" and farthest >= LISTED_FROM[self.board.n]:
                far = codes.values()
                self.hardest += [_start_row(self.board, self.lines, group, one, pieces[one]) for one in far]

    def _set_of(self, kinds: tuple[Kind, ...]) -> tuple[Any, ...]:
        n, red = self.board.n, next(iter(self.lines[self.board.row].arrangements[kinds[self.board.row]]))
        lengths = [Counter(piece[0] for kind in some for piece in kind) for some in (kinds[:n], kinds[n:])]
        return (
            kind_text(self.board, red),
            *(one[length] for one in lengths for length in (2, 3)),
            is_last(self.board, kinds[self.board.row]),
        )

    def tables(self) -> Mapping[str, Mapping[str, Any]]:
        """The tables' columns."""
        names = ("red_row", "cars_across", "trucks_across", "cars_down", "trucks_down", "searched")
        pieces = [dict(zip(names, key, strict=True)) | row for key, row in sorted(self.pieces.items())]
        for row in pieces:
            row |= {name: row[name] and row[name][1] for name in ("start", "unit_start")}
        labels = [{"side": side, "label": label} | row for (side, label), row in sorted(self.labels.items())]
        levels = [
            {"red_row": red_row, "metric": metric, "moves": moves, "boards": boards[moves], "groups": groups[moves]}
            for (red_row, metric), (boards, groups) in sorted(self.levels.items())
            for moves in sorted(boards)
        ]
        hardest = sorted(self.hardest, key=lambda row: int(row["code"]))
        named = {"pieces": pieces, "labels": labels, "levels": levels, "hardest": hardest}
        return {
            name: {column: [row[column] for row in rows] for column in (rows[0] if rows else ())}
            for name, rows in named.items()
        }


def _none() -> Row:
    numbers = dict.fromkeys((*SUMS, "starts", "unit_starts"), 0)
    return {**numbers, **dict.fromkeys(("steps", "unit_moves", "start", "unit_start", "solutions"))}


def is_last(board: Board, kind: Kind) -> bool:
    """No piece and no wall stands to the right of the red car for good."""
    walls = sum(r == board.row for r, _ in board.walls)
    return kind[-1][1] and kind[-1][2] == walls


def label_of(lines: Sequence[Line], kinds: tuple[Kind, ...]) -> tuple[str, int]:
    """The side and the label that list a class."""
    n = len(lines) // 2
    ways = [len(line.arrangements[kind]) for line, kind in zip(lines, kinds, strict=True)]
    side = "rows" if prod(ways[:n]) <= prod(ways[n:]) else "columns"
    own = slice(0, n) if side == "rows" else slice(n, 2 * n)
    label = 0
    for line, kind in zip(lines[own], kinds[own], strict=True):
        label = label * len(line.arrangements) + list(line.arrangements).index(kind)
    return side, label


def code_of(lines: Sequence[Line], pieces: Pieces) -> int:
    """The code of a board."""
    code = 0
    for line in lines:
        own = sorted(
            (c if across else r, length, red)
            for r, c, length, across, red in pieces
            if across == line.across and (r if across else c) == line.at
        )
        code = code << 5 | line.number(tuple(own))
    return code


def _start_row(board: Board, lines: Sequence[Line], group: Group, start: Rows, pieces: Pieces) -> Row:
    return {
        "code": code_of(lines, pieces),
        "text": text_of(board, pieces),
        "steps": group.steps[start],
        "unit_moves": group.unit_moves[start],
        "solutions": group.solutions(start),
        "group_size": len(group.moves),
        "goals": sum(not steps for steps in group.steps.values()),
        "starts": sum(steps == group.steps[start] for steps in group.steps.values()),
    }


def _of_board(inputs: Inputs, table: str, board: Board) -> pa.Table:
    rows = inputs.table(table)
    return rows.filter(pc.equal(rows.column("board"), board.name))


def _difference(of: str, expected: Row, row: Row) -> str:
    """The first value of a row that is not as expected, in a sentence; or ''."""
    wrong = next((name for name, value in expected.items() if name in row and row[name] != value), "")
    return wrong and f"{of} has {wrong} {expected[wrong]}, the table says {row[wrong]}"


def check_boards(config: RushHourConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Boards by pieces, and goals, by a transfer over cells with random weights."""
    random = draw.generator()
    return outcome(fault for board in config.all_boards for fault in _board_faults(board, inputs, random))


def _board_faults(board: Board, inputs: Inputs, random: np.random.Generator) -> Iterator[str]:
    weights: dict[Any, int] = defaultdict(lambda: int(random.integers(1, PRIME)))
    rows, levels = (_of_board(inputs, table, board).to_pylist() for table in ("pieces", "levels"))
    total = sum(row["boards"] * _weight(row, weights) for row in rows) % PRIME
    counted = count(board, partial(_looked_up, weights), PRIME)
    wrong = "the boards of the sets of pieces are not those that a transfer counts"
    yield "" if total == counted else f"{board.name}: {wrong}"
    goals = count(board, lambda *piece: 1, PRIME, goals=True)
    for metric, *_ in METRICS:
        at_goal = sum(row["boards"] for row in levels if row["metric"] == metric and not row["moves"])
        wrong = f"{goals:,} boards are goals, levels of {metric} have {at_goal:,}"
        yield "" if at_goal == goals else f"{board.name}: {wrong}"
    for row in rows:
        red_row, searched, groups = row["red_row"], row["searched"], row["groups"]
        last = red_row[-1] == "A" and red_row.count("|") == sum(r == board.row for r, _ in board.walls)
        wrong = f"{red_row} in the red row: searched is {searched}, {groups:,} groups"
        yield "" if searched == last and (last or not groups) else f"{board.name}: {wrong}"


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


def check_labels(config: RushHourConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Drawn labels searched again; sums of labels, pieces and levels compared."""
    random, of = draw.generator(), inputs.table("labels").num_rows
    return outcome((fault for board in config.all_boards for fault in _label_faults(board, inputs, draw, random)), of)


def _label_faults(board: Board, inputs: Inputs, draw: Draw, random: np.random.Generator) -> Iterator[str]:
    labels = _of_board(inputs, "labels", board)
    fault = _sum_fault(labels, _of_board(inputs, "pieces", board), _of_board(inputs, "levels", board).to_pylist())
    if fault:
        yield f"{board.name}: {fault}"
    small = np.flatnonzero(labels.column("boards").to_numpy() <= LABEL_BOARDS)
    for row in labels.take(small[draw.choose(len(small), LABELS, random)]).to_pylist():
        name = f"{board.name}: label {row['label']} of {row['side']}"
        yield _difference(name, _label_again(board, row["side"], row["label"]), row)


def _sum_fault(labels: pa.Table, pieces: pa.Table, levels: Sequence[Row]) -> str:
    """Fault of sums that have to be equal."""
    for name in SUMS:
        both = [pc.sum(table.column(name)).as_py() or 0 for table in (labels, pieces)]
        if both[0] != both[1]:
            return f"{name} of all labels are {both[0]:,}, of all sets of pieces {both[1]:,}"
    rows = pieces.to_pylist()
    for metric, most, number, _ in METRICS:
        for red_row in sorted({row["red_row"] for row in rows}):
            own = [row for row in rows if row["red_row"] == red_row]
            here = [row for row in levels if row["red_row"] == red_row and row["metric"] == metric]
            for name, of in (("solvable", "boards"), ("solvable_groups", "groups")):
                if sum(row[name] for row in own) != sum(row[of] for row in here):
                    return f"{name} with {red_row} in the red row are not the {of} of all levels of {metric}"
            farthest = max((row[most] for row in own if row[most] is not None), default=-1)
            if [row["moves"] for row in here] != list(range(farthest + 1)):
                return f"levels of {metric} with {red_row} in the red row do not end where the sets of pieces say"
        farthest = max((row["moves"] for row in levels if row["metric"] == metric), default=-1)
        at_it = sum(row["boards"] for row in levels if row["metric"] == metric and row["moves"] == farthest)
        for table in (labels, pieces) if at_it else ():
            far = pc.sum(table.filter(pc.equal(table.column(most), farthest)).column(number)).as_py()
            if (pc.max(table.column(most)).as_py(), far) != (farthest, at_it):
                return f"{most} and {number} do not end as the levels do: {at_it:,} boards take {farthest}"
    return ""


@lru_cache(4)
def _cached_lines(board: Board) -> list[Line]:
    return lines_of(board)


def _label_again(board: Board, side: str, label: int) -> Row:
    """The figures of a label."""
    lines, n = _cached_lines(board), board.n
    own = lines[:n] if side == "rows" else lines[n:]
    kinds: list[Kind] = []
    for line in own[::-1]:
        label, digit = divmod(label, len(line.arrangements))
        kinds.insert(0, list(line.arrangements)[digit])
    others = lines[n:] if side == "rows" else lines[:n]
    least = prod(len(line.arrangements[kind]) for line, kind in zip(own, kinds, strict=True)) + (side == "columns")
    most = [max(map(len, line.arrangements.values())) for line in others]

    def fits(begun: tuple[Kind, ...]) -> bool:
        """The other side can still have as many arrangements as classes of this side's labels have."""
        ways = [len(line.arrangements[kind]) for line, kind in zip(others, begun[n:], strict=False)]
        return prod(ways) * prod(most[len(ways) :]) >= least

    made = Survey(board, lines)
    allowed = [*([kind] for kind in kinds), *(list(line.arrangements) for line in others)]
    for found, boards in classes([*own, *others], allowed, fits).items():
        made.add(found if side == "rows" else (*found[n:], *found[:n]), boards)
    return next(iter(made.labels.values()), _none())


def check_starts(config: RushHourConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Drawn starts solved."""
    cases, of, left, random = 0, 0, 0, draw.generator()
    for board in config.all_boards:
        lines = _cached_lines(board)
        listed, pieces = _of_board(inputs, "hardest", board), _of_board(inputs, "pieces", board)
        of += listed.num_rows + pieces.num_rows
        if fault := _listed_fault(listed, _of_board(inputs, "levels", board), LISTED_FROM[board.n]):
            return Outcome(cases, of, f"{board.name}: {fault}")
        sizes = listed.column("group_size").to_numpy()
        small = np.flatnonzero(sizes <= GROUP_BOARDS)
        left += len(sizes) - len(small)
        for row in listed.take(small[draw.choose(len(small), STARTS, random)]).to_pylist():
            cases += 1
            start = read(row["text"])
            group = all_of(start)
            expected = _start_row(board, lines, group, start, parse(row["text"])[1])
            fault = _difference(row["text"], expected | {"steps": max(group.steps.values()), "board": board.name}, row)
            if fault:
                return Outcome(cases, of, f"{board.name}: {fault}")
        solved = pieces.filter(pc.is_valid(pieces.column("steps")))
        for row in solved.take(np.array(draw.choose(solved.num_rows, STARTS, random), np.int64)).to_pylist():
            found = _pieces_fault(row)
            if found:
                return Outcome(cases, of, f"{board.name}: {found}")
            cases, left = cases + (found is not None), left + (found is None)
    return Outcome(cases, of, left=f"groups of {left:,} starts have more than {GROUP_BOARDS:,} boards" if left else "")


def _listed_fault(listed: pa.Table, levels: pa.Table, least: int) -> str:
    """Fault of the numbers of starts: each group has as many as its rows say, and the levels count these groups."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for row in listed.group_by(["steps", "starts"]).aggregate([([], "count_all")]).to_pylist():
        found[row["steps"]] += Fraction(row["count_all"], row["starts"]) if row["starts"] else 0
    expected: Counter[int] = Counter()
    for row in levels.to_pylist():
        if row["metric"] == "step" and row["moves"] >= least:
            expected[row["moves"]] += row["groups"]
    for steps in sorted({*found, *expected}):
        if found[steps] != expected[steps]:
            return f"{expected[steps]:,} groups take {steps} steps at most, and the listed starts are those of others"
    return ""


def all_of(start: Rows) -> Group:
    """The group of a board, however many boards it has."""
    group = Group.of(start)
    assert group is not None
    return group


def _pieces_fault(row: Row) -> str | None:
    """Fault of the two starts that a set of pieces names, or ''; None where a group is too large to be searched."""
    for _, most, _, name in METRICS:
        lengths = Counter((length, across) for _, _, length, across, _ in parse(row[name])[1])
        names = {f"{of}_{where}": lengths[length, where == "across"] for of, length, where in COUNTED}
        if fault := _difference(row[name], names, row):
            return fault
        start = read(row[name])
        group = Group.of(start, GROUP_BOARDS)
        if group is None:
            return None
        moves: Mapping[Rows, int] = getattr(group, most)
        takes, farthest = moves.get(start), max(moves.values(), default=None)
        if not takes == farthest == row[most]:
            return f"{row[name]} takes {takes} {most} of at most {farthest}, the table says {row[most]}"
        if most == "steps" and (fault := _difference(row[name], {"solutions": group.solutions(start)}, row)):
            return fault
    return ""
