"""The one place where kernels choose their numba settings.

A kernel is compiled, or its machine code loaded (:mod:`.machine_code`), when it is first called: whoever only imports a
module of kernels waits for no compiler.

A kernel that is told its signatures, ``@kernel("int64(int64[::1], uint64)")``, is compiled for these alone. It may take
*rules*: kernels, of which it knows no more than a signature. Numba then calls a rule by a pointer (3.5 ns a call),
keeps one compiled copy for all rules, and compiles a changed rule alone::

    MOVES = "int64(int64[::1], uint64, uint64[::1])"

    @kernel(f"int64(FunctionType({MOVES}), int64[::1], uint64)")
    def degree(moves, size, state):
        return moves(size, state, np.empty(MOST_MOVES, np.uint64))

    @kernel(MOVES)
    def turns(size, state, out): ...

    degree(turns, size, state)
"""

import contextlib
import dis
import functools
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast, overload

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


class KernelError(TypeError):
    """A function cannot be a kernel, or not a rule of this one; the text says why and what to do."""


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

    To whoever calls it, it is the dispatcher that it becomes; to numba, which finds it by its name in other kernels,
    another one (:func:`shared` tells of those that are both).
    """

    def __init__(
        self, function: Callable[..., Any], *declared: str, shared: bool = False, **options: str | bool
    ) -> None:
        functools.update_wrapper(self, function)
        self._declared, self._options, self._shared = declared, options, shared or bool(declared)
        self._takes_rules = any("FunctionType" in signature for signature in declared)
        _refuse_recursion(self)

    def __call__(self, *arguments: Any) -> Any:
        if _interpreting.get():
            return self.__wrapped__(*arguments)
        if self._takes_rules:
            arguments = tuple(map(self._rule, range(len(arguments)), arguments))
        while True:
            try:
                return self._dispatcher(*arguments)
            except OSError as error:  # of the cache: kernels open no files
                from boardspace_kernels import machine_code  # numba: see below

                if not machine_code.was_not_kept(error):
                    raise
            except SystemError as error:  # Python's own, of a call that returned although Ctrl-C came meanwhile
                if isinstance(error.__cause__, KeyboardInterrupt):
                    raise error.__cause__ from None
                raise

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") and name != "_numba_type_":  # who asks, as pytest does of all that a module holds,
            raise AttributeError(name)  # wants to know what this is, and not to have it compiled
        return getattr(self._inner if name == "_numba_type_" else self._dispatcher, name)

    @functools.cached_property
    def _dispatcher(self) -> Any:
        with compiler_errors():
            from boardspace_kernels import machine_code  # numba: a quarter of a second, only for who calls

            compiled = machine_code.dispatcher(self.__wrapped__, _announce, **self._options)
        for signature in self._declared:
            self._require(machine_code.compile_for(compiled, signature))
        if self._declared and hasattr(compiled, "disable_compile"):
            compiled.disable_compile()
        return compiled

    @functools.cached_property
    def _inner(self) -> Any:
        """The dispatcher that other kernels call: compiled without what only calls from Python need."""
        if self._shared:
            return self._dispatcher
        from boardspace_kernels import machine_code  # numba: see above

        return machine_code.dispatcher(self.__wrapped__, _announce, False, **self._options)

    def _rule(self, place: int, argument: Any) -> Any:
        """An argument as numba takes it: of a rule its dispatcher. KernelError where it is no rule of this place."""
        if not isinstance(argument, Kernel):
            if isinstance(argument, FunctionType):
                raise KernelError(
                    f"{self._name} takes rules that are kernels: decorate {argument.__name__} with @kernel"
                )
            return argument
        if (place, argument) not in self._rules:
            compiled = self._dispatcher
            from boardspace_kernels import machine_code  # numba: see above

            for signature in machine_code.rule_signatures(compiled, place):
                argument._require(machine_code.compile_for(argument._dispatcher, signature))
            self._rules.add((place, argument))
        return argument._dispatcher

    @functools.cached_property
    def _rules(self) -> set[tuple[int, "Kernel"]]:
        """Arguments that were found to be rules of their places."""
        return set()

    @property
    def _name(self) -> str:
        return f"{self.__module__}.{self.__qualname__}"

    def _require(self, fault: str) -> None:
        if fault:
            raise KernelError(f"{self._name} cannot be used: {fault}")


def _announce() -> None:
    for listener in listeners:
        listener()


@overload
def kernel(declared: Function) -> Function: ...
@overload
def kernel(declared: str, *more: str) -> Callable[[Function], Function]: ...
def kernel(declared: Any, *more: str) -> Any:
    """Compile a function on first use: cached on disk, without the GIL, single-threaded, IEEE-exact.

    ``@kernel`` compiles it for the types that it is called with, ``@kernel(signature, ...)`` for these signatures of
    numba's alone, the types that it returns included: nothing is cast on its way out.

    Parallelism is the pipeline's, so no kernel asks for ``parallel=True``. Kernels copy arrays item by item: for
    ``a[:] = b`` numba also compiles how to write two shapes into an error, 3 s in every process that compiles.

    Raises:
        KernelError: the function calls itself, by way of other kernels or not: the next process would crash.
    """
    if isinstance(declared, str):
        return lambda function: Kernel(function, declared, *more)
    return Kernel(declared)


def shared(function: Function) -> Function:
    """Like :func:`kernel`, for the few that both Python and other kernels call: compiled once for both, where a kernel
    is compiled for Python and for other kernels apart, each when it is first called so."""
    return cast(Function, Kernel(function, shared=True))


def borrowing(function: Function) -> Function:
    """Like :func:`shared`, for loops that make no arrays and return none: what numba would keep alive by counting who
    holds it is the caller's. Counting takes half the time of a loop that hands its arrays on to inlined functions.

    Numba refuses to compile one that makes an array, or returns one that it was not given. It compiles the kernels that
    are called here in the same way, so they may make none either.
    """
    return cast(Function, Kernel(function, shared=True, _nrt=False))


def inlined(function: Function) -> Function:
    """Like :func:`kernel`, for the few-instruction functions that hot loops call."""
    return cast(Function, Kernel(function, inline="always"))


def inlined_by_llvm(function: Function) -> Function:
    """Like :func:`inlined`, for long functions with large tuples of arrays, whose call alone takes a hundred
    instructions: numba compiles each once, and LLVM has less to take apart than where numba copies them."""
    return cast(Function, Kernel(function, forceinline=True))


def _refuse_recursion(made: Kernel) -> None:
    """KernelError where a kernel would come to call itself: of a circle, the one that is made last finds the others.

    To take bytecode apart costs more than all else of an import, so it is done only where names alone make a circle.
    """
    caller = _caller_of(made, exact=False) and _caller_of(made, exact=True)
    if caller is None:
        return
    how = "" if caller is made else f" by way of {caller.__name__}"
    raise KernelError(
        f"{made.__module__}.{made.__name__} calls itself{how}: numba's cache cannot hold recursive kernels, and the "
        "next process would crash; write it as a loop with a stack of its own"
    )


def _caller_of(made: Kernel, exact: bool) -> Kernel | None:
    """A kernel that calls the one that is being made, among this one and those that it comes to call."""
    target = (_scope(made.__wrapped__), made.__name__)
    met, left = {made}, [made]
    while left:
        caller = left.pop()
        for scope, name, value in _read(caller.__wrapped__, exact):
            if (scope, name) == target:  # by its name: the function is not bound to it yet
                return caller
            if isinstance(value, Kernel) and value not in met:
                met.add(value)
                left.append(value)
    return None


def _read(function: Any, exact: bool) -> Iterator[tuple[object, str, Any]]:
    """Names that a function reads outside itself, each with its scope, and its value or None."""
    names, attributes = (_loaded if exact else _mentioned)(function.__code__)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    for name in names:
        if name in cells:
            with contextlib.suppress(ValueError):  # a cell that is empty still
                yield _scope(function), name, None
                yield _scope(function), name, cells[name].cell_contents
            continue
        value = function.__globals__.get(name)
        yield id(function.__globals__), name, value
        if isinstance(value, ModuleType):
            yield from ((id(vars(value)), attribute, vars(value).get(attribute)) for attribute in attributes)


def _scope(function: Any) -> object:
    """Scope in which a function is bound to its name: the function around it, or its module."""
    return function.__qualname__.rpartition(".<locals>.")[0] or id(function.__globals__)


def _mentioned(code: CodeType) -> tuple[set[str], set[str]]:
    """All names in a function's code, for names that it reads, and for attributes of these."""
    names = {*code.co_names, *code.co_freevars}
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            names |= _mentioned(inner)[0]
    return names, names


def _loaded(code: CodeType) -> tuple[set[str], set[str]]:
    """The names that a function's code reads outside itself, and the attributes that it reads of anything."""
    names, attributes = set(), set()
    for step in dis.get_instructions(code):
        if step.opname in {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"}:
            names.add(step.argval)
        elif step.opname in {"LOAD_ATTR", "LOAD_METHOD"}:
            attributes.add(step.argval)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            inner_names, inner_attributes = _loaded(inner)
            names |= inner_names
            attributes |= inner_attributes
    return names, attributes
