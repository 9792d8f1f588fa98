"""Checks of numbers of games by length: moves made by arrays, without the kernels, layer by layer or on drawn games.

What is published is made again from the start as far as a layer has at most :data:`MOST_ROWS` positions; the numbers
after it are estimated by games drawn at random. A run has the positions between layers as well: the numbers of all
parts of a layer add up to those of the next one, and drawn parts are counted again.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.engine.shuffle import END
from boardspace.spaces.solitaire.by_arrays import GameByArrays, Words, distinct, rows_of
from boardspace.spaces.solitaire.by_hand import Position, ProblemByHand
from boardspace.spaces.solitaire.checking import array_of, is_ascending, joined
from boardspace.spaces.solitaire.config import GameLengths, SolitaireConfig
from boardspace.spaces.solitaire.parts.game_lengths.names import LAYERS, NOT_HELD, layers_of
from boardspace.spaces.solitaire.problems import slug
from boardspace.spec.space import Draw, Facts, Inputs, Outcome

MOST_ROWS = 30_000
"""Positions of a layer that the next one is made from."""
GAMES = 20_000
DEVIATIONS = 6
PARTS = 1
"""Parts of each layer that are counted again, unless all are."""
DRAWN_ROWS = 5
"""Rows that a part wrote whose ways are added up by hand."""
AT_ONCE = 1 << 14
"""Positions that two moves are made from at once."""

Row = dict[str, Any]


class Layer(NamedTuple):
    """Positions, uint64 (p), canonical and ascending, and the sequences to each, uint64 (p)."""

    positions: Words
    ways: NDArray[np.uint64]

    def total(self, times: NDArray[np.int64] | None = None) -> int:
        """The sum of all ways, each so many times, exactly."""
        factor = np.uint64(1) if times is None else times.astype(np.uint64)
        high, low = _halves(self.ways)
        return (_sum(high * factor) << 32) + _sum(low * factor)


def _halves(words: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The high and the low 32 bits of each: what they sum up to, or are multiplied to, fits a word."""
    return words >> np.uint64(32), words & np.uint64(0xFFFFFFFF)


def _sum(words: NDArray[np.uint64]) -> int:
    high, low = _halves(words)
    return (int(high.sum()) << 32) + int(low.sum())


class Game:
    """The moves of a problem on arrays."""

    def __init__(self, section: GameLengths, config: SolitaireConfig) -> None:
        self.section = section
        self.problem = ProblemByHand(section.problem, config.boards)
        self.arrays = GameByArrays(self.problem, self.problem.symmetries)

    def start(self) -> Layer:
        """The layer of the start alone."""
        return Layer(np.array([self.problem.word(self.problem.start)], np.uint64), np.ones(1, np.uint64))

    def after(self, layer: Layer) -> Layer:
        """The layer one move later."""
        made = list(self.arrays.moves_from(layer.positions))
        empty = np.empty(0, np.uint64)
        results = self.arrays.canonical(np.concatenate([part.result for part in made] or [empty]))
        ways = np.concatenate([layer.ways[part.origin] for part in made] or [empty])
        positions = distinct(results)
        sums = np.zeros(len(positions), np.uint64)
        np.add.at(sums, rows_of(results, positions), ways)
        return Layer(positions, sums)

    def moves(self, positions: Words) -> NDArray[np.int64]:
        """How many moves each position has."""
        return self.arrays.move_counts(positions)[0]

    def estimates(self, layer: Layer, random: np.random.Generator) -> Iterator[tuple[float, float]]:
        """For each move after the layer the mean of what drawn games say of the sequences, and its standard error."""
        games = layer.total()
        chances = layer.ways.astype(np.float64)
        words = layer.positions[random.choice(len(chances), GAMES, p=chances / chances.sum())]
        product = np.full(GAMES, float(games))
        while True:
            made = list(self.arrays.moves_from(words))
            origin = np.concatenate([part.origin for part in made] or [np.empty(0, np.int64)])
            result = np.concatenate([part.result for part in made] or [np.empty(0, np.uint64)])
            result = result[np.argsort(origin, kind="stable")]
            counts = np.bincount(origin, minlength=len(words))
            product *= counts
            yield float(product.mean()), float(product.std() / GAMES**0.5)
            chosen = np.cumsum(counts) - counts + (random.random(len(words)) * counts).astype(np.int64)
            if len(result):
                words = np.where(counts > 0, result[np.minimum(chosen, len(result) - 1)], np.uint64(0))


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
    layer, last = game.start(), game.section.moves - NOT_HELD
    for row in rows[: last + 1]:
        expected = {"sequences": str(layer.total()), "positions": len(layer.positions)}
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


