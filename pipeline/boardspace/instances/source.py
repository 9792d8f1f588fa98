"""Source of a space's instances: the interface that ``instances.py`` beside a space fills, as ``SOURCE``.

A source gives batches of candidates: arrays of numbers alone, so that millions are cheap. The library chooses among
them (:mod:`.choice`), and only then asks the batch for the instances that were chosen.
"""

import ast
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boardspace.instances import checker
from boardspace.release.datasets import Dataset
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import module_beside, module_of, space_named
from boardspace.storage.files import write_bytes
from boardspace.storage.scratch import scratch_folder

MADE_BITS, MOST_MADE = 16, (1 << 16) - 1
"""Bits of a key, and the most, that say how many moves of an answer are made."""
MODULE = "instances"
"""Module beside a space that defines its ``SOURCE``."""


@dataclass(frozen=True)
class Action:
    """Move of a start.

    move: its name, a line of an answer.
    least: the fewest moves that it leaves; None where no answer begins with it.
    """

    move: str
    least: int | None


@dataclass(frozen=True)
class Instance:
    """A problem with its proven optimum.

    puzzle: all that a solver is given, as JSON values; ``kind`` says how the checker reads it.
    least: the least number of moves, stones, pegs or pieces; the puzzle says which by its kind. None where there is no
        answer.
    solutions: how many optimal answers there are; None where that is not known.
    answer: one optimal answer, line by line.
    difficulty: what the strata go by.
    actions: every move of the start with what is left after it, see :func:`labelled`; () where that is not known.
    metrics: least numbers by the names of what they count, ``least`` among them.
    certificate: proof that there is no answer, as :func:`.checker.prove` reads it; None where there is one.
    """

    puzzle: Mapping[str, Any]
    least: int | None
    solutions: int | None
    answer: tuple[str, ...]
    difficulty: int
    actions: tuple[Action, ...] = ()
    metrics: Mapping[str, int] = field(default_factory=dict)
    certificate: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Batch:
    """Candidates of one kind, no two of which are images of one another.

    name: the ids of its instances are NAME-KEY, so no two batches have the same.
    family: batches of one family share the numbers of their groups.
    key: uint64 (candidates), what ``make`` finds each by.
    group: uint64 (candidates), number of its group in the family: of two instances one of which helps to solve the
        other, the groups are the same.
    difficulty: int64 (candidates).
    make: from keys, uint64 (chosen), their instances in the same order.
    show: from a key, its text in the id.
    measure: what difficulties are numbers of, where that is not what the request names: candidates whose difficulties
        cannot be compared have different ones.
    solvable: false where these puzzles have no answer; they are a measure of their own.
    """

    name: str
    family: str
    key: npt.NDArray[np.uint64]
    group: npt.NDArray[np.uint64]
    difficulty: npt.NDArray[np.int64]
    make: Callable[[npt.NDArray[np.uint64]], Sequence[Instance]]
    show: Callable[[int], str] = str
    measure: str = ""
    solvable: bool = True


@dataclass(frozen=True)
class Request:
    """Choice of candidates.

    parts: of the space by name; all usual ones where none is named.
    strata: name of the number that instances are stratified by.
    data: dataset of the space to draw from, where its source reads one.
    unsolvable: true where puzzles without an answer are wanted too.
    middle: true where positions in the middle of answers are wanted too.
    """

    parts: tuple[str, ...] = ()
    strata: str = ""
    data: Dataset | None = None
    unsolvable: bool = False
    middle: bool = False


Texts = Callable[[str, Mapping[str, Any], int | None], Mapping[str, str]]
"""From an id, a puzzle and its least: texts by file name."""


@dataclass(frozen=True)
class Source:
    """Instances of a space.

    title: what an instance asks for, in a sentence.
    part: what ``--of`` names, in a word.
    usual: the parts that are taken where none is named.
    strata: names of the numbers that instances can be stratified by, the usual one first.
    grouped: what instances of one group have in common, in a sentence.
    batches: the candidates.
    formats: languages that a puzzle can be written in, pddl or minizinc, by name.
    table: of a dataset, the table that candidates can be drawn from; '' where they are always computed.
    kinds: kinds of the checker's own (its head describes them) that say exactly what is allowed in these puzzles.
    rules: a file with the rules of other kinds, as ``KINDS``, that imports the standard library alone, or a function
        that makes its text: it is written beside the checker. A rule is an object with ``moves``, ``text`` and
        ``parse`` (:class:`.checker.ByRules`), or a function from a puzzle and an answer to its number that raises
        ValueError with what is wrong.
    unsolvable: true where there are batches of puzzles without an answer, too.
    middle: true where candidates are the hardest starts, and there are batches of positions behind them, too.
    """

    title: str
    part: str
    usual: tuple[str, ...]
    strata: tuple[str, ...]
    grouped: str
    batches: Callable[[Request], Iterator[Batch]]
    formats: Mapping[str, Texts] = field(default_factory=dict)
    table: str = ""
    kinds: tuple[str, ...] = ()
    rules: Path | Callable[[], str] | None = None
    unsolvable: bool = False
    middle: bool = False

    @cached_property
    def rules_file(self) -> bytes:
        """The content of the file of rules; b"" where there is none."""
        if self.rules is None:
            return b""
        return self.rules.read_bytes() if isinstance(self.rules, Path) else self.rules().encode()


