"""Questions about one layout: its neighbours, solution, paths, group, farthest layouts; what the commands print.

Each is answered on the fly from the layout's class, without a dataset. A *step* moves one piece any number of cells, in
any directions, through empty cells.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boardspace.spaces.klotski import pictures
from boardspace.spaces.klotski.layouts import Layout, LayoutLike, parse
from boardspace.spaces.klotski.steps import Path, Step, neighbours
from boardspace.spaces.klotski.texts import (
    CELLS,
    CLASS_NAMES,
    COLUMNS,
    EXIT,
    ROWS,
    LayoutError,
    Piece,
    encode,
    format_code,
    parse_name,
)
from boardspace.spec.arguments import seed_of
from boardspace.spec.deferred import deferred
from boardspace.spec.errors import NothingFoundError
from boardspace.spec.texts import counted

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from boardspace.graphs import hardness as measures
    from boardspace.spaces.klotski import queries
    from boardspace.spec import sliding
else:
    (queries,) = deferred("boardspace.spaces.klotski", "queries")  # so that help and neighbours load no
    (sliding,) = deferred("boardspace.spec", "sliding")  # kernel and no NumPy
    (measures,) = deferred("boardspace.graphs", "hardness")


@dataclass(frozen=True)
class Description:
    """A layout's id (rank of its code among all), class, group, number in the group, and steps to the exit.

    ``steps_to_exit`` is None where nothing in the group has the block at the exit.
    """

    layout: Layout
    layout_id: int
    class_name: str
    group_num: int
    group_index: int
    group_size: int
    steps_to_exit: int | None

    @property
    def name(self) -> str:
        """jiang-bing-style-group-index: dominoes, singles, lying dominoes, group, number in the group."""
        return f"{self.class_name}-{self.group_num}-{self.group_index}"

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "code": self.layout.text,
            "layout_id": self.layout_id,
            "class": self.class_name,
            "name": self.name,
            "group_size": self.group_size,
            "steps_to_exit": self.steps_to_exit,
        }

    def __str__(self) -> str:
        values = self.document()
        steps = values.pop("steps_to_exit")
        line = "no way to the exit" if steps is None else f"{counted(steps, 'step')} to the exit"
        return "\n".join([str(self.layout), *(f"{key}: {value}" for key, value in values.items()), line])

    def _repr_svg_(self) -> str:
        return self.layout._repr_svg_()


@dataclass(frozen=True)
class ShortestPaths:
    """All shortest ways between two layouts: one of them, how many they are, and what may follow each layout."""

    path: Path
    count: int
    after: Mapping[int, Sequence[int]] = field(repr=False)

    @property
    def counts(self) -> str:
        """Their numbers in a sentence."""
        edges = sum(map(len, self.after.values()))
        over = f"{counted(len(self.after), 'layout')} and {counted(edges, 'step')} between them"
        return f"{counted(self.count, 'shortest path')}, over {over}"

    def document(self) -> dict[str, Any]:
        """Return it as JSON values; ``graph`` tells by codes what may follow each layout."""
        graph = {format_code(code): [format_code(other) for other in others] for code, others in self.after.items()}
        return {**self.path.document(), "shortest_paths": self.count, "graph": graph}

    def graph_svg(self) -> str:
        """Draw the graph as SVG, see :func:`.pictures.graph_picture`."""
        return pictures.graph_picture(self.after).svg()

    def graphml(self) -> str:
        """Return the graph of all shortest ways as GraphML, see :func:`.pictures.graphml`."""
        return pictures.graphml(self.after)

    def __str__(self) -> str:
        return f"{self.path}\n{self.counts}"

    def _repr_svg_(self) -> str:
        return self.path._repr_svg_()


@dataclass(frozen=True)
class Solutions:
    """All solutions of a layout, (steps, layout), nearest first: layouts with the block at the exit and no other such
    layout on any shortest way to them. ``nearest`` are all shortest ways to the nearest; None where there is none."""

    layout: Layout
    found: tuple[tuple[int, Layout], ...]
    nearest: ShortestPaths | None = field(repr=False)

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        reason = {} if self.nearest else {"reason": no_solution(self.layout)}
        return {
            "code": self.layout.text,
            "solvable": self.nearest is not None,
            **reason,
            "solutions": [{"steps": steps, "code": layout.text} for steps, layout in self.found],
            "shortest_paths": self.nearest.count if self.nearest else 0,
        }

    def __str__(self) -> str:
        if self.nearest is None:
            return no_solution(self.layout)
        lines = [f"{steps:4} {layout.text}" for steps, layout in self.found]
        summary = f"{counted(len(self.found), 'solution')}; to the nearest {self.nearest.counts}"
        return "\n".join(["step  code", *lines, summary])


@dataclass(frozen=True)
class Group:
    """All layouts that moves turn into one another: ``codes`` uint64 (layouts), ascending."""

    class_name: str
    number: int
    groups_in_class: int
    codes: "npt.NDArray[np.uint64]" = field(repr=False, compare=False)

    @property
    def size(self) -> int:
        """Number of layouts."""
        return len(self.codes)

    @property
    def seed(self) -> Layout:
        """The layout with the smallest code."""
        return Layout(int(self.codes[0]))

    def members(self) -> Iterator[str]:
        """The codes of all its layouts as 9 digits, ascending."""
        return map(format_code, self.codes.tolist())

    def document(self) -> dict[str, Any]:
        """Return it as JSON values, without its members."""
        return {
            "class": self.class_name,
            "group_num": self.number,
            "group_size": self.size,
            "seed_code": self.seed.text,
            "groups_in_class": self.groups_in_class,
        }

    def __str__(self) -> str:
        return "\n".join(f"{key}: {value}" for key, value in self.document().items())


@dataclass(frozen=True)
class Layers:
    """Distances of the layouts of a group from one: ``sizes[d]`` are d steps away; the end points of each layer, which
    have no neighbour in the next one; and the farthest layouts."""

    layout: Layout
    sizes: tuple[int, ...]
    end_points: tuple[tuple[Layout, ...], ...] = field(repr=False)
    farthest: tuple[Layout, ...]

    @property
    def steps(self) -> int:
        """Steps to the farthest."""
        return len(self.sizes) - 1

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "layers": list(self.sizes),
            "farthest_step": self.steps,
            "farthest": [layout.text for layout in self.farthest],
            "end_points": [[layout.text for layout in ends] for ends in self.end_points],
        }

    def __str__(self) -> str:
        table = (f"{d:4} {size:8} {len(self.end_points[d]):11}" for d, size in enumerate(self.sizes))
        codes = " ".join(layout.text for layout in self.farthest[:20])
        summary = f"farthest: {counted(self.steps, 'step')}, {counted(len(self.farthest), 'layout')}: {codes}"
        return "\n".join(["step  layouts  end points", *table, summary])


@dataclass(frozen=True)
class Hardest:
    """The layouts of a class with the most steps to the exit."""

    class_name: str
    steps: int
    layouts: tuple[Layout, ...]

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"class": self.class_name, "steps": self.steps, "codes": [layout.text for layout in self.layouts]}

    def __str__(self) -> str:
        codes = " ".join(layout.text for layout in self.layouts)
        return f"{self.layouts[0]}\nclass {self.class_name}, {counted(self.steps, 'step')}: {codes}"

    def _repr_svg_(self) -> str:
        return self.layouts[0]._repr_svg_()


def describe(layout: LayoutLike) -> Description:
    """Id, name, group and steps to the exit of a layout, given as :func:`.layouts.parse` takes it.

    >>> describe("1A9BF0C").name
    '5-4-1-1-7472'
    """
    layout = parse(layout)
    located = queries.LayoutInClass(layout.code)
    return Description(
        layout=layout,
        layout_id=located.layout_id,
        class_name=str(located.name),
        group_num=located.group,
        group_index=located.index,
        group_size=int(located.layouts.groups.sizes[located.group]),
        steps_to_exit=located.steps_to_exit,
    )


def no_solution(layout: Layout) -> str:
    """The sentence that says so."""
    return f"{layout.text} has no solution: nothing in its group has the block at the exit"


def solution(layout: LayoutLike, metric: str = "step") -> Path | None:
    """A shortest way from a layout to one with the block at the exit; None where there is none.

    A step moves a piece any way, round corners too; where ``metric`` is "unit", by one cell.

    >>> solution("横刀立马")
    Path(81 steps from 1A9BF0C00 to DAA7F3000)
    >>> solution("横刀立马", "unit")
    Path(116 unit moves from 1A9BF0C00 to DAA7F3000)
    """
    layout = parse(layout)
    pieces = list(layout.pieces)
    unit = sliding.is_unit(metric)
    way = sliding.shortest_way(_question(layout), unit=unit)
    if way is None:
        return None
    layouts = [layout]
    for step in way:
        pieces[step.piece] = pieces[step.piece]._replace(cell=_corner(step.cells))
        layouts.append(Layout(encode(pieces)))
    return Path(tuple(layouts), unit)


@dataclass(frozen=True)
class Moves:
    """All next steps of a layout, the best first, each with the steps to the exit that it leaves; None where there are
    none. ``steps_to_exit`` are those of the layout."""

    layout: Layout
    steps_to_exit: int | None
    choices: tuple[tuple[Step, int | None], ...] = field(repr=False)

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        moves = [
            {"code": step.layout.text, "cell": step.start.cell, "way": step.short, "steps_to_exit": left}
            for step, left in self.choices
        ]
        solvable = self.steps_to_exit is not None
        return {"code": self.layout.text, "solvable": solvable, "steps_to_exit": self.steps_to_exit, "moves": moves}

    def __str__(self) -> str:
        names = dict(zip(self.layout.pieces, pictures.LETTERS, strict=False))
        lines = [f"{names[s.start]} {s.short:4} {s.layout.text} {'-' if n is None else n:>4}" for s, n in self.choices]
        return "\n".join([str(self.layout), *lines])


def moves(layout: LayoutLike, metric: str = "step") -> Moves:
    """The next steps of a layout, with the exact number of steps to the exit behind each; ``metric`` as for
    :func:`solution`.

    >>> found = moves("横刀立马")
    >>> found.steps_to_exit, [left for _, left in found.choices][:3]
    (81, [80, 80, 80])
    """
    layout = parse(layout)
    left, found = sliding.choices(_question(layout), unit=sliding.is_unit(metric))
    by_ends = {(step.start, step.end.cell): step for step in neighbours(layout)}
    choices = [(by_ends[layout.pieces[step.piece], _corner(step.cells)], steps) for step, steps in found]
    return Moves(layout, left, tuple(choices))


def hardness(layout: LayoutLike) -> "measures.Hardness | None":
    """Measures of a layout beside the number of its steps, on its whole group; None where the block cannot come to the
    exit. A layout seems the nearer, the fewer cells the block is away from there.

    >>> found = hardness("横刀立马")
    >>> found.moves, found.forced, found.detours, found.returns, found.walk
    (81, 74, 3, 12, 318510.0)
    """
    graph = sliding.graph_of(_question(parse(layout)))
    return measures.hardness(graph, seems=graph.away, as_begun=graph.as_begun)


def _question(layout: Layout) -> "sliding.Question":
    return sliding.Question(_tray(), _masks(layout), 1 << EXIT)


def _tray() -> "sliding.Tray":
    return sliding.Tray(ROWS, COLUMNS, (1 << CELLS) - 1)


def _masks(layout: Layout) -> list[int]:
    return [sum(1 << cell for cell in piece.cells) for piece in layout.pieces]


def _piece(cells: int) -> Piece:
    corner = _corner(cells)
    return Piece(corner, 1 + (cells >> corner + COLUMNS & 1), 1 + (cells >> corner + 1 & 1))


def _corner(cells: int) -> int:
    """The upper left cell of a piece, given by its cells."""
    return (cells & -cells).bit_length() - 1


def path(start: LayoutLike, end: LayoutLike) -> ShortestPaths | None:
    """The shortest ways from one layout to another; None where no moves lead there.

    >>> path("横刀立马", "DAA7F3000")
    ShortestPaths(path=Path(81 steps from 1A9BF0C00 to DAA7F3000), count=128)
    """
    return _shortest_paths(parse(start), [parse(end)])


def _shortest_paths(start: Layout, ends: Sequence[Layout]) -> ShortestPaths | None:
    """The shortest ways to the nearest of some layouts; None where no moves lead to any."""
    found = sliding.all_shortest_ways(_tray(), _masks(start), map(_masks, ends))
    if not found:
        return None
    code_of = {cells: encode([_piece(mask) for mask in cells]) for cells in found}
    after = {code_of[cells]: sorted(map(code_of.__getitem__, following)) for cells, following in found.items()}
    ways = dict.fromkeys(after, 0) | {start.code: 1}
    for code, following in after.items():  # what leads to a layout comes before it
        for other in following:
            ways[other] += ways[code]
    path = [start.code]
    while after[path[-1]]:
        path.append(after[path[-1]][0])
    count = sum(ways[code] for code, following in after.items() if not following)
    return ShortestPaths(Path(tuple(map(Layout, path))), count, after)


def solutions(layout: LayoutLike) -> Solutions:
    """All solutions of a layout, and all shortest ways to the nearest of them.

    >>> solutions("横刀立马").nearest.count
    256
    """
    layout = parse(layout)
    found = [(steps, Layout(code)) for steps, code in queries.LayoutInClass(layout.code).solutions()]
    nearest = _shortest_paths(layout, [end for steps, end in found if steps == found[0][0]])
    return Solutions(layout, tuple(found), nearest)


def group(layout: LayoutLike) -> Group:
    """The group of a layout.

    >>> group("横刀立马")
    Group(class_name='5-4-1', number=1, groups_in_class=898)
    """
    layout = parse(layout)
    located = queries.LayoutInClass(layout.code)
    found = located.layouts.groups
    members = located.layouts.codes[found.group_num == located.group]
    return Group(str(located.name), located.group, len(found.sizes), members)


def layers(layout: LayoutLike) -> Layers:
    """Distances of all layouts of a layout's group from it, and the farthest.

    >>> layers("横刀立马").steps
    124
    """
    layout = parse(layout)
    located = queries.LayoutInClass(layout.code)
    sizes = located.layer_sizes()
    ends: list[list[Layout]] = [[] for _ in sizes]
    for steps, code in located.end_points():
        ends[steps].append(Layout(code))
    return Layers(layout, tuple(sizes), tuple(map(tuple, ends)), tuple(map(Layout, located.farthest())))


def farthest(layout: LayoutLike) -> tuple[Layout, ...]:
    """The layouts of a layout's group that are most steps away, by code.

    >>> farthest("横刀立马")[0]
    Layout('C28F6EC00')
    """
    return tuple(map(Layout, queries.LayoutInClass(parse(layout).code).farthest()))


def all_hardest() -> Iterator[Hardest | None]:
    """The hardest layouts of each of the 203 classes, one after the other; None for a class that has no way to the
    exit. Takes about a minute."""
    for name in CLASS_NAMES:
        try:
            yield hardest(name)
        except (LayoutError, NothingFoundError):
            yield None


def hardest(class_name: str) -> Hardest:
    """The layouts of a class, named jiang-bing-style, with the most steps to the exit.

    LayoutError where the class has no layout, NothingFoundError where none has the block at the exit.

    >>> hardest("5-4-1").steps
    93
    """
    jiang, bing, style = parse_name(class_name, 3)
    steps, codes = queries.hardest(jiang, bing, style)
    return Hardest(f"{jiang}-{bing}-{style}", steps, tuple(map(Layout, codes)))


def random(seed: int | None = None) -> Layout:
    """A layout drawn with equal chances from all; the same one for the same seed.

    ``seed`` is a whole number from 0; None draws anew each time.

    >>> random(7) == random(7)
    True
    """
    return Layout(queries.random_code(seed_of(seed)))
