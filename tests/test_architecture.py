"""Imports go down, never up; few modules may do dangerous things; nothing is a link.

The floors are those of docs/architecture.md, which names the arrows that still run uphill, each with its reason.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.sources import KERNELS, PIPELINE, ROOT, imports, nodes, tree

SOURCES = sorted([*KERNELS.rglob("*.py"), *PIPELINE.rglob("*.py")])
OTHERS = sorted([*(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")])
FLOORS = ("spec", "storage", "engine", "verify", "release", "instances", "oeis", "cli", "graphs", "spaces")
"""Packages of the pipeline from the lowest up; what stands beside them, the public API, is above all."""
UPHILL = {("spec/registry.py", "boardspace.spaces"): "the folder that is looked through for the spaces that ship"}
"""Arrows that run uphill, by source and module, each with its reason; docs/architecture.md has a line for each."""
FINISHED = ("spec", "engine", "storage", "release", "instances", "oeis", "cli", "graphs")
"""Folders of which an import inside a function has to give its reason; others join as they are finished."""
KNOW_DASK = "engine/dask_"
LIGHT_DASK = {"dask.system", "dask.system.CPU_COUNT", "distributed", "distributed.Client"}
"""A number and a type, which others may import."""
WRITING = {"write_text", "write_bytes", "touch", "mkdir", "savez", "save", "tofile", "to_parquet", "write_parquet"}
KERNELS_THAT_WRITE = {"boardspace_kernels/kernel_cache.py"}
KERNELS_MAY_ALSO = {
    "boardspace_kernels/five_in_a_row/bound.py": "scipy",  # a linear program
    "boardspace_kernels/kernel_cache.py": "llvmlite",  # the name of the processor
    "boardspace_kernels/klotski/balls.py": "llvmlite",  # an instruction that numba has no name for
    "boardspace_kernels/machine_code.py": "llvmlite",  # a module of a few variables
}


def modules_named(path: Path) -> Iterator[str]:
    """Modules of the pipeline that a source imports, or names in a text, to import them later."""
    texts = (node.value for node in nodes(path) if isinstance(node, ast.Constant))
    yield from (text for text in texts if isinstance(text, str) and re.fullmatch(r"boardspace(\.\w+)+", text))
    yield from (module for module in imports(path) if module.startswith("boardspace."))


def name(path: Path) -> str:
    """How messages name a source: its path inside its package's folder."""
    return path.relative_to(PIPELINE if path.is_relative_to(PIPELINE) else ROOT / "kernels").as_posix()


def floor(package: str) -> int:
    """The floor that the first part of a name below ``boardspace`` stands on."""
    return FLOORS.index(package) if package in FLOORS else len(FLOORS)


def nothing(faults: Iterable[str]) -> None:
    """Fail with all faults."""
    found = sorted(set(faults))
    assert not found, "\n".join(found)


