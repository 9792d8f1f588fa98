"""The space of a puzzle: its part, stages, checks, claims and commands, all made from what the puzzle declares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from boardspace.graphs import checks, levels
from boardspace.graphs.claims import Statement
from boardspace.graphs.puzzle import Case, Puzzle
from boardspace.spec.claims import Claim
from boardspace.spec.entry import Entry
from boardspace.spec.space import Check, Inputs, Measurement, Part, Scope, Space, Stage

COMMANDS = "boardspace.graphs.commands"
"""The module of the commands of all puzzles."""
BYTES_OF_A_STATE = 2.5
"""Of levels and marks, roughly."""


@dataclass(frozen=True)
class PuzzleSpace(Space):
    """The space of a puzzle.

    puzzle: what it was made from.
    """

    puzzle: Puzzle | None = None


def space_of(puzzle: Puzzle, file: str) -> tuple[PuzzleSpace, tuple[Entry, ...]]:
    """The space of a puzzle, and the commands that ask it: ``SPACE, COMMANDS = space_of(PUZZLE, __file__)``.

    file: path of the module; texts say that the claims stand there.
    """
    part = Part(
        name="levels",
        stages=partial(stages_of, puzzle),
        tables=(puzzle.levels, puzzle.farthest),
        arrays=(puzzle.distances,),
        claims=partial(measure, puzzle),
        checks=checks_of(puzzle),
        results=partial(levels.results, puzzle),
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
        warm_up=partial(levels.warm_up, puzzle),
        scopes=_scopes(puzzle),
        authors=puzzle.authors,
        puzzle=puzzle,
    )
    command = puzzle.name.replace("_", "-")
    return space, (Entry(command, f"{puzzle.title}: show, solve, play.", COMMANDS),)


def stages_of(puzzle: Puzzle, config: Any) -> Sequence[Stage]:
    """Levels, again and again; then what is published of them."""
    cases = puzzle.cases(config)
    states = sum(puzzle.states.count(case.size) for case in cases)
    seconds = sum(puzzle.seconds(case, puzzle.states.count(case.size)) for case in cases)
    return (
        Stage(
            "levels",
            "states by the fewest moves from a start, one round a level",
            partial(levels.find_level, puzzle),
            partial(levels.cut_levels, puzzle),
            after=("levels",),
            bytes=int(states * BYTES_OF_A_STATE),
            seconds=seconds,
            drops=True,
            next_round_only=(levels.MARKS,),
        ),
        Stage(
            "distances",
            "the fewest moves of every state, as an array",
            partial(levels.lay_out_range, puzzle),
            partial(levels.cut_ranges, puzzle),
            after=("levels",),
            bytes=states // 4,
            seconds=states * levels.SECONDS_LAID_OUT,
        ),
        Stage(
            "tables",
            "sizes of the levels, and the farthest states",
            partial(levels.tables, puzzle),
            levels.one_shard,
            after=("levels",),
            bytes=100_000,
            seconds=0.1,
        ),
    )


def checks_of(puzzle: Puzzle) -> tuple[Check, ...]:
    """Checks that ``verify`` makes."""
    keys = [column.name for column in puzzle.size_columns]
    return (
        Check(
            "distances",
            {
                puzzle.distances.name: (),
                "levels": (*keys, "distance", "states"),
                "hardest": (*keys, "state", "distance"),
            },
            "proved at every state: 0 at the starts alone, no move leads farther than one more, and to every other "
            "state that is reached leads a move from one less; levels and farthest states counted in the array",
            partial(checks.check_distances, puzzle),
        ),
        Check(
            "rules",
            {"hardest": ("text",)},
            "the kernels' moves at drawn states compared with those of the second rules, and their drawings read",
            partial(checks.check_rules, puzzle),
        ),
    )


def measure(puzzle: Puzzle, config: Any, inputs: Inputs) -> Mapping[str, Measurement]:
    """Measurements of the claims whose cases this run has, from the table of levels."""
    found: dict[tuple[Any, ...], list[int]] = {}
    for row in inputs.table("levels").to_pylist():
        found.setdefault((row["metric"], *(row[name] for name in puzzle.size_names)), []).append(row["states"])
    measured = {}
    for name, one in puzzle.claims.items():
        sizes = found.get((_metric(puzzle, one), *one.size.values()))
        if sizes is not None:
            evidence = f"all {sum(sizes):,} states that can be reached, in {len(sizes)} levels"
            measured[name] = Measurement(one.measured(sizes), evidence)
    return measured


def _claim(puzzle: Puzzle, name: str, one: Statement) -> Claim:
    """The claim as a file of claims would have it."""
    size = "".join(f", {name} = {value}" for name, value in one.size.items())
    where = f"{puzzle.title}, a move is a {_metric(puzzle, one).replace('_', ' ')}{size}"
    return Claim(id=name, source=one.source, statement=f"{one.text} ({where}).", stated=one.value)


def _metric(puzzle: Puzzle, one: Statement) -> str:
    return one.metric or next(iter(puzzle.moves))


def _scopes(puzzle: Puzzle) -> tuple[Scope, ...]:
    """The sizes that a config covers, where the puzzle says which the whole space has."""

    def names(sizes: Sequence[Mapping[str, int]]) -> list[str]:
        return [Case("", size).name for size in sizes]

    if not puzzle.whole:
        return ()
    return (Scope("sizes", lambda config: names(puzzle.sizes(config)), lambda: names(puzzle.whole)),)
