"""Parities that no jump changes.

A jump flips its three holes, so it adds the mask of these holes to the position, over GF(2). A set of holes that meets
every jump in an even number of holes therefore holds an even number of pegs for ever, or an odd one. These sets are a
vector space, of dimension n - rank(jumps). Two positions have the same parities if and only if they differ by a sum of
jumps; they are then said to be of the same class. On boards like the English one the dimension is 4, which gives the 16
classes of Reiss (Beitraege zur Theorie des Solitaer-Spiels, J. reine angew. Math. 54, 1857); over GF(4) they are the
values of two sums of powers of a cube root of one along the two diagonals. Nothing of that has to be known here:
elimination finds the parities of any board, whatever its lattice.

To be of the same class is necessary for a solution, not sufficient.
"""

from collections.abc import Iterable, Sequence

from boardspace_kernels.solitaire.board import Board

Word = int


def board_invariants(board: Board) -> list[Word]:
    """A basis of the sets of holes that meet every jump of a board evenly; the board has 2 to its length classes."""
    return invariants(board.holes, (1 << a | 1 << b | 1 << c for a, b, c in board.jumps.tolist()))


def are_same_class(board: Board, one: int, other: int) -> bool:
    """Return whether two positions of a board have the same parities."""
    differing = board.check(one) ^ board.check(other)
    return all(parity(row & differing) == 0 for row in board_invariants(board))


def invariants(holes: int, jumps: Iterable[Word]) -> list[Word]:
    """A basis of the words with an even number of bits in common with every jump, each a set of holes."""
    pivots: dict[int, Word] = {}
    for jump in jumps:
        for hole, row in pivots.items():
            if jump >> hole & 1:
                jump ^= row
        if jump:
            hole = jump.bit_length() - 1
            pivots = {h: row ^ jump if row >> hole & 1 else row for h, row in pivots.items()} | {hole: jump}
    others = [hole for hole in range(holes) if hole not in pivots]
    return [1 << free | sum(1 << h for h, row in pivots.items() if row >> free & 1) for free in others]


def solve_for(rows: Sequence[Word], holes: Iterable[int]) -> tuple[dict[int, Word], list[Word]]:
    """Solve the equations for as many of the holes as can be.

    Returns for each hole solved for its row, the only one that has it; and the rows that are left, which have none of
    ``holes``.
    """
    solved: dict[int, Word] = {}
    left = list(rows)
    for hole in holes:
        row = next((row for row in left if row >> hole & 1), None)
        if row is None:
            continue
        left = [other ^ row if other >> hole & 1 else other for other in left if other != row]
        solved = {h: other ^ row if other >> hole & 1 else other for h, other in solved.items()} | {hole: row}
    return solved, left


def parity(word: Word) -> int:
    """Return whether a word has an odd number of bits."""
    return word.bit_count() & 1
