"""The search by counting made again: its moves by arrays.

From up to 100,000 positions all moves are made again, and their results are the positions before the next move. Those
before later moves are read as the stages left them. Of these some are drawn: then the sum over all has to agree with
the draw within six standard errors, and what is the most of all may not be less than that of the draw.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import FeasibleSearch, SolitaireConfig
from boardspace.spaces.solitaire.parts.feasible.part import move_stage
from boardspace.spaces.solitaire.rules import AT_ONCE, GameByArrays, ProblemByHand, Stops, Words, are_in
from boardspace.spec.check import distinct
from boardspace.spec.equations import Given, Making, Near, RowFaultError
from boardspace.spec.errors import NotInReleaseError

WHOLE = 100_000
DRAWN = 20_000
DEVIATIONS = 6
Numbers = NDArray[np.int64]
Row = dict[str, Any]
Rows = list[Row]


class Moved(NamedTuple):
    """Moves of some positions: variants int64 (p); the most of each kind; children uint64, feasible and canonical."""

    variants: NDArray[np.int64]
    most: dict[str, int]
    children: Words


def make_feasible(config: SolitaireConfig, name: str, at: Making) -> dict[str, Rows]:
    """A row for each move of each search, known as far as its positions are few or were left by the stages."""
    searches = sorted(config.feasible, key=lambda search: (slug(search.problem), search.moves))
    return {
        "feasible": [
            {"problem": slug(search.problem), "length": search.moves, **row}
            for search in searches
            for row in _linked(search, _moves(search, ProblemByHand(search.problem, config.boards), at), at)
        ]
    }


def _linked(search: FeasibleSearch, rows: Iterator[Row], at: Making) -> Iterator[Row]:
    """Yield the rows of moves, where nothing tells the positions before one, with those that the row before has."""
    before = 1
    given = {row["move"]: row for row in at.rows("feasible", problem=slug(search.problem), length=search.moves)}
    for row in rows:
        yield {"positions": Given(before), **row}
        before = given[row["move"]]["children"] if row["move"] in given else before


def _moves(search: FeasibleSearch, problem: ProblemByHand, at: Making) -> Iterator[Row]:
    game, random = GameByArrays(problem, problem.symmetries), at.draw.generator()
    goal = np.array([problem.word(problem.goal)], np.uint64)
    positions: Words | None = np.array([problem.word(problem.start)], np.uint64)
    row: Row = {"children": 1}
    for move in range(1, search.moves + 1):
        if positions is None:
            yield {"move": move}
            continue
        whole = at.draw.everything or len(positions) <= WHOLE
        tried = positions if whole else positions[at.draw.choose(len(positions), DRAWN, random)]
        moved = _moved(game, problem, tried, move, search.moves)
        row = {"move": move, "positions": row["children"]}
        row |= moved.most | {"variants": int(moved.variants.sum())} if whole else _near(moved, len(positions))
        positions = moved.children if whole else _left_behind(search, problem, game, move, moved, at)
        if positions is not None:
            after = {"children": len(positions), "goal": bool(are_in(goal, positions)[0])}
            sure = whole and not isinstance(row["positions"], Given)
            row |= after if sure else {name: Given(value) for name, value in after.items()}
        yield row


def _near(moved: Moved, positions: int) -> Row:
    """Estimates for all positions, from those that were drawn."""
    error = moved.variants.std() / len(moved.variants) ** 0.5 * positions
    variants = Near(moved.variants.mean() * positions, DEVIATIONS * error)
    return {"variants": variants, **{name: Near(least=most) for name, most in moved.most.items()}}


def _left_behind(
    search: FeasibleSearch, problem: ProblemByHand, game: GameByArrays, move: int, moved: Moved, at: Making
) -> Words | None:
    """The positions after a move that the stages left; None where only the run has them. RowFaultError where they
    are not those of the moves that were made."""
    try:
        read = at.inputs.read(move_stage(search, move), "feasible_children")
    except NotInReleaseError:
        return None
    after = distinct(read.column("position").to_numpy())
    goal, some = problem.word(problem.goal), after[:: max(1, len(after) // DRAWN)]
    right = (_filled(some, goal) >= _needed(problem, move, search.moves)) & _may_stand(some, goal)
    if not (are_in(moved.children, after).all() and right.all() and (game.canonical(some) == some).all()):
        raise RowFaultError(f"{search.problem}, move {move}: the positions after it are not those that it leads to")
    return after


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

    def stop(origin: Numbers, word: Words, fewest: Numbers, feasible: NDArray[np.bool_], gain: Numbers) -> Stops:
        """Columns of a stop: the fewest goal holes filled before or at it; whether it and all stops before it are
        feasible; how many more it fills than the fewest before it."""
        filled = _filled(word, goal)
        feasible = feasible & (filled >= needed - 1) & _may_stand(word, goal)
        return origin, word, np.minimum(filled, fewest), feasible, filled - fewest

    for begin in range(0, len(positions), AT_ONCE):
        part = positions[begin : begin + AT_ONCE]
        choices, results = np.zeros(len(part), np.int64), [np.empty(0, np.uint64)]
        first = _filled(part, goal), np.ones(len(part), bool), np.zeros(len(part), np.int64)
        for jumps, standing in enumerate(game.landed(part, False, first), 1):
            for hole, stops in standing.items():
                standing[hole] = origin, word, _, feasible, gain = stop(*stops)
                choices += np.bincount(origin, minlength=len(part))
                variants[begin : begin + len(part)] += np.bincount(origin[feasible], minlength=len(part))
                most["most_gain"] = max(most["most_gain"], int(gain.max(initial=0)))
                most["longest_chain"] = max(most["longest_chain"], jumps if feasible.any() else 0)
                results.append(word[feasible])
        made = distinct(np.concatenate(results))
        children.append(distinct(game.canonical(made[_filled(made, goal) >= needed])))
        most["most_choices"] = max(most["most_choices"], int(choices.max(initial=0)))
    most["most_variants"] = int(variants.max(initial=0))
    return Moved(variants, most, distinct(np.concatenate(children)))
