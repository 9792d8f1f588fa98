"""``boardspace klotski``: layouts, groups and solutions, drawn in the terminal."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from boardspace.pipeline.errors import BoardspaceError
from boardspace.pipeline.spaces.klotski.texts import draw, format_code, parse_code, parse_name

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.group()
def klotski() -> None:
    """Klotski (Huarong Dao): any of the 29,334,498 layouts, its group, its solution.

    \b
    boardspace klotski show 1A9BF0C        the classic start
    boardspace klotski solve 1A9BF0C       a shortest solution, step by step
    boardspace klotski name 5-4-1-1-7472   the layout with this name
    boardspace klotski hardest 5-4-1       the layouts of a class farthest from the exit
    """


@klotski.command()
@click.argument("code")
@json_option
def show(code: str, as_json: bool) -> None:
    """Draw the layout CODE and say its id, name, and steps to the exit."""
    _show(parse_code(code), as_json)


@klotski.command("id")
@click.argument("layout_id", type=int)
@json_option
def by_id(layout_id: int, as_json: bool) -> None:
    """Show the layout with this id."""
    from boardspace.pipeline.spaces.klotski.queries import code_of_id

    _show(code_of_id(layout_id), as_json)


@klotski.command("name")
@click.argument("name")
@json_option
def by_name(name: str, as_json: bool) -> None:
    """Show the layout NAME, jiang-bing-style-group-index."""
    from boardspace.pipeline.spaces.klotski.queries import code_of_name

    jiang, bing, style, group, index = parse_name(name, 5)
    _show(code_of_name(jiang, bing, style, group, index), as_json)


@klotski.command("random")
@click.option("--seed", type=int, help="Draw the same layout again.")
@json_option
def by_chance(seed: int | None, as_json: bool) -> None:
    """Show a layout drawn at random from all."""
    from boardspace.pipeline.spaces.klotski.queries import random_code

    _show(random_code(seed), as_json)


@klotski.command()
@click.argument("code")
@json_option
def solve(code: str, as_json: bool) -> None:
    """Show a shortest solution of CODE: the fewest steps that bring the block to the exit."""
    from boardspace.pipeline.spaces.klotski.queries import Place

    place = Place(parse_code(code))
    way = place.solution()
    if way is None:
        raise BoardspaceError(
            f"{format_code(place.code)} has no solution: nothing in its group has the block at the exit"
        )
    _show_way(way, as_json)


@klotski.command()
@click.argument("start")
@click.argument("end")
@json_option
def paths(start: str, end: str, as_json: bool) -> None:
    """Show a shortest path from START to END, and how many there are.

    With --json also all of them, as a graph without circles: what may follow each layout.
    """
    from boardspace.pipeline.spaces.klotski.queries import Place, count_paths

    place, target = Place(parse_code(start)), parse_code(end)
    way = place.way(target)
    if way is None:
        raise BoardspaceError(f"no moves lead from {format_code(place.code)} to {format_code(target)}: other groups")
    after = place.shortest_paths(target)
    count, edges = count_paths(after), sum(map(len, after.values()))
    if as_json:
        graph = {format_code(code): [format_code(other) for other in others] for code, others in after.items()}
        codes = [format_code(code) for code in way]
        click.echo(json.dumps({"steps": len(way) - 1, "codes": codes, "shortest_paths": count, "graph": graph}))
        return
    _show_way(way, as_json)
    click.echo(f"{count:,} shortest paths, over {len(after):,} layouts and {edges:,} steps between them")


@klotski.command()
@click.argument("code")
@json_option
def layers(code: str, as_json: bool) -> None:
    """Show how many layouts are 0, 1, 2, ... steps from CODE, how many of them are end points, and the farthest ones.

    An end point has no neighbour in the next layer.
    """
    from boardspace.pipeline.spaces.klotski.queries import Place

    place = Place(parse_code(code))
    sizes, farthest = place.layer_sizes(), [format_code(c) for c in place.farthest()]
    ends: list[list[str]] = [[] for _ in sizes]
    for step, end in place.end_points():
        ends[step].append(format_code(end))
    if as_json:
        document = {"layers": sizes, "farthest_step": len(sizes) - 1, "farthest": farthest, "end_points": ends}
        click.echo(json.dumps(document))
        return
    click.echo("step  layouts  end points")
    for step, size in enumerate(sizes):
        click.echo(f"{step:4} {size:8} {len(ends[step]):11}")
    click.echo(f"farthest: {len(sizes) - 1} steps, {len(farthest)} layout(s): {' '.join(farthest[:20])}")


@klotski.command()
@click.argument("code")
@json_option
def group(code: str, as_json: bool) -> None:
    """Show the group of CODE: its number, size and smallest code."""
    from boardspace.pipeline.spaces.klotski.queries import Place

    place = Place(parse_code(code))
    found = place.layouts.groups
    members = place.layouts.codes[found.group_num == place.group]
    document = {
        "class": str(place.name),
        "group_num": place.group,
        "group_size": len(members),
        "seed_code": format_code(int(members[0])),
        "groups_in_class": len(found.sizes),
    }
    click.echo(json.dumps(document) if as_json else "\n".join(f"{key}: {value}" for key, value in document.items()))


@klotski.command()
@click.argument("name")
@json_option
def hardest(name: str, as_json: bool) -> None:
    """Show the layouts of the class NAME (jiang-bing-style) that are farthest from the exit."""
    from boardspace.kernels.klotski.classes import ClassName
    from boardspace.pipeline.spaces.klotski.queries import hardest as find

    steps, codes = find(ClassName(*parse_name(name, 3)))
    texts = [format_code(code) for code in codes]
    if as_json:
        click.echo(json.dumps({"steps": steps, "codes": texts}))
        return
    click.echo(draw(codes[0]))
    click.echo(f"{steps} steps: {' '.join(texts)}")


@klotski.command()
@click.argument("table", type=click.Choice(["main", "solution", "farthest"]))
@click.argument("name", required=False)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write here; standard output otherwise.")
@click.option(
    "--dataset",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Take numbers of solutions or farthest steps from this klotski dataset; only layouts are then searched.",
)
def export(table: str, name: str | None, out: Path | None, dataset: Path | None) -> None:
    """Write the public database's file, byte for byte: of all layouts (main), or of the class NAME, jiang-bing-style.

    It is computed on the fly, by searches from the layouts with the block at the exit, or from those that may be
    farthest from some layout, so that large classes take minutes; with --dataset much less.
    """
    from boardspace.pipeline.storage.files import write

    rows = _exported(table, name, dataset)
    if out is None:
        sys.stdout.buffer.writelines(rows)
        return
    write(out, lambda stream: stream.writelines(rows), lambda _: None)


def _exported(table: str, name: str | None, dataset: Path | None) -> Iterator[bytes]:
    """The file's content, piece by piece."""
    from boardspace.kernels.klotski.classes import ClassName
    from boardspace.kernels.klotski.interchange_main import main_rows
    from boardspace.pipeline.spaces.klotski.exports import exported_farthest, exported_solutions
    from boardspace.pipeline.spaces.klotski.queries import layouts_of

    if table == "main":
        if name is not None:
            raise click.UsageError(f"the table main holds all classes; leave {name!r} out")
        return main_rows()
    if name is None:
        raise click.UsageError(f"which class? write jiang-bing-style, such as: export {table} 5-4-1")
    layouts = layouts_of(ClassName(*parse_name(name, 3)))
    rows = exported_solutions if table == "solution" else exported_farthest
    return (row.encode() for row in rows(layouts, dataset))


def _show(code: int, as_json: bool) -> None:
    from boardspace.pipeline.spaces.klotski.queries import Place, describe

    document: dict[str, Any] = describe(Place(code))
    if as_json:
        click.echo(json.dumps(document))
        return
    click.echo(draw(code))
    steps = document.pop("steps_to_exit")
    click.echo("\n".join(f"{key}: {value}" for key, value in document.items()))
    click.echo("no way to the exit" if steps is None else f"{steps} steps to the exit")


def _show_way(way: list[int], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"steps": len(way) - 1, "codes": [format_code(code) for code in way]}))
        return
    for step, code in enumerate(way):
        click.echo(f"({step}) {format_code(code)}")
        click.echo(draw(code))
    click.echo(f"{len(way) - 1} steps")
