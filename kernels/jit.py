"""The one place where kernels choose their numba settings."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile ``function`` on first use: cached on disk, without the GIL, single-threaded, IEEE-exact.

    Parallelism is the pipeline's, so no kernel asks for ``parallel=True``. The cache folder is the
    pipeline's choice too; with none chosen numba's own default applies.
    """
    return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def inlined(function: Function) -> Function:
    """Like :func:`kernel`, for the few-instruction functions that hot loops call."""
    return cast(Function, numba.njit(cache=True, nogil=True, error_model="numpy", inline="always")(function))
