"""The one place where kernels choose their numba settings.

A kernel is compiled, or its machine code loaded (:mod:`.machine_code`), when it is first called: whoever only imports a
module of kernels waits for no compiler.
"""

import contextlib
import functools
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])
listeners: list[Callable[[], None]] = []
"""Called before a kernel is compiled, where no compiled code of it is kept."""
_interpreting = ContextVar("interpreting", default=False)


@contextlib.contextmanager
def interpreted(small: bool) -> Iterator[None]:
    """Within it, where a question is ``small``, kernels run as the Python that they are written in: they answer in
    less time than numba takes to load."""
    token = _interpreting.set(small or _interpreting.get())
    try:
        yield
    finally:
        _interpreting.reset(token)


class CompilerError(RuntimeError):
    """The compiler of kernels cannot be used on this machine, as it is set up; no data are at fault."""


@contextlib.contextmanager
def compiler_errors() -> Iterator[None]:
    """Turn what numba raises where it cannot be imported, or refuses its variables, into a CompilerError of a line."""
    try:
        yield
    except Exception as error:
        raise CompilerError(
            f"numba, which compiles the kernels, cannot be used here ({type(error).__name__}: {error}): see the "
            "variables NUMBA_* and the limits of memory (ulimit -v, -d), or install boardspace again"
        ) from error


def require_compiler() -> None:
    """CompilerError where numba cannot be imported."""
    with compiler_errors():
        import numba  # noqa: F401


class Kernel:
    """A function that numba compiles on its first call.

    To numba, which finds it by its name in other kernels, and to all others it is the dispatcher that it becomes.
    """

    def __init__(self, function: Callable[..., Any], **options: str) -> None:
        functools.update_wrapper(self, function)
        self._options = options

    def __call__(self, *arguments: Any) -> Any:
        if _interpreting.get():
            return self.__wrapped__(*arguments)
        return self._dispatcher(*arguments)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._dispatcher, name)

    @functools.cached_property
    def _dispatcher(self) -> Any:
        with compiler_errors():
            from boardspace_kernels.machine_code import dispatcher  # numba: a quarter of a second, only for who calls

            return dispatcher(self.__wrapped__, **self._options)


def kernel(function: Function) -> Function:
    """Compile ``function`` on first use: cached on disk, without the GIL, single-threaded, IEEE-exact.

    Parallelism is the pipeline's, so no kernel asks for ``parallel=True``. Kernels copy arrays item by item: for
    ``a[:] = b`` numba also compiles how to write two shapes into an error, 3 s in every process that compiles.
    """
    return cast(Function, Kernel(function))


def inlined(function: Function) -> Function:
    """Like :func:`kernel`, for the few-instruction functions that hot loops call."""
    return cast(Function, Kernel(function, inline="always"))
