"""Passes: checks that ask for the rows they need, so that several read a large table at once.

A pass is a generator. It yields what it wants next and gets the columns; it returns its result. Passes go through the
same ranges of keys in ascending order, so those that want rows of the same range get them from one look at the files::

    def first_codes() -> Pass[list[int]]:
        found = []
        for low in range(0, 1_000, 100):
            rows = yield Wanted((low, low + 100), {"main": ("code",)})
            found.append(int(rows["main"]["code"][0]))
        return found

    alone(first_codes(), inputs)
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from numpy.typing import NDArray

from boardspace.spec.stage import Inputs

Columns = Mapping[str, NDArray[Any]]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Wanted:
    """Rows that a pass waits for.

    between: keys, the end left out: rows whose first key column lies there.
    columns: the columns that it wants, by table.
    """

    between: tuple[int, int]
    columns: Mapping[str, Sequence[str]]


Pass = Generator[Wanted, Mapping[str, Columns], Result]
"""What it gets are the columns, by table and name."""


def alone(one: Pass[Result], inputs: Inputs) -> Result:
    """The result of one pass; an error of its own, or of what it wants, is raised."""
    (found,) = together([one], inputs)
    if isinstance(found, Exception):
        raise found
    return found


def together(passes: Sequence[Pass[Result]], inputs: Inputs) -> list[Result | Exception]:
    """The result of each pass, or the error that ended it; rows that several want are read once."""
    found: dict[int, Result | Exception] = {}
    waiting: dict[int, Wanted] = {}

    def go_on(number: int, columns: Mapping[str, Columns] | Exception | None) -> None:
        """Give a pass what it waits for, or the error of that; keep what it wants next, or its end."""
        waiting.pop(number, None)
        try:
            waiting[number] = _next_wanted(passes[number], columns)
        except StopIteration as end:
            found[number] = end.value
        except Exception as error:  # what a check meets in forged rows makes it raise nearly anything
            found[number] = error

    for number in range(len(passes)):
        go_on(number, None)
    while waiting:
        between = min(wanted.between for wanted in waiting.values())
        here = {number: wanted for number, wanted in waiting.items() if wanted.between == between}
        tables = _read(inputs, between, list(here.values()))
        for number, wanted in here.items():
            go_on(number, _chosen(tables, wanted))
    return [found[number] for number in range(len(passes))]


def _next_wanted(one: Pass[Result], columns: Mapping[str, Columns] | Exception | None) -> Wanted:
    """Go on with a pass, from its beginning where there are no columns yet; return what it wants next."""
    if isinstance(columns, Exception):
        return one.throw(columns)
    return next(one) if columns is None else one.send(columns)


def _read(inputs: Inputs, between: tuple[int, int], here: Sequence[Wanted]) -> dict[str, Columns | Exception]:
    """All columns that these want, by table, or the error of reading it."""
    columns: dict[str, dict[str, None]] = {}
    for wanted in here:
        for table, names in wanted.columns.items():
            columns.setdefault(table, {}).update(dict.fromkeys(names))
    return {table: _columns(inputs, between, table, list(names)) for table, names in columns.items()}


def _columns(inputs: Inputs, between: tuple[int, int], table: str, names: Sequence[str]) -> Columns | Exception:
    try:
        rows = inputs.table(table, columns=names, between=between)
        return {name: rows.column(name).to_numpy() for name in names}
    except Exception as error:  # raised again in the passes that want this table
        return error


def _chosen(tables: Mapping[str, Columns | Exception], wanted: Wanted) -> Mapping[str, Columns] | Exception:
    """The columns that a pass wants, of those read; or the first error among its tables."""
    found: dict[str, Columns] = {}
    for table, names in wanted.columns.items():
        read = tables[table]
        if isinstance(read, Exception):
            return read
        found[table] = {name: read[name] for name in names}
    return found
