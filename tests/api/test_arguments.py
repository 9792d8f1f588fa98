"""Every public function answers odd arguments, or says in words what it wants: no bare error of Python comes out."""

import importlib
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boardspace
from boardspace import board_division, five_in_a_row, klotski, sliding_blocks, solitaire
from boardspace.spec import arguments
from boardspace.spec.check import Draw
from boardspace.spec.errors import BoardspaceError
from boardspace.verify import verify

HUGE = 10**5000
ODD: tuple[Any, ...] = (
    None,
    3.5,
    "",
    "横刀立马",
    "\0",
    [],
    [1, 2],
    (),
    {},
    b"1A9BF0C",
    -1,
    1 << 64,
    HUGE,
    -HUGE,
    True,
    object(),
    np.zeros(3),
)
COVER = [[0, 1], [1, 1]]
USUAL: dict[str, dict[str, Any]] = {
    "klotski.describe": {"layout": "1A9BF0C"},
    "klotski.farthest": {"layout": "1A9BF0C"},
    "klotski.group": {"layout": "1A9BF0C"},
    "klotski.hardest": {"class_name": "5-4-1"},
    "klotski.hardness": {"layout": "1A9BF0C"},
    "klotski.layers": {"layout": "1A9BF0C"},
    "klotski.moves": {"layout": "ABBC/DBBE/FGHI/JKLM/NO..", "metric": "unit"},
    "klotski.neighbours": {"layout": "1A9BF0C"},
    "klotski.parse": {"text": "1A9BF0C"},
    "klotski.path": {"start": "1A9BF0C", "end": "1A9BF0C"},
    "klotski.random": {"seed": 7},
    "klotski.solution": {"layout": "1A9BF0C", "metric": "unit"},
    "solitaire.answers_from": {"dataset": "nowhere", "board": "triangle15", "hole": 1},
    "solitaire.answers_now": {"board": "triangle10", "hole": 2, "moves": False},
    "solitaire.boards": {},
    "solitaire.count_class": {
        "board": "triangle10",
        "start": "all but 2",
        "goals": ["1"],
        "problem": None,
        "memory": 10**9,
    },
    "solitaire.count_move_games": {"board": "triangle10", "start": "all but 2"},
    "solitaire.count_games": {"board": "triangle10", "start": "all but 2"},
    "solitaire.count_games_of_board": {"board": "triangle10", "memory": 10**9, "threads": 2, "progress": None},
    "solitaire.count_problems": {"board": "triangle10", "vacancy": 1, "survivor": 1, "progress": None},
    "solitaire.problem": {"board": "triangle15", "name": "corner", "start": "1", "goal": "2"},
    "solitaire.replay": {"of": "triangle15/corner", "moves": "4==>1"},
    "solitaire.solve": {"of": "triangle15/corner", "every": False, "memory": 10**9, "progress": None},
    "five_in_a_row.best_cells": {"n": 5},
    "five_in_a_row.check": {"placement": np.eye(5, dtype=bool), "k": 5},
    "five_in_a_row.fewest": {"rows": 5, "columns": 5, "k": 5, "seconds": 9.0, "progress": None},
    "five_in_a_row.least_of_the_plane": {"weights": [1, 2, 1], "k": 3},
    "five_in_a_row.plane": {"k": 3, "modulus": 5},
    "five_in_a_row.strip": {"width": 3, "k": 3},
    "five_in_a_row.structure": {"rows": 5, "columns": 5, "k": 5},
    "board_division.check_cover": {"k": 1, "row": 1, "column": 1, "board": COVER},
    "board_division.cover": {"k": 1, "row": 1, "column": 1},
    "board_division.rectangle": {"m": 3, "n": 4},
    "board_division.replayed": {"m": 1, "n": 3, "jumps": ([0], [1], [3])},
    "rush_hour.group": {"board": "AAB/..B/...", "metric": "unit"},
    "rush_hour.hardest": {"board": "3x3-1", "dataset": None},
    "rush_hour.hardness": {"board": "AAB/..B/..."},
    "rush_hour.moves": {"board": "AAB/..B/..."},
    "rush_hour.parse": {"board": "AAB/..B/..."},
    "rush_hour.random": {"board": "3x3-1", "steps": (1, 9), "pieces": 3, "seed": 1, "dataset": None},
    "rush_hour.solve": {"board": "AAB/..B/...", "metric": "unit"},
    "sliding_blocks.count": {"rows": 2, "columns": 3},
    "sliding_blocks.group": {"board": "AAB/.CB"},
    "sliding_blocks.hardest": {"rows": 2, "columns": 3, "pieces": 3},
    "sliding_blocks.hardness": {"board": "AAB/.CB", "piece": "C", "to": (2, 1), "walls": ""},
    "sliding_blocks.moves": {"board": "AAB/.CB", "piece": "C", "to": (2, 1), "walls": "", "metric": "unit"},
    "sliding_blocks.parse": {"text": "AAB/.C#", "walls": "#"},
    "sliding_blocks.random": {"rows": 2, "columns": 3, "pieces": 3, "steps": (1, 9), "seed": 1},
    "sliding_blocks.solve": {"board": "AAB/.CB", "piece": "C", "to": (2, 1), "walls": "", "metric": "step"},
}
"""Every public function with arguments of which one after the other is made odd."""


