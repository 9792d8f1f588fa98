"""Groups of options of a command, which gets one object of each group."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

Command = Callable[..., None]
Decorator = Callable[[Command], Command]


def option_group(name: str, make: Callable[..., Any], *options: Decorator) -> Decorator:
    """Add options, or arguments, to a command, which gets them as one parameter ``name``: what ``make`` returns.

    The parameters of ``make`` are named as the options are. Help lists the options in their order here.
    """
    taken = tuple(inspect.signature(make).parameters)

    def decorated(command: Command) -> Command:
        """Add the options to a command."""

        @functools.wraps(command)
        def calling(**given: Any) -> None:
            """Call the command with one object of the options."""
            made = make(**{option: given.pop(option) for option in taken})
            command(**{name: made}, **given)

        collected: Command = calling
        for option in reversed(options):
            collected = option(collected)
        return collected

    return decorated
