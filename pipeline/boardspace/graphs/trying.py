"""Tries the rules of a puzzle before it is searched: a fault that some states meet is named early, and they are drawn.

The kernel is tried as the Python that it is written in, so that what it writes beyond its array is an error there, then
compiled; both with what the second rules say.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from boardspace.graphs.puzzle import Case, Closed, Dense, Puzzle
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import own_frames, plug_in_of
from boardspace_kernels.graph.rule import SPARE, Rule
from boardspace_kernels.jit import interpreted

TRIED = 50
"""States that are drawn, and states on walks, beside the starts and their neighbours."""
LINES_OF_PLAY = {"hint", "moves", "quit", "undo"}
"""Lines of a game that are no moves."""


class RuleError(BoardspaceError, ValueError):
    """The rules of a puzzle are faulty: the text says where and how, and shows the state."""


def drawn(puzzle: Puzzle, case: Case, number: int, seed: int = 0) -> list[int]:
    """So many states of a case, by a seed, or all."""
    count = puzzle.dense.count(case.size)
    if count <= number:
        return list(range(count))
    return sorted({int(state) for state in np.random.default_rng(seed).integers(0, count, number)})


def walked(puzzle: Puzzle, case: Case, number: int, seed: int = 0) -> Iterator[int]:
    """Up to so many states on walks from the starts, by a seed; each comes before a move is made from it."""
    random, starts = np.random.default_rng(seed), puzzle.starts(case.size)
    found, here = set[int](), starts[0]
    for _ in range(2 * number):
        if here not in found:
            yield here
            found.add(here)
        if len(found) == number:
            return
        there = kernel_moves(puzzle, case, here)
        here = there[random.integers(len(there))] if there else starts[random.integers(len(starts))]


def try_rules(
    puzzle: Puzzle, case: Case, states: Iterable[int] | None = None, report: Callable[[str], object] | None = None
) -> None:
    """RuleError where the rules of a case fail at these states; or at its starts, states near them, drawn and walked
    ones. ``report`` is given a line before each: rules may not come to an end there."""
    for state in _tried(puzzle, case) if states is None else states:
        if report is not None:
            report(f"tries the rules of {case.name} at state {state}")
        fault = rule_fault(puzzle, case, state)
        if fault:
            raise RuleError(f"{puzzle.name}, {case.name}: {fault}")


def _tried(puzzle: Puzzle, case: Case) -> Iterator[int]:
    starts = puzzle.starts(case.size)[:4]
    yield from starts
    yield from (near for start in starts for near in kernel_moves(puzzle, case, start)[:8])
    if isinstance(puzzle.states, Dense):
        yield from drawn(puzzle, case, TRIED)
    yield from walked(puzzle, case, TRIED)


def rule_fault(puzzle: Puzzle, case: Case, state: int, thorough: bool = True) -> str:
    """Fault of the rules at a state, or ''.

    thorough: tries the kernel uncompiled and its moves back as well; without it the drawing is read first, so that no
        compiled kernel is given a word that is no state.
    """
    try:
        return next(filter(None, _faults(puzzle, case, state, thorough)), "")
    except RuleError as error:
        return str(error)
    except (Exception, SystemExit) as error:  # whatever an author's code raises, he wants to know the state
        frame = plug_in_of(error) or own_frames(error)[-1]
        where = f"{Path(frame.file).name}, line {frame.line}, in {frame.function}"
        text = f"{type(error).__name__}: {error}".removesuffix(": ")
        return f"at state {state} the rules raise {text} ({where}){shown(puzzle, case, state)}"


def _faults(puzzle: Puzzle, case: Case, state: int, thorough: bool) -> Iterator[str]:
    rules = puzzle.rules_of(case.metric)
    if not thorough:
        yield _reading_fault(puzzle, case, state)
    found = kernel_moves(puzzle, case, state, compiled=not thorough)  # as Python first: compiled, it may write anywhere
    if thorough:
        where, compiled = f"state {state}{shown(puzzle, case, state)}", kernel_moves(puzzle, case, state)
        if kernel_moves(puzzle, case, state) != compiled:
            yield f"the kernel of {case.metric}, called again, finds other neighbours of {where}"
        if compiled != found:
            yield f"once it is compiled the kernel of {case.metric} finds other neighbours of {where}"
    yield _difference(puzzle, case, state, found)
    if thorough:
        yield _reading_fault(puzzle, case, state)
    goal = puzzle.states.goal
    if goal is not None:
        with interpreted(thorough):
            goals = {bool(goal(case.numbers, np.uint64(state)))}
        goals.add(bool(goal(case.numbers, np.uint64(state))))
        if goals != {bool(rules.solved(case.size, state))}:
            yield f"kernel and second rules do not agree whether state {state} is a goal{shown(puzzle, case, state)}"
    if puzzle.symmetric:
        yield _image_fault(puzzle, case, state, found, thorough)
    if thorough and (puzzle.has_goals or puzzle.undirected):
        yield from _faults_back(puzzle, case, state, found)


def _difference(puzzle: Puzzle, case: Case, state: int, found: list[int]) -> str:
    """Neighbours that the kernel or the second rules alone find, with their drawings; '' where there are none."""
    by_name = puzzle.rules_of(case.metric).moves(case.size, state)
    if not isinstance(by_name, Mapping) or not all(map(_is_move, by_name, by_name.values())):
        return (
            f"moves of the second rules returns {by_name!r} at state {state}: give a dictionary from the name of each "
            f"move to a state, a whole number; a name is a text that can be typed in play, and none of "
            f"{', '.join(sorted(LINES_OF_PLAY))}{shown(puzzle, case, state)}"
        )
    extra, lacking = sorted(set(found) - {*by_name.values()}), sorted({*by_name.values()} - set(found))
    if not extra and not lacking:
        there = next((one for one, named in Counter(by_name.values()).items() if named != found.count(one)), None)
        if there is None or not isinstance(puzzle.states, Closed):
            return ""
        return (
            f"the kernel finds state {there} {found.count(there)} times, and the second rules have another number of "
            f"moves that lead there from state {state}: ways to goals are counted{shown(puzzle, case, state)}"
        )
    sides = "".join(
        f"\n{some[0]}, which {text} alone{_unread(puzzle, case, some[0])}:{shown(puzzle, case, some[0])}"
        for text, some in (("the kernel finds", extra), ("the second rules find", lacking))
        if some
    )
    names = ", ".join(name for name, there in by_name.items() if there in lacking[:3])
    return (
        f"kernel and second rules differ at state {state}: the kernel alone finds {extra[:3]}, the second rules "
        f"alone {lacking[:3]}{names and f' ({names})'}{shown(puzzle, case, state)}{sides}"
    )


def _is_move(name: object, there: object) -> bool:
    """True of the name of a move that can be typed, and a state."""
    named = isinstance(name, str) and name.isprintable() and name == name.strip() and name not in {"", *LINES_OF_PLAY}
    return named and isinstance(there, int | np.integer)


def _faults_back(puzzle: Puzzle, case: Case, state: int, found: list[int]) -> Iterator[str]:
    """Moves to the neighbours of a state that are not taken back, and moves back that lead from nowhere."""
    back, none = puzzle.rule_of(case.metric, back=True), f"retract of {case.metric} does not find it there"
    if not puzzle.undirected:
        kernel_moves(puzzle, case, state, compiled=False, rule=back)
    for there in found:
        if state not in kernel_moves(puzzle, case, there, rule=back):
            lacks = "none back, though the puzzle is undirected" if puzzle.undirected else none
            drawings = f"{shown(puzzle, case, state)}{shown(puzzle, case, there)}"
            yield f"a move leads from state {state} to state {there}, and {lacks}{drawings}"
    if not puzzle.undirected:
        for there in kernel_moves(puzzle, case, state, rule=back):
            if state not in kernel_moves(puzzle, case, there):
                yield (
                    f"retract of {case.metric} finds that a move leads from state {there} to state {state}, and none "
                    f"does{shown(puzzle, case, there)}{shown(puzzle, case, state)}"
                )


def _reading_fault(puzzle: Puzzle, case: Case, state: int) -> str:
    drawing: Any = puzzle.rules_of(case.metric).text(case.size, state)
    if not isinstance(drawing, str):
        return f"text of the second rules returns {drawing!r} at state {state}: give a text"
    parsed = read_back(puzzle, case, state)
    if isinstance(parsed, Exception) and not isinstance(parsed, ValueError):
        raise parsed  # a fault of the parser itself: the report names its line
    return "" if parsed == state else f"the drawing of state {state} is read as {parsed!r}{shown(puzzle, case, state)}"


def _unread(puzzle: Puzzle, case: Case, state: int) -> str:
    """Words that a number is no state, where its drawing is read as another one; else ''."""
    read = read_back(puzzle, case, state)
    if isinstance(read, Exception):
        return " and which is no state"
    return "" if read == state else f" and which is no state, as its drawing is that of {read}"


def _image_fault(puzzle: Puzzle, case: Case, state: int, found: list[int], thorough: bool) -> str:
    """Fault of the symmetries at a state, or '': both rules have the same images, which moves follow."""
    order = puzzle.sparse.order(case.size)
    out = np.zeros(order + SPARE, np.uint64)

    def images(one: int, compiled: bool = True) -> list[int]:
        with interpreted(not compiled), np.errstate(over="ignore"):
            number = int(puzzle.sparse.images(case.numbers, np.uint64(one), out))  # type: ignore[misc]
        return sorted(int(image) for image in out[: max(number, 0)])

    if thorough:  # as Python first: compiled, it may write anywhere
        images(state, compiled=False)
    own, where = images(state), f"state {state}{shown(puzzle, case, state)}"
    second = sorted(puzzle.rules_of(case.metric).images(case.size, state))
    if len(own) != order or set(own) != set(second):
        alone = ""
        for text, one, other in (("the kernel", own, second), ("the second rules", second, own)):
            some = sorted(set(one) - set(other))[:3]
            drawings = "".join(shown(puzzle, case, image) for image in some)
            alone += f"; {text} alone has {some}{drawings}" if some else ""
        counts = f"{len(own)} and {len(second)} images, of {order} symmetries"
        return f"kernel and second rules have {counts}, of {where}{alone}"
    rules, starts = puzzle.rules_of(case.metric), puzzle.starts(case.size)
    if state in starts and not set(own) <= set(starts):
        return f"{min(set(own) - set(starts))} is an image of a start and no start itself: name all images of {where}"
    if puzzle.has_goals and len({rules.solved(case.size, image) for image in own}) > 1:
        return f"some images are goals and others none, of {where}"
    neighbours = {images(there)[0] for there in found}
    for image in sorted(set(own))[:4]:
        if {images(there)[0] for there in kernel_moves(puzzle, case, image)} != neighbours:
            return f"moves do not go along with symmetries: those of image {image} lead elsewhere than those of {where}"
    return ""


def kernel_moves(puzzle: Puzzle, case: Case, state: int, compiled: bool = True, rule: Rule | None = None) -> list[int]:
    """The neighbours of a state by the kernel, ascending; RuleError where one is no state, or there are too many.

    rule: another kernel than that of the case's moves.
    """
    most = puzzle.most_moves(case.size)
    count = puzzle.states.count(case.size) if isinstance(puzzle.states, Dense) else 1 << 64
    out = np.zeros(most + (SPARE if compiled else 0), np.uint64)
    of = "the kernel of" if rule is None or puzzle.undirected else "retract of"
    rule, where = rule or puzzle.moves[case.metric], f"{of} {case.metric} at state {state}"
    with interpreted(not compiled), np.errstate(over="ignore"):
        try:
            number = rule(case.numbers, np.uint64(state), out)
        except IndexError as error:
            raise RuleError(
                f"{where} reads or writes beyond an array ({error}): if it has more than {most} neighbours, raise "
                f"most_moves{shown(puzzle, case, state)}"
            ) from error
    if not isinstance(number, int | np.integer):
        raise RuleError(
            f"{where} returns {number!r}: it writes the neighbours to its last argument, and returns how many they are"
            f"{shown(puzzle, case, state)}"
        )
    if not 0 <= number <= most:
        raise RuleError(f"{where} returns {number}, and most_moves says {most}{shown(puzzle, case, state)}")
    found = sorted(int(there) for there in out[:number])
    if found and found[-1] >= count:
        raise RuleError(f"{where} finds {found[-1]}, which is no state below {count:,}{shown(puzzle, case, state)}")
    return found


def read_back(puzzle: Puzzle, case: Case, state: int) -> int | Exception:
    """The state that the drawing of a number is read as; the error where it cannot be drawn, or read."""
    rules = puzzle.rules_of(case.metric)
    try:
        return rules.parse(case.size, rules.text(case.size, state))
    except Exception as error:  # an author's parser may fail in any way at what is no state
        return error


def shown(puzzle: Puzzle, case: Case, state: int) -> str:
    """The drawing of a state on lines of its own; '' where it cannot be drawn."""
    try:
        return f"\n{puzzle.rules_of(case.metric).text(case.size, state)}"
    except Exception:  # an author's drawing may fail in any way, and there is a fault to report already
        return ""
