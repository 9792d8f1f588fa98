"""The space of a puzzle: its part, stages, checks, claims and commands, all made from what the puzzle declares."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from boardspace.graphs import checks, class_checks, classes, levels, sparse
from boardspace.graphs.claims import Found, Statement
from boardspace.graphs.declared import metric_of, refuse_cases, refuse_faults
from boardspace.graphs.paths import canonical_state, shortest_path_to_goal
from boardspace.graphs.puzzle import Case, Closed, Dense, Puzzle, Sparse
from boardspace.spec.claims import Claim
from boardspace.spec.deferred import DeferredFunction, Entry
from boardspace.spec.question import Parameter, Question
from boardspace.spec.space import Check, Inputs, Measurement, Part, Scope, Space, Stage, Table, one_shard
from boardspace_kernels.graph.dense import UNREACHED

COMMANDS = "boardspace.graphs.commands"
"""The module of the commands of all puzzles."""
INSTANCES = "boardspace.graphs.instances"
"""The module of their instances."""
BYTES_OF_A_GROUP, STATES_OF_A_GROUP = 12, 20
"""Roughly; groups of one state are the most."""
BYTES_OF_A_STATE = 2.5
"""Of levels and marks, roughly."""
SORTED = 3
"""Times as long as numbered states are in a search."""
BYTES_OF_A_ROW = 6
GOALS_PROVED = "; 0 moves to a goal at goals alone, else one more than the least of the neighbours"


@dataclass(frozen=True)
class PuzzleSpace(Space):
    """The space of a puzzle.

    puzzle: what it was made from.
    """

    puzzle: Puzzle = field(kw_only=True)


def space_of(puzzle: Puzzle, file: str) -> tuple[PuzzleSpace, tuple[Entry, ...]]:
    """The space of a puzzle, and the commands that ask it: ``SPACE, COMMANDS = space_of(PUZZLE, __file__)``.

    file: path of the module; texts say that the claims stand there.
    """
    refuse_faults(puzzle)
    kind = KINDS[type(puzzle.states)]
    part = Part(
        name=kind.part,
        stages=partial(_stages, puzzle),
        tables=tuple(getattr(puzzle, name) for name in kind.tables),
        arrays=(puzzle.distances, puzzle.to_goals)[: 1 + puzzle.has_goals] if isinstance(puzzle.states, Dense) else (),
        claims=partial(measure, puzzle),
        checks=(*kind.checks(puzzle), *own_checks(puzzle, kind.tables)),
        results=partial(kind.module.results, puzzle),
        scope="sizes" if puzzle.whole else "",
    )
    space = PuzzleSpace(
        name=puzzle.name,
        version=puzzle.version,
        title=puzzle.title,
        doc=puzzle.doc,
        config=puzzle.config,
        parts=(part,),
        claims_file=Path(file),
        statements=tuple(_claim(puzzle, name, one) for name, one in puzzle.claims.items()),
        warm_up=partial(kind.module.warm_up, puzzle),
        scopes=_scopes(puzzle),
        authors=puzzle.authors,
        instances=INSTANCES,
        games=partial(DeferredFunction("boardspace.graphs.games", "games"), puzzle.name),
        puzzle=puzzle,
        questions=(_moves(puzzle),),
    )
    command = puzzle.name.replace("_", "-")
    return space, (Entry(command, f"{puzzle.title}: show, solve, play.", COMMANDS),)


def _moves(puzzle: Puzzle) -> Question:
    ask = DeferredFunction("boardspace.graphs.questions", "moves")
    size = ",".join(f"{name}={value}" for name, value in [*puzzle.sizes(puzzle.config())][-1].items())
    sized = (Parameter("size", "text", "Of the puzzle, its numbers by name.", size, required=False),) if size else ()
    return Question(
        "moves",
        "How many moves a state takes, and every next move with those that it leaves.",
        partial(ask, puzzle.name),
        (
            Parameter("state", "text", "Its drawing, or # and its number.", "#0", required=False),
            Parameter("metric", "text", "What counts as one move.", next(iter(puzzle.moves)), required=False),
            *sized,
        ),
    )


def _stages(puzzle: Puzzle, config: Any) -> Sequence[Stage]:
    """The stages of a config whose cases can be used."""
    refuse_cases(puzzle, puzzle.cases(config))
    return KINDS[type(puzzle.states)].stages(puzzle, config)


def _rounds(puzzle: Puzzle, bytes_of: int, seconds: float) -> list[Stage]:
    """Levels, again and again; and back from the goals, where there are some."""
    module = KINDS[type(puzzle.states)].module
    found = {levels.FORWARD: "states by the fewest moves from a start, one round a level"}
    if puzzle.has_goals:
        found[levels.BACK] = "states by the fewest moves to a goal, one round a level, back from the goals"
    return [
        Stage(
            name,
            doc,
            partial(module.find_level, puzzle, name),
            partial(module.cut_levels, puzzle, name),
            after=tuple(dict.fromkeys((levels.FORWARD, name))),
            bytes=bytes_of,
            seconds=seconds,
            drops=True,
            next_round_only=(levels.MARKS,),
        )
        for name, doc in found.items()
    ]


def _tables(
    puzzle: Puzzle,
    after: tuple[str, ...],
    doc: str = "sizes of the levels, and the farthest states",
    seconds: float = 0.1,
) -> Stage:
    make = partial(KINDS[type(puzzle.states)].module.tables, puzzle)
    return Stage("tables", doc, make, one_shard("tables"), after, bytes=100_000, seconds=seconds)


def stages_of(puzzle: Puzzle, config: Any) -> Sequence[Stage]:
    """Levels, and back from the goals, where there are some; then what is published of them."""
    cases = puzzle.cases(config)
    states = sum(puzzle.dense.count(case.size) for case in cases)
    seconds = sum(puzzle.seconds(case, puzzle.dense.count(case.size)) for case in cases)
    rounds = _rounds(puzzle, int(states * BYTES_OF_A_STATE), seconds)
    return (
        *rounds,
        Stage(
            "distances",
            "the fewest moves of every state, as an array",
            partial(levels.lay_out_range, puzzle),
            partial(levels.cut_ranges, puzzle),
            after=tuple(stage.name for stage in rounds),
            bytes=states // 4 * len(rounds),
            seconds=states * levels.SECONDS_LAID_OUT,
        ),
        _tables(puzzle, ("levels",)),
    )


def stages_of_classes(puzzle: Puzzle, config: Any) -> Sequence[Stage]:
    """The groups of all classes; then what follows from them."""
    cases = puzzle.cases(config)
    groups = Stage(
        "groups",
        "groups of the classes, and the moves to their goals",
        partial(classes.find_groups, puzzle),
        partial(classes.cut_labels, puzzle),
        bytes=sum(classes.states_of(puzzle).count(case.size) for case in cases) * BYTES_OF_A_GROUP // STATES_OF_A_GROUP,
    )
    return (groups, _tables(puzzle, ("groups",), "numbers of states by distance, and the hardest", 0.5))


def stages_of_words(puzzle: Puzzle, config: Any) -> Sequence[Stage]:
    """Levels, and back from the goals, where there are some; then what is published of them."""
    cases = puzzle.cases(config)
    states = sum(puzzle.sparse.about(case.size) for case in cases)
    seconds = sum(puzzle.seconds(case, puzzle.sparse.about(case.size)) for case in cases) * SORTED
    rounds = _rounds(puzzle, states * 8, seconds)
    ways = tuple(stage.name for stage in rounds)
    positions = Stage(
        "positions",
        "all states, with the fewest moves of each",
        partial(sparse.lay_out, puzzle),
        partial(sparse.cut_positions, puzzle),
        after=ways,
        bytes=states * BYTES_OF_A_ROW,
        seconds=states * sparse.SECONDS_A_ROW,
    )
    return (*rounds, positions, _tables(puzzle, ways))


def checks_of_classes(puzzle: Puzzle) -> tuple[Check, ...]:
    """Checks that ``verify`` makes of closed classes."""
    groups, all_columns = puzzle.groups.name, [_columns(puzzle, t) for t in (puzzle.levels, puzzle.farthest)]
    columns = _columns(puzzle, puzzle.groups)
    return (
        Check(
            "totals",
            {groups: columns, "levels": all_columns[0], "hardest": all_columns[1]},
            "the number of all states counted by other means; groups and levels made again, of large cases those of "
            "drawn labels; the hardest chosen again",
            partial(class_checks.check_totals, puzzle),
        ),
        Check(
            "groups",
            {groups: [name for name in columns if name != "label"]},
            "drawn groups searched by the second rules; the kernels' moves compared with theirs",
            partial(class_checks.check_groups, puzzle),
        ),
    )


def checks_of_words(puzzle: Puzzle) -> tuple[Check, ...]:
    """Checks that ``verify`` makes of states that are words."""
    columns = {table.name: _columns(puzzle, table) for table in (puzzle.positions, puzzle.levels)}
    return (
        Check(
            "positions",
            {**columns, "hardest": [name for name in _columns(puzzle, puzzle.farthest) if name != "text"]},
            "proved at every state: 0 at the starts alone, moves lead to rows and not farther than one more, and to "
            f"every other row leads a move from one less{GOALS_PROVED * puzzle.has_goals}; levels and farthest states "
            "counted in the rows",
            partial(checks.check_positions, puzzle),
        ),
        _check_of_rules(puzzle, "moves, images and goals"),
    )


def _check_of_rules(puzzle: Puzzle, what: str) -> Check:
    says = f"the kernels' {what} at drawn states compared with those of the second rules, and their drawings read"
    return Check("rules", {"hardest": ("text",)}, says, partial(checks.check_rules, puzzle))


def _columns(puzzle: Puzzle, table: Table) -> list[str]:
    """The names of a table's columns, without the author's own."""
    return [column.name for column in table.columns if column.name not in {one.name for one in puzzle.columns}]


def own_checks(puzzle: Puzzle, tables: Sequence[str]) -> tuple[Check, ...]:
    """The check of the author's own columns, where there are some."""
    names = [one.name for one in puzzle.columns]
    of = {table.name: names for table in (getattr(puzzle, name) for name in tables) if table.name != "levels"}
    says = "made again at every row, and by the second rules at drawn rows, or at all where they are few"
    return (Check("own_columns", of, says, partial(checks.check_own_columns, puzzle, tuple(of))),) if names else ()


