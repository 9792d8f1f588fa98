"""The question "do so few stones block the board?" as a formula for SAT solvers, in the format of DIMACS.

Variables 1 to n are the board's cells, in C order: true for a stone. A line is a clause: one of its cells has a stone.
At most ``stones`` of the cells are true by a sequential counter (Sinz 2005): variable s(i, j) says that of the first i
cells at least j have stones; it follows from s(i - 1, j), and from s(i - 1, j - 1) with a stone on cell i, and where j
would be ``stones`` + 1 that stone is forbidden. Where the formula cannot be satisfied, a solver that writes a proof
(DRUP or DRAT) and a checker that knows nothing of either, such as :mod:`.refutation`, prove that X is larger.

Size: n * stones variables more, and twice as many clauses.
"""

from collections.abc import Iterator

from boardspace_kernels.five_in_a_row.board import Board, BoardError

Clause = tuple[int, ...]


def clauses(board: Board, stones: int) -> list[Clause]:
    """The clauses, literals from 1; satisfied exactly by the placements that block with at most so many stones.

    Raises:
        BoardError: fewer than 0 stones.
    """
    if stones < 0:
        raise BoardError(f"{board}: a formula is for 0 stones or more, not {stones}")
    return [*(tuple(cell + 1 for cell in line) for line in board.lines.tolist()), *_at_most(stones, board.cells)]


def variables(board: Board, stones: int) -> int:
    """Number of variables of the formula."""
    return board.cells * (stones + 1) if stones < board.cells else board.cells


def dimacs(board: Board, stones: int) -> Iterator[str]:
    """The formula, line by line, with what it says as comments."""
    found = clauses(board, stones)
    yield f"c {board}: satisfied by the placements of at most {stones} stones that leave no line free"
    yield f"c variables 1 to {board.cells} are the cells, row by row: true for a stone"
    yield f"p cnf {variables(board, stones)} {len(found)}"
    for clause in found:
        yield " ".join(map(str, (*clause, 0)))


def _at_most(most: int, cells: int) -> Iterator[Clause]:
    """At most ``most`` of the variables 1 to ``cells``."""
    if most >= cells:
        return
    for cell in range(1, cells + 1):
        for count in range(1, most + 1):
            reached = _counter(cell, count, most, cells)
            if cell > 1:
                yield -_counter(cell - 1, count, most, cells), reached
            if count == 1:
                yield -cell, reached
            elif cell > 1:
                yield -cell, -_counter(cell - 1, count - 1, most, cells), reached
        if most == 0:
            yield (-cell,)
        elif cell > 1:
            yield -cell, -_counter(cell - 1, most, most, cells)


def _counter(cell: int, count: int, most: int, cells: int) -> int:
    """The variable that says that of the first ``cell`` cells at least ``count`` have stones."""
    return cells + (cell - 1) * most + count
