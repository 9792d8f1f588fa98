"""``boardspace keys``"""

import textwrap
from collections.abc import Iterator

import click

from boardspace.cli.commands.options import as_json, print_json
from boardspace.cli.commands.questions import print_lines
from boardspace.cli.lines import terminal_width
from boardspace.engine.config_keys import Section, sections
from boardspace.spec.errors import BoardspaceError

INDENT = "    "


@click.command()
@click.argument("section", required=False)
@as_json
def keys(section: str | None, as_json: bool) -> None:
    """Say what a config, a TOML file, can hold: the keys of a SECTION (run, or a space), or of all.

    cluster is the file that --cluster reads. A key in a list of tables is set as boardspace run smoke does:
    [[solitaire.searches]], then its keys. One run alone is changed with --set KEY=VALUE.
    """
    known = {one.name: one for one in sections()}
    if section is not None and section not in known:
        raise BoardspaceError(f"no section [{section}]; there are: {', '.join(known)}")
    chosen = list(known.values()) if section is None else [known[section]]
    if as_json:
        print_json({one.name: [key._asdict() for key in one.keys] for one in chosen})
        return
    for one in chosen:
        print_lines(_lines(one, terminal_width()))


def _lines(section: Section, width: int) -> Iterator[str]:
    yield click.style(f"[{section.name}] {section.title}", bold=True)
    for key in section.keys:
        without = key.default if key.default == "required" else f"default {key.default}"
        yield f"  {click.style(key.name, bold=True)}: {key.takes}, {without}"
        yield from textwrap.wrap(key.meaning, width, initial_indent=INDENT, subsequent_indent=INDENT)
