"""Faulty rules: an author hears of them in the first second, with the state; what gets past that, verify finds."""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from click.testing import CliRunner

from boardspace.cli.commands.verify import fault_lines
from boardspace.cli.main import cli
from boardspace.engine.plan import Work
from boardspace.graphs import (
    Count,
    DeadEnds,
    Dense,
    Greatest,
    LevelCounts,
    OwnColumn,
    Puzzle,
    SecondRules,
    States,
    Takes,
    ToGoal,
    classes,
    levels,
    space_of,
    sparse,
)
from boardspace.graphs.classes import some_states, states_of
from boardspace.graphs.levels import FORWARD
from boardspace.graphs.questions import answers
from boardspace.graphs.space import checks_of, measure
from boardspace.graphs.sparse import cut_levels
from boardspace.graphs.trying import TRIED, RuleError, try_rules
from boardspace.graphs.word_answers import SparseAnswers
from boardspace.spec import registry
from boardspace.spec.check import Check
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Draw
from boardspace.storage.run_folder import FinishedStages, SpaceFolder
from boardspace.verify.executor import Executor
from boardspace.verify.logic import begin_checks
from boardspace.verify.result import Fault
from boardspace_kernels.bits import popcount
from boardspace_kernels.graph.rule import GOAL, RULE
from boardspace_kernels.jit import kernel
from tests.pipeline.finished import finished_stages, run_of
from tests.puzzles import BEADS, LAMPS, LIGHTS, ROUNDS, BeadRules, LampRules, LampsConfig, RoundRules, press

BOARD = {"rows": 3, "columns": 3}
ANYTHING: Any = len
"""Function that is not called."""


@kernel(RULE)
def beyond(size: Any, state: Any, out: Any) -> int:
    """Leads to a state that is none."""
    out[0] = state ^ np.uint64(1 << 9)
    return 1


@kernel(RULE)
def one_way(size: Any, state: Any, out: Any) -> int:
    """Leads to lamps from which nothing leads back."""
    out[0] = state | np.uint64(1)
    return 1


@kernel(RULE)
def one_lamp(size: Any, state: Any, out: Any) -> int:
    """Switches one lamp alone."""
    for place in range(9):
        out[place] = state ^ (np.uint64(1) << np.uint64(place))
    return 9


@kernel(RULE)
def negative(size: Any, state: Any, out: Any) -> int:
    """Returns no number of neighbours."""
    return -1


@kernel(RULE)
def numberless(size: Any, state: Any, out: Any) -> None:
    """Returns nothing."""
    out[0] = state


@kernel(RULE)
def by_chance(size: Any, state: Any, out: Any) -> int:
    """Leads to one of very many states."""
    out[0] = np.random.randint(0, 1 << 30)
    return 1


class OneWayRules(LampRules):
    """The rules of ``one_way``."""

    def moves(self, size: Mapping[str, int], state: int) -> dict[str, int]:
        return {"a1": state | 1}


class UnreadRules(LampRules):
    """Rules whose drawings cannot be read."""

    def text(self, size: Mapping[str, int], state: int) -> str:
        return super().text(size, state).replace("*", ".")

    def moves(self, size: Mapping[str, int], state: int) -> dict[str, int]:
        out = np.zeros(9, np.uint64)
        press(np.array([3, 3]), np.uint64(state), out)
        return {str(place): int(there) for place, there in enumerate(out)}


def puzzle_with(rule: Any = press, **more: Any) -> Puzzle:
    return replace(LAMPS, moves={"press": rule}, sizes=lambda config: [BOARD], **more)


class RaisingRules(LampRules):
    """Rules that read beyond a text."""

    def moves(self, size: Mapping[str, int], state: int) -> dict[str, int]:
        return {"a1": int("x")} if state > 3 else super().moves(size, state)


class MissingRules(LampRules):
    """Rules whose drawings are read with a sign that nobody knows."""

    def parse(self, size: Mapping[str, int], text: str) -> int:
        return {".": 0}["*"]


@kernel(RULE)
def dividing(size: Any, state: Any, out: Any) -> int:
    """Divides by nothing."""
    return len(out) // (int(state) - int(state))


@kernel(GOAL)
def is_dark(size: Any, state: Any) -> bool:
    """No lamp is on."""
    return state == np.uint64(0)


@kernel(GOAL)
def is_read_beyond(size: Any, state: Any) -> bool:
    """Reads a number that a size does not have."""
    return size[2] == state


class SolvedRules(LampRules):
    """Says what is solved, where there are no goals."""

    def solved(self, size: Any, state: int) -> bool:
        return state == 0


