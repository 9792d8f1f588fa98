"""Surveys the packings of trays: a shard is one or more multisets of piece sizes, all of whose packings it makes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.sliding_blocks.boards import TraySize, board_text, pieces_of
from boardspace.spaces.sliding_blocks.config import GROUP_CELLS, SlidingBlocksConfig
from boardspace.spaces.sliding_blocks.parts.classes.part import CLASSES, GROUPS, HISTOGRAMS, RECORDS
from boardspace.spec.space import Inputs, Json, Output, Shard
from boardspace_kernels.sliding_blocks.enumeration import Classes, enumerate_classes
from boardspace_kernels.sliding_blocks.frontier import count_by_sizes
from boardspace_kernels.sliding_blocks.survey import NO_PUZZLE, Survey, survey_classes
from boardspace_kernels.sliding_blocks.tray import Tray, tray

SHARD_SECONDS = 6.0
"""Multisets that take less are done together, up to about so long."""
Sizes = tuple[int, ...]


class Surveyed(NamedTuple):
    """Rows of the four tables for one multiset."""

    histogram: Mapping[str, Any]
    classes: pa.Table
    groups: pa.Table
    records: pa.Table


def seconds_of(tray: TraySize, sizes: Sizes, packings: int) -> float:
    """About how long the packings with these sizes take: fitted to 324 measured ones of 4 x 4 and 4 x 5."""
    if sum(sizes) == tray.cells or not sizes:
        return 90e-9 * packings
    pieces, voids = len(sizes), tray.cells - sum(sizes)
    logarithm = COST[0] + COST[1] * voids + COST[2] * pieces + COST[3] * sizes.count(1) + COST[4] * sizes.count(2)
    return float(np.exp(logarithm)) * packings


COST = (-18.2, 0.183, 0.3355, -0.0475, 0.1358)
"""Logarithm of the seconds a packing, and how it grows with voids, pieces, pieces of one cell, and of two."""


def cut_histograms(config: SlidingBlocksConfig, inputs: Inputs) -> list[Shard]:
    """Consecutive multisets of a tray, as many as take a few seconds."""
    shards = []
    for size in config.trays:
        some: list[list[Any]] = []
        cost, number = 0.0, 0
        counts = count_by_sizes(*size)
        for index, (sizes, packings) in enumerate(counts.items()):
            seconds = seconds_of(size, sizes, packings)
            if some and cost + seconds > SHARD_SECONDS:
                shards.append(_shard(size, number, some, cost))
                some, cost, number = [], 0.0, number + 1
            some.append([index, list(sizes), packings])
            cost += seconds
        shards.append(_shard(size, number, some, cost))
    return shards


def _shard(size: TraySize, number: int, histograms: Sequence[Any], cost: float) -> Shard:
    params: dict[str, Json] = {"rows": size.rows, "columns": size.columns, "histograms": list(histograms)}
    return Shard(f"tray={size.name}/{number:04}", params, cost + 0.02)


def survey_histograms(config: SlidingBlocksConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Everything about the packings with some multisets of piece sizes."""
    tables = tray(params["rows"], params["columns"])
    parts, work = [], np.zeros(4, np.int64)
    for done, (number, sizes, packings) in enumerate(params["histograms"]):
        inputs.report(f"sizes {' '.join(map(str, sizes))}, {done + 1} of {len(params['histograms'])}")
        classes = enumerate_classes(tables, tuple(sizes), packings)
        if int((classes.positions * classes.orbit).sum()) != packings:
            raise ArithmeticError(f"sizes {sizes}: the walk found other than {packings:,} packings")
        survey = survey_classes(tables, classes, config.records_from, list_groups=_lists_groups(tables))
        work += survey.work
        parts.append(_surveyed(tables, number, tuple(sizes), classes, survey, config.records_from))
    histograms = HISTOGRAMS.from_rows([part.histogram for part in parts])
    outputs = {
        "histograms": histograms,
        "classes": pa.concat_tables([part.classes for part in parts]),
        "records": pa.concat_tables([part.records for part in parts]),
    }
    if _lists_groups(tables):
        outputs["groups"] = pa.concat_tables([part.groups for part in parts])
    names = ("marked_positions", "searches", "entries", "slides")
    return Output(outputs, facts=dict(zip(names, work.tolist(), strict=True)))


def _lists_groups(tables: Tray) -> bool:
    return tables.rows * tables.columns <= GROUP_CELLS


def _surveyed(tables: Tray, number: int, sizes: Sizes, classes: Classes, survey: Survey, records_from: int) -> Surveyed:
    """The rows of one multiset."""
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
    return Surveyed(histogram, rows, groups, _record_rows(tables, number, survey, records_from))


def _group_rows(number: int, code: NDArray[np.uint64], groups: NDArray[np.int64]) -> pa.Table:
    """Groups in order of classes' codes, the largest of a class first."""
    name, size = code[groups[:, 0]], groups[:, 1]
    order = np.lexsort((-size, name))
    name, size = name[order], size[order]
    first = np.flatnonzero(np.r_[True, name[1:] != name[:-1]]) if len(name) else np.zeros(0, np.int64)
    index = np.arange(len(name)) - np.repeat(first, np.diff(np.r_[first, len(name)]))
    return GROUPS.from_columns(histogram=np.full(len(name), number), code=name, group_num=index, positions=size)


def _record_rows(tables: Tray, number: int, survey: Survey, records_from: int) -> pa.Table:
    """The puzzles of enough steps."""
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
        board=list(_boards(tables, survey, order)),
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


def _boards(tables: Tray, survey: Survey, rows: NDArray[np.int64]) -> Iterator[str]:
    return (_board(tables, survey, int(row)) for row in rows)


def _board(tables: Tray, survey: Survey, row: int) -> str:
    """The start of a puzzle as text."""
    size = TraySize(tables.rows, tables.columns)
    pieces = pieces_of(size, int(survey.puzzles.start[row]))
    return board_text(size, pieces, int(tables.mask[survey.puzzles.marked[row]]))
