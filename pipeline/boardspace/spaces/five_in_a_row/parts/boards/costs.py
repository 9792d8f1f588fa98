"""About how long boards take, for plans and for the order of shards."""

from boardspace.spaces.five_in_a_row.config import SizedBoard

HARD = {
    2: (18, 0.25, 1.5),
    3: (14, 1.2, 1.6),
    4: (12, 40.0, 8.0),
    6: (12, 6.0, 8.0),
    8: (12, 2.0, 3.5),
    9: (13, 110.0, 5.0),
    10: (12, 0.6, 5.0),
    11: (12, 1.0, 5.0),
    12: (13, 4.0, 10.0),
    13: (14, 11.0, 4.0),
}
"""By k: a number of columns, about how many seconds such a board takes, and by how much each column more multiplies
it. A column less divides by more: most small boards have bounds that are exact, and their searches end at once."""
OTHER = (25, 0.05, 1.1)
"""The same of every other k."""
IN_PARTS = {4: (12, 20.0, 3.5), 6: (13, 38.0, 2.0), 8: (13, 4.0, 3.5), 9: (13, 110.0, 5.0)}
"""As HARD, of boards that are searched in parts; fitted to all of the config `full`, but for boards of 14 columns with
k = 9, and more, which nobody ran."""
SECONDS_PER_CONFLICT = 4e-5
"""Of the solver that refutes one stone less, for each conflict that it may have; many boards need fewer."""


def seconds(board: SizedBoard) -> float:
    """About how long a board takes, on one core."""
    columns, base, growth = HARD.get(board.k, OTHER)
    more = board.columns - columns
    return 0.004 + 1.2e-5 * board.rows * board.columns + base * growth ** (more if more > 0 else 1.6 * more)


def seconds_in_parts(board: SizedBoard) -> float:
    """About how long all parts of a board take together, on one core."""
    columns, base, growth = IN_PARTS.get(board.k) or HARD.get(board.k, OTHER)
    return base * float(growth) ** (board.columns - columns)
