"""The keys of configurations, from the models that read them: for the command ``keys`` and for the documentation."""

import types
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from boardspace.engine.config import ClusterConfig, RunConfig
from boardspace.spec.registry import spaces

PLAIN = {int: "integer", float: "number", str: "text", bool: "true or false", type(None): "nothing"}


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


def keys_of(model: type[BaseModel], within: str = "") -> Iterator[Key]:
    """The keys of a model; after one that holds tables the keys of these."""
    for name, field in model.model_fields.items():
        if field.default_factory is not None:
            default = repr(field.default_factory())  # type: ignore[call-arg]
        else:
            default = "required" if field.default is PydanticUndefined else _written(field.default)
        yield Key(within + name, _takes(field.annotation), default, field.description or "")
        for inner in _models_in(field.annotation):
            named = f"{within}{name}.NAME." if get_origin(field.annotation) is Mapping else f"{within}{name}."
            yield from keys_of(inner, named)


def _section(name: str, title: str, model: type[BaseModel]) -> Section:
    return Section(name, title, " ".join((model.__doc__ or "").split()), tuple(keys_of(model)))


def _written(value: Any) -> str:
    """A default as TOML has it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _takes(annotation: Any) -> str:
    """What a key takes, in words."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation in PLAIN:
        return PLAIN[annotation]
    if origin is Literal:
        return " or ".join(map(_written, arguments))
    if origin in {Union, types.UnionType}:
        return " or ".join(map(_takes, arguments))
    if origin is tuple and arguments[-1] is not Ellipsis:
        return f"[{', '.join(map(_takes, arguments))}]"
    if origin is tuple:
        return f"list of {_takes(arguments[0])}"
    if origin is Mapping:
        return f"{_takes(arguments[1])} by name"
    if issubclass(annotation, BaseModel):
        return "tables"
    return f"[{', '.join(annotation._fields)}]"


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and not get_args(annotation):
        if issubclass(annotation, BaseModel):
            yield annotation
        return
    for argument in get_args(annotation):
        yield from _models_in(argument)
