"""Warming up compiles every kernel, so that no worker compiles the same one again."""

import importlib
import pkgutil

from boardspace_kernels import solitaire
from boardspace_kernels.jit import Kernel
from boardspace_kernels.solitaire.warm_up import warm_up


def test_warm_up_compiles_every_kernel_that_is_not_inlined() -> None:
    warm_up()
    for module in pkgutil.iter_modules(solitaire.__path__):
        loaded = importlib.import_module(f"boardspace_kernels.solitaire.{module.name}")
        for name, value in vars(loaded).items():
            if isinstance(value, Kernel) and value.__module__ == loaded.__name__:
                inlined = value.targetoptions.get("inline") == "always"
                assert inlined or value.signatures, f"{loaded.__name__}.{name}"
