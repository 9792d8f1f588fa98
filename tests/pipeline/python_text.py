"""The program of a text of Python, its first argument: ``python -c`` for processes forked with their imports done."""

import sys


def main() -> None:
    """Run the text as what was started."""
    exec(sys.argv.pop(1), vars(sys.modules["__main__"]))
    sys.exit(0)  # at once, as commands end
