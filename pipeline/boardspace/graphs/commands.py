"""Commands of every puzzle, made when they are asked for: ``boardspace PUZZLE show``, ``solve``, ``path``, ``hardest``,
``random``, ``play``, ``export``, and those of its author.

The name of a puzzle's command is an attribute of this module: ``pocket_cube`` is the group of ``boardspace
pocket-cube``.
"""

import re
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

import click

from boardspace.cli.commands import questions
from boardspace.cli.commands.options import RANGE, data_option, dataset_in
from boardspace.cli.commands.questions import (
    Game,
    Questions,
    Shown,
    animate_boards,
    animate_option,
    as_json,
    no_is_an_answer,
    print_answer,
    print_document,
    print_lines,
    svg_file,
    text_of,
    write_svg,
)
from boardspace.cli.drawing import gallery
from boardspace.graphs.answers import Answers, Way
from boardspace.graphs.edges import batches_of, write_edges
from boardspace.graphs.questions import answers, numbers_of
from boardspace.graphs.space import PuzzleSpace
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import spaces
from boardspace.spec.texts import counted
from boardspace.storage.locations import Location
from boardspace_kernels.graph.dense import FARTHEST

NO_WAY = "no moves lead to the end"


def __getattr__(name: str) -> click.Group:
    space = spaces().get(name)
    if not isinstance(space, PuzzleSpace):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _group(space)


class _OfStates(click.Command):
    """A command whose arguments may be drawings that begin with ``-``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See :class:`click.Command`; all but -- and a letter, and -h, begins a drawing."""
        ctx.help_option_names = ["--help"]
        if any(re.match("-(?!-[a-z])", one) for one in args):
            ctx.ignore_unknown_options = True
        return super().parse_args(ctx, ["--help" if one == "-h" else one for one in args])


def _group(space: PuzzleSpace) -> click.Group:
    assert space.puzzle is not None
    commands = Questions(space.name.replace("_", "-"), help=f"{space.title}: {space.doc}")
    functions: tuple[Callable[..., None], ...] = (show, solve, group, hardness, path, hardest, random, play, export)
    for function in (*functions, *map(_printed, space.puzzle.commands)):
        name = function.__name__.replace("_", "-")
        commands.add_command(click.command(name, cls=_OfStates)(_asked(space.name, function)))
    return commands


def _printed(function: Callable[..., Any]) -> Callable[..., None]:
    """A command of an author, which returns its answer, as one that prints it."""

    @wraps(function)
    def printed(asked: Answers, as_json: bool, **options: Any) -> None:
        answer = function(asked, **options)
        if as_json:
            print_document(answer)
        elif isinstance(answer, Mapping):
            print_lines(f"{name}: {value}" for name, value in answer.items())
        else:
            print_lines(map(str, answer) if isinstance(answer, list | tuple) else str(answer).split("\n"))

    return printed


def _asked(space: str, function: Callable[..., None]) -> Callable[..., None]:

    @wraps(function)
    def asked(metric: str, size: str | None, data: Location | str | None, **options: Any) -> None:
        numbers = None if size is None else numbers_of(size)
        function(answers(space, metric, numbers, dataset_in(data, space)), **options)

    # Click collects options in a list on the function, which the questions of all puzzles would share.
    asked.__click_params__ = list(getattr(function, "__click_params__", ()))  # type: ignore[attr-defined]
    for option in (
        as_json,
        data_option(help="Take distances from this run or release, or the one at an address."),
        click.option(
            "--size", metavar="NAME=NUMBER,...", help="The puzzle's size: rows=3,columns=4 [the last it has]."
        ),
        click.option("--metric", default="", help="What counts as one move."),
    ):
        asked = option(asked)
    return asked


def _document(asked: Answers, state: int, distance: bool = True) -> dict[str, Any]:
    found = {**asked.case.columns, "state": state, "text": asked.text(state)}
    if not distance:
        return found
    found["moves"] = asked.distance(state)
    return found | ({"to_goal": asked.moves_left(state)} if asked.puzzle.has_goals else {})


