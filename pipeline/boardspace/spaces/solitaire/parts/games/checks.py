"""Numbers of games made again: sequences of jumps added up, level by level, from the start or from a run's levels.

All images of a position are one row, with the sequences to all of them together. Of boards of which that can be paid
all levels are made again from the start. A run has the levels of others as well: of these small ones are made again
from the level above, and of larger ones drawn positions, by the jumps that lead to them; a position that is left out
leaves fewer sequences than the jumps of the level above make. From its levels all rows of a start follow.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

import numpy as np

from boardspace.spaces.solitaire.board_files import load_board
from boardspace.spaces.solitaire.columns import shards_by_level
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.numbering import about_positions
from boardspace.spaces.solitaire.parts.game_lengths.checks import Counted, step_from
from boardspace.spaces.solitaire.parts.games.part import LEVELS
from boardspace.spaces.solitaire.rules import AT_ONCE, GameByArrays, GameByHand
from boardspace.spec.check import places_among
from boardspace.spec.equations import Given, Making, RowFaultError
from boardspace.spec.errors import NotInReleaseError
from boardspace.spec.space import Facts

SECONDS = 4e-6
"""Of making one position again."""
MOST_ROWS = 40_000_000
"""Rows between levels that are added up again, over starts that are drawn, unless all are to be."""
WHOLE, DRAWN = 1 << 16, 1 << 8
"""Positions of a level from which all of the next are made again, and as many of larger ones."""

Row = dict[str, Any]
Rows = list[Row]


class Start(GameByHand):
    """A board with one hole vacant; symmetries that keep the vacancy identify positions."""

    def __init__(self, board: str, vacancy: int, config: SolitaireConfig) -> None:
        super().__init__(load_board(board, config.boards))
        self.board, self.vacancy, self.name = board, vacancy, f"{board} from vacancy {vacancy}"
        self.arrays = GameByArrays(self, self.keeping(vacancy))
        start = np.array([self.word(self.holes - {self.cell[vacancy]})], np.uint64)
        self.level = Counted.start(int(self.arrays.canonical(start)[0]))


def starts(config: SolitaireConfig) -> list[Start]:
    """The starts that the config asks for, sorted like the rows; where it names none, one of each orbit of holes."""
    found = []
    for section in config.games:
        board = GameByHand(load_board(section.board, config.boards))
        holes = section.vacancies or board.orbits(board.keeping())
        found += [Start(section.board, vacancy, config) for vacancy in holes]
    return sorted(found, key=lambda start: (start.board, start.vacancy))


def seconds_by_board(config: SolitaireConfig) -> dict[str, float]:
    """Seconds that the games of each board take to be made again."""
    found: dict[str, float] = {}
    for start in starts(config):
        found[start.board] = found.get(start.board, 0.0) + about_positions(start.arrays) * SECONDS
    return found


def make_games(config: SolitaireConfig, board: str, at: Making) -> dict[str, Rows]:
    """All rows of a board; of one that cannot be paid those of drawn starts, from the levels that the run has."""
    rows: dict[str, Rows] = {table: [] for table in TABLES}
    chosen = [start for start in starts(config) if start.board == board]
    read = {} if at.whole else _levels_to_read(chosen, at)
    for start in chosen:
        if at.whole or start.name in read:
            levels = _made(start) if at.whole else _read(start, read[start.name], at)
            made = rows_by_levels(start, levels)
        else:
            made = _keys(start, at)
        for table, some in made.items():
            rows[table] += ({"board": board, "vacancy": start.vacancy, **row} for row in some)
    return rows


Shards = Mapping[int, Mapping[str, Facts]]
"""Finished shards of levels by pegs, and by name."""


def _levels_to_read(chosen: Sequence[Start], at: Making) -> dict[str, Shards]:
    """The shards of starts that are drawn, by the starts' names; of a release there are none."""
    try:
        done, rows, found = at.inputs.named_facts(LEVELS), 0, dict[str, Shards]()
    except NotInReleaseError:
        return {}
    for place in at.draw.generator().permutation(len(chosen)).tolist():
        start = chosen[place]
        levels = shards_by_level(f"{start.board}-{start.vacancy:02}", done)
        more = sum(facts["run"]["rows"] for shards in levels.values() for facts in shards.values())
        if rows + more <= MOST_ROWS or at.draw.everything:
            rows, found = rows + more, found | {start.name: levels}
    return found


