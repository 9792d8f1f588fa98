"""Boards made, counted and searched again by the second rules."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice, product
from math import prod
from typing import Any

import numpy as np

from boardspace.spaces.rush_hour import rules
from boardspace.spaces.rush_hour.columns import FIGURES, HARDEST, LABELS, LEVELS, METRICS, PIECES
from boardspace.spaces.rush_hour.config import LISTED_FROM, Board, RushHourConfig
from boardspace.spaces.rush_hour.notation import Pieces, kind_text, line_of, parse, read, rows_of, text_of
from boardspace.spaces.rush_hour.rules import Kind, Laid, all_groups, classes, code_of, groups_of, lines_of
from boardspace.spec.check import Faults, each_case
from boardspace.spec.equations import Making, RowFaultError
from boardspace.spec.second_rules import Group, Rows
from boardspace.spec.space import Draw, Inputs

MADE_SIDE = 4
"""Cells of a side up to which all boards are made again."""
DRAWN_LABELS, LABEL_BOARDS = 40, 5000
"""Labels that are drawn, and boards that one of them may have."""
DRAWN_STARTS, GROUP_BOARDS = 20, 1500
"""Starts that are drawn, and boards of the groups that are searched."""
PRIME = (1 << 61) - 1
TABLES = (PIECES, LEVELS, LABELS, HARDEST)
Row = dict[str, Any]
Keyed = dict[tuple[Any, ...], Row]
"""Rows by the keys of their table."""
Groups = Mapping[str, Group[Rows]]
"""The group of a board, by metric."""


def seconds_of(config: RushHourConfig) -> Mapping[str, float]:
    """Seconds that each board takes to be made again."""
    return {board.name: 1.5 if board.n <= MADE_SIDE else float("inf") for board in config.all_boards}


def make(config: RushHourConfig, name: str, at: Making) -> Mapping[str, Sequence[Row]]:
    """All tables of a small board; of a larger one what drawn labels and starts tell."""
    board = config.board(name)
    if not at.whole:
        return _known(board, at)
    made = zip(TABLES, _survey(board, classes(lines_of(board))), strict=True)
    return {
        table.name: [dict(zip(table.key, key, strict=True)) | rows[key] for key in sorted(rows)] for table, rows in made
    }


def _survey(board: Board, found: Mapping[tuple[Kind, ...], Sequence[Laid]]) -> tuple[Keyed, Keyed, Keyed, Keyed]:
    """The rows of :data:`TABLES` that follow from all boards of some classes, given by the kinds of their lines."""
    pieces, labels = defaultdict[Any, list[Row]](list), defaultdict[Any, list[Row]](list)
    levels, hardest = defaultdict[Any, Counter[str]](Counter), Keyed()
    for kinds, boards in found.items():
        key = key_of(board, boards[0].pieces)
        rows: list[Row] = [{"classes": 1, "boards": len(boards)}]
        laid = {rows_of(board, one.pieces): one for one in boards} if _searched(board, key[0]) else {}
        for groups in all_groups(laid):
            rows.append(FIGURES.of_group(groups, partial(_named, board, laid)))
            for metric, group in groups.items():
                for moves, number in Counter(group.left.values()).items():
                    levels[key[0], metric, moves].update(boards=number, groups=int(moves == group.most))
            for one in groups["step"].farthest:
                if groups["step"].left[one] >= LISTED_FROM[board.n]:
                    hardest[(laid[one].code,)] = _start(board, groups, one, laid[one].pieces)
        pieces[key] += rows
        labels[label_of(board, kinds)] += rows
    of_pieces = {key: FIGURES.total(rows) | {"searched": _searched(board, key[0])} for key, rows in pieces.items()}
    return of_pieces, {**levels}, {key: FIGURES.total(rows) for key, rows in labels.items()}, hardest


def _named(board: Board, laid: Mapping[Rows, Laid], one: Rows) -> tuple[int, str]:
    return laid[one].code, text_of(board, laid[one].pieces)


def key_of(board: Board, pieces: Pieces) -> tuple[Any, ...]:
    """The key of a board's set of pieces."""
    red_row = sorted((piece[1], piece[2], piece[4]) for piece in pieces if line_of(board.n, piece) == board.row)
    lengths = Counter((across, length) for _, _, length, across, _ in pieces)
    return kind_text(board, tuple(red_row)), *(lengths[across, length] for across in (True, False) for length in (2, 3))


