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
    """List the keys that a config, a TOML file, can have: of one SECTION (run, cluster, or a space), or of all.

    The section cluster is for the file that --cluster reads. A list of tables is written as in the config smoke:
    [[solitaire.searches]], then its keys. To change a key for one run only, use --set KEY=VALUE.
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
