"""A puzzle given by its rules: run, published, proved; the same bytes however it was run."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner

import boardspace
from boardspace.cli.main import cli
from boardspace.graphs import Puzzle, Sparse, checks, levels, paths, space_of, sparse
from boardspace.graphs.answers import searched
from boardspace.graphs.levels import BACK
from boardspace.graphs.questions import answers
from boardspace.graphs.space import checks_of
from boardspace.graphs.trying import RuleError, try_rules
from boardspace.spec.space import Draw
from boardspace.storage.run_folder import FinishedStages
from boardspace.verify import verify
from boardspace_kernels.graph.dense import UNREACHED
from boardspace_kernels.graph.rule import GOAL
from boardspace_kernels.jit import kernel
from tests import lamps, row
from tests.naive import graph as naive
from tests.pipeline.conftest import boardspace as command
from tests.pipeline.conftest import dataset_bytes
from tests.pipeline.finished import altered, finished_stages, run_of
from tests.pipeline.graphs.conftest import PLUGINS
from tests.pipeline.held import FinishedRun
from tests.puzzles import LAMPS, NUMBERED, STEPS, LampRules, is_round
from tests.shared import plugged_in

PUZZLES = (LAMPS, STEPS, NUMBERED)


def stages_of(puzzle: Puzzle, root: Path) -> tuple[Any, FinishedStages]:
    return finished_stages(root, puzzle.config)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_every_distance_level_and_farthest_state_is_that_of_a_slow_search(puzzle: Puzzle, run_folder: Path) -> None:
    config, inputs = stages_of(puzzle, run_folder)
    counted, farthest = [], []
    for case in puzzle.cases(config):
        moves = puzzle.rules_of(case.metric).moves
        states = puzzle.dense
        slow = naive.distances(puzzle.starts(case.size), lambda state: moves(case.size, state).values())  # noqa: B023
        expected = [slow.get(state, UNREACHED) for state in range(states.count(case.size))]
        assert inputs.array(f"distance/{case.name}")[:].tolist() == expected
        last = max(slow.values())
        for distance in range(last + 1):
            here = sorted(state for state, value in slow.items() if value == distance)
            counted.append({**case.columns, "distance": distance, "states": len(here)})
        for state in here:
            text = puzzle.rules_of(case.metric).text(case.size, state)
            own = {"half": state // 2} if puzzle is STEPS else {}
            farthest.append({**case.columns, "state": state, "distance": last, "text": text, **own})
    assert inputs.table("levels").to_pylist() == counted
    assert inputs.table("hardest").to_pylist() == farthest
    assert len(STEPS.starts({})) > 1


def home_by_hand(puzzle: Puzzle) -> list[int]:
    """The moves to a goal of all states of the first case, by the second rules alone."""
    case = puzzle.cases(puzzle.config())[0]
    rules, states = puzzle.rules_of(case.metric), range(puzzle.dense.count(case.size))
    back: dict[int, list[int]] = {state: [] for state in states}
    for state in states:
        for there in rules.moves(case.size, state).values():
            back[there].append(state)
    home = naive.distances([state for state in states if f"{state:02}".endswith("50")], lambda state: back[state])
    return [home.get(state, UNREACHED) for state in states]


def test_moves_to_a_goal_and_dead_ends_are_those_of_a_slow_search(run_folder: Path) -> None:
    config, inputs = stages_of(NUMBERED, run_folder)
    home, far = home_by_hand(NUMBERED), inputs.array("distance/both")[:].tolist()
    assert inputs.array("to_goal/both")[:].tolist() == home
    dead = [state for state in range(1000) if far[state] != UNREACHED == home[state]]
    least = min(home[start] for start in NUMBERED.starts({}))
    assert 0 < len(dead) < 1000 - home.count(0)
    [line] = space_of(NUMBERED, __file__)[0].results(config, inputs)
    most = max(home[state] for state in range(1000) if far[state] != UNREACHED != home[state])
    says = f"; to a goal: {least} moves from the nearest start, {most} at most; dead ends: {len(dead)} states"
    assert line.endswith(says)
    data = boardspace.open(run_folder)["numbered"]
    assert (data.claims["to_goal"].measured, data.claims["dead_ends"].measured) == (least, len(dead))
    for asked in (answers("numbered"), answers("numbered", dataset=data)):
        assert [asked.moves_left(state) for state in range(0, 1000, 9)] == [
            None if moves == UNREACHED else moves for moves in home[::9]
        ]
        steps = asked.solution(3)
        assert steps is not None
        assert len(steps) == home[3]
        assert asked.is_goal(steps[-1].state)
        assert asked.lost()[0].tolist() == dead
        assert home[asked.random(2, 4, 5)] in {4, 5}
        states, moves, _ = asked.candidates(3)
        assert [home[state] for state in states] == moves.tolist()
        assert set(moves.tolist()) == {home[s] for s in range(1000) if far[s] != UNREACHED} - {0, UNREACHED}


class RoundLampRules(LampRules):
    """Lamps that are to be brought to a round number."""

    def solved(self, size: Mapping[str, int], state: int) -> bool:
        return f"{state:02}".endswith("50")


def test_goals_of_a_puzzle_whose_moves_can_be_taken_back_need_no_other_rule() -> None:
    puzzle = replace(
        LAMPS,
        rules=RoundLampRules(),
        states=replace(LAMPS.dense, goal=is_round),
        sizes=lambda config: [{"rows": 3, "columns": 3}],
    )
    assert searched(puzzle, puzzle.cases(puzzle.config())[0], BACK).tolist() == home_by_hand(puzzle)


@kernel(GOAL)
def is_nearly_round(size: Any, state: Any) -> bool:
    """A number that ends in 50, and another."""
    return state % np.uint64(100) == np.uint64(50) or state == np.uint64(777)


def test_a_wrong_goal_is_found_by_the_second_rules(run_folder: Path) -> None:
    puzzle = replace(NUMBERED, states=replace(NUMBERED.dense, goal=is_nearly_round))
    [case] = puzzle.cases(puzzle.config())
    with pytest.raises(RuleError, match="do not agree whether state 777 is a goal"):
        try_rules(puzzle, case, [777])
    config, inputs = stages_of(NUMBERED, run_folder)
    wrong = searched(puzzle, case, BACK)
    planted = altered(inputs, lambda _, name, found: wrong if name == "to_goal/both" else found)
    proved, second = (check.run(config, planted, Draw(1)).fault for check in checks_of(puzzle))
    assert proved == ""
    assert "whether state 777 is a goal" in second
    assert "state 777 has to_goal 0" in checks_of(NUMBERED)[0].run(config, planted, Draw(1)).fault


def test_the_search_went_over_several_ranges_and_left_states_unreached(run_folder: Path) -> None:
    config, inputs = stages_of(LAMPS, run_folder)
    places = {place for facts in inputs.facts("levels") for place, _, _ in facts["marks"]}
    assert len(places) == 8
    lines = lamps.SPACE.results(config, inputs)
    assert len(lines) == 3
    assert all("states can be reached; the farthest: " in line for line in lines)
    assert (stages_of(STEPS, run_folder)[1].array("distance/one")[:] == UNREACHED).any()


def test_claims_are_judged_by_the_levels_of_their_case(run_folder: Path) -> None:
    claims = boardspace.open(run_folder)["lamps"].claims
    verdicts = {name: claims[name].verdict for name in LAMPS.claims}
    assert verdicts["three"] == verdicts["few"] == verdicts["corner"] == "confirmed"
    assert verdicts["wrong"] == "refuted"
    assert claims["wrong"].measured == 9
    assert verdicts["other"] in {"open", "not_covered"}
    assert "rows = 3, columns = 3" in claims["three"].statement


def test_a_run_is_verified_and_all_of_its_cells_are_proved(run_folder: Path) -> None:
    found = verify(run_folder, "logic")
    assert found.faults == ()
    proved = {one.dataset: one for one in found.rederived if one.check == "distances"}
    assert proved["lamps"].cases == proved["lamps"].of == 8 + 64 + 512
    assert proved["steps"].cases == 2000
    assert proved["numbered"].cases == 1000


CELLS: dict[str, Callable[[Any], Any]] = {
    "one more": lambda cells: np.where(np.arange(len(cells)) == 700, cells + 1, cells).astype(np.uint16),
    "one less": lambda cells: np.where(np.arange(len(cells)) == 700, cells - 1, cells).astype(np.uint16),
    "unreached": lambda cells: np.where(np.arange(len(cells)) == 700, UNREACHED, cells).astype(np.uint16),
    "another start": lambda cells: np.where(np.arange(len(cells)) == 700, 0, cells).astype(np.uint16),
    "a cell short": lambda cells: cells[:-1],
    "shifted": lambda cells: np.roll(cells, 1),
}


@pytest.mark.parametrize("change", CELLS)
def test_a_wrong_cell_is_found(change: str, run_folder: Path) -> None:
    config, inputs = stages_of(STEPS, run_folder)
    wrong = altered(inputs, lambda _, name, found: CELLS[change](found) if name == "distance/both" else found)
    assert checks_of(STEPS)[0].run(config, wrong, Draw(1)).fault
    config, inputs = stages_of(NUMBERED, run_folder)
    for array in ("distance/both", "to_goal/both"):
        wrong = altered(inputs, lambda _, name, found: CELLS[change](found) if name == array else found)  # noqa: B023
        assert checks_of(NUMBERED)[0].run(config, wrong, Draw(1)).fault, array


def test_distances_from_one_start_too_many_are_found_however_many_starts_there_are(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "MOST_LISTED", 2)
    puzzle = replace(NUMBERED, states=replace(NUMBERED.dense, start=lambda size: [3, 11, 700]))
    wrong = searched(puzzle, puzzle.cases(puzzle.config())[0])
    config, inputs = stages_of(NUMBERED, run_folder)
    planted = altered(inputs, lambda _, name, found: wrong if name == "distance/both" else found)
    assert "from place 2 on are [700]; of the starts []" in checks_of(NUMBERED)[0].run(config, planted, Draw(1)).fault


@pytest.mark.columns
@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_every_wrong_column_and_row_is_found(puzzle: Puzzle, run_folder: Path) -> None:
    run = FinishedRun(run_folder, puzzle.config)
    assert set(run.faults.values()) == {""}
    for table in (puzzle.levels, puzzle.farthest):
        for altered_so in (run.whole_columns, run.single_values, run.single_rows):
            assert run.missed(table, altered_so(table)) == []


def test_rows_left_out_or_added_are_found(run_folder: Path) -> None:
    config, inputs = stages_of(LAMPS, run_folder)
    for name in ("levels", "hardest"):
        for twice in (False, True):

            def change(stage: str, table: str, rows: Any, name: str = name, twice: bool = twice) -> Any:
                if table != name:
                    return rows
                return pa.concat_tables([rows, rows.slice(0, 1)]) if twice else rows.slice(1)

            assert checks_of(LAMPS)[0].run(config, altered(inputs, change), Draw(1)).fault, name


def invoke(*arguments: object) -> Any:
    done = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


KINDS = (row.ROW, replace(row.ROW, states=Sparse(start=lambda size: 0)))


@pytest.fixture(params=KINDS, ids=("numbered", "words"))
def plugged_row(request: pytest.FixtureRequest) -> Iterator[None]:
    """The row alone plugged in, with its states as numbers and as words."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row, "SPACE", space_of(request.param, row.__file__)[0])
        with plugged_in("tests.row"):
            yield


