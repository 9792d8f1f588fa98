"""``boardspace oeis``: terms found again by the programs that are sent, style that is refused, look-ups in a copy."""

import dataclasses
import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.oeis.sequence import Sequence, sequence_named, sequences
from boardspace.oeis.submission import Signature, look_up, submission
from boardspace.running import run
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.five_in_a_row.recount import check_certificate

ADA = Signature("Ada Lovelace", "Dec 10 1842")
SIGNED = ("--author", ADA.author, "--date", ADA.date)
SMALL = {"fewest-7": 6, "ways-7": 6}
"""Sequences whose programs take seconds for their last terms; slow tests try those."""


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(cli, ["oeis", *map(str, arguments)])


def small(sequence: Sequence, last: int) -> Sequence:
    """The sequence as if the encyclopaedia had the first four terms alone."""
    return sequence if sequence.is_new else dataclasses.replace(sequence, known=sequence.offset + 3)


def from_program(sequence: Sequence) -> Callable[[int], int]:
    names: dict[str, Any] = {}
    exec(sequence.program, names)
    found: Callable[[int], int] = names["a"]
    return found


@pytest.mark.parametrize("name", sequences())
def test_programs_find_the_small_terms_again_in_at_most_30_lines(name: str) -> None:
    _, sequence = sequence_named(name)
    term, last = from_program(sequence), SMALL.get(name, sequence.program_last)
    indices = range(sequence.offset, last + 1)
    assert [term(n) for n in indices] == [sequence.term(n, None) for n in indices]
    assert len(sequence.program.splitlines()) <= 30
    assert max(map(len, sequence.program.splitlines())) <= 100


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_programs_find_their_last_terms_again(name: str) -> None:
    _, sequence = sequence_named(name)
    assert from_program(sequence)(sequence.program_last) == sequence.term(sequence.program_last, None)


@pytest.mark.parametrize("name", sequences())
def test_every_sequence_makes_a_folder_in_the_style_of_the_encyclopaedia(name: str) -> None:
    _, sequence = sequence_named(name)
    last = min(sequence.usual, sequence.offset + 5)
    files = submission(small(sequence, last), last, ADA, "boardspace oeis", None)
    number = "NNNNNN" if sequence.is_new else name[1:]
    terms = [line.split() for line in files[f"b{number}.txt"].splitlines() if not line.startswith("#")]
    assert [int(n) for n, _ in terms] == list(range(sequence.offset, last + 1))
    assert files["program.py"] in files["edit.txt"].replace(f"  # {ADA}", "")
    assert ("EXTENSIONS" in files["edit.txt"]) != sequence.is_new
    assert (f"a{number}.txt" in files) == (sequence.witness is not None)


def test_the_terms_of_a181018_and_their_certificates(tmp_path: Path) -> None:
    _, sequence = sequence_named("A181018")
    files = submission(dataclasses.replace(sequence, known=5), 7, ADA, "boardspace oeis A181018", None)
    assert "1, 4, 6, 9, 16, 20, 26\n" in files["edit.txt"]
    assert files["edit.txt"].endswith("EXTENSIONS\na(6)-a(7) from _Ada Lovelace_, Dec 10 1842\n")
    parts = files["a181018.txt"].split("\n\n")[1:]
    for part in parts:
        head, *board = part.strip().splitlines()
        n, ones = (int(word) for word in head.removeprefix("a(").split(") = "))
        assert sum(line.count(".") for line in board[:n]) == ones
        if board[n].startswith("certificate: "):
            certificate = json.loads(board[n].removeprefix("certificate: "))
            check_certificate(certificate)
            assert n * n - certificate["minimum"] == ones
    assert sum("certificate: " in part for part in parts) == 5


def test_terms_and_certificates_come_from_a_run_where_it_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = {"squares": [[4, 6]], "cells": [5]}
    run({"five_in_a_row": section}, str(tmp_path / "run"), workers=0)
    _, sequence = sequence_named("fewest-4")
    from_search = submission(sequence, 6, ADA, "boardspace oeis fewest-4", None)
    monkeypatch.setattr("boardspace.spaces.five_in_a_row.sequences.solve", None)
    out = tmp_path / "sent"
    result = invoke("fewest-4", "--last", 6, *SIGNED, "--data", tmp_path / "run", "--out", out)
    assert result.exit_code == 0, result.output
    assert "fewest-4: not looked up in the encyclopaedia" in result.output
    text = (out / "bNNNNNN.txt").read_text()
    assert text.splitlines()[2:] == from_search["bNNNNNN.txt"].splitlines()[2:]
    assert (out / "aNNNNNN.txt").read_text().count("certificate: ") == 6


RIGHT = Sequence(
    name="ways",
    title="Number of ways to block an n X n board.",
    offset=1,
    term=lambda n, _: n,
    usual=4,
    known=None,
    keywords=("nonn", "nice"),
    program="def a(n): return n\n",
    program_last=4,
    how="Found by search.",
    cross="Cf. A000001, A000002.",
)
FAULTS = [
    ({"title": "Number of boards"}, "NAME: 'Number of boards' ends with a full stop"),
    ({"title": "Ways on 2x2 boards."}, "NAME: .* has X between sides"),
    ({"offset": 2}, "DATA: 3 terms; 4 at least"),
    ({"term": lambda n, _: n + 10**1000}, r"bNNNNNN\.txt: a term of more than 1000 digits"),
    ({"how": "Found by\nsearch."}, "COMMENTS: .* more than a line"),
    ({"how": "Found by s\u00e9arch."}, r"edit\.txt: it has letters beyond ASCII"),
    ({"program": "b = 1 \ndef a(n): return n\n"}, "PROG: .* tabs or blanks"),
    ({"program": "def a(n):\n\treturn n\n"}, "PROG: .* tabs or blanks"),
    ({"keywords": ("nonn", "nicer")}, "KEYWORDS: there is no nicer"),
    ({"keywords": ("nice",)}, "KEYWORDS: either nonn or sign"),
    ({"cross": "See A000001"}, "CROSSREFS: 'See A000001' is not Cf. A000001"),
]


