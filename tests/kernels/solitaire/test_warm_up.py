"""Warming up compiles every kernel, so that no worker compiles the same one again."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

from boardspace_kernels import solitaire
from boardspace_kernels.jit import Kernel
from boardspace_kernels.solitaire.warm_up import warm_up, warm_up_between, warm_up_moves, warm_up_sweeps


def kernels(classes: bool) -> Iterator[tuple[str, Kernel]]:
    """The kernels that are not inlined, of the modules of classes or of the others."""
    for module in pkgutil.walk_packages(solitaire.__path__, f"{solitaire.__name__}."):
        loaded = importlib.import_module(module.name)
        for name, value in vars(loaded).items():
            own = isinstance(value, Kernel) and value.__module__ == module.name
            if own and (".classes." in module.name) == classes and value.targetoptions.get("inline") != "always":
                yield f"{module.name}.{name}", value


def code_of(kernel: Kernel) -> list[Path]:
    """Compiled code of a kernel in the cache, for Python or for other kernels; what is loaded with its callers is not
    loaded by itself."""
    path = Path(kernel.stats.cache_path)
    return [file for folder in (path, path.with_name(f"{path.name}-inner")) for file in folder.glob("*.nbc")]


def test_warm_up_compiles_every_kernel_that_is_not_inlined() -> None:
    warm_up()
    assert [name for name, kernel in kernels(classes=False) if not code_of(kernel)] == []


def test_warming_up_classes_compiles_every_kernel_of_classes_that_runs_use() -> None:
    for step in (warm_up_sweeps, warm_up_moves):
        step("uint8")
    warm_up_between()
    missing = [name for name, kernel in kernels(classes=True) if not code_of(kernel)]
    assert [name for name in missing if ".games_left." not in name] == []  # these are of a question
