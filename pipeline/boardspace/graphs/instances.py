"""Instances of every puzzle made from its rules: states to be led to the start, or to a goal, in the fewest moves.

Numbered states are taken evenly from each distance; of closed classes the farthest state of each group is. The checker
brings the second rules of the puzzle along, as one file that needs nothing installed.

The file has the classes of the second rules and all that these use: statements of their module, and of modules that it
imports from, each with what it uses in turn, in their order. Kernels and the space stay behind, and so do annotations'
meanings, which nobody reads.
"""

import __future__

import ast
import dis
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from graphlib import TopologicalSorter
from importlib.util import resolve_name
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from boardspace.graphs.answers import Answers
from boardspace.graphs.puzzle import Case, Closed, Puzzle
from boardspace.graphs.questions import answers, puzzle_named
from boardspace.instances.checker import ByRules, reached
from boardspace.instances.slides import least_cost
from boardspace.instances.source import (
    Batch,
    Instance,
    Request,
    Source,
    labelled,
    middles,
    one_by_one,
    puzzle_of_moves,
    without_answer,
)
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import space_named

HEAD = '"""Rules of the puzzles in this folder, for check.py."""\n\nfrom __future__ import annotations\n\n'
MADE = '''


def made(kind, values):
    """An object of a class that has these values."""
    one = object.__new__(kind)
    one.__dict__.update(values)
    return one


KINDS = {{{kinds}}}
'''


def standalone(rules: Mapping[str, object]) -> str:
    """The source of a file whose ``KINDS`` has these second rules by name.

    BoardspaceError where they use what is not part of Python, or hold values that no source can say.
    """
    taken = _Taken()
    for one in rules.values():
        taken.take(sys.modules[type(one).__module__], type(one).__name__)
    kinds = ", ".join(f"{name!r}: made({type(one).__name__}, {_values(name, one)})" for name, one in rules.items())
    return HEAD + taken.source() + MADE.format(kinds=kinds)


def _values(name: str, one: object) -> str:
    text = repr(vars(one))
    try:
        if ast.literal_eval(text) == vars(one):
            return text
    except (ValueError, SyntaxError):
        pass
    raise BoardspaceError(
        f"the second rules of {name} hold what no source says, {text[:200]}: instances need rules that hold numbers, "
        "texts, lists and dictionaries alone; or write a class for each metric"
    )


class _Taken:
    """Statements that were taken: of each module its own by line, after those of modules that it imports from."""

    def __init__(self) -> None:
        self._modules: dict[str, dict[int, str]] = {}
        self._imports: set[str] = set()
        self._met: set[tuple[str, str]] = set()
        self._owners: dict[str, str] = {}
        self._before: dict[str, set[str]] = {}

    def take(self, module: ModuleType, name: str) -> None:
        """Take the statements that define a name, after all that these use of other modules."""
        if (module.__name__, name) in self._met:
            return
        self._met.add((module.__name__, name))
        source, found = inspect.getsource(module), dict[int, str]()
        for statement in ast.parse(source).body:
            if name not in _defined(statement):
                continue
            if isinstance(statement, ast.Import | ast.ImportFrom):
                self._import(module, statement, name)
                continue
            if self._owners.setdefault(name, module.__name__) != module.__name__:
                raise BoardspaceError(
                    f"{module.__name__} and {self._owners[name]} both define {name}, and the second rules use both in "
                    "one file: rename one"
                )
            for used in sorted(_used(statement)):
                self.take(module, used)
            first = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])
            found[first] = "\n".join(source.splitlines()[first - 1 : statement.end_lineno])
        if found:
            self._modules.setdefault(module.__name__, {}).update(found)

    def _import(self, module: ModuleType, statement: ast.Import | ast.ImportFrom, name: str) -> None:
        [alias] = [one for one in statement.names if name in (one.asname, one.name)]
        here: ast.Import | ast.ImportFrom = ast.Import([alias])
        origin = alias.name
        if isinstance(statement, ast.ImportFrom):
            origin = resolve_name("." * statement.level + (statement.module or ""), module.__package__)
            here = ast.ImportFrom(origin, [alias], 0)
        if origin.partition(".")[0] in sys.stdlib_module_names:
            self._imports.add(ast.unparse(here))
        elif isinstance(here, ast.ImportFrom) and alias.asname is None and hasattr(sys.modules[origin], "__file__"):
            self._before.setdefault(module.__name__, set()).add(origin)
            self.take(sys.modules[origin], name)
        else:
            raise BoardspaceError(
                f"{module.__name__}: the second rules use {name} ({ast.unparse(here)}); beside check.py nothing is "
                "installed, so instances need second rules in plain Python"
            )

    def source(self) -> str:
        parts = ["\n".join(sorted(self._imports))]
        for module in TopologicalSorter({**dict.fromkeys(self._modules, ()), **self._before}).static_order():
            parts += [text for _, text in sorted(self._modules.get(module, {}).items())]
        return "\n\n\n".join(filter(None, parts))


def _defined(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name for alias in statement.names}
    return set(_stored(statement))


def _stored(node: ast.AST) -> Iterator[str]:
    """Names that are bound below a node, or whose items are, or whose methods are called; without inner scopes."""
    base = node
    while isinstance(base, ast.Subscript | ast.Attribute):
        base = base.value
    if isinstance(base, ast.Name) and isinstance(getattr(node, "ctx", None), ast.Store):
        yield base.id
    called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        yield called.value.id
    if not isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from _stored(child)


