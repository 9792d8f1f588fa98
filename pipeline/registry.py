"""Finds the spaces: every module of ``pipeline.spaces`` that defines ``SPACE``, and plug-ins named by a variable."""

import functools
import importlib
import os
import pkgutil
from collections.abc import Mapping

import boardspace.pipeline.spaces as shipped
from boardspace.pipeline.errors import BoardspaceError
from boardspace.pipeline.space import Space

PLUGINS = "BOARDSPACE_SPACES"


@functools.cache
def spaces() -> Mapping[str, Space]:
    """All spaces by name, in the order of their modules' names.

    ``BOARDSPACE_SPACES`` adds modules outside this package, separated by commas.
    """
    return {space.name: space for space in _found().values()}


def module_of(space: str) -> str:
    """The name of the module that defines a space."""
    return {found.name: module for module, found in _found().items()}[space]


def space_named(name: str) -> Space:
    """The space of that name, or an error that lists those there are."""
    try:
        return spaces()[name]
    except KeyError:
        raise BoardspaceError(f"there is no space {name!r}; there are: {', '.join(spaces())}") from None


@functools.cache
def _found() -> Mapping[str, Space]:
    """The spaces by their modules' names."""
    modules = [f"boardspace.pipeline.spaces.{module.name}" for module in pkgutil.iter_modules(shipped.__path__)]
    modules += [name for name in os.environ.get(PLUGINS, "").split(",") if name]
    return {module: _load(module) for module in modules}


def _load(module: str) -> Space:
    try:
        space = importlib.import_module(module).SPACE
    except ModuleNotFoundError as error:
        raise BoardspaceError(f"space module {module!r} cannot be imported ({error}); see ${PLUGINS}") from error
    assert isinstance(space, Space)
    return space