def _lines(asked: Answers, state: int) -> list[str]:
    distance = asked.distance(state)
    far = "no moves lead there" if distance is None else counted(distance, "move")
    if asked.puzzle.has_goals:
        left = asked.moves_left(state)
        far += f" from the start, {'no goal can be reached' if left is None else f'{left} to a goal'}"
    return [*asked.text(state).split("\n"), f"#{state}, {far}"]


state_argument = click.argument("state")
boards_option = click.option("--boards", is_flag=True, help="Draw the state after each move.")


@state_argument
@svg_file
def show(asked: Answers, state: str, svg: Path | None, as_json: bool) -> None:
    """Draw a state, given by a drawing, a file of one, or # and its number; say how many moves it takes.

    Where there are goals, these are its moves from the start (in JSON: moves) and to a goal (to_goal, null where none
    can be reached).
    """
    number = asked.parse(text_of(state))
    if as_json:
        print_document({**_document(asked, number), "choices": dict(asked.moves(number))})
    else:
        print_lines(_lines(asked, number))
    write_svg(svg, lambda: asked.picture(number))


@state_argument
@boards_option
@animate_option
@svg_file
def solve(asked: Answers, state: str, boards: bool, animate: bool, svg: Path | None, as_json: bool) -> None:
    """Lead a state to the start, or to a goal, in the fewest moves."""
    number = asked.parse(text_of(state))
    steps = asked.solution(number)
    if as_json:
        print_document({**_document(asked, number), **_way(asked, steps)})
    _show_way(steps, Shown(boards, animate, svg, as_json))


@state_argument
def group(asked: Answers, state: str, as_json: bool) -> None:
    """Say how many states moves join to a state, how many of them are goals, and how many moves the hardest take."""
    print_answer(asked.figures(asked.parse(text_of(state))), as_json)


@state_argument
def hardness(asked: Answers, state: str, as_json: bool) -> None:
    """Measure a state beside the number of its moves: forced moves, choices, blind ends, luck of a random walk."""
    print_answer(asked.hardness(asked.parse(text_of(state))), as_json, NO_WAY)


@click.argument("start")
@click.argument("end")
@boards_option
@animate_option
@svg_file
def path(asked: Answers, start: str, end: str, boards: bool, animate: bool, svg: Path | None, as_json: bool) -> None:
    """Lead a state to any other in the fewest moves; a state is given as for show."""
    states = [asked.parse(text_of(state)) for state in (start, end)]
    steps = asked.path(*states)
    if as_json:
        ends = [_document(asked, state, distance=False) for state in states]
        print_document({"start": ends[0], "end": ends[1], "moves": steps and len(steps), **_way(asked, steps)})
    _show_way(steps, Shown(boards, animate, svg, as_json))


def _way(asked: Answers, steps: Way | None) -> dict[str, Any]:
    solution = [{"move": step.move, "state": step.state, "text": asked.text(step.state)} for step in steps or []]
    reason = {"reason": NO_WAY} if steps is None else {}
    return {"solvable": steps is not None, **reason, "solution": solution}


def _show_way(steps: Way | None, shown: Shown) -> None:
    if steps is None:
        print_lines([] if shown.as_json else [NO_WAY])
        return
    write_svg(shown.svg, steps.picture)
    if shown.as_json:
        return
    if shown.animate:
        animate_boards((caption, steps.asked.text(state).split("\n")) for caption, state in steps.captioned())
        return
    between = ", " if any(" " in step.move for step in steps) else " "
    print_lines([f"{counted(len(steps), 'move')}: {between.join(step.move for step in steps)}".rstrip(": ")])
    for step in steps if shown.boards else []:
        print_lines(["", f"{step.move}:", *steps.asked.text(step.state).split("\n")])


