"""``boardspace jobs``"""

import click

from boardspace.cli.commands.options import LocationType, as_json, changes, only_spaces, print_json
from boardspace.cli.report.text import complain, print_line
from boardspace.engine.config import load_config
from boardspace.engine.jobs import Advanced, plan_jobs
from boardspace.engine.run import Resume
from boardspace.storage.locations import Location

MOST_NAMED = 5


@click.command()
@click.argument("folder", type=LocationType())
@click.argument("config")
@only_spaces
@changes
@click.option("--fresh", is_flag=True, help="Delete what the folder holds of these spaces and start over.")
@click.option("--keep", is_flag=True, help="Keep shards of the same parameters and inputs although the plan differs.")
@click.option("--break-lock", is_flag=True, help="The owner of the lock in a bucket is dead: do not wait to see.")
@as_json
def jobs(  # its parameters are the options of the command
    folder: Location,
    config: str,
    names: tuple[str, ...],
    changes: tuple[str, ...],
    fresh: bool,
    keep: bool,
    break_lock: bool,
    as_json: bool,
) -> None:
    """Begin a run of CONFIG in FOLDER, or go on with one, without workers: write its next tasks, print their number.

    Then compute the tasks, numbered from 0, by `boardspace shard FOLDER NUMBER`, in any order, at any place; then call
    `boardspace advance FOLDER`, which prints the number of tasks that follow; and so on until it prints 0.
    """
    chosen = load_config(config, changes).only(names)
    resume = Resume(fresh=fresh, keep=keep, break_lock=break_lock)
    show_advanced(folder, plan_jobs(chosen, folder, resume, complain), as_json)


def show_advanced(folder: Location, advanced: Advanced, as_json: bool) -> None:
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
        named = ", ".join(lacking[:MOST_NAMED])
        more = f" and {len(lacking) - MOST_NAMED:,} more" if len(lacking) > MOST_NAMED else ""
        print_line(
            f"{stage}: no receipt of {len(lacking):,} shard(s): {named}{more}; they are among the tasks", err=True
        )
    for one in array.stages:
        print_line(f"{one.space}/{one.stage}: {one.left:,} of {one.shards:,} shards to compute", err=True)
    for file in advanced.swept:
        print_line(f"{file}: no receipt names it; moved to {folder / '.run/swept'}", err=True)
    for name in advanced.complete:
        print_line(f"{folder / name}: complete", err=True)
    print_line(array.tasks)
