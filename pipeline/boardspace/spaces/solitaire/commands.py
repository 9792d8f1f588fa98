"""``boardspace solitaire``: replay, solve, ask and play, drawn in the terminal."""

import re
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boardspace.cli.commands import questions
from boardspace.cli.commands.options import NOT_RIGHT, Folder, option_group
from boardspace.cli.commands.questions import (
    Questions,
    as_json,
    print_answer,
    print_document,
    print_lines,
    read_text,
    search_progress,
    svg_file,
    text_of,
    why,
    write_svg,
)
from boardspace.cli.lines import terminal_width
from boardspace.engine.machine import cpus
from boardspace.spec.deferred import deferred
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted

if TYPE_CHECKING:
    from boardspace.spaces.solitaire import answers, board_files, pictures, playing
    from boardspace.spaces.solitaire import boards as built_boards
    from boardspace.spaces.solitaire.parts.classes import class_counts, queries
    from boardspace.spaces.solitaire.parts.classes.queries import ClassAnswers, NextMove
    from boardspace.spaces.solitaire.parts.games import all_starts
    from boardspace.spaces.solitaire.parts.games import queries as game_queries
    from boardspace_kernels.solitaire.play import Problem
else:  # so that help loads no kernel
    SPACE = "boardspace.spaces.solitaire"
    answers, board_files, built_boards, pictures, playing = deferred(
        SPACE, "answers", "board_files", "boards", "pictures", "playing"
    )
    queries, class_counts, game_queries, all_starts = deferred(
        f"{SPACE}.parts", "classes.queries", "classes.class_counts", "games.queries", "games.all_starts"
    )

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "KI": 2**10, "MI": 2**20, "GI": 2**30}


class PositionText(click.ParamType):  # type: ignore[type-arg]
    """A position as text: hole numbers or a drawing, or the file that holds one."""

    name = "position"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text."""
        return value if re.fullmatch(r"[\d\s,-]+|all but.*", value, re.IGNORECASE) else text_of(value)


board_option = click.option(
    "--board", default="english", show_default=True, help="A shipped board, a board file, or a drawing."
)
problem_option = click.option("--problem", help="A problem of the board's file, such as last_supper.")
start_option = click.option(
    "--start", type=PositionText(), help="Pegs at the start, such as '1 3-5' or 'all but 19', or a drawing."
)
goal_option = click.option("--goal", type=PositionText(), help="Pegs at the end, in the same way.")
dataset_option = click.option(
    "--dataset",
    type=Folder(exists=True),
    help="The solitaire dataset whose bitmaps to read; without one a small class is swept now.",
)
boards_option = click.option("--boards", is_flag=True, help="Draw every position, side by side.")
MOST_MEMORY = 1e18


class Bytes(click.ParamType):  # type: ignore[type-arg]
    """An amount of memory: 500MB, 2GiB."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number of bytes."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMG]i?)?B?", str(value), re.IGNORECASE)
        if match is None:
            self.fail(f"{value!r} is no amount of memory; write 500MB or 2GiB", param, ctx)
        return int(min(float(match[1]), MOST_MEMORY) * UNITS[(match[2] or "").upper()])


task_options = option_group(
    "task",
    lambda board, problem, start, goal: answers.problem(board, problem, start, goal),
    board_option,
    problem_option,
    start_option,
    goal_option,
)


@click.group(cls=Questions)
def solitaire() -> None:
    """Peg solitaire: replay games, solve problems on any board.

    Boards and positions may be drawn, in a file or an argument: o is a peg, x or . a hole without one, # no hole; rows
    are lines, or have / between them. A drawn board with pegs and empty holes is the start, too.

    \b
    boardspace solitaire solve --board '##ooo##/##ooo##/ooooooo/oooxooo/ooooooo/##ooo##/##ooo##' --goal d4
    boardspace solitaire boards
    boardspace solitaire solve --board french --problem last_supper          one of its 15-move solutions
    boardspace solitaire solve --board french --problem last_supper --all    all of them
    boardspace solitaire solve --board triangle15 --start "all but 1" --goal 1
    boardspace solitaire replay --board french --problem last_supper game.txt
    boardspace solitaire games --board triangle15 --start "all but 1"        568,630 games, 29,760 won
    boardspace solitaire class --board french --problem last_supper          from how many positions it still succeeds
    boardspace solitaire position "all but 6 12" --vacancy 19
    boardspace solitaire play
    """


@solitaire.command()
@as_json
def boards(as_json: bool) -> None:
    """List the shipped boards and their problems."""
    found = {name: board_files.load_board(name) for name in answers.boards()}
    if as_json:
        print_document({name: asdict(text) for name, text in found.items()})
        return
    for name, text in found.items():
        click.echo(f"{name}: {text.title}")
        for problem, content in text.problems.items():
            print_lines([f"  {problem}: {content.title} ({content.start} to {content.goal})"])


