"""Games of problems made again, from the start down by arrays, in exact integers; no code is the kernels'.

The positions that a start leads to are made level by level, then those that lead on to the goal are kept, from below.
On these everything is added up from the start: games and paths that lead to a position, and the chance of it times the
product of one common multiple of the numbers of jumps of each level above it. All of these are Python's integers, so no
number is too large. For jump sets each jump has a random word, which the draw chooses, and each position the different
sums, modulo 2^64, of the ways to it.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

import numpy as np

from boardspace.spaces.solitaire.board_files import load_board
from boardspace.spaces.solitaire.config import CountedProblems, SolitaireConfig
from boardspace.spaces.solitaire.numbering import about_positions
from boardspace.spaces.solitaire.rules import GameByArrays, GameByHand, Words, are_in
from boardspace.spec.check import distinct, places_among
from boardspace.spec.equations import Given, Making, RowFaultError

SECONDS = 8e-6
"""Of one position that a start leads to, up to symmetry: its jumps are made twice."""
REVERSIBLE = ("positions", "orbits", "games", "paths", "jump_sets")
"""Columns that are equal of a problem taken back, with pegs and holes exchanged."""
Row = dict[str, Any]


class ProblemBoard(GameByHand):
    """The board of a section, the holes by their numbers, and its problems."""

    def __init__(self, section: CountedProblems, config: SolitaireConfig) -> None:
        super().__init__(load_board(section.board, config.boards))
        self.name, self.most_for_jump_sets = section.board, section.jump_sets
        self.vacancies = sorted(section.vacancies or self.orbits(self.keeping()))

    def game(self, *holes: int) -> GameByArrays:
        """The game in which symmetries that keep some holes identify positions."""
        return GameByArrays(self, self.keeping(*holes))

    def problems(self) -> Iterator[tuple[int, int]]:
        """Vacancy and survivor, one pair of those that symmetries exchange."""
        for vacancy in self.vacancies:
            yield from ((vacancy, survivor) for survivor in self.orbits(self.keeping(vacancy)))


def boards(config: SolitaireConfig) -> dict[str, ProblemBoard]:
    """The boards of all sections, by name."""
    return {section.board: ProblemBoard(section, config) for section in config.problem_games}


def seconds_by_board(config: SolitaireConfig) -> dict[str, float]:
    """Seconds that the problems of each board take to be made again."""
    return {
        name: SECONDS * sum(about_positions(board.game(*holes)) for holes in board.problems())
        for name, board in boards(config).items()
    }


def make_problem_games(config: SolitaireConfig, board: str, at: Making) -> dict[str, list[Row]]:
    """All rows of a board, or of one that cannot be paid their keys, once the rows agree with each other."""
    own = boards(config)[board]
    rows = list(_made(own, at)) if at.whole else _keys(own, at)
    return {"problem_games": [{"board": board, **row} for row in rows]}


def _made(board: ProblemBoard, at: Making) -> Iterator[Row]:
    random = at.draw.generator()
    for vacancy, survivor in board.problems():
        numbers = play(board, vacancy, survivor, random)
        if numbers:
            yield {"vacancy": vacancy, "survivor": survivor, **numbers}


def play(board: ProblemBoard, vacancy: int, survivor: int, random: np.random.Generator) -> Row:
    """The numbers of one problem; none where it cannot be solved."""
    game = board.game(vacancy, survivor)
    start, goal = (board.word(board.holes - {board.cell[vacancy]}), board.word(frozenset({board.cell[survivor]})))
    levels = levels_between(game, start, goal)
    if not levels:
        return {}
    games, paths, luck = _numbers(game, levels)
    positions = sum(int(game.orbit_sizes(level).sum()) for level in levels)
    few = positions <= board.most_for_jump_sets
    return {
        "positions": positions,
        "orbits": sum(map(len, levels)),
        "games": str(games),
        "paths": str(paths),
        "jump_sets": _jump_sets(game, levels, random) if few else None,
        "luck": luck.numerator / luck.denominator,
        "luck_numerator": str(luck.numerator),
        "luck_denominator": str(luck.denominator),
    }


def levels_between(game: GameByArrays, start: int, goal: int) -> list[Words]:
    """The positions that the start leads to and that lead to the goal, up to symmetry, by falling numbers of pegs."""
    *levels, last = islice(game.levels(start), start.bit_count() - goal.bit_count() + 1)
    last = last[last == goal]
    before = game.joined_to(last, levels[::-1], back=True, single=True)
    return [*before[::-1], last] if len(last) else []


def _numbers(game: GameByArrays, levels: Sequence[Words]) -> tuple[int, int, Fraction]:
    """Games, paths and luck of all games from the first level's position to the last one's."""
    games, paths, luck = (np.ones(1, object) for _ in range(3))
    denominator = 1
    for level, below in pairwise(levels):
        jumps = game.jump_counts(level)
        multiple = math.lcm(*np.unique(jumps).tolist())
        denominator *= multiple
        share = luck * np.array([multiple // number for number in jumps.tolist()], object)
        more = [np.zeros(len(below), object) for _ in range(3)]
        for made in game.moves_from(level, single=True):
            places = places_among(game.canonical(made.result), below)
            origins, places = made.origin[places >= 0], places[places >= 0]
            pairs = distinct(origins * len(below) + places)
            np.add.at(more[0], places, games[origins])
            np.add.at(more[1], pairs % len(below), paths[pairs // len(below)])
            np.add.at(more[2], places, share[origins])
        games, paths, luck = more
    return int(games[0]), int(paths[0]), Fraction(int(luck[0]), denominator)


def _jump_sets(game: GameByArrays, levels: Sequence[Words], random: np.random.Generator) -> int:
    """Number of different sums of random words of the jumps, over all games; of positions all images are taken."""
    words = random.integers(0, 1 << 64, len(game.jumps), np.uint64)
    whole = [distinct(np.concatenate(list(game.images(level)))) for level in levels]
    positions, sums = whole[0], np.zeros(1, np.uint64)
    for below in whole[1:]:
        found: list[tuple[Words, Words]] = []
        for (a, b, c), word in zip(game.jumps, words, strict=True):
            three = np.uint64(1 << a | 1 << b | 1 << c)
            able = positions & three == np.uint64(1 << a | 1 << b)
            after = positions[able] ^ three
            kept = are_in(after, below)
            found.append((after[kept], sums[able][kept] + word))
        positions, sums = (np.concatenate(column) for column in zip(*found, strict=True))
        sums, first = np.unique(sums, return_index=True)  # which jumps were made tells the position
        positions = positions[first]
    return len(sums)


def _keys(board: ProblemBoard, at: Making) -> list[Row]:
    """The keys of the rows of a board; RowFaultError where its rows do not agree with each other."""
    rows = at.rows("problem_games")
    found = {(row["vacancy"], row["survivor"]): row for row in rows}
    ends = _ends(board, at)
    for (vacancy, survivor), row in found.items():
        text = f"problem_games {board.name}-{vacancy}-{survivor}"
        back = found.get(_taken_back(board, vacancy, survivor), row)
        if any(row[column] != back[column] for column in REVERSIBLE):
            raise RowFaultError(f"{text}: a problem taken back, {back}, has other numbers than {row}")
        try:
            luck = Fraction(int(row["luck_numerator"]), int(row["luck_denominator"]))
        except (ValueError, ZeroDivisionError) as error:
            raise RowFaultError(f"{text}: luck is no fraction: {error}") from error
        given = row["luck_numerator"], row["luck_denominator"], row["luck"]
        if given != (str(luck.numerator), str(luck.denominator), luck.numerator / luck.denominator):
            raise RowFaultError(f"{text}: luck is not {luck}, in lowest terms")
        if (row["jump_sets"] is None) != (row["positions"] > board.most_for_jump_sets):
            raise RowFaultError(f"{text}: jump_sets is {row['jump_sets']} with {row['positions']} positions")
        if ends.get((vacancy, survivor), row["games"]) != row["games"]:
            raise RowFaultError(f"{text}: {row['games']} games, where game_ends has {ends[vacancy, survivor]}")
    return [{"vacancy": Given(vacancy), "survivor": Given(survivor)} for vacancy, survivor in found]


def _taken_back(board: ProblemBoard, vacancy: int, survivor: int) -> tuple[int, int]:
    """Vacancy and survivor exchanged, or what symmetries make of them, as a row has them."""
    images = (
        (board.number[image[board.cell[survivor]]], board.number[image[board.cell[vacancy]]])
        for image in board.keeping()
    )
    return min(images)


def _ends(board: ProblemBoard, at: Making) -> dict[tuple[int, int], str]:
    """Games by vacancy and survivor as `game_ends` has them, if the run counts all games of the board."""
    names, *columns = at("game_ends", ("board", "vacancy", "survivor", "games")).values()
    rows = zip(*(column[names == board.name].tolist() for column in columns), strict=True)
    return {(vacancy, survivor): games for vacancy, survivor, games in rows}
