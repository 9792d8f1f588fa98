"""Refuses a puzzle of which something declared cannot be used, when it is loaded, whatever its rules do."""

import re
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from boardspace.graphs.claims import DeadEnds, Statement, Takes, ToGoal
from boardspace.graphs.puzzle import Case, Closed, Dense, OwnColumn, Puzzle, SecondRules, Sparse
from boardspace.spec.arguments import shown, text
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import error_text
from boardspace.spec.space import SpaceConfig
from boardspace_kernels.jit import Kernel

NAME = "[a-z][a-z0-9_]*"
TAKEN = ("show", "solve", "group", "hardness", "path", "hardest", "random", "play", "export")
"""The names of the commands that every puzzle has."""


def _each(kind: type) -> Callable[[Any], bool]:
    """True of a tuple or list of what is of a kind."""
    return lambda value: isinstance(value, tuple | list) and all(isinstance(one, kind) for one in value)


_TEXT, _BY_NAME = (lambda value: isinstance(value, str), "a text"), lambda value: isinstance(value, Mapping)
KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "name": _TEXT,
    "title": _TEXT,
    "doc": _TEXT,
    "moves": (_BY_NAME, '{"step": KERNEL}'),
    "retract": (_BY_NAME, '{"step": KERNEL}'),
    "states": (lambda value: isinstance(value, Dense | Sparse | Closed), "Dense(...), Sparse(...) or Closed(...)"),
    "undirected": (lambda value: isinstance(value, bool), "True or False"),
    "config": (lambda value: isinstance(value, type) and issubclass(value, SpaceConfig), "a class of SpaceConfig"),
    "metrics": (lambda value: value is None or callable(value), "a function of a config to names of moves"),
    "sizes": (callable, 'a function of a config to sizes, such as [{"rows": 3}]'),
    "whole": (_each(Mapping), 'sizes, such as [{"rows": 3}]'),
    "claims": (_BY_NAME, '{"farthest": Greatest(11, "SOURCE")}'),
    "columns": (_each(OwnColumn), "a tuple, (OwnColumn(...),)"),
    "commands": (_each(FunctionType), "a tuple of functions, (NAME,)"),
    "pddl": (lambda value: value is None or callable(value), "a function of a case and a state"),
    "authors": (_each(str), 'a tuple of names, ("NAME",)'),
}
"""What each field is, where it is none of the numbers and rules below, and what is wanted in words."""


def refuse_faults(puzzle: Puzzle) -> None:
    """BoardspaceError where what a puzzle declares cannot be used, whatever its rules do."""
    for name, (fits, wanted) in KINDS.items():
        if not fits(value := getattr(puzzle, name)):
            raise BoardspaceError(f"{puzzle.name}: {name} is {shown(value)}: give {wanted}")
    _refuse_kernels(puzzle)
    _refuse_names(puzzle)
    _refuse_second_rules(puzzle)
    _refuse_columns(puzzle)
    refuse_cases(puzzle, puzzle.cases(puzzle.config()))
    _refuse_claims(puzzle)


def _refuse_kernels(puzzle: Puzzle) -> None:
    kernels: dict[str, object] = {f"moves[{name!r}]": rule for name, rule in puzzle.moves.items()}
    if isinstance(puzzle.states, Closed):
        kernels |= {"place": puzzle.states.place, "goal": puzzle.states.goal}
    if puzzle.symmetric:
        kernels["images"] = puzzle.sparse.images
    if puzzle.has_goals:
        kernels["goal"] = puzzle.states.goal
    if puzzle.has_goals and not puzzle.undirected:
        lacking = [name for name in puzzle.moves if name not in puzzle.retract]
        if lacking:
            raise BoardspaceError(
                f"{puzzle.name}: retract lacks {', '.join(lacking)}: where there are goals and moves cannot be "
                "taken back, give the kernel that finds the states before a state; or say undirected=True"
            )
        kernels |= {f"retract[{name!r}]": rule for name, rule in puzzle.retract.items()}
    for name, one in kernels.items():
        if not isinstance(one, Kernel):
            signature = "GOAL" if name == "goal" else "RULE"
            raise BoardspaceError(f"{puzzle.name}: {name} is no kernel: write @kernel({signature}) above its function")


def _refuse_names(puzzle: Puzzle) -> None:
    names = [name for name in puzzle.moves if not re.fullmatch(NAME, name)]
    if names or not puzzle.moves:
        raise BoardspaceError(
            f"{puzzle.name}: a metric cannot be named {', '.join(names)!r}: give small letters, 0-9, _"
        )
    if isinstance(puzzle.states, Closed) and not puzzle.undirected:
        raise BoardspaceError(f"{puzzle.name}: moves of closed classes can be taken back: say undirected=True")
    sizes = [*puzzle.whole, *puzzle.sizes(puzzle.config())]
    if not sizes or any(tuple(size) != tuple(sizes[0]) for size in sizes):
        raise BoardspaceError(f"{puzzle.name}: all sizes have the same names in one order, and there is at least one")
    taken = [one.__name__ for one in puzzle.commands if one.__name__ in TAKEN]
    if taken:
        raise BoardspaceError(f"{puzzle.name}: every puzzle has a command {taken[0]}: name yours otherwise")


def _refuse_second_rules(puzzle: Puzzle) -> None:
    given = puzzle.rules if isinstance(puzzle.rules, Mapping) else dict.fromkeys(puzzle.moves, puzzle.rules)
    lacking = [name for name in puzzle.moves if not isinstance(given.get(name), SecondRules)]
    if lacking:
        raise BoardspaceError(
            f"{puzzle.name}: there are no second rules of {', '.join(lacking)}: give an object of a class derived from "
            "SecondRules"
        )
    rules = map(puzzle.rules_of, puzzle.moves)
    if puzzle.states.goal is None and any(type(one).solved is not SecondRules.solved for one in rules):
        raise BoardspaceError(
            f"{puzzle.name}: its second rules say which states are solved, and its states have no goal: give them "
            "the kernel that says so, goal=, or leave solved out"
        )


