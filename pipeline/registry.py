"""Finds the spaces: every module of ``pipeline.spaces`` that defines ``SPACE``, and plug-ins named by a variable.

A module may define ``COMMANDS``, entries of the command line; a module that defines ``SPACE`` lazily, as those shipped
do, is quick to name them.
"""

import functools
import importlib
import os
import pkgutil
from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING

import boardspace.pipeline.spaces as shipped
from boardspace.pipeline.command import Entry
from boardspace.pipeline.errors import BoardspaceError

if TYPE_CHECKING:
    from boardspace.pipeline.space import Space

PLUGINS = "BOARDSPACE_SPACES"


def spaces() -> "Mapping[str, Space]":
    """All spaces by name, in the order of their modules' names.

    ``BOARDSPACE_SPACES`` adds modules outside this package, separated by commas.
    """
    return {space.name: space for space in _found().values()}


def commands() -> tuple[Entry, ...]:
    """The commands that spaces add to the command line."""
    return tuple(entry for module in _modules() for entry in getattr(module, "COMMANDS", ()))


def module_of(space: str) -> str:
    """The name of the module that defines a space."""
    return {found.name: module for module, found in _found().items()}[space]


def space_named(name: str) -> "Space":
    """The space of that name, or an error that lists those there are."""
    try:
        return spaces()[name]
    except KeyError:
        raise BoardspaceError(f"there is no space {name!r}; there are: {', '.join(spaces())}") from None


@functools.cache
def _found() -> "Mapping[str, Space]":
    """The spaces by their modules' names."""
    return {module.__name__: _space(module) for module in _modules()}


@functools.cache
def _modules() -> tuple[ModuleType, ...]:
    names = [f"boardspace.pipeline.spaces.{module.name}" for module in pkgutil.iter_modules(shipped.__path__)]
    names += [name for name in os.environ.get(PLUGINS, "").split(",") if name]
    return tuple(map(_load, names))


def _load(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise BoardspaceError(f"space module {name!r} cannot be imported ({error}); see ${PLUGINS}") from error


def _space(module: ModuleType) -> "Space":
    from boardspace.pipeline.space import Space

    space = module.SPACE
    assert isinstance(space, Space)
    return space
