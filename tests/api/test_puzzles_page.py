"""The pages on puzzles show the examples as they are, run what they say runs, and name only what there is."""

import dataclasses
import importlib
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = {name: (ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in ("puzzles", "puzzles_further")}
REFERENCE = (ROOT / "docs" / "puzzles_reference.md").read_text(encoding="utf-8")
PAGE = "\n".join([*PAGES.values(), REFERENCE])


def test_every_block_of_code_stands_in_its_example() -> None:
    blocks = re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', PAGE, re.DOTALL)
    assert len(blocks) > 6
    for name, code in blocks:
        assert code in (ROOT / "examples" / name).read_text(encoding="utf-8"), code


def test_the_code_of_the_reference_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", REFERENCE, re.DOTALL)
    assert len(blocks) == 4
    for code in blocks:
        exec(compile(code, "puzzles_reference.md", "exec"), {"__name__": "reference"})


def test_every_parameter_of_a_puzzle_and_every_method_of_second_rules_is_in_the_reference() -> None:
    graphs = importlib.import_module("boardspace.graphs")
    named = set(re.findall(r"`(\w+)(?:\([^`]*\))?`", REFERENCE))
    assert {one.name for one in dataclasses.fields(graphs.Puzzle)} <= named
    assert {name for name in vars(graphs.SecondRules) if not name.startswith("_")} <= named


def test_every_name_of_the_reference_can_be_imported() -> None:
    rows = re.findall(r"^\| `(boardspace[\w.]*)` \| (.*) \|$", REFERENCE, re.MULTILINE)
    assert len(rows) > 15
    for name, meaning in rows:
        module, _, attribute = name.rpartition(".")
        found = importlib.import_module(module)
        assert hasattr(found, attribute), name
        for other in (
            re.findall(r"`(\w+)`", meaning.partition("; also ")[2]) if "kernels" in name or "ranks" in name else ()
        ):
            assert hasattr(found, other), (name, other)


def test_the_reference_names_all_that_the_library_offers() -> None:
    offered = importlib.import_module("boardspace.graphs").__all__
    assert [name for name in offered if f"| `boardspace.graphs.{name}` |" not in PAGE] == []
