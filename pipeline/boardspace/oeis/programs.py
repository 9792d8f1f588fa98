"""Programs of some 20 lines that find small terms by other means: texts beside a space, sent as they are.

They are no modules of this package: the encyclopaedia's programs have a style of their own, and only tests run them.
"""

from importlib.resources import files


def program(package: str, name: str, *last: str, first: str = "") -> str:
    """The text ``programs/NAME.txt`` of a space's package, with a line before it and lines after it."""
    text = (files(package) / "programs" / f"{name}.txt").read_text(encoding="ascii")
    return (f"{first}\n" if first else "") + text + "".join(f"{line}\n" for line in last)
