"""Kernels that only other kernels call: their code in LLVM's form is kept, and no machine code is made of it.

numba links that form into the code of every kernel that calls it, and LLVM compiles it there; machine code of the
called kernel itself is never run, and was a sixth of the time that compiling took. Numba's documented way to another
compiler, ``pipeline_class``, puts in a library that tells the machine only of the variables that numba looks up there.
"""

import llvmlite.binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

ENVIRONMENT = "_ZN08NumbaEnv"
"""Prefix of numba's for the variable that holds the environment of a function: its constants as objects."""


class LinkedLibrary(JITCodeLibrary):
    """Code of a function, for kernels that call it."""

    def _finalize_final_module(self) -> None:
        """Called by numba once LLVM has optimized the function's module, to have it compiled."""
        self._verify_declare_only_symbols()
        self._finalized = True
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
