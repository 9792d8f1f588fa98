"""The spaces that ship, for tests of all of them; those whose checks are under way may fail."""

import pytest

UNDER_WAY: tuple[str, ...] = ()
SHIPPED = [
    "board_division",
    "five_in_a_row",
    "klotski",
    "solitaire",
    *(
        pytest.param(name, marks=pytest.mark.xfail(strict=False, reason="its checks are under way"))
        for name in UNDER_WAY
    ),
]
