"""Checks of numbers of games by length: moves made by arrays, without the kernels, layer by layer or on drawn games.

What is published is made again from the start as far as a layer has at most :data:`MOST_ROWS` positions; the numbers
after it are estimated by games drawn at random. A run has the positions between layers as well: the numbers of all
parts of a layer add up to those of the next one, and drawn parts are counted again.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.engine.shuffle import END
from boardspace.spaces.solitaire.checking import array_of, is_ascending, joined
from boardspace.spaces.solitaire.config import GameLengths, SolitaireConfig
from boardspace.spaces.solitaire.counted_layers import Counted, estimates, joined_ways, total
from boardspace.spaces.solitaire.parts.game_lengths.part import LAYERS, NOT_HELD, last_held
from boardspace.spaces.solitaire.problems import shards_by_level, slug
from boardspace.spaces.solitaire.rules import GameByArrays, ProblemByHand, Words
from boardspace.spec.space import Draw, Facts, Inputs, Outcome

MOST_ROWS = 30_000
"""Positions of a layer that the next one is made from."""
GAMES = 20_000
DEVIATIONS = 6
PARTS = 1
"""Parts of each layer that are counted again, unless all are."""
AT_ONCE = 1 << 14
"""Positions that two moves are made from at once."""

Row = dict[str, Any]


class Game:
    """The moves of a problem on arrays."""

    def __init__(self, section: GameLengths, config: SolitaireConfig) -> None:
        self.section = section
        self.problem = ProblemByHand(section.problem, config.boards)
        self.arrays = GameByArrays(self.problem, self.problem.symmetries)

    def start(self) -> Counted:
        """The layer of the start alone."""
        return Counted(np.array([self.problem.word(self.problem.start)], np.uint64), np.ones(1, np.uint64))

    def after(self, layer: Counted) -> Counted:
        """The layer one move later."""
        made = list(self.arrays.moves_from(layer.positions))
        empty = np.empty(0, np.uint64)
        results = self.arrays.canonical(np.concatenate([part.result for part in made] or [empty]))
        return joined_ways(results, np.concatenate([layer.ways[part.origin] for part in made] or [empty]))

    def moves(self, positions: Words) -> NDArray[np.int64]:
        """How many moves each position has."""
        return self.arrays.move_counts(positions)[0]


def check_lengths(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The rows of every problem of the config, and of no other."""
    rows = inputs.table("game_lengths").to_pylist()
    others = {row["problem"] for row in rows} - {slug(section.problem) for section in config.game_lengths}
    if others:
        return Outcome(1, 1, f"no problem of the config is {min(others)}")
    return joined(
        (section.problem, _lengths(Game(section, config), _of(rows, section), draw)) for section in config.game_lengths
    )


def _of(rows: list[Row], section: GameLengths) -> list[Row]:
    return [row for row in rows if row["problem"] == slug(section.problem)]


def _lengths(game: Game, rows: list[Row], draw: Draw) -> Outcome:
    if [row["moves"] for row in rows] != list(range(game.section.moves + 1)):
        return Outcome(len(rows), len(rows), f"its rows are not those of 0 to {game.section.moves} moves")
    layer, last = game.start(), last_held(game.section)
    for row in rows[: last + 1]:
        expected = {"sequences": str(total(layer.ways)), "positions": len(layer.positions)}
        if any(row[name] != value for name, value in expected.items()):
            return Outcome(len(rows), len(rows), f"{row['moves']} moves: {expected}, the table says {row}")
        reached = row["moves"]
        if len(layer.positions) > MOST_ROWS or reached == last:
            break
        layer = game.after(layer)
    fault = _later_fault(game, layer, rows[reached + 1 :], draw) if len(layer.positions) else _empty_fault(rows)
    return Outcome(len(rows), len(rows), fault)


def _empty_fault(rows: list[Row]) -> str:
    return "" if all(row["sequences"] == "0" for row in rows[-NOT_HELD:]) else "no move is left, and games go on"


def _later_fault(game: Game, layer: Counted, rows: list[Row], draw: Draw) -> str:
    """Fault of the rows after a layer; '' where there is none. The first is counted exactly."""
    last = last_held(game.section)
    one_more = str(total(layer.ways, game.moves(layer.positions)))
    if rows[0]["sequences"] != one_more:
        return f"{rows[0]['moves']} moves: {one_more} sequences, the table says {rows[0]['sequences']}"
    drawn = estimates(game.arrays, layer, draw.generator(), GAMES)
    for row, (mean, deviation) in zip(rows, drawn, strict=False):
        if (row["positions"] is None) != (row["moves"] > last):
            return f"{row['moves']} moves: its positions are {row['positions']}"
        if row["positions"] is not None and not 0 <= row["positions"] <= int(row["sequences"]):
            return f"{row['moves']} moves: {row['positions']} positions by {row['sequences']} sequences"
        if abs(int(row["sequences"]) - mean) > DEVIATIONS * deviation / GAMES**0.5 + 1e-9 * mean:
            return f"{row['moves']} moves: about {mean:.5g} sequences, the table says {row['sequences']}"
    return ""


