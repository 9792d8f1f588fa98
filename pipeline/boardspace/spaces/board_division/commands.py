"""``boardspace tromino`` and ``boardspace rectangle``."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import click

from boardspace.cli.commands.options import NOT_RIGHT, Decorator, option_group
from boardspace.cli.commands.questions import (
    LONGEST_TEXT,
    as_json,
    print_document,
    print_lines,
    read_text,
    svg_file,
    why,
    write_svg,
)
from boardspace.cli.notices import announced
from boardspace.spaces.board_division import answers, texts
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted
from boardspace.storage.files import write_out
from boardspace_kernels.board_division.covers import require_board

INPUT = "-"
LONGEST_ENTRY = 32
"""Characters of a number of a cover, or of a jump, with room for blanks."""


class _SizeOrInput(click.ParamType):  # type: ignore[type-arg]
    """A whole number, or - for the source's input on standard input."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or the text that stands for the input; click reports what is neither."""
        return value if value == INPUT else click.INT.convert(value, param, ctx)


@dataclass(frozen=True)
class SpecialBoard:
    """Arguments of ``tromino``: K or - for standard input, and row and column of the special cell, from 1."""

    k: int | str | None
    x: int | None
    y: int | None

    def read(self, check: TextIO | None) -> tuple[int, int, int]:
        """K, X and Y: as they were given, or from standard input, where that is not the file of ``check``."""
        if isinstance(self.k, int) and self.x is not None and self.y is not None:
            return self.k, self.x, self.y
        if self.k != INPUT or self.x is not None:
            raise click.UsageError("tromino takes three numbers, K X Y, or - to read them")
        if check is not None and check.name == sys.stdin.name:
            raise click.UsageError(
                "tromino reads K X Y and the cover to check from one standard input; put one in a file"
            )
        return texts.parse_special_board(read_text(sys.stdin))


def _checked_file(what: str) -> Decorator:
    return click.option(
        "--check", type=click.File(encoding="utf-8"), metavar="FILE", help=f"Check the {what} in FILE (- is stdin)."
    )


board_arguments = option_group(
    "board",
    SpecialBoard,
    click.argument("k", type=_SizeOrInput(), required=False),
    click.argument("x", type=int, required=False),
    click.argument("y", type=int, required=False),
)


@click.command()
@board_arguments
@click.option("--draw", is_flag=True, help="Draw the outlines of the trominoes instead of their numbers.")
@_checked_file("cover")
@svg_file
@as_json
@why("board_division", "covers/{k}")
@announced()
def tromino(board: SpecialBoard, draw: bool, check: TextIO | None, svg: Path | None, as_json: bool) -> None:
    """Cover the 2^K x 2^K board, all but the cell in row X and column Y, by L-trominoes.

    Prints 2^K rows of 2^K numbers: the number of the tromino on each cell, 0 on the special one. Rows and columns
    count from 1. With --check, reads such rows instead and says whether they are a cover; exit code 1 if not. With - in
    place of the numbers they are read from standard input, as the source's GAMERS.PAS has them: K, then X and Y.

    \b
    boardspace tromino 2 1 2
    boardspace tromino 4 5 11 --draw
    boardspace tromino - < input.txt
    boardspace tromino 2 1 2 | boardspace tromino 2 1 2 --check -
    """
    size, row, column = board.read(check)
    found = answers.cover(size, row, column) if check is None else _checked(size, row, column, check, as_json)
    write_svg(svg, found.picture)
    if check is not None and not draw:
        _right(f"a cover by {found.trominoes:,} tromino{'es' * (found.trominoes != 1)}", as_json)
    elif as_json:
        print_document(found.document())
    else:
        print_lines(found.draw() if draw else found.lines())


@click.command()
@option_group("found", answers.rectangle, click.argument("m", type=int), click.argument("n", type=int))
@click.option(
    "--moves", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write the jumps to FILE."
)
@click.option("--draw", is_flag=True, help=f"Draw the game, jump by jump (sides up to {answers.DRAWN_SIDE}).")
@_checked_file("jumps")
@svg_file
@as_json
@why("board_division", "rectangles")
@announced()
def rectangle(
    found: answers.Rectangle, moves: Path | None, draw: bool, check: TextIO | None, svg: Path | None, as_json: bool
) -> None:
    """Print the fewest pegs that can be left of M x N pegs on an unbounded board.

    --moves writes jumps that leave so few, one to a line: row and column of the peg that jumps, from 1 (cells outside
    the rectangle have smaller or larger ones), and U, R, D or L. With --check, reads such jumps, plays them by the
    rules and prints how many pegs they leave; exit code 1 where a jump is illegal or the pegs are not the fewest.

    \b
    boardspace rectangle 3 4
    boardspace rectangle 3 4 --draw
    boardspace rectangle 1000 1000 --moves jumps.txt
    boardspace rectangle 1000 1000 --check jumps.txt
    """
    if check is not None:
        _check_jumps(found, check, as_json)
        return
    write_svg(svg, found.picture)
    if moves is not None:
        lines = (f"{line}\n".encode() for line in texts.jump_lines(found.jumps()))
        write_out(moves, lambda stream: stream.writelines(lines))
    if draw:
        print_lines(found.draw())
    if as_json:
        print_document(found.document())
    else:
        click.echo(str(found))


def _checked(k: int, x: int, y: int, file: TextIO, as_json: bool) -> answers.Cover:
    """The cover in a file; what is no cover ends the command."""
    with answers.explained():
        require_board(k, x - 1, y - 1)
    answers.refuse_larger(k, answers.PRINTED_K, "printed")
    board = texts.parse_board(read_text(file, LONGEST_TEXT + (LONGEST_ENTRY << 2 * k)), 1 << k, file.name)
    try:
        return answers.check_cover(k, x, y, board)
    except BoardspaceError as error:
        _not_right(str(error), as_json)
        raise


def _check_jumps(found: answers.Rectangle, file: TextIO, as_json: bool) -> None:
    jumps = texts.parse_jumps(read_text(file, LONGEST_TEXT + LONGEST_ENTRY * found.m * found.n), file.name)
    try:
        left = answers.replayed(found.m, found.n, jumps)
    except BoardspaceError as error:
        _not_right(str(error), as_json)
        raise
    pegs = found.m * found.n
    verdict = (
        f"after {counted(len(jumps.rows), 'legal jump')} {len(left)} of {pegs:,} stand; the fewest is {found.fewest}"
    )
    (_right if len(left) == found.fewest else _not_right)(verdict, as_json)


def _right(verdict: str, as_json: bool) -> None:
    print_document({"right": True, "said": verdict}) if as_json else click.echo(f"right: {verdict}")


def _not_right(verdict: str, as_json: bool) -> None:
    print_document({"right": False, "said": verdict}) if as_json else click.echo(f"not right: {verdict}")
    sys.exit(NOT_RIGHT)
