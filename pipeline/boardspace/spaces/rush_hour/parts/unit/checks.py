"""Boards with cars of one cell made again in plain Python, which shares nothing with the kernels.

A board is a text of n^2 signs, row by row: a dot is a void, - a car that moves along its row, | one along its column.
Here each class is searched by itself, and each row's exit: nothing is concluded from symmetries but which classes are
listed together.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, combinations, product, takewhile
from math import comb

from boardspace.spaces.rush_hour.columns import METRICS
from boardspace.spaces.rush_hour.config import RushHourConfig
from boardspace.spaces.rush_hour.parts.unit.part import FIGURES
from boardspace.spaces.rush_hour.rules import all_groups, is_unit
from boardspace.spec.equations import Making, RowFaultError
from boardspace.spec.figures import Row
from boardspace.spec.second_rules import nearest_first

MADE_SIDE = 3
"""Cells of a side up to which all boards are made again."""
LABELS, LABEL_BOARDS = 20, 2000
"""Labels that are drawn, and boards that one of them may have."""
STARTS, GROUP_BOARDS = 20, 3000
"""Starts that are drawn, and boards that are looked at to solve one."""
TABLES, LONGEST = ("unit_squares", "unit_labels"), 50
"""Signs of a start that a fault holds."""
KEY = ("n", "voids", "exit_row", "label")


def seconds_of(config: RushHourConfig) -> Mapping[str, float]:
    """Seconds that all boards take to be made again."""
    small = all(n <= MADE_SIDE for n, _ in config.unit_squares)
    return {"": 0.2 * len(config.unit_squares) if small else float("inf")}


def make(config: RushHourConfig, name: str, at: Making) -> Mapping[str, Sequence[Row]]:
    """All rows of small squares; of larger ones the boards, what drawn labels tell, and that drawn starts take as many
    moves as they say."""
    large = {square for square in config.unit_squares if square[0] > MADE_SIDE and not at.whole}
    squares, labels = ([row for row in at.rows(name) if (row["n"], row["voids"]) in large] for name in TABLES)
    random, few = at.draw.generator(), [row for row in labels if row["boards"] <= LABEL_BOARDS]
    drawn = [few[place] for place in at.draw.choose(len(few), LABELS, random)]
    _require_starts(squares, at.draw.choose(len(squares), STARTS, random))
    of_labels = {tuple(row[name] for name in KEY): Row() for row in labels}
    for n, voids, exit_row, label, boards in [(*(row[name] for name in KEY), row["boards"]) for row in drawn]:
        of_labels[n, voids, exit_row, label] = _summed(_of_label(n, voids, label, boards)[exit_row])
    of_squares = list[Row]()
    for n, voids in config.unit_squares:
        made = {} if (n, voids) in large else {label: _of_label(n, voids, label) for label in range((n + 1) ** n)}
        for exit_row in range((n + 1) // 2):
            own = {label: found[exit_row] for label, found in made.items() if found[exit_row]}
            of_labels |= {(n, voids, exit_row, label): _summed(rows) for label, rows in own.items()}
            known = _summed([*chain(*own.values())]) if made else {"boards": comb(n * n, voids) << n * n - voids}
            of_squares.append({"n": n, "voids": voids, "exit_row": exit_row} | known)
    by_key = [dict(zip(KEY, key, strict=True)) | of_labels[key] for key in sorted(of_labels)]
    return {"unit_squares": of_squares, "unit_labels": by_key}


def _summed(rows: Sequence[Row]) -> Row:
    found = FIGURES.total(rows)
    del found["solutions"]
    return found


def _require_starts(rows: Sequence[Row], drawn: Sequence[int]) -> None:
    """RowFaultError where a start is no board of its row's square, or, of a drawn row, does not take its moves."""
    for row, metric in product(rows, METRICS):
        start, n, voids = row[metric.first], row["n"], row["voids"]
        if len(start) != n * n or not {*start} <= {*".-|"} or start.count(".") != voids:
            raise RowFaultError(
                f"unit_squares: {start[:LONGEST]} is no board of {n} x {n} cells, {voids} of them voids"
            )
    for row, metric in product([rows[place] for place in drawn], METRICS):
        start, most = row[metric.first], row[metric.most]
        found = moves_of(row["n"], start, row["exit_row"], metric.name)
        if found is not None and found != most:
            raise RowFaultError(f"unit_squares: {start} takes {found} {metric.most}, not {most}")


