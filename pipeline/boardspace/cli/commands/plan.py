"""``boardspace plan``"""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import click

from boardspace.cli.commands.options import as_json, print_json
from boardspace.cli.commands.questions import print_lines, write_svg
from boardspace.cli.commands.run_options import chosen_config
from boardspace.cli.lines import terminal_width
from boardspace.cli.report.stage_graph import stage_graph
from boardspace.cli.report.time_left import duration
from boardspace.engine import calibration
from boardspace.engine.config import DEFAULT, Config
from boardspace.engine.plan import Work, planned_shards, work_of
from boardspace.engine.retention import most_bytes
from boardspace.spec.space import Stage
from boardspace.spec.stages import longest_chain, stages_of
from boardspace.spec.wording import counted
from boardspace.storage.locations import Location

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
    "--workers",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help="Also estimate the time with N workers, and how many are of use.",
)
@as_json
def plan(chosen: Config, everything: bool, graph: Path | None, workers: int | None, as_json: bool) -> None:
    """Show what CONFIG would run: stages, shards, estimated seconds and size.

    Some stages are cut into shards only when earlier stages are finished. They show the stages that they wait for
    instead of a number of shards.
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


class Wall(NamedTuple):
    """Seconds that a run takes on so many workers, by the figures of its stages.

    least: all work divided among the workers, or the longest chain of stages where that is more.
    most: both together; no run takes more in which every free worker takes a shard that waits.
    longest: the longest chain of stages, in which each takes as long as its longest shard.
    chain: the stages of that chain, of ``space``.
    """

    least: float
    most: float
    longest: float
    chain: Sequence[str]
    space: str


def wall(work: Sequence[Work], rows: Sequence[Mapping[str, Any]], workers: int) -> Wall:
    """The wall of a run, from the rows of :func:`planned`."""
    chains = []
    for one in work:
        longest = {row["stage"]: row["longest"] for row in rows if row["space"] == one.space.name}
        chains.append((*longest_chain(stages_of(one.space, one.config), longest), one.space.name))
    chain, seconds, space = max(chains, key=lambda found: found[1])
    each = sum(row["seconds"] or 0.0 for row in rows) / workers
    return Wall(max(each, seconds), each + seconds * (1 - 1 / workers), seconds, chain, space)


def _with_workers(
    work: Sequence[Work], rows: Sequence[Mapping[str, Any]], workers: int, factor: float
) -> Iterator[str]:
    """The time of the whole run, by the figures above and the ``factor`` of this machine, and how many workers are of
    use."""
    found, seconds = wall(work, rows, workers), sum(row["seconds"] or 0.0 for row in rows)
    least, most, longest = (f"{factor * value:,.0f}" for value in found[:3])
    span = most if least == most else f"{least} to {most}"
    yield click.style(f"{counted(workers, 'worker')}: {span} s for {factor * seconds:,.0f} s of work", bold=True)
    seconds_of = {row["stage"]: row["longest"] for row in rows if row["space"] == found.space}
    through = f"{counted(len(found.chain), 'stage')} of {found.space}, {max(found.chain, key=seconds_of.__getitem__)}"
    useful = counted(max(1, round(seconds / found.longest)), "worker")
    yield f"the longest chain takes {longest} s ({through} the longest): no more than {useful} are of use"
    unknown = sum(row["shards"] is None and not row["seconds"] for row in rows)
    if unknown:
        yield f"this is without {counted(unknown, 'stage')} whose time is not known yet"


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
    sized_later = f" now; {counted(open_stages, 'stage')} {'is' if open_stages == 1 else 'are'} sized later"
    shards, seconds = sum(row["shards"] for row in known), sum(row["seconds"] or 0 for row in rows)
    size, most = sum(row["bytes"] for row in rows), most_bytes(stages_of(work.space, work.config))
    at_once = f", at most {_megabytes(most)} of them at once" if _megabytes(most) != _megabytes(size) else ""
    memory = max(row["memory"] for row in rows) / 1e9
    needed = f"; a worker may take {memory:.1f} GB of memory" if memory else ""
    figures = f"{counted(len(rows), 'stage')}, {_megabytes(size)}{at_once}, {_seconds(seconds)}"
    return f"{work.space.name}: {figures}; {counted(shards, 'shard')}{sized_later if open_stages else ''}{needed}"


def _megabytes(size: float) -> str:
    return f"about {size / 1e6:,.0f} MB" if size >= 0.5e6 else "under 1 MB"


def _seconds(seconds: float) -> str:
    return f"{seconds:,.0f} s" if seconds >= 0.5 else "under 1 s"


def _about(seconds: float) -> str:
    return f"about {seconds:,.0f} s" if seconds >= 0.5 else "under 1 s"


def announcement(config: Config, root: Location, workers: int | None) -> Iterator[str]:
    """Lines that announce a run: what it makes, and about how long it takes on ``workers`` (None: unknown)."""
    seconds = 0.0
    for work in work_of(config):
        rows = [planned(work, stage) for stage in stages_of(work.space, work.config).values()]
        seconds += sum(row["seconds"] or 0 for row in rows)
        yield _totals(work, rows)
    seconds *= _slowness(seconds)
    shared = f", {duration(seconds / workers)} with {counted(workers, 'worker')}" if workers else ""
    yield f"{root}: {_about(seconds)} on one core{shared}; less if a part is finished already"


def _chains(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """Stages as they are, but runs of numbered ones (search.00, search.01, ...) as one line."""
    for name, group in groupby(rows, key=lambda row: re.sub(r"\d+$", "", row["stage"])):
        run = list(group)
        if len(run) > 2:
            last = run[-1]["stage"].removeprefix(name)
            yield f"{run[0]['stage']}-{last}", f"{len(run)} stages; first: {_when(run[0])}", ""
        else:
            yield from ((row["stage"], _when(row), "") for row in run)


def _when(row: Mapping[str, Any]) -> str:
    """The stages that a stage waits for, its shards where they are known, and about how long it will take."""
    first, *others = [stage for stage in row["after"] if stage != row["stage"]] or [""]
    after = f"after {first}{f' and {len(others)} more' if others else ''}; " if first else ""
    after += "in rounds; " if row["stage"] in row["after"] else ""
    if row["shards"] is not None:
        return f"{after}{counted(row['shards'], 'shard')}, {_seconds(row['seconds'])}"
    return after + _about(row["seconds"]) if row["seconds"] else after.removesuffix("; ")


def planned(work: Work, stage: Stage) -> dict[str, Any]:
    """A stage as ``plan`` shows it; ``shards`` is None where they depend on what other stages find.

    What a stage says of its seconds goes before the sum of its shards', of which many have no estimate.
    """
    shards = planned_shards(work, stage)
    costs = [shard.cost for shard in shards or ()]
    seconds = stage.seconds or (None if shards is None else sum(costs))
    return {
        "space": work.space.name,
        "stage": stage.name,
        "doc": "; ".join(filter(None, (stage.doc, stage.omits))),
        "after": list(stage.after),
        "shards": None if shards is None else len(shards),
        "seconds": seconds,
        "longest": stage.longest or (max(costs) / sum(costs) if any(costs) else 1.0) * (seconds or 0.0),
        "bytes": stage.bytes,
        "memory": stage.memory,
    }