def check_layers(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The numbers of all parts of all layers, and some parts counted again."""
    rows = inputs.table("game_lengths").to_pylist()
    done = inputs.named_facts(LAYERS) if config.game_lengths else {}
    return joined(
        (section.problem, _parts(Game(section, config), _of(rows, section), done, inputs, draw))
        for section in config.game_lengths
    )


def _parts(game: Game, rows: list[Row], done: Mapping[str, Facts], inputs: Inputs, draw: Draw) -> Outcome:
    layers, last = shards_by_level(slug(game.section.problem), done), last_held(game.section)
    random, cases, parts = draw.generator(), 0, sum(map(len, layers.values()))
    if len(rows) != game.section.moves + 1:
        return Outcome(0, parts, f"the table has {len(rows)} rows of it")
    for moves, shards in layers.items():
        names = sorted(shards)
        drawn = [Part(names[n], moves == last, shards[names[n]]) for n in draw.choose(len(names), PARTS, random)]
        cases += len(drawn)
        faults = (_part_fault(game, part, layers.get(moves - 1), inputs) for part in drawn)
        fault = _sums_fault(shards, rows, moves, last) or next(filter(None, faults), "")
        if fault:
            return Outcome(cases, parts, f"after {moves} moves: {fault}")
    missing = [row["moves"] for row in rows[: last + 1] if row["positions"] and row["moves"] not in layers]
    return Outcome(cases, parts, f"no layer after {missing[0]} moves was made" if missing else "")


def _sums_fault(shards: Mapping[str, Facts], rows: list[Row], moves: int, last: int) -> str:
    """Difference between the rows and the sums of the parts of a layer, or ''."""
    names = ("sequences", "one", "two") if moves == last else ("sequences",)
    for row, name in zip(rows[moves:], names, strict=False):
        found = str(sum(int(facts[name]) for facts in shards.values()))
        if row["sequences"] != found:
            return f"its parts have {found} sequences of {row['moves']} moves, the table says {row['sequences']}"
    ranges = sorted(facts["range"] for facts in shards.values())
    if [ranges[0][0], ranges[-1][1]] != [0, END] or any(a[1] != b[0] for a, b in pairwise(ranges)):
        return "its parts do not cover all positions, each once"
    positions = sum(facts["positions"] for facts in shards.values())
    return "" if rows[moves]["positions"] == positions else f"its parts have {positions} positions"


class Part(NamedTuple):
    """A part of a layer: its shard's name, whether the layer is the last that is held, and what its receipt says."""

    shard: str
    last: bool
    facts: Facts


def _part_fault(game: Game, part: Part, before: Mapping[str, Facts] | None, inputs: Inputs) -> str:
    """Difference between a part of a layer and the same counted again from what it received and wrote, or ''."""
    layer = game.start() if before is None else _received(part, before, inputs)
    if (game.arrays.canonical(layer.positions) != layer.positions).any():
        return f"{part.shard}: a position is not the least of its images"
    counted = {"positions": len(layer.positions), "sequences": str(total(layer.ways))}
    if part.last:
        counted |= _continuations(game, layer)
    wrong = [name for name, value in counted.items() if part.facts[name] != value]
    if wrong:
        return f"{part.shard}: {counted[wrong[0]]} {wrong[0]}, its receipt says {part.facts[wrong[0]]}"
    return "" if part.last else _written_fault(game, part, layer, inputs)


def _received(part: Part, before: Mapping[str, Facts], inputs: Inputs) -> Counted:
    """The positions that a part owns, joined from all that the layer before wrote."""
    low, high = part.facts["range"]
    rows = inputs.read(LAYERS, "next_sequences", shards=list(before), between=(low, high))
    return joined_ways(array_of(rows, "position"), array_of(rows, "ways"))


def _continuations(game: Game, layer: Counted) -> dict[str, str]:
    """The sequences of one and of two moves more from the positions of a layer."""
    one = two = 0
    for begin in range(0, len(layer.positions), AT_ONCE):
        piece = Counted(*(column[begin : begin + AT_ONCE] for column in layer))
        times = np.zeros((2, len(piece.positions)), np.int64)
        for made in game.arrays.moves_from(piece.positions):
            np.add.at(times[0], made.origin, 1)
            np.add.at(times[1], made.origin, game.moves(made.result))
        one, two = one + total(piece.ways, times[0]), two + total(piece.ways, times[1])
    return {"one": str(one), "two": str(two)}


def _written_fault(game: Game, part: Part, layer: Counted, inputs: Inputs) -> str:
    """Fault of what a part wrote: a small one is made again; of others all sequences go on."""
    rows = inputs.read(LAYERS, "next_sequences", shards=[part.shard])
    written = Counted(array_of(rows, "position"), array_of(rows, "ways"))
    if len(layer.positions) <= MOST_ROWS:
        same = all(np.array_equal(*columns) for columns in zip(written, game.after(layer), strict=True))
        return "" if same else f"{part.shard}: its moves lead elsewhere, or in other numbers"
    if not is_ascending(written.positions):
        return f"{part.shard}: what it wrote does not ascend"
    expected = total(layer.ways, game.moves(layer.positions))
    found = total(written.ways)
    if found != expected:
        return f"{part.shard}: its moves make {expected:,} sequences, it wrote {found:,}"
    return ""
