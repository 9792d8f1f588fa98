"""Would the tests notice? Small faults are put into kernels, one at a time, and the space's kernel tests are run.

    python -m benchmarks.mutants board_division --count 40 --seed 1 --folder /tmp/mutants

A mutant is one changed operator, comparison, constant or dropped statement. Mutants are drawn from all places in the
kernels of a space, and run in a copy of this checkout. Tests that import the module, directly or by way of others, run
until one fails: with kernels as plain Python those tests that are quick that way (measured once, without a fault), and
where these do not notice the mutant, all of them compiled.

Every verdict is a line of JSON in the folder, written as soon as it is known; a second call goes on after the last one,
and ``--survivors`` judges those again that no test noticed, after tests were added. A mutant that no test notices is
printed: either a test is missing, or it computes the same.
"""

import argparse
import ast
import functools
import json
import os
import random
import resource
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import dask  # noqa: F401 (as scipy's: imported before the fork, once for all mutants)
import hypothesis  # noqa: F401
import numba
import pyarrow  # noqa: F401
import pydantic  # noqa: F401
import pytest
import scipy.sparse.csgraph  # noqa: F401

ROOT = Path(__file__).resolve().parents[1]
SPACES = ("board_division", "five_in_a_row", "klotski", "rush_hour", "sliding_blocks", "solitaire")
NOT_JUDGED = ("__init__.py", "warm_up.py")
"""Modules that compute nothing: a warm-up only decides what is compiled early."""
SWAPPED: dict[type[ast.AST], Any] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
DROPPED = (ast.AugAssign, ast.Continue, ast.Expr)
QUICK, LIMIT = 2, 30
"""Seconds of the processor that a test may take with kernels as plain Python: without a fault, if it is to be one of
the quick ones; with one, before it has noticed the mutant by that."""
PLAIN_LIMIT, COMPILED_LIMIT = 120, 1000
"""Seconds on the wall that a test may take, beside other work: as plain Python, where it may wait for another process;
and compiled, which includes compiling."""
OPTIONS = [
    *("-q", "--tb", "native", "--hypothesis-seed", "1"),
    *("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "benchmarks.mutants_plugin"),
]
# A thread ends the process of a test that takes too long, as compiled code hears no signal; plain Python does.
PLAIN_OPTIONS = [*OPTIONS, "--timeout", str(PLAIN_LIMIT), "--timeout-method", "signal"]
COMPILED_OPTIONS = [*OPTIONS, "--timeout", str(COMPILED_LIMIT), "--timeout-method", "thread"]
MEMORY = 8 << 30
"""Bytes of address space: a mutant that asks for more is noticed by that."""


@dataclass(frozen=True)
class Mutant:
    """A fault in a module: the place of its node among all, and in which of two ways it is changed.

    module: path below the space's kernels.
    """

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


@dataclass(frozen=True)
class Verdict:
    """Tests that noticed a mutant: ``"plain"`` the quick ones, ``"compiled"`` the others, ``""`` none."""

    mutant: Mutant
    change: str
    noticed: str
    seconds: float


def modules(space: str) -> list[str]:
    """Paths of the modules of a space's kernels that mutants are made of, below the folder of these kernels."""
    folder = _kernels(ROOT) / space
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*.py") if p.name not in NOT_JUDGED)


def mutants(space: str, module: str) -> Iterator[Mutant]:
    """All mutants of a module."""
    for place, node in enumerate(ast.walk(_tree((_kernels(ROOT) / space / module).read_text(encoding="utf-8")))):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            yield from (Mutant(module, place, way) for way in (0, 1))
        elif type(_operator(node)) in SWAPPED:
            yield Mutant(module, place, 0)
        if isinstance(node, DROPPED) and not _is_text(node):
            yield Mutant(module, place, 1)


def _kernels(checkout: Path) -> Path:
    return checkout / "kernels" / "boardspace_kernels"


def _tree(source: str) -> ast.Module:
    tree = ast.parse(source)
    _strip_annotations(tree)
    return tree


def _strip_annotations(tree: ast.Module) -> None:
    """Take types of arguments and results out of the tree: no test can notice a change of them."""
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


@functools.cache
def _imports(path: Path) -> frozenset[Path]:
    """Files of this checkout's kernels and tests that a file imports."""
    roots = {"boardspace_kernels": ROOT / "kernels", "tests": ROOT}
    names = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)  # kernels for GPUs are imported by their name, once a simulator is there
    own = (roots[name.split(".")[0]] / f"{name.replace('.', '/')}.py" for name in names if name.split(".")[0] in roots)
    return frozenset(file for file in own if file.is_file())


def _closure(path: Path) -> set[Path]:
    """A file and all files of kernels and tests that it imports, directly or by way of others."""
    met, left = {path}, [path]
    while left:
        left += (new := [file for file in _imports(left.pop()) if file not in met])
        met |= set(new)
    return met


def tests_of(space: str, module: str) -> list[str]:
    """Test files of a space's kernels that import a module, the nearest first: those that do so themselves, and of
    these the ones that import little else."""
    target = _kernels(ROOT) / space / module
    files = sorted((ROOT / "tests" / "kernels" / space).rglob("test_*.py"))
    near = [file for file in files if target in _closure(file)]
    near.sort(key=lambda file: (target not in _imports(file), len(_imports(file))))
    return [str(file.relative_to(ROOT)) for file in near]


