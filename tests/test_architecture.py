"""Imports point one way: cli -> pipeline -> pipeline.spaces -> kernels; few modules may do dangerous things."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted([*(ROOT / "kernels").rglob("*.py"), *(ROOT / "pipeline").rglob("*.py")])
EVERYTHING = sorted(
    path for top in ("boardspace", "kernels", "pipeline", "benchmarks", "tests") for path in (ROOT / top).rglob("*.py")
)
OUTSIDE_KERNELS = {"dask", "distributed", "pyarrow", "zarr", "rich", "click", "pathlib", "time", "logging"}
WRITING = {"write_text", "write_bytes", "touch", "mkdir", "savez", "save", "tofile", "to_parquet", "write_parquet"}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", EVERYTHING, ids=name)
def test_the_package_has_one_name(path: Path) -> None:
    """In a checkout ``import kernels`` would work, too, and make a second copy of every kernel."""
    assert not {module.split(".")[0] for module in imports(path)} & {"kernels", "pipeline"}


@pytest.mark.parametrize("path", [p for p in SOURCES if name(p).startswith("kernels/")], ids=name)
def test_a_kernel_knows_only_arrays(path: Path) -> None:
    modules = set(imports(path))
    assert not {module.split(".")[0] for module in modules} & OUTSIDE_KERNELS
    own_package = {module for module in modules if module.split(".")[0] == "boardspace"}
    if name(path) == "kernels/machine_code.py":
        own_package -= {"boardspace", "boardspace.kernel_cache"}
    assert all(module.startswith("boardspace.kernels.") for module in own_package - {"boardspace.kernels"})
    # The key of a room's compiled code is the room and the files beside the rooms: nothing else may be imported.
    shared = {file.stem for file in (ROOT / "kernels").glob("*.py")}
    rooms = {m.split(".")[2] for m in own_package if m.startswith("boardspace.kernels.")} - shared
    own = path.relative_to(ROOT / "kernels").parts[0]
    assert rooms <= {own}


@pytest.mark.parametrize("path", [p for p in SOURCES if name(p).startswith("pipeline/")], ids=name)
def test_the_pipeline_imports_point_one_way(path: Path) -> None:
    modules = set(imports(path))
    file = name(path)
    if not file.startswith("pipeline/spaces/"):
        assert not any(m.startswith("boardspace.kernels") for m in modules), "only spaces meet kernels"
    if file != "pipeline/cluster.py":
        light = {"dask.system", "dask.system.CPU_COUNT", "distributed", "distributed.Client"}  # a number and a type
        runtime = modules - (light if file in {"pipeline/run.py", "pipeline/machine.py"} else set())
        assert not any(m.split(".")[0] in {"distributed", "dask"} for m in runtime), "only cluster.py knows Dask"
    if file != "pipeline/cli.py":
        assert "boardspace.pipeline.cli" not in modules
    if file.startswith("pipeline/spaces/"):
        own = path.relative_to(ROOT / "pipeline" / "spaces").parts[0].removesuffix(".py")
        others = {m.split(".")[3] for m in modules if m.startswith("boardspace.pipeline.spaces.")}
        assert others <= {own}, "spaces do not import each other"


@pytest.mark.parametrize("path", [p for p in SOURCES if "pipeline/storage" not in name(p)], ids=name)
def test_only_storage_opens_files_for_writing(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in WRITING:
            owner = ast.unparse(node.func)
            # What a user names keeps its kind (write_out); a site's files are ours.
            assert (owner, name(path)) == ("write_bytes", "pipeline/atlas/site.py"), f"{name(path)}:{node.lineno}"
        if called == "open":
            modes = [a.value for a in [*node.args, *(k.value for k in node.keywords)] if isinstance(a, ast.Constant)]
            assert not any(isinstance(m, str) and set(m) & set("wax+") and len(m) <= 3 for m in modes)


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_nothing_depends_on_the_clock_of_the_machine(path: Path) -> None:
    """Durations are taken from a clock that only goes forward; nothing compares dates."""
    modules = set(imports(path))
    assert "time.time" not in modules
    dates = {module for module in modules if module.split(".")[0] == "datetime"}
    assert dates in (set(), {"datetime", "datetime.timedelta"})  # a length of time is no date
    attributes = {
        ast.unparse(node) for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)
    }
    assert not attributes & {"time.time", "time.time_ns", "time.localtime", "time.gmtime"}
    assert not any(attribute.endswith((".st_mtime", ".st_ctime", ".getmtime")) for attribute in attributes)


@pytest.mark.parametrize("path", [p for p in EVERYTHING if name(p).startswith(("tests/", "benchmarks/"))], ids=name)
def test_only_public_names_are_used_from_outside(path: Path) -> None:
    """What a test or a benchmark needs of a module is part of what the module offers, and has a name without _."""
    private = {module.split(".")[-1] for module in imports(path) if module.startswith("boardspace.")}
    assert not {part for part in private if part.startswith("_")}
