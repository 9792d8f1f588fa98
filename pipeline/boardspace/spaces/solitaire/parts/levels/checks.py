"""How ``boardspace verify`` re-derives whole spaces: by arrays, from the board's picture.

The table of levels is summed from the positions. Of each level some positions are drawn: their images, their jumps and
where these lead are made again, as are the whole moves that lead to them, and those from winning ones to the goal; of a
level with fewer positions than are drawn, this is all of it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.engine.shuffle import END
from boardspace.spaces.solitaire.by_arrays import GameByArrays, Words, are_in, distinct, rows_of
from boardspace.spaces.solitaire.by_hand import ProblemByHand
from boardspace.spaces.solitaire.checking import array_of, by_folders, compared, is_ascending, joined
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.levels.names import level_stage
from boardspace.spaces.solitaire.problems import slug
from boardspace.spec.space import Draw, Inputs, Outcome

DRAWN = 2_000
MOVED = 100
NONE = 255
EXCHANGED = 4_000
"""Positions of a level, one after another, whose exchanged rows are looked at."""


class Level(NamedTuple):
    """Positions of one level, ascending: position uint64 (p), and uint8 (p) the fewest moves to each, its jumps and its
    images; winning uint64 (w), those from which the goal can be reached, and left uint8 (w), the fewest moves to it."""

    position: Words
    moves: NDArray[np.uint8]
    choices: NDArray[np.uint8]
    orbit: NDArray[np.uint8]
    winning: Words
    left: NDArray[np.uint8]


class WholeSpace:
    """The levels of one problem as they are published, by pegs."""

    def __init__(self, problem: ProblemByHand, positions: Mapping[Any, Any], winning: Mapping[Any, Any]) -> None:
        self.problem = problem
        self.game = GameByArrays(problem, problem.symmetries)
        name, none = slug(problem.name), pa.table({})
        self.levels = {
            pegs: Level(
                *_columns(positions.get((name, pegs), none), ("position", "moves", "choices", "orbit")),
                *_columns(winning.get((name, pegs), none), ("position", "moves")),
            )
            for pegs in range(1, len(problem.start) + 1)
        }

    @property
    def rows(self) -> int:
        """How many positions there are."""
        return sum(len(level.position) for level in self.levels.values())


def _columns(rows: pa.Table, names: tuple[str, ...]) -> list[NDArray[Any]]:
    if not rows.num_columns:
        return [np.empty(0, np.uint64 if name == "position" else np.uint8) for name in names]
    return [array_of(rows, name) for name in names]


def whole_spaces(config: SolitaireConfig, inputs: Inputs) -> list[WholeSpace]:
    """The published levels of every problem; ValueError where there are levels of none."""
    if not config.levels:
        return []
    problems = [ProblemByHand(name, config.boards) for name in config.levels]
    positions, winning = (by_folders(inputs.table(name), ("problem", "pegs")) for name in ("positions", "winning"))
    known = {(slug(problem.name), pegs) for problem in problems for pegs in range(1, len(problem.start) + 1)}
    others = (positions.keys() | winning.keys()) - known
    if others:
        raise ValueError(f"no problem has the level {min(others)}")
    return [WholeSpace(problem, positions, winning) for problem in problems]


def check_positions(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Drawn positions of each level, and all sums."""
    tables = ("levels", "winning", "positions") if not config.levels else ("levels",)
    known = {slug(problem) for problem in config.levels}
    for table in tables:
        others = set(inputs.table(table).column("problem").to_pylist()) - known
        if others:
            return Outcome(1, 1, f"table {table}: {min(others)} is no problem whose levels were asked for")
    return joined((space.problem.name, _check_space(space, inputs, draw)) for space in whole_spaces(config, inputs))


def _check_space(space: WholeSpace, inputs: Inputs, draw: Draw) -> Outcome:
    random, cases = draw.generator(), 0
    for pegs, level in space.levels.items():
        drawn = np.array(draw.choose(len(level.position), DRAWN, random), np.int64)
        cases += len(drawn)
        fault = (
            _order_fault(level)
            or _jumps_fault(space, pegs, drawn)
            or _moves_fault(space, pegs, np.array(draw.choose(len(level.position), MOVED, random), np.int64))
            or _winning_fault(space, pegs, np.array(draw.choose(len(level.winning), MOVED, random), np.int64))
        )
        if fault:
            return Outcome(cases, space.rows, f"{pegs} pegs: {fault}")
    outcome = _levels_outcome(space, inputs)
    return Outcome(cases, space.rows, outcome.fault)


def _order_fault(level: Level) -> str:
    if not is_ascending(level.position) or not is_ascending(level.winning):
        return "its positions do not ascend"
    return "" if are_in(level.winning, level.position).all() else "a winning position is none that can be reached"


