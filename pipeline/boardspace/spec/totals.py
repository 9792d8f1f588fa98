"""Equations over many rows: totals of rows that are proved, totals that are equal, and values of other rows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from boardspace.spec.rows import name_of

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
