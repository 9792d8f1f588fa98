"""Question that a space answers about one position or board: its parameters as texts, its answer as JSON values.

The command line, Python and the server (``boardspace serve --api``) ask the functions that questions name.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from boardspace.spec.arguments import shown, within
from boardspace.spec.errors import BoardspaceError

LONGEST = 4096
"""Characters of the value of a parameter."""
FORMS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "text": ("", {"type": "string", "maxLength": LONGEST}),
    "number": (r"-?[0-9]{1,18}", {"type": "integer", "minimum": 0}),
    "place": (r"[0-9]{1,4},[0-9]{1,4}", {"type": "string", "pattern": "^[0-9]{1,4},[0-9]{1,4}$"}),
}
"""What a parameter of each kind looks like: a pattern, and its schema in OpenAPI."""


@dataclass(frozen=True)
class Parameter:
    """Parameter of a question.

    name, doc, example: its name, what it means, and a value.
    kind: of its values, see FORMS.
    required: true where the question cannot do without it.
    most: of a number, which is 0 at least, so that the work is bounded.
    """

    name: str
    kind: str
    doc: str
    example: str
    required: bool = True
    most: int = 1 << 60

    @property
    def schema(self) -> dict[str, Any]:
        """The schema of its values in OpenAPI."""
        return {**FORMS[self.kind][1], **({"maximum": self.most} if self.kind == "number" else {})}

    def value(self, written: str) -> Any:
        """The value that a text writes; BoardspaceError where it writes none."""
        if len(written) > LONGEST:
            raise BoardspaceError(f"{self.name}: longer than {LONGEST:,} characters, which is more than can be meant")
        pattern, _ = FORMS[self.kind]
        if pattern and not re.fullmatch(pattern, written):
            raise BoardspaceError(f"{self.name}: {shown(written)} is no {self.kind}; one is {self.example}")
        if self.kind == "number":
            return within(self.name, int(written), 0, self.most)
        return tuple(map(int, written.split(","))) if self.kind == "place" else written


@dataclass(frozen=True)
class Question:
    """Question of a space.

    name: of it, the last part of its path.
    doc: what it answers, in a sentence.
    ask: the function that answers, with an object that has a ``document()``, or None where the answer is no.
    parameters: by which the function is called.
    """

    name: str
    doc: str
    ask: Callable[..., Any]
    parameters: tuple[Parameter, ...]

    @property
    def example(self) -> dict[str, str]:
        """The values of an example."""
        return {parameter.name: parameter.example for parameter in self.parameters}

    def answer(self, given: Mapping[str, str]) -> Any:
        """The answer in JSON values; BoardspaceError where a parameter is missing, unknown or wrong."""
        names = ", ".join(self.example)
        for name in given:
            if name not in self.example:
                raise BoardspaceError(f"there is no parameter {shown(name)}; there are: {names}")
        for parameter in self.parameters:
            if parameter.required and parameter.name not in given:
                raise BoardspaceError(f"the parameter {parameter.name} is missing, such as {parameter.example}")
        values = {one.name: one.value(given[one.name]) for one in self.parameters if one.name in given}
        found = self.ask(**values)
        return {"solvable": False} if found is None else found.document()
