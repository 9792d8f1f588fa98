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
from boardspace.cli.drawing import Picture
from boardspace.cli.lines import terminal_width
from boardspace.cli.notices import duration
from boardspace.engine.calibration import slowness
from boardspace.engine.config import DEFAULT, Config
from boardspace.engine.outputs import most_bytes
from boardspace.engine.plan import Work, planned_shards, work_of
from boardspace.spec.space import Stage
from boardspace.spec.stages import longest_chain, stages_behind, stages_of
from boardspace.spec.texts import counted
from boardspace.storage.locations import Location

HEIGHT, ROW, LETTER, GAP, HEAD = 24, 34, 7.2, 46, 40


def stage_graph(spaces: Mapping[str, Mapping[str, Stage]]) -> Picture:
    """One drawing below the other, a space each. A stage that repeats has a double frame."""
    drawn = {name: _Drawing(stages) for name, stages in spaces.items()}
    whole = Picture(max(d.width for d in drawn.values()), sum(HEAD + d.height for d in drawn.values()))
    top = 0.0
    for name, drawing in drawn.items():
        whole.text(8, top + HEAD / 2, name, 16, text_anchor="start", fill="#777")
        top += HEAD
        drawing.paint(whole, top)
        top += drawing.height
    return whole


class _Drawing:
    """Places of the stages of one space: columns by the longest way to them, rows by the mean of what they follow.

    A line that passes a column has a row of its own there, its *lane*, so that no stage seems to lie on it.
    """

    def __init__(self, stages: Mapping[str, Stage]) -> None:
        self.stages = stages
        self.before = {name: _direct(stages, name) for name in stages}
        self.column: dict[str, int] = {}
        for name in stages:
            self.column[name] = max((self.column[other] + 1 for other in self.before[name]), default=0)
        # a stage's last column is that of the farthest stage after it; between, it has lanes
        last = {name: max([self.column[name], *(self.column[n] - 1 for n in self._after(name))]) for name in stages}
        self.row: dict[tuple[str, int], float] = {}
        self.left: list[float] = [8.0]
        for number in range(max(self.column.values()) + 1):
            passing = [name for name in stages if self.column[name] <= number <= last[name]]
            for row, name in enumerate(sorted(passing, key=lambda name: self._mean_row(name, number))):
                self.row[name, number] = (row + 0.5) * ROW
            widest = max(len(name) for name in passing if self.column[name] == number)
            self.left.append(self.left[-1] + LETTER * widest + 16 + GAP)
        self.width = self.left[-1]
        self.height = max(self.row.values()) + ROW / 2

    def paint(self, picture: Picture, top: float) -> None:
        """Lines first, then frames with names."""
        for name, others in self.before.items():
            for other in others:
                self._paint_line(picture, top, other, name)
        for name, number in self.column.items():
            left, width, middle = self.left[number], self._right(number) - self.left[number], self.row[name, number]
            frame: dict[str, str | float] = {"stroke": "#777", "rx": 5}
            picture.rect(left, top + middle - HEIGHT / 2, width, HEIGHT, "#fff", **frame)
            if self.stages[name].repeats:
                picture.rect(left + 3, top + middle - HEIGHT / 2 + 3, width - 6, HEIGHT - 6, "none", **frame)
            picture.text(left + width / 2, top + middle, name, 12, fill="#222")

    def _paint_line(self, picture: Picture, top: float, start: str, end: str) -> None:
        """From a stage through its lanes to one that comes after it."""
        x, y = self._right(self.column[start]), self.row[start, self.column[start]]
        for number in range(self.column[start] + 1, self.column[end]):
            lane = self.row[start, number]
            picture.line(x, top + y, self.left[number], top + lane, "#aaa")
            picture.line(self.left[number], top + lane, self._right(number), top + lane, "#aaa")
            x, y = self._right(number), lane
        picture.line(x, top + y, self.left[self.column[end]], top + self.row[end, self.column[end]], "#aaa")

    def _right(self, number: int) -> float:
        return self.left[number + 1] - GAP

    def _after(self, name: str) -> list[str]:
        return [other for other, before in self.before.items() if name in before]

    def _mean_row(self, name: str, number: int) -> float:
        """Best row for a stage or its lane: beside the stages that lead there."""
        behind = [name] if self.column[name] < number else self.before[name]
        rows = [self.row[other, number - 1] for other in behind]
        return sum(rows) / len(rows) if rows else 0.0


def _direct(stages: Mapping[str, Stage], name: str) -> Sequence[str]:
    """Stages that a stage comes after directly: not those that they come after themselves."""
    after = [other for other in stages[name].after if other != name]
    behind = {further for other in after for further in stages_behind(stages, other)}
    return [other for other in after if other not in behind]


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
    write_svg(graph, lambda: stage_graph({w.space.name: stages_of(w.space, w.config) for w in work}))
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
    return slowness() if seconds >= WORTH_SECONDS else 1


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
    yield f"the longest chain takes {longest} s ({through} the longest); more than {useful} would not help"
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


def _seconds(seconds: float, about: str = "") -> str:
    return f"{about}{seconds:,.0f} s" if seconds >= 0.5 else "under 1 s"


def announcement(config: Config, root: Location, workers: int | None) -> Iterator[str]:
    """Lines that announce a run: what it makes, and about how long it takes on ``workers`` (None: unknown)."""
    seconds = 0.0
    for work in work_of(config):
        rows = [planned(work, stage) for stage in stages_of(work.space, work.config).values()]
        seconds += sum(row["seconds"] or 0 for row in rows)
        yield _totals(work, rows)
    seconds *= _slowness(seconds)
    each = seconds / workers if workers else 0
    shared = f", {duration(each)} with {counted(workers, 'worker')}" if workers and each >= 0.5 else ""
    yield f"{root}: {_seconds(seconds, 'about ')} on one core{shared}; less if a part is finished already"


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
    return after + _seconds(row["seconds"], "about ") if row["seconds"] else after.removesuffix("; ")


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
