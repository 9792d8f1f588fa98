"""Commands of every puzzle, ``boardspace PUZZLE show | solve | hardest | random | play``, made when they are asked for.

The name of a puzzle's command is an attribute of this module: ``pocket_cube`` is the group of ``boardspace
pocket-cube``.
"""

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

import click

from boardspace.cli.commands.chosen_dataset import dataset_in
from boardspace.cli.commands.options import existing_folder
from boardspace.cli.commands.questions import (
    as_json,
    no_is_an_answer,
    print_document,
    print_lines,
    text_of,
    typed_lines,
)
from boardspace.cli.exit_codes import NOT_RIGHT
from boardspace.cli.report.compiling import announced
from boardspace.graphs.questions import Answers, answers
from boardspace.graphs.space import PuzzleSpace
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import spaces
from boardspace.spec.wording import counted
from boardspace.storage.locations import located

NO_WAY = "no moves lead to the end"


def __getattr__(name: str) -> click.Group:
    space = spaces().get(name)
    if not isinstance(space, PuzzleSpace):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _group(space)


class _Numbers(click.ParamType):  # type: ignore[type-arg]
    """Numbers by name, such as ``rows=3,columns=4``."""

    name = "NAME=NUMBER,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return them as a mapping; click reports what is none."""
        if not isinstance(value, str):
            return value
        try:
            return {name: int(number) for name, number in (part.split("=") for part in value.split(","))}
        except ValueError:
            return self.fail(f"{value!r} is not of the form rows=3,columns=4", param, ctx)


def _group(space: PuzzleSpace) -> click.Group:
    """The commands of one puzzle."""
    group = click.Group(space.name.replace("_", "-"), help=f"{space.title}: {space.doc}")
    for name, function in (("show", show), ("solve", solve), ("hardest", hardest), ("random", random), ("play", play)):
        group.add_command(click.command(name)(_asked(space.name, function)))
    return group


def _asked(space: str, function: Callable[..., None]) -> Callable[..., None]:
    """A question with the options that choose metric, size and dataset."""

    @wraps(function)
    def asked(metric: str, size: Mapping[str, int] | None, data: Path | None, **options: Any) -> None:
        """Ask."""
        with announced():
            dataset = dataset_in(located(str(data)) if data is not None else None, space)
            function(answers(space, metric, size, dataset), **options)

    # Click collects options in a list on the function, which the questions of all puzzles would share.
    asked.__click_params__ = list(getattr(function, "__click_params__", ()))  # type: ignore[attr-defined]
    for option in (
        as_json,
        click.option("--data", type=existing_folder, help="Take distances from this run or release."),
        click.option("--size", type=_Numbers(), help="The puzzle's size: rows=3,columns=4."),
        click.option("--metric", default="", help="What counts as one move."),
    ):
        asked = option(asked)
    return asked


def _document(asked: Answers, state: int, distance: bool = True) -> dict[str, Any]:
    found = {**asked.case.columns, "state": state, "text": asked.text(state)}
    return found | ({"moves": asked.distance(state)} if distance else {})


def _lines(asked: Answers, state: int) -> list[str]:
    distance = asked.distance(state)
    far = "no moves lead there" if distance is None else counted(distance, "move")
    return [*asked.text(state).split("\n"), f"#{state}, {far}"]


@click.argument("state")
def show(asked: Answers, state: str, as_json: bool) -> None:
    """Draw a state, given by a drawing, a file of one, or # and its number; say how many moves it takes."""
    number = asked.parse(text_of(state))
    if as_json:
        print_document({**_document(asked, number), "choices": dict(asked.moves(number))})
    else:
        print_lines(_lines(asked, number))


@click.argument("state")
@click.option("--boards", is_flag=True, help="Draw the state after each move.")
def solve(asked: Answers, state: str, boards: bool, as_json: bool) -> None:
    """Lead a state to the start, or to a goal, in the fewest moves."""
    number = asked.parse(text_of(state))
    steps = asked.solution(number)
    if as_json:
        solution = [{"move": step.move, "state": step.state, "text": asked.text(step.state)} for step in steps or []]
        reason = {"reason": NO_WAY} if steps is None else {}
        print_document({**_document(asked, number), "solvable": steps is not None, **reason, "solution": solution})
    elif steps is None:
        print_lines([NO_WAY])
    else:
        print_lines([f"{counted(len(steps), 'move')}: {' '.join(step.move for step in steps)}"])
        for step in steps if boards else []:
            print_lines(["", f"{step.move}:", *asked.text(step.state).split("\n")])


@click.option("--number", type=click.IntRange(1, 10_000), default=1, show_default=True, help="How many to draw.")
def hardest(asked: Answers, number: int, as_json: bool) -> None:
    """Draw states that take the most moves."""
    found = asked.hardest(number)
    if as_json:
        print_document([_document(asked, state) for state in found])
    else:
        print_lines("\n\n".join("\n".join(_lines(asked, state)) for state in found).split("\n"))


@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another draws another state.")
@click.option("--moves", type=click.IntRange(0, 254), nargs=2, default=(0, 254), help="Least and most moves it takes.")
def random(asked: Answers, seed: int, moves: tuple[int, int], as_json: bool) -> None:
    """Draw a state by chance."""
    with no_is_an_answer(as_json):
        state = asked.random(seed, *moves)
    if as_json:
        print_document(_document(asked, state))
    else:
        print_lines(_lines(asked, state))


@click.argument("state", required=False)
@click.option("--seed", type=click.IntRange(0), default=0, help="Draws the state, where none is given.")
def play(asked: Answers, state: str | None, seed: int, as_json: bool) -> None:
    """Play in the terminal, or from a pipe: a line for each move, by its name.

    'moves' lists them, 'hint' tells one that leads to the end, 'undo' takes the last back, 'quit' ends. Exit code 0 at
    the end, else 1; in a pipe a line that is no move ends the game, with 2.
    """
    states = [asked.random(seed) if state is None else asked.parse(text_of(state))]
    _print_position(asked, states, as_json)
    for number, line in enumerate(typed_lines(), 1):
        try:
            answer = _obeyed(asked, states, line)
        except BoardspaceError as error:
            if not sys.stdin.isatty():
                raise BoardspaceError(f"line {number}: {error}") from error
            answer = str(error)
        if answer and not as_json:
            print_lines([answer])
        elif answer:
            print_document({"answer": answer})
        else:
            _print_position(asked, states, as_json)
        if asked.is_goal(states[-1]):
            return
    if not asked.is_goal(states[-1]):
        sys.exit(NOT_RIGHT)


def _obeyed(asked: Answers, states: list[int], line: str) -> str:
    """Obey a line of a game, whose states so far are given; the answer to a question, or ''."""
    moves = asked.moves(states[-1])
    if line == "moves":
        return ", ".join(moves)
    if line == "hint":
        steps = asked.solution(states[-1])
        return f"{steps[0].move} ({counted(len(steps), 'move')})" if steps else "no moves lead to the end"
    if line == "undo":
        if len(states) == 1:
            raise BoardspaceError("there is no move to take back")
        states.pop()
    elif line in moves:
        states.append(moves[line])
    else:
        raise BoardspaceError(f"{line!r} is no move here; there are: {', '.join(moves)}")
    return ""


def _print_position(asked: Answers, states: list[int], as_json: bool) -> None:
    if as_json:
        print_document({**_document(asked, states[-1], distance=False), "played": len(states) - 1})
    else:
        print_lines([*asked.text(states[-1]).split("\n"), f"move {len(states) - 1}"])
