"""A puzzle as its author declares it, rules, states, sizes and claims; and the tables that it has."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.graphs.claims import Statement
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Array, Column, SpaceConfig, Table
from boardspace_kernels.graph.closed import MANY
from boardspace_kernels.graph.dense import UNREACHED
from boardspace_kernels.graph.rule import Goal, Rule

Size = Mapping[str, int]
"""The numbers that a puzzle's rules depend on, by name: ``{"rows": 3, "columns": 4}``; {} where there is one puzzle."""
RANGE = 1 << 24
"""States of one range: one file of an array, and the least that one shard searches."""
MOST_LISTED = 10_000
"""Rows of the table of farthest states, for each case."""
WAYS = (
    Column(
        "solutions",
        pa.uint64(),
        f"Ways to a goal in so many moves; null where they are {MANY:,} or more.",
        "solutions",
        nullable=True,
    ),
    Column("nearest", pa.uint64(), "Goals that these ways lead to.", "states"),
)
"""Columns of the hardest states of closed classes."""
ORBITS = (Column("orbits", pa.uint64(), "Orbits of the symmetries that these states are in.", "orbits"),)
TO_GOAL = f"Fewest moves to a goal; {UNREACHED} for a dead end, from which no moves lead to one."
GROUPS_LISTED = 1000
"""Rows of that table where states are in closed classes."""


class SecondRules:
    """Rules of a puzzle in plain Python, or NumPy, that share nothing with its kernels.

    ``verify`` compares the kernels with them; drawings, questions and play use them. A state is its number.
    """

    def moves(self, size: Size, state: int) -> Mapping[str, int]:
        """The states one move away from a state, each by the move's name."""
        raise NotImplementedError("the second rules have no moves(size, state)")

    def solved(self, size: Size, state: int) -> bool:
        """True of a goal, where there are goals."""
        raise NotImplementedError("the puzzle has goals: give its second rules solved(size, state)")

    def text(self, size: Size, state: int) -> str:
        """A drawing of a state, in one or several lines of text."""
        return str(state)

    def parse(self, size: Size, text: str) -> int:
        """The state of a drawing; ValueError, with what is wrong, where it is none."""
        return int(text)

    def images(self, size: Size, state: int) -> Sequence[int]:
        """The images of a state under all symmetries, where the puzzle declares some."""
        raise NotImplementedError("the puzzle has symmetries: give its second rules images(size, state)")

    def svg(self, size: Size, state: int) -> str:
        """A drawing as a whole SVG with its width and height in pixels; '' to have the text drawn in cells."""
        return ""


@dataclass(frozen=True)
class OwnColumn:
    """Column of an author's own: a value of each state that tables list, in ``hardest``, ``positions`` and ``groups``.

    name, doc, unit, type: of the column.
    of: function of a size and an array of states, uint64 (states), to their values: it writes the column.
    again: the same for one state, by the second rules; ``verify`` compares it at drawn rows, or at all where they are
        few, and tries ``of`` at every row.
    """

    name: str
    doc: str
    of: Callable[[Size, NDArray[np.uint64]], NDArray[Any]]
    again: Callable[[Size, int], Any]
    unit: str = ""
    type: pa.DataType = field(default_factory=pa.uint64)

    @property
    def column(self) -> Column:
        """The column as tables have it."""
        return Column(self.name, self.type, self.doc, self.unit)


@dataclass(frozen=True)
class Dense:
    """States that are numbers below a known count, which a search by levels reaches from its starts.

    count: number of states, below 2^35.
    start: number of the start, or numbers of several.
    range: states of one range, a multiple of 64, at most 2^32.
    goal: as of :class:`Sparse`; moves to a goal are found of every number, whether a start leads there or not.
    """

    count: Callable[[Size], int]
    start: Callable[[Size], int | Sequence[int]] = lambda size: 0
    range: int = RANGE
    goal: Goal | None = None


