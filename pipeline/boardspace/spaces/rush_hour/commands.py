"""``boardspace rush-hour``: boards shown, solved and played, and the hardest starts."""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

import click

from boardspace.cli.commands.options import dataset_in, option_group
from boardspace.cli.commands.questions import (
    as_json,
    no_is_an_answer,
    print_answer,
    print_document,
    print_lines,
    print_no,
    text_of,
    typed_lines,
    why,
)
from boardspace.cli.exit_codes import NOT_RIGHT
from boardspace.cli.report.compiling import announced
from boardspace.release.datasets import Dataset
from boardspace.spaces.rush_hour import answers
from boardspace.spaces.rush_hour.answers import NO_WAY, Start, parse
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted
from boardspace.storage.locations import located


@dataclass(frozen=True)
class Source:
    """The board whose starts are asked for, and the run or release that has them."""

    board: str
    data: Path | None

    @property
    def dataset(self) -> Dataset | None:
        """The dataset; BoardspaceError where there is none such."""
        return dataset_in(located(str(self.data)) if self.data else None, "rush_hour")


source_options = option_group(
    "source",
    Source,
    click.option("--board", default="5x5-2", show_default=True, help="Sides, and row of the red car from 0."),
    click.option(
        "--data", type=click.Path(path_type=Path), help="Take the starts from this run or release; 6x6-2 needs one."
    ),
)


@click.group("rush-hour")
def rush_hour() -> None:
    """Rush Hour: cars of two cells and trucks of three slide along their lines; the red car wants out at the right.

    A BOARD is a letter for each cell, row by row: A is the red car, other letters are pieces, o or a dot is empty, x a
    wall; rows may be separated by / or blanks. It is given as an argument, in a file, or from standard input (-).

    \b
    boardspace rush-hour solve .BCC../.B.D../AA.D.E/F..D.E/F.GG.E/HHH...
    boardspace rush-hour hardest --board 5x5-2
    boardspace rush-hour play AAB/..B/...
    """


@rush_hour.command()
@click.argument("board")
@as_json
def show(board: str, as_json: bool) -> None:
    """Draw BOARD, and say how many moves it takes, and what its group has."""
    print_answer(answers.group(text_of(board)), as_json)


@rush_hour.command()
@click.argument("board")
@click.option("--unit", is_flag=True, help="Fewest unit moves, of a cell each, instead of steps.")
@click.option("--boards", is_flag=True, help="Draw the board after each move.")
@as_json
def solve(board: str, unit: bool, boards: bool, as_json: bool) -> None:
    """Bring the red car of BOARD to the right end in the fewest moves: letter and cells, + is right or down."""
    found = answers.solve(text_of(board), metric="unit" if unit else "step")
    if found is None:
        print_no(NO_WAY, as_json)
        return
    print_answer(found, as_json)
    for name, rows in zip(found.moves, found.boards, strict=True) if boards and not as_json else ():
        print_lines(["", f"{name}:", *rows])


@rush_hour.command()
@click.argument("board")
@as_json
def hardness(board: str, as_json: bool) -> None:
    """Measure BOARD beside its length: forced moves, choices, detours, lures, blind ends, luck of a random walk."""
    with announced():
        found = answers.hardness(text_of(board))
    if found is None:
        print_no(NO_WAY, as_json)
    else:
        print_answer(found, as_json)


@rush_hour.command()
@source_options
@click.option("--number", type=click.IntRange(1, 10_000), default=1, show_default=True, help="How many to draw.")
@as_json
@why("rush_hour", "hardest")
def hardest(source: Source, number: int, as_json: bool) -> None:
    """Draw the starts that take the most steps, the hardest first."""
    with announced():
        found = answers.hardest(source.board, source.dataset)[:number]
    _print_starts(found, as_json)


@rush_hour.command()
@source_options
@click.option("--steps", default="1..99", show_default=True, help="How many steps it takes: 25..30, or a number.")
@click.option("--pieces", type=click.IntRange(1, 18), help="How many pieces it has.")
@click.option("--seed", type=click.IntRange(0), help="Draw the same one for the same number.")
@as_json
@why("rush_hour", "hardest")
def random(source: Source, steps: str, pieces: int | None, seed: int | None, as_json: bool) -> None:
    """Draw one of the hardest starts of groups by chance."""
    matched = re.fullmatch(r"([0-9]{1,3})(?:\.\.([0-9]{1,3}))?", steps)
    if matched is None:
        raise BoardspaceError(f"--steps {steps}: write LEAST..MOST, such as 25..30, or a number")
    between = int(matched[1]), int(matched[2] or matched[1])
    with announced(), no_is_an_answer(as_json):
        start = answers.random(source.board, steps=between, pieces=pieces, seed=seed, dataset=source.dataset)
    _print_starts([start], as_json)


def _print_starts(starts: list[Start], as_json: bool) -> None:
    rows = [(start, start.way() or []) for start in starts]
    if as_json:
        print_document([{"board": start.text, "steps": len(way)} for start, way in rows])
        return
    for start, way in rows:
        print_lines([start.text, *str(start).split("\n"), counted(len(way), "step"), ""])


@rush_hour.command()
@click.argument("board")
def play(board: str) -> None:
    """Play BOARD in the terminal, or from a pipe: a line for each move, such as B+2.

    'moves' lists them, 'hint' tells one that leads on, 'undo' takes the last back, 'quit' ends. Exit code 0 when the
    red car is out, else 1.
    """
    game = [parse(text_of(board))]
    print_lines(game[-1].lines())
    for number, line in enumerate(typed_lines(), 1):
        answer = _obeyed(game, line)
        if answer is None and not sys.stdin.isatty():
            raise BoardspaceError(f"line {number}: {line!r} is no move here; 'moves' lists them")
        print_lines(
            [*game[-1].lines(), f"move {len(game) - 1}"] if answer == "" else [answer or f"{line!r} is no move"]
        )
        if game[-1].is_goal:
            return
    if not game[-1].is_goal:
        sys.exit(NOT_RIGHT)


def _obeyed(game: list[Start], line: str) -> str | None:
    """Obey a line of a game, whose boards so far are given: the answer to a question, '' after a move, None of what is
    no move."""
    if line == "hint":
        way = game[-1].way()
        return f"{way[0][0]} ({counted(len(way), 'step')})" if way else NO_WAY
    if line == "undo":
        if len(game) == 1:
            return "there is no move to take back"
        game.pop()
        return ""
    moves = {name: after for name, after, _ in game[-1].moves()}
    if line == "moves":
        return ", ".join(moves)
    if line not in moves:
        return None
    game.append(moves[line])
    return ""
