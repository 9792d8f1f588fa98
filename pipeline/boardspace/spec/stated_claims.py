"""Claims that a space measures and its file does not state, found before a run: measured they are in its last stage.

What a part measures is known when all its stages are finished. But nearly always its code names the claim beside the
:class:`.Measurement`, ``{"id": Measurement(...)}`` or ``found["id"] = Measurement(...)``, and that can be read.
"""

import ast
import importlib.util
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from boardspace.spec.claims import claims_of
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Space


def refuse_unstated_claims(space: Space) -> None:
    """BoardspaceError where a reading, or the code of a part's claims, names a claim that the space's file lacks."""
    stated = {claim.id for claim in claims_of(space)}
    for name in space.readings:
        if name not in stated:
            raise BoardspaceError(f"{space.name}: reads the claim {name!r}, which {space.claims_file} does not state")
    for file in dict.fromkeys(file for part in space.parts if part.claims for file in _file_of(part.claims)):
        for name, line in _named(file):
            if name not in stated:
                raise BoardspaceError(
                    f"{file}, line {line}: measures the claim {name!r}, which {space.claims_file} does not state"
                )


def _file_of(function: Callable[..., Any]) -> Iterator[Path]:
    """The module of a function, by its file; nothing where it has none."""
    while isinstance(function, partial):
        function = function.func
    module = function.module if isinstance(function, DeferredFunction) else getattr(function, "__module__", None)
    found = importlib.util.find_spec(module) if module else None
    if found is not None and found.origin and found.origin.endswith(".py"):
        yield Path(found.origin)


def _named(file: Path) -> Iterator[tuple[str, int]]:
    """Claims that are named beside a measurement, with their lines."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            pairs = zip([node.targets[0].slice], [node.value], strict=True)
        else:
            continue
        for key, value in pairs:
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and _is_measurement(value):
                yield key.value, key.lineno


def _is_measurement(node: ast.expr) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name == "Measurement"
