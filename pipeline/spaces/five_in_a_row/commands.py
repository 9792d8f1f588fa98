"""``boardspace five``: values, placements, checks, best cells and tables."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

import click

from pipeline.errors import BoardspaceError
from pipeline.spaces.five_in_a_row import texts

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FAULT_FOUND = 1
LISTED = 100_000
PRINTED_CELLS = 1_000_000

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
length = click.option("-k", "k", default=5, show_default=True, help="Length of the lines to block, 2 to 16.")


@click.group()
def five() -> None:
    """Fewest stones that leave no five (or k) cells in a row free on a board.

    \b
    boardspace five X 13 17            the fewest stones, the proof, the number of ways
    boardspace five place 6 7 --all    all ways to place them
    boardspace five check board.txt    does this board block? is it optimal?
    boardspace five cells 5            the best cells of the source, and its table
    boardspace five table              fewest stones for all small boards
    """


@dataclass(frozen=True)
class Answer:
    """What is known of a board: the fewest stones, how it is proved, and the placements, drawn when asked for."""

    stones: int
    proof: str
    placements: int | None
    board: Any
    source: Any

    def drawn(self, everything: bool) -> "npt.NDArray[np.bool_]":
        """One placement, or all."""
        if self.proof == "carried":
            return self.source.copy() if everything else self.source[:1]
        if everything:
            return self.source.placements(LISTED)
        return self.source.witness()[None]


@five.command("X")
@click.argument("n", type=int)
@click.argument("m", type=int)
@length
@as_json
def fewest(n: int, m: int, k: int, as_json: bool) -> None:
    """Print the fewest stones that block every K in a row of an N x M board, how it is proved, and in how many ways.

    Small boards are searched exhaustively. A large one is carried from a small one where that is proved (K = 5 and
    7).
    """
    answer = _answer(n, m, k)
    document = {
        "k": k,
        "rows": n,
        "columns": m,
        "stones": answer.stones,
        "proof": answer.proof,
        "placements": None if answer.placements is None else str(answer.placements),
        "formula": n * m // k,
    }
    if as_json:
        click.echo(json.dumps(document))
        return
    ways = "an unknown number of" if answer.placements is None else f"{answer.placements:,}"
    click.echo(f"X({n}, {m}, {k}) = {answer.stones}, {ways} placements")
    click.echo(f"proof: {_explained_proof(answer)}")
    click.echo(f"floor(N M / k) = {n * m // k}")


@five.command()
@click.argument("n", type=int)
@click.argument("m", type=int)
@length
@click.option("--all", "everything", is_flag=True, help="Draw all placements with the fewest stones, not one.")
@as_json
def place(n: int, m: int, k: int, everything: bool, as_json: bool) -> None:
    """Draw an N x M board with the fewest stones that block every K in a row: # a stone, . a free cell."""
    answer = _answer(n, m, k)
    with _explained():
        placements = answer.drawn(everything)
    if placements.size > PRINTED_CELLS:
        raise BoardspaceError(f"{len(placements)} boards of {n} x {m} are too much to print; leave out --all")
    if as_json:
        boards = [list(texts.board_lines(placement)) for placement in placements]
        click.echo(json.dumps({"k": k, "stones": answer.stones, "placements": boards}))
        return
    for number, placement in enumerate(placements):
        _print([""] * (number > 0))
        _print(texts.board_lines(placement))


@five.command()
@click.argument("board", type=click.File(encoding="utf-8"), metavar="FILE")
@length
@as_json
def check(board: TextIO, k: int, as_json: bool) -> None:
    """Say whether the board in FILE (- is stdin) blocks every K in a row, and whether with the fewest stones.

    One line a row, one character a cell: # 1 x * are stones, . 0 o - are free. Exit code 1 where a line is free.
    """
    import numpy as np

    from kernels.five_in_a_row.board import Board, unblocked

    try:
        placement = texts.parse_board(board.read(), board.name)
    except UnicodeDecodeError:
        raise texts.TextError(f"{board.name}: not a text file in UTF-8") from None
    n, m = placement.shape
    with _explained():
        sized = Board((n, m), k)
    free = unblocked(sized, placement)
    stones = int(placement.sum())
    answer = _answer(n, m, k)
    document: dict[str, Any] = {"k": k, "rows": n, "columns": m, "stones": stones, "fewest": answer.stones}
    document |= {"blocks": not len(free), "optimal": not len(free) and stones == answer.stones, "free_lines": len(free)}
    if len(free):
        row, column = np.divmod(sized.lines[free[0]], m)
        document["free_line"] = [[int(r) + 1, int(c) + 1] for r, c in zip(row, column, strict=True)]
    click.echo(json.dumps(document) if as_json else _verdict(document))
    if len(free):
        sys.exit(FAULT_FOUND)


