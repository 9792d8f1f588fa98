"""Positions of whole classes by hand: what the bitmaps say of them follows from what they say of their neighbours."""

import random
from typing import Any

from boardspace.pipeline.space import Check, Inputs
from boardspace.pipeline.spaces.solitaire.checks.by_hand import Cell, GameByHand, Position, ProblemByHand
from boardspace.pipeline.spaces.solitaire.classes.levels import array_path
from boardspace.pipeline.spaces.solitaire.classes.sweeps import Goal
from boardspace.pipeline.spaces.solitaire.classes.vacancy import Vacancy
from boardspace.pipeline.spaces.solitaire.frontiers import slug

GAMES = 20
MOST_BY_HAND = 1000


class _Bitmaps:
    """The published bitmaps of one vacancy, read by the table of holes alone."""

    def __init__(self, vacancy: Vacancy, inputs: Inputs, cell: dict[int, Cell]) -> None:
        rows = inputs.read(f"{vacancy.board_name}.problems", "class_holes").to_pylist()
        self.bits = [(row["bit"], cell[row["hole"]]) for row in rows]
        self.arrays: dict[Goal, Any] = {
            goal: inputs.array(array_path(vacancy, goal)) for goal in ("reachable", "winning")
        }

    def has(self, goal: Goal, position: Position) -> bool:
        number = sum(1 << bit for bit, cell in self.bits if cell in position)
        return bool(int(self.arrays[goal][number >> 6]) >> (number & 63) & 1)


def check_class(vacancy: Vacancy, inputs: Inputs, chance: random.Random) -> Check:
    """Random games are played from the start; of each, the last position and one with a jump taken back are looked
    at."""
    name = f"{vacancy.board_name} from vacancy {vacancy.hole}: bitmaps by hand"
    game = GameByHand(vacancy.board_name)
    bitmaps = _Bitmaps(vacancy, inputs, game.cell)
    start = frozenset(game.cells) - {game.cell[vacancy.hole]}
    for played in range(GAMES):
        position = _play(game, start, chance)
        for looked_at in (position, _one_back(game, position, chance)):
            fault = _fault(game, bitmaps, start, looked_at)
            if fault:
                numbers = sorted(number for number, cell in game.cell.items() if cell in looked_at)
                return Check(name, played, f"pegs on {numbers}: {fault}")
    return Check(name, 2 * GAMES)


def check_counts(vacancy: Vacancy, inputs: Inputs) -> Check:
    """Where no bitmaps are published: the first levels, as far as they are small, are played through."""
    name = f"{vacancy.board_name} from vacancy {vacancy.hole}: levels by hand"
    game = GameByHand(vacancy.board_name)
    rows = {row["pegs"]: row for row in inputs.read(f"{vacancy.slug}.levels", "class_levels").to_pylist()}
    level, cases = {frozenset(game.cells) - {game.cell[vacancy.hole]}}, 0
    while level and len(level) <= MOST_BY_HAND:
        pegs = len(next(iter(level)))
        after = [_neighbours(game, position, back=False) for position in level]
        played = (len(level), after.count(set()))
        row = rows.get(pegs, {})
        counted = (row.get("labelled_positions", 0), row.get("labelled_dead_ends", 0))
        if counted != played:
            found = f"{counted} positions and dead ends by the table, {played} by hand"
            return Check(name, cases, f"{pegs} pegs: {found}")
        cases += len(level)
        level = set().union(*after)
    return Check(name, cases)


def starts_with(problem: str, vacancy: Vacancy) -> bool:
    """Whether a problem starts with this vacancy alone, and has a goal with the same symmetries."""
    if problem.split("/")[0] != vacancy.board_name:
        return False
    posed = ProblemByHand(problem)
    alone = frozenset(posed.cells) - {posed.cell[vacancy.hole]}
    return posed.start == alone and posed.goal == frozenset(posed.cells) - alone


def check_two_methods(problem: str, vacancy: Vacancy, inputs: Inputs) -> Check:
    """Levels made of sorted runs and levels counted on bitmaps are the same, where both start from the same vacancy."""
    columns = ("positions", "labelled_positions", "dead_ends", "labelled_dead_ends")
    stages = {"levels": f"{slug(problem)}.levels", "class_levels": f"{vacancy.slug}.levels"}
    by_runs, by_bitmaps = (
        {row["pegs"]: [row[column] for column in columns] for row in inputs.read(stage, table).to_pylist()}
        for table, stage in stages.items()
    )
    name = f"{problem}: levels by sorted runs and by bitmaps"
    for pegs in sorted(by_runs.keys() | by_bitmaps.keys()):
        if by_runs.get(pegs) != by_bitmaps.get(pegs):
            found = f"{by_runs.get(pegs)} by runs, {by_bitmaps.get(pegs)} by bitmaps"
            return Check(name, len(by_runs), f"{pegs} pegs: {found} ({', '.join(columns)})")
    return Check(name, len(by_runs))


def _play(game: GameByHand, start: Position, chance: random.Random) -> Position:
    """A position after a random number of random jumps."""
    position = start
    for _ in range(chance.randrange(len(start))):
        following = sorted(_neighbours(game, position, back=False), key=sorted)
        if not following:
            break
        position = chance.choice(following)
    return position


def _one_back(game: GameByHand, position: Position, chance: random.Random) -> Position:
    before = sorted(_neighbours(game, position, back=True), key=sorted)
    return chance.choice(before) if before else position


def _neighbours(game: GameByHand, position: Position, back: bool) -> set[Position]:
    return {after for cell in position for _, after in game.jumps(position, cell, back)}


def _fault(game: GameByHand, bitmaps: _Bitmaps, start: Position, position: Position) -> str:
    """What the bitmaps say wrongly of a position, or ''."""
    before, after = (_neighbours(game, position, back) for back in (True, False))
    reached = position == start or any(bitmaps.has("reachable", other) for other in before)
    if bitmaps.has("reachable", position) != reached:
        return f"reachable: {reached} by the positions before it, the bitmap says {not reached}"
    wins = len(position) == 1 or any(bitmaps.has("winning", other) for other in after)
    if bitmaps.has("winning", position) != wins:
        return f"winning: {wins} by the positions after it, the bitmap says {not wins}"
    return ""