def _searched(board: Board, red_row: str) -> bool:
    """No piece and no wall stands to the right of the red car for good."""
    return red_row[-1] == "A" and red_row.count("|") == sum(r == board.row for r, _ in board.walls)


def label_of(board: Board, kinds: tuple[Kind, ...]) -> tuple[str, int]:
    """The side and the label that list a class."""
    lines, n, label = lines_of(board), board.n, 0
    ways = [len(line[kind]) for line, kind in zip(lines, kinds, strict=True)]
    side, own = ("rows", slice(0, n)) if prod(ways[:n]) <= prod(ways[n:]) else ("columns", slice(n, 2 * n))
    for line, kind in zip(lines[own], kinds[own], strict=True):
        label = label * len(line) + list(line).index(kind)
    return side, label


def _start(board: Board, groups: Groups, start: Rows, pieces: Pieces) -> Row:
    steps = groups["step"]
    return {
        "text": text_of(board, pieces),
        "steps": steps.most,
        "unit_moves": groups["unit_move"].left[start],
        "solutions": sum(steps.ways(start).values()),
        "group_size": len(steps.moves),
        "goals": steps.goals,
        "starts": len(steps.farthest),
    }


def _known(board: Board, at: Making) -> Mapping[str, Sequence[Row]]:
    """Rows of a large board as far as they are known: those of drawn labels and of drawn starts."""
    random, found = at.draw.generator(), {table.name: at.rows(table.name) for table in TABLES}
    _require_all_groups(board, found["hardest"], found["levels"])
    known: dict[str, list[Row]] = {name: [{} for _ in rows] for name, rows in found.items()}

    def drawn(table: str, number: int, fits: list[bool]) -> Iterator[tuple[Row, Row]]:
        """Yield drawn rows of those that fit, each with what is known of it, to be added to."""
        places = np.flatnonzero(fits)
        for place in places[at.draw.choose(len(places), number, random)].tolist():
            yield found[table][place], known[table][place]

    for row, own in drawn("labels", DRAWN_LABELS, [row["boards"] <= LABEL_BOARDS for row in found["labels"]]):
        own |= _label_again(board, row["side"], row["label"], row["boards"])
    for row, own in drawn("hardest", DRAWN_STARTS, [row["group_size"] <= GROUP_BOARDS for row in found["hardest"]]):
        pieces, groups = parse(row["text"])[1], _farthest(row["text"], "step", row["group_size"])
        if not groups:
            raise RowFaultError(f"{row['text']}: its group has more than {row['group_size']} boards")
        own |= _start(board, groups, read(row["text"]), pieces)
    listed = defaultdict[Any, list[Row]](list)
    for row, own in zip(found["hardest"], known["hardest"], strict=True):
        pieces = parse(row["text"])[1]
        own |= {"code": code_of(board, pieces), "text": text_of(board, pieces)}
        listed[key_of(board, pieces)].append(row)
    nothing = {name: value for name, value in FIGURES.total([]).items() if name not in ("classes", "boards")}
    for row, own in zip(found["pieces"], known["pieces"], strict=True):
        own |= {"searched": _searched(board, row["red_row"])}
        own |= {} if own["searched"] else nothing
        key = tuple(row[name] for name in PIECES.key)
        for text in filter(None, (row[metric.first] for metric in METRICS)):
            if key_of(board, parse(text)[1]) != key:
                raise RowFaultError(f"pieces {board.name}: {text} has other pieces than {key}")
        own |= _of_listed(listed[key], row["steps"] or 0, LISTED_FROM[board.n])
    for row, own in drawn("pieces", DRAWN_STARTS, [row["steps"] is not None for row in found["pieces"]]):
        for metric in METRICS:
            text = row[metric.first]
            for group in filter(None, [_farthest(text, metric.name, GROUP_BOARDS).get(metric.name)]):
                own |= {metric.most: group.most}
                own |= {"solutions": sum(group.ways(read(text)).values())} if metric.name == "step" else {}
    return known


def _of_listed(listed: Sequence[Row], steps: int, least: int) -> Row:
    """Columns of a set of pieces that follow from its listed starts, which ascend: those of most steps are listed."""
    most = max((row["steps"] for row in listed), default=steps)
    far = [row for row in listed if row["steps"] == most]
    known = {"steps": most, "starts": len(far)} if most >= least else {}
    return known | ({"start": far[0]["text"], "solutions": far[0]["solutions"]} if far else {})


