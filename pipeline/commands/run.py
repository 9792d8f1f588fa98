"""``boardspace run``"""

import dataclasses
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import click
from rich.console import Console

from boardspace.pipeline import engine, jit_cache
from boardspace.pipeline.commands.claims import complete_claims
from boardspace.pipeline.commands.options import as_json, changes, console, only_spaces, print_json
from boardspace.pipeline.config import DEFAULT, ClusterConfig, Config, load_cluster, load_config
from boardspace.pipeline.errors import BoardspaceError
from boardspace.pipeline.plan import Work, refuse_other_plans, save_plan, work_of
from boardspace.pipeline.report.progress import progress
from boardspace.pipeline.report.tables import claims_grid, summary_grid
from boardspace.pipeline.storage.run_folder import SpaceFolder, locked


@click.command()
@click.argument("config", default=DEFAULT)
@only_spaces
@changes
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder of the outputs [outputs/CONFIG].")
@click.option("--workers", type=click.IntRange(0), help="Worker processes [one per core]; 0 runs in this process.")
@click.option("--memory-limit", default="auto", show_default=True, help='Memory of each worker, such as "4GiB".')
@click.option("--scheduler", metavar="ADDR", help="Use the Dask cluster at this address, such as tcp://host:8786.")
@click.option(
    "--cluster", type=click.Path(path_type=Path, dir_okay=False), help="Use the cluster this TOML file tells of."
)
@click.option("--fresh", is_flag=True, help="Delete what the folder holds of these spaces and start over.")
@click.option("--keep", is_flag=True, help="Keep shards of the same parameters and inputs although the plan differs.")
@as_json
def run(
    config: str,
    names: tuple[str, ...],
    changes: tuple[str, ...],
    out: Path | None,
    workers: int | None,
    memory_limit: str,
    scheduler: str | None,
    cluster: Path | None,
    fresh: bool,
    keep: bool,
    as_json: bool,
) -> None:
    """Run CONFIG (a file, or the name of a shipped one) and print claims and datasets.

    A run can be stopped at any time, with Ctrl-C or worse. The same command goes on from the shards that have receipts.
    """
    chosen = load_config(config, changes).only(names)
    root = out or chosen.out
    remote = load_cluster(cluster) if cluster else ClusterConfig(scheduler=scheduler) if scheduler else None
    with locked(root):
        work = _prepared(chosen, root, fresh, keep)
        start = time.monotonic()
        summaries = _run(chosen, work, root, workers, memory_limit, remote, as_json)
    _show_run(root, summaries, time.monotonic() - start, as_json)


def _prepared(config: Config, root: Path, fresh: bool, keep: bool) -> list[Work]:
    work = work_of(config)
    if not work:
        raise BoardspaceError(f"config {config.name!r} names no space; give it a section such as [solitaire]")
    if fresh:
        for w in work:
            SpaceFolder(root, w.space.name).remove()
    elif not keep:
        refuse_other_plans(root, work)
    save_plan(root, work)
    return work


def _run(
    config: Config,
    work: Sequence[Work],
    root: Path,
    workers: int | None,
    memory: str,
    remote: ClusterConfig | None,
    quiet: bool,
) -> Mapping[str, engine.SpaceSummary]:
    console = Console(stderr=True)
    if remote is None:
        jit_cache.fill(
            [w.space.name for w in work],
            lambda space: console.print(f"compiling the kernels of {space} (once per machine)", highlight=False),
        )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    names, limit = [w.space.name for w in work], config.run.shard_seconds
    with _workers(workers, memory, remote, names, limit) as pool:
        try:
            with progress(console, quiet) as listener:
                return engine.run(work, root.absolute(), pool, listener, config.run.retries)
        except KeyboardInterrupt:
            pool.cancel()
            raise


def _workers(
    count: int | None, memory: str, remote: ClusterConfig | None, names: Sequence[str], shard_seconds: float
) -> AbstractContextManager[engine.Workers]:
    if count == 0 and remote is None:
        return nullcontext(engine.InProcess())
    from boardspace.pipeline import cluster  # Dask takes a second to import

    if remote is None:
        return cluster.local(count, memory, shard_seconds)
    if cluster.is_exposed(remote):
        click.echo(
            f"boardspace: warning: {remote.scheduler} is neither loopback nor encrypted; see --cluster", err=True
        )
    return cluster.existing(remote, names, shard_seconds)


def _show_run(root: Path, summaries: Mapping[str, engine.SpaceSummary], seconds: float, as_json: bool) -> None:
    found = {space: rows for space, rows in complete_claims(root).items() if space in summaries}
    if as_json:
        datasets = {space: dataclasses.asdict(summary) for space, summary in summaries.items()}
        print_json({"out": str(root), "seconds": round(seconds, 2), "datasets": datasets, "claims": found})
        return
    out = console()
    for space, rows in found.items():
        out.print(claims_grid(space, rows))
    out.print(summary_grid(root, summaries))
    out.print(f"{seconds:.1f} s; check it with: boardspace verify {root}", highlight=False)