@solitaire.command()
@task_options
@click.option("--all", "every", is_flag=True, help="List all shortest solutions up to order and symmetry.")
@click.option("--memory", type=Bytes(), default="1GB", show_default=True, help="Give up beyond this much memory.")
@boards_option
@svg_file
@as_json
@why("solitaire", "solutions")
def solve(task: "Problem", every: bool, memory: int, boards: bool, svg: Path | None, as_json: bool) -> None:
    """Find the least number of moves from START to GOAL and a solution with that many, or prove that there is none.

    Prints the moves as replay reads them; with --all a line for each solution.
    """
    with search_progress() as progress:
        found = answers.solve(task, every, memory, progress)
    if found.solvable:
        write_svg(svg, found.games[0].picture)
    if as_json:
        print_document(found.document())
        return
    if not found.solvable:
        click.echo(str(found))
        return
    print_lines(found.games[0].draw(terminal_width()) if boards else str(found).splitlines())
    click.echo(f"# {counted(found.moves, 'move')}, and no fewer")
    if every:
        click.echo(f"# {counted(len(found.games), 'solution')} up to order of moves and symmetry")


@solitaire.command()
@click.argument("game", type=click.File("r", encoding="utf-8"), default="-")
@task_options
@boards_option
@svg_file
@as_json
def replay(game: Any, task: "Problem", boards: bool, svg: Path | None, as_json: bool) -> None:
    """Replay GAME (a file, or - for standard input), one move a line such as 9==>23==>25.

    The first impossible move is named with its reason; exit code 2.
    """
    text = read_text(game)
    try:
        played = answers.replay(task, text)
    except BoardspaceError as error:
        raise BoardspaceError(f"{game.name}: {error}") from error
    if as_json:
        found = {"moves": len(played.moves), "reaches_goal": played.reaches_goal, "pegs": list(played.pegs)}
        print_document(found)
    else:
        last = [*played.boards()][-1]
        print_lines(played.draw(terminal_width()) if boards else [*played.text.splitlines(), *last[1]])
        reached = "reached" if played.reaches_goal else "not reached"
        click.echo(f"{counted(len(played.moves), 'move')}; the goal is {reached}")
    write_svg(svg, played.picture)
    if not played.reaches_goal:
        sys.exit(NOT_RIGHT)


@solitaire.command("class")
@board_option
@problem_option
@start_option
@click.option(
    "--goal",
    "goals",
    type=PositionText(),
    multiple=True,
    help="Pegs at the end; may be given again. Without it one peg is left.",
)
@click.option("--memory", type=Bytes(), default="1GB", show_default=True, help="Give up beyond this much memory.")
@as_json
def count_class(
    board: str, problem: str | None, start: str | None, goals: tuple[str, ...], memory: int, as_json: bool
) -> None:
    """Count the positions that START leads to, those from which a GOAL can be reached, and those that do both.

    START and GOAL are any positions, with pegs on any holes. For the Last Supper this takes a minute and 300 MB.
    """
    print_answer(class_counts.count_class(board, start, goals, problem, memory), as_json)


@solitaire.command()
@board_option
@click.option(
    "--start", type=PositionText(), help="Pegs at the start, such as '1 3-5', or a drawing.  [default: all but 19]"
)
@click.option("--moves", is_flag=True, help="Count games of moves, each known by its ends and the pegs that it takes.")
@click.option("--every-vacancy", "every", is_flag=True, help="Count the games from each vacancy, up to symmetry.")
@click.option("--memory", type=Bytes(), help="With --every-vacancy: give up beyond this much memory.  [default: 2GiB]")
@as_json
@why("solitaire", "games")
def games(board: str, start: str | None, moves: bool, every: bool, memory: int | None, as_json: bool) -> None:
    """Count the games: all ways to jump from START until no jump is possible.

    For the English board this takes 15 to 180 seconds and up to 2 GB of memory. Successive jumps of one peg are one
    move. If moves differ by any hole that they visit, there are as many games of moves as of jumps. With --moves, for
    small boards, two moves count as one if the peg begins and ends in the same holes and takes the same pegs.
    """
    if every and moves:
        raise BoardspaceError("--every-vacancy counts games of jumps; leave --moves out, or ask for one start")
    if every and start is not None:
        raise BoardspaceError("--every-vacancy counts the games of every start; leave --start out")
    if memory is not None and not every:
        raise BoardspaceError("--memory is for --every-vacancy; leave it out")
    start = start or board_files.drawn_start(board) or "all but 19"
    allowed = {} if memory is None else {"memory": memory}
    with search_progress() as progress:
        found = (
            all_starts.count_games_of_board(board, threads=cpus(), progress=progress, **allowed)
            if every
            else game_queries.count_move_games(board, start)
            if moves
            else game_queries.count_games(board, start)
        )
    print_answer(found, as_json)