def lamp_rules_with(**more: Any) -> LampRules:
    """The rules of lamps with another method."""
    return cast(LampRules, type("OtherRules", (UnreadRules,), more)())


FAULTY: dict[str, tuple[Puzzle, str]] = {
    "beyond": (puzzle_with(beyond), "finds 512, which is no state below 512"),
    "one way": (puzzle_with(one_way, rules=OneWayRules()), "none back, though the puzzle is undirected"),
    "by chance": (
        puzzle_with(by_chance, states=Dense(count=lambda size: 1 << 30)),
        "the kernel of press, called again, finds other",
    ),
    "one lamp": (puzzle_with(one_lamp), "kernel and second rules differ at state 0"),
    "numberless": (puzzle_with(numberless), "returns None: it writes the neighbours"),
    "negative": (puzzle_with(negative), "returns -1"),
    "too many": (puzzle_with(most_moves=lambda size: 5), "raise most_moves"),
    "raising": (puzzle_with(rules=RaisingRules()), "the rules raise ValueError: invalid literal"),
    "missing": (puzzle_with(rules=MissingRules()), "test_faulty_rules.py, line"),
    "dividing": (puzzle_with(dividing), "the rules raise ZeroDivisionError"),
    "no solved": (
        puzzle_with(states=Dense(count=lambda size: 512, goal=is_dark)),
        "the puzzle has goals: give its second rules solved(size, state)",
    ),
    "goal beyond": (
        puzzle_with(states=Dense(count=lambda size: 512, goal=is_read_beyond), rules=SolvedRules()),
        "the rules raise IndexError: index 2 is out of bounds",
    ),
    "unread": (puzzle_with(rules=UnreadRules()), "is read as 0"),
    "no text": (puzzle_with(rules=lamp_rules_with(text=lambda *_: 5)), "text of the second rules returns 5 at state 0"),
    **{
        f"moves {moves!r}": (
            puzzle_with(rules=lamp_rules_with(moves=lambda *_, moves=moves: moves)),
            "give a dictionary",
        )
        for moves in ([1, 2], {("a", 1): 3}, {1: 3}, {"a1 ": 3}, {"": 3}, {"hint": 3}, {"a1": "*"})
    },
}


@pytest.mark.parametrize("kind", FAULTY)
def test_a_faulty_rule_is_named_with_its_state_and_drawing(kind: str) -> None:
    puzzle, text = FAULTY[kind]
    [case] = puzzle.cases(puzzle.config())
    with pytest.raises(RuleError) as raised:
        try_rules(puzzle, case)
    assert text in str(raised.value)
    assert str(raised.value).startswith("lamps, press/3x3: ")
    assert kind == "no text" or len(str(raised.value).splitlines()) >= 4  # the drawing


def test_a_fault_that_a_walk_of_words_meets_is_told_alike() -> None:
    puzzle = replace(LIGHTS, most_moves=lambda size: 5)
    with pytest.raises(RuleError, match=r"^lights, press/2x3: the kernel of press at state 0 reads or writes beyond"):
        try_rules(puzzle, puzzle.cases(puzzle.config())[0])


def test_rules_that_end_the_process_are_a_fault_and_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LampRules, "moves", lambda rules, size, state: sys.exit(0))
    with pytest.raises(RuleError, match="at state 0 the rules raise SystemExit: 0"):
        try_rules(LAMPS, LAMPS.cases(LAMPS.config())[0])
    done = CliRunner().invoke(cli, ["lamps", "show", "#1", "--json"])
    assert (done.exit_code, "SystemExit: 0" in done.output) == (2, True), done.output


@pytest.mark.parametrize("together", [None, lambda *asked: sys.exit(0)])
def test_a_check_of_verify_that_ends_the_process_is_a_fault_of_the_data(together: Any) -> None:
    check = Check("own", {}, "what an author wrote", lambda *asked: sys.exit(0), together=together)
    work: Any = Work(ANYTHING, ANYTHING, ANYTHING)
    (found,) = begin_checks(Executor(), lambda: ((check,), work, ANYTHING), [check], Draw())()
    assert found[0].fault.startswith("cannot be made: SystemExit: 0")


def test_second_rules_that_miss_a_goal_are_found_before_the_search_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RoundRules, "solved", lambda rules, size, state: state != 50 and state % 100 == 50)
    for space in ("rounds", "numbered"):
        (tmp_path / "config.toml").write_text(f"[{space}]\n")
        command = ["run", str(tmp_path / "config.toml"), "--out", str(tmp_path / space), "--workers=0"]
        done = CliRunner().invoke(cli, command)
        assert done.exit_code
        assert "kernel and second rules do not agree whether state 50 is a goal" in done.output


