"""Checks that re-derive the search by counting: its moves made again by arrays.

From up to 100,000 positions all moves are made again, and their results are the positions before the next move. Those
before later moves are read as the stages exchanged them. Of these some are drawn: then the sum over all has to agree
with the draw within six standard errors, and what is the most of all may not be less than that of the draw.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.checking import array_of, columns_of, joined
from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import FeasibleSearch, SolitaireConfig
from boardspace.spaces.solitaire.parts.feasible.part import move_stage
from boardspace.spaces.solitaire.rules import AT_ONCE, GameByArrays, ProblemByHand, Words, are_in, distinct
from boardspace.spec.check import by_folders
from boardspace.spec.equations import ReadColumns
from boardspace.spec.errors import NotInReleaseError
from boardspace.spec.space import Draw, Inputs, Outcome

WHOLE = 100_000
DRAWN = 20_000
DEVIATIONS = 6


class Moved(NamedTuple):
    """Moves of some positions: variants int64 (p); the most of each kind; children uint64, feasible and canonical."""

    variants: NDArray[np.int64]
    most: dict[str, int]
    children: Words


def make_rows(config: SolitaireConfig, name: str, read: ReadColumns) -> dict[str, dict[str, list[Any]]]:
    """The keys of all rows: one for each move of each search."""
    keys = sorted((slug(s.problem), s.moves, move) for s in config.feasible for move in range(1, s.moves + 1))
    return {"feasible": columns_of([dict(zip(("problem", "length", "move"), key, strict=True)) for key in keys])}


def check_moves(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every row, as far as its positions are few or were exchanged."""
    return joined(
        (search.problem, _moves(search, ProblemByHand(search.problem, config.boards), inputs, draw))
        for search in config.feasible
    )


def _moves(search: FeasibleSearch, problem: ProblemByHand, inputs: Inputs, draw: Draw) -> Outcome:
    game, random = GameByArrays(problem, problem.symmetries), draw.generator()
    table = by_folders(inputs.table("feasible"), ("problem", "length"))[slug(search.problem), search.moves]
    positions, cases, of = np.array([problem.word(problem.start)], np.uint64), 0, sum(table["positions"].to_pylist())
    for row in table.to_pylist():
        move, whole = row["move"], draw.everything or len(positions) <= WHOLE
        tried = positions if whole else positions[draw.choose(len(positions), DRAWN, random)]
        moved = _moved(game, problem, tried, move, search.moves)
        cases, after, fault = cases + len(tried), moved.children, ""
        if not whole:
            try:
                read = inputs.read(move_stage(search, move), "feasible_children")
            except NotInReleaseError:
                left = f"moves {move} to {search.moves}, from positions that only the run has"
                return Outcome(cases - len(tried), max(cases, of), left=left)
            after = distinct(array_of(read, "position"))
            fault = _children_fault(game, problem, _needed(problem, move, search.moves), after, moved.children)
        fault = fault or _row_fault(row, _row(search, problem, move, positions, after))
        fault = fault or (_row_fault(row, _counted(moved)) if whole else _drawn_fault(row, moved, len(positions)))
        if fault:
            return Outcome(cases, max(cases, of), f"move {move}: {fault}")
        positions = after
    return Outcome(cases, max(cases, of))


def _row(
    search: FeasibleSearch, problem: ProblemByHand, move: int, positions: Words, children: Words
) -> dict[str, Any]:
    goal = np.array([problem.word(problem.goal)], np.uint64)
    return {
        "problem": slug(search.problem),
        "length": search.moves,
        "move": move,
        "positions": len(positions),
        "children": len(children),
        "goal": bool(are_in(goal, children)[0]),
    }


def _counted(moved: Moved) -> dict[str, int]:
    return {"variants": int(moved.variants.sum()), **moved.most}


def _row_fault(row: dict[str, Any], expected: dict[str, Any]) -> str:
    wrong = [name for name, value in expected.items() if row[name] != value]
    return f"{wrong[0]} is {expected[wrong[0]]}, the table says {row[wrong[0]]}" if wrong else ""


def _drawn_fault(row: dict[str, Any], moved: Moved, positions: int) -> str:
    """The first fault of a row by the moves of a draw, or \'\'."""
    low = [name for name, most in moved.most.items() if row[name] < most]
    if low:
        return f"{low[0]} is {moved.most[low[0]]} or more, the table says {row[low[0]]}"
    error = moved.variants.std() / len(moved.variants) ** 0.5 * positions
    about = moved.variants.mean() * positions
    off = abs(row["variants"] - about) > DEVIATIONS * error
    return f"variants are about {about:,.0f}, the table says {row['variants']:,}" if off else ""


