"""Cache locator: numba's own means of being told where the compiled code of kernels is kept.

numba asks the classes that ``NUMBA_CACHE_LOCATOR_CLASSES`` names, in their order, for the place of a function's files.
:class:`Locator` answers for kernels and passes over all other functions, which keep the places that they had.

Of kernels that only other kernels call, their code in LLVM's form is kept, and no machine code is made of it. numba
links that form into the code of every kernel that calls it, and LLVM compiles it there; machine code of the called
kernel itself is never run, and was a sixth of the time that compiling took. Numba's documented way to another compiler,
``pipeline_class``, puts in a library that tells the machine only of the variables that numba looks up there.
"""

import contextlib
import functools
import importlib.util
import threading
import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any

import llvmlite.binding
import numba
from numba import types
from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.sigutils import normalize_signature
from numba.np import linalg

from boardspace_kernels import kernel_cache
from boardspace_kernels.sources import SourcesError


def _load_reductions() -> None:
    """Load numba's reductions of arrays without the BLAS of SciPy that they look for, which takes a seventh of the
    seconds of a question in a new process. Correlations alone use it; they load it when they are compiled, like
    products of matrices."""
    found = getattr(linalg, "ensure_blas", None)
    if found is None:  # in a numba that looks for it in another way
        return

    def missing() -> None:
        raise ImportError

    linalg.ensure_blas = missing
    try:
        reductions = importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = found
    vars(reductions)["_HAVE_BLAS"] = importlib.util.find_spec("scipy") is not None


_load_reductions()
OURS = f"{__name__}.Locator"
THEIRS = "UserProvidedCacheLocator,InTreeCacheLocator,UserWideCacheLocator,IPythonCacheLocator,ZipCacheLocator"
"""numba's own, in their order, where the user has not chosen others."""
_located: dict[Callable[..., Any], tuple[Callable[[], None], str]] = {}
"""The functions whose code is kept; what is called before one is compiled, and the end of its folder's name."""

ENVIRONMENT = "_ZN08NumbaEnv"
"""Prefix of numba's for the variable that holds the environment of a function: its constants as objects."""


class Locator:
    """The place of one kernel's files, with numba's interface of cache locators."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        code = py_func.__code__
        self._py_file = code.co_filename  # which numba names in warnings
        self._line = code.co_firstlineno
        folder = kernel_cache.folder_of(py_func.__module__)
        self._stamp = folder.name
        self._kernel = folder / f"{py_func.__module__}-{self._line}{_located[py_func][1]}"
        kernel_cache.drop_damaged(self._kernel)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "Locator | None":
        """Called by numba as it compiles a function; None of what is no kernel."""
        return cls(py_func) if py_func in _located else None

    def get_cache_path(self) -> str:
        """Return the kernel's folder."""
        return str(self._kernel)

    def get_source_stamp(self) -> str:
        """Return what decides the code; numba uses no file with another stamp."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """Return what tells functions of one name apart."""
        return str(self._line)

    def ensure_cache_path(self) -> None:
        """Called by numba right before it writes, with its lock of compilers held: others wait until that is free."""
        _thread.tried_to_write = True
        _thread.writing.enter_context(kernel_cache.writing(self._kernel))


class _Thread(threading.local):
    """The locks of kernels that a thread holds while numba writes their code."""

    def __init__(self) -> None:
        self.writing = contextlib.ExitStack()
        self.tried_to_write = False


class _Listener(event.Listener):
    """Hears from numba when a kernel is going to be compiled, and when its code has been written."""

    def on_start(self, event: event.Event) -> None:
        """Tell whoever wanted to know it that a kernel is going to be compiled."""
        if event.kind == "numba:compile" and event.data["dispatcher"].py_func in _located:
            _located[event.data["dispatcher"].py_func][0]()

    def on_end(self, event: event.Event) -> None:
        """Let go of a kernel's lock, once its code is written."""
        if event.kind == "numba:compiler_lock":  # which numba holds while it compiles and writes
            _thread.writing.close()


_thread = _Thread()
for _kind in ("numba:compile", "numba:compiler_lock"):
    event.register(_kind, _Listener())


