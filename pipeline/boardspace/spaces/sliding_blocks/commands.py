"""``boardspace sliding``: counts, boards, solutions and the hardest puzzles of sliding blocks of any pieces."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boardspace.cli.commands.options import PLACE, RANGE, option_group
from boardspace.cli.commands.questions import (
    Questions,
    Shown,
    as_json,
    metric_option,
    no_is_an_answer,
    print_answer,
    print_solution,
    shown_options,
    svg_file,
    text_of,
    why,
    write_svg,
)
from boardspace.spaces.sliding_blocks import answers
from boardspace.spaces.sliding_blocks.boards import Board, parse
from boardspace.spec.deferred import deferred

if TYPE_CHECKING:
    from boardspace.spaces.sliding_blocks import puzzles
else:
    (puzzles,) = deferred("boardspace.spaces.sliding_blocks", "puzzles")  # so that a board is solved without kernels


class BoardArgument(click.ParamType):  # type: ignore[type-arg]
    """A board as rows of letters, in a file, or as one argument; - is standard input."""

    name = "board"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Board:
        """The board."""
        return value if isinstance(value, Board) else parse(text_of(value))


goal_options = option_group(
    "goal",
    lambda piece, to: (piece, to),
    click.option("--piece", required=True, metavar="SIGN", help="The piece to be moved."),
    click.option(
        "--to",
        type=PLACE,
        help="Goal of the upper left corner of its bounding box, counted from 1 [the lower right corner of the tray].",
    ),
)


Goal = tuple[str, tuple[int, int] | None]
"""A piece by its sign, and where the corner of its bounding box shall come; the lower right corner for None."""

board_argument = click.argument("board", type=BoardArgument())


@click.group(cls=Questions)
def sliding() -> None:
    """Sliding blocks of any pieces.

    Boards of up to 64 cells are solved, of up to 20 shown with their class, hardest puzzles searched on trays of up to
    16 cells, and packings counted on trays of up to 5 x 100 cells.

    A BOARD is rows of signs, separated by / or blanks or in lines of their own: equal signs are a piece, a dot is a
    void. It is given in a file, from standard input (-), or as one argument.

    \b
    boardspace sliding count 4 5                          all packings of the tray
    boardspace sliding show AAB/A.B                       a board, and what sliding joins it to
    boardspace sliding solve ABB./ACDD/EEFG/HEI. --piece A
    boardspace sliding solve '###/#A./#B.' --walls '#' --piece A --metric unit
    boardspace sliding hardest 4 4 --pieces 9             the hardest corner puzzle
    boardspace sliding random --pieces 7 --steps 40..60   a corner puzzle to play
    """


@sliding.command()
@click.argument("rows", type=int)
@click.argument("columns", type=int)
@as_json
@why("sliding_blocks", "histograms")
def count(rows: int, columns: int, as_json: bool) -> None:
    """Count the packings of a tray of ROWS x COLUMNS cells, by voids for trays of up to 20 cells."""
    print_answer(answers.count(rows, columns), as_json)


@sliding.command()
@board_argument
@svg_file
@as_json
@why("sliding_blocks", "classes")
def show(board: Board, svg: Path | None, as_json: bool) -> None:
    """Show BOARD, how many positions have the same pieces, and how many of them it can be slid to.

    BOARD has up to 20 cells, and its pieces up to 4,000,000 positions.
    """
    write_svg(svg, board.picture)
    print_answer(answers.group(board), as_json)


@sliding.command()
@click.argument("board", metavar="BOARD")
@goal_options
@click.option("--walls", metavar="SIGN", default="", help="Cells of this sign are walls.")
@metric_option
@shown_options
def solve(board: str, goal: Goal, walls: str, metric: str, shown: Shown) -> None:
    """Show a shortest way that takes a piece of BOARD to its goal, the signs of the pieces that move, step by step.

    A step moves one piece any way, round corners too. BOARD has up to 64 cells, of whose positions up to 4,000,000 are
    searched. A tray that is no rectangle, or has an exit, is drawn with its walls, and --walls says their sign.
    """
    start = parse(text_of(board), walls)
    found = answers.solve(start, *goal, metric=metric)
    print_solution(found, answers.no_way(start, goal[0]), shown)


@sliding.command()
@click.argument("board")
@goal_options
@click.option("--walls", metavar="SIGN", default="", help="Cells of this sign are walls.")
@metric_option
@as_json
def moves(board: str, goal: Goal, walls: str, metric: str, as_json: bool) -> None:
    """List the next steps of BOARD, the best first: the piece, the board after it, and the steps to the goal that it
    leaves; - where there is no way. All positions that it can be slid to are searched, up to 1,048,576."""
    print_answer(answers.moves(text_of(board), *goal, walls=walls, metric=metric), as_json)


@sliding.command()
@click.argument("board")
@goal_options
@click.option("--walls", metavar="SIGN", default="", help="Cells of this sign are walls.")
@as_json
def hardness(board: str, goal: Goal, walls: str, as_json: bool) -> None:
    """Measure the puzzle of BOARD beside its steps: forced steps, choices, detours, lures, luck of a random walk."""
    start = parse(text_of(board), walls)
    print_answer(answers.hardness(start, *goal), as_json, answers.no_way(start, goal[0]))


@sliding.command()
@click.argument("rows", type=int)
@click.argument("columns", type=int)
@click.option("--pieces", type=int, required=True, help="How many pieces it has.")
@svg_file
@as_json
@why("sliding_blocks", "records")
def hardest(rows: int, columns: int, pieces: int, svg: Path | None, as_json: bool) -> None:
    """Find a longest corner puzzle of a tray: the most steps that take a piece, A, from the upper left corner to the
    lower right one. All puzzles with so many pieces are searched; trays of up to 16 cells."""
    with no_is_an_answer(as_json):
        found = puzzles.hardest(rows, columns, pieces)
    write_svg(svg, found.board.picture)
    print_answer(found, as_json)


@sliding.command()
@option_group(
    "size",
    lambda rows, columns: (rows, columns),
    click.argument("rows", type=int, default=4),
    click.argument("columns", type=int, default=4),
)
@click.option("--pieces", type=int, required=True, help="How many pieces it has.")
@click.option("--steps", type=RANGE, help="How many steps it takes at least and at most, such as 40..60.")
@click.option("--seed", type=int, help="Draw the same one for the same number.")
@svg_file
@as_json
def random(
    size: tuple[int, int], pieces: int, steps: tuple[int, int] | None, seed: int | None, svg: Path | None, as_json: bool
) -> None:
    """Draw a corner puzzle of a tray, 4 x 4 if none is named, from the longest ones of all sets of so many pieces.

    All puzzles of the tray are searched, which takes a few seconds; trays of up to 16 cells.
    """
    with no_is_an_answer(as_json):
        found = puzzles.random(*size, pieces=pieces, steps=steps, seed=seed)
    write_svg(svg, found.board.picture)
    print_answer(found, as_json)
