"""Instances of Klotski: layouts with a way to the exit, of every length, or with none; one of each two mirror images.

The distances of a class from its exits are one search. From the layouts that were chosen all shortest ways are followed
at once, layer by layer towards the exits, which counts them, and picks one of each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow.dataset as ds
from numpy.typing import NDArray

from boardspace.instances.checker import KINDS, pieces_of
from boardspace.instances.slides import pddl, slide_puzzle, steps_between
from boardspace.instances.source import Batch, Instance, Request, Source, labelled, one_by_one, without_answer
from boardspace.release.datasets import Dataset
from boardspace.spaces.klotski.layouts import Layout, parse
from boardspace.spaces.klotski.queries import layouts_of
from boardspace.spaces.klotski.steps import Path
from boardspace.spaces.klotski.texts import CLASS_NAMES, format_code, parse_name
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.klotski.board import EXIT
from boardspace_kernels.klotski.classes import ClassLayouts, ClassName
from boardspace_kernels.klotski.distances import distances
from boardspace_kernels.klotski.group_graphs import mirror
from boardspace_kernels.klotski.moves import STEP, UNIT
from boardspace_kernels.klotski.step_graph import neighbour_rows

GOAL = (4, 2)
"""Where the block leaves: row and column of its upper left corner, from 1."""
MOST_WAYS = float(1 << 62)
"""Shortest ways that are counted exactly."""
MOST_LAYOUTS = 5_000
"""Layouts of a group without an exit, which the checker goes through."""
LAYOUTS, SOLUTIONS, STEPS = "main", "solution", "min_solution_step"
"""Tables of a dataset, and the column of steps to the exit."""


@dataclass(frozen=True)
class Ways:
    """Shortest ways to the exit: addresses int64 (layouts), the nearest first; of each its ways in all, uint64 modulo
    2^64 and float64, and the next address on one of them."""

    address: NDArray[np.int64]
    count: NDArray[np.uint64]
    size: NDArray[np.float64]
    after: NDArray[np.int64]


def batches(request: Request) -> Iterator[Batch]:
    """One batch for each class that has a way to the exit; of a dataset, from the classes that it holds."""
    for part in request.parts or CLASS_NAMES:
        name = ClassName(*parse_name(part, 3))
        if request.data is not None:
            codes, groups, steps = _recorded(name, request.data)
            if request.parts and not len(codes):
                raise BoardspaceError(f"--of {part}: the dataset holds no layout of this class")
        else:
            layouts = layouts_of(name)
            codes, groups, steps = layouts.codes, layouts.groups.group_num, steps_to_exit(layouts)
        sizes = np.bincount(groups)[groups]
        groups = np.minimum(groups, groups[np.searchsorted(codes, mirror(codes))])  # a group and its image are one
        rows = np.flatnonzero((steps > 0) & (codes <= mirror(codes)))
        if len(rows):
            yield Batch(
                name=str(name),
                family=str(name),
                key=codes[rows],
                group=groups[rows].astype(np.uint64),
                difficulty=steps[rows].astype(np.int64),
                make=partial(instances, name),
                show=format_code,
            )
        rows = np.flatnonzero((steps < 0) & (codes <= mirror(codes)) & (sizes <= MOST_LAYOUTS))
        if request.unsolvable and len(rows):
            yield Batch(
                name=f"{name}-closed",
                family=str(name),
                key=codes[rows],
                group=groups[rows].astype(np.uint64),
                difficulty=sizes[rows].astype(np.int64),
                make=one_by_one(partial(_closed, dict(zip(codes[rows].tolist(), sizes[rows].tolist(), strict=True)))),
                show=format_code,
                solvable=False,
            )


def _recorded(name: ClassName, data: Dataset) -> tuple[NDArray[np.uint64], NDArray[Any], NDArray[Any]]:
    """Of a dataset's layouts of a class, by code: codes, groups, and the fewest steps to the exit, -1 for no way."""
    chosen = ds.field("jiang_num") == name.jiang
    chosen &= (ds.field("bing_num") == name.bing) & (ds.field("style_num") == name.style)
    layouts = data.tables[LAYOUTS].to_table(columns=["layout_id", "code", "group_num"], filter=chosen)
    known = data.tables[SOLUTIONS].to_table(
        columns=["layout_id", STEPS], filter=ds.field("layout_id").isin(layouts["layout_id"])
    )
    rows = layouts.join(known, "layout_id").sort_by("code")
    code, group, steps = (rows[column].to_numpy() for column in ("code", "group_num", STEPS))
    return code, group, steps


def steps_to_exit(layouts: ClassLayouts) -> NDArray[np.int16]:
    """int16 (layouts): the fewest steps to a layout with the block at the exit, -1 where there is none."""
    return _by_address(layouts)[layouts.addresses]


