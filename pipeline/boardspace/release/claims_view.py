"""Claims of a dataset as Python objects: statements of the source texts, each with what the data say of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from boardspace.spec.space import Verdict


@dataclass(frozen=True)
class Judged:
    """A statement of a source text with what the data say; see the table ``claims`` of every dataset.

    ``stated`` and ``measured`` are JSON values (``measured`` None where the run did not cover it).
    """

    claim: str
    source: str
    statement: str
    stated: Any
    measured: Any
    verdict: Verdict
    basis: str
    evidence: str


class Claims(tuple[Judged, ...]):
    """The statements of a text in its order."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        """Claim at a position, or of a name; KeyError where no claim has it."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        return {judged.claim: judged for judged in self}[key]

    def _repr_html_(self) -> str:
        head = "<tr><th>claim<th>statement<th>stated<th>measured<th>verdict</tr>"
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(str(value))}' for value in (c.claim, c.statement, c.stated, c.measured, c.verdict))}</tr>"  # noqa: E501
            for c in self
        )
        return f"<table>{head}{rows}</table>"


def judged_row(row: Mapping[str, Any]) -> Judged:
    """A row of the table ``claims`` as an object."""
    values = {name: row[name] for name in ("claim", "source", "statement", "verdict", "basis", "evidence")}
    measured = json.loads(row["measured"]) if row["measured"] else None
    return Judged(**values, stated=json.loads(row["stated"]), measured=measured)
