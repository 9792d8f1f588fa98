"""Errors of boards that do not exist, or do not fit: the user's to mend."""

from collections.abc import Iterator
from contextlib import contextmanager

from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.five_in_a_row.board import BoardError


@contextmanager
def explained() -> Iterator[None]:
    """Turn what the kernels refuse into a BoardspaceError, which is printed without a traceback."""
    try:
        yield
    except BoardError as error:
        raise BoardspaceError(str(error)) from error
