"""``boardspace rush-hour``: boards shown, solved and played, and the hardest starts."""

import click

from boardspace.cli.commands import questions
from boardspace.cli.commands.options import RANGE, data_option, dataset_in, option_group
from boardspace.cli.commands.questions import (
    Questions,
    Shown,
    as_json,
    metric_option,
    no_is_an_answer,
    print_answer,
    print_document,
    print_lines,
    print_solution,
    shown_options,
    text_of,
    why,
)
from boardspace.release.datasets import Dataset
from boardspace.spaces.rush_hour import answers
from boardspace.spaces.rush_hour.answers import NO_WAY, Start, parse

listed_option = option_group(
    "listed",
    lambda board, data: (board, dataset_in(data, "rush_hour")),
    click.option("--board", default="5x5-2", show_default=True, help="Sides, row of the red car from 0, and walls."),
    data_option(help="Take the starts from this run or release; 6x6-2 and walls need it."),
)


@click.group("rush-hour", cls=Questions)
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
@metric_option
@as_json
def show(board: str, metric: str, as_json: bool) -> None:
    """Draw BOARD, and say how many moves it takes, and what its group has."""
    start = parse(text_of(board))
    found = answers.group(start, metric=metric)
    if as_json:
        print_document({"board": start.text, "solvable": found.moves is not None, **found.document()})
    else:
        print_lines([*start.lines(), *str(found).split("\n"), *([NO_WAY] if found.moves is None else [])])


@rush_hour.command()
@click.argument("board")
@metric_option
@shown_options
def solve(board: str, metric: str, shown: Shown) -> None:
    """Bring the red car of BOARD to the right end in the fewest moves: letter and cells, + is right or down."""
    print_solution(answers.solve(text_of(board), metric=metric), NO_WAY, shown)


@rush_hour.command()
@click.argument("board")
@as_json
def hardness(board: str, as_json: bool) -> None:
    """Measure BOARD beside its length: forced moves, choices, detours, lures, blind ends, luck of a random walk."""
    print_answer(answers.hardness(text_of(board)), as_json, NO_WAY)


@rush_hour.command()
@listed_option
@click.option("--number", type=click.IntRange(1, 10_000), default=1, show_default=True, help="How many to draw.")
@as_json
@why("rush_hour", "hardest")
def hardest(listed: tuple[str, Dataset | None], number: int, as_json: bool) -> None:
    """Draw the starts that take the most steps, the hardest first."""
    _print_starts(answers.hardest(*listed)[:number], as_json)


@rush_hour.command()
@listed_option
@click.option("--steps", type=RANGE, default="1..99", show_default=True, help="How many steps: 25..30, or 25.")
@click.option("--pieces", type=int, help="How many pieces it has.")
@click.option("--seed", type=int, help="Draw the same one for the same number.")
@as_json
@why("rush_hour", "hardest")
def random(
    listed: tuple[str, Dataset | None], steps: tuple[int, int], pieces: int | None, seed: int | None, as_json: bool
) -> None:
    """Draw one of the hardest starts of groups by chance."""
    with no_is_an_answer(as_json):
        start = answers.random(listed[0], steps=steps, pieces=pieces, seed=seed, dataset=listed[1])
    _print_starts([start], as_json)


def _print_starts(starts: list[Start], as_json: bool) -> None:
    found = [(start, answers.solve(start)) for start in starts]
    if as_json:
        print_document([{"board": start.text, "steps": way and len(way.moved)} for start, way in found])
        return
    for start, way in found:
        print_lines([start.text, *start.lines(), way.length if way else NO_WAY, ""])


@rush_hour.command()
@click.argument("board")
def play(board: str) -> None:
    """Play BOARD in the terminal, or from a pipe: a line for each move, such as B+2.

    'moves' lists them, 'hint' tells one that leads on, 'undo' takes the last back, 'quit' ends. Exit code 0 when the
    red car is out, else 1.
    """
    game = questions.Game(
        [parse(text_of(board))],
        lambda board: {name: after for name, after, _ in answers.moves(board).choices},
        lambda board: f"{found.moved[0]} ({found.length})" if (found := answers.solve(board)) else NO_WAY,
    )

    def obey(line: str) -> None:
        answer = game.obey(line)
        print_lines([answer] if answer else [*game.states[-1].lines(), f"move {len(game.states) - 1}"])

    print_lines(game.states[-1].lines())
    questions.play(obey, lambda: game.states[-1].is_goal, lambda: game.states[-1].is_goal)
