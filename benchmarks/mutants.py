"""Would the tests notice? Small faults are put into kernels, one at a time, and the tests of the module are run.

    python -m benchmarks.mutants board_division --count 40 --seed 1

A mutant is one changed operator, comparison, constant or dropped statement. Mutants are drawn from all places in the
modules of a space that TARGETS names, and run in a copy of this checkout: with the kernels as plain Python and small
tests first, and where these do not notice, compiled, with all tests of the module. A mutant that no test notices is
printed: either a test is missing, or it computes the same.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TIMES_AS_LONG = 6
"""As a run without a fault: a mutant that takes longer is noticed by that."""
SWAPPED: dict[type[ast.AST], Any] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


LONGEST = 900
"""Seconds of tests without a limit of their own."""
DROPPED = (ast.AugAssign, ast.Continue, ast.Expr)


@dataclass(frozen=True)
class Target:
    """Modules of a space, and how their faults are looked for.

    modules: paths below the space's kernels.
    tests: what pytest is given, in its order.
    thorough: the tests that a mutant goes through, compiled, which the others do not notice; none if these are all.
    """

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    thorough: tuple[str, ...] = ()


TARGETS = {
    "board_division": (
        Target(("line.py",), ("tests/kernels/board_division/test_line.py",)),
        Target(("rectangle/value.py",), ("tests/kernels/board_division/test_rectangle_value.py",)),
        Target(("replay.py",), ("tests/kernels/board_division/test_replay.py",)),
        Target(("tromino/rule.py",), ("tests/kernels/board_division/test_tromino_rule.py",)),
        Target(("tromino/check.py",), ("tests/kernels/board_division/test_tromino_check.py",)),
    ),
    "solitaire": (
        Target(("play.py",), ("tests/kernels/solitaire/test_play.py",)),
        Target(("weighing.py",), ("tests/kernels/solitaire/test_weighing.py",)),
        Target(("runs.py",), ("tests/kernels/solitaire/test_runs.py",)),
        Target(
            ("classes/games_left.py",),
            (
                "tests/kernels/solitaire/classes/test_games_left.py",
                "-k",
                "plus or hexagon or 1x6 or dead_end or beyond or lower_word",
            ),
            ("tests/kernels/solitaire/classes/test_games_left.py",),
        ),
        Target(
            ("classes/layer_blocks.py", "classes/relax.py", "classes/layers.py"),
            (
                "tests/kernels/solitaire/classes/test_class_moves.py",
                "-k",
                "one_after_the_other or more_moves or outside_a_set or plus and (made_together or each_orbit)",
            ),
            (
                "tests/kernels/solitaire/classes/test_class_moves.py",
                "tests/kernels/solitaire/classes/test_moves_left.py",
            ),
        ),
    ),
    "klotski": (
        Target(
            ("trays.py",),
            ("tests/kernels/klotski/test_trays.py", "-k", "3-3 or refused"),
            ("tests/kernels/klotski/test_trays.py",),
        ),
        Target(
            ("net.py",),
            ("tests/kernels/klotski/test_net.py", "-k", "any_connected"),
            ("tests/kernels/klotski/test_net.py",),
        ),
        Target(
            ("scan.py", "codes.py"),
            ("tests/kernels/klotski/test_codes.py", "-k", "0-14-0 or exactly_if"),
            ("tests/kernels/klotski/test_codes.py",),
        ),
    ),
    "five_in_a_row": (
        Target(("plane.py",), ("tests/kernels/five_in_a_row/test_plane.py",)),
        Target(("board.py",), ("tests/kernels/five_in_a_row/test_board.py",)),
        Target(
            ("recount.py", "recount_tables.py", "recount_layers.py", "recount_bounds.py"),
            ("tests/kernels/five_in_a_row/test_recount.py", "-k", "trying_everything or outgrow"),
            ("tests/kernels/five_in_a_row/test_recount.py",),
        ),
    ),
}


@dataclass(frozen=True)
class Mutant:
    """A fault in a module: the place of its node among all, and in which of two ways it is changed."""

    target: Target
    module: str
    place: int
    way: int

    def made(self, source: str) -> tuple[str, str]:
        """Return the source with the fault, and where it is with what was changed."""
        tree = _tree(source)
        node = list(ast.walk(tree))[self.place]
        line = getattr(node, "lineno", 0)
        change = _change(node, self.way)
        return ast.unparse(ast.fix_missing_locations(tree)), f"{self.module}:{line}: {change}"


def mutants(space: str, target: Target, module: str) -> Iterator[Mutant]:
    """All mutants of a module."""
    for place, node in enumerate(ast.walk(_tree(_source(ROOT, space, module).read_text(encoding="utf-8")))):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            yield from (Mutant(target, module, place, way) for way in (0, 1))
        elif type(_operator(node)) in SWAPPED:
            yield Mutant(target, module, place, 0)
        if isinstance(node, DROPPED) and not _is_text(node):
            yield Mutant(target, module, place, 1)


def _source(checkout: Path, space: str, module: str) -> Path:
    return checkout / "kernels" / "boardspace_kernels" / space / module


def _tree(source: str) -> ast.Module:
    tree = ast.parse(source)
    _strip_annotations(tree)
    return tree


def _strip_annotations(tree: ast.Module) -> None:
    """Take out of the tree, for good, what no test can notice: texts alone, and types of arguments."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
            for argument in [*node.args.args, *node.args.kwonlyargs]:
                argument.annotation = None