@dataclass(frozen=True)
class Campaign:
    """The mutants of one space: a folder with a copy of the checkout, what is quick, and the verdicts."""

    space: str
    folder: Path

    @property
    def copy(self) -> Path:
        """The copy of the checkout, with one mutant at a time."""
        return self.folder / f"{self.space}-copy"

    @property
    def quick(self) -> Path:
        """The file that lists the tests that are quick with kernels as plain Python."""
        return self.folder / f"{self.space}-quick.json"

    def begin(self) -> None:
        """Make or refresh the copy; find the quick tests, where that is not done."""
        for name in ("kernels", "pipeline", "tests", "configs", "docs", "benchmarks"):
            ignored = shutil.ignore_patterns("__pycache__", "bundle")
            shutil.copytree(ROOT / name, self.copy / name, ignore=ignored, dirs_exist_ok=True)
        shutil.copy(ROOT / "pyproject.toml", self.copy)
        if not self.quick.exists():
            variables = {"MUTANTS_PASSED": str(self.quick), "MUTANTS_SECONDS": str(QUICK)}
            self.passes([f"tests/kernels/{self.space}"], compiled=False, stop=False, **variables)
            if not self.quick.exists():
                raise SystemExit(f"the quick tests were not found to the end; see {self.folder / 'log'}")

    def judge(self, mutant: Mutant) -> Verdict:
        """Run the tests of a mutant in the copy, which is as before then."""
        began = time.monotonic()
        path = _kernels(self.copy) / self.space / mutant.module
        before = path.read_text(encoding="utf-8")
        text, change = mutant.made(before)
        tests = tests_of(self.space, mutant.module)
        path.write_text(text, encoding="utf-8")
        try:
            if not all(self.passes([test], compiled=False, MUTANTS_ONLY=str(self.quick)) for test in tests):
                noticed = "plain"
            else:
                failed = next((test for test in tests if not self.passes([test], compiled=True)), "")
                noticed = "compiled" if failed else ""
        finally:
            path.write_text(before, encoding="utf-8")
        if noticed == "compiled" and not self.passes([failed], compiled=True):
            raise SystemExit(f"{failed} fails without a fault")
        return Verdict(mutant, change, noticed, round(time.monotonic() - began, 1))

    def passes(self, tests: Sequence[str], compiled: bool, stop: bool = True, **variables: str) -> bool:
        """Tell whether tests pass in the copy; ``stop``: after the first failure."""
        settings = {
            "PYTHONPATH": os.pathsep.join(str(self.copy / name) for name in ("kernels", "pipeline", "")),
            "NUMBA_CACHE_DIR": str(self.folder / f"{self.space}-code"),
            "NUMBA_DISABLE_JIT": str(int(not compiled)),
            "MUTANTS_SECONDS": str(0 if compiled else LIMIT),
            **variables,
        }
        options = COMPILED_OPTIONS if compiled else PLAIN_OPTIONS
        code = _forked(self.copy, settings, [*(["-x"] if stop else []), *options, *tests])
        if code in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
            raise SystemExit(f"pytest cannot run {' '.join(tests)}: exit code {code}; see {self.folder / 'log'}")
        return code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def _forked(folder: Path, settings: Mapping[str, str], arguments: Sequence[str]) -> int:
    """Run pytest in a folder, in a child of this process, which has libraries imported already; return its exit code,
    or a negative one where a signal ended it."""
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.update(settings)
        os.dup2(os.open(folder.parent / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(1, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.dont_write_bytecode = True
        sys.path[:0] = settings["PYTHONPATH"].split(os.pathsep)
        numba.config.reload_config()
        code = 1
        try:
            code = int(pytest.main([*arguments]))
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _verdicts(file: Path) -> dict[Mutant, Verdict]:
    """The last verdict on each mutant in a file of verdicts."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    records = [json.loads(line) for line in lines]
    return {mutant: Verdict(**{**r, "mutant": mutant}) for r in records if (mutant := Mutant(**r["mutant"]))}


def main() -> None:
    """Draw mutants of a space, and print those that the tests do not notice."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("space", choices=SPACES)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, required=True, help="verdicts, and the copy of this checkout")
    parser.add_argument("--survivors", action="store_true", help="judge again what no test noticed")
    given = parser.parse_args()
    every = [mutant for module in modules(given.space) for mutant in mutants(given.space, module)]
    drawn = random.Random(given.seed).sample(every, min(given.count, len(every)))
    given.folder.mkdir(parents=True, exist_ok=True)
    file = given.folder / f"{given.space}-{given.seed}.jsonl"
    known = {m: v for m, v in _verdicts(file).items() if v.noticed or not given.survivors}
    campaign = Campaign(given.space, given.folder.resolve())
    campaign.begin()
    for mutant in drawn:
        if mutant not in known:
            known[mutant] = campaign.judge(mutant)
            with file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(asdict(known[mutant])) + "\n")
        if not known[mutant].noticed:
            print(known[mutant].change, flush=True)
    noticed = sum(bool(known[mutant].noticed) for mutant in drawn)
    print(f"{given.space}: {noticed} of {len(drawn)} mutants noticed, drawn from {len(every):,} by {given.seed}")


if __name__ == "__main__":
    main()
