"""The hardest starts of Rush Hour in a run or a release, solved by a search that shares nothing with boardspace.

    python -m benchmarks.rush_hour_starts FOLDER --number 200 --seed 1

Of the listed starts the 20 that take the most steps and others that the seed draws; of each the whole group is searched
in plain Python, by steps and by unit moves, from its goals, and all columns are compared. A second of a core for 20,000
boards of a group; 200 starts of 6 x 6 take about three minutes.
"""

import argparse
import random
from collections.abc import Iterator, Mapping
from math import isqrt
from pathlib import Path
from typing import Any

import boardspace

HARDEST = 20
State = tuple[int, ...]
"""Of each piece how far it stands from the left, or upper, end of its line; the red car is the first."""


class Game:
    """A board as people write it: a letter for each cell, A the red car, o empty, x a wall."""

    def __init__(self, text: str) -> None:
        n = isqrt(len(text))
        self.walls = sum(1 << cell for cell, sign in enumerate(text) if sign == "x")
        self.places: list[list[int]] = []
        """Of each piece the cells that it covers, a bit each, from one end of its line to the other."""
        start = []
        for letter in sorted({*text} - {*"ox"}):
            cells = [cell for cell, sign in enumerate(text) if sign == letter]
            apart = cells[1] - cells[0]
            first = cells[0] // n * n if apart == 1 else cells[0] % n
            whole = sum(1 << apart * i for i in range(len(cells)))
            self.places.append([whole << first + apart * i for i in range(n - len(cells) + 1)])
            start.append((cells[0] - first) // apart)
        self.start = tuple(start)

    def is_goal(self, state: State) -> bool:
        """The red car stands at the right end."""
        return state[0] == len(self.places[0]) - 1

    def moves(self, state: State, farthest: int) -> Iterator[State]:
        """The boards after one piece has gone on, or back, by up to so many cells."""
        covered = self.walls
        for places, at in zip(self.places, state, strict=True):
            covered |= places[at]
        for piece, (places, at) in enumerate(zip(self.places, state, strict=True)):
            others = covered ^ places[at]
            for way in (1, -1):
                for there in range(at + way, at + way * (farthest + 1), way):
                    if not 0 <= there < len(places) or places[there] & others:
                        break
                    yield (*state[:piece], there, *state[piece + 1 :])

    def group(self) -> list[State]:
        """All boards that moves join to the start."""
        found, queue = {self.start}, [self.start]
        for state in queue:
            after = [there for there in self.moves(state, 1) if there not in found]
            found.update(after)
            queue += dict.fromkeys(after)
        return queue

    def ways(self, goals: list[State], farthest: int) -> dict[State, tuple[int, int]]:
        """Of each board that leads to a goal the fewest moves, and in how many ways they lead there."""
        found, level = dict.fromkeys(goals, (0, 1)), goals
        for moves in range(1, 1 << 30):
            after: dict[State, int] = {}
            for state in level:
                for there in self.moves(state, farthest):
                    if there not in found:
                        after[there] = after.get(there, 0) + found[state][1]
            found |= {state: (moves, ways) for state, ways in after.items()}
            level = list(after)
            if not level:
                break
        return found


def solved(text: str) -> dict[str, int | None]:
    """The columns of a start, by its whole group; ``steps`` are None where a board of the group takes more."""
    game = Game(text)
    group = game.group()
    goals = [state for state in group if game.is_goal(state)]
    steps, units = (game.ways(goals, farthest) for farthest in (len(text), 1))
    most = max(moves for moves, _ in steps.values())
    own, solutions = steps[game.start]
    return {
        "steps": own if own == most else None,
        "unit_moves": units[game.start][0],
        "solutions": solutions,
        "group_size": len(group),
        "goals": len(goals),
        "starts": sum(moves == most for moves, _ in steps.values()),
    }


def drawn(rows: list[dict[str, Any]], number: int, seed: int) -> list[dict[str, Any]]:
    """The hardest of some rows, and others by a seed, so many in all."""
    by_steps = sorted(rows, key=lambda row: (-row["steps"], row["code"]))
    others = by_steps[HARDEST:]
    return by_steps[:HARDEST] + random.Random(seed).sample(others, max(0, min(number - HARDEST, len(others))))


def faults(rows: list[Mapping[str, Any]] | list[dict[str, Any]]) -> Iterator[str]:
    """Yield what is wrong with each row, '' where nothing is."""
    for row in rows:
        found = solved(row["text"])
        wrong = {name: value for name, value in found.items() if row[name] != value}
        yield f"{row['text']}: {wrong} by this search" if wrong else ""


def main() -> None:
    """Print the faults, and how many starts were solved."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rows = drawn(
        boardspace.open(asked.folder)["rush_hour"].tables["hardest"].to_table().to_pylist(), asked.number, asked.seed
    )
    found = list(faults(rows))
    for fault in filter(None, found):
        print(fault)
    print(f"{len(found)} starts solved, {len(found) - found.count('')} of them not as the table says")
    if any(found):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
