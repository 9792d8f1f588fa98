"""The sources of the project as trees, each read once for all tests that look through them."""

import ast
import functools
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ROOT / "kernels" / "boardspace_kernels"
PIPELINE = ROOT / "pipeline" / "boardspace"


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def nodes(path: Path, executed: bool = False) -> list[ast.AST]:
    """All nodes of a source; ``executed`` leaves out what type checkers alone read."""
    found: list[ast.AST] = [tree(path)]
    for node in found:
        for_checkers = executed and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        found += node.orelse if for_checkers and isinstance(node, ast.If) else ast.iter_child_nodes(node)
    return found


@functools.cache
def imports(path: Path, executed: bool = False) -> list[str]:
    found = []
    for node in nodes(path, executed):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found += [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found
