"""All layouts of a class, enumerated anew by every stage that works on a class.

The stage ``classes``, the net, the outlines of farthest steps, their parts and their merging each enumerate the classes
they need, instead of reading what one of them left. That costs about 0.1 s for a million layouts, 3 s for all of them;
to write and map codes, addresses and groups (18 bytes a layout, and the tables of each class) would cost more, would
make the stages wait for one another, and would keep half a gigabyte until the last of them.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from boardspace_kernels.klotski.classes import ClassLayouts, ClassName, enumerate_layouts


def class_named(text: str) -> ClassName:
    """Return the class of a name such as 5-4-1."""
    return ClassName(*map(int, text.split("-")))


def enumerated(text: str) -> ClassLayouts:
    """Enumerate the class of a name such as 5-4-1."""
    return enumerate_layouts(class_named(text))


def of_class(name: ClassName, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of groups of one class, by name, with the numbers of the class before them."""
    count = len(columns["group_num"])
    return {f"{kind}_num": np.full(count, value) for kind, value in name._asdict().items()} | dict(columns)