@kernel(RULE)
def alone(size: Any, label: Any, out: Any) -> int:
    """A class of one string, which is the label."""
    out[0] = label
    return 1


@kernel(RULE)
def far_off(size: Any, state: Any, out: Any) -> int:
    """Two images, or states before, and one written where there may be anything."""
    out[0], out[1] = state, state
    out[1 << 40] = state
    return 2


@kernel(RULE)
def unheeding(size: Any, label: Any, out: Any) -> int:
    """The strings with so many beads as the label says, however many there is room for."""
    number = 0
    for state in range(1 << size[0]):
        if popcount(np.uint64(state)) == label:
            out[number] = state
            number += 1
    return number


def test_kernels_that_write_outside_are_named_before_they_run_compiled(tmp_path: Path) -> None:
    images = replace(LIGHTS, states=replace(LIGHTS.sparse, images=far_off))
    back = replace(ROUNDS, retract=dict.fromkeys(ROUNDS.moves, far_off))
    for puzzle, said in ((images, "in far_off"), (back, "retract of .* reads or writes beyond an array")):
        config, inputs = puzzle.config(), FinishedStages(SpaceFolder(tmp_path, puzzle.name), ANYTHING)
        assert cut_levels(puzzle, FORWARD, config, inputs.with_rounds(FORWARD, []))
        for ask in (try_rules, lambda puzzle, case: SparseAnswers(puzzle, case).distance(puzzle.starts(case.size)[0])):
            with pytest.raises(RuleError, match=said):
                ask(puzzle, puzzle.cases(config)[0])
    beads = replace(BEADS, states=replace(states_of(BEADS), place=unheeding))
    with pytest.raises(RuleError, match="place finds 9 states of label 1, and writes beyond its array"):
        list(some_states(beads, beads.cases(beads.config())[-1]))


def test_rules_are_tried_at_classes_all_over_and_at_their_goals() -> None:
    puzzle = replace(BEADS, states=replace(states_of(BEADS), place=alone, labels=lambda size: 2 ** size["places"]))
    case = puzzle.cases(puzzle.config())[-1]
    states = set(islice(some_states(puzzle, case), 2 * TRIED))
    assert {0, 1, 2} <= states
    assert len([state for state in states if state >= 256]) > 5
    case = BEADS.cases(BEADS.config())[-1]
    beads = {bin(state).count("1") for state in some_states(BEADS, case) if BeadRules().solved(case.size, state)}
    assert beads == set(range(2, 10))


def test_sound_rules_pass() -> None:
    puzzle = puzzle_with()
    [case] = puzzle.cases(puzzle.config())
    try_rules(puzzle, case)


class EndlessRules(SecondRules):
    """Rules that Ctrl-C has to stop."""

    def moves(self, size: Mapping[str, int], state: int) -> dict[str, int]:
        raise KeyboardInterrupt


def test_a_shard_says_at_which_state_it_tries_rules_that_may_not_end() -> None:
    kinds: list[tuple[Puzzle, Any, tuple[str, ...]]] = [
        (LAMPS, levels.find_level, (FORWARD,)),
        (LIGHTS, sparse.find_level, (FORWARD,)),
        (BEADS, classes.find_groups, ()),
    ]
    for puzzle, compute, stage in kinds:
        heard: list[str] = []
        inputs: Any = SimpleNamespace(report=heard.append)
        endless, config = replace(puzzle, rules=EndlessRules()), puzzle.config()
        params = {"case": puzzle.cases(config)[-1].name, "level": 0, "low": 0, "high": 1, "ranges": [0]}
        with pytest.raises(KeyboardInterrupt):
            compute(endless, *stage, config, params, inputs)
        assert heard == [f"tries the rules of {params['case']} at state 0"]


def test_statements_of_one_have_no_plural() -> None:
    one = [Greatest(1, "us"), Count(1, "us", moves=1), Count(1, "us"), Takes(1, "us", state=1), ToGoal(1, "us")]
    texts = " ".join(statement.text for statement in (*one, States(1, "us")))
    assert not re.search(r"(states|moves)\b", texts.replace("farthest states", "")), texts
    assert DeadEnds(1, "us").text == "From 1 state that can be reached no moves lead to a goal"


def with_states(puzzle: Puzzle, **more: Any) -> Puzzle:
    return replace(puzzle, states=replace(puzzle.states, **more))


def lamps_with(**more: Any) -> Puzzle:
    return replace(LAMPS, **more)