def checks_of(puzzle: Puzzle) -> tuple[Check, ...]:
    """Checks that ``verify`` makes."""
    keys = [column.name for column in puzzle.size_columns]
    return (
        Check(
            "distances",
            {
                **({puzzle.to_goals.name: ()} if puzzle.has_goals else {}),
                puzzle.distances.name: (),
                "levels": (*keys, "distance", "states"),
                "hardest": (*keys, "state", "distance"),
            },
            "proved at every state: 0 at the starts alone, no move leads farther than one more, and to every other "
            f"state that is reached leads a move from one less{GOALS_PROVED * puzzle.has_goals}; levels and farthest "
            "states counted in the array",
            partial(checks.check_distances, puzzle),
        ),
        _check_of_rules(puzzle, f"moves{' and goals' * puzzle.has_goals}"),
    )


def measure(puzzle: Puzzle, config: Any, inputs: Inputs) -> Mapping[str, Measurement]:
    """Measurements of the claims whose cases this run has, from the tables."""
    rows = inputs.table("levels").to_pylist()
    levels = {
        case.name: [row["states"] for row in rows if case.columns.items() <= row.items()]
        for case in puzzle.cases(config)
    }
    measured = {}
    for name, one in puzzle.claims.items():
        case = Case(metric_of(puzzle, one), {key: one.size[key] for key in puzzle.size_names})
        if case.name in levels:
            all_states = _all_states(puzzle, case, inputs, levels[case.name])
            distance = partial(_distance, puzzle, case, inputs)
            found = Found(levels[case.name], all_states, *_to_goal(puzzle, case, inputs), distance)
            evidence = f"all {sum(found.levels):,} states that have a way {puzzle.base}, in {len(found.levels)} levels"
            measured[name] = Measurement(one.measured(found), evidence)
    return measured


