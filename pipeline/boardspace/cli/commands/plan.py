"""``boardspace plan``"""

import os
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from boardspace.cli.commands.options import as_json, print_json
from boardspace.cli.commands.questions import print_lines, write_svg
from boardspace.cli.commands.run_options import chosen_config
from boardspace.cli.lines import terminal_width
from boardspace.cli.report.stage_graph import stage_graph
from boardspace.cli.report.time_left import duration
from boardspace.engine import calibration
from boardspace.engine.config import DEFAULT, Config
from boardspace.engine.plan import Work, cut, work_of
from boardspace.engine.retention import most_bytes
from boardspace.spec.space import Shard, Stage
from boardspace.spec.stages import stages_of
from boardspace.spec.wording import counted
from boardspace.storage.locations import Location
from boardspace.storage.run_folder import FinishedStages, SpaceFolder

# Plans of less are as good without knowing the machine.
WORTH_SECONDS = 20


@click.command()
@chosen_config(click.argument("config", default=DEFAULT))
@click.option("--all", "everything", is_flag=True, help="Also say what each stage does, and what it leaves out.")
@click.option(
    "--graph",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also draw the stages and what they wait for, as SVG.",
)
@click.option(
    "--workers", type=click.IntRange(1, 1_000_000), metavar="N", help="Also say how long N workers take at least."
)
@as_json
def plan(chosen: Config, everything: bool, graph: Path | None, workers: int | None, as_json: bool) -> None:
    """Show what CONFIG would run: stages, shards, estimated seconds and size.

    Stages that are cut by what earlier stages find show the stages they wait for instead of a number of shards.
    """
    work = work_of(chosen)
    if graph is not None:
        write_svg(graph, stage_graph({w.space.name: stages_of(w.space, w.config) for w in work}))
    rows = [planned(w, stage) for w in work for stage in stages_of(w.space, w.config).values()]
    if as_json:
        print_json(rows)
        return
    for one in work:
        print_lines(_lines(one, [row for row in rows if row["space"] == one.space.name], everything))
    factor = _slowness(sum(row["seconds"] or 0 for row in rows))
    if factor != 1:
        print_lines([f"this machine takes {factor:.2f} times as long as the one on which these seconds were measured"])
    if workers is not None:
        print_lines(_with_workers(work, rows, workers, factor))


def _slowness(seconds: float) -> float:
    """Seconds that each of so many takes on this machine; 1 where it is not worth a second to find out."""
    return calibration.slowness() if seconds >= WORTH_SECONDS else 1


def _with_workers(
    work: Sequence[Work], rows: Sequence[Mapping[str, Any]], workers: int, factor: float
) -> Iterator[str]:
    """The least time of the whole run, by the figures above and the ``factor`` of this machine, and how much work is in
    them."""
    seconds, longest = 0.0, 0.0
    for one in work:
        stages, ends = stages_of(one.space, one.config), dict[str, float]()
        for row in (row for row in rows if row["space"] == one.space.name):
            stage = stages[row["stage"]]
            costs = [row["seconds"] or 0.0] if stage.after else [shard.cost for shard in _shards(one, stage)]
            dearest = max(costs, default=0.0) if not stage.after else 0.0  # nobody knows the shards of others yet
            start = max((ends[before] for before in stage.after if before in ends), default=0.0)
            ends[stage.name] = start + max(dearest, sum(costs) / workers)
            seconds += sum(costs)
        longest = max(longest, *ends.values())
    unknown = sum(row["shards"] is None and not row["seconds"] for row in rows)
    least, seconds = f"{factor * max(longest, seconds / workers):,.0f} s", factor * seconds
    rest = f"; not in it: {counted(unknown, 'stage')} of which nobody knows the seconds yet" if unknown else ""
    yield click.style(f"{workers:,} workers: at least {least} for {seconds:,.0f} s of work{rest}", bold=True)


