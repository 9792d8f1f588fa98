"""A puzzle of closed classes: its groups are those of a slow search, and whatever is altered is found."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner

import boardspace
from boardspace.cli.main import cli
from boardspace.graphs import Closed, class_checks, classes, space_of
from boardspace.graphs.classes import survey
from boardspace.graphs.questions import answers
from boardspace.graphs.trying import RuleError, try_rules
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Draw
from boardspace_kernels.graph import closed
from boardspace_kernels.graph.rule import RULE
from boardspace_kernels.jit import kernel
from tests.naive import graph as naive
from tests.pipeline.finished import altered, finished_stages, run_of, with_values
from tests.puzzles import BEADS, swap

SIZES = (4, 9)


def test_classes_are_surveyed_alike_one_by_one_and_together(monkeypatch: pytest.MonkeyPatch) -> None:
    case, labels = BEADS.cases(BEADS.config())[-1], range(10)
    alone = [survey(BEADS, case, range(label, label + 1)) for label in labels]
    for capacity, together in ((1 << 16, 1 << 14), (140, 60), (100, 1), (1, 1)):
        monkeypatch.setattr(classes, "CAPACITY", capacity)
        monkeypatch.setattr(classes, "TOGETHER", together)
        found = survey(BEADS, case, labels)
        assert np.sum([one.levels for one in alone], axis=0).tolist() == found.levels.tolist()
        for name in ("labels", "states", "figures", "hardest"):
            assert np.concatenate([getattr(one, name) for one in alone]).tolist() == getattr(found, name).tolist()


def by_hand(places: int) -> tuple[list[dict[str, Any]], dict[int, int]]:
    """The rows of the groups, and the distances of all states, by a dictionary."""
    size, rules = {"places": places}, BEADS.rules_of("swap")

    def moves(state: int) -> Iterable[int]:
        return rules.moves(size, state).values()

    goals = [state for state in range(2**places) if rules.text(size, state)[-2:] == "oo"]
    distances, rows, seen = naive.distances(goals, moves), [], set[int]()
    for state in sorted(range(2**places), key=lambda state: (state.bit_count(), state)):
        if state in seen:
            continue
        group = sorted(naive.distances([state], moves))
        seen |= set(group)
        farthest = max((distances[one] for one in group if one in distances), default=None)
        at_it = [one for one in group if farthest is not None and distances[one] == farthest]
        rows.append(
            {
                "metric": "swap",
                "places": places,
                "label": state.bit_count(),
                "state": state,
                "states": len(group),
                "goals": sum(distances.get(one) == 0 for one in group),
                "distance": farthest,
                "farthest": len(at_it),
                "hardest": at_it[0] if at_it else None,
                "first": state & 1,
            }
        )
    return rows, distances


def ways_by_hand(places: int, state: int) -> tuple[int, int]:
    """Shortest ways from a state to goals, each followed by itself, and the goals that they lead to."""
    size, rules, distances = {"places": places}, BEADS.rules_of("swap"), by_hand(places)[1]
    ends = [state]
    for left in range(distances[state] - 1, -1, -1):
        ends = [there for here in ends for there in rules.moves(size, here).values() if distances[there] == left]
    return len(ends), len(set(ends))


def test_groups_levels_and_hardest_states_are_those_of_a_slow_search(run_folder: Path) -> None:
    _, inputs = finished_stages(run_folder, BEADS.config)
    groups, levels = [], []
    for places in SIZES:
        rows, distances = by_hand(places)
        groups += rows
        for distance in range(max(distances.values()) + 1):
            number = sum(value == distance for value in distances.values())
            levels.append({"metric": "swap", "places": places, "distance": distance, "states": number})
    assert inputs.table("groups").to_pylist() == groups
    assert inputs.table("levels").to_pylist() == levels
    listed = inputs.table("hardest").to_pylist()
    for row in listed:
        assert (row["solutions"], row["nearest"]) == ways_by_hand(row["places"], row["state"])
    assert max(row["solutions"] for row in listed) > 3
    assert {row["state"] for row in listed} == {row["hardest"] for row in groups} - {None}
    assert any(row["distance"] is None for row in groups)
    assert len(groups) > 25


def test_claims_are_judged(run_folder: Path) -> None:
    claims = boardspace.open(run_folder)["beads"].claims
    assert [claims[name].verdict for name in ("all", "wrong", "six")] == ["confirmed", "refuted", "confirmed"]


def test_sizes_of_one_and_of_two_digits_are_published_in_order(tmp_path: Path) -> None:
    root = run_of("[beads]\nplaces = [10, 2, 9]\n", tmp_path)
    done = CliRunner().invoke(cli, ["publish", str(root), "--verified", "--out", str(tmp_path / "release")])
    assert done.exit_code == 0, done.output
    places = boardspace.open(tmp_path / "release")["beads"].tables["groups"].to_table().column("places").to_pylist()
    assert sorted(places) == places
    assert set(places) == {2, 9, 10}


def changed(rows: pa.Table, column: str) -> pa.Table:
    """Another value in the row that has the most states, or the last."""
    values = rows.column(column).to_pylist()
    place = int(np.argmax(rows.column("states").to_numpy())) if "states" in rows.column_names else len(values) - 1
    value = values[place]
    values[place] = f"{value}x" if isinstance(value, str) else (value or 0) + 1
    return with_values(rows, column, values)


def faults(config: Any, inputs: Any) -> list[str]:
    found = []
    for check in space_of(BEADS, __file__)[0].checks:
        try:
            found.append(check.run(config, inputs, Draw(2)).fault)
        except Exception as error:  # as a verification counts it
            found.append(repr(error))
    return found


@pytest.mark.columns
def test_every_wrong_column_and_every_missing_row_is_found(run_folder: Path) -> None:
    config, inputs = finished_stages(run_folder, BEADS.config)
    assert not any(faults(config, inputs))
    for table in (BEADS.groups, BEADS.levels, BEADS.farthest):
        for column in table.columns:
            wrong = altered(inputs, lambda _, n, rows: changed(rows, column.name) if n == table.name else rows)  # noqa: B023
            assert any(faults(config, wrong)), (table.name, column.name)
        shorter = altered(inputs, lambda _, n, rows: rows.slice(1) if n == table.name else rows)  # noqa: B023
        assert any(faults(config, shorter)), table.name


def test_a_group_left_out_with_all_its_figures_is_found_by_the_number_of_states(run_folder: Path) -> None:
    config, inputs = finished_stages(run_folder, BEADS.config)
    some = [row for row in inputs.table("groups").to_pylist() if row["goals"] == 0 and row["places"] == 9]
    keep = [row["state"] != some[-1]["state"] for row in inputs.table("groups").to_pylist()]
    wrong = altered(inputs, lambda _, n, rows: rows.filter(pa.array(keep)) if n == "groups" else rows)
    assert "count says 512 states" in faults(config, wrong)[0]


@pytest.mark.parametrize("place", [0, 5, -1])
def test_levels_of_a_case_too_large_to_be_made_again_follow_from_its_groups_by_their_ends_and_sum(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    monkeypatch.setattr(class_checks, "MADE_AGAIN", 0)
    config, inputs = finished_stages(run_folder, BEADS.config)
    assert not any(faults(config, inputs))

    def one_more(stage: str, name: str, rows: pa.Table) -> pa.Table:
        if name != "levels":
            return rows
        values = rows.column("states").to_pylist()
        values[place] += 1
        return with_values(rows, "states", values)

    assert "levels does not hold" in faults(config, altered(inputs, one_more))[0]
    shorter = altered(inputs, lambda _, n, rows: rows.slice(0, rows.num_rows - 1) if n == "levels" else rows)
    assert "levels does not hold" in faults(config, shorter)[0]


def test_ways_beyond_what_a_table_holds_are_null(run_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config, inputs = finished_stages(run_folder, BEADS.config)
    ways = inputs.table("hardest").column("solutions").to_pylist()
    few = [number if number < 4 else None for number in ways]
    assert set(few) > {None}
    wanting = altered(inputs, lambda _, n, rows: with_values(rows, "solutions", few) if n == "hardest" else rows)
    assert any("has solutions" in fault for fault in faults(config, wanting))
    monkeypatch.setattr(closed, "MANY", 4)
    assert not any(faults(config, wanting))
    assert any("has solutions" in fault for fault in faults(config, inputs))


@kernel(RULE)
def swap_twice(size: Any, state: Any, out: Any) -> int:
    """Writes each neighbour twice."""
    found = swap(size, state, out)
    out[found : 2 * found] = out[:found]
    return 2 * found


def test_a_kernel_that_counts_moves_otherwise_than_the_second_rules_is_refused() -> None:
    puzzle = replace(BEADS, moves={"swap": swap_twice}, most_moves=lambda size: 2 * size["places"])
    case = puzzle.cases(puzzle.config())[0]
    with pytest.raises(RuleError, match=r"finds state 4 2 times, and the second rules have another .* state 1:"):
        try_rules(puzzle, case, [1])


def test_a_group_is_searched_through_no_more_states_than_its_row_says(run_folder: Path) -> None:
    config, inputs = finished_stages(run_folder, BEADS.config)
    wrong = altered(inputs, lambda _, n, rows: with_values(rows, "states", [1] * len(rows)) if n == "groups" else rows)
    assert any("has more than 1 states" in fault for fault in faults(config, wrong))


@kernel(RULE)
def lost(size: Any, state: Any, out: Any) -> int:
    """Leads to a state of another class."""
    out[0] = state ^ np.uint64(1)
    return 1


@kernel(RULE)
def falling(size: Any, label: Any, out: Any) -> int:
    """States of a class that do not ascend."""
    out[0], out[1] = np.uint64(1), np.uint64(0)
    return 2


def test_moves_that_leave_a_class_and_states_that_do_not_ascend_are_named() -> None:
    case = BEADS.cases(BEADS.config())[0]
    assert isinstance(BEADS.states, Closed)
    for puzzle, text in (
        (replace(BEADS, moves={"swap": lost}), r"one outside of its class\n"),
        (replace(BEADS, states=replace(BEADS.states, place=falling)), "label 0 do not ascend"),
    ):
        with pytest.raises(RuleError, match=text):
            survey(puzzle, case, range(5))


def test_questions_about_groups_are_answered_with_a_run_and_without(run_folder: Path) -> None:
    rows, distances = by_hand(9)
    here = answers("beads", size={"places": 9})
    there = answers("beads", size={"places": 9}, dataset=boardspace.open(run_folder)["beads"])
    for state in range(0, 512, 5):
        assert here.distance(state) == distances.get(state)
        steps = here.solution(state)
        assert (steps is None) == (state not in distances)
        assert steps is None or len(steps) == distances[state]
        assert not steps or here.is_goal(steps[-1].state)
    best = max(row["distance"] for row in rows if row["distance"] is not None)
    hardest = here.hardest(9)
    assert hardest == there.hardest(9)
    assert [distances[state] for state in hardest] == sorted((distances[state] for state in hardest), reverse=True)
    assert distances[hardest[0]] == best
    assert distances[here.random(3, 2, 4)] in {2, 3, 4}
    for wrong in ("#512", "oooo", "?"):
        with pytest.raises(BoardspaceError, match="state"):
            here.parse(wrong)
