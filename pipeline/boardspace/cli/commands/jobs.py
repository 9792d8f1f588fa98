"""``boardspace jobs``"""

import click

from boardspace.cli.commands.options import LocationType, as_json, print_json
from boardspace.cli.commands.run_options import chosen_config, resume_options
from boardspace.cli.report.text import complain, print_line
from boardspace.engine.config import Config
from boardspace.engine.jobs import Advanced, plan_jobs
from boardspace.engine.run import Resume
from boardspace.spec.texts import counted
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
            f"{stage}: no receipt of {counted(len(lacking), 'shard')}: {named}{more}; now among the tasks", err=True
        )
    for one in array.stages:
        print_line(f"{one.space}/{one.stage}: {one.left:,} of {one.shards:,} shards to compute", err=True)
    for file in advanced.swept:
        print_line(f"{file}: no receipt names it; moved to {folder / '.run/swept'}", err=True)
    for name in advanced.complete:
        print_line(f"{folder / name}: complete", err=True)
    print_line(array.tasks)