def _used(statement: ast.stmt) -> set[str]:
    """Names of the module that a statement reads, annotations left out."""
    module = ast.Module([statement], [])
    return set(_read(compile(module, "", "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True)))


def _read(code: CodeType) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _read(constant)


MOST_REACHED = 100_000
"""States that a certificate goes through."""
OF_A_DISTANCE = 5_000
"""States of each distance that are candidates, of numbered states."""


def source(space: str) -> Source:
    """The instances of a puzzle's space; BoardspaceError where moves cannot be taken back."""
    puzzle = puzzle_named(space)
    if not puzzle.undirected and not puzzle.has_goals:
        raise BoardspaceError(f"{puzzle.name} has no instances: its moves cannot all be taken back, so none lead home")
    to_start = not (puzzle.has_goals or isinstance(puzzle.states, Closed))
    return Source(
        title=f"{puzzle.title}: lead a state {'to the start' if to_start else 'to a goal'} in the fewest moves.",
        part="case",
        usual=(),
        strata=("moves",),
        grouped="Moves join a group's states." if isinstance(puzzle.states, Closed) else "Each is a group of its own.",
        batches=partial(_batches, puzzle),
        formats={"pddl": partial(_pddl, puzzle)} if puzzle.pddl is not None else {},
        table=puzzle.farthest.name,
        unsolvable=puzzle.has_goals or isinstance(puzzle.states, Closed),
        middle=isinstance(puzzle.states, Closed),
        rules=partial(standalone, {_kind(puzzle, metric): puzzle.rules_of(metric) for metric in puzzle.moves}),
    )


def _kind(puzzle: Puzzle, metric: str) -> str:
    return f"{puzzle.name}_{metric}"


def _pddl(puzzle: Puzzle, name: str, document: Mapping[str, Any], least: int | None) -> dict[str, str]:
    """The author's domain of a case, and the problem that leads from the start to the end, by file name."""
    assert puzzle.pddl is not None
    case = Case(document["kind"].removeprefix(_kind(puzzle, "")), document["size"])
    domain, problem = puzzle.pddl(case, puzzle.rules_of(case.metric).parse(case.size, document["start"]))
    return {
        f"{case.name.replace('/', '-')}-domain.pddl": domain,
        f"{name}-problem.pddl": f"; {name}: {least_cost(least)}\n{problem}",
    }


def _batches(puzzle: Puzzle, request: Request) -> Iterator[Batch]:
    """A batch for each case that is asked for: of the dataset, or of the config that is usual."""
    data = request.data
    cases = puzzle.cases(space_named(puzzle.name).config() if data is None else data.config)
    for name in request.parts:
        if name not in {case.name for case in cases}:
            raise BoardspaceError(f"--of {name}: write one of {', '.join(case.name for case in cases)}")
    for case in cases:
        if case.name in request.parts or not request.parts:
            asked = answers(puzzle.name, case.metric, case.size, data)
            states, distances, groups = asked.candidates(OF_A_DISTANCE)
            starts = Batch(
                name=case.name.replace("/", "-").replace("_", "-"),
                family=case.name,
                key=states,
                group=groups,
                difficulty=distances.astype(np.int64),
                make=one_by_one(partial(_instance, asked)),
                measure=f"moves of {case.metric}" if len(puzzle.moves) > 1 else "",
            )
            yield starts
            if request.middle:
                yield middles(starts, partial(_instance, asked))
            if request.unsolvable:
                states, sizes, groups = asked.lost()
                yield Batch(
                    name=f"{case.name.replace('/', '-').replace('_', '-')}-lost",
                    family=case.name,
                    key=states,
                    group=groups,
                    difficulty=sizes,
                    make=one_by_one(partial(_lost, asked)),
                    solvable=False,
                )


def _instance(asked: Answers, state: int, made: int = 0) -> Instance:
    """The instance of a candidate, or of the state after some moves of its answer."""
    steps = asked.solution(state)
    assert steps is not None, "a candidate has a distance"
    if made:
        return _instance(asked, steps[made - 1].state)
    puzzle = _puzzle(asked, state)
    return Instance(
        puzzle=puzzle,
        least=len(steps),
        solutions=None,
        answer=tuple(step.move for step in steps),
        difficulty=len(steps),
        actions=labelled(ByRules(asked.rules), puzzle, asked.moves_left),
        metrics={asked.case.metric: len(steps)},
    )


def _lost(asked: Answers, state: int) -> Instance:
    """The instance of a state from which no moves lead to a goal: all that are reached are counted."""
    kind, puzzle = ByRules(asked.rules), _puzzle(asked, state)
    size = len(reached(kind, puzzle, MOST_REACHED))
    if size == MOST_REACHED:
        raise BoardspaceError(
            f"{asked.case.name}: from {asked.text(state)!r} moves reach more than {MOST_REACHED:,} states, too "
            "many for a certificate; leave out --unsolvable, or name smaller cases with --of"
        )
    return without_answer(kind, puzzle, {"kind": "group", "positions": size}, size)


def _puzzle(asked: Answers, state: int) -> dict[str, Any]:
    case, goals = asked.case, [asked.text(goal) for goal in asked.goals]
    return puzzle_of_moves(_kind(asked.puzzle, case.metric), case.size, asked.text(state), goals)
