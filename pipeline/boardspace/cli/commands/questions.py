"""Shared by commands that answer questions: options, drawings to files, texts from files or standard input, games."""

import functools
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TextIO, TypeVar

import click

from boardspace.cli.commands.options import DONE, NOT_RIGHT, option_group
from boardspace.cli.drawing import Picture, gallery
from boardspace.cli.lines import broken, side_by_side, terminal_width
from boardspace.cli.notices import announced, complain, duration
from boardspace.spec.deferred import deferred
from boardspace.spec.errors import BoardspaceError, NothingFoundError
from boardspace.spec.texts import decoded

if TYPE_CHECKING:
    from boardspace.spec.slides import Solution
    from boardspace.storage import files
    from boardspace.verify import coverage
else:
    (coverage,) = deferred("boardspace.verify", "coverage")
    (files,) = deferred("boardspace.storage", "files")

WHY = "Also say why the answer holds: all cases were made, a theorem covers them, or it is an example or a sample."
LONGEST_LINE = 1000
"""Characters that a line of a game may have."""
LONGEST_TEXT = 1 << 24
"""Bytes that a file given to a question may have, unless what it holds is known to need more."""

SECONDS_PER_BOARD = 0.6

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
metric_option = click.option(
    "--metric",
    type=click.Choice(["step", "unit"]),
    default="step",
    show_default=True,
    help="What counts as one move: a piece moved any way, or by one cell (unit).",
)
animate_option = click.option("--animate", is_flag=True, help="Play it in the terminal.")
svg_file = click.option(
    "--svg", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Also write the drawing to FILE."
)

S = TypeVar("S")


class Questions(click.Group):
    """Commands that answer questions: where kernels have to be compiled for one, this is announced."""

    def invoke(self, ctx: click.Context) -> Any:
        with announced():
            return super().invoke(ctx)


