"""Finds the spaces: every module of ``boardspace.spaces`` that defines ``SPACE``, and plug-ins.

A distribution names its spaces' modules as entry points of the group ``boardspace.spaces``, so that workers have them
by installation; for trying things out there is the variable ``BOARDSPACE_SPACES``, modules separated by commas.

A module may define ``COMMANDS``, entries of the command line; a module that defines ``SPACE`` lazily, as those shipped
do, is quick to name them.
"""

import functools
import importlib
import os
import pkgutil
import re
from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points
from types import ModuleType
from typing import TYPE_CHECKING

from boardspace.spec.entry import Entry
from boardspace.spec.errors import BoardspaceError

if TYPE_CHECKING:
    from boardspace.spec.space import Space

PLUGINS = "BOARDSPACE_SPACES"
GROUP = "boardspace.spaces"
SHIPPED = "boardspace.spaces"
"""The package whose modules are the spaces that ship: the one name here of something above this package."""
NAME = "[a-z][a-z0-9_]*"
RESERVED = {"run"}  # a section of every config


def spaces() -> "Mapping[str, Space]":
    """All spaces by name, in the order of their modules' names.

    Those from outside this package come last. BoardspaceError where a module is none that defines a space, or where two
    define the same.
    """
    return {space.name: space for space in _found().values()}


def commands() -> tuple[Entry, ...]:
    """The commands that spaces add to the command line."""
    found = [(entry, module.__name__) for module in _modules() for entry in getattr(module, "COMMANDS", ())]
    _refuse_twins("command", ((entry.name, module) for entry, module in found))
    return tuple(entry for entry, _ in found)


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
    found = {module.__name__: _space(module) for module in _modules()}
    _refuse_twins("space", ((space.name, module) for module, space in found.items()))
    return found


@functools.cache
def _modules() -> tuple[ModuleType, ...]:
    shipped = importlib.import_module(SHIPPED)
    names = [f"{SHIPPED}.{module.name}" for module in pkgutil.iter_modules(shipped.__path__)]
    names += sorted(point.value for point in entry_points(group=GROUP))
    names += [name for name in os.environ.get(PLUGINS, "").split(",") if name]
    return tuple(map(_load, dict.fromkeys(names)))


def _load(name: str) -> ModuleType:
    try:
        module = importlib.import_module(name)
    except (ImportError, TypeError, ValueError) as error:
        raise BoardspaceError(
            f"space module {name!r} cannot be imported ({error}); it is named by ${PLUGINS}, or by an installed "
            f"distribution as an entry point of {GROUP}"
        ) from error
    # A module that is lazy is asked for it when it is needed.
    if "SPACE" not in vars(module) and not hasattr(module, "__getattr__"):
        raise BoardspaceError(
            f"space module {name!r} defines no SPACE; it is named by ${PLUGINS}, or as an entry point"
        )
    return module


def _space(module: ModuleType) -> "Space":
    from boardspace.spec.space import Space  # brings Arrow and pydantic, which `--help` does without

    space = getattr(module, "SPACE", None)
    if not isinstance(space, Space):
        raise BoardspaceError(f"space module {module.__name__!r} defines no SPACE that is a boardspace Space")
    if not re.fullmatch(NAME, space.name) or space.name in RESERVED:
        raise BoardspaceError(
            f"{module.__name__}: a space cannot be named {space.name!r}; names have small letters, digits and _, "
            f"begin with a letter, and are none of {', '.join(sorted(RESERVED))}"
        )
    return space


def _refuse_twins(kind: str, owners: Iterable[tuple[str, str]]) -> None:
    """BoardspaceError where two modules define the same name."""
    seen: dict[str, str] = {}
    for name, module in owners:
        if seen.setdefault(name, module) != module:
            raise BoardspaceError(f"two modules define the {kind} {name!r}: {seen[name]} and {module}")
