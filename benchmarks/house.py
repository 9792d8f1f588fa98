"""Figures of how the code reads: ``house.py [FOLDER] [--lines FILE] [--tried RUN FILE] [--since COMMIT] [--list]``.

It reads sources with :mod:`ast` and imports nothing of them, so it counts a tree of any layout, older ones too. Each
FOLDER (by default the two packages of this repository) is one row for every folder in it, and a row for all of it.
Below the table: small modules and doors, the lines that derive data a second time, and those that say each space.
``--list`` also names what is counted, where that is a fault; ``--lines`` counts the lines of files, one sum for all;
``--tried`` reads what ``boardspace verify RUN --json`` printed to FILE, and counts the columns of RUN that were tried
at every row. ``--since`` counts the lines of each space, its kernels and its pipeline, at a commit and now: what has
left the spaces.
"""

import argparse
import ast
import io
import json
import subprocess
import tempfile
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = (ROOT / "kernels" / "boardspace_kernels", ROOT / "pipeline" / "boardspace")
OPENINGS = ("What ", "Whether ", "Those ", "The same ")
"""Beginnings of docstrings that say what something is like and not what it is or does."""
SMALL = 40
"""Lines below which a module is a small one."""
MOST_LINES, MOST_PARAMETERS, MOST_NESTED = 40, 6, 4
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BLOCKS = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try)


@dataclass
class Figures:
    """Counts over some source files.

    files: number of files.
    lines: lines of these files, empty ones and comments included.
    functions: functions and methods.
    docstrings: docstrings of modules, classes and functions.
    openings: docstrings that begin with one of OPENINGS.
    imports: import statements inside functions.
    long: functions of more than MOST_LINES lines, decorators and docstring included.
    parameters: functions of more than MOST_PARAMETERS parameters.
    nested: functions with blocks more than MOST_NESTED deep.
    comments: comments, at the end of a line or alone.
    small: modules of fewer than SMALL lines, the faces of packages aside.
    """

    files: int = 0
    lines: int = 0
    functions: int = 0
    docstrings: int = 0
    openings: int = 0
    imports: int = 0
    long: int = 0
    parameters: int = 0
    nested: int = 0
    comments: int = 0
    small: int = 0

    def add(self, other: "Figures") -> None:
        """Add the counts of other files."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    @property
    def share(self) -> float:
        """Percentage of docstrings that begin with one of OPENINGS."""
        return 100 * self.openings / max(1, self.docstrings)


@dataclass(frozen=True)
class Fault:
    """A place that a figure counts: the figure's name, and the line with what is there."""

    figure: str
    line: int
    text: str


def faults(tree: ast.Module) -> Iterator[Fault]:
    """Every place in a module that one of the figures counts as a fault."""
    inside = {inner for node in ast.walk(tree) if isinstance(node, FUNCTIONS) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and node in inside:
            yield Fault("imports", node.lineno, ast.unparse(node))
        if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)):
            doc = ast.get_docstring(node) or ""
            if doc.startswith(OPENINGS):
                yield Fault("openings", getattr(node, "lineno", 1), doc.splitlines()[0])
        if isinstance(node, FUNCTIONS):
            yield from _of_function(node)


def _of_function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Fault]:
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    lines = (node.end_lineno or start) - start + 1
    parameters = parameters_of(node)
    deep = depth(node)
    if lines > MOST_LINES:
        yield Fault("long", node.lineno, f"{node.name}: {lines} lines")
    if parameters > MOST_PARAMETERS:
        yield Fault("parameters", node.lineno, f"{node.name}: {parameters} parameters")
    if deep > MOST_NESTED:
        yield Fault("nested", node.lineno, f"{node.name}: blocks {deep} deep")