def with_sizes(*sizes: Mapping[str, Any]) -> Puzzle:
    return replace(LAMPS, sizes=lambda config: sizes, whole=(), claims={})


def solve() -> None:
    """A command that every puzzle has."""


DECLARED: dict[str, tuple[Puzzle, str]] = {
    "no kernel": (replace(LAMPS, moves={"press": lambda size, state, out: 0}), r"moves\['press'\] is no kernel"),
    "name": (replace(LAMPS, moves={"Press it": press}), "cannot be named 'Press it'"),
    "no metric": (replace(LAMPS, moves={}), "cannot be named"),
    "sizes": (replace(LAMPS, whole=[{"columns": 3, "rows": 3}]), "the same names in one order"),
    "rules": (replace(LAMPS, rules={"other": LampRules()}), "no second rules of press"),
    "claim without size": (replace(LAMPS, claims={"most": Greatest(9, "a test")}), r"claims\['most'\] is on no case"),
    "claim on no metric": (
        replace(LAMPS, claims={"most": Greatest(9, "a test", metric="pull", size=BOARD)}),
        "say metric=, one of press",
    ),
    **{
        f"claim, {text}": (replace(LAMPS, claims={"most": claim}), rf"lamps: claims\['most'\].*{text}")
        for claim, text in (
            (cast(Any, 9), "is 9: give a statement"),
            (Greatest("9", "a test", size=BOARD), "value: a whole number is wanted, not '9'"),
            (Greatest(-9, "a test", size=BOARD), "value: -9 is not from 0"),
            (Greatest(9, cast(Any, 9), size=BOARD), "source: a text"),
            (Greatest(9, "a test", size={"rows": 3, "columns": cast(Any, "3")}), "is on no case"),
            (Count(9, "a test", moves=cast(Any, "3"), size=BOARD), "moves: a whole number is wanted"),
            (LevelCounts("19", "a test", size=BOARD), "numbers of all levels, such as"),
            (LevelCounts([1, 9.5], "a test", size=BOARD), "value: a whole number is wanted, not 9.5"),
            (Takes(9, "a test", state=512, size=BOARD), "is on 512: give its drawing, or its number below 512"),
            (Takes(9, "a test", state="?", size=BOARD), r"is on '\?', which is no state: 3 lines of 3 lamps"),
            (ToGoal(9, "a test", size=BOARD), "is on goals, and the states have none"),
        )
    },
    **{
        f"odd {name}": (lamps_with(**{name: value}), f"lamps: {name} is .*: give ")
        for name, value in {
            "title": 5,
            "moves": [press],
            "states": Dense,
            "undirected": "no",
            "config": LampsConfig(),
            "sizes": [BOARD],
            "whole": BOARD,
            "claims": [Greatest(9, "a test", size=BOARD)],
            "columns": OwnColumn("lit", "", ANYTHING, ANYTHING),
            "commands": solve,
            "pddl": "text",
            "authors": "name",
        }.items()
    },
    "no goal": (replace(LAMPS, rules=SolvedRules()), "its states have no goal: give them the kernel"),
    "command": (replace(LAMPS, commands=(solve,)), "every puzzle has a command solve"),
    "one way": (replace(BEADS, undirected=False), "say undirected=True"),
    "no rules": (lamps_with(rules=None), "no second rules of press: give an object"),
    "rules that are a class": (lamps_with(rules=LampRules), "no second rules of press: give an object"),
    "no function": (lamps_with(most_moves=9), "most_moves is 9: give a function of a size to a whole number"),
    "half a move": (lamps_with(most_moves=lambda size: 4.5), "press/.*: most_moves is 4.5: give a function"),
    "no order": (with_states(LIGHTS, order=lambda size: 0), "order is 0: give a function"),
    "about text": (with_states(LIGHTS, about=lambda size: "many"), "about is 'many': give a function"),
    "no labels": (with_states(BEADS, labels=lambda size: -1), "labels is -1: give a function"),
    "no states": (with_states(LAMPS, count=lambda size: 0), "count is 0: give a function"),
    "half a state": (with_states(LAMPS, count=lambda size: 1024 / 2), "count is 512.0: give a function"),
    "too many states": (with_states(LAMPS, count=lambda size: 1 << 36), "count is 68719476736: give a function"),
    "range": (with_states(LAMPS, range=100), "range is 100: give a multiple of 64"),
    "start beyond": (with_states(LAMPS, start=lambda size: 1 << 30), "gives 1073741824: give a whole number below"),
    "start of a half": (with_states(LAMPS, start=lambda size: 0.5), "start gives 0.5: give a whole number"),
    "start below": (with_states(LAMPS, start=lambda size: -1), "start gives -1: give a whole"),
    "start beyond a word": (with_states(LIGHTS, start=lambda size: [0, 1 << 64]), "gives 18446744073709551616: give"),
    "no start": (with_states(LIGHTS, start=lambda size: []), r"start gives \[\]: give a whole"),
    "start text": (with_states(LIGHTS, start=lambda size: "*"), r"start gives '\*': give a whole"),
    "no metric of a config": (lamps_with(metrics=lambda config: ["pull"]), "there is no metric 'pull': press"),
    "half a size": (with_sizes({"rows": 3, "columns": 1.5}), "a size has 'columns': 1.5"),
    "less than no size": (
        with_sizes({"rows": 3, "columns": -1}),
        "a size has 'columns': -1",
    ),
    "named size": (
        replace(LAMPS, sizes=lambda config: [{"a b": 3}], whole=(), claims={}),
        "cannot have 'a b': name columns",
    ),
    "size twice": (with_sizes(BOARD, BOARD), "sizes gives .* twice"),
    "size as a column": (
        replace(LAMPS, sizes=lambda config: [{"state": 3}], whole=(), claims={}),
        "cannot have 'state': name",
    ),
    "column": (
        replace(LIGHTS, columns=(OwnColumn("distance", "", ANYTHING, ANYTHING),)),
        "cannot have 'distance': name",
    ),
}