def _jumps_fault(space: WholeSpace, pegs: int, drawn: NDArray[np.int64]) -> str:
    """The first fault of drawn positions by their images and single jumps, or \'\'."""
    game, level, below = space.game, space.levels[pegs], space.levels.get(pegs - 1)
    words = level.position[drawn]
    if (np.bitwise_count(words) != pegs).any():
        return "a position has other pegs"
    if (game.canonical(words) != words).any():
        return "a position is not the least of its images"
    if (game.orbit_sizes(words) != level.orbit[drawn]).any():
        return "orbit: a position has other images"
    if (game.jump_counts(words) != level.choices[drawn]).any():
        return "choices: a position has other jumps"
    if below is None:
        return ""
    made = game.jumps_from(words)
    results = game.canonical(made.result)
    if not are_in(results, below.position).all():
        return "a jump leads to a position that the level below has not"
    wins = np.zeros(len(words), bool)
    np.logical_or.at(wins, made.origin, are_in(results, below.winning))
    wins |= words == np.uint64(space.problem.word(space.problem.goal))
    return (
        ""
        if (wins == are_in(words, level.winning)).all()
        else "a position wins by its jumps, or does not, against the table"
    )


def _moves_fault(space: WholeSpace, pegs: int, drawn: NDArray[np.int64]) -> str:
    """The first fault of the fewest moves to drawn positions, by the whole moves that lead there, or \'\'."""
    level, start = space.levels[pegs], np.uint64(space.problem.word(space.problem.start))
    words = level.position[drawn]
    fewest = _fewest(space, words, back=True)
    fewest[words == start] = 0
    return "" if (fewest == level.moves[drawn]).all() else "moves: other moves lead to a position"


def _winning_fault(space: WholeSpace, pegs: int, drawn: NDArray[np.int64]) -> str:
    """The first fault of the fewest moves from drawn winning positions, by the whole moves from them, or \'\'."""
    level, goal = space.levels[pegs], np.uint64(space.problem.word(space.problem.goal))
    words = level.winning[drawn]
    fewest = _fewest(space, words, back=False)
    fewest[words == goal] = 0
    return "" if (fewest == level.left[drawn]).all() else "winning moves: other moves lead to the goal"


def _fewest(space: WholeSpace, words: Words, back: bool) -> NDArray[np.int64]:
    """One more than the fewest moves of the positions that whole moves, made or taken back, lead to."""
    fewest = np.full(len(words), NONE, np.int64)
    for made in space.game.moves_from(words, back):
        results = space.game.canonical(made.result)
        pegs = np.bitwise_count(results)
        for number in set(pegs.tolist()) & space.levels.keys():
            level, here = space.levels[number], pegs == number
            known, moves = (level.position, level.moves) if back else (level.winning, level.left)
            rows = rows_of(results[here], known)
            np.minimum.at(fewest, made.origin[here][rows >= 0], moves[rows[rows >= 0]].astype(np.int64) + 1)
    return fewest


def _levels_outcome(space: WholeSpace, inputs: Inputs) -> Outcome:
    """The rows of the problem, summed from its positions."""
    rows = []
    for pegs, level in space.levels.items():
        dead = level.choices == 0
        won = level.orbit[rows_of(level.winning, level.position)]
        rows.append(
            {
                "problem": slug(space.problem.name),
                "pegs": pegs,
                "positions": len(level.position),
                "labelled_positions": int(level.orbit.sum(dtype=np.int64)),
                "winning": len(level.winning),
                "labelled_winning": int(won.sum(dtype=np.int64)),
                "dead_ends": int(dead.sum()),
                "labelled_dead_ends": int(level.orbit[dead].sum(dtype=np.int64)),
                "most_moves": int(level.moves.max(initial=0)),
            }
        )
    found = by_folders(inputs.table("levels"), ("problem",)).get((slug(space.problem.name),))
    if found is None:
        return Outcome(0, 0, "table levels: has no row of it")
    return compared(found, [row for row in rows if row["positions"]], ("pegs",))


