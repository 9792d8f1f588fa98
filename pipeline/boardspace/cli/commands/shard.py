"""``boardspace shard``"""

import sys

import click

from boardspace.cli.commands.options import existing_folder
from boardspace.cli.exit_codes import LASTING_FAILURE, TERMINATED
from boardspace.cli.report.text import complain, print_line
from boardspace.engine import graceful_stop
from boardspace.engine.events import Listener, ShardFailedError
from boardspace.engine.jobs import run_tasks
from boardspace.spec.texts import counted
from boardspace.storage.locations import Location


@click.command()
@click.argument("folder", type=existing_folder)
@click.argument("number", type=click.IntRange(0))
@click.option(
    "--of",
    "step",
    type=click.IntRange(1),
    metavar="N",
    help="Also each N-th task after it: N processes, numbered from 0, do all.",
)
def shard(folder: Location, number: int, step: int | None) -> None:
    """Compute task NUMBER (from 0) of the run in FOLDER that `boardspace jobs` began, in this process.

    A task is one long shard, or several short ones. Shards that have receipts are not computed again, so a task may be
    killed, repeated, or computed twice at once. On SIGTERM, the running shard is finished first. The exit code is 2 if
    a shard failed, and 3 if it would fail again, so that a batch system need not try again. A shard that exceeds its
    time limit ends the process at once, with 2.
    """
    if step is not None and number >= step:
        raise click.BadParameter(f"{number} of {step}: they are numbered from 0 to {step - 1}", param_hint="NUMBER")
    try:
        with graceful_stop.on_sigterm():
            done = run_tasks(folder, number, step, _Complaining())
    except graceful_stop.HandedBackError as error:
        complain(f"{error}; finished shards are kept, compute the task again for the rest")
        sys.exit(TERMINATED)
    except ShardFailedError as error:
        if not error.lasting:
            raise
        complain(str(error))
        sys.exit(LASTING_FAILURE)
    print_line(f"{counted(done.tasks, 'task')}: {counted(done.shards, 'shard')}, {counted(done.rows, 'row')}")


class _Complaining(Listener):
    """Says on standard error what a user should know."""

    def warned(self, text: str) -> None:
        """Print a warning to standard error."""
        complain(text)

    def shard_failed(self, shard: str, cause: str, again: bool) -> None:
        """Print which shard failed, and why, to standard error."""
        complain(f"shard {shard} failed: {cause}")