def one_by_one(make: Callable[[int], Instance]) -> Callable[[npt.NDArray[np.uint64]], Sequence[Instance]]:
    """The ``make`` of a batch whose instances do not share any work, from that of a key."""
    return lambda keys: [make(key) for key in keys.tolist()]


def labelled(
    kind: checker.Kind, puzzle: Mapping[str, Any], distance: Callable[[Any], int | None]
) -> tuple[Action, ...]:
    """Every move of a puzzle's start, by its kind, with the fewest moves that are left after it: ``distance`` is that
    of a state, None where no moves lead to a goal."""
    return tuple(
        Action(move, distance(state)) for move, state in sorted(kind.moves(puzzle, kind.start(puzzle)).items())
    )


def without_answer(
    kind: checker.Kind, puzzle: Mapping[str, Any], certificate: Mapping[str, Any], difficulty: int
) -> Instance:
    """A puzzle that has no answer, and the proof."""
    actions = labelled(kind, puzzle, lambda state: None)
    return Instance(puzzle, None, 0, tuple(checker.UNSOLVABLE), difficulty, actions, {}, certificate)


def middles(starts: Batch, make: Callable[[int, int], Instance]) -> Batch:
    """The positions that the answers of some starts come to; the rest of a shortest way is a shortest way.

    make: from the key of a start and the number of moves that are made, to the instance.
    """
    lengths = starts.difficulty - 1
    rows = np.repeat(np.arange(len(lengths)), lengths)
    made = 1 + np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return replace(
        starts,
        name=f"{starts.name}-middle",
        key=(rows << MADE_BITS | made).astype(np.uint64),
        group=starts.group[rows],
        difficulty=starts.difficulty[rows] - made,
        make=one_by_one(lambda key: make(int(starts.key[key >> MADE_BITS]), key & MOST_MADE)),
        show=str,
    )


def puzzle_of_moves(kind: str, size: Mapping[str, int], start: str, goal: Sequence[str] = ()) -> dict[str, Any]:
    """The puzzle that leads from a start to any of the goals by moves, all given by their texts; without goals, to a
    state that is ``solved`` by the rule of the kind."""
    return {"kind": kind, "size": dict(size), "start": start, **({"goal": list(goal)} if goal else {})}


def rules_of(source: Source) -> Mapping[str, Any]:
    """The rules of a source's puzzles by kind; BoardspaceError where its file has none, or needs what is not there."""
    unknown = [kind for kind in source.kinds if kind not in checker.KINDS]
    if unknown:
        raise BoardspaceError(
            f"kinds of SOURCE: the checker has no kind {unknown[0]!r}; it has {', '.join(checker.KINDS)}"
        )
    own = {kind: checker.KINDS[kind] for kind in source.kinds}
    if source.rules is None:
        return own
    if isinstance(source.rules, Path):
        return {**own, **_rules_in(source.rules)}
    with scratch_folder() as folder:
        write_bytes(folder / checker.RULES, source.rules_file)
        return {**own, **_rules_in(folder / checker.RULES)}


def _rules_in(file: Path) -> Mapping[str, Any]:
    """The rules of a file that will lie beside the checker, where nothing is installed."""
    try:
        tree = ast.parse(file.read_bytes(), str(file))
        foreign = sorted({name for name in _imported(tree) if name not in sys.stdlib_module_names})
        found = {} if foreign else checker.kinds_in(file)
    except Exception as error:  # the author's code may raise anything
        raise BoardspaceError(f"{file}: no rules of instances: {type(error).__name__}: {error}") from error
    if foreign:
        raise BoardspaceError(
            f"{file}: imports {', '.join(foreign)}; it will lie beside check.py, where nothing is installed: import "
            "the standard library alone"
        )
    if taken := sorted(found.keys() & checker.KINDS.keys()):
        raise BoardspaceError(f"{file}: the checker has a kind {taken[0]!r} of its own; choose another name")
    return found


def _imported(tree: ast.AST) -> Iterator[str]:
    """The first names of all modules that a source imports; '.' for one beside it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." if node.level else (node.module or "").split(".")[0]


def source_of(space: str) -> Source:
    """The instances of a space; BoardspaceError where it has none, or there is no such space."""
    made, module = space_named(space).instances, module_beside(space, MODULE)
    if made and not module:
        source = importlib.import_module(made).source(space)
        assert isinstance(source, Source)
        return source
    if not module:
        missing = f"{module_of(space)}.{MODULE}"
        raise BoardspaceError(f"the space {space!r} has no instances: there is no module {missing} with a SOURCE")
    source = getattr(importlib.import_module(module), "SOURCE", None)
    if not isinstance(source, Source):
        raise BoardspaceError(f"the module {module} has no SOURCE that is a boardspace.instances.source.Source")
    return source


def checked(source: Source, request: Request) -> Request:
    """The request, with the usual parts and strata where it names none; BoardspaceError for unknown strata, or a
    dataset that the source does not read."""
    strata = request.strata or source.strata[0]
    if strata not in source.strata:
        raise BoardspaceError(f"--strata {strata}: instances can be stratified by {', '.join(source.strata)}")
    if request.data is not None and not source.table:
        raise BoardspaceError("--data: these instances are computed, and drawn from no dataset; leave it out")
    if request.unsolvable and not source.unsolvable:
        raise BoardspaceError("--unsolvable: this space has no instances without an answer; leave it out")
    if request.middle and not source.middle:
        raise BoardspaceError("--middle: these instances are no hardest starts, but any positions; leave it out")
    usual = () if request.data is not None else source.usual
    return replace(request, parts=request.parts or usual, strata=strata)
