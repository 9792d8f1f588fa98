"""Checks of numbers of games: plain sums on cells and sets, and identities that all games obey."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.solitaire.board_files import load_board
from boardspace.spaces.solitaire.boards import build_board
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.counted_layers import summed, total
from boardspace.spaces.solitaire.parts.games.all_starts import VacancyGames, games_by_vacancy
from boardspace.spaces.solitaire.parts.games.part import LEVELS
from boardspace.spaces.solitaire.rules import AT_ONCE, GameByArrays, GameByHand, Position
from boardspace.spaces.solitaire.rules import rows_of as rows_of_words
from boardspace.spec.equations import ReadColumns
from boardspace.spec.space import Draw, Inputs, Outcome, outcome
from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.classes.games_left import Means
from boardspace_kernels.solitaire.classes.position_class import ClassTooLargeError, PositionClass

SMALL = 15
"""Holes of boards that are counted again as sets of cells."""
MOST_ROWS = 30_000_000
"""Rows between levels that are added up again, over all starts, unless all is to be checked."""
MOST_BYTES = 8 << 20
"""Of a class whose games are counted again backwards: that of 28 holes; of 33 holes it would take minutes."""
MOST_BYTES_OF_ALL = 256 << 20
"""Of such a class where a draw is of everything."""
MOST_MEMORY = 10 << 30
"""That its numbers may take; of 33 holes they take 1.5 GB."""
WHOLE, DRAWN = 1 << 10, 1 << 8
"""Positions of a level of which all are made again from the level above, and as many of larger ones."""
LOW = np.uint64(0xFFFFFFFF)
COLUMNS = {
    "games": ("vacancy", "games", "won", "won_in_vacancy", "positions"),
    "game_levels": ("vacancy", "pegs", "positions", "dead_ends", "sequences", "ended"),
    "game_ends": ("vacancy", "survivor", "games"),
}
"""Columns that are made anew, of each board by itself."""

Row = dict[str, Any]
Words = NDArray[np.uint64]


class Start(GameByHand):
    """A board with one hole vacant, in plain Python."""

    def __init__(self, board: str, vacancy: int, config: SolitaireConfig) -> None:
        super().__init__(load_board(board, config.boards))
        self.board, self.vacancy = board, vacancy
        self.pegs = self.holes - {self.cell[vacancy]}
        self.number = {cell: number for number, cell in self.cell.items()}
        self.symmetries = list(self.all_symmetries())
        self.kept = [image for image in self.symmetries if image[self.cell[vacancy]] == self.cell[vacancy]]
        self.arrays = GameByArrays(self, self.kept)

    def orbit(self, position: Position) -> frozenset[Position]:
        """The images under the symmetries that keep the start."""
        return frozenset(frozenset(image[cell] for cell in position) for image in self.kept)

    def all_after(self, position: Position) -> list[Position]:
        """The position after each jump."""
        return [left for cell in position for _, left in self.jumps(position, cell)]

    def least(self, position: Position) -> int:
        """The least word of the images."""
        return min(map(self.word, self.orbit(position)))


def starts(config: SolitaireConfig) -> list[Start]:
    """The starts that the config asks for, sorted like the rows; where it names none, one of each orbit of holes."""
    found = []
    for section in config.games:
        name = section.board
        some = next(iter(GameByHand(load_board(name, config.boards)).cell))
        board = Start(name, some, config)
        orbits = {min(board.number[image[cell]] for image in board.symmetries) for cell in board.cells}
        found += [Start(name, vacancy, config) for vacancy in section.vacancies or sorted(orbits)]
    return sorted(found, key=lambda start: (start.board, start.vacancy))


def rows_of(inputs: Inputs, table: str, start: Start) -> list[Row]:
    """The rows of a start."""
    rows = inputs.table(table).to_pylist()
    return [row for row in rows if (row["board"], row["vacancy"]) == (start.board, start.vacancy)]


def seconds_by_board(config: SolitaireConfig) -> dict[str, float]:
    """A second for each board of a few holes, whose games are counted again; others cannot be paid."""
    found = {}
    for section in config.games:
        holes = len(GameByHand(load_board(section.board, config.boards)).cells)
        found[section.board] = 1.0 if holes <= SMALL else math.inf
    return found


def make_games(config: SolitaireConfig, board: str, read: ReadColumns) -> dict[str, dict[str, list[Any]]]:
    """All rows of a small board, counted again."""
    rows: dict[str, list[Row]] = {"games": [], "game_levels": [], "game_ends": []}
    for start in (start for start in starts(config) if start.board == board):
        levels, last = _by_hand(start)
        survivors = {start.number[min(p)]: str(n) for p, n in last.items()} if levels[0]["pegs"] == 1 else {}
        rows["game_levels"] += levels
        vacancy = {"vacancy": start.vacancy}
        rows["game_ends"] += [vacancy | {"survivor": hole, "games": survivors[hole]} for hole in sorted(survivors)]
        games = {
            "games": str(sum(int(level["ended"]) for level in levels)),
            "won": str(sum(map(int, survivors.values()))),
            "won_in_vacancy": survivors.get(start.vacancy, "0"),
            "positions": sum(level["positions"] for level in levels),
        }
        rows["games"].append(vacancy | games)
    return {table: {name: [row[name] for row in some] for name in COLUMNS[table]} for table, some in rows.items()}


def _by_hand(start: Start) -> tuple[list[Row], Counter[Position]]:
    """The rows of all levels of a start, by pegs, and the sequences to each position of the last one."""
    ways, levels = Counter([start.pegs]), list[Row]()
    for pegs in range(len(start.pegs), 0, -1):
        following: Counter[Position] = Counter()
        dead: Counter[Position] = Counter()
        for position, number in ways.items():
            left = start.all_after(position)
            for other in left:
                following[other] += number
            if not left:
                dead[position] = number
        levels.append(
            {
                "vacancy": start.vacancy,
                "pegs": pegs,
                "positions": len(set(map(start.orbit, ways))),
                "dead_ends": len(set(map(start.orbit, dead))),
                "sequences": str(ways.total()),
                "ended": str(dead.total()),
            }
        )
        last, ways = ways, following
        if not ways:
            break
    levels.reverse()
    return levels, last


def check_backwards(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Games from all starts of a board at once, from the dead ends upwards, over bitmaps of the classes."""
    chosen = starts(config)
    most = MOST_BYTES_OF_ALL if draw.everything else MOST_BYTES
    faults: list[str] = []
    for section in config.games:
        board = build_board(section.board, load_board(section.board, config.boards))
        mine = [start for start in chosen if start.board == section.board]
        if (board.holes > SMALL or draw.everything) and _is_held(board, most):
            counted = games_by_vacancy(board, [board.hole(start.vacancy) for start in mine], Means(MOST_MEMORY))
            faults += [_backwards_fault(start, counted[board.hole(start.vacancy)], inputs) for start in mine]
    return outcome(faults, len(chosen))


