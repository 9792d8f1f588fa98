"""Names of tables and columns can be written as they are in SQL, without quotation marks."""

import sqlite3
from collections.abc import Callable, Iterator

import duckdb
import pytest

from boardspace.spec.registry import spaces
from boardspace.spec.table import Table

SPOILED = "returning"
"""Reserved in both dialects; the name of a column once."""


def statements(table: str, columns: list[str]) -> Iterator[str]:
    """A table made and asked, each of its columns by its bare name in the places where a query has one."""
    yield f"create table {table} ({', '.join(f'{column} integer' for column in columns)})"
    for column in columns:
        yield f"select {column}, {table}.{column}, max({column}) as {column} from {table} group by {column}"
        yield f"select {column} from {table} where {column} > 0 and 0 < {column} order by {column}"
    yield f"drop table {table}"


def in_sqlite() -> Callable[[str], object]:
    return sqlite3.connect(":memory:").execute


def in_duckdb() -> Callable[[str], object]:
    return duckdb.connect().execute


def published(space: str) -> list[Table]:
    return [table.unfolded for table in spaces()[space].all_tables]


@pytest.mark.parametrize("dialect", [in_sqlite, in_duckdb])
@pytest.mark.parametrize("space", spaces())
def test_no_name_of_a_table_or_column_needs_quotation_marks(
    space: str, dialect: Callable[[], Callable[[str], object]]
) -> None:
    execute = dialect()
    for table in published(space):
        for statement in statements(table.name, [column.name for column in table.columns]):
            try:
                execute(statement)
            except (sqlite3.Error, duckdb.Error) as error:
                pytest.fail(f"{space}: {statement}: {error}")


@pytest.mark.parametrize("space", spaces())
def test_no_name_is_a_reserved_word_of_duckdb(space: str) -> None:
    asked = "select keyword_name from duckdb_keywords() where keyword_category = 'reserved'"
    reserved = {name for (name,) in duckdb.connect().execute(asked).fetchall()}
    assert SPOILED in reserved
    for table in published(space):
        assert reserved.isdisjoint({table.name, *(column.name for column in table.columns)}), table.name


@pytest.mark.parametrize("dialect", [in_sqlite, in_duckdb])
def test_a_reserved_word_does_not_pass(dialect: Callable[[], Callable[[str], object]]) -> None:
    first = next(statements("class_levels", ["pegs", SPOILED]))
    with pytest.raises((sqlite3.Error, duckdb.Error), match=SPOILED):
        dialect()(first)