def _keys(start: Start, at: Making) -> dict[str, Rows]:
    """The keys of the rows of a start, its first levels and the positions of all that its class has; RowFaultError
    where levels and ends do not add up to its totals, or holes that symmetries exchange end other numbers of games."""
    games, levels, ends = (at.rows(table, vacancy=start.vacancy) for table in TABLES)
    expected = _added_up(start, levels, ends)
    one_peg = str(sum(int(row["ended"]) for row in levels if row["pegs"] == 1))
    if one_peg != expected["won"] or any({name: row[name] for name in expected} != expected for row in games):
        raise RowFaultError(f"{start.name}: levels and ends make {expected}, {one_peg} of them with one peg by levels")
    own = {start.cell[row["survivor"]]: row["games"] for row in ends}
    for image in start.keeping(start.vacancy):
        if any(own.get(image[cell]) != games for cell, games in own.items()):
            raise RowFaultError(f"{start.name}: symmetries exchange survivors that end other numbers of games")
    of_class = at("class_levels", ("board", "vacancy", "pegs", "positions", "dead_ends"))
    known: dict[int, Row] = {
        pegs: {"positions": positions, "dead_ends": dead_ends}
        for board, vacancy, pegs, positions, dead_ends in zip(*(one.tolist() for one in of_class.values()), strict=True)
        if (board, vacancy) == (start.board, start.vacancy)
    }
    first = takewhile(lambda level: len(level.positions) <= WHOLE, _made(start))
    known |= {row["pegs"]: row for row in rows_by_levels(start, first)["game_levels"]}
    pegs = range(min((row["pegs"] for row in levels), default=0), len(start.cells))
    keys: dict[str, Rows] = {"games": [{}], "game_levels": [{"pegs": Given(n), **known.get(n, {})} for n in pegs]}
    return keys | {"game_ends": [{"survivor": Given(row["survivor"])} for row in ends]}


TABLES = ("games", "game_levels", "game_ends")


def _made(start: Start) -> Iterator[Counted]:
    level = start.level
    while len(level.positions):
        yield level
        level = step_from(start.arrays, level, single=True)[2]


def rows_by_levels(start: Start, levels: Iterable[Counted]) -> dict[str, Rows]:
    """The rows of a start in all tables, by its levels from the start on."""
    found: Rows = []
    for level in levels:
        ended = start.arrays.jump_counts(level.positions) == 0
        row = {
            "pegs": int(np.bitwise_count(level.positions[0])),
            "positions": len(ended),
            "dead_ends": int(ended.sum()),
            "sequences": str(level.total()),
            "ended": str(level.total(ended)),
        }
        found.insert(0, row)
    survivors, numbers = Counter[int](), sorted(start.cell)
    for image in start.arrays.images(level.positions if found[0]["pegs"] == 1 else level.positions[:0]):
        for word, games in zip(image.tolist(), level.ways.tolist(), strict=False):
            survivors[numbers[word.bit_length() - 1]] += games
    shares = len(start.arrays.permutations)  # images of a position share its games equally
    ends = [{"survivor": hole, "games": str(games // shares)} for hole, games in sorted(survivors.items())]
    return {"games": [_added_up(start, found, ends)], "game_levels": found, "game_ends": ends}


def _added_up(start: Start, levels: Rows, ends: Rows) -> Row:
    return {
        "games": str(sum(int(row["ended"]) for row in levels)),
        "won": str(sum(int(row["games"]) for row in ends)),
        "won_in_vacancy": next((row["games"] for row in ends if row["survivor"] == start.vacancy), "0"),
        "positions": sum(row["positions"] for row in levels),
    }


def _read(start: Start, levels: Shards, at: Making) -> Iterator[Counted]:
    """The levels of a start; RowFaultError where one does not follow from that above it."""
    random = at.draw.generator()
    above = start.level
    yield above
    for pegs in sorted(levels, reverse=True):
        rows = at.inputs.read(LEVELS, "next_ways", shards=list(levels[pegs]))
        positions, low, high = (rows.column(name).to_numpy() for name in ("position", "low", "high"))
        level = Counted.joined(positions, low + (high.astype(object) << 64) if high.any() else low)
        if above.total(start.arrays.jump_counts(above.positions)) != level.total():
            raise RowFaultError(f"{start.name}, {pegs} pegs: their jumps lead on in another number of sequences")
        tried = DRAWN if len(above.positions) > WHOLE else len(level.positions)
        _try_rows(start.arrays, above, level, at.draw.choose(len(level.positions), tried, random))
        if not len(level.positions):
            return
        yield level
        above = level


def _try_rows(game: GameByArrays, above: Counted, level: Counted, rows: Sequence[int]) -> None:
    """Try rows of a level by jumps taken back; all numbers times that of symmetries, so that they stay whole.

    The images of a position share its sequences equally, and there are as many to one as to all positions together from
    which a jump leads to it.
    """
    for begin in range(0, len(rows), AT_ONCE):
        some = np.array(rows[begin : begin + AT_ONCE])
        words, symmetries = level.positions[some], len(game.permutations)
        _, origin, ends = game.moved(words, back=True, single=True)
        places = places_among(ends, above.positions)
        origin, ends, places = origin[places >= 0], ends[places >= 0], places[places >= 0]
        ways = np.zeros(len(some), object)
        np.add.at(ways, origin, above.ways[places].astype(object) * (symmetries // game.orbit_sizes(ends)))
        given = level.ways[some].astype(object) * (symmetries // game.orbit_sizes(words))
        wrong = (game.canonical(words) != words) | (ways != given) | (ways == 0)
        if wrong.any():
            what = "the jumps of the level above lead here in another number of sequences, or it is no least image"
            raise RowFaultError(f"position {words[np.argmax(wrong)]}: {what}")
