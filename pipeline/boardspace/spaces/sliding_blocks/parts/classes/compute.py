"""Surveys the packings of trays: a shard is one or more multisets of piece sizes, all of whose packings it makes.

A multiset of a large tray that takes long is surveyed in parts. Each part makes all packings, which is a small share of
the time, and surveys some of the classes; all parts divide the classes alike, by their numbers of positions.
"""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.sliding_blocks.boards import TraySize, board_text, pieces_of
from boardspace.spaces.sliding_blocks.config import GROUP_CELLS, SlidingBlocksConfig
from boardspace.spaces.sliding_blocks.parts.classes.part import (
    CLASS_PARTS,
    CLASSES,
    GROUPS,
    HISTOGRAMS,
    PARTS,
    RECORD_PARTS,
    RECORDS,
)
from boardspace.spec.space import Inputs, Json, Output, Shard
from boardspace.spec.stage import fitting
from boardspace_kernels.sliding_blocks.enumeration import Classes, enumerate_classes
from boardspace_kernels.sliding_blocks.frontier import count_by_sizes
from boardspace_kernels.sliding_blocks.survey import NO_PUZZLE, Survey, survey_classes
from boardspace_kernels.sliding_blocks.tray import Tray, tray

SHARD_SECONDS = 2.5
"""Multisets that take less are done together, up to about so long."""
PART_SECONDS = 8.0
"""Multisets of large trays that take longer are surveyed in parts that take about so long, as far as classes allow."""
SECONDS_PER_PACKING_MADE = 2e-7
Sizes = tuple[int, ...]


class Surveyed(NamedTuple):
    """Rows of the four tables for a multiset, or for some of its classes.

    first: of the longest puzzles, start and placement of the marked piece of the one that the histogram shows.
    work: int64 (4), what the survey took.
    """

    histogram: Mapping[str, Any]
    classes: pa.Table
    groups: pa.Table
    records: pa.Table
    first: tuple[int, int] | None
    work: NDArray[np.int64]


def seconds_of(tray: TraySize, sizes: Sizes, packings: int) -> float:
    """About how long the packings with these sizes take: fitted to 324 measured ones of 4 x 4 and 4 x 5."""
    if sum(sizes) == tray.cells or not sizes:
        return 90e-9 * packings
    pieces, voids = len(sizes), tray.cells - sum(sizes)
    logarithm = COST[0] + COST[1] * voids + COST[2] * pieces + COST[3] * sizes.count(1) + COST[4] * sizes.count(2)
    return float(np.exp(logarithm)) * packings


COST = (-18.2, 0.183, 0.3355, -0.0475, 0.1358)
"""Logarithm of the seconds a packing, and how it grows with voids, pieces, pieces of one cell, and of two."""


class Cut(NamedTuple):
    """A shard of multisets, and in which parts it is done.

    names: of the parts; none where it is done whole.
    made: seconds in which each part makes all packings.
    """

    shard: Shard
    names: list[str]
    made: float


def cut_histograms(config: SlidingBlocksConfig, inputs: Inputs) -> list[Shard]:
    """Consecutive multisets of a tray, as many as take a few seconds."""
    return [cut.shard for cut in _every_cut(config) if not cut.names]


def cut_parts(config: SlidingBlocksConfig, inputs: Inputs) -> list[Shard]:
    """Parts of the multisets that take long."""
    return [
        Shard(name, {**cut.shard.params, "part": part, "parts": len(cut.names)}, cut.made + PART_SECONDS)
        for cut in _every_cut(config)
        for part, name in enumerate(cut.names)
    ]


def cut_joined(config: SlidingBlocksConfig, inputs: Inputs) -> list[Shard]:
    """The multisets that take long."""
    return [
        Shard(cut.shard.name, {**cut.shard.params, "names": cut.names}, 0.1) for cut in _every_cut(config) if cut.names
    ]


def _every_cut(config: SlidingBlocksConfig) -> Iterator[Cut]:
    return (cut for size in config.trays for cut in _cuts(size))


def _cuts(size: TraySize) -> Iterator[Cut]:
    every = ((index, *one) for index, one in enumerate(count_by_sizes(*size).items()))
    groups = fitting(every, lambda one: seconds_of(size, one[1], one[2]), SHARD_SECONDS)
    return (_cut(size, number, some) for number, some in enumerate(groups))


def _cut(size: TraySize, number: int, histograms: Sequence[tuple[int, Sizes, int]]) -> Cut:
    """The shard of some multisets; a single one that takes long is done in parts, where its groups are not listed and
    it has voids."""
    name = f"tray={size.name}/{number:04}"
    cost = sum(seconds_of(size, sizes, packings) for _, sizes, packings in histograms)
    listed: list[Json] = [[index, list(sizes), packings] for index, sizes, packings in histograms]
    shard = Shard(name, {"rows": size.rows, "columns": size.columns, "histograms": listed}, cost + 0.02)
    (_, first, packings), *others = histograms
    made = packings * SECONDS_PER_PACKING_MADE
    whole = bool(others) or size.cells <= GROUP_CELLS or sum(first) == size.cells
    parts = 1 if whole else ceil((cost - made) / PART_SECONDS)
    return Cut(shard, [f"{name}-{part:02}" for part in range(parts)] if parts > 1 else [], made)