def _is_held(board: Board, most: int) -> bool:
    """Return whether the classes of a board can be held as bitmaps of at most so many bytes."""
    try:
        return PositionClass(board, board.full).bytes <= most
    except ClassTooLargeError:
        return False


def _backwards_fault(start: Start, counted: VacancyGames, inputs: Inputs) -> str:
    (row,) = rows_of(inputs, "games", start) or [{}]
    won = (counted.games, counted.won, counted.survivors.get(start.vacancy, 0))
    expected = dict(zip(("games", "won", "won_in_vacancy"), map(str, won), strict=True))
    where = f"{start.board} from vacancy {start.vacancy}"
    if {name: row.get(name) for name in expected} != expected:
        return f"{where}: backwards there are {expected}, the table says {row}"
    survivors = {hole: str(number) for hole, number in counted.survivors.items()}
    found = {row["survivor"]: row["games"] for row in rows_of(inputs, "game_ends", start)}
    return "" if found == survivors else f"{where}: backwards games end in {survivors}, the table says {found}"


def check_sums(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The tables speak of the starts of the config, and of nothing else; sums of levels and ends are the totals."""
    chosen = starts(config)
    keys = [(start.board, start.vacancy) for start in chosen]
    games = inputs.table("games").to_pylist()
    if [(row["board"], row["vacancy"]) for row in games] != keys:
        return Outcome(len(keys), len(keys), f"games are of other starts than the config's {keys}")
    for table in ("game_levels", "game_ends"):
        others = {(row["board"], row["vacancy"]) for row in inputs.table(table).to_pylist()} - set(keys)
        if others:
            return Outcome(len(keys), len(keys), f"{table}: no start of the config is {others}")
    return outcome(_sum_fault(start, row, inputs) for start, row in zip(chosen, games, strict=True))


def _sum_fault(start: Start, games: Row, inputs: Inputs) -> str:
    levels, ends = rows_of(inputs, "game_levels", start), rows_of(inputs, "game_ends", start)
    pegs = [row["pegs"] for row in levels]
    if pegs != list(range(min(pegs, default=0), len(start.cells))):
        return f"{start.board} from vacancy {start.vacancy}: its levels have {pegs} pegs"
    one_peg = sum(int(row["ended"]) for row in levels if row["pegs"] == 1)
    expected = {
        "games": str(sum(int(row["ended"]) for row in levels)),
        "won": str(sum(int(row["games"]) for row in ends)),
        "won_in_vacancy": next((row["games"] for row in ends if row["survivor"] == start.vacancy), "0"),
        "positions": sum(row["positions"] for row in levels),
    }
    if {name: games[name] for name in expected} != expected:
        return f"{start.board} from vacancy {start.vacancy}: levels and ends make {expected}"
    right = one_peg == int(expected["won"])
    return (
        "" if right else f"{start.board} from vacancy {start.vacancy}: {one_peg} games end with one peg by its levels"
    )


def check_reversed(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Taken back, with pegs for holes, a game from vacancy a to a peg in b is one from vacancy b to a peg in a."""
    chosen = {(start.board, start.vacancy): start for start in starts(config)}
    rows = inputs.table("game_ends").to_pylist()
    ends = {(row["board"], row["vacancy"], row["survivor"]): row["games"] for row in rows}
    return outcome(_reversed_fault(chosen, ends, row) for row in rows)


def _reversed_fault(chosen: dict[tuple[str, int], Start], ends: dict[tuple[str, int, int], str], row: Row) -> str:
    start = chosen.get((row["board"], row["vacancy"]))
    if start is None or row["survivor"] not in start.cell:
        return f"{row['board']}: vacancy {row['vacancy']}, survivor {row['survivor']}: no such start, or hole"
    for image in start.symmetries:
        vacancy, survivor = (start.number[image[start.cell[hole]]] for hole in (row["survivor"], row["vacancy"]))
        if (start.board, vacancy) in chosen:
            found = ends.get((start.board, vacancy, survivor))
            if found != row["games"]:
                ends_there = f"{row['games']} games from {start.vacancy} end in {row['survivor']}"
                return f"{start.board}: {ends_there}, {found} the other way"
    return ""


def check_levels(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Compare the table of levels, level by level, with the positions that are written between levels."""
    done = list(inputs.named_facts(LEVELS)) if config.games else []
    random, cases, rows_seen = draw.generator(), 0, 0
    rows_of_all = inputs.rows(LEVELS, "next_ways") if done else 0
    for start in starts(config):
        by_pegs = {int(row["pegs"]): row for row in rows_of(inputs, "game_levels", start)}
        folder = f"{start.board}-{start.vacancy:02}/pegs="
        before = _Level.of_start(start)
        for above, here in pairwise(sorted(by_pegs, reverse=True)):
            shards = [name for name in done if name.startswith(f"{folder}{above:02}/")]
            rows = inputs.read(LEVELS, "next_ways", shards=shards)
            rows_seen += rows.num_rows
            if rows_seen > MOST_ROWS and not draw.everything:
                return Outcome(cases, rows_of_all)
            cases += rows.num_rows
            level = _Level.of_rows(rows)
            fault = _level_fault(start, by_pegs.get(here - 1), by_pegs[here], level)
            fault = fault or _made_fault(start, before, level, draw, random)
            before = level
            if fault:
                return Outcome(cases, rows_of_all, f"{start.board} from vacancy {start.vacancy}, {here} pegs: {fault}")
    return Outcome(cases, rows_of_all)


class _Level(NamedTuple):
    """The positions of a level, ascending, and the sequences to each, to all of its images together.

    parts: bits 0 to 31 of the numbers of sequences, bits 32 to 63, and the others; sums of such, so that they may be
        larger.
    """

    positions: Words
    parts: Sequence[Words]

    @classmethod
    def of_rows(cls, rows: pa.Table) -> "_Level":
        """The level that these rows of all shards make."""
        positions, low, high = (rows.column(name).to_numpy() for name in ("position", "low", "high"))
        # Halves of words, so that a sum over the shards of a level stays below 2^64.
        return cls(*summed(positions, (low & LOW, low >> np.uint64(32), high)))

    @classmethod
    def of_start(cls, start: Start) -> "_Level":
        """The level of the start alone."""
        one, none = np.ones(1, np.uint64), np.zeros(1, np.uint64)
        return cls(np.array([start.least(start.pegs)], np.uint64), (one, none, none))

    def total(self, times: NDArray[np.int64]) -> int:
        """The sequences to all positions, those to each so many times."""
        low, middle, high = (total(part, times) for part in self.parts)
        return low + (middle << 32) + (high << 64)


def _level_fault(start: Start, below: Row | None, row: Row, level: _Level) -> str:
    """Fault of the row of a level, by the positions that the level above led to, or ''."""
    choices = start.arrays.jump_counts(level.positions)
    ended = choices == 0
    expected = {
        "positions": len(choices),
        "dead_ends": int(ended.sum()),
        "sequences": str(level.total(np.ones_like(choices))),
        "ended": str(level.total(ended.astype(np.int64))),
    }
    if {name: row[name] for name in expected} != expected:
        return f"its positions make {expected}"
    following = level.total(choices)
    if (int(below["sequences"]) if below else 0) != following:
        return f"its jumps lead on in {following} sequences, the next level has {below and below['sequences']}"
    return ""


def _made_fault(start: Start, above: _Level, level: _Level, draw: Draw, random: np.random.Generator) -> str:
    """Fault of positions of a level, all or drawn ones, by the jumps that lead to them from the level above, or ''.

    The images of a position share its sequences equally, and there are as many to one as to all positions together from
    which a jump leads to it.
    """
    rows = np.arange(len(level.positions))
    chosen = rows if len(rows) <= WHOLE else rows[draw.choose(len(rows), DRAWN, random)]
    for begin in range(0, len(chosen), AT_ONCE):
        fault = _rows_fault(start.arrays, above, level, chosen[begin : begin + AT_ONCE])
        if fault:
            return fault
    return ""


def _rows_fault(game: GameByArrays, above: _Level, level: _Level, rows: NDArray[np.int64]) -> str:
    """Fault of these rows of a level, or ''; all numbers times that of symmetries, so that they stay whole."""
    words = level.positions[rows]
    least, images = game.canonical_with_sizes(words)
    if (least != words).any():
        return f"position {words[least != words][0]} is not the least of its images"
    made = game.jumps_from(words, back=True)
    origins, sizes = game.canonical_with_sizes(made.result)
    places = rows_of_words(origins, above.positions)
    known = np.flatnonzero(places >= 0)
    found, expected = [], []
    for own, others in zip(level.parts, above.parts, strict=True):
        sums = np.zeros(len(rows), np.uint64)
        np.add.at(sums, made.origin[known], others[places[known]] * _share(game, sizes[known]))
        expected.append(sums)
        found.append(own[rows] * _share(game, images))
    wrong = np.flatnonzero((_carried(found) != _carried(expected)).any(axis=0))
    if len(wrong):
        return f"position {words[wrong[0]]}: the jumps of the level above lead here in another number of sequences"
    return ""


def _share(game: GameByArrays, images: NDArray[np.int64]) -> Words:
    """The number of symmetries by that of images."""
    return (len(game.permutations) // images).astype(np.uint64)


def _carried(parts: Sequence[Words]) -> Words:
    """uint64 (3, p): parts of numbers with no more than 32 bits in the first two."""
    low, middle, high = parts
    middle = middle + (low >> np.uint64(32))
    return np.array([low & LOW, middle & LOW, high + (middle >> np.uint64(32))])
