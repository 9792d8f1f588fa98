"""The keys of configurations, from the JSON schemas of the models: for the command ``keys`` and the documentation."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel

from boardspace.engine.config import ClusterConfig, RunConfig
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
        default = json.dumps(found["default"]) if "default" in found else "required"
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
