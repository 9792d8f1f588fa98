"""The sources of the project as trees, each read once for all tests that look through them."""

import ast
import functools
import gc
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ROOT / "kernels" / "boardspace_kernels"
PIPELINE = ROOT / "pipeline" / "boardspace"


@functools.cache
def tree(path: Path) -> ast.Module:
    """Nothing of it is garbage, and looking for some took two thirds of the time."""
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        gc.enable()
        gc.freeze()


@functools.cache
def nodes(path: Path) -> list[ast.AST]:
    """All nodes of a source."""
    return list(ast.walk(tree(path)))


def _for_checkers(path: Path) -> set[ast.AST]:
    """Nodes that type checkers alone read."""
    blocks = (node for node in nodes(path) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    return {node for block in blocks for statement in block.body for node in ast.walk(statement)}


@functools.cache
def imports(path: Path, executed: bool = False) -> list[str]:
    """Modules that a source imports, and names that it imports from them; ``executed`` leaves out what type checkers
    alone read."""
    found = []
    left_out = _for_checkers(path) if executed else ()
    for node in nodes(path):
        if isinstance(node, ast.Import) and node not in left_out:
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node not in left_out:
            assert node.level == 0, f"{path}: relative import"
            found += [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found