def test_no_file_of_the_repository_is_a_link() -> None:
    listed = subprocess.run(["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    nothing(line for line in listed.splitlines() if line.startswith("120000"))


def test_the_two_folders_are_no_packages_themselves() -> None:
    """``import kernels`` would be a second copy of every kernel."""
    folders = {"kernels", "pipeline"}
    nothing(f"{path}: {m}" for path in [*SOURCES, *OTHERS] for m in imports(path) if m.split(".")[0] in folders)
    for folder in folders:
        done = subprocess.run([sys.executable, "-I", "-c", f"import {folder}"], capture_output=True, check=False)
        assert b"ModuleNotFoundError" in done.stderr


def test_kernels_import_numpy_numba_and_their_own_space_alone() -> None:
    def faults() -> Iterator[str]:
        shared = {path.stem for path in KERNELS.glob("*.py")}
        for path in KERNELS.rglob("*.py"):
            own = {*shared, path.relative_to(KERNELS).parts[0], ""}
            for module in imports(path):
                top, _, below = module.partition(".")
                if top == "boardspace_kernels" and below.split(".")[0] not in own:
                    yield f"{name(path)}: {module}: another space's kernels"
                known = {"numpy", "numba", "boardspace_kernels", KERNELS_MAY_ALSO.get(name(path))}
                if top not in sys.stdlib_module_names | known and name(path) not in KERNELS_THAT_WRITE:
                    yield f"{name(path)}: {module}: kernels know only arrays"

    nothing(faults())


def test_nothing_imports_the_kernels_of_a_gpu_unasked_and_one_module_knows_cuda() -> None:
    """numba.cuda looks for drivers, and the extra that it needs is no dependency."""

    def faults() -> Iterator[str]:
        for path in (path for path in SOURCES if path.stem != "cuda"):
            if "numba.cuda" in imports(path) and name(path) != "engine/gpu.py":
                yield f"{name(path)}: knows CUDA"
            for node in tree(path).body:
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
                module = node.module if isinstance(node, ast.ImportFrom) else ""
                if any("cuda" in [*one.split("."), *str(module).split(".")] for one in names):
                    yield f"{name(path)}: {ast.unparse(node)}"

    nothing(faults())


def test_the_pipeline_imports_go_down_never_up() -> None:
    def faults() -> Iterator[str]:
        for path in PIPELINE.rglob("*.py"):
            here = path.relative_to(PIPELINE).parts
            whole = [node for node in nodes(path) if isinstance(node, ast.Import)]
            if here[0] in FLOORS and any(alias.name == "boardspace" for node in whole for alias in node.names):
                yield f"{name(path)}: the public API is above all"
            for module in modules_named(path):
                parts = module.split(".")
                if floor(parts[1]) > floor(here[0]) and (name(path), module) not in UPHILL:
                    yield f"{name(path)}: {module}: runs uphill"
            for module in imports(path):
                parts = module.split(".")
                if parts[:2] == ["boardspace", "spaces"] and here[0] == "spaces" and parts[2:3] not in ([], [here[1]]):
                    yield f"{name(path)}: {module}: another space"
                if (
                    parts[0] in {"dask", "distributed"}
                    and not name(path).startswith(KNOW_DASK)
                    and module not in LIGHT_DASK
                ):
                    yield f"{name(path)}: {module}: only {KNOW_DASK} knows Dask"
                if module == "boardspace.cli.main" and here != ("__main__.py",):
                    yield f"{name(path)}: {module}: nobody calls the command line"

    nothing(faults())


def test_every_arrow_that_runs_uphill_is_there_and_has_its_line_in_the_page_on_architecture() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines()
    for (source, module), reason in UPHILL.items():
        assert module in modules_named(PIPELINE / source)
        assert any(f"`{source}`" in line and f"`{module}`" in line and reason in line for line in page), source


def test_no_module_imports_itself_by_way_of_others() -> None:
    roots = {"boardspace": PIPELINE.parent, "boardspace_kernels": KERNELS.parent}
    sources = {}
    for path in SOURCES:
        parts = path.relative_to(roots["boardspace" if path.is_relative_to(PIPELINE) else KERNELS.name]).with_suffix("")
        sources[".".join(parts.parts).removesuffix(".__init__")] = path
    waiting = {
        module: {m for m in imports(path, executed=True) if m in sources} - {module} for module, path in sources.items()
    }
    for module in waiting:  # `from boardspace import spec` needs no more of the package than that it is there
        waiting[module] -= {module.rsplit(".", depth)[0] for depth in range(1, module.count(".") + 1)}
    while free := {module for module, needed in waiting.items() if not needed or not _imported(module, waiting)}:
        waiting = {module: needed - free for module, needed in waiting.items() if module not in free}
    nothing(f"{module}: in a circle with {', '.join(sorted(needed))}" for module, needed in waiting.items())


def _imported(module: str, graph: dict[str, set[str]]) -> bool:
    return any(module in needed for needed in graph.values())


def test_imports_inside_functions_give_their_reason() -> None:
    """In a comment on the first of them: nothing else tells a slow package from a circle."""

    def faults() -> Iterator[str]:
        for path in (path for folder in FINISHED for path in (PIPELINE / folder).rglob("*.py")):
            lines = path.read_text(encoding="utf-8").splitlines()
            for function in nodes(path):
                if isinstance(function, ast.FunctionDef):
                    found = [
                        node.lineno for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom)
                    ]
                    firsts = [line for line in found if line - 1 not in found]
                    yield from (f"{name(path)}:{line}: why here?" for line in firsts if "  # " not in lines[line - 1])

    nothing(faults())


def test_only_storage_opens_files_for_writing() -> None:
    def faults() -> Iterator[str]:
        for path in SOURCES:
            if name(path).startswith("storage/") or name(path) in KERNELS_THAT_WRITE:
                continue
            for node in nodes(path):
                if not isinstance(node, ast.Call):
                    continue
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if called in WRITING and ast.unparse(node.func) != "write_bytes":  # storage's own
                    yield f"{name(path)}:{node.lineno}: {ast.unparse(node.func)}"
                arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
                modes = [a.value for a in arguments if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                if called == "open" and any(set(m) & set("wax+") and len(m) <= 3 for m in modes):
                    yield f"{name(path)}:{node.lineno}: opens a file for writing"

    nothing(faults())


def test_nothing_depends_on_the_clock_of_the_machine() -> None:
    """Durations are taken from a clock that only goes forward; nothing compares dates."""
    clocks = {"time.time", "time.time_ns", "time.localtime", "time.gmtime"}
    files = (".st_mtime", ".st_ctime", ".getmtime")

    def faults() -> Iterator[str]:
        for path in SOURCES:
            dates = {m for m in imports(path) if m.split(".")[0] == "datetime"}
            if dates not in (set(), {"datetime", "datetime.timedelta"}):  # a length of time is no date
                yield f"{name(path)}: {dates}"
            attributes = {ast.unparse(node) for node in nodes(path) if isinstance(node, ast.Attribute)}
            yield from (f"{name(path)}: {a}" for a in attributes if a in clocks or a.endswith(files))
            yield from (f"{name(path)}: {m}" for m in imports(path) if m in clocks)

    nothing(faults())


def test_nothing_needs_what_the_least_versions_of_dependencies_lack() -> None:
    """Arrow needs pandas for these, which is no dependency, and click's types take no parameters before 8.4; the
    environment of development hides both, `make wheel` tries the least versions."""
    found = []
    for path in SOURCES:
        for node in nodes(path):
            if isinstance(node, ast.Attribute) and node.attr in {"to_pandas", "to_pandas_dtype"}:
                found.append(f"{path}: {node.attr}")
            if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("ParamType"):
                found.append(f"{path}: {ast.unparse(node)}")
    nothing(found)


def test_tests_and_benchmarks_use_public_names_alone() -> None:
    """What a test or a benchmark needs of a module is part of what the module offers, and has a name without _."""
    nothing(
        f"{path}: {module}"
        for path in OTHERS
        for module in imports(path)
        if module.startswith("boardspace") and module.split(".")[-1].startswith("_") and "__" not in module
    )
