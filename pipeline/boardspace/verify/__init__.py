"""Verification of folders, of a run or of a release: do they hold what they say?

Whoever reads a dataset needs the types of a result alone; what verifies is loaded when it is asked for.
"""

from typing import TYPE_CHECKING, Any

from boardspace.verify.result import LEVELS, Fault, Level, Verification

if TYPE_CHECKING:
    from boardspace.verify.folder import verify

__all__ = ["LEVELS", "Fault", "Level", "Verification", "verify"]


def __getattr__(name: str) -> Any:
    """Load what verifies; AttributeError for other names."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from boardspace.verify import folder  # half of the package: most who import this one verify nothing

    return getattr(folder, name)
