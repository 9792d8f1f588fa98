"""Kinds of rows that a table can have, and what the equations of its columns read of them.

The functions that these name are a space's *second rules*, ``spaces/NAME/rules.py``: they decode the states of rows
and move them, and share no line with its kernels.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa

    from boardspace.spec.check import Draw
    from boardspace.spec.stage import Inputs

Columns = Mapping[str, NDArray[Any]]
"""Columns by name, each with a value for every row."""
Label = tuple[int, ...]
"""Name of a class of states: values of some columns."""


class RowFaultError(Exception):
    """A row at which an equation does not hold; the text names it, the equation, and both sides."""


Move = Literal["unit", "straight", "chain", "jumps"]
"""A piece by one cell; a piece any number of cells one way; a piece any number of cells, round corners too; jumps."""
MOVES: Mapping[Move, str] = {
    "unit": "one piece by one cell",
    "straight": "one piece, any number of cells in one direction",
    "chain": "one piece, any number of cells, round corners too",
    "jumps": "one peg, one jump or more",
}


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
    degrees: tuple[tuple[str, Move], ...] = ()
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


ReadColumns = Callable[[str, Sequence[str]], Columns]
"""Reads columns of a table, given by their names: those rows that lie in one folder."""


@dataclass(frozen=True)
class Making:
    """Rows of a folder and the dataset that they are of: they are made anew from this and the config.

    whole: all rows are to be made, however long that takes.
    draw: of what is not made whole.
    inputs: the dataset: arrays, what stages left for one another, and tables that have checks of their own.
    tables: the rows of tables in this folder.
    """

    whole: bool
    draw: "Draw"
    inputs: "Inputs"
    tables: "Mapping[str, pa.Table]"

    def __call__(self, table: str, columns: Sequence[str], /) -> Columns:
        """The columns of a table in this folder, or of one that has checks of its own."""
        found = self.tables[table] if table in self.tables else self.inputs.table(table, columns=list(columns))
        return {column: found.column(column).to_numpy() for column in columns}

    def rows(self, table: str, **values: Any) -> list[dict[str, Any]]:
        """The rows of a table in this folder, those with some values in columns, which are left out then."""
        import pyarrow.compute as pc  # slow to load, and second rules answer small questions, too

        found = self.tables[table]
        for column, value in values.items():
            found = found.filter(pc.equal(found.column(column), value)).drop_columns(column)
        listed: list[dict[str, Any]] = found.to_pylist()
        return listed


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

    def __str__(self) -> str:
        return str(self.value)

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


class NumberedMoves(NamedTuple):
    """Least moves that are left to a goal, a byte for each number: eight in a word, lowest first.

    path: of the array of words.
    within: path of the array of bits of the numbers that are states, see :class:`BitSet`.
    goals: uint64, the numbers of the goals.
    ends: function of numbers of states to all moves, in parts: the places of the states that they begin at, and the
        numbers of those that they lead to; each lowers a rank.
    """

    path: str
    within: str
    goals: NDArray[np.uint64]
    ends: Callable[[NDArray[np.uint64]], Iterable[tuple[NDArray[np.int64], NDArray[np.uint64]]]]


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

    def flips(self, back: bool) -> Sequence[Flip]:
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
    """

    state: str
    problems: Callable[[Any], Sequence[RankedStates]]
    back: bool = False
    within: str = ""


Rows = Closed | Classes | Ranked | Totals | Made
"""Kinds of rows that a table can have."""


def name_of(function: Callable[..., Any]) -> str:
    """The name of a function of second rules, in words: ``at exit``."""
    return str(getattr(function, "name", getattr(function, "__name__", function))).replace("_", " ")