def parameters_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Number of parameters of a function, ``self`` and ``cls`` not counted."""
    names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    starred = (node.args.vararg is not None) + (node.args.kwarg is not None)
    return len(names) - (names[:1] in (["self"], ["cls"])) + starred


def depth(node: ast.AST) -> int:
    """Greatest number of blocks inside one another below a node; an ``elif`` is no deeper than its ``if``."""

    def below(child: ast.AST, parent: ast.AST) -> int:
        chained = isinstance(parent, ast.If) and isinstance(child, ast.If) and parent.orelse == [child]
        return depth(child) + (isinstance(child, BLOCKS) and not chained)

    return max((below(child, node) for child in ast.iter_child_nodes(node)), default=0)


def figures(path: Path) -> tuple[Figures, list[Fault]]:
    """The figures of one file, and the places that they count."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    found = list(faults(tree))
    documented = [n for n in ast.walk(tree) if isinstance(n, (ast.Module, ast.ClassDef, *FUNCTIONS))]
    counted = Figures(
        files=1,
        lines=len(text.splitlines()),
        functions=sum(isinstance(node, FUNCTIONS) for node in documented),
        docstrings=sum(bool(ast.get_docstring(node)) for node in documented),
        comments=sum(token.type == tokenize.COMMENT for token in tokenize.generate_tokens(io.StringIO(text).readline)),
        small=path.name != "__init__.py" and len(text.splitlines()) < SMALL,
    )
    for fault in found:
        setattr(counted, fault.figure, getattr(counted, fault.figure) + 1)
    return counted, found


def count_lines(paths: Iterable[Path]) -> int:
    """Lines of files together."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def importers_of(folder: Path) -> dict[Path, set[Path]]:
    """The modules of a package, each with those that import it or something of it."""
    modules = {".".join(path.relative_to(folder.parent).with_suffix("").parts): path for path in folder.rglob("*.py")}
    modules = {name.removesuffix(".__init__"): path for name, path in modules.items()}
    found: dict[Path, set[Path]] = {path: set() for path in modules.values()}
    for path in modules.values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
            for name in names:
                if name in modules and modules[name] != path:
                    found[modules[name]].add(path)
    return found


def second_methods(folder: Path) -> list[Path]:
    """Modules of spaces that derive data a second time: checks, second rules, those that equations name, and what these
    alone import."""
    importers = {path: who for path, who in importers_of(folder).items() if "spaces" in path.parts}
    equations = equations_of(folder)
    found = {path for path in importers if path.stem == "rules" or "check" in path.as_posix().rpartition("spaces/")[2]}
    while more := {
        path
        for path, who in importers.items()
        if path not in found
        and path.name != "__init__.py"
        and who
        and all(other in found or only_in_equations(path.stem, other, equations) for other in who)
    }:
        found |= more
    return sorted(found)


def equations_of(folder: Path) -> set[str]:
    """The names of what a part states of its data: the classes of its package's equations and rows, and ``Check``."""
    paths = [folder / "spec" / f"{name}.py" for name in ("equations", "rows", "totals")]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths if path.is_file()]
    return {"Check", *(node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))}


def only_in_equations(module: str, path: Path, equations: set[str]) -> bool:
    """Return whether a file names a module that it imports in equations alone, as ``Made(packings.make)`` does."""

    tree = ast.parse(path.read_text(encoding="utf-8"))
    stated = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) in equations]
    inner = {id(name) for node in stated for name in ast.walk(node)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == module]
    uses = [id(name) for name in names if isinstance(name.ctx, ast.Load)]
    return bool(uses) and inner.issuperset(uses)


def summary(folder: Path, listed: bool) -> Iterator[str]:
    """Lines on the doors of a package, and on what derives data a second time."""
    importers = importers_of(folder)
    doors = [path for path, who in importers.items() if len(who) == 1 and path.name != "__init__.py"]
    second = second_methods(folder)
    yield f"{folder.name}: {len(importers)} modules, {len(doors)} of them with a single importer"
    if second:
        yield f"{folder.name}: {count_lines(second):,} lines in {len(second)} files derive data a second time"
    yield from (what_says(path.parent) for path in sorted(folder.glob("spaces/*/space.py")))
    if listed:
        yield from (f"second: {path}: {count_lines([path])} lines" for path in second)


def tried_whole(run: Path, report: Path) -> tuple[int, int]:
    """How many columns and arrays of a run, claims aside, a verification tried at every row; and of how many."""
    found: dict[tuple[str, str], bool] = {}
    for check in json.loads(report.read_text(encoding="utf-8"))["rederived"]:
        for table, columns in check["columns"].items():
            places = (table, f"{table}.parquet", f"arrays.zarr/{table.partition('/{')[0]}")
            if table == "claims" or not any((run / check["dataset"] / place).exists() for place in places):
                continue
            for name in [f"{table}.{column}" for column in columns] or [table]:
                key = (check["dataset"], name)
                found[key] = found.get(key, False) or (
                    name in check.get("whole", ()) or check["cases"] >= check["of"] > 0
                )
    return sum(found.values()), len(found)