@solitaire.command()
@board_option
@click.option("--vacancy", type=int, help="The hole that is empty at first; without it one of each orbit of holes.")
@click.option("--survivor", type=int, help="The hole of the last peg; without it every hole.")
@as_json
def problems(board: str, vacancy: int | None, survivor: int | None, as_json: bool) -> None:
    """Count the games from one vacancy to one last peg: all games, paths of positions, sets of jumps, and the luck.

    The luck is the chance that random jumps make such a game; --json has it as an exact fraction. Of problems that
    symmetries exchange one is counted, and those that no game solves are left out. The central game of the English
    board takes half a minute, larger ones some minutes. The sets of jumps of 11 to 11 were too many to count so far.
    """
    with search_progress() as progress:
        found = game_queries.count_problems(board, vacancy, survivor, progress)
    print_answer(found, as_json)


@solitaire.command()
@click.argument("pegs", type=PositionText())
@board_option
@click.option("--vacancy", type=int, required=True, help="The hole that was empty at the start.")
@dataset_option
@click.option("--moves", is_flag=True, help="Also say the least moves to win, now and after each next move.")
@as_json
@why("solitaire", "classes/{board}-{vacancy}/{set}")
def position(pegs: str, board: str, vacancy: int, dataset: Path | None, moves: bool, as_json: bool) -> None:
    """Say whether a position, PEGS such as '1 3-5' or 'all but 6 12', can be reached and can still win.

    To win is to be left with one peg, anywhere. For each next jump it says whether the game can still be won after it.
    Least moves, to one peg and to one in the vacancy, come from a dataset that has them (hints), for the positions of
    its games. For small boards they are computed now, and for larger ones with --moves, which takes many seconds and
    2 GB of memory for the English board.
    """
    stored = queries.answers_from(dataset, board, vacancy) if dataset else None
    known = stored or queries.answers_now(board, vacancy, moves=moves or None)
    _require_moves(known, dataset, moves)
    answer = known.ask(built_boards.parse_position(known.vacancy.board, pegs))
    if as_json:
        print_document(answer.document())
        return
    print_lines(pictures.lines(known.vacancy.board, answer.position))
    click.echo(f"{'can' if answer.reachable else 'cannot'} be reached from all but {vacancy}")
    click.echo(f"{'can' if answer.can_win else 'cannot'} be reduced to one peg")
    for jump in answer.jumps:
        click.echo(f"{jump.begin}==>{jump.end}  {'wins' if jump.can_win else 'loses'}")
    for left, goal in ((answer.moves_to_win, "one peg"), (answer.moves_to_return, f"one peg in {vacancy}")):
        if left is not None:
            click.echo(f"{counted(left, 'move')} to {goal}, and no fewer")
    for move in answer.moves:
        click.echo(f"{move.move}  {_then(move, vacancy)}")


def _then(move: "NextMove", vacancy: int) -> str:
    if move.moves_to_win is None:
        return "loses"
    returning = "" if move.moves_to_return is None else f" ({move.moves_to_return} to {vacancy})"
    return f"then {move.moves_to_win} more{returning}"


@solitaire.command()
@board_option
@click.option("--vacancy", type=int, help="The hole that is empty at first; without it the middle, or hole 1.")
@dataset_option
@click.option("--moves", is_flag=True, help="Find the least moves to win; for the English board this takes 2 GB.")
def play(board: str, vacancy: int | None, dataset: Path | None, moves: bool) -> None:
    """Play in the terminal, or from a pipe: a line for each move, such as '6 19' or '9==>23==>25'.

    'hint' tells which moves keep one peg in reach, or lead there soonest where least moves are known (of small boards,
    with --moves, or from a dataset with hints); 'undo' takes a move back, 'help' shows the numbers of the holes, 'quit'
    ends. For large boards hints need --dataset. Exit code 0 where one peg is left at the end, and 1 where there are
    more; in a pipe a line that cannot be obeyed ends the game, with 2.
    """
    game = playing.begin(board, vacancy, dataset, moves or None)
    _require_moves(game.known, dataset, moves)
    if vacancy is None:
        click.echo(f"{board}: hole {game.vacancy} is empty at first; --vacancy names another", err=True)
    if sys.stdin.isatty():
        print_lines(game.explained())
    print_lines(game.shown())
    if game.known is None:
        click.echo(f"{board}: too large for hints; a dataset with its classes has them (--dataset)", err=True)
    questions.play(lambda line: print_lines(game.obey(line)), lambda: game.is_over, lambda: game.pegs == 1)


def _require_moves(known: "ClassAnswers | None", dataset: Path | None, moves: bool) -> None:
    if dataset and moves and known and not known.left:
        raise BoardspaceError(
            f"{dataset}: no least moves of positions; make it with hints in its config, or ask without --dataset"
        )