@click.option("--number", type=click.IntRange(1, 10_000), default=1, show_default=True, help="How many to draw.")
@svg_file
def hardest(asked: Answers, number: int, svg: Path | None, as_json: bool) -> None:
    """Draw states that take the most moves: from the start, or to a goal where states are in classes."""
    found = asked.hardest(number)
    if as_json:
        print_document([_document(asked, state) for state in found])
    else:
        print_lines("\n\n".join("\n".join(_lines(asked, state)) for state in found).split("\n"))
    write_svg(svg, lambda: gallery([*map(asked.picture, found)], [f"#{state}" for state in found]))


@click.option("--seed", default=0, show_default=True, help="Another draws another state.")
@click.option(
    "--moves",
    type=RANGE,
    default=f"0..{FARTHEST}",
    help="How many moves it takes, to a goal where there are some: 5..9, or 5.",
)
@svg_file
def random(asked: Answers, seed: int, moves: tuple[int, int], svg: Path | None, as_json: bool) -> None:
    """Draw a state by chance."""
    with no_is_an_answer(as_json):
        state = asked.random(seed, *moves)
    if as_json:
        print_document(_document(asked, state))
    else:
        print_lines(_lines(asked, state))
    write_svg(svg, lambda: asked.picture(state))


@click.argument("state", required=False)
@click.option("--seed", default=0, help="Draws the state, where none is given.")
def play(asked: Answers, state: str | None, seed: int, as_json: bool) -> None:
    """Play in the terminal, or from a pipe: a line for each move, by its name.

    'moves' lists them, 'hint' tells one that leads to the end, 'undo' takes the last back, 'quit' ends. Exit code 0 at
    the end, else 1; in a pipe a line that is no move ends the game, with 2.
    """

    def hint(state: int) -> str:
        steps = asked.solution(state)
        return f"{steps[0].move} ({counted(len(steps), 'move')})" if steps else NO_WAY

    game = Game([asked.random(seed) if state is None else asked.parse(text_of(state))], asked.moves, hint)

    def obey(line: str) -> None:
        answer = game.obey(line)
        if not answer:
            _print_position(asked, game.states, as_json)
        elif as_json:
            print_document({"answer": answer})
        else:
            print_lines([answer])

    def is_over() -> bool:
        return asked.is_goal(game.states[-1])

    _print_position(asked, game.states, as_json)
    questions.play(obey, is_over, is_over)


def _print_position(asked: Answers, states: list[int], as_json: bool) -> None:
    if as_json:
        print_document({**_document(asked, states[-1], distance=False), "played": len(states) - 1})
    else:
        print_lines([*asked.text(states[-1]).split("\n"), f"move {len(states) - 1}"])


@click.option(
    "--edges",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    required=True,
    help="Write rows of moves to FILE.parquet, or a graph to FILE.graphml.",
)
@click.option("--around", metavar="STATE", help="Only states that moves lead to from this one.")
@click.option("--radius", type=click.IntRange(0), help="Of these, only those at most so many moves away.")
@click.option("--label", type=click.IntRange(0), help="Only the class of this label, where states are in classes.")
@click.option("--names", is_flag=True, help="Name the moves in Parquet as well; that is slow.")
def export(
    asked: Answers, edges: Path, around: str | None, radius: int | None, label: int | None, names: bool, as_json: bool
) -> None:
    """Write the graph: a row for each move, the state and that which it leads to.

    \b
    export --edges moves.parquet                           all states
    export --edges near.graphml --around "#0" --radius 2   a ball, drawn and named
    """
    if edges.suffix not in (".parquet", ".graphml"):
        raise BoardspaceError(f"--edges {edges}: its name ends in .parquet or .graphml, which says what is written")
    if radius is not None and around is None:
        raise BoardspaceError("--radius: around which state? name it with --around")
    if label is not None and around is not None:
        raise BoardspaceError("--label and --around: name one of them")
    centre = None if around is None else asked.parse(text_of(around))
    written = write_edges(asked, edges, batches_of(asked, centre, radius, label), names)
    if as_json:
        print_document({"file": str(edges), "moves": written})
    else:
        print_lines([f"{edges}: {counted(written, 'move')}"])