def words_of_refusal(function: Any, arguments: dict[str, Any]) -> str:
    """Text of the BoardspaceError of a call; of one that is answered a few words. Other errors come out."""
    try:
        function(**arguments)
    except BoardspaceError as error:
        return str(error)
    return "an answer, without an error"


def answers_or_explains(function: Any, usual: dict[str, Any]) -> None:
    function(**usual)
    for name in usual:
        for odd in ODD:
            words = words_of_refusal(function, {**usual, name: odd})
            assert 3 < len(words.split()) < 150, f"{name}={arguments.shown(odd)}: {words}"


def test_functions_of_every_module_are_tried() -> None:
    modules = ("klotski", "solitaire", "five_in_a_row", "board_division", "sliding_blocks", "rush_hour")
    public = {
        f"{module}.{name}": value
        for module in modules
        for name, value in vars(importlib.import_module(f"boardspace.{module}")).items()
        if inspect.isfunction(value)
    }
    assert public.keys() == USUAL.keys()
    for name, function in public.items():
        assert set(inspect.signature(function).parameters) == set(USUAL[name]), name


@pytest.mark.parametrize("name", [name for name in USUAL if name != "solitaire.answers_from"])
def test_odd_arguments_get_an_answer_or_words(name: str) -> None:
    module, function = name.split(".")
    answers_or_explains(getattr(importlib.import_module(f"boardspace.{module}"), function), USUAL[name])


def test_odd_arguments_of_methods_get_an_answer_or_words() -> None:
    answers_or_explains(solitaire.answers_now("triangle10", 2).ask, {"position": 0b1111111101})
    answers_or_explains(five_in_a_row.strip(3, 3).stones_of, {"rows": 9})
    answers_or_explains(five_in_a_row.plane(3).window, {"rows": 3, "columns": 3})
    answers_or_explains(klotski.Layout, {"code": klotski.parse("1A9BF0C").code})


def test_odd_arguments_of_a_dataset_that_is_nowhere_get_words() -> None:
    usual = USUAL["solitaire.answers_from"]
    for name in usual:
        for odd in ODD:
            with pytest.raises(BoardspaceError):
                solitaire.answers_from(**{**usual, name: odd})


def test_odd_arguments_of_a_run_are_refused_before_it_begins(tmp_path: Path) -> None:
    odd: dict[str, tuple[Any, ...]] = {
        "config": (None, 5, [], b"laptop"),
        "out": (5, "", "\0", b"out"),
        "client": (5, "tcp://127.0.0.1:8786"),
        "spaces": ("rush_hour", 5, [5]),
        "workers": (-3, 1.5, "2"),
        "memory_limit": (5, None),
        "fresh": (1, None),
        "keep": ("yes",),
        "listener": (5, print),
    }
    usual = {"config": {"rush_hour": {}}, "out": tmp_path / "out"}
    for name, values in odd.items():
        for value in values:
            with pytest.raises(BoardspaceError, match=name.replace("_", ".")) as caught:
                boardspace.run(**{**usual, name: value})
            assert 3 < len(str(caught.value).split()) < 50
    assert not (tmp_path / "out").exists()


