"""Names in PDDL: letters, digits, hyphens and underscores; capital letters are as good as small ones."""

import re


def pddl_name(text: str) -> str:
    """A name like the text, which begins with a letter; other signs become hyphens.

    >>> pddl_name("klotski-1A9BF0C00")
    'klotski-1a9bf0c00'
    """
    return re.sub(r"[^a-z0-9_-]", "-", text.lower())


def least_cost(least: int | None) -> str:
    """The comment on the least total cost of a problem."""
    return "there is no plan" if least is None else f"the least total cost is {least}"
