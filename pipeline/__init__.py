"""Everything around the kernels: plans, the engine, storage, verification, the command line.

Importing this package chooses the folder of numba's disk cache, which has to happen before any kernel is imported.
"""

from boardspace.pipeline import jit_cache

jit_cache.choose_folder()