def test_odd_arguments_of_verification_and_of_opening_are_refused(tmp_path: Path) -> None:
    odd: dict[str, tuple[Any, ...]] = {
        "root": (None, 5, "", "\0", b"out"),
        "level": ("Logic", None),
        "draw": (5,),
        "names": ("rush_hour", 5, [5]),
        "processes": (5,),
        "signers": (5,),
    }
    for name, values in odd.items():
        for value in values:
            with pytest.raises(BoardspaceError, match=f"{name}: .* wanted, not "):
                verify(**{"root": tmp_path, "level": "hashes", name: value})
    for value in odd["root"]:
        with pytest.raises(BoardspaceError, match="place: a folder such as 'outputs/laptop' is wanted, not "):
            boardspace.open(value)
    with pytest.raises(BoardspaceError, match="nowhere: no folder; give that of a run"):
        verify(tmp_path / "nowhere", "hashes")
    with pytest.raises(BoardspaceError, match="seed: -1 is not from 0"):
        Draw(-1)


def test_numbers_of_numpy_are_numbers() -> None:
    sides: tuple[Any, Any, Any] = (np.int64(6), np.uint8(7), np.int32(5))
    layout_id: Any = np.uint32(4091296)
    assert five_in_a_row.fewest(*sides) == five_in_a_row.fewest(6, 7)
    assert klotski.parse(layout_id) == klotski.parse("1A9BF0C")


def test_a_layout_is_taken_in_every_way_of_writing_it() -> None:
    start = klotski.parse("横刀立马")
    assert klotski.parse(start) is start
    found = {klotski.describe(way) for way in (start, "heng-dao-li-ma", "id:4091296", 4091296, "5-4-1-1-7472")}
    assert [one.layout for one in found] == [start]


def test_a_problem_is_taken_by_its_name() -> None:
    found = solitaire.solve("triangle15/corner")
    assert found.solvable
    assert found.moves == 10
    with pytest.raises(BoardspaceError, match="written BOARD/PROBLEM, such as 'triangle15/corner'"):
        solitaire.solve("triangle15", "corner")  # type: ignore[arg-type]


def test_k_is_five_wherever_it_is_not_said() -> None:
    defaults = {
        name: inspect.signature(getattr(five_in_a_row, name)).parameters["k"].default
        for name in ("check", "fewest", "plane", "strip", "structure")
    }
    assert set(defaults.values()) == {5}


def test_a_cover_of_another_size_is_refused() -> None:
    with pytest.raises(BoardspaceError, match="k = 2: a board of 4 x 4 cells is wanted, not of shape"):
        board_division.check_cover(2, 1, 1, np.array(COVER))


def test_jumps_of_unequal_length_are_refused() -> None:
    with pytest.raises(BoardspaceError, match="of equal length"):
        board_division.replayed(1, 3, ([0], [0, 0], [1]))  # type: ignore[arg-type]


def test_a_board_of_pieces_that_are_none_is_refused() -> None:
    tray = sliding_blocks.parse("AAB/.CB").tray
    wrong = (
        ({"A": 3, "B": 2}, "overlaps"),
        ({"A": 5}, "2 separate parts"),
        ({"A": 0}, "no cell"),
        ({"A": 1 << 6}, "out"),
    )
    for pieces, words in wrong:
        with pytest.raises(BoardspaceError, match=words):
            sliding_blocks.Board(tray, pieces)


def test_a_value_is_shown_in_few_words() -> None:
    assert arguments.shown(HUGE) == "a number of 16610 bits"
    assert len(arguments.shown(["x" * 10_000] * 1000)) < 500
