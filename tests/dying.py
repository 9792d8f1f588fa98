"""A plug-in for runs in which searches of boards die: it brings the space of :mod:`tests.growing`, and gives sweeps of
parts little room and points at which failpoints can end them.

A part that has taken its states reaches the failpoint ``part:OF-INDEX:STONES`` in each of its sweeps.
"""

from unittest.mock import patch

from boardspace.spaces.five_in_a_row.parts.boards import hard
from boardspace.storage.files import reached
from boardspace_kernels.five_in_a_row import minimum, search
from tests.growing import SPACE

__all__ = ["SPACE"]

BOARD = 4, (8, 6)
LITTLE = search.Limits(layer=960, total=1 << 40, links=1 << 20)
"""The layer at the cut of 8 x 6 for k = 4 has 946 states."""

_aim = search._Sweeping._aim


def _aim_unless_killed(sweeping: search._Sweeping, cell: int) -> None:
    """The step of a sweep before each layer, and at a part's cut a failpoint too."""
    part = sweeping.part
    if part and cell == part.cells:
        reached(f"part:{part.of:06}-{part.index:06}:{sweeping.stones}")
    _aim(sweeping, cell)


def _little(prepared: search.Prepared, memory: int, total: int) -> search.Limits:
    """Limits that parts of the board outgrow, and those of any other."""
    return LITTLE if (prepared.board.k, prepared.board.shape) == BOARD else search.limits(prepared, memory, total)


patch.object(search._Sweeping, "_aim", _aim_unless_killed).start()
patch.object(minimum, "limits", _little).start()
patch.object(hard, "BEAM", 100).start()
