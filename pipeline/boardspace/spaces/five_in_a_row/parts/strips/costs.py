"""About how long strips take, for plans, and for checks that make the widest again in a draw alone."""

WIDE = {2: (16, 2.0, 4), 3: (12, 6.0, 4), 4: (8, 2.6, 12), 5: (7, 3.0, 15), 6: (6, 1.4, 4)}
"""By k, a width, about how many seconds it takes, and by how much each column less divides it."""


def strip_seconds(k: int, width: int) -> float:
    """About how long the states of a strip take, and the rows until they repeat themselves."""
    columns, seconds, growth = WIDE[k]
    return 0.02 + float(seconds * growth ** float(width - columns))
