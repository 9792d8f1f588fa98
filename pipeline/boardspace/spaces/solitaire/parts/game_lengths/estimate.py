"""Time and bytes of games by length, for ``boardspace plan``, where a problem's rows were counted before."""

from collections.abc import Sequence

from boardspace.spaces.solitaire.config import GameLengths, SolitaireConfig
from boardspace.spaces.solitaire.costs import rows_of_layers
from boardspace.spaces.solitaire.parts.game_lengths.part import last_held
from boardspace.spaces.solitaire.problems import slug

SECONDS_PER_ROW = 2.4e-6
"""Of one core, for each row that a layer reads; fitted to the Last Supper with 15 moves, as what follows is."""
SECONDS_PER_LAST_ROW = 2.1e-6
BYTES_PER_ROW = 4


def seconds(config: SolitaireConfig) -> float:
    """About what the layers of all problems of a config take; 0 for problems whose rows nobody counted."""
    return sum(_seconds(_read(section), section) for section in config.game_lengths)


def longest(config: SolitaireConfig) -> float:
    """About what the longest shards of all layers take, one after the other, of the problem where that is longest."""
    most = config.rows_per_shard
    return max(_seconds([min(rows, most) for rows in _read(section)], section) for section in config.game_lengths)


def size(config: SolitaireConfig) -> int:
    """About what they write, in bytes."""
    return BYTES_PER_ROW * sum(sum(_rows(section)) for section in config.game_lengths)


def _read(section: GameLengths) -> list[int]:
    """Rows that layers read, as far as they were counted."""
    return [1, *_rows(section)]


def _seconds(rows: Sequence[int], section: GameLengths) -> float:
    """About what layers take that read so many rows."""
    if len(rows) <= last_held(section):
        return 0.0  # it goes on behind what was counted
    return sum(rows[:-1]) * SECONDS_PER_ROW + rows[-1] * SECONDS_PER_LAST_ROW


def _rows(section: GameLengths) -> list[int]:
    """Rows that layers write, as far as they were counted; the last that is held writes none."""
    return list(rows_of_layers(slug(section.problem))[: last_held(section)])
