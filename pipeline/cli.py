"""The ``boardspace`` command: which commands there are, and how errors, closed pipes and Ctrl-C end."""

import os
import sys
from typing import Any

import click

from boardspace.pipeline import registry
from boardspace.pipeline.command import Entry, LazyGroup
from boardspace.pipeline.errors import BoardspaceError

USER_ERROR = 2
WRITE_ERROR = 1
INTERRUPTED = 130
PIPE_CLOSED = 141

ENTRIES = tuple(
    Entry(name, text, f"boardspace.pipeline.commands.{name}")
    for name, text in {
        "run": "Run a config: enumerate, judge the claims, write the datasets.",
        "plan": "Show what a config would run: stages, shards, seconds, size.",
        "status": "Show how far a run has come.",
        "claims": "Show what the source texts state, and the data's verdict.",
        "verify": "Check a run or a release: hashes, structure, logic.",
        "publish": "Make a release of a run that others can check.",
        "atlas": "Write a static site that shows a release.",
        "serve": "Serve a site or a release to this machine.",
    }.items()
)


class Commands(LazyGroup):
    """The top level: what every run needs, and what the spaces add. Errors a user can mend end in exit code 2."""

    def entries(self) -> dict[str, Entry]:
        """Run commands first, then those of the spaces."""
        return {**super().entries(), **{entry.name: entry for entry in registry.commands()}}

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; print an error that the user can mend without a traceback."""
        try:
            return super().invoke(ctx)
        except BoardspaceError as error:
            click.echo(f"boardspace: {error}", err=True)
            ctx.exit(USER_ERROR)


@click.group(cls=Commands, entries=ENTRIES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="boardspace")
def cli() -> None:
    """Enumerate complete spaces of board problems and publish them as datasets that can be checked.

    \b
    boardspace run                the default run: configs/laptop.toml into outputs/laptop
    boardspace plan smoke         what a config would do
    boardspace status DIR         how far a run has come
    boardspace claims DIR         what the source texts state, and the data's verdict
    boardspace verify DIR         does the folder hold what it says?
    boardspace publish DIR        make a release of it that others can check
    boardspace atlas RELEASE      write a site that shows the release and verifies all it shows
    """


def main() -> None:
    """Entry point. Ctrl-C ends with exit code 130 and says that nothing is lost."""
    try:
        code = _called()
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        code = PIPE_CLOSED
    except OSError as error:
        _discard_output()
        click.echo(f"boardspace: standard output: {error.strerror or error}", err=True)
        code = WRITE_ERROR
    sys.exit(code)


def _called() -> int:
    """Run the command; its exit code."""
    try:
        code = cli(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except BoardspaceError as error:  # raised before any command was found
        click.echo(f"boardspace: {error}", err=True)
        return USER_ERROR
    except (click.Abort, KeyboardInterrupt):
        click.echo("boardspace: stopped; finished shards are kept, the same command goes on from there", err=True)
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _discard_output() -> None:
    """Nobody reads on: what is still buffered must not fail again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
