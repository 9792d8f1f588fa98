"""Games for the atlas, which runs no rules: positions of a puzzle, what each move leads to, and what remains from each.

A small puzzle is there whole. Of a larger one a game holds shortest ways from states of every distance to the end, and
then, as far as there is room, one of two things.

Where a move changes the drawing alike wherever it is made, as a turn of a cube does, the game holds these changes, and
all positions that few moves lead from to the end. So a page can play on from any position, and finds what remains by a
search until it meets such positions. That changes are alike is tried at every position that the game looks at.

Else it holds what moves lead to from the ways, level by level, shortest ways from there as well, and all moves among
what it holds. The positions at the edge are named: from there some moves lead on to positions that it does not hold.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.graphs.answers import Answers, evenly
from boardspace.graphs.paths import States, marked, neighbours, without
from boardspace.graphs.puzzle import Closed
from boardspace.graphs.questions import answers, puzzle_named
from boardspace.release.atlas.drawn import checked
from boardspace.release.datasets import open_datasets
from boardspace.spec.check import distinct
from boardspace_kernels.graph.dense import UNREACHED

CAPACITY, CAPACITY_OF_A_CASE = 40_000, 12_500
"""Positions of all games of a dataset, and of one."""
STARTS = 60
"""States that a game begins at, about."""
CANDIDATES = 8
"""States of each distance that these are chosen from."""
TRIED = 3000
"""Positions at which it is tried whether moves change drawings alike."""
LONGEST_PICTURES = 1 << 22
"""Signs of all pictures of a game; beyond, its drawings in text are shown."""


def games(space: str, folder: Path) -> Iterator[dict[str, Any]]:
    """A game for each case of a dataset in a folder; none where moves cannot be taken back and there are no goals."""
    puzzle, dataset = puzzle_named(space), open_datasets(folder)[space]
    if puzzle.undirected or puzzle.has_goals:
        cases = puzzle.cases(dataset.config)
        capacity = min(CAPACITY_OF_A_CASE, CAPACITY // len(cases))
        found = (game(answers(space, case.metric, case.size, dataset), capacity) for case in cases)
        yield from (one for one in found if one["starts"])


def game(asked: Answers, capacity: int) -> dict[str, Any]:
    """A game of a case with about so many positions, as JSON values.

    name, metric, size: of the case; to: what ends it, a ``start`` or a ``goal``.
    states, texts, pictures: of each position its number as text, its drawing, and its picture if the puzzle draws some.
    moves: of each the fewest moves to the end; null where none lead there.
    starts: places of the positions to begin at, those with the most moves first.
    names: of all moves.
    next: of each position the number of a name and the place that it leads to, for each move.
    edge: places of the positions from which some moves lead to positions that are not here.
    changes, within: instead of ``next``, what each move does to a drawing (:func:`_changes`), and the number of moves
        such that all positions that take at most so many to the end are here.
    """
    starts = _starts(asked, capacity)
    ways = distinct(np.concatenate([starts, *_ways(asked, starts)]))
    states = _grown(asked, ways, min(capacity, TRIED))
    made = {state: asked.moves(state) for state in states.tolist()}
    whole = all(there in made for moves in made.values() for there in moves.values())
    changes, within = None if whole else _changes(asked, made), 0
    if changes is not None:
        states, within = _near_the_end(asked, ways, capacity)
    elif not whole:
        states = _grown(asked, states, capacity // 2)
        states = distinct(np.concatenate([*_ways(asked, states)]))
        made |= {state: asked.moves(state) for state in states.tolist() if state not in made}
    places = {state: place for place, state in enumerate(states.tolist())}
    names = list(dict.fromkeys(name for moves in made.values() for name in moves)) if changes is None else [*changes]
    numbers = {name: number for number, name in enumerate(names)}
    held = [
        [(numbers[name], places[there]) for name, there in made[state].items() if there in places]
        for state in (places if changes is None else ())
    ]
    to_goal = asked.puzzle.has_goals or isinstance(asked.puzzle.states, Closed)
    return {
        "name": asked.case.name.replace("/", "-"),
        "metric": asked.case.metric,
        "size": dict(asked.case.size),
        "to": "goal" if to_goal else "start",
        "states": [str(state) for state in places],
        "texts": [asked.text(state) for state in places],
        "pictures": _pictures(asked, list(places)) if changes is None else None,
        "moves": [None if moves == UNREACHED else moves for moves in asked.takes(states).tolist()],
        "starts": [places[state] for state in starts.tolist()],
        "names": names,
        "next": [[one for pair in pairs for one in pair] for pairs in held],
        "edge": [place for place, pairs in enumerate(held) if len(pairs) < len(made[int(states[place])])],
        "changes": changes and [*changes.values()],
        "within": within,
    }


def _starts(asked: Answers, capacity: int) -> States:
    """States of every distance, as many as ways from them to the end have room, those with the most moves first."""
    states, distances, _ = asked.candidates(CANDIDATES)
    known = np.unique(distances)[::-1]
    number = min(STARTS, max(1, capacity // 2 // max(int(known.max(initial=1)), 1)))
    of_each = max(1, number // max(len(known), 1))
    chosen = [evenly(states[distances == one], of_each) for one in known[: number // of_each]]
    return np.concatenate([np.empty(0, np.uint64), *chosen])


def _ways(asked: Answers, starts: States) -> Iterator[States]:
    """Shortest ways from some states to the end, all together, a move at a time."""
    here = starts
    while len(here):
        yield here
        takes = asked.takes(here)
        origins, found = neighbours(asked.puzzle, asked.case, here)
        nearer = asked.takes(found) + 1 == takes[origins]
        _, first = np.unique(origins[nearer], return_index=True)
        here = distinct(found[nearer][first])


def _grown(asked: Answers, states: States, capacity: int) -> States:
    """Ascending states, and others that moves lead to from these, level by level."""
    held = last = states
    while len(last) and len(held) < capacity:
        last = without(marked(asked.puzzle, asked.case, last), [held])[: capacity - len(held)]
        held = np.sort(np.concatenate([held, last]))
    return held


def _near_the_end(asked: Answers, ways: States, capacity: int) -> tuple[States, int]:
    """The states of ways, and all that take at most so many moves to the end; how many."""
    held, within = ways, 0
    level = ways[asked.takes(ways) == 0]
    ball = level
    while True:
        level = without(marked(asked.puzzle, asked.case, level), [ball])
        ball = np.sort(np.concatenate([ball, level]))
        if not len(level) or len(ways) + len(ball) > capacity:
            return held, within
        held, within = distinct(np.concatenate([ways, ball])), within + 1


def _changes(asked: Answers, made: Mapping[int, Mapping[str, int]]) -> dict[str, list[Any]] | None:
    """Effect of each move on a drawing: of each sign the place it comes from, and by place what becomes of some signs.

    None where positions have other moves than others, or drawings other lengths, or a sign depends on several; and
    where the goals cannot be listed, as a page that looks for the end by itself needs all of them.
    """
    names = [*next(iter(made.values()))]
    if not asked.puzzle.undirected or not asked.goals or any(list(moves) != names for moves in made.values()):
        return None
    before = [asked.text(state) for state in made]
    after = {name: [asked.text(moves[name]) for moves in made.values()] for name in names}
    if len({len(text) for texts in (before, *after.values()) for text in texts}) > 1:
        return None
    found = {name: _change(_signs(before), _signs(texts)) for name, texts in after.items()}
    return None if None in found.values() else {name: change for name, change in found.items() if change is not None}


def _signs(texts: Sequence[str]) -> NDArray[np.uint32]:
    """The signs of drawings as numbers, (drawings, places)."""
    return np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32).reshape(len(texts), -1)


def _change(before: NDArray[np.uint32], after: NDArray[np.uint32]) -> list[Any] | None:
    """The change of one move, as :func:`_changes` has it."""
    origins, maps = list[int](), dict[int, dict[str, str]]()
    for place in range(before.shape[1]):
        alike = np.flatnonzero((before == after[:, place, None]).all(axis=0)).tolist()
        if alike:
            origins.append(place if place in alike else alike[0])
            continue
        pairs = {(chr(a), chr(b)) for a, b in zip(before[:, place].tolist(), after[:, place].tolist(), strict=True)}
        if len(dict(pairs)) < len(pairs):
            return None
        origins.append(place)
        maps[place] = dict(sorted(pairs))
    return [origins, maps]


def _pictures(asked: Answers, states: list[int]) -> list[str] | None:
    """The author's pictures of some states; None where there are none, or they are too long together."""
    rules, found, left = asked.rules, list[str](), LONGEST_PICTURES
    for state in states:
        svg = rules.svg(asked.case.size, state)
        left -= len(svg)
        if not svg or left < 0:
            return None
        found.append(checked(svg, f"{asked.puzzle.name}, {asked.case.name}, state {state}"))
    return found
