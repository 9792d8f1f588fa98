"""``boardspace five``: values, placements, checks, best cells and tables."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import click

from boardspace.cli.commands.options import NOT_RIGHT, PLACE, Folder, option_group
from boardspace.cli.commands.questions import (
    Questions,
    as_json,
    print_answer,
    print_document,
    print_lines,
    read_text,
    search_progress,
    svg_file,
    why,
    write_svg,
)
from boardspace.cli.lines import aligned, side_by_side, terminal_width
from boardspace.spaces.five_in_a_row import answers, cutting_planes, drawings, endless
from boardspace.spaces.five_in_a_row.drawings import explained
from boardspace.spaces.five_in_a_row.fewest import FOREVER, SECONDS
from boardspace.spaces.five_in_a_row.fewest import fewest as fewest_stones
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import text_lines
from boardspace_kernels.five_in_a_row.best_cells import operation_table

PRINTED_CELLS = 1_000_000

length = click.option("-k", "k", default=5, show_default=True, help="Length of the lines to block, 2 to 16.")

patience = click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=SECONDS,
    show_default=True,
    help="CPU seconds that a search may take; longer ones are refused, or given up.",
)


@dataclass(frozen=True)
class PlacementRequest:
    """Placements that ``five place`` draws: one, all of them, or the one that grows from a best cell.

    everything: all.
    start: row and column, from 1, at which the part of the cell begins that is left beside whole cells.
    cell: number of the best cell, from 1; the first for None.
    """

    everything: bool
    start: tuple[int, int] | None
    cell: int | None

    def __post_init__(self) -> None:
        if self.start is None and self.cell is not None:
            raise click.UsageError("--cell goes with --start")
        if self.start is not None and self.everything:
            raise click.UsageError("--start gives one placement; leave out --all")


wanted_options = option_group(
    "wanted",
    PlacementRequest,
    click.option("--all", "everything", is_flag=True, help="Draw all placements with the fewest stones, not one."),
    click.option(
        "--start",
        type=PLACE,
        metavar="ROW,COLUMN",
        help="Draw the one that grows from a best cell of order K: the area that is left beside whole cells is the "
        "part of the cell that begins here.",
    ),
    click.option("--cell", type=int, help="Number of that best cell, as `five cells K` lists them; 1 if not given."),
)


@click.group(cls=Questions)
def five() -> None:
    """Fewest stones that leave no five (or k) cells in a row free on a board.

    \b
    boardspace five X 13 17            the fewest stones, the proof, the number of ways
    boardspace five place 6 7 --all    all ways to place them
    boardspace five check board.txt    does this board block? is it optimal?
    boardspace five cells 5            the best cells of the source, and its table
    boardspace five table              fewest stones for all small boards
    boardspace five structure 9 9 -k 3 how the optimal placements look
    boardspace five strip 6 -k 3       strips of 6 columns, of any length
    boardspace five plane -k 4         a pattern that blocks the whole plane
    boardspace five proof 9 9 -k 3     a proof of the minimum, for VeriPB
    """


@five.command("X")
@click.argument("n", type=int)
@click.argument("m", type=int)
@length
@patience
@svg_file
@as_json
@why("five_in_a_row", "results")
def fewest(n: int, m: int, k: int, seconds: float, svg: Path | None, as_json: bool) -> None:
    """Print the fewest stones that block every K in a row of an N x M board, how it is proved, and in how many ways.

    Small boards are searched exhaustively. A large one is carried from a small one where that is proved (K = 5 and
    7). The source's formula floor(N M / K) is for boards with no side below K.
    """
    with search_progress() as progress:
        found = fewest_stones(n, m, k, seconds=seconds, progress=progress)
    write_svg(svg, lambda: drawings.picture(found.placement()))
    print_answer(found, as_json)


@five.command()
@option_group("size", lambda n, m: (n, m), click.argument("n", type=int), click.argument("m", type=int))
@length
@patience
@wanted_options
@svg_file
@as_json
@why("five_in_a_row", "placements")
def place(
    size: tuple[int, int], k: int, seconds: float, wanted: PlacementRequest, svg: Path | None, as_json: bool
) -> None:
    """Draw an N x M board with the fewest stones that block every K in a row: # a stone, . a free cell.

    \b
    boardspace five place 13 17
    boardspace five place 6 7 --all
    boardspace five place 13 17 --start 3,1 --cell 6
    """
    if wanted.start is not None:
        placements = answers.grown(*size, k, wanted.start, 1 if wanted.cell is None else wanted.cell)[None]
    else:
        with search_progress() as progress:
            found = fewest_stones(*size, k, seconds=seconds, progress=progress)
        placements = found.placements() if wanted.everything else found.placement()[None]
    if placements.size > PRINTED_CELLS:
        raise BoardspaceError(
            f"{len(placements)} boards of {size[0]} x {size[1]} are too much to print; leave out --all"
        )
    if as_json:
        boards = [list(drawings.board_lines(placement)) for placement in placements]
        print_document({"k": k, "stones": int(placements[0].sum()), "placements": boards})
    elif wanted.everything:
        print_lines(side_by_side([list(drawings.board_lines(placement)) for placement in placements], terminal_width()))
    else:
        print_lines(drawings.board_lines(placements[0]))
    write_svg(svg, lambda: drawings.picture(placements[0]))


@five.command()
@click.argument("board", type=click.File(encoding="utf-8"), metavar="FILE")
@length
@as_json
def check(board: TextIO, k: int, as_json: bool) -> None:
    """Say whether the board in FILE (- is stdin) blocks every K in a row, and whether with the fewest stones.

    One line a row, one character a cell: # 1 x * are stones, . 0 o - are free. Exit code 1 where a line is free.
    """
    placement = drawings.parse_board(read_text(board), board.name)
    found = answers.check(placement, k)
    print_answer(found, as_json)
    if not found.blocks:
        sys.exit(NOT_RIGHT)


@five.command()
@click.argument("n", type=int)
@as_json
@why("five_in_a_row", "cells")
def cells(n: int, as_json: bool) -> None:
    """List the best cells of order N: patterns with one stone in each row, column and wrapped diagonal.

    Each is written as the columns of its stones, row by row, from 0. For N up to 5 the source's table follows.
    """
    found = answers.best_cells(n)
    with explained():
        table = {name: images.tolist() for name, images in operation_table(found).items()}
    if as_json:
        print_document({"n": n, "cells": found.tolist(), "operations": table})
        return
    width = len(str(len(found)))
    print_lines(f"{number:{width}}: {' '.join(map(str, cell))}" for number, cell in enumerate(found.tolist(), 1))
    if n <= 5:
        click.echo("")
        print_lines(f"{name}: {' '.join(f'{image:2}' for image in images)}" for name, images in table.items())


@five.command()
@click.argument("n", type=int)
@click.argument("m", type=int)
@length
@as_json
def structure(n: int, m: int, k: int, as_json: bool) -> None:
    """Say how the optimal placements of an N x M board look, for K of 2, 3, 5 and 7.

    How many there are up to the board's symmetries, and in how many cells they differ from the nearest window of the
    pattern that blocks the plane with the least density of stones.
    """
    print_answer(answers.structure(n, m, k), as_json)


@five.command()
@click.argument("width", type=int)
@length
@click.option("--rows", type=int, help="Print the fewest stones of so many rows only; any number.")
@svg_file
@as_json
@why("five_in_a_row", "strips")
def strip(width: int, k: int, rows: int | None, svg: Path | None, as_json: bool) -> None:
    """Print the fewest stones of boards of WIDTH columns and any length, and the rows that need the fewest for ever.

    With --json the proof comes with it: a potential of every state, to be checked by anybody.
    """
    found = endless.strip(width, k)
    if rows is None:
        print_answer(found, as_json)
    elif as_json:
        print_document({"k": k, "rows": rows, "columns": width, "stones": found.stones_of(rows)})
    else:
        click.echo(f"X({rows}, {width}, {k}) = {found.stones_of(rows)}")
    write_svg(svg, lambda: drawings.picture(found.pattern))


@five.command()
@length
@click.option("--modulus", default=16, show_default=True, help="Longest period along a row, 1 to 20.")
@svg_file
@as_json
def plane(k: int, modulus: int, svg: Path | None, as_json: bool) -> None:
    """Print a pattern of few stones that blocks every K in a row of the whole plane, the best of its kind.

    Each row is the one above, moved. Strips say from below how few stones a pattern of any kind needs.
    """
    found = endless.plane(k, modulus)
    print_answer(found, as_json)
    write_svg(svg, lambda: drawings.picture(found.window(found.modulus, found.modulus)))


@five.command()
@click.argument("n", type=int)
@click.argument("m", type=int)
@click.argument("stones", type=int)
@length
@click.option("--check", "proof", type=click.File(encoding="utf-8"), help="Check a solver's proof (DRUP) in this file.")
def cnf(n: int, m: int, stones: int, k: int, proof: TextIO | None) -> None:
    """Print the formula "at most STONES stones block every K in a row of an N x M board", for SAT solvers (DIMACS).

    A solver that finds no solution with one stone less than X, and writes its proof, proves the minimum without
    anything of this package. With --check, a proof (DRUP) is checked by unit propagation, without any solver.
    """
    if proof is None:
        print_lines(answers.formula(n, m, k, stones))
        return
    checked = answers.refuted(n, m, k, stones, text_lines(proof.buffer, proof.name))
    click.echo(f"right: {checked} clauses, each implied by those before it, prove that {stones} stones do not suffice")


@five.command()
@click.argument("sides", type=int, nargs=-1, required=True, metavar="N M...")
@length
@patience
@click.option("--out", type=Folder(), help="Folder to write to [proof-N-M-K].")
@click.option(
    "--format",
    "version",
    type=click.Choice(list(cutting_planes.VERSIONS)),
    default=cutting_planes.VERSIONS[0],
    show_default=True,
    help="Version of the proof format: that of the VeriPB that you have; older ones than 2 read 1.1.",
)
@click.option("--check", "given", type=click.File(encoding="utf-8"), help="Check the proof in this file instead.")
def proof(sides: tuple[int, ...], k: int, seconds: float, out: Path | None, version: str, given: TextIO | None) -> None:
    """Write a proof that fewer stones do not block an N x M board (or a box, N M L), for VeriPB or CakePB.

    The folder gets board.opb, linear inequalities that only a placement with one stone less than the fewest satisfies,
    and board.pbp, a derivation of a contradiction from them by sums and roundings. With --check, a proof is checked
    against the inequalities of the board itself, by a checker in plain Python.

    \b
    boardspace five proof 9 9 -k 3 --out nine
    veripb nine/board.opb nine/board.pbp
    boardspace five proof 9 9 -k 3 --check nine/board.pbp
    """
    folder = out or Path("-".join(["proof", *map(str, sides), str(k)]))
    if given is None and folder.exists() and any(folder.iterdir()):
        raise BoardspaceError(f"{folder}: is not empty; choose another folder with --out")
    if given is not None:
        lines = text_lines(given.buffer, given.name)
        with search_progress() as progress:
            checked = cutting_planes.checked(sides, k, lines, seconds=seconds, progress=progress)
        click.echo(checked)
        return
    with search_progress() as progress:
        found = cutting_planes.minimum_proof(sides, k, seconds=seconds, progress=progress)
    found.write(folder, version)
    click.echo(f"{found}\n{folder}: board.opb, board.pbp; veripb {folder}/board.opb {folder}/board.pbp")


@five.command()
@length
@click.option("--side", default=10, show_default=True, help="Largest side of the boards.")
@as_json
@why("five_in_a_row", "results")
def table(k: int, side: int, as_json: bool) -> None:
    """Print the fewest stones, and the numbers of placements, for all boards with sides up to SIDE."""
    if not 1 <= side <= 25:
        raise BoardspaceError(f"--side {side}: the table goes from 1 to 25; a run makes larger ones")
    from rich.console import Console  # a tenth of a second, for which no other question waits
    from rich.progress import track

    sides = [(n, m) for n in range(1, side + 1) for m in range(1, n + 1)]
    console = Console(stderr=True)
    watched = track(sides, f"boards up to {side} x {side}", console=console, disable=not console.is_terminal)
    found = {(n, m): fewest_stones(n, m, k, seconds=FOREVER) for n, m in watched}
    if as_json:
        rows = [
            {"rows": one.rows, "columns": one.columns, "stones": one.stones, "placements": str(one.count)}
            for one in found.values()
        ]
        print_document({"k": k, "boards": rows})
        return
    click.echo(f"fewest stones against {k} in a row")
    _print_triangle(side, {sides: str(one.stones) for sides, one in found.items()})
    click.echo("\nnumber of placements with so few stones")
    _print_triangle(side, {sides: str(one.count) for sides, one in found.items()})


def _print_triangle(side: int, values: Mapping[tuple[int, int], str]) -> None:
    sides = range(1, side + 1)
    rows = [[str(n), *(values[n, m] for m in range(1, n + 1))] for n in sides]
    print_lines(aligned([[" N\\M", *map(str, sides)], *rows], " "))
