"""Drawings of sliding pieces are read by one rule: here, in both spaces, and in the atlas."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from boardspace import klotski, sliding_blocks
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.slides import DrawingError, read_drawing

ROOT = Path(__file__).resolve().parents[2]
CASES = json.loads((ROOT / "tests" / "golden" / "drawings.json").read_text(encoding="utf-8"))
HOW_EMPTY = re.escape("write . for an empty cell") + "|with dots for empty cells"
NODE = shutil.which("node", path=str(Path(sys.executable).parent)) or shutil.which("node")
READ_BY_THE_ATLAS = """
import { text } from 'node:stream/consumers'
import { readDrawing } from './parts/drawing.js'
import { formatCode, parseDrawing } from './klotski/code.js'
import { parseBoard, textOf } from './sliding/tray.js'
const told = read => {
  try { return read() } catch (error) { return { key: error.message, signs: error.values?.signs } }
}
const rows = one => readDrawing(one.text, 'page', one.size).map(row => row.join(''))
const layout = one => formatCode(parseDrawing(one.text))
const read = one => [told(() => rows(one)), told(() => textOf(parseBoard(one.text))), told(() => layout(one))]
console.log(JSON.stringify(JSON.parse(await text(process.stdin)).map(read)))
"""


def test_a_sign_that_no_terminal_shows_is_refused() -> None:
    """The bytes of an argument that are no text are such signs; so are what terminals obey."""
    for sign in ("\udcff", "\x1b", "\u202e"):
        for read in (sliding_blocks.parse, klotski.parse, read_drawing):
            with pytest.raises(BoardspaceError) as refused:
                read(f"A{sign}/A.")
            assert str(refused.value).isprintable()
    with pytest.raises(DrawingError, match="is no sign that can be shown"):
        read_drawing("\udcff")


def test_the_rule_of_drawings_by_cases() -> None:
    for case in CASES:
        text, size = case["text"], tuple(case["size"]) if "size" in case else None
        if "rows" in case:
            assert read_drawing(text, size) == tuple(case["rows"]), text
            continue
        with pytest.raises(DrawingError) as caught:
            read_drawing(text, size)
        for sign in case.get("blanks", []):
            assert ("a blank" if sign == " " else repr(sign)) in str(caught.value), text
        told = {"empty": "an empty board", "rows": "row 2 has", "size": "a drawing has 5 lines of 4 signs"}
        assert told[case["fault"]] in str(caught.value) if "fault" in case else "write . for" in str(caught.value), text


def read_by_the_atlas(cases: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """Of each case the rows, the board of sliding blocks, and the code of Klotski, or their faults."""
    done = subprocess.run(
        [str(NODE), "--input-type=module", "--eval", READ_BY_THE_ATLAS],
        cwd=ROOT / "atlas" / "src",
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    return list(json.loads(done.stdout))


@pytest.mark.skipif(NODE is None, reason="no Node, which the development environment brings")
def test_the_atlas_reads_drawings_by_the_same_rule() -> None:
    """Its boards have capital letters for signs, A for the piece that has to come to the goal."""
    others = [{"text": text} for text in ("aAB/c.B", "1A/2.", "aab/..b", "ab/ba")]
    *found, both, digits, small, parts = read_by_the_atlas([*CASES, *others])
    for case, (read, _, _) in zip(CASES, found, strict=True):
        if "rows" in case:
            assert read == case["rows"], case
        else:
            assert read["key"] == f"page.fault.{case.get('fault', 'blanks')}", case
            assert all(f"“{sign}”" in read["signs"] for sign in case.get("blanks", [])), case
    assert found[0][1] == "BAAC/BAAC/DEEF/DGHF/I..J"
    assert (both[1], digits[1], small[1]) == ("DAB/C.B", "BA/C.", "AAB/..B")
    assert parts[1]["key"] == "sliding.fault.parts"


@pytest.mark.skipif(NODE is None, reason="no Node, which the development environment brings")
def test_the_atlas_finds_the_layouts_of_published_drawings() -> None:
    levels = (ROOT / "tests" / "golden" / "cases" / "klotski_levels.tsv").read_text(encoding="utf-8").splitlines()[2:]
    boards = [line.split("\t")[1] for line in levels]
    faulty = {
        "ABBC/ABBC/DEEF/DGHF/IJKL": "full",
        "ABCD/ABCD/EFGH/IJKL/....": "noBlock",
        "ABBC/ABBC/DEEF/DDEF/I..J": "shape",
        "AABB/AABB/CDEF/CDEF/....": "twoBlocks",
        "ABBC/ABBC/DEEF/DGHF": "size",
        "0AA1/0AA1/2334/2564/7__8": "blanks",
    }
    found = [one[2] for one in read_by_the_atlas([{"text": text} for text in (*boards, *faulty)])]
    assert found[: len(boards)] == [klotski.parse(board).text for board in boards]
    assert [one["key"] for one in found[len(boards) :]] == [f"klotski.fault.{fault}" for fault in faulty.values()]
    for text in faulty:
        with pytest.raises(klotski.LayoutError):
            klotski.parse(text)


def test_where_no_cell_is_empty_the_message_says_how_one_is_written() -> None:
    for text in (
        "ABBC ABBC DEEF DGHF I--J",
        "ABBC/ABBC/DEEF/DGHF/IxyJ",
        "AAAC AAAC DEEF DGHF IKLJ",
        "ABBC ABBC DEEF DGHF I....J",
        "ABBC ABBC DEEF DGHF",
        "no/such/file",
    ):
        with pytest.raises(klotski.LayoutError, match=HOW_EMPTY):
            klotski.parse(text)
    for text in ("AB#/C#D", "AAB/C D"):
        with pytest.raises(BoardspaceError, match=HOW_EMPTY):
            sliding_blocks.parse(text)


def test_both_spaces_read_what_the_other_reads() -> None:
    start = klotski.parse("1A9BF0C")
    for text in ("0AA1/0AA1/2334/2564/7..8", "0AA1 0AA1 2334 2564 7..8", "0AA1\n0AA1\n2334\n2564\n7..8\n"):
        assert klotski.parse(text) == start, text
        assert sliding_blocks.parse(text).lines() == ["0AA1", "0AA1", "2334", "2564", "7..8"], text
    for parse in (klotski.parse, sliding_blocks.parse):
        with pytest.raises(BoardspaceError, match="'_' and '0' may each be an empty cell"):
            parse("0AA1/0AA1/2334/2564/7__8")
