"""Whole position classes, from their config to bitmaps, tables and answers."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.spaces.solitaire.config import Classes, SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.queries import answers_from, answers_now
from boardspace.spaces.solitaire.parts.classes.stages import class_stages
from boardspace.spaces.solitaire.parts.classes.sweeps import bands
from boardspace.spaces.solitaire.parts.classes.vacancy import vacancies
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.arrays import open_array
from boardspace.storage.run_folder import SpaceFolder
from tests.kernels.solitaire.boards import as_set, rectangle, stabiliser, triangle
from tests.kernels.solitaire.classes.classes import winning
from tests.naive import solitaire as naive
from tests.pipeline.conftest import CLASSES
from tests.pipeline.finished import run_of

TABLES = ("class_levels", "class_moves", "hardest", "problems", "class_holes", "class_solutions", "problem_solutions")


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def cut_into(size: int, config: str) -> str:
    """A config whose classes are made in blocks of so many bytes."""
    return config.replace("[solitaire]", f"[solitaire]\nclass_bytes = {size}")


def rows(out: Path, table: str) -> list[dict[str, Any]]:
    folder = out / "solitaire" / table
    found: list[dict[str, Any]] = pa.concat_tables(
        pq.read_table(path, partitioning=None) for path in sorted(folder.rglob("*.parquet"))
    ).to_pylist()
    return found


@pytest.fixture
def tiny(whole_classes: Path) -> Path:
    return whole_classes


def test_a_class_is_cut_into_bands_of_light_weights_and_parts_of_heavy_ones() -> None:
    vacancy = vacancies(Classes(board="english", vacancies=(19,)))[0]
    found = bands(vacancy, "reachable", 1 << 20)
    assert [weight for band in found for weight in band.weights] == list(reversed(range(vacancy.order.heaviest + 1)))
    assert any(len(band.weights) > 1 for band in found)
    assert any(len(band.ranges) > 1 for band in found)
    made = sum(band.bytes for band in found)  # of each orbit of tiles one; and half of all blocks have a position
    assert round(vacancy.order.positions.bytes / 2 / made, 1) == 7.2
    for band in found:
        assert len(band.weights) == 1 or band.bytes <= 1 << 20
        assert [end for _, end in band.ranges[:-1]] == [begin for begin, _ in band.ranges[1:]]
        assert (band.ranges[0][0], band.ranges[-1][1]) == (0, vacancy.order.highs)


@pytest.mark.thorough
def test_levels_are_those_of_the_definition(tiny: Path) -> None:
    for board, name in ((triangle(5), "triangle15"), (rectangle(3, 5), "rectangle3x5")):
        cells = frozenset(board.cells)
        starts = {row["vacancy"] for row in rows(tiny, "class_levels") if row["board"] == name}
        for vacancy in starts:
            start = board.full ^ board.position([vacancy])
            reached = naive.reached_by_jumps(cells, board.grid, {as_set(board, start)})
            group = stabiliser(board, start)
            orbits = {position: naive.orbit(group, position) for position in reached}
            after = {position: naive.after_jumps(cells, board.grid, position) for position in reached}
            found = {r["pegs"]: r for r in rows(tiny, "class_levels") if (r["board"], r["vacancy"]) == (name, vacancy)}
            home = frozenset(cells) - as_set(board, start)
            winning, returning = {p for p in reached if len(p) == 1}, {home} & reached
            for position in sorted(reached, key=len):
                winning |= {position} if after[position] & winning else set()
                returning |= {position} if after[position] & returning else set()
            for pegs, row in found.items():
                level = {position for position in reached if len(position) == pegs}
                wins, returns = level & winning, level & returning
                dead = {p for p in level if not after[p]}
                for column, members in (
                    ("positions", level),
                    ("winning", wins),
                    ("winning_in_vacancy", returns),
                    ("dead_ends", dead),
                ):
                    assert row[f"labelled_{column}"] == len(members)
                    assert row[column] == len({orbits[position] for position in members})
            assert sum(row["labelled_positions"] for row in found.values()) == len(reached)


def test_least_moves_are_those_of_the_definition(tiny: Path) -> None:
    board = triangle(5)
    cells = frozenset(board.cells)
    problems = {(r["vacancy"], r["survivor"]): r["moves"] for r in rows(tiny, "problems") if r["board"] == "triangle15"}
    for vacancy in (1, 5):
        start = board.full ^ board.position([vacancy])
        reached = naive.reachable(cells, board.grid, as_set(board, start))
        group = stabiliser(board, start)
        found = {
            (r["pegs"], r["moves"]): (r["positions"], r["labelled_positions"])
            for r in rows(tiny, "class_moves")
            if r["vacancy"] == vacancy
        }
        expected: dict[tuple[int, int], set[naive.Position]] = {}
        for position, moves in reached.items():
            expected.setdefault((len(position), moves), set()).add(position)
        assert found == {
            key: (len({naive.orbit(group, position) for position in members}), len(members))
            for key, members in expected.items()
        }
        most = max(reached.values())
        hardest = [r for r in rows(tiny, "hardest") if r["vacancy"] == vacancy]
        assert {r["moves"] for r in hardest} == {most}
        orbits = {naive.orbit(group, position) for position, moves in reached.items() if moves == most}
        assert {naive.orbit(group, as_set(board, r["position"])) for r in hardest} == orbits
        assert len(hardest) == len(orbits)
        for survivor in board.labels:
            assert problems[vacancy, survivor] == reached.get(as_set(board, board.position([survivor])))
    assert {r["moves"] for r in rows(tiny, "problems") if r["board"] == "rectangle3x5"} == {None}


@pytest.mark.parametrize(("change", "message"), [("bitmaps", "bitmaps = false"), ("moves", "moves = true")])
def test_classes_that_cannot_be_made_so_are_refused(tmp_path: Path, change: str, message: str) -> None:
    lines = {"bitmaps": "winning = false", "moves": "shortest = true"}[change]
    text = f'[solitaire]\n[[solitaire.classes]]\nboard = "triangle15"\n{lines}\n'
    (tmp_path / "tiny.toml").write_text(text)
    refused = invoke("plan", tmp_path / "tiny.toml")
    assert refused.exit_code == 2
    assert message in refused.output


def test_every_problem_of_a_board_is_told_solvable_or_not(tiny: Path) -> None:
    board = triangle(5)
    cells = frozenset(board.cells)
    found = {(r["vacancy"], r["survivor"]): r["solvable"] for r in rows(tiny, "problems") if r["board"] == "triangle15"}
    assert len(found) == 6 * 15
    for vacancy in {vacancy for vacancy, _ in found}:
        start = as_set(board, board.full ^ board.position([vacancy]))
        reached = naive.reached_by_jumps(cells, board.grid, {start})
        for survivor in board.labels:
            assert found[vacancy, survivor] == (as_set(board, board.position([survivor])) in reached)


def same_rows(found: Path, whole: Path, table: str) -> list[dict[str, Any]]:
    """The rows of a run, which are those that one of more classes has of the same."""
    own, every = rows(found, table), rows(whole, table)
    of = {(row["board"], row.get("vacancy")) for row in own}
    assert own == [row for row in every if (row["board"], row.get("vacancy")) in of], table
    return own


def asking(*left_out: str) -> str:
    """``CLASSES``, but for lines that begin so."""
    return "".join(line for line in CLASSES.splitlines(True) if not line.startswith(left_out))


def shards(out: Path) -> Counter[str]:
    """By stage the number of its shards."""
    folder = SpaceFolder(out, "solitaire")
    return Counter({stage: len(folder.finished(stage).receipts) for stage in folder.finished_stages()})


def test_shards_of_any_size_give_the_same_rows_and_bits(tiny: Path, tmp_path: Path) -> None:
    config = asking("levels", "moves", "shortest", "hints").replace("[1, 5]", "[5]")
    cut = run_of(cut_into(2048, config), tmp_path)
    assert shards(cut)["triangle15-05.bitmaps"] > 1
    for goal in ("reachable", "winning"):
        of = [[stage for stage in shards(out) if stage.startswith(f"triangle15-05.{goal}.")] for out in (cut, tiny)]
        assert len(of[0]) > len(of[1]) > 0
    for table in ("class_levels", "class_holes"):
        assert {row["board"] for row in same_rows(cut, tiny, table)} == {"triangle15", "rectangle3x5"}
    for vacancy in ("triangle15-05", "rectangle3x5-08"):
        for goal in ("reachable", "winning"):
            parts = [open_array(out / "solitaire", f"classes/{vacancy}/{goal}")[:] for out in (cut, tiny)]
            assert parts[0].any()
            assert (parts[0] == parts[1]).all()


def test_shards_of_any_size_give_the_same_least_moves_and_solutions_and_leave_no_blocks(
    tiny: Path, tmp_path: Path
) -> None:
    config = asking("levels").replace("[1, 5]", "[5]").replace(', "returning"', "")
    cut = run_of(cut_into(8192, config.partition('[[solitaire.classes]]\nboard = "rectangle')[0]), tmp_path)
    for goal in ("moves", "winning_moves"):
        of = [{stage: n for stage, n in shards(out).items() if f"05.{goal}." in stage} for out in (cut, tiny)]
        assert len(of[0]) > len(of[1]) > 0
        assert max(of[0].values()) > 1
    for table in TABLES:
        assert same_rows(cut, tiny, table), table
    parts = [open_array(out / "solitaire", "classes/triangle15-05/winning_moves")[:] for out in (cut, tiny)]
    assert (parts[0] == parts[1]).all()
    assert not [*(tiny / ".run").rglob("*.npy"), *(cut / ".run").rglob("*.npy")]


@pytest.mark.thorough
def test_without_bitmaps_the_same_is_counted_on_blocks_that_are_dropped(tiny: Path, tmp_path: Path) -> None:
    config = asking("levels", "hints").replace("[1, 5]", "[1]").replace("vacancies", "bitmaps = false\nvacancies")
    run_of(cut_into(1 << 14, config), tmp_path)
    for table in TABLES[1:]:
        same_rows(tmp_path / "out", tiny, table)
    found = rows(tmp_path / "out", "class_levels")
    of = {(row["board"], row["vacancy"]) for row in found}
    expected = [row for row in rows(tiny, "class_levels") if (row["board"], row["vacancy"]) in of]
    assert any(row["winning_in_vacancy"] for row in expected)
    assert any(row["labelled_winning"] < row["labelled_positions"] for row in expected)
    columns = [column for column in expected[0] if "winning_in_vacancy" not in column]
    assert [[row[c] for c in columns] for row in found] == [[row[c] for c in columns] for row in expected]
    for mine, other in zip(found, expected, strict=True):
        assert mine["winning_in_vacancy"] in (None, other["winning_in_vacancy"])
    assert list((tmp_path / "out").rglob("*.npy")) == []  # which shortest solutions read, too
    assert list((tmp_path / "out").rglob("*.zarr")) == []
    verified = json.loads(invoke("verify", tmp_path / "out", "--json").stdout)
    assert verified["faults"] == []
    assert verified["cases"] >= len(expected)


@pytest.mark.thorough
def test_verify_looks_at_positions_and_solutions_by_hand_and_finds_no_fault(tiny: Path) -> None:
    result = json.loads(invoke("verify", tiny, "--json").stdout)
    assert result["faults"] == []
    assert result["cases"] >= 3 * 40


def test_answers_of_a_dataset_are_those_of_a_sweep_in_memory(tiny: Path) -> None:
    stored, swept = answers_from(tiny / "solitaire", "rectangle3x5", 8), answers_now("rectangle3x5", 8, moves=False)
    few = [number for number in range(1 << 15) if number.bit_count() < 4]
    positions = [stored.vacancy.start, *filter(stored.vacancy.order.positions.contains, few)]
    answers = [stored.ask(position) for position in positions]
    assert answers == [swept.ask(position) for position in positions]
    assert {answer.moves for answer in answers} == {()}
    assert {answer.reachable for answer in answers} == {answer.can_win for answer in answers} == {True, False}
    for answer in answers:
        assert answer.position.bit_count() == 1 or answer.can_win == any(jump.can_win for jump in answer.jumps)


@pytest.mark.parametrize("hole", [1, 3, 8])
def test_a_position_can_win_where_a_sweep_from_the_goals_comes_to_it(hole: int) -> None:
    known = answers_now("rectangle3x5", hole, moves=False)
    order = known.vacancy.order
    swept = winning(order, known.vacancy.single_pegs)
    positions = [position for position in range(1 << 15) if order.positions.contains(position)]
    wins = {
        p for piece in swept.values() for p in order.positions.members(piece.blocks, order.numbers_of(piece)).tolist()
    }
    assert {position for position in positions if known.winning(position)} == wins
    assert 0 < len(wins) < len(positions)


def test_the_command_tells_of_a_position_and_its_jumps(tiny: Path) -> None:
    place = ("--board", "triangle15", "--vacancy", 1)
    for source in ((), ("--dataset", tiny / "solitaire")):
        told = json.loads(invoke("solitaire", "position", "all but 1", *place, *source, "--json").stdout)
        assert (told["reachable"], told["can_win"]) == (True, True)
        assert [(jump["begin"], jump["end"], jump["can_win"]) for jump in told["jumps"]] == [(4, 1, True), (6, 1, True)]
    drawn = invoke("solitaire", "position", "all but 1", *place).stdout
    assert "can be reduced to one peg" in drawn
    assert "4==>1  wins" in drawn
    refused = invoke("solitaire", "position", "1 2", *place)
    assert refused.exit_code == 2
    assert "even or odd" in refused.output


def test_least_moves_to_win_are_those_of_a_search_by_whole_moves() -> None:
    known = answers_now("triangle15", 1)
    board = known.vacancy.board
    singles = {as_set(board, single) for single in known.vacancy.single_pegs}
    position = known.vacancy.start
    while position.bit_count() > 1:
        answer = known.ask(position)
        if position.bit_count() < 11:
            found = naive.reachable(frozenset(board.cells), board.grid, as_set(board, position))
            assert answer.moves_to_win == min(moves for p, moves in found.items() if p in singles)
            every = {after for _, after in naive.moves(frozenset(board.cells), board.grid, as_set(board, position))}
            assert {as_set(board, move.position) for move in answer.moves} == every
        assert answer.moves[0].moves_to_win == (answer.moves_to_win or 0) - 1
        lost = [move.moves_to_win is None for move in answer.moves]
        assert lost == sorted(lost)
        position = answer.moves[0].position
    assert known.ask(position).moves_to_win == 0
    assert known.ask(position).moves == ()


def test_the_command_tells_of_least_moves_where_they_are_known(tiny: Path) -> None:
    place = ("solitaire", "position", "all but 1", "--board", "triangle15", "--vacancy", 1)
    told = json.loads(invoke(*place, "--json").stdout)
    assert told["moves_to_win"] == told["moves"][0]["moves_to_win"] + 1
    drawn = invoke(*place).stdout
    assert f"{told['moves_to_win']} moves to one peg, and no fewer" in drawn
    assert f"{told['moves_to_return']} moves to one peg in 1, and no fewer" in drawn
    best = told["moves"][0]
    assert f"{best['move']}  then {best['moves_to_win']} more ({best['moves_to_return']} to 1)" in drawn
    place = ("solitaire", "position", "all but 8", "--board", "rectangle3x5", "--vacancy", 8)
    refused = invoke(*place, "--moves", "--dataset", tiny / "solitaire")
    assert refused.exit_code == 2
    assert "make it with hints" in refused.output


def test_a_position_of_another_class_is_refused_with_the_reason(tiny: Path) -> None:
    with pytest.raises(BoardspaceError, match="even or odd"):
        answers_now("triangle15", 1).ask(0b111)
    with pytest.raises(BoardspaceError, match="no position class"):
        answers_from(tiny / "solitaire", "triangle15", 2)
    with pytest.raises(BoardspaceError, match="--dataset"):
        answers_now("french", 19)
    with pytest.raises(BoardspaceError, match="moves = false"):
        class_stages(Classes(board="diamond", vacancies=(21,), moves=True), SolitaireConfig())
    with pytest.raises(BoardspaceError, match="no hole 99"):
        answers_now("french", 99)
