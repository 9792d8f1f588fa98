"""``boardspace keys``"""

import json
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import click
from pydantic import BaseModel

from boardspace.cli.commands.options import as_json, print_json
from boardspace.cli.commands.questions import print_lines
from boardspace.cli.lines import terminal_width
from boardspace.engine.config import ClusterConfig, RunConfig
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import spaces

PLAIN = {"integer": "integer", "number": "number", "string": "text", "boolean": "true or false", "null": "nothing"}
Schema = Mapping[str, Any]


class Key(NamedTuple):
    """A key: its name with those of the tables that it is in, what it takes, what holds without it, what it means."""

    name: str
    takes: str
    default: str
    meaning: str


class Section(NamedTuple):
    """The keys of a section of a configuration, or of a file."""

    name: str
    title: str
    summary: str
    keys: tuple[Key, ...]


def sections() -> Iterator[Section]:
    """[run], the spaces, and the file of a cluster."""
    yield _section("run", "of every run", RunConfig)
    for space in spaces().values():
        yield _section(space.name, space.title, space.config)
    yield _section("cluster", "a file for --cluster, its keys in no section", ClusterConfig)


def _section(name: str, title: str, model: type[BaseModel]) -> Section:
    schema = model.model_json_schema()
    return Section(name, title, " ".join(schema.get("description", "").split()), tuple(_keys(schema, schema, "")))


def _keys(schema: Schema, whole: Schema, within: str) -> Iterator[Key]:
    """The keys of a table; after one that holds tables the keys of these."""
    for name, found in schema["properties"].items():
        default = "required" if name in schema.get("required", ()) else json.dumps(found.get("default", {}))
        yield Key(within + name, _takes(found, whole), default, found.get("description", ""))
        inner = _resolved(found.get("items") or found.get("additionalProperties") or {}, whole)
        if "properties" in inner:
            by_name = "NAME." if "additionalProperties" in found else ""
            yield from _keys(inner, whole, f"{within}{name}.{by_name}")


def _resolved(schema: Schema, whole: Schema) -> Schema:
    """The schema that a reference leads to, or itself."""
    reference = schema.get("$ref", "").rpartition("/")[2]
    return whole["$defs"][reference] if reference else schema


def _takes(schema: Schema, whole: Schema) -> str:
    """Values that a key takes, in words."""
    schema = _resolved(schema, whole)
    if "enum" in schema:
        return " or ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(_takes(one, whole) for one in schema["anyOf"])
    if "prefixItems" in schema:
        parts = (
            str(part["title"]).lower() if "title" in part else _takes(part, whole) for part in schema["prefixItems"]
        )
        return f"[{', '.join(parts)}]"
    if schema["type"] == "array":
        return f"list of {_takes(schema['items'], whole)}"
    if "properties" in schema:
        return "tables"
    if schema["type"] == "object":
        return f"{_takes(schema['additionalProperties'], whole)} by name"
    return PLAIN[schema["type"]]


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
