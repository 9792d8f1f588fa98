"""Options of the commands that plan or begin a run: its configuration, and what becomes of an earlier run there."""

import click

from boardspace.cli.commands.options import Decorator, option_group
from boardspace.engine.config import load_config
from boardspace.engine.run import Resume
from boardspace.verify.repair import set_damaged_aside

_only_spaces = click.option(
    "--space", "names", multiple=True, metavar="NAME", help="Only this space of the config (repeatable)."
)
_changes = click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE", help="Change a key of the config: klotski.classes=['5-*']."
)
_fresh = click.option("--fresh", is_flag=True, help="Delete the data of these spaces from the folder and start over.")
_keep = click.option(
    "--keep", is_flag=True, help="Keep shards with the same parameters and inputs although the plan differs."
)
_repair = click.option(
    "--repair", is_flag=True, help="Make only the shards again that verify finds damaged or missing."
)
_break_lock = click.option("--break-lock", is_flag=True, help="Take the lock in a bucket at once: its owner is dead.")


def chosen_config(argument: Decorator) -> Decorator:
    """Add the argument ``config`` with the options that change it; the command gets the configuration as ``chosen``."""
    return option_group(
        "chosen",
        lambda config, names, changes: load_config(config, changes).only(names),
        argument,
        _only_spaces,
        _changes,
    )


def _resume(fresh: bool, keep: bool, break_lock: bool, repair: bool = False) -> Resume:
    return Resume(fresh, keep, set_damaged_aside if repair else None, break_lock)


resume_options = option_group("resume", _resume, _fresh, _keep, _break_lock)
"""Options of what becomes of an earlier run; the command gets them as ``resume``."""
resume_or_repair = option_group("resume", _resume, _fresh, _keep, _repair, _break_lock)
"""These options and ``--repair``."""
