"""The question "do so few stones block the board?" as a formula for SAT solvers, in the format of DIMACS, and for
pseudo-Boolean solvers, in the format OPB, with the proof for VeriPB that they do not.

DIMACS. Variables 1 to n are the board's cells, in C order: true for a stone. A line is a clause: one of its cells has a
stone. At most ``stones`` of the cells are true by a sequential counter (Sinz 2005): variable s(i, j) says that of the
first i cells at least j have stones; it follows from s(i - 1, j), and from s(i - 1, j - 1) with a stone on cell i, and
where j would be ``stones`` + 1 that stone is forbidden. Where the formula cannot be satisfied, a solver that writes a
proof (DRUP or DRAT) and a checker that knows nothing of either, such as :mod:`.refutation`, prove that X is larger.
Size: n * stones variables more, and twice as many clauses.

OPB has linear inequalities over variables that are 0 or 1. Here x1 to xn are the board's cells, in C order, 1 for a
stone; every line holds a stone, and at most so many cells do. Inequalities are numbered from 1, lines first.

The proof is a file for VeriPB (Gocht and Nordstrom 2021), the checker of pseudo-Boolean solvers' proofs; CakePB, its
verified relative, reads the same. It needs one rule, ``pol``: a sum, product or rounding of inequalities by their
numbers, in reverse Polish notation, gets the next number. ``del`` says which are not needed any more. What is derived,
and why that is right, stands in :mod:`.completions`; :mod:`.cutting_planes` checks such proofs.
"""

from collections.abc import Iterator

from boardspace_kernels.five_in_a_row.board import Board, BoardError
from boardspace_kernels.five_in_a_row.completions import NOTHING, Branch, Derivation, Step, Sum, uses

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


_CONCLUSION = ("output NONE", "conclusion UNSAT : {}", "end pseudo-Boolean proof")
FORMATS = {"3.0": (" ;", _CONCLUSION), "2.0": ("", _CONCLUSION), "1.1": ("", ("c {}",))}
"""By version of the proof format, the end of every line, and the last lines, with the number of a contradiction."""

DELETED_AT_ONCE = 100


def opb(board: Board, stones: int) -> Iterator[str]:
    """The inequalities that only placements of at most so many stones satisfy, line by line.

    Raises:
        BoardError: fewer than 0 stones.
    """
    if stones < 0:
        raise BoardError(f"{board}: inequalities are for 0 stones or more, not {stones}")
    yield f"* #variable= {board.cells} #constraint= {len(board.lines) + 1}"
    yield f"* {board}: satisfied by the placements of at most {stones} stones that leave no line free"
    yield f"* x1 to x{board.cells} are the cells, row by row: 1 for a stone"
    for line in board.lines.tolist():
        yield " ".join(f"+1 x{cell + 1}" for cell in line) + " >= 1 ;"
    yield " ".join(f"-1 x{cell}" for cell in range(1, board.cells + 1)) + f" >= {-stones} ;"


def proof_lines(derivation: Derivation, version: str) -> Iterator[str]:
    """The proof that belongs to :func:`opb`, line by line; ``version`` is one of FORMATS."""
    given = len(derivation.board.lines) + 1
    yield f"pseudo-Boolean proof version {version}"
    end, conclusion = FORMATS[version]
    yield f"f {given}{end}"
    spent: list[int] = []
    for number, step in enumerate(derivation.steps):
        if step is None:
            continue
        yield f"pol {_polish(step, given)}{end}"
        spent += (given + used for used in {*uses(step)} - {NOTHING} if derivation.last_use[used] == number)
        if len(spent) >= DELETED_AT_ONCE:
            yield f"del id {' '.join(map(str, spent))}{end}"
            spent.clear()
    # The last inequality that was given allows at most so many stones, and the root's bound asks for more.
    yield f"pol {given} {given + derivation.root} +{end}"
    # Steps have the numbers from ``given`` + 1 on, and step 0 is none, so this sum comes right after them.
    contradiction = given + len(derivation.steps)
    yield from (f"{line.format(contradiction)}{end}" for line in conclusion)


def _polish(step: Step, given: int) -> str:
    """A step in reverse Polish notation; bound b has the number ``given`` + b, line l the number l + 1."""
    match step:
        case Branch(free, stone, factors):
            return _rounded(given + free, given + stone if stone else 0, factors)
        case Sum(lines, bounds, divisor):
            terms = [(line + 1, weight) for line, weight in lines]
            terms += [(given + bound, factor) for bound, factor in bounds]
            words = [f"{number} {factor} *" if factor > 1 else f"{number}" for number, factor in terms]
            total = " ".join([words[0], *(f"{word} +" for word in words[1:])])
            return f"{total} {divisor} d s" if divisor > 1 else total


def _rounded(free: int, stone: int, factors: tuple[int, ...]) -> str:
    """C <- (free + q C) / (q + 1), upwards, for each factor q; C is ``stone`` first, where that is 0 the inequality
    0 >= 0."""
    words = f"{stone}" if stone else ""
    for q in factors:
        if words and q:
            times = f"{words} {q} *" if q > 1 else words
            words = f"{times} {free} + {q + 1} d"
        else:
            # With q = 0 the C before has no part in the new one, and where it is 0 >= 0 it adds nothing to ``free``.
            words = f"{free} {q + 1} d" if q else f"{free}"
    return words