def moves_of(n: int, board: str, exit_row: int, metric: str) -> int | None:
    """Fewest moves of a board to the exit; None where so many boards are looked at before."""

    def beside(one: str) -> Iterator[str]:
        return (there for name, there in moves_from(n, one).items() if metric == "step" or is_unit(name))

    for number, (one, moves) in enumerate(nearest_first([board], beside)):
        if one[n * exit_row] == "-":
            return moves
        if number == GROUP_BOARDS:
            return None
    raise RowFaultError(f"unit_squares: {board} cannot be solved from row {exit_row}")


def moves_from(n: int, board: str) -> dict[str, str]:
    """The boards after each move, by its name: the cell of the car, and how far it goes, + is right or down."""
    found = {}
    for cell, sign in enumerate(board):
        if sign != ".":
            line = [n * (cell // n) + i if sign == "-" else n * i + cell % n for i in range(n)]
            at = line.index(cell)
            for way, cells in (("+", line[at + 1 :]), ("-", line[:at][::-1])):
                for far, there in enumerate(takewhile(lambda one: board[one] == ".", cells), 1):
                    moved = list(board)
                    moved[cell], moved[there] = ".", sign
                    found[f"{cell}{way}{far}"] = "".join(moved)
    return found


def _solved(n: int, exit_row: int, board: str) -> bool:
    """A car that moves along the exit's row is at its left end."""
    return board[n * exit_row] == "-"


def _of_label(n: int, voids: int, label: int, most: int = 1 << 62) -> list[list[Row]]:
    """By row of the exit the figures of all classes that are listed under a label, and of their groups; RowFaultError
    where a class has more than so many boards."""
    rows = tuple(label // (n + 1) ** (n - 1 - place) % (n + 1) for place in range(n))
    found: list[list[Row]] = [[] for _ in range((n + 1) // 2)]
    for columns in product(range(n + 1), repeat=n):
        turned = product((rows, rows[::-1]), (columns, columns[::-1]))
        images = {pair for a, b in turned for pair in ((a, b), (b, a))}
        if sum(rows) + sum(columns) == n * n - voids and (rows, columns) == min(images):
            for boards in filter(None, (_boards(n, image, most) for image in images)):
                for exit_row, figures in enumerate(found):
                    groups = all_groups(boards, (partial(moves_from, n), partial(_solved, n, exit_row)))
                    figures.append({"classes": 1, "boards": len(boards)})
                    figures += (FIGURES.of_group(group, _in_order) for group in groups)
    return found


def _boards(n: int, one: tuple[Sequence[int], Sequence[int]], most: int) -> list[str]:
    """The boards with so many cars along each row, and along each column; RowFaultError where they are more than
    ``most``."""
    found = list[str]()
    for across in product(*(combinations(range(n), number) for number in one[0])):
        free = [[n * row + column for row in range(n) if column not in across[row]] for column in range(n)]
        for down in product(*map(combinations, free, one[1])):
            signs = ["-"] * n * n
            for cells, standing in zip(free, down, strict=True):
                for cell in cells:
                    signs[cell] = "|" if cell in standing else "."
            found.append("".join(signs))
            if len(found) > most:
                raise RowFaultError(f"unit_labels: {one} has more boards than its label")
    return found


def _in_order(board: str) -> tuple[int, str]:
    return int(board.translate(str.maketrans(".-|", "012"))), board