def why(space: str, content: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Option ``--why`` of a command whose answer is a row of a table of the space, or a cell of an array.

    It also prints on what ground the answer stands; with ``--json`` to standard error, so that the output is one
    document.
    """

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option("--why", "with_reason", is_flag=True, help=WHY)
        @functools.wraps(command)
        def answering(*, with_reason: bool, **options: Any) -> None:
            command(**options)
            if with_reason:
                click.echo(coverage.provenance(space, content), err=bool(options.get("as_json")))

        return answering

    return decorated


def print_document(document: Any) -> None:
    """Print a value as one line of JSON, in ASCII where standard output lacks one of its letters."""
    text = json.dumps(document, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document)
    click.echo(text)


def print_lines(lines: Iterable[str]) -> None:
    """Print line by line: something large is never one string. What is wider than a terminal is broken at blanks; files
    and pipes get lines as they are."""
    width = terminal_width() if sys.stdout.isatty() else None
    for line in lines:
        click.echo(line if width is None else broken(line, width))


def print_answer(answer: Any, as_json: bool, no: str = "") -> None:
    """Print an answer as text, or as one line of JSON; ``no`` is the sentence that says that there is none."""
    if answer is None:
        print_no(no, as_json)
    elif as_json:
        print_document(answer.document())
    else:
        print_lines(str(answer).splitlines())


def print_no(reason: str, as_json: bool) -> None:
    """Print that what was asked for does not exist, in the same way for every space. That is an answer, no error."""
    if as_json:
        print_document({"solvable": False, "reason": reason})
    else:
        click.echo(reason)


@contextmanager
def no_is_an_answer(as_json: bool) -> Iterator[None]:
    """End the command with that answer, and with exit code 0, where nothing of the kind exists."""
    try:
        yield
    except NothingFoundError as nothing:
        print_no(str(nothing), as_json)
        sys.exit(DONE)


def animate_boards(boards: Iterable[tuple[str, Sequence[str]]]) -> None:
    """Draw board over board, each below its caption; where the output is no terminal, one below the other."""
    live, drawn = sys.stdout.isatty(), 0
    for caption, lines in boards:
        if drawn and live:
            time.sleep(SECONDS_PER_BOARD)
            click.echo(f"\x1b[{drawn}A", nl=False)
        print_lines([f"{caption}\x1b[K" if live else caption, *lines])
        drawn = len(lines) + 1


def write_svg(file: Path | None, drawn: Callable[[], Picture]) -> None:
    """Write the picture that ``drawn`` draws where a file was asked for."""
    if file is not None:
        picture = drawn().svg().encode()
        files.write_out(file, lambda stream: stream.write(picture))


@dataclass(frozen=True)
class Shown:
    """Display of a solution: its boards drawn, played in the terminal, drawn to a file; or as JSON."""

    boards: bool
    animate: bool
    svg: Path | None
    as_json: bool


shown_options = option_group(
    "shown",
    Shown,
    click.option("--boards", is_flag=True, help="Draw every position on the way, side by side."),
    animate_option,
    svg_file,
    as_json,
)


def print_solution(found: "Solution[Any] | None", no: str, shown: Shown) -> None:
    """Print a solution of a board whose pieces slide; ``no`` is the sentence that says that there is none."""
    print_answer(found, shown.as_json, no)
    if found is None:
        return
    captions = ["start", *(f"{number}: {name}" for number, name in enumerate(found.moved, 1))]
    write_svg(shown.svg, lambda: gallery([board.picture() for board in found.boards], captions))
    if shown.boards and not shown.as_json:
        print_lines(side_by_side([board.lines() for board in found.boards], terminal_width()))
    if shown.animate and not shown.as_json:
        numbered = enumerate(found.boards)
        animate_boards((f"{number} of {found.length}", board.lines()) for number, board in numbered)


def read_text(file: TextIO, most: int = LONGEST_TEXT) -> str:
    """All of a stream, which may be a device without an end; BoardspaceError where it is no text in UTF-8, or has more
    than ``most`` bytes."""
    content = file.buffer.read(most + 1)
    if len(content) > most:
        raise BoardspaceError(f"{file.name}: longer than {most:,} bytes, which is more than can be meant")
    return decoded(content, file.name)


@contextmanager
def search_progress(clock: Callable[[], float] = time.monotonic) -> Iterator[Callable[[str], None]]:
    """Show how far a search is, on standard error; where that is no terminal by a line after ten seconds, and others
    after twice as long each."""
    if not sys.stderr.isatty():
        yield _ever_more_seldom(clock)
        return
    from rich.console import Console  # slow to import, and seldom needed
    from rich.status import Status

    with Status("searching", console=Console(stderr=True)) as status:
        yield status.update


def _ever_more_seldom(clock: Callable[[], float]) -> Callable[[str], None]:
    started, due = clock(), 10

    def tell(text: str) -> None:
        nonlocal due
        if (seconds := clock() - started) >= due:
            complain(f"{text} ({duration(seconds)})")
            due = 2 * int(seconds)

    return tell


def text_of(argument: str) -> str:
    """The text that an argument stands for: standard input for -, a file's where there is one, else itself."""
    if argument == "-":
        return read_text(sys.stdin)
    try:
        if "\n" not in argument and Path(argument).is_file():
            with Path(argument).open(encoding="utf-8") as stream:
                return read_text(stream)
    except (OSError, ValueError):  # no path at all: a name with too many or odd signs
        return argument
    return argument


def typed_lines() -> Iterator[str]:
    """The lines of standard input up to its end, or to ``quit``; those of a terminal are asked for."""
    while True:
        if sys.stdin.isatty():
            click.echo("> ", nl=False, err=True)
        try:
            line = sys.stdin.readline(LONGEST_LINE)
        except UnicodeDecodeError:
            raise BoardspaceError("standard input: not a text file in UTF-8") from None
        typed = line.removeprefix("\ufeff").strip()  # a file that is piped may begin with a byte order mark
        if not line or typed in ("quit", "q"):
            return
        if typed:
            yield typed


def play(obey: Callable[[str], None], is_over: Callable[[], bool], is_won: Callable[[], bool]) -> None:
    """Obey the lines of standard input until the game is over, or they end. The exit code is 1 where it is not won.

    obey: raises BoardspaceError for a line that cannot be obeyed; a pipe ends the game there, a terminal may go on.
    """
    for number, line in enumerate(() if is_over() else typed_lines(), 1):
        try:
            obey(line)
        except BoardspaceError as error:
            if not sys.stdin.isatty():
                raise BoardspaceError(f"line {number}: {error}") from error
            click.echo(str(error), err=True)
        if is_over():
            break
    if not is_won():
        sys.exit(NOT_RIGHT)


@dataclass
class Game(Generic[S]):
    """A game of moves that have names.

    states: so far, the start first.
    moves: of a state, the states after each move, by its name.
    hint: of a state, which move leads on, in words.
    """

    states: list[S]
    moves: Callable[[S], Mapping[str, S]]
    hint: Callable[[S], str]

    def obey(self, line: str) -> str:
        """The answer to the questions ``moves`` and ``hint``; '' after a move, or ``undo``, which takes one back.

        BoardspaceError for a line that is none of these.
        """
        if line == "hint":
            return self.hint(self.states[-1])
        if line == "undo":
            if len(self.states) == 1:
                raise BoardspaceError("there is no move to take back")
            self.states.pop()
            return ""
        moves = self.moves(self.states[-1])
        if line == "moves":
            return ", ".join(moves)
        if line not in moves:
            raise BoardspaceError(f"{line!r} is no move here; there are: {', '.join(moves)}")
        self.states.append(moves[line])
        return ""
