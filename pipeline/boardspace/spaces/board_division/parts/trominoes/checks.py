"""What ``boardspace verify`` re-derives of trominoes: a seeded sample, by the plain rules."""

import numpy as np

from boardspace.spaces.board_division import rules
from boardspace.spaces.board_division.checking import SAMPLE, Faults, unless
from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.trominoes.large import array_path
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

COUNTED_SIDE = 8


def check_special_covers(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Some boards of every size."""
    return outcome(_special_covers(config, inputs, draw.generator()))


def check_large_covers(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Some cells of every large board."""
    return outcome(_large_covers(config, inputs, draw.generator()))


def check_cover_counts(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every board against its quarter turns; some small ones counted."""
    return outcome(_cover_counts(config, inputs, draw.generator()))


def _special_covers(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    for k in range(config.special_boards + 1):
        array, side = inputs.array(f"covers/{k}"), 2**k
        for special in random.choice(4**k, min(4**k, SAMPLE), replace=False).tolist():
            cell, board = divmod(special, side), array[special].tolist()
            row, column = random.integers(0, side, 2).tolist()
            right = rules.is_cover(board, cell) and board[row][column] == rules.lay(k, cell, (row, column))
            yield unless(right, f"k = {k}: board {special} is not the recursion's cover")


def _large_covers(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    for board in config.large_boards:
        array, special = inputs.array(array_path(board)), (board.row - 1, board.column - 1)
        for row, column in random.integers(0, 2**board.k, (SAMPLE, 2)).tolist():
            found, laid = int(array[row, column]), rules.lay(board.k, special, (row, column))
            yield unless(found == laid, f"{array_path(board)}[{row}, {column}] is {found}, the recursion lays {laid}")


def _cover_counts(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    table = inputs.read("cover_counts", "cover_counts").to_pylist()
    counts = {(row["side"], row["row"], row["column"]): int(row["covers"]) for row in table}
    for (side, row, column), count in counts.items():
        turned = counts[side, column, side + 1 - row]
        yield unless(count == turned, f"side {side}: ({row}, {column}) has {count} covers, a quarter turn on {turned}")
    small = [key for key in counts if key[0] <= COUNTED_SIDE]
    for chosen in random.choice(len(small), min(len(small), SAMPLE), replace=False).tolist():
        side, row, column = small[chosen]
        found, expected = counts[small[chosen]], rules.count_covers(side, (row - 1, column - 1))
        yield unless(found == expected, f"side {side}: ({row}, {column}) has {expected} covers, not {found}")
