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
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from boardspace.spec.check import Draw
    from boardspace.spec.stage import Inputs

Columns = Mapping[str, NDArray[Any]]
"""Columns by name, each with a value for every row."""
Label = tuple[int, ...]
"""Name of a class of states: values of some columns."""


class RowFaultError(Exception):
    """A row at which an equation does not hold; the text names it, the equation, and both sides."""


class Slide(NamedTuple):
    """One piece slid by one cell, of all rows where it can be: those at ``starts`` become those at ``ends``, in order.

    home, place: where the piece stands before and after; both are keys of :attr:`Pieces.rows`.
    direction: the same number for slides in the same direction.
    starts: int (slides), indices into the rows with such a piece at ``home``.
    ends: int (slides), indices into the rows with such a piece at ``place``.
    near, far: int (slides), these rows.
    """

    home: int
    place: int
    direction: int
    starts: NDArray[Any]
    ends: NDArray[Any]
    near: NDArray[Any]
    far: NDArray[Any]


class Pieces(NamedTuple):
    """All pieces of one kind in the states of a class.

    rows: by place, the numbers of the states with such a piece there, ascending.
    slides: each between two places once; the way back is meant as well.
    """

    rows: Mapping[int, NDArray[Any]]
    slides: Sequence[Slide]


class States(Protocol):
    """All states of a closed class, in ascending order, as the second rules decode them."""

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Bool (states): true where the row's value is that of a state."""

    def pieces(self) -> Iterator[Pieces]:
        """Yield the pieces of each kind with their slides."""


@dataclass(frozen=True)
class Closed:
    """A set of states that moves never leave, class by class; the rows of several tables belong to it.

    name: of the set, for messages.
    table: with a row for each state; its columns name the state and the class.
    state: its column that says which state a row is; it ascends with the key.
    label: its columns that name the class.
    states: function of a class's states, in ascending order, to what the second rules decode; they are all of it.
    sizes: function of the config to the number of states of each class, by its label, counted by other means.
    keys: function of the config to one more than the largest key.
    text: function of a state to a text for people.
    degrees: names of further columns, which nobody publishes, with a move: the numbers of neighbours by that move.
    seconds: of checking a state, for the budget.
    """

    name: str
    table: str
    state: str
    label: tuple[str, ...]
    states: Callable[[Any], States]
    sizes: Callable[[Any], Mapping[Label, int]]
    keys: Callable[[Any], int]
    text: Callable[[int], str]
    degrees: tuple[tuple[str, "Move"], ...] = ()
    seconds: float = 1e-6


@dataclass(frozen=True)
class Classes:
    """The states of some classes of a closed set, and of no others.

    name: for messages.
    of: the set.
    labels: function of the config to the labels of the classes.
    """

    name: str
    of: Closed
    labels: Callable[[Any], Collection[Label]]


class ReadColumns(Protocol):
    """Reads columns of a table: those rows that lie in one folder."""

    def __call__(self, table: str, columns: Sequence[str], /) -> Columns:
        """The columns by name."""


class Making(ReadColumns, Protocol):
    """Rows of a folder and the dataset that they are of: they are made anew from this and the config."""

    def rows(self, table: str, **values: Any) -> list[dict[str, Any]]:
        """The rows of a table in this folder, those with some values in columns, which are left out then."""

    @property
    def whole(self) -> bool:
        """True where all rows are to be made, however long that takes."""

    @property
    def draw(self) -> "Draw":
        """The draw of what is not made whole."""

    @property
    def inputs(self) -> "Inputs":
        """The dataset: arrays, what stages exchanged, and tables that have checks of their own."""


@dataclass(frozen=True)
class Near:
    """A value that a draw estimates: no farther from ``value`` than ``error``, and no less than ``least``."""

    value: float = 0.0
    error: float = math.inf
    least: float = -math.inf

    def fits(self, given: Any) -> bool:
        """True for a number, or the digits of one, that the draw allows."""
        if given is None or (isinstance(given, str) and not given.isdecimal()):
            return False
        return abs(float(given) - self.value) <= self.error and float(given) >= self.least


@dataclass(frozen=True)
class Given:
    """A value that the rows themselves name: it agrees with others, and does not follow from the config."""

    value: Any

    def fits(self, given: Any) -> bool:
        """True for the value."""
        return bool(given == self.value)