@pytest.mark.parametrize(("changed", "fault"), FAULTS)
def test_what_is_not_in_the_style_is_named(changed: dict[str, Any], fault: str) -> None:
    assert set(submission(RIGHT, 4, ADA, "boardspace oeis", None)) == {"bNNNNNN.txt", "edit.txt", "program.py"}
    with pytest.raises(BoardspaceError, match=f"ways: not in the style of the encyclopaedia: .*{fault}"):
        submission(dataclasses.replace(RIGHT, **changed), 4, ADA, "boardspace oeis", None)


def test_a_signature_has_no_mark_of_a_link() -> None:
    with pytest.raises(BoardspaceError, match="write a name and a day"):
        Signature("Ada <Lovelace>", ADA.date)


def test_terms_are_looked_up_in_a_copy(tmp_path: Path) -> None:
    text = "# OEIS\nA000001 ,1,4,6,9,16,20,\nA000002 ,0,1,2,4,8,16,32,64,\nA000003 ,1,4,6,9,\nA000004 ,5,6,9,16,99,\n"
    plain, packed = tmp_path / "stripped", tmp_path / "stripped.gz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    for file in (plain, packed):
        assert look_up(file, [0, 1, 2, 4, 8, 16, 32]).found == ("A000002",)
        assert look_up(file, [1, 1, 4, 6, 9, 16, 20]).found == ("A000001",)
        missing = look_up(file, [1, 4, 6, 9, 17])
        assert missing.found == ()
        assert str(missing).startswith("not found as of the copy of the encyclopaedia up to A000004 (SHA-256 ")
    with pytest.raises(BoardspaceError, match="too few terms"):
        look_up(plain, [0, 1, 1, 2])
    plain.write_text("A000001: one, two\n")
    with pytest.raises(BoardspaceError, match="line 1: not a line such as"):
        look_up(plain, [2, 3, 4, 5])
    packed.write_bytes(packed.read_bytes()[:40])
    with pytest.raises(BoardspaceError, match=r"neither the file stripped nor stripped\.gz"):
        look_up(packed, [2, 3, 4, 5])


def looked_up_in(file: Path) -> str:
    with pytest.raises(BoardspaceError) as told:
        look_up(file, [1, 2, 4, 6, 9])
    return str(told.value)


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "hole").touch()
    os.truncate(tmp_path / "hole", 1 << 40)
    assert "no regular file" in looked_up_in(tmp_path / "pipe")
    assert "no regular file" in looked_up_in(Path("/dev/zero"))
    assert "a hole" in looked_up_in(tmp_path / "hole")


@pytest.mark.parametrize("limit", ["MOST", "MOST_LINES", "LONGEST_LINE"])
def test_a_copy_that_swells_is_read_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(f"boardspace.oeis.submission.{limit}", 1000)
    content = b"A000001 ,1,2,\n" * 2000 if limit == "MOST_LINES" else b"A" * 2000
    if limit == "MOST":
        content = b"#" * 999 + b"\n" + content[:1]
    for name, written in (("stripped", content), ("stripped.gz", gzip.compress(content))):
        (tmp_path / name).write_bytes(written)
        assert "which the file stripped of the encyclopaedia does not have" in looked_up_in(tmp_path / name)


def test_the_command_lists_looks_up_and_writes(tmp_path: Path) -> None:
    assert "A181018  Maximum number" in invoke().output
    copy = tmp_path / "stripped"
    copy.write_text("A000001 ,1,2,3,4,\n")
    result = invoke("packings-2", "--last", 6, "--stripped", copy)
    assert result.stdout.startswith("not found as of the copy of the encyclopaedia up to A000001")
    out = tmp_path / "sent"
    result = invoke("A233807", "--last", 18, *SIGNED, "--out", out)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in out.iterdir()) == ["b233807.txt", "edit.txt", "program.py"]
    assert (out / "edit.txt").read_text().endswith("EXTENSIONS\na(18) from _Ada Lovelace_, Dec 10 1842\n")
    assert (out / "b233807.txt").read_text().endswith("18 15105645789047859299613180380516\n")


def test_an_edit_without_a_signature_is_printed_and_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke("A233807", "--last", 18)
    assert result.exit_code == 0, result.output
    assert result.stdout.endswith("EXTENSIONS\na(18) from _Your Name_, Jan 01 2000\n")
    assert "not signed, and not written" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("A000001",), "no sequence 'A000001' is known here; there are: A233807, A181018"),
        (("A181018", "--last", 12, *SIGNED), "the encyclopaedia has A181018 to a(16); nothing would be new"),
        (("packings-2", "--last", 0, *SIGNED), "the first term of packings-2 is a(1)"),
        (("packings-2", "--author", "Ada Lovelace"), "--author and --date"),
        (("packings-2", "--author", "Ada", "--date", "1842-12-10"), "write a name and a day"),
    ],
)
def test_errors_say_what_to_do(arguments: tuple[object, ...], said: str, tmp_path: Path) -> None:
    result = invoke(*arguments, "--out", tmp_path / "sent")
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "sent").exists()
