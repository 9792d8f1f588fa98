"""The ``boardspace`` command."""

import dataclasses
import json
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table as Grid

from boardspace.pipeline import engine, jit_cache
from boardspace.pipeline.claims import read_claims
from boardspace.pipeline.config import DEFAULT, ClusterConfig, Config, load_cluster, load_config
from boardspace.pipeline.errors import BoardspaceError
from boardspace.pipeline.plan import Work, cut, recorded_work, refuse_other_plans, save_plan, work_of
from boardspace.pipeline.registry import spaces
from boardspace.pipeline.report.progress import progress
from boardspace.pipeline.report.tables import claims_grid, summary_grid
from boardspace.pipeline.space import Stage
from boardspace.pipeline.storage.files import StorageError
from boardspace.pipeline.storage.run_folder import SpaceFolder, locked

USER_ERROR = 2
FAULTS_FOUND = 1
INTERRUPTED = 130

changes = click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE", help="Change a key of the config: klotski.classes=['5-*']."
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of tables.")


class Commands(click.Group):
    """The top level: what every run needs, and what the spaces add. Errors a user can mend end in exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Run commands first, then those of the spaces."""
        return [*super().list_commands(ctx), *self._of_spaces()]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """A command of the run, or of a space."""
        return super().get_command(ctx, name) or self._of_spaces().get(name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; print an error that the user can mend without a traceback."""
        try:
            return super().invoke(ctx)
        except BoardspaceError as error:
            click.echo(f"boardspace: {error}", err=True)
            ctx.exit(USER_ERROR)

    def _of_spaces(self) -> dict[str, click.Command]:
        return {str(command.name): command for space in spaces().values() for command in space.commands}


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
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
    """


@cli.command()
@click.argument("config", default=DEFAULT)
@click.option("--space", "names", multiple=True, metavar="NAME", help="Only this space of the config (repeatable).")
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


@cli.command()
@click.argument("config", default=DEFAULT)
@click.option("--space", "names", multiple=True, metavar="NAME", help="Only this space of the config (repeatable).")
@changes
@as_json
def plan(config: str, names: tuple[str, ...], changes: tuple[str, ...], as_json: bool) -> None:
    """Show what CONFIG would run: stages, shards, estimated seconds and size.

    Stages that are cut by what earlier stages find show the stages they wait for instead of a number of shards.
    """
    work = work_of(load_config(config, changes).only(names))
    rows = [_planned(w, stage) for w in work for stage in w.space.plan(w.config)]
    if as_json:
        _print_json(rows)
        return
    grid = Grid(title=f"plan of {config}", title_justify="left")
    for name in ("space", "stage", "shards", "seconds", "MB", "what it does"):
        grid.add_column(name, overflow="fold")
    for row in rows:
        shards = row["shards"] if row["shards"] is not None else f"after {', '.join(row['after'])}"
        seconds = "" if row["seconds"] is None else f"{row['seconds']:.0f}"
        grid.add_row(row["space"], row["stage"], str(shards), seconds, f"{row['bytes'] / 1e6:.0f}", row["doc"])
    _console().print(grid)


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@as_json
def status(folder: Path, as_json: bool) -> None:
    """Show how far the run in FOLDER has come."""
    from boardspace.pipeline.status import status as stage_status

    rows = stage_status(folder)
    if as_json:
        _print_json([dataclasses.asdict(row) for row in rows])
        return
    grid = Grid(title=str(folder), title_justify="left")
    for name in ("space", "stage", "shards done", "state"):
        grid.add_column(name)
    for row in rows:
        total = "?" if row.shards is None else str(row.shards)
        grid.add_row(row.space, row.stage, f"{row.done}/{total}", row.state)
    _console().print(grid)


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--level", type=click.Choice(["hashes", "structure", "logic"]), default="logic", show_default=True)
@click.option("--seed", default=0, show_default=True, help="Chooses the sample that the logic level re-derives.")
@as_json
def verify(folder: Path, level: Any, seed: int, as_json: bool) -> None:
    """Check the run in FOLDER: hashes, then structure, then logic. Exit code 1 where something is wrong.

    FOLDER may also be a release, or one dataset of it: hashes and structure are checked, of what lies there alone.
    """
    from boardspace.pipeline.verify import verify as check

    start = time.monotonic()
    result = check(folder, level, seed)
    if as_json:
        _print_json(dataclasses.asdict(result))
    else:
        for fault in result.faults:
            click.echo(f"{fault.where}: {fault.what}")
        click.echo(
            f"{result.level}: {len(result.faults)} fault(s) in {result.files:,} files, {result.bytes / 1e6:,.1f} MB, "
            f"{result.rows:,} rows, {result.cases:,} cases re-derived, {time.monotonic() - start:.1f} s"
        )
    if result.faults:
        sys.exit(FAULTS_FOUND)


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--evidence", is_flag=True, help="Also say how each claim was measured.")
@as_json
def claims(folder: Path, evidence: bool, as_json: bool) -> None:
    """Show every statement of the source texts with the measured value and the verdict."""
    found = _claims(folder)
    if as_json:
        _print_json(found)
        return
    console = _console()
    for space, rows in found.items():
        console.print(claims_grid(space, rows))
        if evidence:
            for row in rows:
                console.print(f"{row['claim']}: {row['evidence']}", markup=False, highlight=False)


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Folder of the release.")
@click.option("--space", "names", multiple=True, metavar="NAME", help="Only this dataset of the run (repeatable).")
@as_json
def publish(folder: Path, out: Path, names: tuple[str, ...], as_json: bool) -> None:
    """Publish the complete datasets of the run in FOLDER: verified, described, checksummed, archived.

    A dataset is there whole or not at all. The same command finishes what a crash left undone; what is published
    already is not changed.
    """
    from boardspace.pipeline.publish import publish as publish_datasets

    published = publish_datasets(folder, out, names, lambda text: click.echo(text, err=True))
    if as_json:
        _print_json([dataclasses.asdict(dataset) for dataset in published])
        return
    for dataset in published:
        state = "published" if dataset.new else "was published before, unchanged"
        click.echo(f"{out / dataset.dataset}: {dataset.files:,} files, {dataset.bytes / 1e6:,.1f} MB, {state}")
        click.echo(f"{out / dataset.dataset}.tar: SHA-256 {dataset.archive.sha256}")


def main() -> None:
    """Entry point. Ctrl-C ends with exit code 130 and says that nothing is lost."""
    try:
        sys.exit(cli(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("boardspace: stopped; finished shards are kept, the same command goes on from there", err=True)
        sys.exit(INTERRUPTED)


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
    found = {space: rows for space, rows in _claims(root).items() if space in summaries}
    if as_json:
        datasets = {space: dataclasses.asdict(summary) for space, summary in summaries.items()}
        _print_json({"out": str(root), "seconds": round(seconds, 2), "datasets": datasets, "claims": found})
        return
    console = _console()
    for space, rows in found.items():
        console.print(claims_grid(space, rows))
    console.print(summary_grid(root, summaries))
    console.print(f"{seconds:.1f} s; check it with: boardspace verify {root}", highlight=False)


def _planned(work: Work, stage: Stage) -> dict[str, Any]:
    from boardspace.pipeline.storage.run_folder import FinishedStages

    shards = None
    if not stage.after:
        nothing = FinishedStages(SpaceFolder(Path(os.devnull), work.space.name), work.space)
        shards = cut(stage, work.config, nothing)
    return {
        "space": work.space.name,
        "stage": stage.name,
        "doc": "; ".join(filter(None, (stage.doc, stage.omits))),
        "after": list(stage.after),
        "shards": None if shards is None else len(shards),
        "seconds": None if shards is None else sum(shard.cost for shard in shards),
        "bytes": stage.bytes,
    }


def _claims(root: Path) -> dict[str, list[dict[str, Any]]]:
    found = {}
    for work in recorded_work(root):
        folder = SpaceFolder(root, work.space.name)
        if folder.complete.exists():
            found[work.space.name] = read_claims(folder.dataset)
    if not found:
        raise StorageError(f"{root}: no dataset here is complete yet; see: boardspace status {root}")
    return found


def _console() -> Console:
    """Standard output; wide enough for tables where it is not a terminal."""
    return Console() if sys.stdout.isatty() else Console(width=160)


def _print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=1, default=str, ensure_ascii=False))


if __name__ == "__main__":
    main()