MadeRows = Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""All columns of the rows of a table; or row by row what is known of each: :class:`Near`, or nothing, of some."""


@dataclass(frozen=True)
class Made:
    """Rows that the second rules make anew, all of them, or folder by folder; several tables may hold them.

    name: of the set, for messages, and of its rows that nobody publishes.
    make: function of the config, the name of a folder and what reads the tables' rows there, to the rows by table,
        and by the name of the set to those that :class:`Totals` sum up. It reads its own tables only to learn which of
        several right names they use, and others that have checks of their own. Raises RowFaultError where rows cannot
        be right.
    folder: the column in the names of folders; '' where there are none, which have the name ''.
    folders: function of the config to the seconds that each folder takes, infinite where it cannot be paid.
    says: how all columns follow that state no equation of their own; '' where these do not.
    partly: what is known in a short time of a folder that cannot be paid is made as well, :attr:`Making.whole` is False
        then; else such a folder is left out.
    """

    name: str
    make: Callable[[Any, str, Making], Mapping[str, MadeRows]]
    folder: str = ""
    folders: Callable[[Any], Mapping[str, float]] | None = None
    says: str = ""
    partly: bool = False

    def costs(self, config: Any) -> Mapping[str, float]:
        """The seconds that each folder takes."""
        return self.folders(config) if self.folders is not None else {"": 0.0}


@dataclass(frozen=True)
class Totals:
    """Rows that sum up those of another set or table: one for each value of some columns, in ascending order.

    of: the set of states or of made rows, or the name of the table that is summed up.
    by: the columns that are the key here and there.
    counted: a further column of the key, which counts 0, 1, 2, ... for each value of these, to an end of its own.
    """

    of: "Closed | Classes | Ranked | Made | str"
    by: tuple[str, ...]
    counted: str = ""


class RankedStates(Protocol):
    """States of one problem, as the second rules move them; every move lowers their rank, such as the number of pegs.

    Symmetries identify states; a row is of the least image. Numbers of states are for look-ups, and nobody publishes
    them.
    """

    name: str
    """In the first folder of the tables."""
    ranks: range
    """Values that there may be."""
    numbers_below: int
    """Every number is below it."""

    def rank(self, states: NDArray[np.uint64]) -> NDArray[Any]:
        """The rank of each."""

    def images(self, states: NDArray[np.uint64]) -> Iterator[NDArray[np.uint64]]:
        """The images, symmetry by symmetry."""

    def numbers(self, states: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The number of each."""

    def ends(self, states: NDArray[np.uint64], back: bool) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint64]]]:
        """All moves, made or taken back: the places of the states that they begin at, and the states they lead to."""

    def least(self, states: NDArray[np.uint64], back: bool, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The least of the values, by numbers, of the ends of all moves; 255 where there are none."""

    def flips(self, back: bool) -> Sequence["Flip"]:
        """Least parts of moves between numbers, made or taken back, every stop of which is a state."""

    def text(self, state: int) -> str:
        """A state for people."""


@dataclass(frozen=True)
class Ranked:
    """States of problems that moves join to a start, or to a goal; in folders by problem and by rank.

    state: the column that says which state a row is.
    problems: function of the config to the problems.
    back: rows are those from which moves lead to the goal, not those to which moves lead from the start.
    within: table of a set of the same problems that all rows belong to.
    seconds: of checking a state, for the budget.
    """

    state: str
    problems: Callable[[Any], Sequence[RankedStates]]
    back: bool = False
    within: str = ""
    seconds: float = 1e-6


Rows = Closed | Classes | Ranked | Totals | Made
"""Kinds of rows that a table can have."""


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


def name_of(function: Callable[..., Any]) -> str:
    """The name of a function of second rules, in words: ``at exit``."""
    return str(getattr(function, "name", getattr(function, "__name__", function))).replace("_", " ")


Move = Literal["unit", "straight", "chain", "jumps"]
"""A piece by one cell; a piece any number of cells one way; a piece any number of cells, round corners too; jumps."""
MOVES: Mapping[Move, str] = {
    "unit": "one piece by one cell",
    "straight": "one piece, any number of cells in one direction",
    "chain": "one piece, any number of cells, round corners too",
    "jumps": "one peg, one jump or more",
}


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
        """The sentence."""
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
        """The sentence."""
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
        """The sentence."""
        return f"0 at first, then more by the number of {self.degree}, made by the second rules"


@dataclass(frozen=True)
class Reached:
    """Bits of sets of numbered states: 1 at the base, and where a move leads from a 1; else 0.

    sets: function of the config and the finished stages to the sets of all arrays of the family.
    """

    sets: Callable[[Any, Any], Iterable["BitSet"]]
    says: str


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
        """The sentence."""
        return f"rows before it of the same {self.within}"


class Flip(NamedTuple):
    """A move of numbered states: it flips bits of the number, and is possible where parities of the number hold.

    flips: the bits that it flips.
    where: pairs of a mask and the parity, 0 or 1, of the bits below it.
    """

    flips: int
    where: tuple[tuple[int, int], ...]


class BitSet(NamedTuple):
    """A set of numbered states in words: bit ``number % 64`` of word ``number // 64``, lowest first.

    path: of the array of words.
    base: uint64, the numbers that are in it without a move.
    moves: all that lead from a state of the set into it; each lowers a rank.
    text: function of a number to a text for people.
    """

    path: str
    base: NDArray[np.uint64]
    moves: Sequence[Flip]
    text: Callable[[int], str]


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
        """The words for it."""
        return f"with the greatest {self.column}{f', above {self.above}' if self.above >= 0 else ''}"


@dataclass(frozen=True)
class Fewest:
    """Of the rows of a total those alone where this column has its least value there."""

    column: str

    @property
    def says(self) -> str:
        """The words for it."""
        return f"with the least {self.column}"


@dataclass(frozen=True)
class Is:
    """Of the rows of a total those alone where this column has this value."""

    column: str
    value: int | str

    @property
    def says(self) -> str:
        """The words for it."""
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
        """The sentence."""
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
        """The words for it."""
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
        """Both sides."""
        return self.one, self.other

    @property
    def says(self) -> str:
        """The sentence."""
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
        """The sentence."""
        return f"{self.column} of the image of {self.of}"


@dataclass(frozen=True)
class Same:
    """A copy: of a column of another table, row by row; of an array, where ids without a row have 0.

    of: ``table.column``, or a function of the rows of the set.
    """

    of: str | Callable[[Columns], NDArray[Any]]

    @property
    def says(self) -> str:
        """The sentence."""
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


Equation = Key | State | Value | Step | Ways | Bounds | Reached | Orbit | Joined | Rank | Total | Image | Same | Again