def _farthest(text: str, metric: str, most: int) -> Groups:
    """The group of a start that is said to take the most moves of it; {} where that has too many boards."""
    start, groups = read(text), groups_of(read(text), most)
    if groups and start not in groups[metric].farthest:
        takes = groups[metric].left.get(start)
        raise RowFaultError(f"{text}: {takes} moves of the metric {metric}, and others of its group take more")
    return groups


def _require_all_groups(board: Board, hardest: Sequence[Row], levels: Sequence[Row]) -> None:
    """RowFaultError where each group has not as many starts as its rows say, or the levels count others."""
    found, expected = defaultdict[int, Fraction](Fraction), Counter[int]()
    for (steps, starts), rows in Counter((row["steps"], row["starts"]) for row in hardest).items():
        found[steps] += Fraction(rows, starts or 1)
    for row in levels:
        if row["metric"] == "step" and row["moves"] >= LISTED_FROM[board.n]:
            expected[row["moves"]] += row["groups"]
    for steps in sorted({*found, *expected}):
        if found[steps] != expected[steps]:
            groups = f"{expected[steps]:,} groups take {steps} steps at most"
            raise RowFaultError(f"hardest {board.name}: {groups}, and the listed starts are those of others")


def _label_again(board: Board, side: str, label: int, boards: int) -> Row:
    """The figures of a label; ValueError where it has more than so many boards."""
    lines, n = lines_of(board), board.n
    own, others = (lines[:n], lines[n:]) if side == "rows" else (lines[n:], lines[:n])
    chosen: list[rules.Line] = [
        {kind: line[kind]} for line, kind in zip(own, next(islice(product(*own), label, None)), strict=True)
    ]
    least = prod(len(ways) for line in chosen for ways in line.values()) + (side == "columns")
    most = [max(map(len, line.values())) for line in others]

    def fits(begun: tuple[Kind, ...]) -> bool:
        """The other side can still have as many arrangements as classes of this side's labels have."""
        ways = [len(line[kind]) for line, kind in zip(others, begun[n:], strict=False)]
        return prod(ways) * prod(most[len(ways) :]) >= least

    found = classes([*chosen, *others], fits, boards).items()
    in_order = {one if side == "rows" else (*one[n:], *one[:n]): boards for one, boards in found}
    return {"side": side, "label": label} | _survey(board, in_order)[2].get((side, label), FIGURES.total([]))


@each_case
def check_boards(config: RushHourConfig, inputs: Inputs, draw: Draw) -> Faults:
    """Boards by pieces, and goals, by a transfer over cells with random weights."""
    random, places = draw.generator(), [*product(("down", "across", "before", "after"), (2, 3))]
    pieces, every_level = (inputs.table(table).to_pylist() for table in ("pieces", "levels"))
    for board in config.all_boards:
        weights = {place: int(random.integers(1, PRIME)) for place in places}
        rows, levels = ([row for row in some if row["board"] == board.name] for some in (pieces, every_level))
        total = sum(row["boards"] * _weight(row, weights) for row in rows) % PRIME
        wrong = f"{board.name}: the boards of the sets of pieces are not those that a transfer counts"
        yield "" if total == rules.count_boards(board, weights, PRIME) else wrong
        goals = rules.count_boards(board, {}, PRIME, goals=True)
        for metric in METRICS:
            at_goal = sum(row["boards"] for row in levels if row["metric"] == metric.name and not row["moves"])
            wrong = f"{board.name}: {goals:,} boards are goals, levels of {metric.name} have {at_goal:,}"
            yield "" if at_goal == goals else wrong


def _weight(row: Row, weights: Mapping[tuple[str, int], int]) -> int:
    (before, _, after), found = row["red_row"].partition("A"), 1
    for name, length in (("cars", 2), ("trucks", 3)):
        numbers = {"before": before.count(str(length)), "after": after.count(str(length)), "down": row[f"{name}_down"]}
        numbers["across"] = row[f"{name}_across"] - numbers["before"] - numbers["after"] - (length == 2)
        for where, number in numbers.items():
            found = found * pow(weights[where, length], number, PRIME) % PRIME
    return found
