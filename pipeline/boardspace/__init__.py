"""Complete spaces of board problems, enumerated shard by shard and published as datasets that can be checked.

>>> import boardspace
>>> boardspace.klotski.parse("横刀立马")
Layout('1A9BF0C00')

* :func:`run` a configuration, :func:`open` the datasets of a run or a release.
* Questions about single boards: :mod:`boardspace.klotski`, :mod:`boardspace.solitaire`,
  :mod:`boardspace.five_in_a_row`, :mod:`boardspace.board_division`, :mod:`boardspace.sliding_blocks`,
  :mod:`boardspace.rush_hour`.

Importing this package loads nothing else: its parts come when they are asked for. The mathematics is a package of its
own, :mod:`boardspace_kernels`.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import version

    from boardspace import board_division, five_in_a_row, klotski, rush_hour, sliding_blocks, solitaire
    from boardspace.release.datasets import open_datasets as open
    from boardspace.running import run
    from boardspace.spec.errors import BoardspaceError

    __version__ = version("boardspace")

_SPACES = ("board_division", "five_in_a_row", "klotski", "rush_hour", "sliding_blocks", "solitaire")
_NAMES = {
    "BoardspaceError": ("boardspace.spec.errors", "BoardspaceError"),
    "open": ("boardspace.release.datasets", "open_datasets"),
    "run": ("boardspace.running", "run"),
}

__all__ = [
    "BoardspaceError",
    "__version__",
    "board_division",
    "five_in_a_row",
    "klotski",
    "open",
    "run",
    "rush_hour",
    "sliding_blocks",
    "solitaire",
]


def __getattr__(name: str) -> Any:
    if name in _SPACES:
        return importlib.import_module(f"boardspace.{name}")
    if name in _NAMES:
        module, attribute = _NAMES[name]
        return getattr(importlib.import_module(module), attribute)
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("boardspace")
    raise AttributeError(f"module 'boardspace' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
