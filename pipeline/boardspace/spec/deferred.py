"""Functions named before the module that defines them is loaded: declaring is apart from computing.

What declares a part must be quick to import: every command loads it, and every worker. What computes imports kernels,
and these numba. So a part names the functions of its ``compute``, ``checks`` and ``claims`` modules through
:func:`deferred`, and the module is imported when one of them is first called::

    if TYPE_CHECKING:
        from boardspace.spaces.klotski.parts.layouts import compute
    else:
        (compute,) = deferred(__package__, "compute")

    Stage("main", "all layouts in order of ids", compute.merge_main, compute.cut_ids)

Type checkers and editors see the module itself. A space's commands, too, are known by name before its code is loaded.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True)
class DeferredFunction:
    """A function by the names of its module and its own; calling it imports the module. It can be pickled."""

    module: str
    name: str

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return getattr(importlib.import_module(self.module), self.name)(*arguments, **named)


@dataclass(frozen=True)
class DeferredModule:
    """A module that is imported when one of its functions is called."""

    module: str

    def __getattr__(self, name: str) -> DeferredFunction:
        if name.startswith("__"):
            raise AttributeError(name)
        return DeferredFunction(self.module, name)


def deferred(package: str, *modules: str) -> tuple[DeferredModule, ...]:
    """Modules of a package, such as ``compute`` and ``checks``, that are imported when they are needed."""
    return tuple(DeferredModule(f"{package}.{module}") for module in modules)


class Entry(NamedTuple):
    """A command: its name, a line of help, and the module that defines it under that name."""

    name: str
    help: str
    module: str


def lazy_space(package: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a space's package: its module ``space``, with all tables, is loaded for ``SPACE``."""

    def attribute(name: str) -> Any:
        if name == "SPACE":
            return importlib.import_module(f"{package}.space").SPACE
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return attribute