@pytest.mark.thorough
def test_distances_above_a_byte_are_found_and_verified(plugged_row: None, tmp_path: Path) -> None:
    root = run_of("[row]\nplaces = 300\n", tmp_path)
    assert verify(root, "logic").faults == ()
    tables = boardspace.open(root)["row"].tables
    assert tables["levels"].to_table()["distance"].to_pylist() == list(range(300))
    assert tables["hardest"].to_table().to_pylist()[0]["state"] == 299


def test_a_run_that_goes_round_the_same_states_ends(
    plugged_row: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (levels, sparse):
        monkeypatch.setattr(module, "try_rules", lambda *_, **__: None)  # they would notice it in so small a puzzle
    monkeypatch.setattr(paths, "LOOKED_BACK", 8)
    (tmp_path / "config.toml").write_text("[row]\nplaces = 5\nmetric = 'around'\n")
    command = ["run", str(tmp_path / "config.toml"), "--out", str(tmp_path / "out"), "--workers", "0"]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code != 0
    assert "row, around/5: the search finds the same states again, so some move cannot be taken back; " in done.output


@pytest.mark.thorough
def test_the_same_bytes_by_two_workers_by_a_job_array_and_after_being_killed(tmp_path: Path) -> None:
    root = run_of("[lamps]\nmost = 2\n[lights]\nrows = [3]\n", tmp_path)
    config, expected = tmp_path / "config.toml", [dataset_bytes(root / name) for name in ("lamps", "lights")]
    env = {"BOARDSPACE_SPACES": PLUGINS}
    failpoint = {**env, "BOARDSPACE_FAILPOINT": f"blob-written@kill@{tmp_path / 'token'}"}
    killed = command("run", config, "--out", tmp_path / "killed", "--workers", 0, env=failpoint)
    assert killed.returncode != 0
    assert (tmp_path / "token").exists()
    assert not list((tmp_path / "killed").rglob("COMPLETE"))
    assert command("run", config, "--out", tmp_path / "killed", "--workers", 2, env=env).returncode == 0
    tasks = int(invoke("jobs", tmp_path / "jobs", config).split()[0])
    while tasks:
        for number in range(tasks):
            invoke("shard", tmp_path / "jobs", number)
        tasks = int(invoke("advance", tmp_path / "jobs").split()[0])
    assert min(map(len, expected)) > 4
    for other in ("killed", "jobs"):
        assert [dataset_bytes(tmp_path / other / name) for name in ("lamps", "lights")] == expected, other
