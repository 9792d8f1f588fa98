"""Counts games level by level: a round of the stage makes the next level of every start.

A shard owns a range of positions of one level of one start. It adds up what the shards of the level above wrote for its
range, counts the games that end there, and writes the results of the jumps with the sequences that lead to each.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from boardspace.engine.shuffle import received, sample
from boardspace.spaces.solitaire.columns import next_shards, shards_by_level
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy, vacancies
from boardspace.spaces.solitaire.parts.games.part import GAME_ENDS, GAME_LEVELS, GAMES, LEVELS, NEXT_WAYS
from boardspace.spec.space import Facts, Inputs, Measurement, Output, Shard
from boardspace_kernels.solitaire.board import Board, board_invariants
from boardspace_kernels.solitaire.games import Ways, first_ways, jump, merge_ways
from boardspace_kernels.solitaire.tables import forward_tables

SECONDS_PER_ROW = 6e-7


def starts(config: SolitaireConfig) -> list[Vacancy]:
    """The starts of all boards whose games are counted."""
    return [vacancy for section in config.games for vacancy in vacancies(section, config.boards)]


def cut_levels(config: SolitaireConfig, inputs: Inputs) -> list[Shard]:
    """The next level of every start: ranges with about ``rows_per_shard`` rows of what the level above wrote."""
    done = inputs.named_facts(LEVELS)
    return [shard for start in starts(config) for shard in _next_level(start, done, config.rows_per_shard)]


def _next_level(start: Vacancy, done: Mapping[str, Facts], rows_per_shard: int) -> list[Shard]:
    levels = shards_by_level(start.slug, done)
    pegs = min(levels, default=start.board.holes)
    folder = f"{start.slug}/pegs={pegs - 1:02}"
    return next_shards(levels.get(pegs, {}), folder, start.params, rows_per_shard, SECONDS_PER_ROW)


def count_level(config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """One range of one level, and the results of the jumps from it."""
    start = Vacancy.of(params)
    tables = forward_tables(start.board, start.board.stabiliser(start.start))
    above = received(inputs, LEVELS, NEXT_WAYS, params, params["above"])
    here = merge_ways([Ways(*columns) for columns in above]) if params["above"] else first_ways(start.start)
    jumps = jump(tables, here)
    dead = jumps.choices == 0
    facts = {
        "positions": len(here.positions),
        "dead_ends": int(dead.sum()),
        "sequences": str(here.total()),
        "ended": str(here.total(dead)),
        "ends": [[hole, str(number)] for hole, number in orbit_ends(start.board, here)],
        "run": sample(jumps.ways.positions),
    }
    columns = dict(zip(("position", "low", "high"), jumps.ways, strict=True))
    return Output({NEXT_WAYS.name: NEXT_WAYS.from_columns(**columns)}, facts=facts)


def total(config: SolitaireConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The rows of every start, by what the shards of its levels counted."""
    done = inputs.named_facts(LEVELS)
    games: list[dict[str, Any]] = []
    levels: list[dict[str, Any]] = []
    ends: list[dict[str, Any]] = []
    for start in sorted(starts(config), key=lambda start: (start.board_name, start.hole)):
        key = {"board": start.board_name, "vacancy": start.hole}
        by_pegs = shards_by_level(start.slug, done)
        mine = [{**key, "pegs": pegs, **_sums(by_pegs[pegs].values())} for pegs in sorted(by_pegs)]
        one_peg = [(hole, int(number)) for facts in by_pegs.get(1, {}).values() for hole, number in facts["ends"]]
        won = survivors(start.board, start.start, one_peg)
        levels += [row for row in mine if row["positions"]]
        ends += [{**key, "survivor": hole, "games": str(number)} for hole, number in won.items()]
        games.append(
            {
                **key,
                "games": str(sum(int(row["ended"]) for row in mine)),
                "won": str(sum(won.values())),
                "won_in_vacancy": str(won.get(start.hole, 0)),
                "positions": sum(row["positions"] for row in mine),
            }
        )
    tables = {GAMES: games, GAME_LEVELS: levels, GAME_ENDS: ends}
    return Output({table.name: table.from_rows(rows) for table, rows in tables.items()})


def _sums(shards: Any) -> dict[str, Any]:
    """The numbers of one level, added up over its shards."""
    facts = list(shards)
    return {
        **{name: sum(one[name] for one in facts) for name in ("positions", "dead_ends")},
        **{name: str(sum(int(one[name]) for one in facts)) for name in ("sequences", "ended")},
    }


def orbit_ends(board: Board, ways: Ways) -> list[tuple[int, int]]:
    """For each position of a level the number of the hole of its peg, which stands for an orbit, and the games to all
    of these; none where positions have more pegs than one."""
    if len(ways.positions) == 0 or int(ways.positions[0]).bit_count() > 1:
        return []
    columns = (column.tolist() for column in ways)
    return [(board.pegs(position)[0], low + (high << 64)) for position, low, high in zip(*columns, strict=True)]


