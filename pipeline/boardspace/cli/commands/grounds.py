"""Grounds on which answers stand: those of the tables and arrays that hold them."""

from boardspace.spec.extent import COMPLETENESS
from boardspace.spec.registry import space_named
from boardspace.spec.space import Array
from boardspace.verify.equations import all_checks


def reason(space: str, content: str) -> str:
    """The ground on which a row of a table, or a cell of an array, stands: whether all cases were made, or a theorem
    covers them, or it is an example or a sample; and by what it is derived again."""
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
