"""Boards with cars of one cell made again in plain Python, which shares nothing with the kernels.

A board is a text of n^2 signs, row by row: a dot is a void, - a car that moves along its row, | one along its column.
Here each class is searched by itself, and each row's exit: nothing is concluded from symmetries but which classes are
listed together.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product
from math import comb

import numpy as np

from boardspace.spaces.rush_hour.columns import METRICS
from boardspace.spaces.rush_hour.config import RushHourConfig
from boardspace.spaces.rush_hour.parts.unit.part import FIGURES
from boardspace.spec.equations import Making, RowFaultError
from boardspace.spec.figures import Row
from boardspace.spec.second_rules import Group, distances_to, group_of, nearest_first

MADE_SIDE = 3
"""Cells of a side up to which all boards are made again."""
LABELS, LABEL_BOARDS = 20, 2000
"""Labels that are drawn, and boards that one of them may have."""
STARTS, GROUP_BOARDS = 20, 3000
"""Starts that are drawn, and boards that are looked at to solve one."""
TABLES, LONGEST = ("unit_squares", "unit_labels"), 50
"""Signs of a start that a fault holds."""
Numbers = tuple[int, ...]
Class = tuple[Numbers, Numbers]
"""The numbers of cars along rows, and of those along columns."""


def seconds_of(config: RushHourConfig) -> Mapping[str, float]:
    """Seconds that all boards take to be made again."""
    small = all(n <= MADE_SIDE for n, _ in config.unit_squares)
    return {"": 0.2 * len(config.unit_squares) if small else float("inf")}


def make(config: RushHourConfig, name: str, at: Making) -> Mapping[str, Sequence[Row]]:
    """All rows of small squares; of larger ones the boards, what drawn labels tell, and that drawn starts take as many
    moves as they say."""
    sides = MADE_SIDE if not at.whole else max((n for n, _ in config.unit_squares), default=0)
    squares, labels = list[Row](), dict[tuple[int, int, int, int], Row]()
    for n, voids in config.unit_squares:
        made = _labels(n, voids) if n <= sides else {}
        for exit_row in range((n + 1) // 2):
            key = {"n": n, "voids": voids, "exit_row": exit_row}
            for label, found in made.items():
                labels[n, voids, exit_row, label] = key | {"label": label} | _summed(found[exit_row])
            every = [row for found in made.values() for row in found[exit_row]]
            known = _summed(every) if made else {"boards": comb(n * n, voids) << n * n - voids}
            squares.append(key | known)
    asked = {(n, voids) for n, voids in config.unit_squares if n > sides}
    rows_of = {name: [row for row in at.rows(name) if (row["n"], row["voids"]) in asked] for name in TABLES}
    random, large = at.draw.generator(), rows_of["unit_labels"]
    for row in large:
        labels[_key(row)] = {}
    drawn = [row for row in large if row["boards"] <= LABEL_BOARDS]
    for place in at.draw.choose(len(drawn), LABELS, random):
        n, voids, exit_row, label = _key(drawn[place])
        boards = drawn[place]["boards"]
        some = _classes_of(n, voids, label, boards)
        labels[n, voids, exit_row, label] = _summed(_of_label(n, some, boards)[exit_row])
    _require_starts(rows_of["unit_squares"], at, random)
    return {"unit_squares": squares, "unit_labels": [labels[key] for key in sorted(labels)]}


def _key(row: Row) -> tuple[int, int, int, int]:
    return row["n"], row["voids"], row["exit_row"], row["label"]


def _summed(rows: Sequence[Row]) -> Row:
    """The figures of some classes together."""
    found = FIGURES.total(rows)
    del found["solutions"]
    return found


def _require_starts(rows: Sequence[Row], at: Making, random: np.random.Generator) -> None:
    """RowFaultError where a drawn start does not take the moves of its row."""
    for place in at.draw.choose(len(rows), STARTS, random):
        row = rows[place]
        for metric in METRICS:
            start, most = row[metric.first], row[metric.most]
            if len(start) != row["n"] ** 2:
                raise RowFaultError(f"unit_squares: {start[:LONGEST]} is no board of {row['n']} x {row['n']} cells")
            found = moves_of(row["n"], start, row["exit_row"], metric.name)
            if found is not None and found != most:
                raise RowFaultError(f"unit_squares: {start} takes {found} {metric.most}, not {most}")


def moves_of(n: int, board: str, exit_row: int, metric: str, most: int = GROUP_BOARDS) -> int | None:
    """Fewest moves of a board to the exit; None where so many boards are looked at before."""

    def beside(one: str) -> Iterator[str]:
        """Yield the boards one move of the metric away."""
        return (there for name, there in moves_from(n, one).items() if metric == "step" or is_unit(name))

    for number, (one, moves) in enumerate(nearest_first([board], beside)):
        if one[n * exit_row] == "-":
            return moves
        if number == most:
            return None
    raise RowFaultError(f"unit_squares: {board} cannot be solved from row {exit_row}")


def moves_from(n: int, board: str) -> dict[str, str]:
    """The boards after each move, by its name: how far, and the cells where it begins and ends."""
    found = {}
    for cell, sign in enumerate(board):
        if sign == ".":
            continue
        line = [n * (cell // n) + i if sign == "-" else n * i + cell % n for i in range(n)]
        at = line.index(cell)
        for way in (line[at + 1 :], line[:at][::-1]):
            for far, there in enumerate(way, 1):
                if board[there] != ".":
                    break
                moved = list(board)
                moved[cell], moved[there] = ".", sign
                found[f"{far} {cell} {there}"] = "".join(moved)
    return found


def is_unit(name: str) -> bool:
    """True for a move by one cell, by its name."""
    return name.startswith("1 ")


def _images(n: int, one: Class) -> set[Class]:
    """The classes that symmetries of the square make of one."""
    rows, columns = one
    turned = product((rows, rows[::-1]), (columns, columns[::-1]))
    return {pair for a, b in turned for pair in ((a, b), (b, a))}


@lru_cache(64)
def _boards(n: int, one: Class, most: int = 1 << 62) -> tuple[str, ...]:
    """The boards of a class; RowFaultError where they are more than ``most``."""
    found = list[str]()

    def lay(board: str, across: int, down: Numbers) -> None:
        """Lay the rest of the cells: so many cars are left in this row, and in each column."""
        row, column = divmod(len(board), n)
        if across and column == 0:
            return
        if len(board) == n * n:
            if not any(down):
                found.append(board)
            if len(found) > most:
                raise RowFaultError(f"unit_labels: {one} has more boards than its label")
            return
        across = one[0][row] if column == 0 else across
        if across > n - column or down[column] > n - row:
            return
        lay(board + ".", across, down)
        if across:
            lay(board + "-", across - 1, down)
        if down[column]:
            lay(board + "|", across, (*down[:column], down[column] - 1, *down[column + 1 :]))

    lay("", 0, one[1])
    return tuple(found)


def _classes_of(n: int, voids: int, label: int, most: int = 1 << 62) -> list[Class]:
    """The classes that are listed under a label; RowFaultError where one has more than so many boards."""
    rows = tuple(label // (n + 1) ** (n - 1 - place) % (n + 1) for place in range(n))
    every = ((rows, columns) for columns in product(range(n + 1), repeat=n))
    cars = n * n - voids - sum(rows)
    return [one for one in every if sum(one[1]) == cars and one == min(_images(n, one)) and _boards(n, one, most)]


def _labels(n: int, voids: int) -> dict[int, list[list[Row]]]:
    """The figures of all classes of a square, by labels."""
    every = {label: _classes_of(n, voids, label) for label in range((n + 1) ** n)}
    return {label: _of_label(n, classes) for label, classes in every.items() if classes}


def _of_label(n: int, classes: Sequence[Class], most: int = 1 << 62) -> list[list[Row]]:
    """The figures of some classes and their images, by the row of the exit; RowFaultError where one has more than so
    many boards."""
    images = [image for one in classes for image in _images(n, one)]
    return [[*chain(*rows)] for rows in zip(*(_of_class(n, _boards(n, image, most)) for image in images), strict=True)]


def _of_class(n: int, boards: Sequence[str]) -> list[list[Row]]:
    """The figures of a class and of its groups, by the row of the exit."""
    moves = {one: moves_from(n, one) for one in boards}
    found: list[list[Row]] = [[{"classes": 1, "boards": len(boards)}] for _ in range((n + 1) // 2)]
    while moves:
        joined = group_of(next(iter(moves)), moves.pop)
        assert joined is not None, "there is no limit"
        for exit_row, rows in enumerate(found):
            goals = (one for one in joined if one[n * exit_row] == "-")
            group = Group(joined, distances_to(goals, joined))
            rows.append(FIGURES.of_group({"step": group, "unit_move": group.by(is_unit)}, _in_order))
    return found


def _in_order(board: str) -> tuple[int, str]:
    return int(board.translate(str.maketrans(".-|", "012"))), board