def survivors(board: Board, start: int, ends: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The games to each hole, by its number: those to an orbit are shared equally among its holes."""
    group, found = board.stabiliser(start), dict[int, int]()
    for hole, number in ends:
        orbit = {board.labels[image] for image in group[:, board.labels.index(hole)].tolist()}
        found |= dict.fromkeys(orbit, number // len(orbit))
    return dict(sorted(found.items()))


REACHED = {"square": 0.36, "triangular": 0.6}
"""By grid, the share of the positions with the parities of a start that it leads to."""
SECONDS_PER_WRITTEN_ROW = 3e-7
SECONDS_PER_FOUND = 3.9e-7
"""Of one core, for each row and each position; fitted to runs from all starts of 33 holes and the centre of 37, and of
triangles, and the share of rows to one start with shards of 2 million rows and of half a million."""
BYTES_PER_ROW = 6
SECONDS_PER_POSITION = 1.1e-6
ROWS_OF_A_FULL_SHARD = 2
"""Of a shard of a large level: rows that it reads for each position that it has; and what such a position takes."""
MOST_ROWS = 10
"""Rows of a position: one from each shard in which jumps lead to it, so no more than there are such jumps."""
SHARDS_FULL = {"square": 11, "triangular": 3.4}
"""Positions that have one row each, in shards; fitted, too, for six directions to a run from one start of 28 holes."""


class Cost(NamedTuple):
    """Seconds of one core, seconds of the longest shards of all levels together, and bytes written."""

    seconds: float
    longest: float
    bytes: int


def cost(config: SolitaireConfig) -> Cost:
    """About what the games of all starts of a config take.

    From a single vacancy about a third of the positions with the parities of the start can be reached: 35 and 39 of a
    hundred from the centre and a corner of 33 holes, 35 and 36 of 37 holes, rarely less. With six directions they are
    more: 57 and 62 of a hundred of the triangles of 21 and 28 holes. Up to symmetry they are fewer by the number of
    symmetries that keep the start. Rows take time and room: each shard writes a row for each position that it reaches,
    so a position that several shards of the level above reach has as many; and these are more where a level has more
    shards.
    """
    rows, positions, longest = 0.0, 0.0, 0.0
    for start in starts(config):
        board = start.board
        found = reached(board) / len(board.stabiliser(start.start))
        rows += found * rows_of_a_position(found / config.rows_per_shard, board.grid)
        positions += found
        levels = (found * math.comb(board.holes, pegs) / 2**board.holes for pegs in range(1, board.holes))
        shards = (min(level, config.rows_per_shard / ROWS_OF_A_FULL_SHARD) for level in levels)
        longest = max(longest, sum(shards) * SECONDS_PER_POSITION)
    seconds = rows * SECONDS_PER_WRITTEN_ROW + positions * SECONDS_PER_FOUND
    return Cost(seconds, longest, int(rows * BYTES_PER_ROW))


def reached(board: Board) -> float:
    """About how many positions a single vacancy of a board leads to, by the parities that no jump changes."""
    return REACHED[board.grid] * float(2 ** (board.holes - len(board_invariants(board))))


def rows_of_a_position(shards: float, grid: str) -> float:
    """Number of rows of each position, where all positions would fill so many shards: by the square root of these.

    80 million positions of 33 holes in shards of two million had 1.9 rows each, 374 million of 37 holes 4.0, and 20
    million of a triangle 1.7.
    """
    return min(MOST_ROWS, max(1.0, math.sqrt(shards / SHARDS_FULL[grid])))


CENTRE = ("english", 19)
FIFTEEN = "triangle15"
FIFTEEN_HOLES = (1, 2, 4, 5)
HEXAGON, HEXAGON_STARTS = "hexagon19", 4


def measure_claims(config: SolitaireConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Claims of the boards whose games this run counted."""
    if not config.games:
        return {}
    rows = {(row["board"], row["vacancy"]): row for row in inputs.table("games").to_pylist()}
    return dict(_central(rows)) | dict(_fifteen(rows)) | dict(_hexagon(rows))


def _central(rows: dict[tuple[str, int], dict[str, str]]) -> Iterator[tuple[str, Measurement]]:
    if CENTRE in rows:
        how = "sequences of jumps from the centre vacancy until no jump is possible, added up level by level"
        yield "games-english-central", Measurement(rows[CENTRE]["games"], how)
        yield "games-english-central-won", Measurement(rows[CENTRE]["won_in_vacancy"], how)


def _fifteen(rows: dict[tuple[str, int], dict[str, str]]) -> Iterator[tuple[str, Measurement]]:
    found = [rows[FIFTEEN, hole] for hole in FIFTEEN_HOLES if (FIFTEEN, hole) in rows]
    if len(found) == len(FIFTEEN_HOLES):
        games, won = ([int(row[name]) for row in found] for name in ("games", "won"))
        lost = [all_ - ended for all_, ended in zip(games, won, strict=True)]
        both = [all_ + ended for all_, ended in zip(games, won, strict=True)]
        yield (
            "games-fifteen",
            Measurement(
                games,
                f"of these games {won} end with one peg and {lost} do not; the stated numbers {both} count every won "
                "game twice",
                "corrected",
            ),
        )
        yield "games-fifteen-won", Measurement(won, "games that end with one peg, in any hole")


def _hexagon(rows: dict[tuple[str, int], dict[str, str]]) -> Iterator[tuple[str, Measurement]]:
    found = [row for (board, _), row in rows.items() if board == HEXAGON]
    if len(found) == HEXAGON_STARTS:
        games, won = (sum(int(row[name]) for row in found) for name in ("games", "won"))
        yield (
            "games-hexagon",
            Measurement(won, f"{games:,} games from the {len(found)} vacancies that symmetries leave"),
        )
