"""``boardspace run``"""

import dataclasses
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table as Grid

from boardspace.cli.commands import claims
from boardspace.cli.commands.claims import complete_claims
from boardspace.cli.commands.options import LocationType, as_json, console, option_group, print_json
from boardspace.cli.commands.plan import announcement
from boardspace.cli.commands.questions import print_lines
from boardspace.cli.commands.run_options import chosen_config, resume_or_repair
from boardspace.cli.notices import cell, cleaned, complain, print_line
from boardspace.cli.progress import progress
from boardspace.engine.config import DEFAULT, Config, cluster_at, load_cluster
from boardspace.engine.events import ShardFailedError, SpaceSummary
from boardspace.engine.machine import cpus
from boardspace.engine.plan import recorded_work
from boardspace.engine.run import Resume, Workers, begin_early
from boardspace.engine.run import run as run_config
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import space_named
from boardspace.spec.stages import stages_of
from boardspace.storage.locations import Location
from boardspace.storage.run_folder import FinishedStages, SpaceFolder


def summary_grid(root: Location, summaries: Mapping[str, SpaceSummary]) -> Grid:
    """Table of what a run did, space by space, and of where its datasets lie."""
    grid = Grid(title="datasets", title_justify="left")
    grid.add_column("dataset", overflow="fold")
    for name in ("shards", "done before", "rows", "MB written", "worker seconds"):
        grid.add_column(name, justify="right")
    for space, summary in summaries.items():
        grid.add_row(
            cell(root / space),
            f"{summary.shards:,}",
            f"{summary.skipped:,}",
            f"{summary.rows:,}",
            f"{summary.bytes / 1e6:,.1f}",
            f"{summary.seconds:,.1f}",
        )
    return grid


def _workers(workers: int | None, memory_limit: str, scheduler: str | None, cluster: str | None) -> Workers:
    """Processes that the options ask for; a cluster's file goes before an address."""
    remote = load_cluster(cluster) if cluster is not None else cluster_at(scheduler) if scheduler is not None else None
    return Workers(cluster=remote, count=workers, memory_limit=memory_limit)


workers_options = option_group(
    "workers",
    _workers,
    click.option("--workers", type=click.IntRange(0), help="Worker processes [one per core]; 0 runs in this process."),
    click.option("--memory-limit", default="auto", show_default=True, help='Memory of each worker, such as "4GiB".'),
    click.option("--scheduler", metavar="ADDR", help="Use the Dask cluster at this address, such as tcp://host:8786."),
    click.option(
        "--cluster",
        metavar="FILE",
        help="Use the cluster of this TOML file, or of a shipped one: local, ssh, slurm, tls.",
    ),
)


@click.command()
@chosen_config(click.argument("config", default=DEFAULT))
@click.option("--out", type=LocationType(), help="Output folder, or s3://BUCKET/PREFIX [outputs/CONFIG].")
@workers_options
@resume_or_repair
@click.option("--quiet", is_flag=True, help="Print only warnings and failures.")
@click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also append the lines of progress to this file, which must be outside the output folder.",
)
@as_json
def run(
    chosen: Config, out: Location | None, workers: Workers, resume: Resume, quiet: bool, log: Path | None, as_json: bool
) -> None:
    """Run CONFIG (a file, or the name of a shipped one) and print a summary.

    You can stop a run at any time, with Ctrl-C or by force. The same command continues it; finished shards are kept.
    """
    root, remote = out or chosen.out, workers.cluster
    if log is not None and isinstance(root, Path) and root.resolve() in log.resolve().parents:
        raise BoardspaceError(f"--log {log}: no run wrote it, so it may not lie among the outputs in {root}")
    if remote is not None and remote.exposed:
        complain(f"warning: {remote.scheduler} is neither loopback nor encrypted; see --cluster")
    start = time.monotonic()
    begin_early(chosen, root, workers)
    stages = sum(len(stages_of(space_named(name), section)) for name, section in chosen.spaces.items())
    used = None if remote else cpus() if workers.count is None else max(1, workers.count)
    try:
        first = announcement(chosen, root, used)
        with progress(Console(stderr=True), as_json or quiet, stages, first, log) as listener:
            summaries = run_config(chosen, root, workers, resume, listener)
    except ShardFailedError as error:
        if as_json:
            frames = [frame._asdict() for frame in error.frames]
            print_json({"out": str(root), "failed": {"shard": error.shard, "cause": error.cause, "frames": frames}})
        raise
    if as_json or not quiet:
        _show_run(root, summaries, time.monotonic() - start, as_json)


def _show_run(root: Location, summaries: Mapping[str, SpaceSummary], seconds: float, as_json: bool) -> None:
    found = {space: rows for space, rows in complete_claims(root).items() if space in summaries}
    if as_json:
        datasets = {space: dataclasses.asdict(summary) for space, summary in summaries.items()}
        print_json({"out": str(root), "seconds": round(seconds, 2), "datasets": datasets, "claims": found})
        return
    for space, rows in found.items():
        print_lines([click.style(claims.totals(space, cleaned(rows)), bold=True), *_results(root, space)])
    console().print(summary_grid(root, summaries))
    print_line(f"{seconds:.1f} s. What next:")
    for command, what in (
        (f"claims {root}", "where the data disagree with the source texts"),
        (f"verify {root}", "check every file"),
        (f"publish {root} --out RELEASE", "a release that others can check; then: boardspace atlas RELEASE"),
    ):
        print_line(f"  boardspace {command}  # {what}")


def _results(root: Location, name: str) -> Sequence[str]:
    """Findings of a complete dataset of the run, in a few lines of its space's own."""
    work = next(work for work in recorded_work(root) if work.space.name == name)
    return work.space.results(work.config, FinishedStages(SpaceFolder(root, name), work.space))
