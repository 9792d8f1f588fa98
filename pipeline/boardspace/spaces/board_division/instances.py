"""Instances of dividing a chessboard: covers by L-trominoes, and rectangles of pegs reduced to one or two."""

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np

from boardspace.instances.jumps import game
from boardspace.instances.source import Batch, Instance, Request, Source, one_by_one
from boardspace.spaces.board_division.answers import cover, rectangle, replayed
from boardspace.spaces.board_division.texts import LETTERS, board_lines
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.board_division.cover_counts import count_covers, special_cells

COVERS, RECTANGLES = "covers", "rectangles"
COVER_K = (2, 3, 4, 5)
COUNTED_K = 3
"""Boards whose covers are counted on demand."""
LONGEST_SIDE = 24
ARMS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def batches(request: Request) -> Iterator[Batch]:
    """One batch of covers for each k, and one of rectangles."""
    for name in request.parts:
        if name == COVERS:
            yield from (_covers(k) for k in COVER_K)
        elif name == RECTANGLES:
            yield _rectangles()
        else:
            raise BoardspaceError(f"--of {name}: write {COVERS} or {RECTANGLES}")


def _covers(k: int) -> Batch:
    holes = special_cells(1 << k)
    return Batch(
        name=f"cover-{1 << k}",
        family=COVERS,
        key=np.arange(len(holes), dtype=np.uint64),
        group=np.array([_quarter(int(row), int(column)) for row, column in holes], dtype=np.uint64),
        difficulty=np.full(len(holes), 1 << 2 * k, dtype=np.int64),
        make=one_by_one(partial(_cover, k)),
        show=lambda key: f"{holes[key][0] + 1}-{holes[key][1] + 1}",
        measure="cells to cover",
    )


def _quarter(row: int, column: int) -> int:
    """The place that the cell has in the board of 4 x 4 cells which halving leads to, up to symmetry: corner, edge,
    middle."""
    return sum(1 <= place % 4 <= 2 for place in (row, column))


def _cover(k: int, key: int) -> Instance:
    row, column = (int(place) + 1 for place in special_cells(1 << k)[key])
    found = cover(k, row, column)
    return Instance(
        puzzle={"kind": "cover", "side": 1 << k, "hole": [row, column]},
        least=found.trominoes,
        solutions=_counted(k)[key] if k <= COUNTED_K else None,
        answer=tuple(board_lines(found.board)),
        difficulty=1 << 2 * k,
    )


@lru_cache(maxsize=4)
def _counted(k: int) -> list[int]:
    return count_covers(1 << k)


def _rectangles() -> Batch:
    sides = [(m, n) for m in range(1, LONGEST_SIDE + 1) for n in range(max(2, m), LONGEST_SIDE + 1)]
    return Batch(
        name="rectangle",
        family=RECTANGLES,
        key=np.array([m << 8 | n for m, n in sides], dtype=np.uint64),
        group=np.array([_rests(m, n) for m, n in sides], dtype=np.uint64),
        difficulty=np.array([m * n for m, n in sides], dtype=np.int64),
        make=one_by_one(_reduction),
        show=lambda key: f"{key >> 8}x{key & 255}",
        measure="cells of pegs",
    )


def _rests(m: int, n: int) -> int:
    """The sides modulo 3, the lesser first: three rows or columns at a time can be taken away."""
    less, more = sorted((m % 3, n % 3))
    return 3 * less + more


def _reduction(key: int) -> Instance:
    m, n = key >> 8, key & 255
    found = rectangle(m, n)
    jumps = found.jumps()
    if len(replayed(m, n, jumps)) != found.fewest:
        raise ArithmeticError(f"{m} x {n}: the jumps leave not {found.fewest} pegs")
    lines = zip(jumps.rows.tolist(), jumps.columns.tolist(), jumps.directions.tolist(), strict=True)
    return Instance(
        puzzle={"kind": "reduce", "rows": m, "columns": n},
        least=found.fewest,
        solutions=None,
        answer=tuple(f"{row + 1} {column + 1} {LETTERS[direction]}" for row, column, direction in lines),
        difficulty=m * n,
    )


