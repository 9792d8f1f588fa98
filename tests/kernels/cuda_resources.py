"""What each kernel for GPUs takes of an H100, by NVIDIA's compiler, which needs none: a program of its own.

It calls what calls the kernels with a small graph and a few labels, notes the types that they are launched with instead
of launching them, and compiles for these. A line has a kernel's name, threads of a block, registers of a thread, shared
memory of a block and what a thread keeps elsewhere for want of registers, both in bytes.
"""

import importlib
import re
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
from cuda.core import Linker, LinkerOptions, ObjectCode
from numba import cuda, typeof, types
from numba.cuda import dispatcher

from boardspace_kernels.rush_hour.lines import lines
from tests.kernels.klotski.test_cuda import graph_of

CAPABILITY = (9, 0)


class Sent(np.ndarray):
    """Stands for an array of the device."""

    def copy_to_host(self, to: Any = None) -> Any:
        return np.array(self) if to is None else np.copyto(to, self)


def type_of(argument: Any) -> Any:
    """The type of an argument as kernels are launched with it: all arrays of the device can be written to."""
    if isinstance(argument, Sent):
        return types.Array(typeof(argument).dtype, argument.ndim, "C")
    if isinstance(argument, tuple):
        return types.NamedTuple([*map(type_of, argument)], type(argument))
    return typeof(argument)


def launches(module: Any, call: Any) -> dict[str, tuple[int, tuple[Any, ...]]]:
    """Of each kernel of a module the threads of a block, and types of arguments, with which a call launches it."""
    found: dict[str, tuple[int, tuple[Any, ...]]] = {}

    class Launch:
        """Stands for a kernel."""

        def __init__(self, name: str) -> None:
            self.name = name

        def __getitem__(self, shape: tuple[Any, int]) -> Any:
            return lambda *arguments: found.setdefault(self.name, (shape[1], tuple(map(type_of, arguments))))

    kept = dict(vars(module))
    device = SimpleNamespace(
        to_device=lambda array: array.copy().view(Sent),
        device_array=lambda shape, dtype: np.zeros(shape, dtype).view(Sent),
        current_context=lambda: SimpleNamespace(get_memory_info=lambda: (1 << 30, 1 << 30)),
    )
    kernels = [name for name, value in kept.items() if isinstance(value, dispatcher.CUDADispatcher) and name[0] != "_"]
    stand_ins = {name: Launch(name) for name in kernels}
    vars(module).update(stand_ins, cuda=device)
    try:
        call(module)
    except ArithmeticError:  # of pairs that no kernel reached
        pass
    finally:
        vars(module).update(kept)
    return found


def resources(kernel: Any, signature: tuple[Any, ...]) -> tuple[int, int, int]:
    """Registers, shared memory and memory for want of registers that a kernel takes."""
    code, _ = cuda.compile(kernel.py_func, signature, device=False, abi="numba", cc=CAPABILITY, output="ltoir")
    options = LinkerOptions(arch="sm_90", link_time_optimization=True, verbose=True)
    linker = Linker(ObjectCode.from_ltoir(code), options=options)
    linker.link("cubin")
    log = linker.get_info_log()
    used, stack = re.search(r"Used (\d+) registers", log), re.search(r"(\d+) bytes stack frame", log)
    assert used, log
    assert stack, log
    return int(used[1]), sum(map(int, re.findall(r"(\d+) bytes smem", log))), int(stack[1])


CALLS = {
    "klotski": lambda module: module.search_counted(graph_of(3, [(0, 1), (1, 2)]), np.arange(3, dtype=np.int32)),
    "rush_hour": lambda module: module.search_labels(lines(3, 1), 0, np.arange(3), 9),
}

if __name__ == "__main__":
    # Functions that kernels call are compiled for the device that is there, whatever the kernel is compiled for.
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=CAPABILITY)
    for space, call in CALLS.items():
        module = importlib.import_module(f"boardspace_kernels.{space}.cuda")
        for name, (threads, signature) in launches(module, call).items():
            numbers = threads, *resources(getattr(module, name), signature)
            sys.stdout.write(f"{name} {' '.join(map(str, numbers))}\n")
