"""``boardspace klotski``: layouts, groups and solutions, drawn in the terminal."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boardspace.cli.commands.options import Folder
from boardspace.cli.commands.questions import (
    Questions,
    animate_boards,
    animate_option,
    as_json,
    metric_option,
    no_is_an_answer,
    print_answer,
    print_document,
    print_lines,
    print_no,
    svg_file,
    text_of,
    why,
    write_svg,
)
from boardspace.cli.drawing import gallery
from boardspace.cli.lines import side_by_side, terminal_width
from boardspace.spaces.klotski import answers, pictures, steps
from boardspace.spaces.klotski.layouts import Layout, parse, starts
from boardspace.spaces.klotski.texts import CLASS_NAMES, parse_name
from boardspace.spec.deferred import deferred
from boardspace.spec.texts import counted

if TYPE_CHECKING:
    from boardspace.spaces.klotski import exports
    from boardspace.storage import files
    from boardspace_kernels.klotski import public_files
else:
    (exports,) = deferred("boardspace.spaces.klotski", "exports")  # so that help and neighbours load no kernel
    (files,) = deferred("boardspace.storage", "files")
    (public_files,) = deferred("boardspace_kernels.klotski", "public_files")


class LayoutArgument(click.ParamType):  # type: ignore[type-arg]
    """A layout, in any of the ways to write one; - is standard input."""

    name = "layout"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Layout:
        """The layout."""
        return value if isinstance(value, Layout) else parse(text_of(value))


layout_argument = click.argument("layout", type=LayoutArgument())
graphml_option = click.option(
    "--graphml",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write the graph of all shortest paths to FILE, as GraphML, or drawn where it ends in .svg.",
)
boards_option = click.option("--boards", is_flag=True, help="Draw every layout on the way, side by side.")


@click.group(cls=Questions)
def klotski() -> None:
    """Klotski (Huarong Dao): any of the 29,334,498 layouts, its group, its solution.

    A LAYOUT is a code (1A9BF0C: hexadecimal digits; 0x and trailing zeros as you like), an id (id:4091296), a name
    (5-4-1-1-7472), a well-known start (横刀立马, heng-dao-li-ma), or a drawing: 5 lines of 4 signs, with
    ends of lines, blanks or / between, equal signs for the cells of one piece and dots for empty cells, in a file, from
    standard input (-), or as one argument.

    \b
    boardspace klotski show heng-dao-li-ma            the classic start
    boardspace klotski solve 1A9BF0C                  a shortest solution, step by step
    boardspace klotski neighbours 5-4-1-1-7472        what one step leads to
    boardspace klotski show "ABBC ABBC DEEF DGHF I..J"
    boardspace klotski hardest 5-4-1                  the layouts of a class farthest from the exit
    """


@klotski.command()
@layout_argument
@svg_file
@as_json
@why("klotski", "main")
def show(layout: Layout, svg: Path | None, as_json: bool) -> None:
    """Draw LAYOUT and say its id, name, and steps to the exit."""
    _show(layout, svg, as_json)


@klotski.command("id")
@click.argument("layout_id", type=int)
@svg_file
@as_json
@why("klotski", "main")
def by_id(layout_id: int, svg: Path | None, as_json: bool) -> None:
    """Show the layout with this id."""
    _show(parse(layout_id), svg, as_json)


@klotski.command("name")
@click.argument("name")
@svg_file
@as_json
@why("klotski", "main")
def by_name(name: str, svg: Path | None, as_json: bool) -> None:
    """Show the layout NAME, jiang-bing-style-group-index."""
    parse_name(name, 5)
    _show(parse(name), svg, as_json)


@klotski.command("random")
@click.option("--seed", type=int, help="Draw the same layout again.")
@svg_file
@as_json
def by_chance(seed: int | None, svg: Path | None, as_json: bool) -> None:
    """Show a layout drawn at random from all."""
    _show(answers.random(seed), svg, as_json)


@klotski.command("starts")
@svg_file
@as_json
def known_starts(svg: Path | None, as_json: bool) -> None:
    """List the well-known starts that have names."""
    drawn = (pictures.picture(start.layout.pieces) for start in starts())
    write_svg(svg, lambda: gallery([*drawn], [start.name for start in starts()]))
    if as_json:
        print_document(
            [{"name": s.name, "pinyin": s.pinyin, "code": s.layout.text, "origin": s.origin} for s in starts()]
        )
        return
    drawings = [[s.layout.text, s.pinyin, *pictures.lines(s.layout.pieces)] for s in starts()]
    print_lines(side_by_side(drawings, terminal_width()))


@klotski.command()
@layout_argument
@metric_option
@boards_option
@animate_option
@svg_file
@as_json
@why("klotski", "solution")
def solve(layout: Layout, metric: str, boards: bool, animate: bool, svg: Path | None, as_json: bool) -> None:
    """Show a shortest solution of LAYOUT: the fewest steps that bring the block to the exit, or unit moves.

    Each step is its number, the letter of its piece in the drawing, and the piece's way: ↓2 is two cells down.
    """
    way = answers.solution(layout, metric)
    if way is None:
        print_no(answers.no_solution(layout), as_json)
        return
    if animate:
        animate_boards((f"{caption} of {way.length}", drawing) for caption, drawing in way.boards())
    else:
        _show_way(way, boards, as_json)
    write_svg(svg, way.picture)


@klotski.command()
@layout_argument
@metric_option
@as_json
@why("klotski", "solution")
def moves(layout: Layout, metric: str, as_json: bool) -> None:
    """List the next steps of LAYOUT, the best first: piece, way, layout after it, and the steps to the exit that it
    leaves; - where there is no way."""
    print_answer(answers.moves(layout, metric), as_json)


@klotski.command()
@layout_argument
@as_json
@why("klotski", "solution")
def hardness(layout: Layout, as_json: bool) -> None:
    """Measure LAYOUT beside its steps to the exit: forced steps, choices, detours, lures, luck of a random walk."""
    print_answer(answers.hardness(layout), as_json, answers.no_solution(layout))


@klotski.command()
@click.argument("start", type=LayoutArgument())
@click.argument("end", type=LayoutArgument())
@boards_option
@graphml_option
@svg_file
@as_json
@why("klotski", "solution_paths")
def paths(start: Layout, end: Layout, boards: bool, graphml: Path | None, svg: Path | None, as_json: bool) -> None:
    """Show a shortest path from START to END, and how many there are.

    With --json also all of them, as a graph without circles: what may follow each layout.
    """
    found = answers.path(start, end)
    if found is None:
        print_no(f"no moves lead from {start.text} to {end.text}: they are in different groups", as_json)
        return
    write_svg(svg, found.path.picture)
    _write_graph(graphml, found)
    if as_json:
        print_document(found.document())
        return
    _show_way(found.path, boards, as_json)
    print_lines([found.counts])


@klotski.command()
@layout_argument
@graphml_option
@as_json
@why("klotski", "solution")
def solutions(layout: Layout, graphml: Path | None, as_json: bool) -> None:
    """List all solutions of LAYOUT: layouts with the block at the exit and no other such layout on any shortest path.

    --graphml writes the graph of all shortest paths to the nearest of them.
    """
    found = answers.solutions(layout)
    _write_graph(graphml, found.nearest)
    print_answer(found, as_json)


@klotski.command()
@layout_argument
@svg_file
@as_json
@why("klotski", "neighbours")
def neighbours(layout: Layout, svg: Path | None, as_json: bool) -> None:
    """Draw the layouts one step away from LAYOUT."""
    found = steps.neighbours(layout)
    if as_json:
        print_document([{"code": step.layout.text, "cell": step.start.cell, "way": step.short} for step in found])
    else:
        print_lines(side_by_side([steps.board(step) for step in found], terminal_width()))
        click.echo(counted(len(found), "neighbour"))
    write_svg(svg, lambda: steps.picture_of(found))


@klotski.command()
@layout_argument
@as_json
@why("klotski", "solution")
def layers(layout: Layout, as_json: bool) -> None:
    """Show how many layouts are 0, 1, 2, ... steps from LAYOUT, how many of them are end points, and the farthest ones.

    An end point has no neighbour in the next layer.
    """
    print_answer(answers.layers(layout), as_json)


@klotski.command()
@layout_argument
@click.option("--members", is_flag=True, help="List the codes of all its layouts, one a line.")
@as_json
@why("klotski", "groups")
def group(layout: Layout, members: bool, as_json: bool) -> None:
    """Show the group of LAYOUT: its number, size and smallest code."""
    found = answers.group(layout)
    if as_json:
        print_document(found.document() | ({"members": list(found.members())} if members else {}))
    elif members:
        print_lines(found.members())
    else:
        click.echo(str(found))


@klotski.command()
@click.argument("name", required=False)
@svg_file
@as_json
@why("klotski", "groups")
def hardest(name: str | None, svg: Path | None, as_json: bool) -> None:
    """Show the layouts of the class NAME (jiang-bing-style) that are farthest from the exit.

    Without NAME all classes are searched, which takes a minute, and the hardest layouts of all are shown.
    """
    with no_is_an_answer(as_json):
        found = _hardest_of_all() if name is None else answers.hardest(name)
    print_answer(found, as_json)
    write_svg(svg, lambda: pictures.picture(found.layouts[0].pieces))


@klotski.command()
@click.argument("table", type=click.Choice(["main", "solution", "farthest"]))
@click.argument("name", required=False)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write here; standard output otherwise.")
@click.option(
    "--dataset",
    type=Folder(exists=True),
    help="Take numbers of solutions or farthest steps from this klotski dataset; only layouts are then searched.",
)
def export(table: str, name: str | None, out: Path | None, dataset: Path | None) -> None:
    """Write the public database's file, byte for byte: of all layouts (main), or of the class NAME, jiang-bing-style.

    It is computed on the fly, by searches from the layouts with the block at the exit, or from those that may be
    farthest from some layout, so that large classes take minutes; with --dataset much less.
    """
    rows = _exported(table, name, dataset)
    if out is None:
        sys.stdout.buffer.writelines(rows)
    else:
        files.write_out(out, lambda stream: stream.writelines(rows))


def _exported(table: str, name: str | None, dataset: Path | None) -> Iterator[bytes]:
    """The file's content, piece by piece."""
    if table == "main":
        if name is not None:
            raise click.UsageError(f"the table main holds all classes; leave {name!r} out")
        return public_files.main_rows()
    if name is None:
        raise click.UsageError(f"which class? write jiang-bing-style, such as: export {table} 5-4-1")
    rows = exports.solutions if table == "solution" else exports.farthest
    return (row.encode() for row in rows(parse_name(name, 3), dataset))


def _write_graph(file: Path | None, paths: answers.ShortestPaths | None) -> None:
    if file is not None and paths is not None:
        text = paths.graph_svg() if file.suffix == ".svg" else paths.graphml()
        files.write_out(file, lambda stream: stream.write(text.encode()))


def _show(layout: Layout, svg: Path | None, as_json: bool) -> None:
    print_answer(answers.describe(layout), as_json)
    write_svg(svg, lambda: pictures.picture(layout.pieces))


def _show_way(way: steps.Path, boards: bool, as_json: bool) -> None:
    if as_json:
        print_document(way.document())
        return
    print_lines(way.draw(terminal_width()) if boards else str(way).splitlines())
    click.echo(way.length)


def _hardest_of_all() -> answers.Hardest:
    """Over all classes; shows how far it is where standard error is a terminal."""
    from rich.console import Console  # takes as long to load as the rest of a command that needs no kernel
    from rich.progress import track

    console = Console(stderr=True)
    shown = track(
        answers.all_hardest(), "all classes", total=len(CLASS_NAMES), console=console, disable=not console.is_terminal
    )
    found = [answer for answer in shown if answer is not None]
    return max(found, key=lambda answer: answer.steps)