def _lines(work: Work, rows: Sequence[Mapping[str, Any]], everything: bool) -> Iterator[str]:
    """Totals of a space, then a line a stage; with ``everything`` also what it does, and what it leaves out."""
    yield click.style(_totals(work, rows), bold=True)
    shown = [(row["stage"], _when(row), row["doc"]) for row in rows] if everything else [*_chains(rows)]
    wide = max(len(name) for name, _, _ in shown)
    for name, when, doc in shown:
        yield f"  {name:<{wide}}  {when}"
        if everything:
            yield from textwrap.wrap(doc, terminal_width(), initial_indent=" " * 6, subsequent_indent=" " * 6)


def _totals(work: Work, rows: Sequence[Mapping[str, Any]]) -> str:
    """Size, shards, seconds and memory of a space, in a line."""
    known = [row for row in rows if row["shards"] is not None]
    open_stages = len(rows) - len(known)
    later = f" and those of {counted(open_stages, 'stage')} that depend on what others find" if open_stages else ""
    shards, seconds = sum(row["shards"] for row in known), sum(row["seconds"] or 0 for row in rows)
    size, most = sum(row["bytes"] for row in rows), most_bytes(stages_of(work.space, work.config))
    at_once = f", at most {most / 1e6:,.0f} MB of them at once" if most < size else ""
    memory = max(row["memory"] for row in rows) / 1e9
    needed = f"; a worker may take {memory:.1f} GB of memory" if memory else ""
    written = f"about {size / 1e6:,.0f} MB{at_once}"
    stages = counted(len(rows), "stage")
    return f"{work.space.name}: {stages}, {written}, {seconds:,.0f} s; {counted(shards, 'shard')}{later}{needed}"


def announcement(config: Config, root: Location, workers: int | None) -> Iterator[str]:
    """Lines that announce a run: what it makes, and about how long it takes on ``workers`` (None: unknown)."""
    seconds = 0.0
    for work in work_of(config):
        rows = [planned(work, stage) for stage in stages_of(work.space, work.config).values()]
        seconds += sum(row["seconds"] or 0 for row in rows)
        yield _totals(work, rows)
    seconds *= _slowness(seconds)
    together = f", {duration(seconds / workers)} on {workers} of them" if workers else ""
    yield f"{root}: about {seconds:,.0f} s of one core{together}; less where a part is there already"


def _chains(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """Stages as they are, but runs of numbered ones (search.00, search.01, ...) as one line."""
    for name, group in groupby(rows, key=lambda row: re.sub(r"\d+$", "", row["stage"])):
        run = list(group)
        if len(run) > 2:
            last = run[-1]["stage"].removeprefix(name)
            yield f"{run[0]['stage']}-{last}", f"{len(run)} stages; the first {_when(run[0])}", ""
        else:
            yield from ((row["stage"], _when(row), "") for row in run)


def _when(row: Mapping[str, Any]) -> str:
    """Shards and seconds of a stage that can be cut, or what it waits for, and about how long it will take."""
    if row["shards"] is not None:
        return f"{row['shards']:,} shards, {row['seconds']:,.0f} s"
    first, *others = row["after"]
    about = f"; about {row['seconds']:,.0f} s" if row["seconds"] else ""
    return f"after {first}{f' and {len(others)} more' if others else ''}{about}"


def planned(work: Work, stage: Stage) -> dict[str, Any]:
    """A stage as ``plan`` shows it; ``shards`` is None where they depend on what other stages find."""
    shards = None if stage.after else _shards(work, stage)
    return {
        "space": work.space.name,
        "stage": stage.name,
        "doc": "; ".join(filter(None, (stage.doc, stage.omits))),
        "after": list(stage.after),
        "shards": None if shards is None else len(shards),
        "seconds": (stage.seconds or None) if shards is None else sum(shard.cost for shard in shards),
        "bytes": stage.bytes,
        "memory": stage.memory,
    }


def _shards(work: Work, stage: Stage) -> Sequence[Shard]:
    """The shards of a stage that comes after none."""
    return cut(stage, work.config, FinishedStages(SpaceFolder(Path(os.devnull), work.space.name), work.space))