@five.command()
@click.argument("n", type=int)
@as_json
def cells(n: int, as_json: bool) -> None:
    """List the best cells of order N: patterns with one stone in each row, column and wrapped diagonal.

    Each is written as the columns of its stones, row by row, from 0. For N up to 5 the source's table follows.
    """
    from kernels.five_in_a_row.best_cells import best_cells, operation_table

    with _explained():
        found = best_cells(n)
    if not len(found):
        raise BoardspaceError(f"there are no best cells of order {n}: they exist when neither 2 nor 3 divides it")
    table = {name: images.tolist() for name, images in operation_table(found).items()}
    if as_json:
        click.echo(json.dumps({"n": n, "cells": found.tolist(), "operations": table}))
        return
    width = len(str(len(found)))
    _print(f"{number:{width}}: {' '.join(map(str, cell))}" for number, cell in enumerate(found.tolist(), 1))
    if n <= 5:
        click.echo("")
        _print(f"{name}: {' '.join(f'{image:2}' for image in images)}" for name, images in table.items())


@five.command()
@length
@click.option("--side", default=12, show_default=True, help="Largest side of the boards.")
@as_json
def table(k: int, side: int, as_json: bool) -> None:
    """Print the fewest stones, and the numbers of placements, for all boards with sides up to SIDE."""
    if not 1 <= side <= 25:
        raise BoardspaceError(f"--side {side}: the table goes from 1 to 25; a run makes larger ones")
    answers = {(n, m): _answer(n, m, k) for n in range(1, side + 1) for m in range(1, n + 1)}
    if as_json:
        rows = [
            {"rows": n, "columns": m, "stones": answer.stones, "placements": str(answer.placements)}
            for (n, m), answer in answers.items()
        ]
        click.echo(json.dumps({"k": k, "boards": rows}))
        return
    click.echo(f"fewest stones against {k} in a row")
    _print_triangle(side, {sides: str(answer.stones) for sides, answer in answers.items()})
    click.echo("\nnumber of placements with so few stones")
    _print_triangle(side, {sides: str(answer.placements) for sides, answer in answers.items()})


def _answer(n: int, m: int, k: int) -> Answer:
    """X of a board: carried from a small one where that is proved, by search otherwise."""
    from kernels.five_in_a_row.board import Board
    from kernels.five_in_a_row.minimum import solve

    with _explained():
        carried = _carried(n, m, k)
        if carried is not None:
            return carried
        solution = solve(Board((n, m), k))
    return Answer(solution.minimum, solution.proof, solution.count, solution.board, solution)


def _carried(n: int, m: int, k: int) -> Answer | None:
    """A large board from the small one of its class, if all of the small one's placements are lattice windows."""
    from kernels.five_in_a_row.best_cells import best_cells
    from kernels.five_in_a_row.board import Board
    from kernels.five_in_a_row.lattice import lattice_placements, lattice_stones
    from kernels.five_in_a_row.minimum import solve
    from kernels.five_in_a_row.periodic import Computed, base_of, completeness_from

    base = base_of(k, (n, m))
    if base == (n, m) or min(n, m) < k or k not in (5, 7):
        return None
    lattice = best_cells(k)
    small = solve(Board(base, k))
    optimal = small.minimum == lattice_stones(lattice, *base)
    complete = optimal and small.count == len(lattice_placements(lattice, *base))
    if completeness_from(k, (n, m), {base: Computed(optimal, complete)}) is None:
        return None
    windows = lattice_placements(lattice, n, m)
    return Answer(lattice_stones(lattice, n, m), "carried", len(windows), base, windows)


def _explained_proof(answer: Answer) -> str:
    if answer.proof == "carried":
        small = " x ".join(map(str, answer.board))
        return f"carried from {small}: every k rows or columns more cost one stone a line, and the windows are all"
    return {
        "bound": "dual weights of the lines prove that fewer do not suffice; a search met every placement",
        "search": "searches with fewer stones found nothing; a search met every placement",
    }[answer.proof]


def _verdict(document: Mapping[str, Any]) -> str:
    board = f"{document['rows']} x {document['columns']}, {document['stones']} stones"
    if not document["blocks"]:
        line = " ".join(f"({row}, {column})" for row, column in document["free_line"])
        return f"{board}: {document['free_lines']} lines of {document['k']} are free, such as (row, column) {line}"
    few = "the fewest there can be" if document["optimal"] else f"the fewest is {document['fewest']}"
    return f"{board}: every line of {document['k']} is blocked; {few}"


def _print_triangle(side: int, values: Mapping[tuple[int, int], str]) -> None:
    widths = [max(len(values[n, m]) for n in range(m, side + 1)) for m in range(1, side + 1)]
    widths = [max(width, len(str(m))) for m, width in enumerate(widths, 1)]
    _print([" N\\M " + " ".join(f"{m:>{width}}" for m, width in enumerate(widths, 1))])
    for n in range(1, side + 1):
        row = " ".join(f"{values[n, m]:>{widths[m - 1]}}" for m in range(1, n + 1))
        click.echo(f"{n:>4} {row}")


@contextmanager
def _explained() -> Iterator[None]:
    """Boards that do not exist or do not fit are the user's to mend."""
    from kernels.five_in_a_row.board import BoardError

    try:
        yield
    except BoardError as error:
        raise BoardspaceError(str(error)) from error


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)
