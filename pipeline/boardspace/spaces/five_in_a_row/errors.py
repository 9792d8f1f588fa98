"""Boards that do not exist, or do not fit, are the user's to mend."""

from collections.abc import Iterator
from contextlib import contextmanager

from boardspace.spec.errors import BoardspaceError


@contextmanager
def explained() -> Iterator[None]:
    """Say what the kernels refuse without a traceback."""
    from boardspace_kernels.five_in_a_row.board import BoardError

    try:
        yield
    except BoardError as error:
        raise BoardspaceError(str(error)) from error