@dataclass(frozen=True)
class Sparse:
    """States that are words of up to 64 bits, in a code of the author's; nobody knows beforehand how many there are.

    start: the start, or several.
    goal: kernel ``goal(size, state)`` of the signature :data:`boardspace_kernels.graph.rule.GOAL`: the fewest moves to
        a goal and dead ends are found as well. Where moves cannot be taken back, ``retract`` of the puzzle does it.
    images: kernel of the signature of a rule that writes the images of a state under all symmetries, itself included:
        states are then counted, and searched, up to these. Symmetries keep starts together, moves and goals.
    order: number of symmetries.
    about: how many states there may be, for ``boardspace plan``.
    """

    start: Callable[[Size], int | Sequence[int]]
    goal: Goal | None = None
    images: Rule | None = None
    order: Callable[[Size], int] = lambda size: 1
    about: Callable[[Size], int] = lambda size: 1_000_000


@dataclass(frozen=True)
class Closed:
    """States in classes that moves never leave: words of up to 64 bits, searched class by class from the goals.

    labels: number of labels; each names a class, which may be empty.
    place: kernel of the signature of a rule, ``place(size, label, out)``: it writes the states of the class, ascending,
        as many as ``out`` holds, and returns how many there are.
    goal: kernel ``goal(size, state)`` of the signature :data:`boardspace_kernels.graph.rule.GOAL`.
    count: number of all states, found by other means than ``place``: a formula, or a transfer over cells.
    """

    labels: Callable[[Size], int]
    place: Rule
    goal: Goal
    count: Callable[[Size], int]


@dataclass(frozen=True)
class Case:
    """One metric of a puzzle of one size: what one search goes through.

    metric: name of the rule that counts as one move.
    size: the numbers that the rule is given.
    """

    metric: str
    size: Size

    @property
    def name(self) -> str:
        """``half_turn``, or with a size ``slide/3x4``: the case's path among arrays and shards."""
        return "/".join(filter(None, (self.metric, "x".join(map(str, self.size.values())))))

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The size as kernels take it."""
        return np.array(list(self.size.values()), np.int64)

    @property
    def columns(self) -> dict[str, Any]:
        """The values of a table's columns that name the case."""
        return {"metric": self.metric, **self.size}

    def among(self, rows: pa.Table) -> pa.Table:
        """The rows of the case, of those of a table."""
        for name, value in self.columns.items():
            rows = rows.filter(pc.equal(rows.column(name), value))
        return rows


