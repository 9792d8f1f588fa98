"""Numbers of games by length made again by arrays, layer by layer; of too large layers estimated by drawn games.

Layers are made from the start as far as one has at most :data:`MOST_ROWS` positions. The number after it is exact as
well, those after that one are estimated. What stages exchange is covered by its SHA-256 and by shards made again.
"""

from typing import Any

import numpy as np

from boardspace.spaces.solitaire.checking import joined
from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import GameLengths, SolitaireConfig
from boardspace.spaces.solitaire.counted_layers import Counted, estimates, step_from, total
from boardspace.spaces.solitaire.parts.game_lengths.part import last_held
from boardspace.spaces.solitaire.rules import GameByArrays, ProblemByHand
from boardspace.spec.space import Draw, Inputs, Outcome

MOST_ROWS = 1_000_000
"""Positions of a layer that the next one is made from."""
GAMES = 20_000
DEVIATIONS = 6
Row = dict[str, Any]


def check_lengths(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The rows of every problem of the config, and of no other."""
    rows = inputs.table("game_lengths").to_pylist()
    others = {row["problem"] for row in rows} - {slug(section.problem) for section in config.game_lengths}
    if others:
        return Outcome(1, 1, f"no problem of the config is {min(others)}")
    return joined(
        (section.problem, _lengths(section, config, [r for r in rows if r["problem"] == slug(section.problem)], draw))
        for section in config.game_lengths
    )


def _lengths(section: GameLengths, config: SolitaireConfig, rows: list[Row], draw: Draw) -> Outcome:
    if [row["moves"] for row in rows] != list(range(section.moves + 1)):
        return Outcome(len(rows), len(rows), f"its rows are not those of 0 to {section.moves} moves")
    problem, last = ProblemByHand(section.problem, config.boards), last_held(section)
    game = GameByArrays(problem, problem.symmetries)
    layer = Counted(np.array([problem.word(problem.start)], np.uint64), np.ones(1, np.uint64))
    for number, row in enumerate(rows):
        expected = {"sequences": str(total(layer.ways)), "positions": len(layer.positions) if number <= last else None}
        if any(row[name] != value for name, value in expected.items()):
            return Outcome(len(rows), len(rows), f"{number} moves: {expected}, the table says {row}")
        if len(layer.positions) > MOST_ROWS and number < section.moves:
            return Outcome(len(rows), len(rows), _later_fault(game, layer, last, rows[number + 1 :], draw))
        layer = step_from(game, layer)[2]
    return Outcome(len(rows), len(rows))


def _later_fault(game: GameByArrays, layer: Counted, last: int, rows: list[Row], draw: Draw) -> str:
    """Fault of the rows after a layer; '' where there is none. The first is counted exactly."""
    one_more = str(total(layer.ways, game.move_counts(layer.positions)[0]))
    if rows[0]["sequences"] != one_more:
        return f"{rows[0]['moves']} moves: {one_more} sequences, the table says {rows[0]['sequences']}"
    drawn = estimates(game, layer, draw.generator(), GAMES)
    for row, (mean, deviation) in zip(rows, drawn, strict=False):
        if (row["positions"] is None) != (row["moves"] > last):
            return f"{row['moves']} moves: its positions are {row['positions']}"
        if row["positions"] is not None and not 0 <= row["positions"] <= int(row["sequences"]):
            return f"{row['moves']} moves: {row['positions']} positions by {row['sequences']} sequences"
        if abs(int(row["sequences"]) - mean) > DEVIATIONS * deviation / GAMES**0.5 + 1e-9 * mean:
            return f"{row['moves']} moves: about {mean:.5g} sequences, the table says {row['sequences']}"
    return ""