def dispatcher(
    function: Callable[..., Any], announce: Callable[[], None], from_python: bool = True, /, **options: str | bool
) -> Any:
    """Return what compiles ``function`` for the types it is called with, and keeps the code; with the compiler off, the
    function itself. ``announce`` is called before it is compiled. Without a place for its code a kernel works too, only
    later: that is a warning, once a process. ValueError for features of a processor at which LLVM would end the
    process.

    Where it is not ``from_python`` that it is called, but from other kernels alone, it needs no wrappers that take
    Python's objects apart, with tuples of many arrays a third of all that is compiled, and no machine code.
    From Python it would crash.
    """
    _require_signs(numba.config.CPU_FEATURES or "")
    settings: dict[str, Any] = {"nogil": True, "error_model": "numpy", **options}
    if numba.config.DISABLE_JIT:
        return function
    chosen = numba.config.CACHE_LOCATOR_CLASSES  # numba reads it anew where a variable of the environment changed
    if OURS not in chosen:
        numba.config.CACHE_LOCATOR_CLASSES = f"{OURS},{chosen or THEIRS}"
    ending = ""
    if not from_python:
        function, ending = _copied(function), "-inner"
        settings["pipeline_class"] = LinkedCompiler
    _located[function] = announce, ending
    try:
        return _without_literals(numba.njit(cache=True, **settings)(function))
    except (OSError, kernel_cache.CacheError, SourcesError) as error:
        del _located[function]
        _warn(kernel_cache.unusable(error) if isinstance(error, OSError) else str(error))
        return numba.njit(**settings)(function)


def _without_literals(compiled: Any) -> Any:
    """Have a dispatcher compiled once for a number that its callers name and for all others: ``f(0)`` is no type."""
    of_types = compiled.get_call_template
    compiled.get_call_template = lambda kinds, named: of_types(
        tuple(map(types.unliteral, kinds)), {name: types.unliteral(kind) for name, kind in named.items()}
    )
    return compiled


def _copied(function: Callable[..., Any]) -> Callable[..., Any]:
    """A copy of a function: numba keeps what it compiles by function objects."""
    code = function.__code__
    copy = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    return copy


def was_not_kept(error: OSError) -> bool:
    """True where a call of a kernel failed as numba could not write its code: called again, that kernel works. It is a
    warning, once a process."""
    if _thread.tried_to_write:
        _thread.tried_to_write = False
        _warn(kernel_cache.unusable(error))
        return True
    return False


def compile_for(compiled: Any, signature: Any) -> str:
    """Compile a dispatcher for a signature; return what is wrong where the function is of another, or ''.

    The type that it returns is inferred: numba takes one that it is told for a cast, of 2.5 to 2 as well.
    """
    if numba.config.DISABLE_JIT:
        return ""
    arguments, returned = normalize_signature(signature)
    wanted = f"{returned}({', '.join(map(str, arguments))})"
    while arguments not in compiled.overloads:
        try:
            compiled.compile(arguments)
        except OSError as error:
            if not was_not_kept(error):
                raise
        except RuntimeError:  # it was compiled for its own signatures alone
            return f"it is compiled for {' and '.join(map(str, compiled.nopython_signatures))}, not for {wanted}"
    inferred = types.unliteral(compiled.overloads[arguments].signature.return_type)
    if returned in (None, inferred):
        return ""
    return f"it returns {inferred}, where {wanted} is asked for; numba would cast in silence: write what you mean"


def rule_signatures(compiled: Any, place: int) -> list[Any]:
    """The signatures of rules that a dispatcher takes as argument at a place."""
    kinds = [kinds[place] for kinds in getattr(compiled, "overloads", ()) if place < len(kinds)]
    return [kind.signature for kind in kinds if isinstance(kind, types.FunctionType)]


def _require_signs(features: str) -> None:
    """ValueError unless each feature is asked for with + or -."""
    for feature in filter(None, features.split(",")):
        if feature[0] not in "+-":
            raise ValueError(f"NUMBA_CPU_FEATURES asks for {feature!r}, and each feature begins with + or -")


@functools.cache
def _warn(text: str) -> None:
    warnings.warn(f"kernels are compiled anew in every process: {text}", stacklevel=2)


class LinkedLibrary(JITCodeLibrary):
    """Code of a function, for kernels that call it."""

    def _finalize_final_module(self) -> None:
        """Called by numba once LLVM has optimized the function's module, to have it compiled."""
        self._verify_declare_only_symbols()
        self._finalized = True
        # Only the variables of environments, as texts of a module without functions: so LLVM has no code to make.
        variables = [one for one in self._get_module_for_linking().global_variables if one.name.startswith(ENVIRONMENT)]
        self._final_module = llvmlite.binding.parse_assembly("\n".join(map(str, variables)))
        self._final_module.name = self.name
        super()._finalize_final_module()


class LinkedCompiler(Compiler):
    """Compiler of functions that only other kernels call."""

    def define_pipelines(self) -> list[object]:
        """Called by numba for the passes of a compilation; the one that makes code takes a library that is there."""
        state = self.state
        # By now numba has noted flags to find NumPy's functions by, compiled: so kernels of both kinds share them.
        state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        state.library = LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()
