"""Searches made again by the second rules: layer by layer from both ends, and all solutions where the layers meet.

All tables of a search but the estimates follow from its problem. The moves of every position are made by arrays; their
results, brought into their least images, are the next layer, each with the ways of all positions that lead to it. The
solutions grow from the positions on which layers of both sides meet. There is no earlier meeting, and every layer has
all that moves lead to, so this proves as well what a certificate claims. Of what is listed only the moves of solutions
are read, since these may be played in any order.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.solitaire.board_files import load_board, problem_params
from boardspace.spaces.solitaire.boards import problem_of
from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import Search, SolitaireConfig
from boardspace.spaces.solitaire.costs import with_costs
from boardspace.spaces.solitaire.parts.game_lengths.checks import Counted, estimates, step_from
from boardspace.spaces.solitaire.parts.searches.part import DIRECTIONS, Direction, depth, frontier_stages
from boardspace.spaces.solitaire.rules import GameByArrays, ProblemByHand, Words, are_in
from boardspace.spaces.solitaire.shortest_by_hand import Graph, ShortestByHand, graph_of
from boardspace.spec.check import by_folders, distinct
from boardspace.spec.equations import Making, Near, ReadColumns, RowFaultError
from boardspace.spec.space import cut_range
from boardspace_kernels.runs import Run
from boardspace_kernels.solitaire.sequences import estimate_sequences

GAMES = 20_000
DRAWN_BY_THE_RUN = 200_000
DEVIATIONS = 6
PRECISION = 1e-12
"""Relative; sums of floats differ by this little from one processor to another."""
PROVED_AT_ONCE, PROVED_TOGETHER = 400_000, 1 << 17
"""Positions of a layer in a shard of a proof, and those of which results are counted once."""
RULES = [(o, m, loop) for o in (False, True) for m in (False, True) for loop in (True, False)]
"""Whether order, mirror and loop make solutions different, by the number of the rule."""
OF_MOVES = ("choices", "labelled_choices", "most_choices", "longest_chain")
"""Columns of ``layers`` on the moves that lead to a layer."""

Row = dict[str, Any]
Rows = list[Row]


class Layer(NamedTuple):
    """Positions after so many moves.

    counted: positions, ascending, and the ways to each, of exactly so many moves.
    first: bool (p), where no fewer moves lead.
    row: of ``layers``, without its problem.
    """

    counted: Counted
    first: NDArray[np.bool_]
    row: Row


Sides = Mapping[Direction, Sequence[Layer]]


class SearchByHand:
    """A search made again."""

    def __init__(self, search: Search, config: SolitaireConfig) -> None:
        self.search, self.problem = search, ProblemByHand(search.problem, config.boards)
        self.game = GameByArrays(self.problem, self.problem.symmetries)
        self.sides: Sides = {side: list(self._layers(side)) for side in sorted(DIRECTIONS)}

    def _layers(self, side: Direction) -> Iterator[Layer]:
        layer = Counted.start(self.problem.word(self.problem.start if side == "forward" else self.problem.goal))
        earlier, made, last = layer.positions[:0], dict.fromkeys(OF_MOVES, 0), depth(self.search, side)
        for moves in range(last + 1):
            first, orbits = ~are_in(layer.positions, earlier), self.game.orbit_sizes(layer.positions)
            row = {"direction": side, "moves": moves, "positions": len(orbits), "labelled_positions": int(orbits.sum())}
            row |= {"first": int(first.sum()), "labelled_first": int(orbits[first].sum())}
            yield Layer(layer, first, row | made)
            if moves < last:
                earlier = distinct(np.concatenate([earlier, layer.positions]))
                counts, longest, layer = step_from(self.game, layer, side == "backward")
                choices = counts.sum(), (counts * orbits).sum(), counts.max(initial=0), longest
                made = dict(zip(OF_MOVES, map(int, choices), strict=True))

    def frontier(self) -> dict[str, Any]:
        """The columns of ``frontier``."""
        layers = [layer for side in self.sides.values() for layer in side]
        sizes = [len(layer.first) for layer in layers]
        return {
            "direction": pa.concat_arrays([pa.repeat(layer.row["direction"], len(layer.first)) for layer in layers]),
            "moves": np.repeat(np.array([layer.row["moves"] for layer in layers], np.uint8), sizes),
            "position": np.concatenate([layer.counted.positions for layer in layers]),
            "first": np.concatenate([layer.first for layer in layers]),
            "ways": np.concatenate([layer.counted.ways for layer in layers]),
        }

    def layers(self) -> Rows:
        """The rows of ``layers``: sizes of each, and the moves that lead to it."""
        return [layer.row for some in self.sides.values() for layer in some]

    def ways_to_play(self) -> Iterator[Row]:
        """The rows of ``ways_to_play``; those of games have ones that symmetries map to one another as one."""
        names = ("moves", "labelled_choices", "choices", "labelled_positions", "positions")
        games = [layer.counted.total() for layer in self.sides["forward"]]
        for layer, some, few in zip(self.sides["forward"], games, essential(self.problem, games), strict=True):
            yield {name: layer.row[name] for name in names} | {"sequences": some, "essential_sequences": few}

    def passed(self) -> list[Words]:
        """Positions on shortest solutions, up to symmetry, by number of moves; none where there is no solution."""
        forward, backward = ([layer.counted.positions for layer in self.sides[d]] for d in ("forward", "backward"))
        for length in range(len(forward) + len(backward) - 1):
            split = min(length, len(forward) - 1)
            layer = backward[length - split]
            middle = layer[are_in(layer, forward[split])]
            if len(middle):
                before = self.game.joined_to(middle, forward[:split][::-1], back=True)
                return [*before[::-1], middle, *self.game.joined_to(middle, backward[: length - split][::-1])]
        return []

    def solutions(self, graph: Graph, listed: Iterable[str]) -> dict[str, Rows]:
        """The rows of all tables of solutions; ``listed`` are the moves that the table has."""
        found = ShortestByHand.of_graph(self.game, graph, self.problem.word(self.problem.start))
        counts = found.counts
        steps = [
            {"after": after, "position": position, "move": self.problem.text(move), "child": child}
            for after, level in enumerate(graph)
            for position, some in level.items()
            for move, child in some
        ]
        return {
            "solutions": found.rows(self.problem, self.problem.start, self.problem.goal, listed),
            "solution_counts": [
                {"rule": rule, "ordered": o, "mirror": m, "loop": loop, "solutions": counts[o, m, loop]}
                for rule, (o, m, loop) in enumerate(RULES, 1)
            ],
            "solution_steps": sorted(steps, key=lambda row: (row["after"], row["position"], row["move"])),
        }

    def certificate(self, length: int, game: str, grid: str) -> Row:
        """The row of a certificate of a length, whose game is this one: layers prove it that end where no game of fewer
        moves has its last ones from the goal."""
        forward = min(self.search.forward, length - 1)
        depths: dict[Direction, int] = {"forward": forward, "backward": length - 1 - forward}
        before = [(side, layer.counted.positions) for side in depths for layer in self.sides[side][: depths[side]]]
        claim = {
            "grid": grid,
            "cells": self.problem.cells,
            "start": self.problem.word(self.problem.start),
            "goal": self.problem.word(self.problem.goal),
            "symmetries": self.game.permutations,
            "game": [self.problem.stops(move) for move in game.split(", ")] if game else [],
        }
        return {
            "moves": length,
            "forward": forward,
            "backward": depths["backward"],
            "document": json.dumps(claim, separators=(",", ":")),
            "positions": sum(len(words) for _, words in before),
            "results": sum(self._results(words, side == "backward") for side, words in before),
        }

    def _results(self, words: Words, back: bool) -> int:
        """Results of the moves of a layer: of some positions each once, by the jumps that it takes and the hole that
        its peg is in."""
        parts = (
            words[low : min(low + PROVED_TOGETHER, end)]
            for begin, end in cut_range(0, len(words), PROVED_AT_ONCE)
            for low in range(begin, end, PROVED_TOGETHER)
        )
        landed = chain.from_iterable(stops.values() for part in parts for stops in self.game.landed(part, back))
        return sum(len(distinct(results)) for _, results in landed)


def seconds_by_problem(config: SolitaireConfig) -> dict[str, float]:
    """Seconds that each search takes to be made again: those that its layers took, where these were measured."""
    return {slug(s.problem): sum(stage.seconds for stage in with_costs(frontier_stages(s))) for s in config.searches}


def make_search(config: SolitaireConfig, name: str, read: ReadColumns) -> dict[str, Any]:
    """All rows of a search."""
    search = SearchByHand(next(search for search in config.searches if slug(search.problem) == name), config)
    rows: dict[str, Any] = {"layers": search.layers(), "ways_to_play": list(search.ways_to_play())}
    if passed := search.passed():
        rows |= search.solutions(
            graph_of(search.problem, search.game, passed), read("solutions", ["moves"])["moves"].tolist()
        )
        grid = load_board(search.problem.board_name, config.boards).grid
        rows["certificates"] = [search.certificate(len(passed) - 1, rows["solutions"][0]["moves"], grid)]
    return {table: rows.get(table, []) for table in TABLES} | {"frontier": search.frontier()}


TABLES = ("layers", "ways_to_play", "solutions", "solution_counts", "solution_steps", "certificates")


def essential(problem: ProblemByHand, games: Sequence[int]) -> list[int]:
    """Games up to symmetry: the mean, over the symmetries, of those whose every move it maps to itself. In these pegs
    jump between holes that stay in place."""
    totals, symmetries = list(games), GameByArrays(problem, problem.symmetries).permutations
    for row in symmetries[1:]:
        game = GameByArrays(problem, problem.keeping(*problem.cell))
        game.jumps = [jump for jump in game.jumps if all(row[hole] == hole for hole in jump)]
        layer = Counted.start(problem.word(problem.start))
        for moves in range(len(games)):
            totals[moves] += layer.total()
            layer = step_from(game, layer)[2]
    return [total // len(symmetries) for total in totals]


def make_lengths(config: SolitaireConfig, name: str, at: Making) -> dict[str, Rows]:
    """The rows of ``sequences``: from the layers, exactly, then those that the run drew: they follow from their seed,
    so they are the same to the last digits. RowFaultError where other games tell otherwise."""
    searches = sorted((s for s in config.searches if s.games > s.forward), key=lambda search: slug(search.problem))
    if not searches:
        return {"sequences": []}
    frontier = at.inputs.table("frontier")
    layers, none = by_folders(frontier, ("problem", "direction", "moves")), frontier.slice(0, 0)
    rows: Rows = []
    for search in searches:
        name = slug(search.problem)
        tables = (layers.get((name, "forward", moves), none) for moves in range(search.forward + 1))
        known = [Counted(*(rows.column(c).to_numpy() for c in ("position", "ways"))) for rows in tables]
        some: Rows = [{"sequences": float(layer.total()), "standard_error": 0.0} for layer in known]
        some += _estimated(search, config, known[-1], at)
        rows += [{"problem": name, "moves": moves, **row} for moves, row in enumerate(some)]
    return {"sequences": rows}


def _estimated(search: Search, config: SolitaireConfig, layer: Counted, at: Making) -> Iterator[Row]:
    """Rows of more moves than the layer's."""
    problem = problem_of(problem_params(search.problem, config.boards))
    by_hand = ProblemByHand(search.problem, config.boards)
    own = estimates(GameByArrays(by_hand, by_hand.symmetries), layer, at.draw.generator(), GAMES)
    more = search.games - search.forward
    again = estimate_sequences(problem.forward, Run(layer.positions, layer.ways), more, DRAWN_BY_THE_RUN, seed=0)
    for moves, same, (mean, deviation) in zip(range(search.forward + 1, search.games + 1), again, own, strict=False):
        error, where = deviation / GAMES**0.5, f"sequences {slug(search.problem)} {moves}"
        spread, rounded = deviation / DRAWN_BY_THE_RUN**0.5, PRECISION * same.sequences  # no spread where all are alike
        if abs(same.sequences - mean) > DEVIATIONS * (error**2 + same.standard_error**2) ** 0.5 + rounded:
            raise RowFaultError(f"{where}: about {mean:.4g} games, not so many as are drawn again")
        if not spread / 2 - rounded <= same.standard_error <= 2 * spread + rounded:
            raise RowFaultError(f"{where}: its standard error is another than that drawn again")
        yield {name: Near(value, PRECISION * value) for name, value in same._asdict().items()}
