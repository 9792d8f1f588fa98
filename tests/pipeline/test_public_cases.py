"""Inputs that people publish, or trip over, with their right values: ``tests/golden/cases``."""

import json
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from boardspace import klotski
from boardspace.cli.main import cli
from boardspace.instances import checker
from boardspace.spaces.klotski.instances import steps_to_exit
from boardspace.spaces.klotski.queries import layouts_of
from boardspace.spaces.klotski.texts import class_of
from boardspace_kernels.klotski.classes import ClassName

CASES = Path(__file__).resolve().parents[1] / "golden" / "cases"


def entries(name: str) -> Iterator[str]:
    """The lines of a file without comments."""
    lines = (CASES / name).read_text(encoding="utf-8").splitlines()
    return (line for line in lines if line and not line.startswith("# "))


def least_steps(boards: Iterable[str]) -> dict[str, str]:
    """The least steps of drawn layouts to the exit, by one search a class; ``none`` where there is no way."""
    by_class = defaultdict(list)
    for board in boards:
        code = klotski.parse(board).code
        by_class[class_of(code)].append((code, board))
    found = {}
    for name, members in by_class.items():
        layouts = layouts_of(ClassName(*name))
        steps = steps_to_exit(layouts)
        for code, board in members:
            row = np.searchsorted(layouts.codes, np.uint64(code))
            found[board] = str(steps[row]) if steps[row] >= 0 else "none"
    return found


def test_published_cases_get_their_right_values(capsys: pytest.CaptureFixture[str]) -> None:
    levels = [line.split("\t") for line in entries("klotski_levels.tsv")][1:]
    found = least_steps(board for _, board, _, _ in levels)
    assert len(levels) == 400
    assert found == {board: right for _, board, _, right in levels}

    for line in entries("blank_signs.txt"):
        command, right = line.split(" -> ")
        answer = CliRunner().invoke(cli, shlex.split(command))
        assert answer.exit_code == 0, line
        assert "81 steps" in answer.stdout, line
        if "layout" in right:
            assert klotski.parse(shlex.split(command)[-1]).text in right

    for arguments, wanted in (
        (("klotski", "solve", CASES / "bom_klotski_drawing.txt", "--json"), '"steps": 81'),
        (("solitaire", "solve", "--board", CASES / "bom_board.toml", "--problem", "single"), "moves, and no fewer"),
        (("plan", CASES / "bom_config.toml"), "solitaire"),
        (("solitaire", "solve", "--board", CASES / "peg_board_drawn.txt", "--goal", "d4"), "# 18 moves, and no fewer"),
    ):
        answer = CliRunner().invoke(cli, [*map(str, arguments)])
        assert (answer.exit_code, wanted in answer.stdout) == (0, True), answer.output

    for answers, score in (("check_answers_bom.jsonl", 1.0), ("check_answers_deep.jsonl", 0.0)):
        code = checker.main([str(CASES / "check_instances.jsonl"), str(CASES / answers)])
        *_, sums = capsys.readouterr().out.splitlines()
        assert (code, json.loads(sums)["score"]) == (int(not score), score)
