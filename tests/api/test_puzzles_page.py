"""The page on puzzles shows the examples as they are, and names only what there is."""

import importlib
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "puzzles.md").read_text(encoding="utf-8")


def test_every_block_of_code_stands_in_its_example() -> None:
    blocks = re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', PAGE, re.DOTALL)
    assert len(blocks) > 6
    for name, code in blocks:
        assert code in (ROOT / "examples" / name).read_text(encoding="utf-8"), code


def test_every_name_of_the_reference_can_be_imported() -> None:
    rows = re.findall(r"^\| `(boardspace[\w.]*)` \| (.*) \|$", PAGE, re.MULTILINE)
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
