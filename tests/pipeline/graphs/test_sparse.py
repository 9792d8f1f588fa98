"""Puzzles whose states are words: searched up to symmetries, and to goals where moves cannot be taken back."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import boardspace
from boardspace.cli.main import cli
from boardspace.engine.plan import recorded_work
from boardspace.graphs import Case, Puzzle, Sparse, Takes, ToGoal, checks, space_of
from boardspace.graphs.claims import Found
from boardspace.graphs.paths import neighbours, reached
from boardspace.graphs.questions import answers, moves
from boardspace.graphs.trying import RuleError, rule_fault, try_rules
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Draw
from boardspace.spec.texts import counted
from boardspace.storage.run_folder import FinishedStages, SpaceFolder
from boardspace.verify.recompute import finished_shards, is_small
from boardspace_kernels.graph.dense import UNREACHED
from boardspace_kernels.graph.rule import RULE
from boardspace_kernels.jit import kernel
from tests.naive import graph as naive
from tests.pipeline.conftest import dataset_bytes
from tests.pipeline.finished import altered, finished_stages, run_of, with_values
from tests.pipeline.held import FinishedRun
from tests.pipeline.publish.serving import served
from tests.puzzles import LIGHTS, NUMBERED, ROUNDS, TurnedRules, before, press, turned

PUZZLES = (LIGHTS, ROUNDS)
CONFIG = "[lights]\nrows = [2, 3]\n[rounds]\n"


def by_hand(puzzle: Puzzle, metric: str, size: Mapping[str, int]) -> list[dict[str, Any]]:
    """The rows of positions, by dictionaries of all states."""
    rules, starts = puzzle.rules_of(metric), puzzle.starts(size)
    distances = naive.distances(starts, lambda state: rules.moves(size, state).values())
    back: dict[int, list[int]] = {state: [] for state in distances}
    for state in distances:
        for there in rules.moves(size, state).values():
            back[there].append(state)
    home: dict[int, int] = {}
    if puzzle.has_goals:
        home = naive.distances([state for state in distances if rules.solved(size, state)], lambda state: back[state])
    rows = []
    for state in sorted(distances):
        images = set(rules.images(size, state)) if puzzle.symmetric else {state}
        if state == min(images):
            rows.append(
                {
                    "metric": metric,
                    **size,
                    "state": state,
                    "distance": distances[state],
                    **({"orbit": len(images)} if puzzle.symmetric else {}),
                    **({"to_goal": home.get(state, UNREACHED)} if puzzle.has_goals else {}),
                    **({"lit": state.bit_count()} if puzzle is LIGHTS else {}),
                }
            )
    return rows


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_every_row_is_that_of_a_slow_search(puzzle: Puzzle, run_folder: Path) -> None:
    config, inputs = finished_stages(run_folder, puzzle.config)
    rows = [row for case in puzzle.cases(config) for row in by_hand(puzzle, case.metric, case.size)]
    assert inputs.table("positions").to_pylist() == rows
    levels: Counter[tuple[Any, ...]] = Counter()
    for row in rows:
        levels[*[row[name] for name in puzzle.size_names], row["distance"]] += row.get("orbit", 1)
    found = inputs.table("levels").to_pylist()
    assert {(*[row[name] for name in puzzle.size_names], row["distance"]): row["states"] for row in found} == levels
    if puzzle.has_goals:
        assert len({row["to_goal"] for row in rows}) > 4 < sum(row["to_goal"] == UNREACHED for row in rows)
    if puzzle.symmetric:
        assert {row["orbit"] for row in rows} == {1, 2, 4, 8}
        assert sum(row["orbits"] for row in found) == len(rows)


def test_results_say_the_moves_to_a_goal_of_the_nearest_start_and_of_the_farthest_state(run_folder: Path) -> None:
    config, inputs = finished_stages(run_folder, ROUNDS.config)
    rows = by_hand(ROUNDS, "both", {})
    home = [row["to_goal"] for row in rows if row["to_goal"] != UNREACHED]
    least = min(row["to_goal"] for row in rows if row["distance"] == 0)
    [line] = space_of(ROUNDS, __file__)[0].results(config, inputs)
    start = "the nearest start" if len(ROUNDS.starts({})) > 1 else "the start"
    dead = counted(len(rows) - len(home), "state")
    assert line.endswith(f"; to a goal: {least} moves from {start}, {max(home)} at most; dead ends: {dead}")


def test_a_run_is_verified_published_and_its_claims_are_judged(run_folder: Path, tmp_path: Path) -> None:
    datasets = boardspace.open(run_folder)
    rows = by_hand(ROUNDS, "both", {})
    least = min(row["to_goal"] for row in rows if row["distance"] == 0)
    claims = datasets["rounds"].claims
    assert claims["to_goal"].verdict == ("confirmed" if least == 5 else "refuted")
    assert claims["to_goal"].measured == least
    assert claims["dead_ends"].measured == sum(row["to_goal"] == UNREACHED for row in rows)
    assert {datasets["lights"].claims[name].verdict for name in ("all", "corner")} == {"confirmed"}
    only = ["--space", "lights", "--space", "rounds"]
    done = CliRunner().invoke(cli, ["publish", str(run_folder), *only, "--out", str(tmp_path / "release")])
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(cli, ["verify", str(tmp_path / "release")])
    assert done.exit_code == 0, done.output
    assert "cannot be judged again" not in done.output
    with served(tmp_path / "release") as traffic:
        here, there = (
            CliRunner().invoke(cli, ["lights", "hardest", "--data", str(place)]) for place in (run_folder, traffic.url)
        )
        refused = CliRunner().invoke(cli, ["verify", traffic.url])
    assert (there.exit_code, there.stdout) == (0, here.stdout), there.output
    assert (refused.exit_code, "--data alone takes one" in refused.output) == (2, True)


def test_next_moves_are_told_by_the_moves_that_they_leave_to_a_goal() -> None:
    rows = by_hand(ROUNDS, "both", {})
    left = {row["state"]: None if row["to_goal"] == UNREACHED else row["to_goal"] for row in rows}
    for state in list(left)[::11]:
        found = moves("rounds", f"#{state}")
        assert found.left == left[state]
        assert [moves for _, moves in found.choices] == [left[step.state] for step, _ in found.choices]
        assert found.left in {None, 0} or found.choices[0][1] == found.left - 1  # the best one first


@pytest.mark.columns
@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_every_wrong_column_and_every_missing_row_is_found(puzzle: Puzzle, run_folder: Path) -> None:
    run = FinishedRun(run_folder, puzzle.config)
    assert set(run.faults.values()) == {""}
    for table in (puzzle.positions, puzzle.levels, puzzle.farthest):
        for altered_so in (run.whole_columns, run.single_values, run.single_rows):
            assert run.missed(table, altered_so(table)) == []


def test_no_kernel_is_given_a_word_that_is_no_state(run_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled, it could write anywhere."""
    config, inputs = finished_stages(run_folder, PUZZLES[0].config)
    given, every = list[Any](), (1 << 64) - 1

    def noted(puzzle: Puzzle, case: Case, states: Any) -> Any:
        given.append(states)
        return neighbours(puzzle, case, states)

    def one_more(stage: str, name: str, rows: Any) -> Any:
        return pa.concat_tables([rows, with_values(rows[-1:], "state", [every])]) if name == "positions" else rows

    monkeypatch.setattr(checks, "neighbours", noted)
    wrong = altered(inputs, one_more)
    assert "no move leads there from one less" in checks.check_positions(PUZZLES[0], config, wrong, Draw(1)).fault
    assert given
    assert every not in np.concatenate(given)
    case = PUZZLES[0].cases(config)[-1]
    assert "is read as" in rule_fault(PUZZLES[0], case, every, thorough=False)


