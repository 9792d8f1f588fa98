"""For the reference: examples in docstrings become blocks of code, and Sphinx's roles plain names."""

import re
from typing import Any

from griffe import Extension, Object


class Docstrings(Extension):
    """Makes Markdown of the docstrings' conventions."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        """Called for each module, class, function and attribute."""
        if obj.docstring is not None:
            text = re.sub(r":(?:mod|class|func|meth|data):`~?([^`]+)`", r"`\1`", obj.docstring.value)
            obj.docstring.value = re.sub(r"(?m)(^>>> .*(?:\n(?!\s*$).*)*)", r"```pycon\n\1\n```", text)
