"""``boardspace advance``"""

import sys

import click

from boardspace.cli.commands.jobs import show_advanced
from boardspace.cli.commands.options import as_json, existing_folder
from boardspace.cli.exit_codes import NOT_RIGHT
from boardspace.cli.report.text import complain
from boardspace.engine import jobs
from boardspace.storage.locations import Location


@click.command()
@click.argument("folder", type=existing_folder)
@click.option("--break-lock", is_flag=True, help="Take the lock in a bucket at once: its owner is dead.")
@as_json
def advance(folder: Location, break_lock: bool, as_json: bool) -> None:
    """Take the run in FOLDER, begun by `boardspace jobs`, as far as its receipts allow; print the number of next tasks.

    Stages whose shards all have receipts are finished, and the stages that follow are cut. When nothing is left, the
    datasets are completed, and the number is 0. Shards that were tasks and have no receipt are listed and become tasks
    again; then the exit code is 1, so that a loop ends. Call it when no task is running, as often as you like.
    """
    advanced = jobs.advance(folder, complain, break_lock)
    show_advanced(folder, advanced, as_json)
    if advanced.missing:
        sys.exit(NOT_RIGHT)