class PuzzleConfig(SpaceConfig):
    """The section of a puzzle that has but one size."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle of states and moves.

    name, title, doc, version, authors: of its space.
    moves: what counts as one move: kernels by the names of the metrics.
    most_moves: most moves that a state of a size has, and most states that ``retract`` finds.
    rules: the second rules, of all metrics or of each by its name.
    states: how states are numbered or encoded, and where the search starts.
    undirected: every move can be taken back; always so in closed classes.
    retract: kernels that take moves back, by the names of the metrics: the states that a move leads from to a state, at
        most ``most_moves`` of them. They are needed where there are goals and moves cannot be taken back.
    config: model of its section in a config.
    metrics: from a config, the names of the metrics to enumerate.
    sizes: from a config, the sizes to enumerate, all of the same names in one order, in which kernels get the numbers.
    whole: the sizes of the space as it is published, if there are several.
    claims: what others state, by the claim's id.
    columns: of the author's own, in the tables that list states.
    commands: of the author's own, beside those that every puzzle has: functions of a case's questions
        (:class:`boardspace.graphs.answers.Answers`) and of what options and arguments of click give by name. A
        function's name is the command's, its docstring the help, and what it returns is printed: a text, a number, or
        lists and dictionaries of these; with ``--json`` as JSON.
    pddl: function of a case and a state to the text of a domain and that of a problem, of which each action is a move.
    """

    name: str
    title: str
    doc: str
    moves: Mapping[str, Rule]
    most_moves: Callable[[Size], int]
    rules: SecondRules | Mapping[str, SecondRules]
    states: Dense | Sparse | Closed
    undirected: bool = False
    retract: Mapping[str, Rule] = field(default_factory=dict)
    config: type[SpaceConfig] = PuzzleConfig
    metrics: Callable[[Any], Sequence[str]] | None = None
    sizes: Callable[[Any], Sequence[Size]] = lambda config: [{}]
    whole: Sequence[Size] = ()
    claims: Mapping[str, Statement] = field(default_factory=dict)
    columns: tuple[OwnColumn, ...] = ()
    commands: tuple[Callable[..., Any], ...] = ()
    pddl: Callable[[Case, int], tuple[str, str]] | None = None
    version: int = 1
    authors: tuple[str, ...] = ()

    def cases(self, config: Any) -> list[Case]:
        """Cases that a config enumerates: each metric of each size, in the order of the tables."""
        sizes = sorted((dict(size) for size in self.sizes(config)), key=lambda size: tuple(size.values()))
        metrics = self.moves if self.metrics is None else self.metrics(config)
        return [Case(metric, size) for metric in sorted(metrics) for size in sizes]

    def folders(self, config: Any) -> dict[str, Case]:
        """The cases by names of folders in the same order, so that a table's files are in the order of its rows."""
        return {f"{i:03}-{case.name.replace('/', '-')}": case for i, case in enumerate(self.cases(config))}

    def case(self, config: Any, name: str) -> Case:
        """The case of a name; BoardspaceError where the config has none such."""
        found = {case.name: case for case in self.cases(config)}
        if name not in found:
            raise BoardspaceError(f"{self.name}: there is no {name!r} here; there are: {', '.join(found)}")
        return found[name]

    def rules_of(self, metric: str) -> SecondRules:
        """The second rules of a metric."""
        return self.rules if isinstance(self.rules, SecondRules) else self.rules[metric]

    def rule_of(self, metric: str, back: bool = False) -> Rule:
        """The kernel of a metric; or the one that takes its moves back, the rule itself where every move can be."""
        return self.retract[metric] if back and not self.undirected else self.moves[metric]

    def own(self, case: Case, states: NDArray[np.uint64]) -> dict[str, NDArray[Any]]:
        """The values of the author's own columns at some states."""
        found = {one.name: np.asarray(one.of(case.size, states)) for one in self.columns}
        for name, values in found.items():
            if values.shape != states.shape:
                raise BoardspaceError(
                    f"{self.name}, {case.name}: of of the column {name} returns {values.shape} values for "
                    f"{len(states):,} states: return an array, a value for each"
                )
        return found

    def seconds(self, case: Case, states: int) -> float:
        """Estimate of the seconds in which so many states of a case are searched."""
        return states * (60e-9 + 20e-9 * self.most_moves(case.size))

    @property
    def size_names(self) -> tuple[str, ...]:
        """The names of the numbers of a size."""
        sizes = [*self.whole, *self.sizes(self.config())]
        return tuple(sizes[0])

    @property
    def size_columns(self) -> tuple[Column, ...]:
        """Columns of every table that name a case."""
        sizes = (Column(name, pa.uint32(), f"Size of the puzzle: {name}.") for name in self.size_names)
        return (Column("metric", pa.string(), "What counts as one move."), *sizes)

    @property
    def dense(self) -> Dense:
        """Its numbered states; ValueError where they are in closed classes."""
        if not isinstance(self.states, Dense):
            raise ValueError(f"{self.name}: its states are in closed classes")
        return self.states

    @property
    def sparse(self) -> Sparse:
        """Its states that are words; ValueError where they are others."""
        if not isinstance(self.states, Sparse):
            raise ValueError(f"{self.name}: its states are numbered, or in closed classes")
        return self.states

    def starts(self, size: Size) -> list[int]:
        """All starts, ascending, each once."""
        assert not isinstance(self.states, Closed)
        found = self.states.start(size)
        return sorted({int(start) for start in ([found] if isinstance(found, int | np.integer) else found)})

    @property
    def has_goals(self) -> bool:
        """True where distances to goals are found beside those from the start."""
        return not isinstance(self.states, Closed) and self.states.goal is not None

    @property
    def symmetric(self) -> bool:
        """True where states are searched up to symmetries."""
        return isinstance(self.states, Sparse) and self.states.images is not None

    @property
    def base(self) -> str:
        """Base of distances: where they are counted from, or to."""
        return "to a goal" if isinstance(self.states, Closed) else "from a start"

    @property
    def levels(self) -> Table:
        """The table of levels."""
        return Table(
            "levels",
            f"States by the fewest moves {self.base}.",
            (
                *self.size_columns,
                Column("distance", pa.uint16(), f"Fewest moves {self.base}.", "moves"),
                Column("states", pa.uint64(), "States that are so far from it.", "states"),
                *(ORBITS if self.symmetric else ()),
            ),
            key=(*(column.name for column in self.size_columns), "distance"),
        )

    @property
    def farthest(self) -> Table:
        """The table of states that take the most moves."""
        if not isinstance(self.states, Closed):
            doc = (
                f"States that are farthest from a start; where there are more than {MOST_LISTED:,}, the first of them."
            )
            number = "Number of the state, the place of its cell in the array of distances."
            if isinstance(self.states, Sparse):
                number = "The state, as the rules encode it" + (", the least image." if self.symmetric else ".")
        else:
            doc = (
                f"The first of the farthest states of each of the {GROUPS_LISTED:,} groups whose farthest are farthest."
            )
            number = "The state, as the rules encode it."
        return Table(
            "hardest",
            doc,
            (
                *self.size_columns,
                Column("state", pa.uint64(), number),
                Column("distance", pa.uint16(), f"Fewest moves {self.base}.", "moves"),
                *(WAYS if isinstance(self.states, Closed) else ()),
                Column("text", pa.string(), "Drawing of the state."),
                *(one.column for one in self.columns),
            ),
            key=(*(column.name for column in self.size_columns), "state"),
        )

    @property
    def positions(self) -> Table:
        """The table of all states that can be reached, where they are words."""
        image = ", the least of its images" if self.symmetric else ""
        return Table(
            "positions",
            "All states that can be reached" + (", one of each orbit of the symmetries." if self.symmetric else "."),
            (
                *self.size_columns,
                Column("state", pa.uint64(), f"The state, as the rules encode it{image}."),
                Column("distance", pa.uint16(), "Fewest moves from a start.", "moves"),
                *([Column("orbit", pa.uint32(), "Different images of the state.", "states")] if self.symmetric else []),
                *([Column("to_goal", pa.uint16(), TO_GOAL, "moves")] if self.has_goals else []),
                *(one.column for one in self.columns),
            ),
            key=(*(column.name for column in self.size_columns), "state"),
        )

    @property
    def groups(self) -> Table:
        """The table of groups of closed classes."""
        key = (*(column.name for column in self.size_columns), "label", "state")
        return Table(
            "groups",
            "Groups of states that moves lead to from one another.",
            (
                *self.size_columns,
                Column("label", pa.uint64(), "Label of the class that the group is in."),
                Column("state", pa.uint64(), "The least state of the group, as the rules encode it."),
                Column("states", pa.uint64(), "States of the group.", "states"),
                Column("goals", pa.uint64(), "Goals among them.", "states"),
                Column("distance", pa.uint16(), "Most moves that one of them takes to a goal.", "moves", nullable=True),
                Column("farthest", pa.uint64(), "States that take so many; 0 where there is no goal.", "states"),
                Column("hardest", pa.uint64(), "The first of these states.", nullable=True),
                *(one.column for one in self.columns),
            ),
            key=key,
        )

    @property
    def distances(self) -> Array:
        """The arrays of distances, one for each case."""
        return Array(
            "distance/{metric}/{size}" if self.size_names else "distance/{metric}",
            "uint16",
            ("state",),
            f"Fewest moves from a start to the state of that number; {UNREACHED} where no moves lead.",
            "moves",
        )

    @property
    def to_goals(self) -> Array:
        """The arrays of moves to a goal, one for each case, where numbered states have goals."""
        return replace(self.distances, name=self.distances.name.replace("distance", "to_goal"), doc=TO_GOAL)
