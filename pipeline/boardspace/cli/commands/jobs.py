"""``boardspace jobs``, ``shard`` and ``advance``: a run whose shards a batch system computes."""

import sys

import click

from boardspace.cli.commands.options import (
    LASTING_FAILURE,
    NOT_RIGHT,
    TERMINATED,
    LocationType,
    as_json,
    existing_folder,
    print_json,
)
from boardspace.cli.commands.run_options import chosen_config, resume_options
from boardspace.cli.notices import complain, print_line
from boardspace.engine import graceful_stop
from boardspace.engine.config import Config
from boardspace.engine.events import Listener, ShardFailedError
from boardspace.engine.jobs import Advanced, plan_jobs, run_tasks
from boardspace.engine.jobs import advance as advance_run
from boardspace.engine.run import Resume
from boardspace.spec.texts import counted, named
from boardspace.storage.locations import Location

MOST_NAMED = 5


@click.command()
@click.argument("folder", type=LocationType())
@chosen_config(click.argument("config"))
@resume_options
@as_json
def jobs(folder: Location, chosen: Config, resume: Resume, as_json: bool) -> None:
    """Begin or continue a run of CONFIG in FOLDER without workers: write its next tasks and print their number.

    Then compute the tasks, numbered from 0, with `boardspace shard FOLDER NUMBER`, in any order, on any machine. When
    they are done, call `boardspace advance FOLDER`, which prints the number of tasks that follow. Repeat this until it
    prints 0.
    """
    _show_advanced(folder, plan_jobs(chosen, folder, resume, complain), as_json)


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
        complain(text)

    def shard_failed(self, shard: str, cause: str, again: bool) -> None:
        complain(f"shard {shard} failed: {cause}")


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
    advanced = advance_run(folder, complain, break_lock)
    _show_advanced(folder, advanced, as_json)
    if advanced.missing:
        sys.exit(NOT_RIGHT)


def _show_advanced(folder: Location, advanced: Advanced, as_json: bool) -> None:
    """Print the number of tasks on standard output, for scripts; on standard error what they are, what is missing."""
    array = advanced.array
    if as_json:
        stages = [one.model_dump(exclude={"inputs"}) for one in array.stages]
        missing = {stage: list(names) for stage, names in advanced.missing.items()}
        swept = [str(file) for file in advanced.swept]
        complete = list(advanced.complete)
        print_json({"tasks": array.tasks, "stages": stages, "missing": missing, "complete": complete, "swept": swept})
        return
    for stage, lacking in advanced.missing.items():
        few = named(lacking, MOST_NAMED)
        print_line(f"{stage}: no receipt of {counted(len(lacking), 'shard')}: {few}; now among the tasks", err=True)
    for one in array.stages:
        print_line(f"{one.space}/{one.stage}: {one.left:,} of {one.shards:,} shards to compute", err=True)
    for file in advanced.swept:
        print_line(f"{file}: no receipt names it; moved to {folder / '.run/swept'}", err=True)
    for name in advanced.complete:
        print_line(f"{folder / name}: complete", err=True)
    print_line(array.tasks)
