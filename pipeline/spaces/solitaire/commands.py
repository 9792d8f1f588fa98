"""``boardspace solitaire``: replay and solve, drawn in the terminal."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boardspace.pipeline.errors import BoardspaceError
from boardspace.pipeline.shipped import BOARDS, shipped_names
from boardspace.pipeline.spaces.solitaire.boards import build_board, build_problem, load_board

if TYPE_CHECKING:
    from boardspace.kernels.solitaire.board import Board
    from boardspace.kernels.solitaire.play import Move
    from boardspace.kernels.solitaire.problem import Problem
    from boardspace.kernels.solitaire.search import Meeting

PEG, HOLE = "●", "·"
MOST_POSITIONS = 50_000_000

board_option = click.option("--board", default="english", show_default=True, help="A shipped board, or a board file.")
problem_option = click.option("--problem", help="A problem of the board's file, such as last_supper.")
start_option = click.option("--start", help="Pegs at the start, such as '1 3-5' or 'all but 19'.")
goal_option = click.option("--goal", help="Pegs at the end, in the same way.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.group()
def solitaire() -> None:
    """Peg solitaire: replay games, solve problems on any board.

    \b
    boardspace solitaire boards
    boardspace solitaire solve --board french --problem last_supper
    boardspace solitaire solve --board triangle15 --start "all but 1" --goal 1
    boardspace solitaire replay --board french --problem last_supper game.txt
    """


@solitaire.command()
@json_option
def boards(as_json: bool) -> None:
    """List the shipped boards and their problems."""
    found = {name: load_board(name) for name in shipped_names(BOARDS)}
    if as_json:
        click.echo(json.dumps({name: text.model_dump(mode="json") for name, text in found.items()}, indent=1))
        return
    for name, text in found.items():
        click.echo(f"{name}: {text.title}")
        for problem, content in text.problems.items():
            click.echo(f"  {problem}: {content.title} ({content.start} to {content.goal})")


@solitaire.command()
@board_option
@problem_option
@start_option
@goal_option
@click.option("--all", "every", is_flag=True, help="List all shortest solutions up to order and symmetry.")
@click.option("--most-positions", default=MOST_POSITIONS, show_default=True, help="Give up beyond this many positions.")
@json_option
def solve(
    board: str,
    problem: str | None,
    start: str | None,
    goal: str | None,
    every: bool,
    most_positions: int,
    as_json: bool,
) -> None:
    """Find the least number of moves from START to GOAL and a solution with that many, or prove that there is none."""
    from boardspace.kernels.solitaire.play import Play
    from boardspace.kernels.solitaire.search import SearchTooLargeError, Unsolvable, meet
    from boardspace.kernels.solitaire.solutions import TooManySolutionsError
    from boardspace.kernels.solitaire.solve import first_game

    task = _problem(board, problem, start, goal)
    try:
        found = meet(task, most_positions)
        if isinstance(found, Unsolvable):
            _say_unsolvable(found, as_json)
            return
        games = _all_games(found) if every else [first_game(found)]
    except (SearchTooLargeError, TooManySolutionsError) as error:
        raise BoardspaceError(str(error)) from error
    play = Play(task.board)
    texts = [[play.format(move) for move in game] for game in games]
    if as_json:
        click.echo(json.dumps({"solvable": True, "moves": found.length, "solutions": texts}, indent=1))
        return
    _draw_game(task.board, play.replay(task.start, games[0]), texts[0])
    click.echo(f"{found.length} moves, and no fewer")
    if every:
        click.echo(f"{len(texts):,} solution(s) up to order of moves and symmetry")
        for number, text in enumerate(texts, 1):
            click.echo(f"{number}: {', '.join(text)}")


def _all_games(found: "Meeting") -> "list[tuple[Move, ...]]":
    from boardspace.kernels.solitaire.solutions import Solutions

    return [solution.moves for solution in Solutions(found.problem, found.shortest_layers()).essential]


@solitaire.command()
@click.argument("game", type=click.File("r"), default="-")
@board_option
@problem_option
@start_option
@goal_option
@json_option
def replay(game: Any, board: str, problem: str | None, start: str | None, goal: str | None, as_json: bool) -> None:
    """Replay GAME (a file, or - for standard input), one move a line such as 9==>23==>25.

    The first impossible move is named with its reason; exit code 2.
    """
    from boardspace.kernels.solitaire.board import BoardError
    from boardspace.kernels.solitaire.play import MoveError, Play, parse_solution

    task = _problem(board, problem, start, goal)
    play = Play(task.board)
    try:
        moves = parse_solution(play, game.read())
        positions = play.replay(task.start, moves)
    except (MoveError, BoardError, UnicodeDecodeError) as error:
        raise BoardspaceError(f"{game.name}: {error}") from error
    reached = positions[-1] == task.goal
    texts = [play.format(move) for move in moves]
    if as_json:
        pegs = list(task.board.pegs(positions[-1]))
        click.echo(json.dumps({"moves": len(moves), "reaches_goal": reached, "pegs": pegs}))
    else:
        _draw_game(task.board, positions, texts)
        click.echo(f"{len(moves)} moves; the goal is {'reached' if reached else 'not reached'}")
    if not reached:
        sys.exit(1)


def _problem(board: str, problem: str | None, start: str | None, goal: str | None) -> "Problem":
    text = load_board(board)
    built = build_board(Path(board).stem, text)
    if problem is None and (start is None or goal is None) and len(text.problems) == 1:
        problem = next(iter(text.problems))
    if problem is not None:
        if problem not in text.problems:
            raise BoardspaceError(f"{board}: no problem {problem!r}; it has: {', '.join(text.problems) or 'none'}")
        named = text.problems[problem]
        start, goal = start or named.start, goal or named.goal
    if start is None or goal is None:
        raise BoardspaceError(f"give --start and --goal, or --problem (one of: {', '.join(text.problems) or 'none'})")
    return build_problem(built, start, goal)


def _say_unsolvable(found: Any, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"solvable": False, "reason": found.reason, "positions": found.positions}))
    else:
        click.echo(f"no solution: {found.reason} ({found.positions:,} positions up to symmetry)")


def _draw_game(board: "Board", positions: list[int], moves: list[str]) -> None:
    for number, position in enumerate(positions):
        click.echo(f"({number}) {moves[number - 1]}" if number else "start")
        click.echo(draw(board, position))
        click.echo()


def draw(board: "Board", position: int) -> str:
    """A position as lines of pegs and holes; rows of a triangular grid are shifted by half a place each."""
    bottom = max(row for row, _ in board.cells)
    right = max(column for _, column in board.cells)
    index = {cell: hole for hole, cell in enumerate(board.cells)}
    lines = []
    for row in range(bottom + 1):
        places = [index.get((row, column)) for column in range(right + 1)]
        text = " ".join(" " if hole is None else PEG if position >> hole & 1 else HOLE for hole in places)
        lines.append(" " * (bottom - row if board.grid == "triangular" else 0) + text.rstrip())
    return "\n".join(lines)
