"""Checks of a puzzle of closed classes: groups found again by the second rules, totals, and rules compared.

That no group is missing follows from the number of all states, which the author counts by other means: a group left out
with all its figures would be consistent otherwise.
"""

from functools import partial
from typing import Any

import numpy as np
import pyarrow.compute as pc

from boardspace.graphs.classes import Survey, hardest_rows, listed_ways, states_of, survey
from boardspace.graphs.puzzle import Case, Puzzle
from boardspace.graphs.trying import rule_fault
from boardspace.spec.second_rules import Group
from boardspace.spec.space import Draw, Inputs, Outcome
from boardspace_kernels.graph.dense import UNREACHED

MADE_AGAIN = 1 << 24
"""States of a case that are all placed again; of larger ones some labels are."""
LABELS = 20
DRAWN = 40
"""Groups that the second rules search."""
LARGEST = 2000
"""States of a group that they search."""
COMPARED = 200


def check_totals(puzzle: Puzzle, config: Any, inputs: Inputs, draw: Draw) -> Outcome:
    """The number of all states; groups and levels made again, all or of drawn labels; the hardest chosen again."""
    cases = of = 0
    listed, counted = [], []
    groups, given = inputs.table(puzzle.groups.name), inputs.table("levels").to_pylist()
    for case in puzzle.cases(config):
        rows, states = case.among(groups), states_of(puzzle)
        count, labels = states.count(case.size), states.labels(case.size)
        of += rows.num_rows
        total = pc.sum(rows.column("states")).as_py() or 0
        if total != count:
            return Outcome(cases, of, f"{case.name}: count says {count:,} states, and all groups have {total:,}")
        whole = draw.everything or count <= MADE_AGAIN
        chosen = [range(labels)] if whole else [range(label, label + 1) for label in draw.choose(labels, LABELS)]
        levels = np.zeros(UNREACHED + 1, np.int64)
        for some in chosen:
            found = survey(puzzle, case, some)
            levels += found.levels
            here = rows if whole else rows.filter(pc.equal(rows.column("label"), some.start))
            cases += len(found.states)
            if fault := _fault_of_groups(here, found):
                return Outcome(cases, of, f"{case.name}: {fault}")
        sizes = np.trim_zeros(levels[:UNREACHED], "b").tolist()
        if whole:
            counted += [{**case.columns, "distance": d, "states": number} for d, number in enumerate(sizes)]
        else:
            counted += _plausible(case, rows, given)
        listed += hardest_rows(puzzle, case, rows)
    for name, found_rows, expected_rows in (
        ("levels", given, counted),
        ("hardest", inputs.table("hardest").to_pylist(), listed),
    ):
        if found_rows != expected_rows:
            return Outcome(cases, of, f"the table {name} does not hold what follows from the groups")
    return Outcome(cases, of)


def _fault_of_groups(rows: Any, found: Survey) -> str:
    """The first difference of rows of groups from these groups, made again; '' where there is none."""
    if rows.num_rows != len(found.states):
        return f"{len(found.states)} groups, and the table has {rows.num_rows}"
    states, goals, distance, farthest = found.figures.T
    far = np.where(distance < 0, UNREACHED, distance)
    expected = {"label": found.labels, "state": found.states, "states": states, "goals": goals, "farthest": farthest}
    expected |= {"distance": far, "hardest": np.where(far == UNREACHED, 0, found.hardest)}
    for name, values in expected.items():
        column = rows.column(name).fill_null(UNREACHED if name == "distance" else 0).to_numpy()
        for wrong in np.flatnonzero(column != values)[:1]:
            what = f"{name} {values[wrong]}, the table says {column[wrong]}"
            return f"the group of state {found.states[wrong]} has {what}"
    return ""


def _plausible(case: Case, groups: Any, levels: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The levels of a case that was not made again: as they are, where ends and sum follow from the groups; else []."""
    here = [row for row in levels if case.columns.items() <= row.items()]
    solvable = groups.filter(pc.is_valid(groups.column("distance")))
    farthest = pc.max(solvable.column("distance")).as_py()
    at_it = solvable.filter(pc.equal(solvable.column("distance"), farthest))
    fits = (
        [row["distance"] for row in here] == list(range((farthest or 0) + 1))
        and here[0]["states"] == pc.sum(solvable.column("goals")).as_py()
        and here[-1]["states"] == pc.sum(at_it.column("farthest")).as_py()
        and sum(row["states"] for row in here) == pc.sum(solvable.column("states")).as_py()
    )
    return here if fits else []


def check_groups(puzzle: Puzzle, config: Any, inputs: Inputs, draw: Draw) -> Outcome:
    """Drawn groups searched by the second rules from their least states, and the kernels compared with these rules."""
    cases, of, left, random = 0, 0, 0, draw.generator()
    groups, listed = inputs.table(puzzle.groups.name), inputs.table("hardest")
    for case in puzzle.cases(config):
        rows = case.among(groups)
        of += rows.num_rows
        hardest = {row["state"]: row for row in case.among(listed).to_pylist()}
        of_hardest = np.flatnonzero(np.isin(rows.column("hardest").fill_null(0).to_numpy(), list(hardest)))
        drawn = draw.choose(rows.num_rows, DRAWN, random)
        drawn += of_hardest[draw.choose(len(of_hardest), DRAWN // 4, random)].tolist()
        for row in rows.take(sorted(set(drawn))).to_pylist():
            if row["states"] > LARGEST:
                left += 1
                continue
            cases += 1
            fault = _group_fault(puzzle, case, row, hardest) or rule_fault(puzzle, case, row["state"], thorough=False)
            if fault:
                return Outcome(cases, of, f"{case.name}: {fault}")
        for place in draw.choose(rows.num_rows, COMPARED, random):
            state = rows.column("hardest")[place].as_py()
            fault = rule_fault(puzzle, case, state, thorough=False) if state is not None else ""
            if fault:
                return Outcome(cases, of, f"{case.name}: {fault}")
    return Outcome(cases, of, left=f"{left} drawn groups have more than {LARGEST:,} states" if left else "")


def _group_fault(puzzle: Puzzle, case: Case, row: dict[str, Any], hardest: dict[int, dict[str, Any]]) -> str:
    """Fault of a row of groups, and of that of its hardest state where there is one, by the second rules; or ''."""
    rules = puzzle.rules_of(case.metric)
    group = Group.of(row["state"], partial(rules.moves, case.size), partial(rules.solved, case.size), row["states"])
    if group is None:
        return f"the group of state {row['state']} has more than {row['states']} states"
    first = min(group.farthest, default=None)
    expected = {
        "state": min(group.moves),
        "states": len(group.moves),
        "goals": group.goals,
        "distance": group.most,
        "farthest": len(group.farthest),
        "hardest": first,
    }
    for name, value in expected.items():
        if row[name] != value:
            return f"the group of state {row['state']} has {name} {value}, the table says {row[name]}"
    if first in hardest:
        ways = group.ways(first)
        for name, value in {"solutions": listed_ways(sum(ways.values())), "nearest": len(ways)}.items():
            if hardest[first][name] != value:
                return f"the hardest state {first} has {name} {value}, the table says {hardest[first][name]}"
    return ""
