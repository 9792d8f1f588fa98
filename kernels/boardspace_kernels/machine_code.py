"""Where the machine code of kernels is kept, and how numba is made to use it.

The files are those of :mod:`boardspace_kernels.kernel_cache`; here numba takes them in the place of its own.
"""

import contextlib
import functools
import importlib
import importlib.util
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from boardspace_kernels import kernel_cache

ARRAY_FUNCTIONS = "numba.np.arraymath"


@contextlib.contextmanager
def _without_blas() -> Iterator[None]:
    """numba's functions of arrays, where code is loaded or compiled that names them, come without scipy.linalg, which
    they import to see whether BLAS is there: that takes longer than all the rest of numba, and no kernel here uses it.
    What a plug-in asks of BLAS later is found then."""
    if "scipy.linalg" in sys.modules or ARRAY_FUNCTIONS in sys.modules:
        yield
        return
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["scipy.linalg"]
        loaded: Any = sys.modules.get(ARRAY_FUNCTIONS)
        if loaded is not None:
            loaded._HAVE_BLAS = importlib.util.find_spec("scipy") is not None


def dispatcher(function: Callable[..., Any], **options: str) -> Any:
    """What compiles ``function`` for the types it is called with, and keeps the code; with the compiler off, the
    function itself."""
    compiled: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if not numba.config.DISABLE_JIT:
        compiled._cache = KernelCache(function)
    return compiled


class KernelCache(FunctionCache):
    """The cache of one kernel. Nothing is read or made before the first call."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        self._name = repr(py_func)
        self._py_func = py_func
        self._impl = _Compiled(py_func)
        self.enable()

    @functools.cached_property
    def _cache_file(self) -> "_Files":
        return _Files(self._py_func)

    @property
    def cache_path(self) -> str:
        """Where the files of all kernels lie."""
        return str(kernel_cache.home())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code of a signature; None where there is none, or none that may be used.

        numba would first load what it knows of all functions of Python and NumPy, which takes longer than the rest of
        its import. Code that is there needs none of it; where it is missing, numba loads that to compile it.
        """
        with _without_blas():
            with self._told_once():
                rtsys.initialize(target_context)
                found = self._load_overload(sig, target_context)
                if found is not None:
                    return found
            for listener in kernel_cache.listeners:
                listener()
            importlib.import_module(ARRAY_FUNCTIONS)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code of a signature, where that can be."""
        with self._told_once():
            super().save_overload(sig, data)

    @contextlib.contextmanager
    def _told_once(self) -> Iterator[None]:
        """A kernel works without its cache, only later: why it is not used is a warning, once a process."""
        try:
            yield
        except (OSError, kernel_cache.CacheError) as error:
            self.disable()
            _warn(str(error))


class _Compiled(CompileResultCacheImpl):
    """How numba turns compiled code into a pickle and back, without its choice of a folder."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        code = py_func.__code__
        self._lineno = code.co_firstlineno
        self._locator = SimpleNamespace(_py_file=code.co_filename, ensure_cache_path=lambda: None)


class _Files:
    """The files of one kernel, as numba asks for them: an index from signatures to files of code."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        self.root = kernel_cache.opened()
        self.folder = self.root / kernel_cache.folder_of(py_func.__module__)
        self.index = self.folder / f"{py_func.__qualname__}-{py_func.__code__.co_firstlineno}.index"

    def load(self, key: Any) -> Any:
        name = self._load_index().get(key)
        content = None if name is None else kernel_cache.read_code(self.folder, name)
        if name is None or content is None:
            return None
        self._note(name)
        return pickle.loads(content)

    def save(self, key: Any, data: Any) -> None:
        content = dumps(data)
        name = kernel_cache.code_name(content)
        kernel_cache.write(self.folder / name, content)
        self._save_index({**self._load_index(), key: name})
        self._note(name)

    def flush(self) -> None:
        self._save_index({})

    def _load_index(self) -> dict[Any, str]:
        content = kernel_cache.read_index(self.index)
        return {} if content is None else pickle.loads(content)

    def _save_index(self, names: dict[Any, str]) -> None:
        kernel_cache.write_index(self.index, dumps(names))

    def _note(self, name: str) -> None:
        kernel_cache.used |= {path.relative_to(self.root).as_posix() for path in (self.index, self.folder / name)}


@functools.cache
def _warn(text: str) -> None:
    warnings.warn(f"kernels are compiled anew in every process: {text}", stacklevel=2)
