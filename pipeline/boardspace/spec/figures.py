"""Figures of groups, summed up by a key: what a space publishes whose groups are too many for a row each.

A row has the numbers of classes, of states and of groups, of the groups that have a goal, and of their states; and of
each metric the most moves that one of these takes to a goal, and how many take so many. Here are the columns, and the
same sums by the second rules.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa

from boardspace.spec.second_rules import Group, State
from boardspace.spec.table import Column

Row = dict[str, Any]


class Metric(NamedTuple):
    """Moves that count, and the columns that tell of them.

    name: of the metric; doc: what counts as one move.
    most: column of the most moves; type: of that column.
    number: column of how many states take so many; first: of the first one of these, where a table has it.
    """

    name: str
    doc: str
    most: str
    type: pa.DataType
    number: str
    first: str


@dataclass(frozen=True)
class Figures:
    """Figures of groups.

    states: the states as people name them, and their column.
    metrics: the first is that by which shortest solutions are counted.
    class_doc, group_doc, goal_doc: for the columns of classes, of groups, and of groups with a goal.
    """

    states: str
    metrics: tuple[Metric, ...]
    class_doc: str
    group_doc: str
    goal_doc: str

    @property
    def summed(self) -> tuple[str, ...]:
        """Names of the columns that are sums of all groups."""
        return ("classes", self.states, "groups", "solvable_groups", "solvable")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns."""
        return (*self.summed, *(name for metric in self.metrics for name in (metric.most, metric.number)))

    def columns(self, of: str) -> tuple[Column, ...]:
        """The columns of a table whose rows sum up the classes of something."""
        number, states, found = pa.uint64(), self.states, list[Column]()
        for metric in self.metrics:
            moves = metric.most.replace("_", " ")
            doc = f"Most {moves} that one of them takes to a goal. {metric.doc}"
            found.append(Column(metric.most, metric.type, doc, moves, nullable=True))
            found.append(Column(metric.number, number, f"{states.capitalize()} that take so many {moves}.", states))
        return (
            Column("classes", number, f"Classes of {of} that have {states}: {self.class_doc}.", "classes"),
            Column(states, number, f"{states.capitalize()} of these classes.", states),
            Column("groups", number, f"Groups: sets of {states} that moves join. {self.group_doc}.", "groups"),
            Column("solvable_groups", number, f"Groups with a goal: {self.goal_doc}.", "groups"),
            Column("solvable", number, f"{states.capitalize()} of these groups.", states),
            *found,
        )

    def of_group(self, groups: Mapping[str, Group[State]], named: Callable[[State], tuple[int, str]]) -> Row:
        """The figures of a group, given by metric; named: number and text of a state, the least of which is first."""
        joined = groups[self.metrics[0].name]
        row: Row = {"groups": 1, "solvable_groups": int(bool(joined.left)), "solvable": len(joined.left)}
        for metric in self.metrics if joined.left else ():
            group = groups[metric.name]
            (number, text), first = min((named(state), state) for state in group.farthest)
            row |= {metric.most: group.most, metric.number: len(group.farthest)}
            row[metric.first] = number, text, sum(joined.ways(first).values())
        return row

    def total(self, rows: Sequence[Row]) -> Row:
        """The figures of all together: of those that take the most moves their number, the text of the first, and the
        number of its shortest solutions."""
        found: Row = {name: sum(row.get(name, 0) for row in rows) for name in self.summed}
        for metric in self.metrics[::-1]:  # the first metric, whose solutions are counted, comes last
            found[metric.most] = max((row[metric.most] for row in rows if metric.most in row), default=None)
            far = [row for row in rows if metric.most in row and row[metric.most] == found[metric.most]]
            _, text, solutions = min((row[metric.first] for row in far), default=(None, None, None))
            found |= {metric.number: sum(row[metric.number] for row in far), metric.first: text, "solutions": solutions}
        return found
