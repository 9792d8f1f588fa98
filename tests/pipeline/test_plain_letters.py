"""Drawings on terminals that lack letters, and the words of messages about layouts and boards."""

import io
import re
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from boardspace import klotski
from boardspace.cli.lines import PLAIN, PLAIN_LETTERS, draw_plainly
from boardspace.cli.main import cli, main
from boardspace.spaces.sliding_blocks.answers import COUNTED_LENGTH, COUNTED_SIDE, MOST_POSITIONS
from boardspace.spaces.sliding_blocks.boards import MOST_CELLS, MOST_READ, SEARCHED_CELLS

PIPELINE = Path(__file__).resolve().parents[2] / "pipeline" / "boardspace"
DRAWINGS = (
    ("klotski", "show", "1A9BF0C"),
    ("klotski", "solve", "0AA./0AA1/2334/2564/7..8", "--boards"),
    ("klotski", "neighbours", "1A9BF0C"),
    ("solitaire", "replay", "--board", "triangle15", "--problem", "corner", "--boards", "GAME"),
    ("tromino", "3", "1", "2", "--draw"),
    ("rectangle", "2", "3", "--draw"),
    ("plan", "smoke"),
)


def printed(arguments: tuple[str, ...], encoding: str) -> bytes:
    """What the program writes to a terminal of that encoding."""
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding=encoding)
    with (
        patch("sys.argv", ["boardspace", *arguments]),
        patch("sys.stdout", stream),
        patch("sys.stderr", io.TextIOWrapper(io.BytesIO(), encoding=encoding)),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    assert ended.value.code in (0, 1), arguments
    stream.flush()
    return written.getvalue()


def test_drawings_need_no_letter_that_a_terminal_lacks_and_stay_as_wide(tmp_path: Path) -> None:
    game = tmp_path / "game"
    game.write_text("4==>1\n6==>4\n")
    for command in DRAWINGS:
        arguments = tuple(str(game) if argument == "GAME" else argument for argument in command)
        full = printed(arguments, "utf-8").decode()
        for encoding in ("cp1252", "ascii", "cp437", "latin-1"):
            plain = printed(arguments, encoding).decode(encoding)
            assert "\\u" not in plain, (command, encoding)
            if command[0] != "plan":  # estimates of seconds may differ
                assert [*map(len, plain.splitlines())] == [*map(len, full.splitlines())], (command, encoding)
        assert printed(arguments, "ascii").isascii()


def test_every_letter_that_the_program_draws_has_a_plain_one() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in PIPELINE.rglob("*.py"))
    drawn = {sign for sign in text if ord(sign) > 0x7F and not "\u4e00" <= sign <= "\u9fff"}
    assert {"┌", "●", "→"} <= drawn
    assert not drawn - set(PLAIN)
    assert all(len(plain) == 1 and plain.isascii() for plain in PLAIN.values())


def test_other_letters_are_escapes_and_json_stays_json() -> None:
    assert "横 ┌ ⠋".encode("cp1252", PLAIN_LETTERS) == b"\\u6a2a + ."
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    draw_plainly(stream)
    stream.write("é")
    with patch("sys.stdout", stream):
        assert CliRunner().invoke(cli, ["klotski", "starts", "--json"]).exit_code == 0
    assert printed(("klotski", "neighbours", "1A9BF0C", "--json"), "ascii").count(rb"\u2193") > 1


def test_the_number_that_is_printed_as_an_id_is_read_as_one_where_it_says_so() -> None:
    shown = CliRunner().invoke(cli, ["klotski", "show", "1A9BF0C"]).stdout
    number = re.search(r"layout_id: (\d+)", shown)
    assert number is not None
    assert klotski.parse(f"id:{number[1]}") == klotski.parse(f"#{number[1]}") == klotski.parse("1A9BF0C")
    with pytest.raises(klotski.LayoutError, match=f"Digits alone are a code; the layout of that id is id:{number[1]}"):
        klotski.parse(number[1])


def test_help_says_how_large_boards_of_sliding_blocks_may_be() -> None:
    def said(*command: str) -> str:
        """The help of a command, in one line."""
        return " ".join(CliRunner().invoke(cli, ["sliding", *command, "--help"]).stdout.split())

    whole = said()
    assert f"up to {MOST_READ} cells are solved, of up to {MOST_CELLS} shown" in whole
    assert f"trays of up to {SEARCHED_CELLS} cells" in whole
    assert f"up to {COUNTED_SIDE} x {COUNTED_LENGTH} cells" in whole
    assert f"BOARD has up to {MOST_CELLS} cells, and its pieces up to {MOST_POSITIONS:,} positions" in said("show")
    assert f"BOARD has up to {MOST_READ} cells, of whose positions up to {MOST_POSITIONS:,}" in said("solve")
    full = CliRunner().invoke(cli, ["sliding", "solve", "AB/CD", "--piece", "A"])
    assert full.stdout == "no way takes A there: no cell is empty; write . for an empty cell\n"
