"""Games in the terminal, or from a pipe: a line for each move."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import click

from boardspace.cli.commands.questions import typed_lines
from boardspace.cli.exit_codes import NOT_RIGHT
from boardspace.spec.errors import BoardspaceError

S = TypeVar("S")


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