def _to_goal(puzzle: Puzzle, case: Case, inputs: Inputs) -> tuple[int | None, int]:
    """The fewest moves from a start to a goal, and the number of dead ends: from what releases have."""
    if not puzzle.has_goals:
        return None, 0
    if isinstance(puzzle.states, Dense):
        least, _, dead = levels.goal_figures(puzzle, case, inputs)
        return least, dead
    rows = checks.rows_of(case, inputs.table(puzzle.positions.name))
    lost = rows["to_goal"] == UNREACHED
    from_start = rows["to_goal"][(rows["distance"] == 0) & ~lost]
    orbits = rows["orbit"][lost].sum() if puzzle.symmetric else lost.sum()
    return int(from_start.min()) if len(from_start) else None, int(orbits)


def _distance(puzzle: Puzzle, case: Case, inputs: Inputs, state: int | str) -> int | None:
    """The distance of a state, or of that of a drawing."""
    number = puzzle.rules_of(case.metric).parse(case.size, state) if isinstance(state, str) else state
    if isinstance(puzzle.states, Dense):
        found = int(inputs.array(f"distance/{case.name}")[number])
        return None if found == UNREACHED else found
    if isinstance(puzzle.states, Closed):
        path = shortest_path_to_goal(puzzle, case, number)
        return None if path is None else len(path) - 1
    rows, least = checks.rows_of(case, inputs.table(puzzle.positions.name)), canonical_state(puzzle, case, number)
    distances = rows["distance"][rows["state"] == np.uint64(least)]
    return int(distances[0]) if len(distances) else None


