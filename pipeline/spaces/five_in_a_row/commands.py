"""``boardspace five``: values, placements, checks, best cells and tables."""

import json
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TextIO

import click
from rich.console import Console
from rich.progress import track

from boardspace.pipeline.errors import BoardspaceError
from boardspace.pipeline.spaces.five_in_a_row import texts
from boardspace.pipeline.spaces.five_in_a_row.answers import Answer, answer
from boardspace.pipeline.spaces.five_in_a_row.config import SizedBoard
from boardspace.pipeline.spaces.five_in_a_row.errors import explained

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

FAULT_FOUND = 1
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


@five.command("X")
@click.argument("n", type=int)
@click.argument("m", type=int)
@length
@as_json
def fewest(n: int, m: int, k: int, as_json: bool) -> None:
    """Print the fewest stones that block every K in a row of an N x M board, how it is proved, and in how many ways.

    Small boards are searched exhaustively. A large one is carried from a small one where that is proved (K = 5 and
    7). The source's formula floor(N M / K) is for boards with no side below K.
    """
    found = _answer(n, m, k)
    formula = n * m // k if min(n, m) >= k else None
    if as_json:
        document = {"k": k, "rows": n, "columns": m, "stones": found.stones, "proof": found.proof}
        click.echo(json.dumps(document | {"placements": str(found.placements), "formula": formula}))
        return
    click.echo(f"X({n}, {m}, {k}) = {found.stones}, {_counted(found.placements, 'placement')}")
    click.echo(f"proof: {found.reason}")
    if formula is not None:
        click.echo(f"floor(N M / k) = {formula}")


@five.command()
@click.argument("n", type=int)
@click.argument("m", type=int)
@length
@click.option("--all", "everything", is_flag=True, help="Draw all placements with the fewest stones, not one.")
@as_json
def place(n: int, m: int, k: int, everything: bool, as_json: bool) -> None:
    """Draw an N x M board with the fewest stones that block every K in a row: # a stone, . a free cell."""
    found = _answer(n, m, k)
    with explained():
        placements = found.everything() if everything else found.witness()[None]
    if placements.size > PRINTED_CELLS:
        raise BoardspaceError(f"{len(placements)} boards of {n} x {m} are too much to print; leave out --all")
    if as_json:
        boards = [list(texts.board_lines(placement)) for placement in placements]
        click.echo(json.dumps({"k": k, "stones": found.stones, "placements": boards}))
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
    try:
        placement = texts.parse_board(board.read(), board.name)
    except UnicodeDecodeError:
        raise texts.TextError(f"{board.name}: not a text file in UTF-8") from None
    found = _judged(placement, k)
    click.echo(json.dumps(found) if as_json else _verdict(found))
    if not found["blocks"]:
        sys.exit(FAULT_FOUND)


@five.command()
@click.argument("n", type=int)
@as_json
def cells(n: int, as_json: bool) -> None:
    """List the best cells of order N: patterns with one stone in each row, column and wrapped diagonal.

    Each is written as the columns of its stones, row by row, from 0. For N up to 5 the source's table follows.
    """
    from boardspace.kernels.five_in_a_row.best_cells import best_cells, operation_table

    with explained():
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
@click.option("--side", default=10, show_default=True, help="Largest side of the boards.")
@as_json
def table(k: int, side: int, as_json: bool) -> None:
    """Print the fewest stones, and the numbers of placements, for all boards with sides up to SIDE."""
    if not 1 <= side <= 25:
        raise BoardspaceError(f"--side {side}: the table goes from 1 to 25; a run makes larger ones")
    sides = [(n, m) for n in range(1, side + 1) for m in range(1, n + 1)]
    console = Console(stderr=True)
    shown = track(sides, f"boards up to {side} x {side}", console=console, disable=not console.is_terminal)
    answers = {(n, m): _answer(n, m, k) for n, m in shown}
    if as_json:
        rows = [
            {"rows": n, "columns": m, "stones": found.stones, "placements": str(found.placements)}
            for (n, m), found in answers.items()
        ]
        click.echo(json.dumps({"k": k, "boards": rows}))
        return
    click.echo(f"fewest stones against {k} in a row")
    _print_triangle(side, {sides: str(found.stones) for sides, found in answers.items()})
    click.echo("\nnumber of placements with so few stones")
    _print_triangle(side, {sides: str(found.placements) for sides, found in answers.items()})


def _answer(n: int, m: int, k: int) -> Answer:
    with explained():
        return answer(SizedBoard(k, n, m))


def _judged(placement: "npt.NDArray[np.bool_]", k: int) -> dict[str, Any]:
    """Whether a board is blocked, its first free line if not, and the fewest stones if it is (None: out of reach)."""
    from boardspace.kernels.five_in_a_row.board import Board, BoardTooLargeError, unblocked

    n, m = placement.shape
    with explained():
        board = Board((n, m), k)
    free = unblocked(board, placement)
    judged = {"k": k, "rows": n, "columns": m, "stones": int(placement.sum()), "blocks": not len(free)}
    if len(free):
        line = [[cell // m + 1, cell % m + 1] for cell in board.lines[free[0]].tolist()]
        return judged | {"free_lines": len(free), "free_line": line}
    try:
        fewest = answer(SizedBoard(k, n, m)).stones
    except BoardTooLargeError:
        return judged | {"fewest": None, "optimal": None}
    return judged | {"fewest": fewest, "optimal": judged["stones"] == fewest}


def _verdict(judged: Mapping[str, Any]) -> str:
    board = f"{judged['rows']} x {judged['columns']}, {_counted(judged['stones'], 'stone')}"
    if not judged["blocks"]:
        line = " ".join(f"({row}, {column})" for row, column in judged["free_line"])
        free = _counted(judged["free_lines"], "free line")
        return f"{board}: {free} of {judged['k']} cells, such as (row, column) {line}"
    few = "the fewest there can be" if judged["optimal"] else f"the fewest is {judged['fewest']}"
    if judged["fewest"] is None:
        few = "whether fewer would do is beyond a search"
    return f"{board}: every line of {judged['k']} is blocked; {few}"


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _print_triangle(side: int, values: Mapping[tuple[int, int], str]) -> None:
    widths = [max(len(values[n, m]) for n in range(m, side + 1)) for m in range(1, side + 1)]
    widths = [max(width, len(str(m))) for m, width in enumerate(widths, 1)]
    _print([" N\\M " + " ".join(f"{m:>{width}}" for m, width in enumerate(widths, 1))])
    for n in range(1, side + 1):
        row = " ".join(f"{values[n, m]:>{widths[m - 1]}}" for m in range(1, n + 1))
        click.echo(f"{n:>4} {row}")


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)
