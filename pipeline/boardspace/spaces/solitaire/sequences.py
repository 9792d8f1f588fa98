"""Sequences of peg solitaire: games and positions of triangular boards whose corner is vacant at first."""

from functools import lru_cache

from boardspace.oeis.sequence import Sequence, program
from boardspace.spaces.solitaire.board_files import BoardText
from boardspace.spaces.solitaire.boards import build_board
from boardspace_kernels.solitaire.games import first_ways, jump
from boardspace_kernels.solitaire.tables import forward_tables

BOARD = "on the triangular board with n holes a side, the corner vacant at first"
HOW = "Counted level by level, from the positions with one peg more."


@lru_cache(maxsize=16)
def games_and_positions(n: int) -> tuple[int, int]:
    """Games from the triangle of n holes a side with a vacant corner until no jump is possible, and positions met."""
    if n <= 2:
        return 1, 1  # no three holes are in line: nothing can be played
    rows = (range(row * (row - 1) // 2 + 1, row * (row + 1) // 2 + 1) for row in range(1, n + 1))
    picture = "\n".join(" ".join([*map(str, row), *["."] * (n - len(row))]) for row in rows)
    board = build_board(f"triangle-{n}", BoardText(grid="triangular", picture=picture))
    tables = forward_tables(board, board.symmetries[:1])
    level, games, positions = first_ways(board.full ^ 1), 0, 0
    while len(level.positions):
        positions += len(level.positions)
        jumps = jump(tables, level)
        games += level.total(jumps.choices == 0)
        level = jumps.ways
    return games, positions


def _sequence(name: str, title: str, which: int) -> Sequence:
    return Sequence(
        name=name,
        title=title,
        offset=1,
        term=lambda n, data: games_and_positions(n)[which],
        usual=6,
        known=None,
        keywords=("nonn", "more", "hard"),
        program=program(__package__, "triangle", f"def a(n): return play(n)[{which}]"),
        program_last=5,
        how=HOW,
    )


SEQUENCES = (
    _sequence("games-triangle", f"Number of games of peg solitaire {BOARD}, played until no jump is possible.", 0),
    _sequence("positions-triangle", f"Number of positions that peg solitaire can reach {BOARD}.", 1),
)