def _all_states(puzzle: Puzzle, case: Case, inputs: Inputs, levels: Sequence[int]) -> int:
    """The number of all states of a case: those placed, where they are in classes."""
    if isinstance(puzzle.states, Dense):
        return puzzle.states.count(case.size)
    if isinstance(puzzle.states, Sparse):
        return sum(levels)
    total = pc.sum(case.among(inputs.table(puzzle.groups.name)).column("states")).as_py()
    return int(total or 0)


def _claim(puzzle: Puzzle, name: str, one: Statement) -> Claim:
    size = "".join(f", {name} = {value}" for name, value in one.size.items())
    metric = f", moves: {metric_of(puzzle, one).replace('_', ' ')}" if len(puzzle.moves) > 1 else ""
    where = f"{puzzle.title}{metric}{size}"
    return Claim(id=name, source=one.source, statement=f"{one.text} ({where}).", stated=one.stated)


def _scopes(puzzle: Puzzle) -> tuple[Scope, ...]:
    """The sizes that a config covers, where the puzzle says which the whole space has."""

    def names(sizes: Sequence[Mapping[str, int]]) -> list[str]:
        return [Case("", size).name for size in sizes]

    if not puzzle.whole:
        return ()
    return (Scope("sizes", lambda config: names(puzzle.sizes(config)), lambda: names(puzzle.whole)),)


class _Kind(NamedTuple):
    """Functions by which puzzles whose states are of one kind become a space."""

    part: str
    module: ModuleType
    tables: tuple[str, ...]
    stages: Callable[[Puzzle, Any], Sequence[Stage]]
    checks: Callable[[Puzzle], tuple[Check, ...]]


KINDS = {
    Dense: _Kind("levels", levels, ("levels", "farthest"), stages_of, checks_of),
    Sparse: _Kind("positions", sparse, ("positions", "levels", "farthest"), stages_of_words, checks_of_words),
    Closed: _Kind("classes", classes, ("groups", "levels", "farthest"), stages_of_classes, checks_of_classes),
}