def report(folders: Sequence[Path], listed: bool) -> Iterator[str]:
    """The table as lines, then, where asked for, every place that it counts."""
    names = [field.name for field in fields(Figures)]
    yield f"{'folder':<34}" + "".join(f"{name:>12}" for name in [*names, "openings %"])
    places = []
    for folder in folders:
        total, rows = Figures(), dict[str, Figures]()
        for path in sorted(folder.rglob("*.py")):
            counted, found = figures(path)
            above = path.relative_to(folder).parts[:-1]
            rows.setdefault("/".join((folder.name, *above[: 2 if above[:1] == ("spaces",) else 1])), Figures()).add(
                counted
            )
            total.add(counted)
            places += [f"{fault.figure}: {path}:{fault.line}: {fault.text}" for fault in found]
        if folder.name in rows:
            rows[f"{folder.name}/*.py"] = rows.pop(folder.name)
        for name, row in [*sorted(rows.items()), (f"{folder.name}, all", total)]:
            counts = "".join(f"{getattr(row, column):>12,}" for column in names)
            yield f"{name:<34}{counts}{row.share:>12.1f}"
    for folder in folders:
        yield from summary(folder, listed)
    if listed:
        yield from places


SAID = ("rules", "columns", "checks", "claims", "part")
"""Modules of a space that say it: second rules, columns, second methods, claims; parts, which have stages as well."""


def what_says(space: Path) -> str:
    """A line for a space: how many lines say it, by the names of modules, and how many all of its modules have."""
    counts = {name: count_lines(space.rglob(f"{name}.py")) for name in SAID}
    itself = sum(counts[name] for name in SAID[:-1])
    parts = ", ".join(f"{name} {lines:,}" for name, lines in counts.items())
    statements, every = count_lines(space.glob("claims.toml")), count_lines(space.rglob("*.py"))
    return (
        f"{space.name}: {itself:,} lines say it, without its parts ({parts}; claims.toml {statements:,}), of {every:,}"
    )


def lines_of_spaces(root: Path) -> dict[str, int]:
    """The lines of each space that ships, by its name: of its folders in both packages."""
    spaces = sorted(path for path in (root / "pipeline/boardspace/spaces").iterdir() if (path / "space.py").is_file())
    folders = {path.name: (path, root / "kernels/boardspace_kernels" / path.name) for path in spaces}
    return {name: sum(count_lines(folder.rglob("*.py")) for folder in both) for name, both in folders.items()}


def since(commit: str) -> Iterator[str]:
    """A line for each space that was there at a commit: its lines then and now."""
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["git", "archive", commit, "kernels", "pipeline"], cwd=ROOT, check=True, capture_output=True
        )
        subprocess.run(["tar", "x", "-C", folder], input=packed.stdout, check=True)
        before = lines_of_spaces(Path(folder))
    now = {name: lines for name, lines in lines_of_spaces(ROOT).items() if name in before}
    for name, lines in [*now.items(), ("all of these spaces", sum(now.values()))]:
        then = before.get(name, sum(before.values()))
        yield f"{name:<34}{then:>12,} lines at {commit}, {lines:,} now: {lines - then:+,}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=list(PACKAGES), help="folders of sources")
    parser.add_argument("--lines", nargs="+", type=Path, default=[], help="files of which the lines are counted")
    parser.add_argument(
        "--tried", nargs=2, type=Path, metavar=("RUN", "FILE"), help="a run, and what `verify RUN --json` printed"
    )
    parser.add_argument("--since", metavar="COMMIT", help="a commit to compare the lines of the spaces with")
    parser.add_argument("--list", action="store_true", help="also name what is counted")
    arguments = parser.parse_args()
    for line in report(arguments.folders, arguments.list):
        print(line)
    if arguments.lines:
        print(f"{len(arguments.lines)} file(s) of --lines: {count_lines(arguments.lines):,} lines")
    for line in since(arguments.since) if arguments.since else ():
        print(line)
    if arguments.tried:
        whole, every = tried_whole(*arguments.tried)
        print(f"{arguments.tried[0].name}: {whole} of {every} columns and arrays tried at every row")


if __name__ == "__main__":
    main()