def _refuse_claims(puzzle: Puzzle) -> None:
    names = puzzle.size_names
    for name, one in puzzle.claims.items():
        where = f"{puzzle.name}: claims[{name!r}]"
        if not isinstance(name, str) or not isinstance(one, Statement):
            raise BoardspaceError(
                f"{where} is {shown(one)}: give a statement of boardspace.graphs by a name, such as "
                '"farthest": Greatest(11, "SOURCE")'
            )
        if isinstance(one, ToGoal | DeadEnds) and not puzzle.has_goals:
            raise BoardspaceError(f"{where} is on goals, and the states have none: give goal=, or leave the claim out")
        try:
            _ = one.stated, text("source", one.source, "Jaap's Puzzle Page")
        except BoardspaceError as error:
            raise BoardspaceError(f"{where}: {error}") from error
        sized = isinstance(one.size, Mapping) and set(one.size) == set(names) and all(map(_whole, one.size.values()))
        if not sized or metric_of(puzzle, one) not in puzzle.moves:
            size = ", ".join(f'"{key}": ...' for key in names)
            raise BoardspaceError(
                f"{where} is on no case, so no run would judge it: say metric=, one of "
                f"{', '.join(puzzle.moves)}, and size={{{size}}}, as far as there are several"
            )
        if isinstance(one, Takes):
            _refuse_state(puzzle, where, one)


def _refuse_state(puzzle: Puzzle, where: str, one: Takes) -> None:
    """BoardspaceError where a statement is on what is no state."""
    size = {name: one.size[name] for name in puzzle.size_names}
    below = puzzle.states.count(size) if isinstance(puzzle.states, Dense) else 1 << 64
    try:
        number = (
            puzzle.rules_of(metric_of(puzzle, one)).parse(size, one.state) if isinstance(one.state, str) else one.state
        )
    except Exception as error:  # an author's parser may fail in any way
        why = error if isinstance(error, ValueError) else error_text(error)
        raise BoardspaceError(f"{where} is on {shown(one.state)}, which is no state: {why}") from error
    if not _whole(number) or not 0 <= number < below:
        raise BoardspaceError(f"{where} is on {shown(one.state)}: give its drawing, or its number below {below:,}")


def _refuse_columns(puzzle: Puzzle) -> None:
    for table in (puzzle.farthest, puzzle.groups if isinstance(puzzle.states, Closed) else puzzle.positions):
        columns = [column.name for column in table.columns]
        for column in columns:
            if columns.count(column) > 1 or not re.fullmatch(NAME, column):
                raise BoardspaceError(
                    f"{puzzle.name}: its table {table.name} cannot have {column!r}: name columns of yours, and numbers "
                    "of a size, by small letters, 0-9, _, as no other column"
                )


def refuse_cases(puzzle: Puzzle, cases: Sequence[Case]) -> None:
    """BoardspaceError where one of these cases cannot be used: its metric, its size, or what is declared of that."""
    names = [case.name for case in cases]
    for case in cases:
        if case.metric not in puzzle.moves:
            raise BoardspaceError(f"{puzzle.name}: there is no metric {case.metric!r}: {', '.join(puzzle.moves)}")
        for name, number in case.size.items():
            if not _whole(number) or not 0 <= number < 1 << 32:
                raise BoardspaceError(f"{puzzle.name}: a size has {name!r}: {number!r}: give whole numbers from 0 on")
        if names.count(case.name) > 1:
            raise BoardspaceError(f"{puzzle.name}: sizes gives {dict(case.size)} twice")
        _refuse_numbers(puzzle, case)


def _refuse_numbers(puzzle: Puzzle, case: Case) -> None:
    """BoardspaceError where a number that is declared of a size is none, or too large or small."""
    of: dict[str, tuple[Callable[..., Any], int]] = {"most_moves": (puzzle.most_moves, 1 << 31)}
    match puzzle.states:
        case Dense(count=count):
            of["count"] = count, 1 << 35
        case Sparse(order=order, about=about):
            of |= {"order": (order, 1 << 31), "about": (about, 1 << 64)}
        case Closed(labels=labels):
            of["labels"] = labels, 1 << 64
    found = {}
    for name, (function, below) in of.items():
        number = found[name] = function(case.size) if callable(function) else None
        if not _whole(number) or not 0 < number < below:
            raise BoardspaceError(
                f"{puzzle.name}, {case.name}: {name} is {function if number is None else number!r}: give a function "
                f"of a size to a whole number from 1 to {below - 1:,}"
            )
    if isinstance(puzzle.states, Closed):
        return
    below = found.get("count", 1 << 64)
    starts: Any = puzzle.states.start(case.size)
    several = np.iterable(starts) and not isinstance(starts, str)
    for start in ([*starts] or [starts]) if several else [starts]:
        if not _whole(start) or not 0 <= start < below:
            raise BoardspaceError(
                f"{puzzle.name}, {case.name}: start gives {start!r}: give a whole number below {below:,}, or several"
            )
    if isinstance(puzzle.states, Dense) and (not 0 < puzzle.states.range <= 1 << 32 or puzzle.states.range % 64):
        raise BoardspaceError(f"{puzzle.name}: range is {puzzle.states.range}: give a multiple of 64 to 2^32")


def _whole(number: Any) -> bool:
    """True of an int, as Python or NumPy has it; True and False are none."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def metric_of(puzzle: Puzzle, one: Statement) -> str:
    """The metric that a statement is on."""
    return one.metric or next(iter(puzzle.moves))
