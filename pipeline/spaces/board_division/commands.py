"""``boardspace tromino`` and ``boardspace rectangle``."""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click

from boardspace.pipeline.errors import BoardspaceError
from boardspace.pipeline.spaces.board_division import texts
from boardspace.pipeline.storage.files import write_bytes

PRINTED_K = 13
DRAWN_K = 6
DRAWN_SIDE = 20
FAULT_FOUND = 1

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.command()
@click.argument("k", type=int)
@click.argument("x", type=int)
@click.argument("y", type=int)
@click.option("--draw", is_flag=True, help="Draw the outlines of the trominoes instead of their numbers.")
@click.option(
    "--check", type=click.File(encoding="utf-8"), metavar="FILE", help="Check the cover in FILE (- is stdin)."
)
@as_json
def tromino(k: int, x: int, y: int, draw: bool, check: TextIO | None, as_json: bool) -> None:
    """Cover the 2^K x 2^K board, all but the cell in row X and column Y, by L-trominoes.

    Prints 2^K rows of 2^K numbers: the number of the tromino on each cell, 0 on the special one. Rows and columns
    count from 1. With --check, reads such rows instead and says whether they are a cover; exit code 1 if not.

    \b
    boardspace tromino 2 1 2
    boardspace tromino 4 5 11 --draw
    boardspace tromino 2 1 2 | boardspace tromino 2 1 2 --check -
    """
    from boardspace.kernels.board_division.tromino_check import CoverError, check_cover
    from boardspace.kernels.board_division.tromino_cover import cover
    from boardspace.kernels.board_division.tromino_rule import require_board, trominoes

    with _explained():
        require_board(k, x - 1, y - 1)
    if k > (most := DRAWN_K if draw else PRINTED_K):
        what = "drawn" if draw else "printed"
        raise BoardspaceError(
            f"k = {k}: boards up to k = {most} can be {what}; a run writes larger ones block by block (large_boards)"
        )
    if check is None:
        board = cover(k, x - 1, y - 1)
    else:
        board = texts.parse_board(_read(check), 1 << k, check.name)
        try:
            check_cover(board, x - 1, y - 1)
        except CoverError as error:
            _not_right(str(error), as_json)
        if not draw:
            _right(f"a cover by {trominoes(k):,} trominoes", as_json)
            return
    if as_json:
        document = {"k": k, "row": x, "column": y, "trominoes": trominoes(k), "board": board.tolist()}
        click.echo(json.dumps(document))
        return
    _print(texts.draw_board(board) if draw else texts.board_lines(board))


@click.command()
@click.argument("m", type=int)
@click.argument("n", type=int)
@click.option(
    "--moves", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write the jumps to FILE."
)
@click.option("--draw", is_flag=True, help=f"Draw the game, jump by jump (sides up to {DRAWN_SIDE}).")
@click.option(
    "--check", type=click.File(encoding="utf-8"), metavar="FILE", help="Check the jumps in FILE (- is stdin)."
)
@as_json
def rectangle(m: int, n: int, moves: Path | None, draw: bool, check: TextIO | None, as_json: bool) -> None:
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
    from boardspace.kernels.board_division.rectangle_jumps import reducing_jumps
    from boardspace.kernels.board_division.rectangle_value import fewest_left
    from boardspace.kernels.board_division.replay import JumpError, replay

    with _explained():
        fewest = fewest_left(m, n)
    if draw and max(m, n) > DRAWN_SIDE:
        raise BoardspaceError(f"{m} x {n} is too large to draw: sides up to {DRAWN_SIDE}")
    jumps = reducing_jumps(m, n) if check is None else texts.parse_jumps(_read(check), check.name)
    try:
        left = replay(m, n, jumps) + 1
    except JumpError as error:
        _not_right(str(error), as_json)
    if moves is not None:
        write_bytes(moves, "".join(f"{line}\n" for line in texts.jump_lines(jumps)).encode())
    if draw:
        _print(texts.draw_game(m, n, jumps))
    if check is not None:
        said = f"{len(jumps.rows):,} legal jumps leave {len(left)} of {m * n:,} pegs; the fewest is {fewest}"
        (_right if len(left) == fewest else _not_right)(said, as_json)
    elif as_json:
        document = {"m": m, "n": n, "fewest": fewest, "jumps": len(jumps.rows), "left": left.tolist()}
        click.echo(json.dumps(document))
    else:
        click.echo(fewest)


@contextmanager
def _explained() -> Iterator[None]:
    """Arguments that name no board or rectangle are the user's to mend."""
    from boardspace.kernels.board_division.jumps import RectangleError
    from boardspace.kernels.board_division.tromino_rule import BoardError

    try:
        yield
    except (BoardError, RectangleError) as error:
        raise BoardspaceError(str(error)) from error


def _read(file: TextIO) -> str:
    """The text of a file, which has to be text."""
    try:
        return file.read()
    except UnicodeDecodeError:
        raise texts.TextError(f"{file.name}: not a text file in UTF-8") from None


def _print(lines: Iterable[str]) -> None:
    """Print line by line: a large board is never one string."""
    for line in lines:
        click.echo(line)


def _right(said: str, as_json: bool) -> None:
    click.echo(json.dumps({"right": True, "said": said}) if as_json else f"right: {said}")


def _not_right(said: str, as_json: bool) -> None:
    click.echo(json.dumps({"right": False, "said": said}) if as_json else f"not right: {said}")
    sys.exit(FAULT_FOUND)