def _children_fault(game: GameByArrays, problem: ProblemByHand, needed: int, after: Words, made: Words) -> str:
    """The first fault of the positions after a move, by themselves and by some that were made again, or \'\'.

    needed: holes of the goal that have to be filled after it."""
    if not are_in(made, after).all():
        return "the positions after it are not those that it leads to"
    goal, some = problem.word(problem.goal), after[:: max(1, len(after) // DRAWN)]
    right = (_filled(some, goal) >= needed) & _may_stand(some, goal)
    return "" if right.all() and (game.canonical(some) == some).all() else "a position after it is not feasible"


def _needed(problem: ProblemByHand, move: int, moves: int) -> int:
    """Number of holes of the goal that have to be filled after a move."""
    return len(problem.goal) - (moves - move)


def _filled(words: Words, goal: int) -> NDArray[np.int64]:
    return np.bitwise_count(words & np.uint64(goal)).astype(np.int64)


def _may_stand(words: Words, goal: int) -> NDArray[np.bool_]:
    """Return whether there are more pegs than at the goal, or it is the goal."""
    return (np.bitwise_count(words) > goal.bit_count()) | (words == np.uint64(goal))


def _moved(game: GameByArrays, problem: ProblemByHand, positions: Words, move: int, moves: int) -> Moved:
    """All moves of positions, with those whose every stop is feasible."""
    goal, needed = problem.word(problem.goal), _needed(problem, move, moves)
    variants = np.zeros(len(positions), np.int64)
    most = {"most_variants": 0, "most_choices": 0, "longest_chain": 0, "most_gain": 0}
    children = [np.empty(0, np.uint64)]
    for begin in range(0, len(positions), AT_ONCE):
        part = positions[begin : begin + AT_ONCE]
        choices, results = np.zeros(len(part), np.int64), [np.empty(0, np.uint64)]
        for stops in _stops(game, part, goal, needed):
            choices += np.bincount(stops.origin, minlength=len(part))
            feasible = stops.origin[stops.feasible]
            variants[begin : begin + len(part)] += np.bincount(feasible, minlength=len(part))
            most["most_gain"] = max(most["most_gain"], int(stops.gain.max(initial=0)))
            if len(feasible):
                most["longest_chain"] = max(most["longest_chain"], stops.jumps)
            results.append(stops.word[stops.feasible])
        made = distinct(np.concatenate(results))
        children.append(distinct(game.canonical(made[_filled(made, goal) >= needed])))
        most["most_choices"] = max(most["most_choices"], int(choices.max(initial=0)))
    most["most_variants"] = int(variants.max(initial=0))
    return Moved(variants, most, distinct(np.concatenate(children)))


class _Stops(NamedTuple):
    """Stops of moves after so many jumps: origin int64 (s), word uint64 (s), fewest goal holes filled before or at it,
    gain int64 (s) against the fewest before, feasible bool (s), whether this stop and all before it are."""

    jumps: int
    origin: NDArray[np.int64]
    word: Words
    fewest: NDArray[np.int64]
    gain: NDArray[np.int64]
    feasible: NDArray[np.bool_]


def _stops(game: GameByArrays, words: Words, goal: int, needed: int) -> Iterator[_Stops]:
    """Every stop of every move, those after one jump first."""
    every, none = np.arange(len(words)), np.zeros(len(words), np.int64)
    first = _Stops(0, every, words, _filled(words, goal), none, np.ones(len(words), bool))
    standing = {hole: [first] for hole in game.index.values()}
    while standing:
        landed: dict[int, list[_Stops]] = {}
        for a, b, c in game.jumps:
            three, two = np.uint64(1 << a | 1 << b | 1 << c), np.uint64(1 << a | 1 << b)
            for before in standing.get(a, ()):
                possible = np.flatnonzero(before.word & three == two)
                if not len(possible):
                    continue
                word, fewest = before.word[possible] ^ three, before.fewest[possible]
                filled = _filled(word, goal)
                feasible = before.feasible[possible] & (filled >= needed - 1) & _may_stand(word, goal)
                stop = _Stops(
                    before.jumps + 1,
                    before.origin[possible],
                    word,
                    np.minimum(filled, fewest),
                    filled - fewest,
                    feasible,
                )
                landed.setdefault(c, []).append(stop)
                yield stop
        standing = landed
