"""Shortest solutions of the problems of a class, from the config to claims: against listings by the definition."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from boardspace.spaces.solitaire.config import Classes, SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.claims import measure
from boardspace.spaces.solitaire.parts.classes.part import CLASS_SOLUTIONS
from boardspace.spec.space import Draw
from boardspace_kernels.solitaire.play import Play, Problem, parse_solution
from boardspace_kernels.solitaire.search import Meeting, meet
from boardspace_kernels.solitaire.solutions import Solutions
from tests.kernels.solitaire.boards import CENTRAL, ENGLISH, FRENCH, as_set, stabiliser, triangle
from tests.kernels.solitaire.golden import GOLDEN
from tests.naive import solitaire as naive
from tests.pipeline.conftest import boardspace
from tests.pipeline.finished import altered, finished_stages, outcome_of, run_of
from tests.pipeline.test_solitaire_classes import invoke, rows

CONFIG = """
[solitaire]
class_bytes = {bytes}

[[solitaire.classes]]
board = "triangle15"
vacancies = [1, 5]
bitmaps = false
winning = false
moves = true
shortest = true
"""
BOARD = triangle(5)
CELLS = frozenset(BOARD.cells)
MOST = 20_000
Row = dict[str, Any]


@pytest.fixture
def made(whole_classes: Path) -> Path:
    return whole_classes


def of(out: Path, table: str, vacancy: int, survivor: int) -> list[Row]:
    return [row for row in rows(out, table) if (row["vacancy"], row["survivor"]) == (vacancy, survivor)]


def games(vacancy: int, survivor: int) -> list[list[naive.Path]]:
    """All sequences of the least moves."""
    start, goal = (as_set(BOARD, word) for word in (BOARD.full ^ BOARD.position([vacancy]), BOARD.position([survivor])))
    least = naive.reachable(CELLS, BOARD.grid, start)[goal]
    return naive.shortest_solutions(CELLS, BOARD.grid, start, goal, least)


def paths(text: str) -> tuple[naive.Path, ...]:
    """A solution as it is published, by cells, in no order."""
    return tuple(sorted(tuple(BOARD.cells[hole] for hole in move.stops) for move in parse_solution(Play(BOARD), text)))


@pytest.mark.thorough
def test_every_problem_that_is_solvable_has_its_solutions_counted(made: Path) -> None:
    solvable = {(row["vacancy"], row["survivor"]) for row in rows(made, "problems") if row["solvable"]}
    counted = Counter((row["vacancy"], row["survivor"]) for row in rows(made, "problem_solutions"))
    assert set(counted) == {key for key in solvable if key[0] in (1, 5)}
    assert len(counted) > 4
    assert set(counted.values()) == {8}


def test_solutions_are_those_of_a_listing_of_all_games(made: Path) -> None:
    problems = {(row["vacancy"], row["survivor"]): row for row in rows(made, "problem_solutions") if all_tell(row)}
    few = [key for key, row in problems.items() if row["solutions"] <= MOST]
    assert len(few) > 3
    for vacancy, survivor in few:
        played = games(vacancy, survivor)
        start, goal = BOARD.full ^ BOARD.position([vacancy]), BOARD.position([survivor])
        images = stabiliser(BOARD, start, goal)
        assert problems[vacancy, survivor]["solutions"] == len(played)
        assert {problems[vacancy, survivor]["moves"]} == {len(game) for game in played}
        orders = Counter(tuple(sorted(game)) for game in played)
        unfolded: dict[tuple[naive.Path, ...], int] = {}
        for row in of(made, "class_solutions", vacancy, survivor):
            orbit = {
                tuple(sorted(tuple(image[cell] for cell in path) for path in paths(row["moves"]))) for image in images
            }
            assert len(orbit) == row["images"]
            assert not orbit & unfolded.keys()
            unfolded.update((game, row["orders"]) for game in orbit)
        assert unfolded == orders


def all_tell(row: Row) -> bool:
    return bool(row["ordered"] and row["mirror"] and row["loop"])


@pytest.mark.slow
def test_of_problems_with_too_many_solutions_only_sequences_are_counted(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardspace.spaces.solitaire.parts.classes.moves.MOST_LISTED", 20)
    few = run_of(CONFIG.format(bytes=512), tmp_path)
    counts = rows(made, "problem_solutions")
    for row in counts:
        kept = of(few, "problem_solutions", row["vacancy"], row["survivor"])
        listed = of(few, "class_solutions", row["vacancy"], row["survivor"])
        assert row in kept or (not row["ordered"] and not listed and len(kept) == 4)
    assert {len(of(few, "problem_solutions", row["vacancy"], row["survivor"])) for row in counts} == {4, 8}
    assert json.loads(invoke("verify", few, "--json").stdout)["faults"] == []


def _another_order(row: Row) -> Row:
    return {"moves": ", ".join(row["moves"].split(", ")[::-1])}


@pytest.fixture
def fault_of(made: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """The fault found in a class that is held to be too large to be played whole; that of those that are played is
    found by test_altered_columns.py."""
    monkeypatch.setattr("boardspace.spaces.solitaire.parts.classes.checks.played.MOST", 100)
    config, inputs = finished_stages(made, SolitaireConfig)

    def fault(draw: Draw, change: Callable[[str, str, Any], Any] = lambda stage, name, found: found) -> str:
        return outcome_of("equations of position classes", config, altered(inputs, change), draw).fault

    return fault


@pytest.mark.columns
def test_right_solutions_have_no_fault(fault_of: Callable[..., str]) -> None:
    assert fault_of(Draw()) == ""


@pytest.mark.columns
@pytest.mark.parametrize(
    ("table", "change", "fault"),
    [
        ("class_solutions", _another_order, "moves"),
        ("class_solutions", lambda row: {"length": row["length"] + 1}, "length is"),
        ("class_solutions", lambda row: {"orders": row["orders"] + 1}, ""),
        ("class_solutions", lambda row: {"images": row["images"] + 1}, "images is"),
        ("class_solutions", lambda row: {"sweeps": row["sweeps"] + 1}, "sweeps is"),
        ("class_solutions", lambda row: {"number": row["number"] + 1}, "number is"),
        ("problem_solutions", lambda row: {"moves": row["moves"] + 1}, "moves is"),
        ("problem_solutions", lambda row: {"solutions": row["solutions"] + 1}, "solutions is"),
    ],
    ids=["another order", "length", "orders", "images", "sweeps", "number", "moves", "solutions"],
)
def test_verify_finds_a_solution_that_is_wrong(
    fault_of: Callable[..., str], table: str, change: Callable[[Row], Row], fault: str
) -> None:
    def one_changed(stage: str, name: str, found: pa.Table) -> pa.Table:
        if name != table or "survivor" not in found.column_names:
            return found
        changed = found.to_pylist()
        changed[-1] |= change(changed[-1])
        return pa.Table.from_pylist(changed, found.schema)

    found = fault_of(Draw(everything=True), one_changed)
    assert found
    assert fault in found


def test_solutions_whose_moves_have_the_same_ends_and_lengths_are_one_to_the_claim_of_280() -> None:
    """Also where one takes other pegs; only those with the least moves of all survivors count."""
    solutions = [
        (3, "1==>3==>13==>11, 5==>7"),
        (3, "1==>11==>13==>11, 5==>7"),
        (3, "1==>11, 5==>7"),
        (17, "1==>3==>13==>11, 5==>7"),
        (20, "1==>3, 5==>7, 9==>11"),
    ]
    listed = [
        {"board": "french", "vacancy": 1, "survivor": survivor, "number": number, "moves": moves}
        | {"length": moves.count(",") + 1, "orders": 1, "images": 1, "sweeps": number}
        for number, (survivor, moves) in enumerate(solutions, 1)
    ]
    rule = {"ordered": True, "mirror": True, "loop": True}
    tables = {
        "class_solutions": CLASS_SOLUTIONS.from_rows(listed).to_pylist(),
        "problem_solutions": [{"survivor": 3, "moves": 2, "solutions": 1_234, **rule}],
        "class_levels": [{"labelled_positions": 1}],
        "problems": [{"vacancy": 1, "survivor": 3, "solvable": True, "moves": 2}],
    }

    class Read:
        def read(self, stage: str, table: str) -> pa.Table:
            return pa.Table.from_pylist(tables[table])

    config = SolitaireConfig(
        classes=(Classes(board="french", vacancies=(1,), bitmaps=False, winning=False, moves=True, shortest=True),)
    )
    inputs: Any = Read()
    found = measure(config, inputs)["french-corner-solutions"]
    assert found.value == 3
    assert "1,234 sequences" in found.evidence


@pytest.mark.slow
def test_solutions_from_the_central_vacancy_of_33_holes_are_those_of_searches_from_both_sides(tmp_path: Path) -> None:
    """To all five survivors."""
    text = CONFIG.format(bytes=1 << 26).replace("triangle15", "english").replace("[1, 5]", "[19]")
    (tmp_path / "english.toml").write_text(text)
    done = boardspace("run", tmp_path / "english.toml", "--out", tmp_path / "out", "--workers", 2, timeout=1200)
    assert done.returncode == 0, done.stderr
    counted: dict[int, dict[tuple[bool, ...], int]] = {}
    for row in rows(tmp_path / "out", "problem_solutions"):
        rule = row["ordered"], row["mirror"], row["loop"]
        counted.setdefault(row["survivor"], {})[rule] = row["solutions"]
    assert len(counted) == 5
    for survivor, found in counted.items():
        meeting = meet(Problem(ENGLISH, CENTRAL.start, ENGLISH.position([survivor])), 10**8)
        assert isinstance(meeting, Meeting)
        solutions = Solutions(meeting.problem, meeting.shortest_layers())
        assert found == {(c.ordered, c.mirror, c.loop): c.solutions for c in solutions.counts()}
    assert json.loads(boardspace("verify", tmp_path / "out", "--json", timeout=600).stdout)["faults"] == []


def test_levels_printed_for_the_corner_of_37_holes_are_pairs_of_a_position_and_the_peg_that_moved_last() -> None:
    board = FRENCH
    cells = frozenset(board.cells)
    start = as_set(board, board.full ^ board.position([1]))
    pairs: set[tuple[naive.Position, naive.Cell | None]] = {(start, None)}
    for printed in GOLDEN["french_corner"]["levels"]:
        assert len(pairs) == printed
        pairs = {
            (position - {a, b} | {c}, c)
            for position in {position for position, _ in pairs}
            for a, b, c in naive.jumps(cells, board.grid)
            if {a, b} <= position and c not in position
        }
