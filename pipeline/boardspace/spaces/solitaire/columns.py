"""Columns that several tables have; problems in the names of stages and shards, as in tables."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from boardspace.engine.shuffle import END, range_shards
from boardspace.spaces.solitaire.board_files import problem_params
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.space import Column, Facts, Inputs, Shard

PROBLEM = Column("problem", pa.string(), "The problem, as BOARD-PROBLEM.")
DRAW_POSITION = DeferredFunction("boardspace.spaces.solitaire.pictures", "draw_position")
DRAW_SOLUTION = DeferredFunction("boardspace.spaces.solitaire.pictures", "draw_solution")
POSITION = Column("position", pa.uint64(), "Pegs as bits: bit i is the i-th hole by number; canonical.")
PEGS = Column("pegs", pa.uint8(), "Pegs on the board.", "pegs")
BOARD = Column("board", pa.string(), "The board.")
VACANCY = Column("vacancy", pa.uint8(), "The hole that is empty at the start; all others have pegs.")
SURVIVOR = Column("survivor", pa.uint8(), "The hole with the last peg.")
RULE = (
    Column("ordered", pa.bool_(), "Whether the order of moves counts."),
    Column("mirror", pa.bool_(), "Whether solutions that a symmetry of the problem maps to each other count."),
    Column(
        "loop",
        pa.bool_(),
        "Whether moves with the same ends that take the same pegs count as different, such as those that go round a "
        "closed loop, or round one on their way, the one way or the other.",
    ),
)
"""What makes two solutions different, by one rule."""
SOLUTION = (
    Column("number", pa.uint32(), "From 1, in order of the moves."),
    Column("moves", pa.string(), "One order in which it can be played, in the source's notation."),
    Column("length", pa.uint8(), "Number of moves.", "moves"),
    Column("orders", pa.uint64(), "In how many orders its moves can be played.", "sequences"),
    Column("images", pa.uint8(), "How many different solutions the symmetries make of it.", "solutions"),
    Column(
        "sweeps", pa.uint32(), "Number of the solution where moves with the same ends that take the same pegs are one."
    ),
)
"""A listed solution."""


def sizes(name: str, orbits: str, positions: str, nullable: bool = False) -> tuple[Column, Column]:
    """Two columns, with what they mean: how many orbits of positions there are, and how many positions."""
    return (
        Column(name, pa.uint64(), orbits, "orbits", nullable=nullable),
        Column(f"labelled_{name}", pa.uint64(), positions, "positions", nullable=nullable),
    )


def slug(problem: str) -> str:
    """A problem's name in tables, and in the names of folders, files and stages."""
    return problem.replace("/", "-")


def one_shard(problem: str, config: SolitaireConfig, inputs: Inputs) -> list[Shard]:
    """A single shard that is given the whole problem."""
    return [Shard(slug(problem), problem_params(problem, config.boards))]


def shards_by_level(folder: str, done: Mapping[str, Facts]) -> dict[int, dict[str, Facts]]:
    """Finished shards of a folder, named ``FOLDER/pegs=31/0000`` or the like, by that number, and by name."""
    found: dict[int, dict[str, Facts]] = {}
    for name, facts in done.items():
        of, level, _ = name.split("/")
        if of == folder:
            found.setdefault(int(level.partition("=")[2]), {})[name] = facts
    return found


def next_shards(
    above: Mapping[str, Facts], folder: str, params: Mapping[str, Any], rows_per_shard: int, seconds_per_row: float
) -> list[Shard]:
    """Shards of the level after one whose finished shards are these, by name: ranges of what they wrote, each with the
    names of those that wrote any; of no shards one that owns all keys, a root."""
    runs = {name: facts["run"] for name, facts in above.items() if facts["run"]["rows"]}
    params = {**params, "above": list(runs)}
    if not above:
        return [Shard(f"{folder}/0000", {**params, "low": 0, "high": END}, 0.01)]
    return range_shards(list(runs.values()), folder, params, rows_per_shard, seconds_per_row)
