"""Files that people write: one reader takes a byte order mark, and says what is no text in UTF-8."""

import codecs
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.instances import checker
from boardspace.spec.claims import load_claims

CASES = Path(__file__).resolve().parents[1] / "golden" / "cases"
MARK = codecs.BOM_UTF8
BLOCKED = "..#....\n....#..\n.#....#\n...#...\n#....#.\n..#....\n"


def invoke(arguments: Sequence[str], stdin: bytes = b"") -> Any:
    return CliRunner().invoke(cli, arguments, input=stdin)


def without_mark(name: str) -> bytes:
    """A public case that begins with the mark, without it."""
    content = (CASES / name).read_bytes()
    assert content.startswith(MARK)
    return content.removeprefix(MARK)


def readers(folder: Path) -> list[tuple[list[str], bytes]]:
    """Questions that read a file, F in the arguments, with what it may hold."""
    assert invoke(["five", "proof", "6", "7", "--out", str(folder / "proof")]).exit_code == 0
    cover = invoke(["tromino", "2", "1", "2"]).stdout
    assert invoke(["rectangle", "3", "4", "--moves", str(folder / "jumps")]).exit_code == 0
    drup = Path(__file__).resolve().parents[1] / "golden" / "five_in_a_row_5x5_3.drup"
    return [
        (["plan", "F"], without_mark("bom_config.toml")),
        (["solitaire", "solve", "--board", "F", "--problem", "single"], without_mark("bom_board.toml")),
        (["klotski", "show", "F"], without_mark("bom_klotski_drawing.txt")),
        (["sliding", "show", "F"], b"AAB\n.CB\n"),
        (["solitaire", "replay", "F", "--board", "triangle15", "--problem", "corner"], b"4==>1\n6==>4\n"),
        (["five", "check", "F"], BLOCKED.encode()),
        (["five", "proof", "6", "7", "--check", "F"], (folder / "proof" / "board.pbp").read_bytes()),
        (["five", "cnf", "5", "5", "8", "-k", "3", "--check", "F"], drup.read_bytes()),
        (["tromino", "2", "1", "2", "--check", "F"], cover.encode()),
        (["rectangle", "3", "4", "--check", "F"], (folder / "jumps").read_bytes()),
    ]


def test_a_byte_order_mark_changes_no_answer_and_no_text_in_utf_8_is_named_as_such(tmp_path: Path) -> None:
    file = tmp_path / "file.toml"
    for arguments, content in readers(tmp_path):
        command = [str(file) if argument == "F" else argument for argument in arguments]
        file.write_bytes(content)
        plain = invoke(command)
        assert plain.exit_code in (0, 1), plain.output
        file.write_bytes(MARK + content)
        marked = invoke(command)
        assert (marked.exit_code, marked.output) == (plain.exit_code, plain.output), arguments
        for wrong, said in (
            (content.decode().encode("utf-16"), "not a text file in UTF-8, but in UTF-16; save it as UTF-8"),
            (content.decode().encode("utf-16-le"), "it holds the byte 0; save it as UTF-8"),
            (content + b"caf\xe9\n", "has the byte 0xe9; save it as UTF-8"),
        ):
            file.write_bytes(wrong)
            result = invoke(command)
            assert result.exit_code == 2, arguments
            assert "\nTraceback" not in result.output
            assert "file.toml" in result.output
            assert said in result.output, (arguments, result.output)


def test_a_byte_order_mark_on_standard_input_changes_no_answer() -> None:
    for arguments, content in (
        (["klotski", "show", "-"], without_mark("bom_klotski_drawing.txt")),
        (["sliding", "show", "-"], b"AAB\n.CB\n"),
        (["five", "check", "-"], BLOCKED.encode()),
        (["solitaire", "replay", "--board", "triangle15", "--problem", "corner"], b"4==>1\n6==>4\n"),
        (["solitaire", "play", "--board", "triangle15", "--vacancy", "1"], b"4 1\n6 4\n"),
        (["tromino", "-"], b"2\n1 2\n"),
    ):
        plain, marked = invoke(arguments, content), invoke(arguments, MARK + content)
        assert plain.exit_code in (0, 1), plain.output
        assert (marked.exit_code, marked.output) == (plain.exit_code, plain.output), arguments


def test_claims_of_a_space_may_begin_with_a_mark(tmp_path: Path) -> None:
    file = tmp_path / "claims.toml"
    file.write_bytes(MARK + b'[[claim]]\nid = "a"\nsource = "s"\nstatement = "t"\n')
    assert [claim.id for claim in load_claims(file)] == ["a"]


def test_the_checker_scores_the_others_where_one_answer_cannot_be_read(tmp_path: Path) -> None:
    (instance,) = (CASES / "check_instances.jsonl").read_text(encoding="utf-8").splitlines()
    other = json.dumps({**json.loads(instance), "id": "other"})
    instances, answers = tmp_path / "instances.jsonl", tmp_path / "answers.jsonl"
    instances.write_bytes(MARK + f"{instance}\n{other}\n".encode())

    def scored(first: bytes) -> tuple[int, str, str]:
        answers.write_bytes(first + b'\n{"id": "other", "answer": ["A 4 2"]}\n')
        command = [sys.executable, "-I", "-S", checker.__file__, str(instances), str(answers)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    assert scored((CASES / "check_answers_bom.jsonl").read_bytes())[:2] == (
        0,
        '{"instances": 2, "score": 2.0, "optimal": 2}\n',
    )
    name = json.loads(instance)["id"]
    deep = (CASES / "check_answers_deep.jsonl").read_bytes().strip()
    for one in (
        deep,
        deep.replace(b"[", b'[{"id": "]"}, '),
        b'{"id": "%s", "answer": [%s]}' % (name.encode(), b"9" * 5000),
    ):
        code, said, _ = scored(one)
        assert (code, f"{name}: wrong" in said, '"score": 1.0' in said) == (1, True, True), one[:80]
    for one, fault in (
        ("{}".encode("utf-16"), "in UTF-16; save it as UTF-8"),
        (b'{"id": "\xe9"}', "answers.jsonl, line 1: not a text file in UTF-8"),
        (b"[" * 5000, "line 1: no JSON"),
    ):
        code, said, fault_said = scored(one)
        assert (code, said, "Traceback" in fault_said, fault in fault_said) == (2, "", False, True), fault_said