def _later_fault(game: Game, layer: Layer, rows: list[Row], draw: Draw) -> str:
    """Fault of the rows after a layer; '' where there is none. The first is counted exactly."""
    last = game.section.moves - NOT_HELD
    one_more = str(layer.total(game.moves(layer.positions)))
    if rows[0]["sequences"] != one_more:
        return f"{rows[0]['moves']} moves: {one_more} sequences, the table says {rows[0]['sequences']}"
    for row, (mean, error) in zip(rows, game.estimates(layer, draw.generator()), strict=False):
        if (row["positions"] is None) != (row["moves"] > last):
            return f"{row['moves']} moves: its positions are {row['positions']}"
        if row["positions"] is not None and not 0 <= row["positions"] <= int(row["sequences"]):
            return f"{row['moves']} moves: {row['positions']} positions by {row['sequences']} sequences"
        if abs(int(row["sequences"]) - mean) > DEVIATIONS * error + 1e-9 * mean:
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
    layers, last = layers_of(game.section, done), game.section.moves - NOT_HELD
    random, cases, parts = draw.generator(), 0, sum(map(len, layers.values()))
    if len(rows) != game.section.moves + 1:
        return Outcome(0, parts, f"the table has {len(rows)} rows of it")
    for moves, shards in layers.items():
        fault = _sums_fault(shards, rows, moves, last)
        for number in draw.choose(len(shards), PARTS, random):
            name = sorted(shards)[number]
            fault = fault or _part_fault(
                game, Part(name, moves == last, shards[name]), layers.get(moves - 1), inputs, draw
            )
            cases += 1
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


def _part_fault(game: Game, part: Part, before: Mapping[str, Facts] | None, inputs: Inputs, draw: Draw) -> str:
    """Difference between a part of a layer and the same counted again from what it received and wrote, or ''."""
    layer = game.start() if before is None else _received(part, before, inputs)
    if (game.arrays.canonical(layer.positions) != layer.positions).any():
        return f"{part.shard}: a position is not the least of its images"
    counted = {"positions": len(layer.positions), "sequences": str(layer.total())}
    if part.last:
        counted |= _continuations(game, layer)
    wrong = [name for name, value in counted.items() if part.facts[name] != value]
    if wrong:
        return f"{part.shard}: {counted[wrong[0]]} {wrong[0]}, its receipt says {part.facts[wrong[0]]}"
    return "" if part.last else _written_fault(game, part, layer, inputs, draw)


def _received(part: Part, before: Mapping[str, Facts], inputs: Inputs) -> Layer:
    """The positions that a part owns, joined from all that the layer before wrote."""
    low, high = part.facts["range"]
    rows = inputs.read(LAYERS, "next_sequences", shards=list(before), between=(low, high))
    found, ways = array_of(rows, "position"), array_of(rows, "ways")
    positions = distinct(found)
    sums = np.zeros(len(positions), np.uint64)
    np.add.at(sums, rows_of(found, positions), ways)
    return Layer(positions, sums)


def _continuations(game: Game, layer: Layer) -> dict[str, str]:
    """The sequences of one and of two moves more from the positions of a layer."""
    one = two = 0
    for begin in range(0, len(layer.positions), AT_ONCE):
        piece = Layer(*(column[begin : begin + AT_ONCE] for column in layer))
        times = np.zeros((2, len(piece.positions)), np.int64)
        for made in game.arrays.moves_from(piece.positions):
            np.add.at(times[0], made.origin, 1)
            np.add.at(times[1], made.origin, game.moves(made.result))
        one, two = one + piece.total(times[0]), two + piece.total(times[1])
    return {"one": str(one), "two": str(two)}


def _written_fault(game: Game, part: Part, layer: Layer, inputs: Inputs, draw: Draw) -> str:
    """Fault of what a part wrote: a small one is made again; of others all sequences go on, and drawn rows have the
    ways of the moves that lead to them."""
    rows = inputs.read(LAYERS, "next_sequences", shards=[part.shard])
    written = Layer(array_of(rows, "position"), array_of(rows, "ways"))
    if len(layer.positions) <= MOST_ROWS:
        same = all(np.array_equal(*columns) for columns in zip(written, game.after(layer), strict=True))
        return "" if same else f"{part.shard}: its moves lead elsewhere, or in other numbers"
    if not is_ascending(written.positions):
        return f"{part.shard}: what it wrote does not ascend"
    expected = layer.total(game.moves(layer.positions))
    if written.total() != expected:
        return f"{part.shard}: its moves make {expected:,} sequences, it wrote {written.total():,}"
    for row in draw.choose(len(written.positions), DRAWN_ROWS, draw.generator()):
        position = game.problem.position(int(written.positions[row]))
        origins = game.problem.moves(position, back=True)
        ways = sum(number * _ways_to(game, layer, origin) for origin, number in origins.items())
        if ways != _ways_to(game, written, position):
            return f"{part.shard}, row {row}: its ways are not those of the moves that lead to it"
    return ""


def _ways_to(game: Game, layer: Layer, position: Position) -> Fraction:
    """Sequences of moves to this very position: the images share those of the row equally."""
    images = game.problem.images(position)
    row = int(rows_of(np.array([min(images)], np.uint64), layer.positions)[0])
    return Fraction(0) if row < 0 else Fraction(int(layer.ways[row]), len(images))