def survey_histograms(config: SlidingBlocksConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Everything about the packings with some multisets of piece sizes."""
    tables = tray(params["rows"], params["columns"])
    parts = []
    for done, (number, sizes, packings) in enumerate(params["histograms"]):
        inputs.report(f"sizes {' '.join(map(str, sizes))}, {done + 1} of {len(params['histograms'])}")
        classes = _made(tables, tuple(sizes), packings)
        parts.append(_surveyed(tables, number, tuple(sizes), classes, config.records_from))
    outputs = {
        "histograms": HISTOGRAMS.from_rows([part.histogram for part in parts]),
        "classes": pa.concat_tables([part.classes for part in parts]),
        "records": pa.concat_tables([part.records for part in parts]),
    }
    if _lists_groups(tables):
        outputs["groups"] = pa.concat_tables([part.groups for part in parts])
    return Output(outputs, facts=_work([part.work for part in parts]))


def survey_part(config: SlidingBlocksConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Everything about some classes of a multiset."""
    tables = tray(params["rows"], params["columns"])
    ((number, sizes, packings),) = params["histograms"]
    classes = _share(_made(tables, tuple(sizes), packings), params["part"], params["parts"])
    found = _surveyed(tables, number, tuple(sizes), classes, config.records_from)
    facts = {"histogram": dict(found.histogram), "first": found.first, "work": found.work.tolist()}
    return Output({"class_parts": found.classes, "record_parts": found.records}, facts=facts)


def join_parts(config: SlidingBlocksConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Everything about the packings with a multiset of piece sizes, from its parts; ArithmeticError where these have
    other than all packings."""
    ((_, sizes, packings),), facts = params["histograms"], inputs.named_facts(PARTS)
    parts = [facts[name] for name in params["names"]]
    rows = [part["histogram"] for part in parts]
    longest = max((row["steps"] for row in rows if row["steps"] is not None), default=None)
    boards = [(part["first"], row["board"]) for part, row in zip(parts, rows, strict=True) if row["steps"] == longest]
    histogram = {
        **rows[0],
        **{name: sum(row[name] for row in rows) for name in ("packings", "classes", "orbits", "groups", "alone")},
        "largest_group": max(row["largest_group"] for row in rows),
        "steps": longest,
        "board": min(boards)[1] if longest is not None else None,
    }
    if histogram["packings"] != packings:
        raise ArithmeticError(f"sizes {sizes}: the parts have other than {packings:,} packings")
    joined = {
        table.name: inputs.read(PARTS, name, shards=params["names"]).sort_by([(key, "ascending") for key in table.key])
        for name, table in ((CLASS_PARTS.name, CLASSES), (RECORD_PARTS.name, RECORDS))
    }
    work = _work([np.array(part["work"]) for part in parts])
    return Output({"histograms": HISTOGRAMS.from_rows([histogram]), **joined}, facts=work)


def _made(tables: Tray, sizes: Sizes, packings: int) -> Classes:
    """All packings with these sizes, by class; ArithmeticError where they are other than ``packings``."""
    classes = enumerate_classes(tables, sizes, packings)
    if int((classes.positions * classes.orbit).sum()) != packings:
        raise ArithmeticError(f"sizes {sizes}: the walk found other than {packings:,} packings")
    return classes


def _share(classes: Classes, part: int, parts: int) -> Classes:
    """The classes of one part: from the largest on, each goes to the part that has the fewest positions so far."""
    shares = [(0, other) for other in range(parts)]
    chosen = np.zeros(len(classes.key), bool)
    for number in np.argsort(-classes.positions, kind="stable").tolist():
        positions, least = heapq.heappop(shares)
        chosen[number] = least == part
        heapq.heappush(shares, (positions + int(classes.positions[number]), least))
    kept, sizes = np.repeat(chosen, np.diff(classes.start)), classes.positions[chosen]
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    return Classes(classes.key[chosen], classes.orbit[chosen], sizes, start, classes.code[kept], classes.slots[kept])


def _work(counters: Sequence[NDArray[np.int64]]) -> dict[str, int]:
    names = ("marked_positions", "searches", "entries", "slides")
    return dict(zip(names, np.sum(counters, axis=0).tolist(), strict=True))


def _lists_groups(tables: Tray) -> bool:
    return tables.rows * tables.columns <= GROUP_CELLS


def _surveyed(tables: Tray, number: int, sizes: Sizes, classes: Classes, records_from: int) -> Surveyed:
    survey = survey_classes(tables, classes, records_from, list_groups=_lists_groups(tables))
    first_puzzle = None
    found, orbit = survey.classes, classes.orbit.astype(np.int64)
    packings = int((classes.positions * orbit).sum())
    joined = int((found.joined * orbit).sum())
    listed = np.flatnonzero(found.joined)
    listed = listed[np.argsort(found.code[listed])]
    histogram = {
        "histogram": number,
        "sizes": " ".join(map(str, sizes)),
        "pieces": len(sizes),
        "voids": tables.rows * tables.columns - sum(sizes),
        "packings": packings,
        "classes": int(orbit.sum()),
        "orbits": len(orbit),
        "groups": int((found.groups * orbit).sum()),
        "alone": packings - joined,
        "largest_group": int(found.largest.max(initial=0)),
        "steps": None,
        "board": None,
    }
    steps = found.steps[survey.puzzles.label]
    if len(steps):
        longest = int(steps.max())
        best = np.flatnonzero(steps == longest)
        first = best[np.lexsort((survey.puzzles.marked[best], survey.puzzles.start[best]))[0]]
        histogram |= {"steps": longest, "board": _board(tables, survey, int(first))}
        first_puzzle = int(survey.puzzles.start[first]), int(survey.puzzles.marked[first])
    no_puzzle = found.steps[listed] == NO_PUZZLE
    rows = CLASSES.from_columns(
        histogram=np.full(len(listed), number),
        code=found.code[listed],
        orbit=orbit[listed],
        positions=classes.positions[listed],
        groups=found.groups[listed],
        joined=found.joined[listed],
        largest_group=found.largest[listed],
        steps=pa.array(found.steps[listed], pa.uint16(), mask=no_puzzle),
    )
    groups = _group_rows(number, found.code, survey.groups)
    records = _record_rows(tables, number, survey, records_from)
    return Surveyed(histogram, rows, groups, records, first_puzzle, survey.work)


def _group_rows(number: int, code: NDArray[np.uint64], groups: NDArray[np.int64]) -> pa.Table:
    """Groups in order of classes' codes, the largest of a class first."""
    name, size = code[groups[:, 0]], groups[:, 1]
    order = np.lexsort((-size, name))
    name, size = name[order], size[order]
    first = np.flatnonzero(np.r_[True, name[1:] != name[:-1]]) if len(name) else np.zeros(0, np.int64)
    index = np.arange(len(name)) - np.repeat(first, np.diff(np.r_[first, len(name)]))
    return GROUPS.from_columns(histogram=np.full(len(name), number), code=name, group_num=index, positions=size)


def _record_rows(tables: Tray, number: int, survey: Survey, records_from: int) -> pa.Table:
    puzzles = survey.puzzles
    steps = survey.classes.steps[puzzles.label]
    code = survey.classes.code[puzzles.label]
    marked = tables.mask[puzzles.marked]
    order = np.lexsort((marked, puzzles.start, code))
    order = order[steps[order] >= records_from]
    order = order[_first_twins(tables, puzzles.label[order], puzzles.start[order], puzzles.marked[order])]
    return RECORDS.from_columns(
        histogram=np.full(len(order), number),
        code=code[order],
        start=puzzles.start[order],
        marked=marked[order],
        steps=steps[order],
        starts=puzzles.starts[order],
        board=[_board(tables, survey, int(row)) for row in order],
    )


def _first_twins(
    tables: Tray, label: NDArray[np.int64], start: NDArray[np.uint64], marked: NDArray[np.int32]
) -> list[int]:
    """Numbers of the puzzles, but of those of a class that a symmetry turns into one another only the first."""
    kept, seen = [], set()
    several = np.isin(label, label[1:][label[1:] == label[:-1]])
    for number in range(len(label)):
        if several[number]:
            kind = int(label[number]), _kind(tables, int(start[number]), int(marked[number]))
            if kind in seen:
                continue
            seen.add(kind)
        kept.append(number)
    return kept


def _kind(tables: Tray, start: int, marked: int) -> tuple[int, ...]:
    """The shapes of a puzzle, the marked one first: the smallest of its images under the symmetries that leave the
    marked piece's start in the upper left corner and its goal in the lower right one."""
    size = TraySize(tables.rows, tables.columns)
    placements = [int(np.flatnonzero(tables.mask == piece)[0]) for piece in pieces_of(size, start)]
    goal = tables.corner[3, marked]
    images = []
    for image in tables.image:
        here, there = image[marked], image[goal]
        if tables.corner[0, here] == here and tables.corner[3, there] == there:
            shapes = sorted(tables.shape[image[placements]].tolist())
            images.append((int(tables.shape[here]), *shapes))
    return min(images)


def _board(tables: Tray, survey: Survey, row: int) -> str:
    size = TraySize(tables.rows, tables.columns)
    pieces = pieces_of(size, int(survey.puzzles.start[row]))
    return board_text(size, pieces, int(tables.mask[survey.puzzles.marked[row]]))