@pytest.mark.thorough
def test_small_ranges_give_the_same_rows(run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardspace.graphs.sparse.rows_of_a_shard", lambda puzzle, case: 24)
    monkeypatch.setattr("boardspace.graphs.sparse.ROWS_LAID_OUT", 40)
    root = run_of(CONFIG, tmp_path)
    for puzzle in PUZZLES:
        there, here = (finished_stages(one, puzzle.config)[1] for one in (root, run_folder))
        assert len(there.facts("levels")) > len(here.facts("levels")) + 5
        assert len(dataset_bytes(root / puzzle.name)) > len(dataset_bytes(run_folder / puzzle.name)) + 1
        for name in ("positions", "levels", "hardest"):
            assert there.table(name).equals(here.table(name))


def test_questions_are_answered_with_a_run_and_without(run_folder: Path) -> None:
    size = {"rows": 3, "columns": 3}
    for space, asked_size in (("lights", size), ("rounds", {})):
        puzzle = {"lights": LIGHTS, "rounds": ROUNDS}[space]
        rows = by_hand(puzzle, next(iter(puzzle.moves)), asked_size)
        here = answers(space, size=asked_size)
        there = answers(space, size=asked_size, dataset=boardspace.open(run_folder)[space])
        for row in rows[::7]:
            assert here.distance(row["state"]) == there.distance(row["state"]) == row["distance"]
            left = row.get("to_goal", row["distance"])
            for asked in (here, there):
                steps = asked.solution(row["state"])
                assert (None if steps is None else len(steps)) == (None if left == UNREACHED else left)
                assert not steps or asked.is_goal(steps[-1].state)
        last = max(row["distance"] for row in rows)
        assert here.hardest(9) == there.hardest(9) == [row["state"] for row in rows if row["distance"] == last][:9]
        assert here.random(4, 2, 3) == there.random(4, 2, 3)
        assert next(r for r in rows if r["state"] == here.random(4, 2, 3)).get("to_goal", 2) in {2, 3}
        assert [len(batch) for batch in here.all_states()] == [sum(row.get("orbit", 1) for row in rows)]
    image = answers("lights", size=size)
    assert image.distance(1) == image.distance(4) == image.distance(256)


def test_moves_from_the_start_and_to_a_goal_are_told_apart(run_folder: Path) -> None:
    rows = by_hand(ROUNDS, "both", {})
    for data in ([], ["--data", str(run_folder)]):
        for row in (
            next(row for row in rows if (row["to_goal"] == UNREACHED) == dead and row["distance"]) for dead in (0, 1)
        ):
            told, asked = (["rounds", "show", f"#{row['state']}", *data, *more] for more in ([], ["--json"]))
            lead = "no goal can be reached" if row["to_goal"] == UNREACHED else f"{row['to_goal']} to a goal"
            said = CliRunner().invoke(cli, told).output
            assert f" {counted(row['distance'], 'move')} from the start, {lead}\n" in said
            document = json.loads(CliRunner().invoke(cli, asked).output)
            to_goal = None if row["to_goal"] == UNREACHED else row["to_goal"]
            assert (document["moves"], document["to_goal"]) == (row["distance"], to_goal)
    [document] = json.loads(CliRunner().invoke(cli, ["rounds", "hardest", "--json"]).output)
    assert {"moves", "to_goal"} <= document.keys()


def test_every_end_of_an_exported_move_is_a_state_of_it(run_folder: Path, tmp_path: Path) -> None:
    file, rules, size = tmp_path / "rows.parquet", LIGHTS.rules_of("press"), {"rows": 3, "columns": 3}
    known = naive.distances([0], lambda state: rules.moves(size, state).values())
    done = CliRunner().invoke(cli, ["lights", "export", "--edges", str(file), "--size", "rows=3,columns=3"])
    assert done.exit_code == 0, done.output
    rows = pq.read_table(file).to_pylist()
    assert sorted((row["state"], row["next"]) for row in rows) == sorted(
        (state, there) for state in known for there in rules.moves(size, state).values()
    )


def test_a_claim_on_what_cannot_be_reached_is_measured_as_that() -> None:
    found = Found([1], 1)
    assert Takes(3, "a test", state=5).measured(found) == "cannot be reached"
    assert ToGoal(3, "a test").measured(found) == "no goal can be reached"


@kernel(RULE)
def shifted(size: Any, state: Any, out: Any) -> int:
    """Images that moves go along with, but the start does not."""
    for image in range(8):
        out[image] = state ^ np.uint64(image)
    return 8


@kernel(RULE)
def exchanged(size: Any, state: Any, out: Any) -> int:
    """The first two lamps exchanged: moves do not go along."""
    differs = (state ^ state >> np.uint64(1)) & np.uint64(1)
    out[0], out[1] = state, state ^ (differs | differs << np.uint64(1))
    return 2


class ExchangedRules(TurnedRules):
    """The images of ``exchanged``."""

    def images(self, size: Mapping[str, int], state: int) -> list[int]:
        text = self.text(size, state)
        return [state, self.parse(size, text[1] + text[0] + text[2:])]


@kernel(RULE)
def twice(size: Any, state: Any, out: Any) -> int:
    """Eight images, of which the state is none."""
    return turned(size, state ^ np.uint64(1), out)


class ShiftedRules(TurnedRules):
    """The images of ``shifted``."""

    def images(self, size: Mapping[str, int], state: int) -> list[int]:
        return [state ^ image for image in range(8)]


@kernel(RULE)
def nothing(size: Any, state: Any, out: Any) -> int:
    """Takes no move back."""
    return 0


@kernel(RULE)
def countless(size: Any, state: Any, out: Any) -> int:
    """Says that it takes more moves back than there are."""
    return 20


def square(**more: Any) -> Puzzle:
    states = replace(LIGHTS.sparse, **{name: more.pop(name) for name in ("images", "order") if name in more})
    return replace(LIGHTS, sizes=lambda config: [{"rows": 3, "columns": 3}], states=states, **more)


@pytest.mark.parametrize(
    ("puzzle", "text"),
    [
        (
            square(images=twice),
            r"8 images, of 8 symmetries, of state 0\n(.|\n)*; the kernel alone has \[1, 4, 64\]\n\*\.\.\n",
        ),
        (square(order=lambda size: 4), "images, of 4 symmetries, of state"),
        (square(images=shifted, rules=ShiftedRules()), "1 is an image of a start and no start"),
        (
            square(images=exchanged, order=lambda size: 2, rules=ExchangedRules()),
            "moves do not go along with symmetries",
        ),
        (replace(ROUNDS, retract={"both": nothing}), "retract of both does not find it"),
        (replace(ROUNDS, retract={"both": countless}), "both/?.*retract of both at state [0-9]+ returns 20"),
        (replace(ROUNDS, retract={"both": before}), "retract of both finds that a move leads from state"),
    ],
)
def test_faulty_symmetries_and_moves_back_are_named_with_their_state(puzzle: Puzzle, text: str) -> None:
    [case] = puzzle.cases(puzzle.config())
    with pytest.raises(RuleError, match=text):
        try_rules(puzzle, case)


@kernel(RULE)
def mostly_shut(size: Any, state: Any, out: Any) -> int:
    """Presses, but at one state it knows one move alone, so the search finds that state again and again."""
    number = press(size, state, out)
    return 1 if state == 0 else number


def test_a_search_that_does_not_end_names_the_move_that_is_not_taken_back() -> None:
    for states in (LIGHTS.states, Sparse(start=lambda size: 0)):
        puzzle = square(moves={"press": mostly_shut})
        puzzle = replace(puzzle, states=states)
        [case] = puzzle.cases(puzzle.config())
        with pytest.raises(RuleError, match=r"finds the same states again, .*; .*state 0") as raised:
            reached(puzzle, case)
        assert "\n" in str(raised.value)  # the drawing


@kernel(RULE)
def uncompiled(size: Any, state: Any, out: Any) -> int:
    """Adds what cannot be added, at a state that is none."""
    out[0] = state + "one" if state > 5000 else state
    return 1


def test_words_that_turn_out_few_are_few_for_verify_however_many_the_plan_counts(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardspace.graphs.space.SORTED", 10**9)
    for work in (one for one in recorded_work(run_folder) if one.space.name in {"lights", "rounds"}):
        shards = list(finished_shards(work, FinishedStages(SpaceFolder(run_folder, work.space.name), work.space)))
        assert is_small(shards)
        assert not is_small(replace(one, seconds=one.stage.seconds) for one in shards)


def test_rules_that_fail_or_do_not_compile_are_tried_once_and_run_again_afresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "lights.toml"
    config.write_text("[lights]\nrows = [2]\n")
    for name, rule in (("nothing", nothing), ("uncompiled", uncompiled)):
        monkeypatch.setitem(LIGHTS.moves, "press", rule)
        done = CliRunner().invoke(cli, ["run", str(config), "--out", str(tmp_path / name), "--workers", "0"])
        assert done.exit_code, done.output
        assert "it would fail again: mend the cause and run with --fresh" in done.output
        assert "times:" not in done.output


def test_goals_without_a_way_back_are_refused_when_the_plug_in_is_loaded() -> None:
    for puzzle in (ROUNDS, NUMBERED):
        with pytest.raises(BoardspaceError, match="retract lacks both"):
            space_of(replace(puzzle, retract={}), __file__)