def instances(name: ClassName, codes: NDArray[np.uint64]) -> Sequence[Instance]:
    """The instances of layouts of a class, by their codes."""
    layouts = layouts_of(name)
    steps, units = (_by_address(layouts, metric) for metric in (STEP, UNIT))
    starts = layouts.addresses[np.searchsorted(layouts.codes, codes)].astype(np.int64)
    ways = shortest_ways(layouts, steps, starts)
    code_at = np.zeros(len(steps), dtype=np.uint64)
    code_at[layouts.addresses] = layouts.codes
    row_of = {int(address): row for row, address in enumerate(ways.address)}

    def left(state: tuple[str, ...]) -> int | None:
        code = parse("\n".join(state)).code
        distance = int(steps[layouts.addresses[np.searchsorted(layouts.codes, np.uint64(code))]])
        return None if distance < 0 else distance

    found = (_instance(ways, row_of, code_at, int(start), int(steps[start])) for start in starts)
    return [
        replace(
            one,
            actions=labelled(KINDS["slide"], one.puzzle, left),
            metrics={"steps": one.difficulty, "unit_moves": int(units[start])},
        )
        for one, start in zip(found, starts, strict=True)
    ]


def _closed(sizes: dict[int, int], code: int) -> Instance:
    puzzle = slide_puzzle(Layout(code).drawing.split("\n"), "A", GOAL)
    return without_answer(KINDS["slide"], puzzle, {"kind": "group", "positions": sizes[code]}, sizes[code])


def shortest_ways(layouts: ClassLayouts, steps: NDArray[np.int16], starts: NDArray[np.int64]) -> Ways:
    """All layouts on shortest ways from ``starts`` (addresses) to the exit."""
    tables, every = layouts.tables, np.arange(len(steps), dtype=np.int32)
    layers: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]] = []
    here = np.empty(0, dtype=np.int64)
    for distance in range(int(steps[starts].max()), 0, -1):
        here = np.union1d(here, starts[steps[starts] == distance])
        addresses, images = here.astype(np.uint32), np.empty((0, len(here)), dtype=np.int32)
        graph = neighbour_rows(tables.patterns, tables.fillings, STEP, addresses, every, images)
        row = np.repeat(np.arange(len(here)), np.diff(graph.indptr))
        ascending = graph.indices[np.lexsort((graph.indices, row))]
        nearer = steps[ascending] == distance - 1
        first = np.concatenate([[0], np.cumsum(nearer)])[graph.indptr[:-1]]
        following = ascending[nearer].astype(np.int64)
        layers.append((here, first, following))
        here = np.unique(following)
    address, count, size = [here], [np.ones(len(here), dtype=np.uint64)], [np.ones(len(here))]
    after = [here]
    for layer, first, following in reversed(layers):
        place = np.searchsorted(address[-1], following)
        count.append(np.add.reduceat(count[-1][place], first))
        size.append(np.add.reduceat(size[-1][place], first))
        after.append(following[first])
        address.append(layer)
    return Ways(np.concatenate(address), np.concatenate(count), np.concatenate(size), np.concatenate(after))


def _by_address(layouts: ClassLayouts, metric: int = STEP) -> NDArray[np.int16]:
    exits = layouts.addresses[layouts.codes >> np.uint64(32) == EXIT]
    return distances(layouts.tables.patterns, layouts.tables.fillings, metric, exits)


def _instance(ways: Ways, row_of: dict[int, int], code_at: NDArray[np.uint64], start: int, steps: int) -> Instance:
    addresses = [start]
    for _ in range(steps):
        addresses.append(int(ways.after[row_of[addresses[-1]]]))
    path = Path(tuple(Layout(int(code_at[address])) for address in addresses))
    row = row_of[start]
    return Instance(
        puzzle=slide_puzzle(path.layouts[0].drawing.split("\n"), "A", GOAL),
        least=steps,
        solutions=int(ways.count[row]) if ways.size[row] < MOST_WAYS else None,
        answer=_answer(path),
        difficulty=steps,
    )


def _answer(path: Path) -> tuple[str, ...]:
    """The steps; pieces keep the signs that they have in the first layout."""
    boards = [pieces_of(path.layouts[0].drawing.split("\n"))]
    signs = list(boards[0])
    first = {min(cells): sign for sign, cells in boards[0].items()}
    order = [first[divmod(piece.cell, 4)] for piece in path.layouts[0].pieces]
    assert sorted(order) == sorted(signs)
    for number, step in path.steps():
        cells = {divmod(cell, 4) for cell in step.end.cells}
        boards.append({**boards[-1], order[number]: cells})
    return steps_between(boards)


SOURCE = Source(
    title="Bring the 2 x 2 block, A, to the exit: rows 4 and 5, columns 2 and 3, in the fewest steps. The number of "
    "solutions is that of all shortest ways, equal pieces exchanged or not, to the layouts with the block there.",
    part="class",
    usual=CLASS_NAMES,
    strata=("steps",),
    grouped="A group is all layouts that moves turn into one another, and their mirror images.",
    batches=batches,
    formats={"pddl": pddl},
    table=SOLUTIONS,
    kinds=("slide",),
    unsolvable=True,
)