def check_exchanged(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Of each level some positions, one after another: what the stage above exchanged of them."""
    return joined((space.problem.name, _check_exchanged(space, inputs, draw)) for space in whole_spaces(config, inputs))


def _check_exchanged(space: WholeSpace, inputs: Inputs, draw: Draw) -> Outcome:
    random, cases = draw.generator(), 0
    for pegs, level in space.levels.items():
        last = pegs - 1 not in space.levels or not len(space.levels[pegs - 1].position)
        if last and inputs.rows(level_stage(space.problem.name, pegs), "next_level"):
            return Outcome(cases, space.rows, f"{pegs} pegs: something was exchanged, and no level follows")
        if pegs == len(space.problem.start) or not len(level.position):
            continue
        begin = int(random.integers(max(1, len(level.position) - EXCHANGED)))
        end = len(level.position) if draw.everything else min(begin + EXCHANGED, len(level.position))
        begin = 0 if draw.everything or len(level.position) <= EXCHANGED else begin
        low = int(level.position[begin]) if begin else 0
        high = int(level.position[end]) if end < len(level.position) else END
        rows = inputs.read(level_stage(space.problem.name, pegs + 1), "next_level", between=(low, high))
        words = array_of(rows, "position")
        fewest = np.full(end - begin, NONE, np.int64)
        places = rows_of(words, level.position[begin:end])
        if (places < 0).any() or len(distinct(words)) != end - begin:
            return Outcome(cases, space.rows, f"{pegs} pegs: the level is not what the one above it exchanged")
        np.minimum.at(fewest, places, array_of(rows, "moves").astype(np.int64))
        if (fewest != level.moves[begin:end]).any():
            return Outcome(cases, space.rows, f"{pegs} pegs: moves that were exchanged are not those of the level")
        cases += end - begin
        fault = _live_fault(space, inputs, pegs, rows, random)
        if fault:
            return Outcome(cases, space.rows, f"{pegs} pegs: {fault}")
    return Outcome(cases, space.rows)


def _live_fault(space: WholeSpace, inputs: Inputs, pegs: int, rows: pa.Table, random: np.random.Generator) -> str:
    """The first fault of the pegs that can have moved last, by the jumps that lead to drawn positions; or ''.

    A jump by a peg that can have moved last takes no move more. Of pegs that a symmetry exchanges one need be named, so
    all images of a position are looked at that are itself.
    """
    above = _live_above(space, inputs, pegs)
    if above is None:
        return ""
    known: dict[int, tuple[int, int]] = {}
    for word, moves, live in zip(*(rows.column(name).to_pylist() for name in rows.column_names), strict=True):
        fewest, pegs_known = known.get(word, (NONE, 0))
        known[word] = (min(fewest, moves), live | pegs_known * (moves == fewest) if moves <= fewest else pegs_known)
    for word in random.permutation(sorted(known))[:LIVE_DRAWN].tolist():
        if _spread(space.game, word, known[word][1]) != _live_by_hand(space, word, above):
            return f"live: other pegs can have moved last in {word:#x}"
    return ""


LIVE_DRAWN = 10
LIVE_ROWS = 300_000
"""The most rows exchanged above, of levels whose live pegs are looked at."""


class Above(NamedTuple):
    """Rows exchanged by the positions one level up, ascending by position: uint64, uint8 and uint64 (rows)."""

    position: Words
    moves: NDArray[np.uint8]
    live: NDArray[np.uint64]

    def least(self, word: int) -> tuple[int, int] | None:
        """The fewest moves to a position and its live pegs; None where there is no row of it."""
        first, last = (int(np.searchsorted(self.position, np.uint64(word), side)) for side in ("left", "right"))
        if first == last:
            return None
        moves, live = self.moves[first:last], self.live[first:last]
        fewest = moves.min()
        return int(fewest), int(np.bitwise_or.reduce(live[moves == fewest]))


def _live_above(space: WholeSpace, inputs: Inputs, pegs: int) -> Above | None:
    """The rows of the level above; None where there are too many."""
    start = len(space.problem.start)
    if pegs + 1 == start:
        root = space.problem.word(space.problem.start)
        return Above(np.array([root], np.uint64), np.zeros(1, np.uint8), np.zeros(1, np.uint64))
    rows = inputs.read(level_stage(space.problem.name, pegs + 2), "next_level")
    if rows.num_rows > LIVE_ROWS:
        return None
    words, moves, live = (array_of(rows, name) for name in ("position", "moves", "live"))
    order = np.argsort(words)
    return Above(words[order], moves[order], live[order])


def _spread(game: GameByArrays, word: int, live: int) -> set[int]:
    """The holes of live pegs, and those that symmetries of the position exchange with them."""
    holes = [hole for hole in range(live.bit_length()) if live >> hole & 1]
    return {row[hole] for row in game.permutations if _image(row, word) == word for hole in holes}


def _live_by_hand(space: WholeSpace, word: int, above: Above) -> set[int]:
    """Where the last jumps end by which the fewest moves lead to a position."""
    problem, index = space.problem, space.game.index
    position, costs = problem.position(word), dict[int, int]()
    for cell in position:
        for begin, before in problem.jumps(position, cell, back=True):
            images = [(_image(row, problem.word(before)), row[index[begin]]) for row in space.game.permutations]
            least = min(image for image, _ in images)
            found = above.least(least)
            if found is None:
                continue
            moves, live = found
            goes_on = any(live >> hole & 1 for image, hole in images if image == least)
            end = index[cell]
            costs[end] = min(costs.get(end, NONE), moves + (not goes_on))
    return {hole for hole, cost in costs.items() if cost == min(costs.values())}


def _image(row: list[int], word: int) -> int:
    return sum(1 << row[hole] for hole in range(len(row)) if word >> hole & 1)
