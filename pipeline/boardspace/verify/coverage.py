"""Coverage of checks: every published column and array of a space is derived again, or its part says why not.

A column that no check names could hold anything, and ``boardspace verify`` would find no fault. So ``verify`` and
``publish`` refuse a space with such a column, whoever wrote it.
"""

from collections import Counter
from collections.abc import Iterator

from boardspace.spec.extent import COMPLETENESS
from boardspace.spec.registry import space_named
from boardspace.spec.space import Array, Space
from boardspace.verify.equations import all_checks


def contents_of(space: Space, intermediates: bool = False) -> list[str]:
    """``table.column`` of every published table, the claims' and columns of folders among them, and the names of
    arrays; ``intermediates`` adds the columns that only stages read."""
    tables = [table.unfolded for table in space.all_tables if table.published or intermediates]
    return [f"{table.name}.{column.name}" for table in tables for column in table.columns] + [
        array.name for array in space.arrays
    ]


def covered_by(space: Space) -> dict[str, list[str]]:
    """The names of the checks that derive each column (``table.column``) and each array again."""
    found: dict[str, list[str]] = {}
    for check in all_checks(space):
        for name, columns in check.columns.items():
            for content in [f"{name}.{column}" for column in columns] or [name]:
                found.setdefault(content, []).append(check.name)
    return found


def coverage_faults(space: Space) -> list[str]:
    """The columns and arrays that nothing derives again, and what is said of others that are not there; none where the
    space is sound."""
    return list(_faults(space))


def _faults(space: Space) -> Iterator[str]:
    covered, unchecked = covered_by(space), space.unchecked
    known = {*contents_of(space, intermediates=True)}
    for name in contents_of(space):
        if name not in covered and name not in unchecked:
            yield f"no check names {_described(space, name)}: add one, or say why not in `unchecked` of its part"
    for name, checks in covered.items():
        if name not in known:
            yield f"the check {checks[0]!r} names {name!r}, and there is no such column or array"
        if name in unchecked:
            yield f"the check {checks[0]!r} names {_described(space, name)}, which `unchecked` says has none"
    for name, reason in unchecked.items():
        if name not in known:
            yield f"`unchecked` names {name!r}, and there is no such column or array"
        if not reason.strip():
            yield f"`unchecked` gives no reason for {_described(space, name)}"
    for name, count in Counter(check.name for check in all_checks(space)).items():
        if count > 1:
            yield f"{count} checks are named {name!r}"


def _described(space: Space, name: str) -> str:
    """The column or the array in words; a name of an array may hold points."""
    array = any(isinstance(content, Array) and content.name == name for content in space.contents)
    table, _, column = name.rpartition(".")
    return f"array {name}" if array else f"column {column} of table {table}"


def provenance(space: str, content: str) -> str:
    """Provenance of a row of a table, or a cell of an array: whether all cases were made, or a theorem covers them, or
    it is an example or a sample; and by what it is derived again."""
    found = space_named(space)
    [held] = [one for one in found.contents if one.name == content]
    means = dict.fromkeys(check.means for check in all_checks(found) if content in check.columns)
    kind = "array" if isinstance(held, Array) else "table"
    return "\n".join(
        [
            f"why: as in the {kind} {content} of {space}: {COMPLETENESS[held.complete]}",
            *(f"derived again: {mean}" for mean in means),
        ]
    )