def minizinc(name: str, puzzle: Mapping[str, Any], least: int | None) -> dict[str, str]:
    """A model of the puzzle: a cover, or a game that leaves the fewest pegs."""
    text = _cover_model(puzzle) if puzzle["kind"] == "cover" else _reduce_model(puzzle, least)
    return {f"{name}.mzn": f"% {name}: the least number of {_LEAST[puzzle['kind']]} is {least}\n{text}"}


_LEAST = {"cover": "trominoes", "reduce": "pegs left"}


def _cover_model(puzzle: Mapping[str, Any]) -> str:
    """Each cell says the missing cell of the 2 x 2 square that its tromino lies in, and where that square is."""
    return COVER_MODEL.format(side=puzzle["side"], row=puzzle["hole"][0], column=puzzle["hole"][1])


COVER_MODEL = """int: N = {side};
% tromino[r, c, d]: the 2 x 2 square with the upper left corner (r, c) holds one, all but its cell d in reading order
array [1..N - 1, 1..N - 1, 1..4] of var bool: tromino;
constraint forall (r, c in 1..N) (
  sum (down, right in 0..1, d in 1..4
    where d != 2 * down + right + 1 /\\ r - down in 1..N - 1 /\\ c - right in 1..N - 1)
    (bool2int(tromino[r - down, c - right, d])) = bool2int(not (r = {row} /\\ c = {column})));
solve satisfy;
output [show([r, c, d]) ++ "\\n" | r, c in 1..N - 1, d in 1..4 where fix(tromino[r, c, d])];
"""


def _reduce_model(puzzle: Mapping[str, Any], least: int | None) -> str:
    """A game of as many jumps as leave the least, on the rectangle with two rows and columns around it: a peg that
    jumps onto the unbounded board beyond them is not needed by the games that the space publishes."""
    m, n = puzzle["rows"], puzzle["columns"]
    around = 2
    cells = [(row, column) for row in range(1 - around, m + around + 1) for column in range(1 - around, n + around + 1)]
    number = {cell: place for place, cell in enumerate(cells, 1)}
    jumps = [
        [number[row + i * down, column + i * right] for i in range(3)]
        for row, column in cells
        for down, right in ARMS
        if (row + 2 * down, column + 2 * right) in number
    ]
    pegs = ", ".join("true" if 1 <= row <= m and 1 <= column <= n else "false" for row, column in cells)
    return (
        game(jumps, len(cells), str(m * n - least))
        + f"constraint forall (h in HOLE) (peg[0, h] = [{pegs}][h]);\nsolve satisfy;\n"
        + f"array [HOLE] of int: row = [{', '.join(str(row) for row, _ in cells)}];\n"
        + f"array [HOLE] of int: column = [{', '.join(str(column) for _, column in cells)}];\n"
        + REDUCE_OUTPUT
    )


REDUCE_OUTPUT = """output [let { int: from = begin[fix(jump[t])]; int: to = end[fix(jump[t])]; } in
  show(row[from]) ++ " " ++ show(column[from]) ++ " " ++ if row[to] < row[from] then "U" elseif row[to] > row[from]
  then "D" elseif column[to] > column[from] then "R" else "L" endif ++ "\\n" | t in 1..JUMPS];
"""

SOURCE = Source(
    title="Cover a board of 2^k x 2^k cells less one by L-trominoes; or jump, on a board without end, until the fewest "
    "pegs of a full rectangle are left.",
    part="problem",
    usual=(COVERS, RECTANGLES),
    strata=("cells",),
    grouped="A group is all covers that halving leads to one place of the 4 x 4 board, or all rectangles whose sides "
    "leave the same rests modulo 3.",
    batches=batches,
    formats={"minizinc": minizinc},
    kinds=("cover", "reduce"),
)