def _change(node: ast.AST, way: int) -> str:
    """Put a fault into a node, in one of two ways; return what it was and became."""
    before = ast.unparse(node)
    if isinstance(node, ast.Constant):
        assert isinstance(node.value, int)
        node.value += (1, -1)[way]
    elif way:
        node.__class__ = ast.Pass
    elif isinstance(node, ast.Compare):
        node.ops[0] = SWAPPED[type(node.ops[0])]()
    else:
        node.op = SWAPPED[type(node.op)]()  # type: ignore[attr-defined]
    return f"{before} -> {ast.unparse(node)}"


def _operator(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.Compare):
        return node.ops[0]
    return node.op if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) else None


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_noticed(space: str, mutant: Mutant, copy: Path, seconds: float, quick: bool) -> bool:
    """Run the tests of a mutant in a copy of the checkout, which is as before then; print what they do not notice."""
    path = _source(copy, space, mutant.module)
    before = path.read_text(encoding="utf-8")
    text, change = mutant.made(before)
    path.write_text(text, encoding="utf-8")
    try:
        noticed = not passes(mutant.target.tests, copy, seconds)
        if not noticed and mutant.target.thorough and not quick:
            noticed = not passes(mutant.target.thorough, copy, LONGEST, interpreted=False)
    finally:
        path.write_text(before, encoding="utf-8")
    if not noticed:
        print(change, flush=True)
    return noticed


def passes(tests: Sequence[str], copy: Path, seconds: float, interpreted: bool = True) -> bool:
    """Tell whether tests pass in a copy, in so many seconds; ``interpreted``: with kernels as plain Python."""
    settings = {
        "PYTHONPATH": os.pathsep.join(str(copy / name) for name in ("kernels", "pipeline", "")),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(copy / "cache"),
        "NUMBA_DISABLE_JIT": str(int(interpreted)),
    }
    command = [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    try:
        done = subprocess.run(
            command, cwd=copy, env={**os.environ, **settings}, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def copied(folder: Path) -> Path:
    """Copy what tests of kernels need of this checkout."""
    for name in ("kernels", "pipeline", "tests", "configs", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def main() -> None:
    """Draw mutants of a space, and print those that the tests do not notice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("space", choices=TARGETS)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="the small tests alone")
    given = parser.parse_args()
    every = [
        m for target in TARGETS[given.space] for module in target.modules for m in mutants(given.space, target, module)
    ]
    drawn = random.Random(given.seed).sample(every, min(given.count, len(every)))
    with tempfile.TemporaryDirectory() as scratch:
        copies: Queue[Path] = Queue()
        for i in range(given.processes):
            copies.put(copied(Path(scratch) / str(i)))
        limits = {target: _seconds(target, Path(scratch) / "0") for target in {mutant.target for mutant in drawn}}

        def judge(mutant: Mutant) -> bool:
            copy = copies.get()
            try:
                return is_noticed(given.space, mutant, copy, limits[mutant.target], given.quick)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(given.processes) as pool:
            noticed = sum(pool.map(judge, drawn))
    print(f"{given.space}: {noticed} of {len(drawn)} mutants noticed, drawn from {len(every)} by {given.seed}")


def _seconds(target: Target, copy: Path) -> float:
    """Return the time that a mutant of a target may take, by one run without a fault, which has to pass."""
    began = os.times().elapsed
    if not passes(target.tests, copy, LONGEST):
        raise SystemExit(f"{target.tests} fail without a fault")
    return 10 + TIMES_AS_LONG * (os.times().elapsed - began)


if __name__ == "__main__":
    main()
