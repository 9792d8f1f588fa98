"""Equations: every column states how its values follow, and ``verify`` tries whether they do, at every row.

A column of a table, or an array, names one of these sentences. The library makes the check of it, and the text that
cards and ``verify --columns`` print. Nothing is searched for a second time: an equation that has one solution proves
a column when it holds at every row.

**Least moves** (:class:`Step`). Let the value be 0 at the rows of the base, nowhere else, and at every other row one
more than the least of its neighbours. Suppose that a finite value is wrong, and take the least wrong one. Its row has a
neighbour with a value one less, which is right, so the row is no farther than its value says; and were it nearer, a
neighbour of it would be nearer than that row's value allows. So no finite value is wrong, and since a row beside a
finite one is finite, those without a way are exactly those that say so. Values that no base supports cannot hold each
other up, as each needs a smaller one, down to 0.

**Groups** (:class:`Joined`). That neighbours have the same group is no equation: groups that were merged satisfy it.
So the components are found again from the moves of the second rules, and numbered.

**Whole sets** (:class:`Key`). What moves cannot see is a closed set that is missing as a whole, with all its columns
consistent. So how many rows there are follows by other means, from a formula or a transfer over cells.

**Totals** (:class:`Total`, :class:`Image`) are counted over rows that are proved themselves, or that nobody publishes
and the second rules make anew, all of them (:class:`Made`).

Equations name functions of a space's *second rules*, ``spaces/NAME/rules.py``, which share no line with its kernels.

Kinds of rows, and what is read of them, are in :mod:`.rows`; whoever declares columns imports these from here, too.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spec.rows import MOVES, name_of
from boardspace.spec.rows import BitSet as BitSet
from boardspace.spec.rows import Classes as Classes
from boardspace.spec.rows import Closed as Closed
from boardspace.spec.rows import Columns as Columns
from boardspace.spec.rows import Flip as Flip
from boardspace.spec.rows import Given as Given
from boardspace.spec.rows import Label as Label
from boardspace.spec.rows import Made as Made
from boardspace.spec.rows import MadeRows as MadeRows
from boardspace.spec.rows import Making as Making
from boardspace.spec.rows import Move as Move
from boardspace.spec.rows import Near as Near
from boardspace.spec.rows import NumberedMoves as NumberedMoves
from boardspace.spec.rows import Pieces as Pieces
from boardspace.spec.rows import Ranked as Ranked
from boardspace.spec.rows import RankedStates as RankedStates
from boardspace.spec.rows import ReadColumns as ReadColumns
from boardspace.spec.rows import RowFaultError as RowFaultError
from boardspace.spec.rows import Rows as Rows
from boardspace.spec.rows import Slide as Slide
from boardspace.spec.rows import States as States
from boardspace.spec.rows import Totals as Totals


@dataclass(frozen=True)
class Key:
    """Rows ascend, and none is missing.

    number: the key of each state, where not all classes are there; function of the decoded states.
    """

    number: Callable[[Any], NDArray[Any]] | None = None
    says: str = "ascends with the rows, and none is missing: their number follows from another count"


@dataclass(frozen=True)
class State:
    """The state of a row: legal, ascending, and as many of each class as another count says; so it is all of them."""

    says: str = "legal by the second rules, in ascending order, and as many of each class as another count says: all"


@dataclass(frozen=True)
class Value:
    """A value of its own row, by the second rules.

    of: function of the decoded states to the values, or to columns by name of which this is one; of totals function of
        the columns before it; of rows that are made anew, what makes them; of a :class:`Ranked` set function of a
        problem to a function of states to the values.
    """

    of: Callable[..., Any]
    says: str


@dataclass(frozen=True)
class Step:
    """Least number of moves to a row of the base: 0 there, else one more than the least of the neighbours.

    base: function of the decoded states to a mask; of a :class:`Ranked` set function of a problem to a state.
    move: what joins neighbours.
    none: the value of rows from which no moves lead to the base.
    """

    base: Callable[[Any], Any]
    move: Move
    none: int = -1

    @property
    def says(self) -> str:
        base = f"0 {name_of(self.base)}, else one more than the least of the neighbours"
        return f"{base}; a move is {MOVES[self.move]}"


@dataclass(frozen=True)
class Ways:
    """Number of shortest ways to the base: 1 there, else the sum over the neighbours that are nearer by one.

    There is one solution, by induction on the least moves: each value follows from those of smaller ones.

    base, move: as those of ``steps``.
    steps: the column of least moves, which has an equation of its own.
    """

    base: Callable[[Any], Any]
    steps: str
    move: Move

    @property
    def says(self) -> str:
        base = f"1 {name_of(self.base)}, else the sum over the neighbours whose {self.steps} is one less"
        return f"{base}; a move is {MOVES[self.move]}"


@dataclass(frozen=True)
class Bounds:
    """Bounds of the neighbours of each state in a list: an array with an entry more than there are keys.

    degree: of :attr:`Closed.degrees`, the number of neighbours by which each entry differs from the next.
    """

    degree: str

    @property
    def says(self) -> str:
        return f"0 at first, then more by the number of {self.degree}, made by the second rules"


@dataclass(frozen=True)
class Beside:
    """Lists of the neighbours of each state, one after another in an array: their keys, ascending, less its own.

    bounds: the array of their :class:`Bounds`.
    move: what joins neighbours.
    """

    bounds: str
    move: Move

    @property
    def says(self) -> str:
        return f"the states that a move leads to, by the second rules, in the bounds of {self.bounds}"

    @staticmethod
    def sums(array: str) -> str:
        """The name, among the columns of a class, of what each list of an array adds up to."""
        return f"{array}, added up"


@dataclass(frozen=True)
class Reached:
    """Bits of sets of numbered states: 1 at the base, and where a move leads from a 1; else 0.

    sets: function of the config and the finished stages to the sets of all arrays of the family.
    """

    sets: Callable[[Any, Any], Iterable[BitSet]]
    says: str


@dataclass(frozen=True)
class MovesLeft:
    """Least moves from numbered states to a goal, 255 where none lead there, or the number is no state's.

    arrays: function of the config and the finished stages to all arrays of the family.
    """

    arrays: Callable[[Any, Any], Iterable[NumberedMoves]]
    says: str = "0 at the goals, else one more than the least of the states that a move leads to; 255 where none do"


@dataclass(frozen=True)
class Orbit:
    """Number of different images of a state under the symmetries."""

    says: str = "different images by the second rules' symmetries, counted"


@dataclass(frozen=True)
class Joined:
    """Number of the component that moves join: the largest is 0, of two of one size that with the least state."""

    says: str = "components joined by the second rules' moves, the largest first, then by the least state"


@dataclass(frozen=True)
class Rank:
    """Number of the rows before this one among those with the same value of a column.

    within: the column.
    """

    within: str

    @property
    def says(self) -> str:
        return f"rows before it of the same {self.within}"


@dataclass(frozen=True)
class Same:
    """A copy: of a column of another table, row by row; of an array, where ids without a row have 0.

    of: ``table.column``, or a function of the rows of the set.
    """

    of: str | Callable[[Columns], NDArray[Any]]

    @property
    def says(self) -> str:
        return f"equal to {self.of if isinstance(self.of, str) else name_of(self.of)} at every id"


@dataclass(frozen=True)
class Again:
    """A second method of its own, on whole classes that are drawn, as many as it can pay for.

    name: of the check that it makes.
    method: function of the config, a class (:class:`boardspace.verify.one_class.Class`) and whether it was drawn, to
        :class:`Tried`; every class is shown to it.
    states: about so many of classes that are drawn.
    why: no equation says it.
    """

    name: str
    method: Callable[..., "Tried"]
    states: int
    why: str
    says: str


class Tried(NamedTuple):
    """Result of a second method in one class: how many cases it derived, of how many, and the first fault or ''."""

    cases: int
    of: int
    fault: str = ""


How = Literal["count", "any", "sum", "half", "least", "greatest"]


@dataclass(frozen=True)
class Most:
    """Of the rows of a total those alone where this column has its greatest value there.

    above: and where that is greater.
    """

    column: str
    above: int = -1

    @property
    def says(self) -> str:
        return f"with the greatest {self.column}{f', above {self.above}' if self.above >= 0 else ''}"


@dataclass(frozen=True)
class Fewest:
    """Of the rows of a total those alone where this column has its least value there."""

    column: str

    @property
    def says(self) -> str:
        return f"with the least {self.column}"


@dataclass(frozen=True)
class Is:
    """Of the rows of a total those alone where this column has this value."""

    column: str
    value: int | str

    @property
    def says(self) -> str:
        return f"where {self.column} is {self.value}"


@dataclass(frozen=True)
class Total:
    """Number, sum, least or greatest over rows that are proved, or whether there are any.

    how: "half" is half a sum, of what counts each pair at both of its ends, or 0 for a row that is both by itself.
    of: the column; none is needed for a number.
    where: a column of truth values, function of the decoded states, or condition on columns that picks rows; of no rows
        the least and the greatest are 0.
    times: a column that each value of a sum is multiplied by.
    """

    how: How
    of: str = ""
    where: "str | Callable[[Any], NDArray[np.bool_]] | Most | Fewest | Is | None" = None
    times: str = ""

    @property
    def says(self) -> str:
        times = f" times {self.times}" if self.times else ""
        sums = f"sum of {self.of}{times}"
        what = {"count": "number", "any": "whether there are any", "sum": sums, "half": f"half the {sums}"}.get(
            self.how, f"{self.how} {self.of}"
        )
        which = ""
        if isinstance(self.where, Most | Fewest | Is):
            which = f" {self.where.says}"
        elif self.where is not None:
            which = f" where {self.where if isinstance(self.where, str) else name_of(self.where)}"
        return f"{what} of the proved rows{which}"


@dataclass(frozen=True)
class Over:
    """A total over rows of one table that are compared with those of others.

    table: its name.
    total: of its rows, of those that have a value: a number, a sum, the least or the greatest.
    rows: the rows alone with this value in a column.
    plus: is added.
    none: of no rows.
    """

    table: str
    total: Total
    rows: Is | None = None
    plus: int = 0
    none: int = 0

    @property
    def says(self) -> str:
        total = self.total.says.replace("the proved rows", self.table)
        return f"{total}{f' {self.rows.says}' if self.rows else ''}{f' plus {self.plus}' if self.plus else ''}"


@dataclass(frozen=True)
class Balance:
    """Totals over several tables, or over rows of one, that are equal for each value of the columns ``by``.

    It proves no column by itself: values that are wrong in several tables in the same way keep it. So columns state
    equations of their own, or have a check.
    """

    by: tuple[str, ...]
    one: tuple[Over, ...]
    other: tuple[Over, ...]

    @property
    def sides(self) -> tuple[tuple[Over, ...], tuple[Over, ...]]:
        return self.one, self.other

    @property
    def says(self) -> str:
        one, other = (" plus the ".join(over.says for over in side) for side in self.sides)
        return f"{one}, as {other}, for each {' and '.join(self.by)}"


@dataclass(frozen=True)
class Image:
    """The value that another state's row has.

    of: the column of this table that holds a state.
    image: function of states to states.
    column: of the other state's row.
    """

    of: str
    image: Callable[[Any], Any]
    column: str

    @property
    def says(self) -> str:
        return f"{self.column} of the image of {self.of}"


OfStates = Key | State | Value | Step | Ways | Bounds | Beside | Reached | MovesLeft | Orbit | Joined | Rank
Equation = OfStates | Total | Image | Same | Again