@pytest.mark.parametrize("kind", DECLARED)
def test_what_cannot_be_declared_is_refused_when_the_plug_in_is_loaded(kind: str) -> None:
    puzzle, text = DECLARED[kind]
    with pytest.raises(BoardspaceError, match=text):
        space_of(puzzle, __file__)


def test_a_size_of_a_config_or_of_a_question_is_refused_alike() -> None:
    puzzle = replace(LAMPS, sizes=lambda config: [{"rows": 1, "columns": config.most}])
    for many in ({"rows": 6, "columns": 6}, {"rows": -1, "columns": 2}):
        with pytest.raises(BoardspaceError, match=r"count is 68719476736|'rows': -1"):
            answers("lamps", size=many)
    space, _ = space_of(puzzle, __file__)
    with pytest.raises(BoardspaceError, match="count is 68719476736"):
        space.parts[0].stages(LampsConfig.model_construct(most=36))


def test_a_column_of_an_author_has_a_value_for_each_state() -> None:
    three: Any = lambda size, states: 3  # noqa: E731
    puzzle = replace(LIGHTS, columns=(OwnColumn("lit", "Lamps that are lit.", three, ANYTHING),))
    with pytest.raises(BoardspaceError, match=r"of the column lit returns \(\) values for 2 states"):
        puzzle.own(puzzle.cases(puzzle.config())[0], np.zeros(2, np.uint64))


def test_a_claim_may_name_the_numbers_of_its_size_in_any_order(run_folder: Path) -> None:
    claims = {"most": Greatest(9, "a test", size={"columns": 3, "rows": 3})}
    config, stages = finished_stages(run_folder, LAMPS.config)
    assert measure(replace(LAMPS, claims=claims), config, stages)["most"].value == 9


@kernel(RULE)
def planted(size: Any, state: Any, out: Any) -> int:
    """Presses as they should be, but for one move of one state and its way back."""
    number = press(size, state, out)
    if state == np.uint64(1234):
        out[3] = state ^ np.uint64(1)
    if state == np.uint64(1235):
        out[3] = state ^ np.uint64(1)
    return number


@pytest.fixture
def planted_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], tuple[Any, Any]]:
    """A run whose kernel is wrong at two states of 4,096."""
    monkeypatch.setenv(registry.PLUGINS, "tests.lamps")
    monkeypatch.setitem(LAMPS.moves, "press", planted)
    root = run_of("[lamps]\n", tmp_path)
    return lambda: finished_stages(root, LAMPS.config)


def test_verify_finds_a_wrong_rule_in_the_kernel_by_the_second_rules(planted_run: Any) -> None:
    config, inputs = planted_run()
    distances, rules = (check.run(config, inputs, Draw(3)) for check in checks_of(LAMPS))
    assert not distances.fault  # the distances are those of the wrong kernel
    assert "kernel and second rules differ at state 1234" in rules.fault
    assert "\n1235, which the kernel finds alone:\n" in rules.fault
    told = list(fault_lines(Fault("logic", "lamps/rules", rules.fault)))
    assert told[0].startswith("lamps/rules: ")
    assert told[1:] == rules.fault.split("\n")[1:]
