"""Instances of Klotski: layouts with a way to the exit, of every length, or with none; one of each two mirror images.

The distances of a class from its exits are one search of its step graph, and so are the numbers of shortest ways. An
answer is one of these ways.
"""

from collections.abc import Iterator, Sequence
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
from boardspace_kernels.klotski.classes import ClassLayouts, ClassName
from boardspace_kernels.klotski.distances import moves_to_exit
from boardspace_kernels.klotski.group_graphs import group_graphs, mirror
from boardspace_kernels.klotski.moves import STEP, UNIT
from boardspace_kernels.klotski.net import shortest_path_counts

GOAL = (4, 2)
"""Where the block leaves: row and column of its upper left corner, from 1."""
MOST_WAYS = 1 << 62
"""Shortest ways that are counted exactly."""
MOST_LAYOUTS = 5_000
"""Layouts of a group without an exit, which the checker goes through."""
LAYOUTS, SOLUTIONS, STEPS = "main", "solution", "min_solution_step"
"""Tables of a dataset, and the column of steps to the exit."""


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
    graphs = group_graphs(layouts)
    return graphs.by_code(moves_to_exit(layouts, graphs, STEP))


def instances(name: ClassName, codes: NDArray[np.uint64]) -> Sequence[Instance]:
    """The instances of layouts of a class, by their codes."""
    layouts = layouts_of(name)
    graphs = group_graphs(layouts)
    steps, units = (moves_to_exit(layouts, graphs, metric) for metric in (STEP, UNIT))
    ways, vertex_of = shortest_path_counts(graphs.graph, steps), graphs.by_code(np.arange(len(steps)))

    def vertex(code: int) -> int:
        return int(vertex_of[np.searchsorted(layouts.codes, np.uint64(code))])

    def left(state: tuple[str, ...]) -> int | None:
        distance = int(steps[vertex(parse("\n".join(state)).code)])
        return None if distance < 0 else distance

    def way(start: int) -> Iterator[int]:
        """Yield the layouts of a shortest way: each next one is that of the least address."""
        yield start
        while steps[start]:
            around = graphs.graph.indices[slice(*graphs.graph.indptr[start : start + 2])]
            nearer = around[steps[around] < steps[start]]
            yield (start := int(nearer[np.argmin(graphs.addresses[nearer])]))

    def instance(start: int) -> Instance:
        path = Path(tuple(map(Layout, layouts.codes[graphs.order[[*way(start)]]].tolist())))
        puzzle, least = slide_puzzle(path.layouts[0].drawing.split("\n"), "A", GOAL), len(path)
        return Instance(
            puzzle=puzzle,
            least=least,
            solutions=int(ways[start]) if ways[start] < MOST_WAYS else None,
            answer=_answer(path),
            difficulty=least,
            actions=labelled(KINDS["slide"], puzzle, left),
            metrics={"steps": least, "unit_moves": int(units[start])},
        )

    return [instance(vertex(code)) for code in codes.tolist()]


def _closed(sizes: dict[int, int], code: int) -> Instance:
    puzzle = slide_puzzle(Layout(code).drawing.split("\n"), "A", GOAL)
    return without_answer(KINDS["slide"], puzzle, {"kind": "group", "positions": sizes[code]}, sizes[code])


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
