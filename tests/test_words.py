"""Words: each has one meaning, which docs/glossary.md gives, and those given up do not come back."""

import ast
import re
from collections.abc import Iterable, Iterator

from tests.sources import KERNELS, PIPELINE, ROOT, nodes

FINISHED = (
    KERNELS,
    *(
        PIPELINE / folder
        for folder in ("spec", "engine", "storage", "verify", "release", "instances", "oeis", "cli", "graphs", "spaces")
    ),
)
"""Folders that are held to it; others join as they are finished."""
GIVEN_UP = {
    "Said": "progress event",
    "said": "progress, or event",
    "told": "the name of what it is: text, warned, store_errors, report_lines",
    "untold": "ignored",
    "heard_by": "reporting_to",
    "hear": "on_progress, or update",
    "hears": "listener",
    "Tell": "Warn, or OnProgress",
    "Room": "Workspace",
    "room": "capacity",
    "Place": "RunDataset, LocationType, or what lies there",
    "Desk": "FinishedStages",
    "desk": "inputs",
    "Drops": "Retention",
    "exchange": "shuffle, or intermediate",
    "at_hand": "local_copy",
    "front": "release_documents",
    "makespan": "longest chain",
    "Todo": "CutShard",
    "Todos": "PackedShards",
    "LateStart": "LazyCluster",
    "excused": "deleted_on_purpose",
    "afforded": "within_budget",
    "strangers": "unexpected",
    "Crew": "Executor",
    "Wanted": "the noun: PlacementRequest",
    "dearest": "most expensive, or the noun",
    "hand_over": "add_child",
    "Means": "CountingLimits",
    "Stocks": "Distributions",
    "Walk": "CellTables, PlacementTree, MoveStack",
}
"""Identifiers that are used no more, with the words for what they stood for."""
OPENINGS = ("What ", "Whether ", "Those ", "The same ", "How ", "Who ", "Which ", "All that ")


def identifiers(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Names that a source gives or uses: of variables, functions, classes, parameters, attributes and modules."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.alias):
            yield from node.name.split(".")
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.arg | ast.keyword):
            yield node.arg or ""


def test_no_word_that_was_given_up_is_a_name_in_the_finished_folders() -> None:
    found = []
    for path in (path for folder in FINISHED for path in folder.rglob("*.py")):
        names = {name.strip("_") for name in identifiers(nodes(path))} | {path.stem}
        found += [f"{path}: {name}: say {GIVEN_UP[name]}" for name in sorted(names & GIVEN_UP.keys())]
    assert found == []


def test_docstrings_of_the_finished_folders_begin_with_what_the_thing_is_or_does() -> None:
    found = []
    for path in (path for folder in FINISHED for path in folder.rglob("*.py")):
        for node in nodes(path):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                doc = ast.get_docstring(node) or ""
                found += [f"{path}: {doc.splitlines()[0]}"] if doc.startswith(OPENINGS) else []
    assert found == []


def test_every_word_of_the_glossary_has_a_sentence_and_a_module_that_exists() -> None:
    rows = re.findall(r"^\| (.+) \| (.+) \| `(.+)` \|$", (ROOT / "docs" / "glossary.md").read_text(), re.MULTILINE)
    assert len(rows) > 50
    words = [word.lower() for word, _, _ in rows]
    assert len(set(words)) == len(words)
    for word, meaning, module in rows:
        assert meaning[0].isupper(), word
        assert meaning.endswith("."), word
        assert (ROOT if module.startswith("kernels/") else PIPELINE).joinpath(module).is_file(), f"{word}: {module}"
