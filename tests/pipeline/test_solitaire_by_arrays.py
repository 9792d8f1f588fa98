"""Arrays of positions agree with the same rules by hand, cell by cell; words are found wherever they stand."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace.spaces.solitaire.numbering import Numbering, Positions, parities_kept
from boardspace.spaces.solitaire.parts.game_lengths.checks import Counted
from boardspace.spaces.solitaire.rules import GameByArrays, ProblemByHand, are_in
from boardspace.spec.check import MANY, by_folders, distinct, exact, places_among
from tests.naive import solitaire as naive

NAMES = ("triangle15/corner", "english/central", "french/last_supper")
PROBLEMS = {name: ProblemByHand(name) for name in NAMES}
GAMES = {name: GameByArrays(problem, problem.symmetries) for name, problem in PROBLEMS.items()}
Words = np.ndarray


def drawn(name: str, count: int) -> Words:
    """Positions, few pegs and many."""
    random, holes = np.random.default_rng(7), len(PROBLEMS[name].cells)
    sparse, dense = (random.integers(0, 1 << holes, count, dtype=np.uint64) for _ in range(2))
    return np.concatenate([sparse & dense, dense, sparse | dense])


@pytest.mark.parametrize("name", NAMES)
def test_least_images_and_numbers_of_images_are_those_by_hand(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardspace.spaces.solitaire.rules.IMAGES_AT_ONCE", 16)
    problem, words = PROBLEMS[name], drawn(name, 40)
    orbits = [naive.orbit(problem.symmetries, problem.position(word)) for word in words.tolist()]
    images = [set(map(problem.word, orbit)) for orbit in orbits]
    assert GAMES[name].canonical(words).tolist() == [min(some) for some in images]
    assert GAMES[name].orbit_sizes(words).tolist() == [len(some) for some in images]
    least = [(word, len(some)) for word, some in zip(words.tolist(), images, strict=True) if word == min(some)]
    assert list(zip(*(column.tolist() for column in GAMES[name].orbits(words)), strict=True)) == least != []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("back", [False, True])
def test_moves_and_jumps_are_those_by_hand(name: str, back: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardspace.spaces.solitaire.rules.AT_ONCE", 16)
    problem, game, words = PROBLEMS[name], GAMES[name], drawn(name, 12)
    found = Counter[tuple[int, int, int]]()
    for made in game.moves_from(words, back):
        found.update((made.jumps, *pair) for pair in zip(made.origin.tolist(), made.result.tolist(), strict=True))
    expected = Counter(
        (len(path) - 1, origin, problem.word(after))
        for origin, word in enumerate(words.tolist())
        for path, after in problem.paths(problem.position(word), back)
    )
    assert found == expected
    together = game.moved(words, back)
    assert together.jumps == max(jumps for jumps, _, _ in expected)
    assert Counter(together.origin.tolist()) == Counter(origin for _, origin, _ in expected.elements())
    assert set(together.result.tolist()) == set(
        game.canonical(np.array([w for _, _, w in expected], np.uint64)).tolist()
    )
    single = Counter(origin for jumps, origin, _ in expected.elements() if jumps == 1)
    assert Counter(game.moved(words, back, single=True).origin.tolist()) == single
    if not back:
        assert game.jump_counts(words).tolist() == [single[i] for i in range(len(words))]


@pytest.mark.parametrize("name", ["triangle15/corner", "square4/edge"])
@pytest.mark.parametrize("back", [False, True])
def test_least_values_of_whole_moves_and_moves_of_numbers_are_those_by_hand(name: str, back: bool) -> None:
    """Over least moves from the start, or to one peg: pegs go on only where that can make a difference."""
    problem = ProblemByHand(name)
    positions = Positions(problem)
    levels = [*GameByArrays(problem, problem.keeping(*problem.cell)).levels(positions.start)]
    random = np.random.default_rng(4)
    words = np.concatenate([random.choice(level, min(len(level), 6), replace=False) for level in levels])
    values, expected = np.full(positions.numbers_below, 255, np.uint8), {}
    for level in levels if back else levels[::-1]:
        for word, number in zip(level.tolist(), positions.numbers(level).tolist(), strict=True):
            ends = [problem.word(after) for _, after in problem.paths(problem.position(word), back)]
            expected[word] = min(values[positions.numbers(np.array(ends, np.uint64))].tolist(), default=255)
            is_base = word == positions.start if back else word.bit_count() == 1
            values[number] = 0 if is_base else min(expected[word] + 1, 255)
    assert positions.least(words, back, values).tolist() == [expected[word] for word in words.tolist()]
    assert 1 < max(values[values < 255]) < 20
    for word in words.tolist():
        number = int(positions.numbers(np.array([word], np.uint64))[0])
        able = (f for f in positions.flips(back) if all((number & m).bit_count() & 1 == odd for m, odd in f.where))
        position = problem.position(word)
        single = {problem.word(after) for cell in position for _, after in problem.jumps(position, cell, back)}
        numbers = positions.numbers(np.array(sorted(single), np.uint64)).tolist()
        assert sorted(number ^ flip.flips for flip in able) == sorted(numbers)


@pytest.mark.parametrize("count", [0, 5, MANY + 3])
def test_words_are_found_in_any_order(count: int) -> None:
    random = np.random.default_rng(1)
    ascending = distinct(random.integers(0, 5_000, 2_000, dtype=np.uint64))
    words = random.integers(0, 5_000, count, dtype=np.uint64)
    place = {word: row for row, word in enumerate(ascending.tolist())}
    assert places_among(words, ascending).tolist() == [place.get(word, -1) for word in words.tolist()]
    assert are_in(words, ascending[:0]).tolist() == [False] * count


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, (1 << 64) - 1)), max_size=20))
def test_equal_positions_add_their_ways_and_totals_are_exact(rows: list[tuple[int, int]]) -> None:
    positions, ways = (np.array([row[i] for row in rows], np.uint64) for i in range(2))
    times = np.arange(len(rows)) % 7
    for kind in (np.uint64, object):
        counted = Counted(positions, ways.astype(kind))
        assert counted.total() == sum(way for _, way in rows)
        assert counted.total(times) == sum(way * (n % 7) for n, (_, way) in enumerate(rows))
        joined = Counted.joined(positions, counted.times())
        sums = {one: sum(way for other, way in rows if other == one) for one in sorted({one for one, _ in rows})}
        assert dict(zip(joined.positions.tolist(), joined.ways.tolist(), strict=True)) == sums
        assert joined.positions.tolist() == [*sums]


@given(st.integers(0, 10**30), st.floats(-1e-13, 1e-13))
def test_a_number_is_told_by_its_residue_and_its_size(number: int, error: float) -> None:
    assert exact(number % 2**64, float(number) * (1 + error)) == number


def test_a_size_that_does_not_fit_a_residue_is_refused() -> None:
    with pytest.raises(ArithmeticError, match="no number of about"):
        exact(0, 2.0**63)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 1)), max_size=12), st.integers(1, 5))
def test_rows_of_folders_stand_together_however_they_lie_in_chunks(rows: list[tuple[str, int]], size: int) -> None:
    schema = pa.schema({"name": pa.string(), "moves": pa.int64()})
    whole = pa.table({"name": [row[0] for row in rows], "moves": [row[1] for row in rows]}, schema)
    chunks = [whole.slice(begin, size) for begin in range(0, len(rows), size)]
    table = pa.concat_tables(chunks) if chunks else whole
    changes = [row for n, row in enumerate(rows) if not n or rows[n - 1] != row]
    if len(set(changes)) < len(changes):
        with pytest.raises(ValueError, match="do not stand together"):
            by_folders(table, ("name", "moves"))
    else:
        found = by_folders(table, ("name", "moves"))
        assert {key: part.num_rows for key, part in found.items()} == Counter(rows)


@pytest.mark.parametrize("name", NAMES)
def test_numbers_and_positions_of_a_class_are_those_of_each_other(name: str) -> None:
    """Holes by the first bits, bits that are no holes left out; other holes follow by the parities that jumps keep."""
    problem, game = PROBLEMS[name], GAMES[name]
    kept, start = parities_kept(game), problem.word(problem.start)
    free, left = [], kept
    for hole in reversed(range(len(problem.cells))):
        row = next((row for row in left if row >> hole & 1), None)
        free += [hole] if row is None else []
        left = [other ^ row if row and other >> hole & 1 else other for other in left if other != row]
    numbering = Numbering(game, {hole: bit + (bit > 1) for bit, hole in enumerate(free)}, start)
    numbers = np.random.default_rng(5).integers(0, 1 << len(free) + 1, 99, dtype=np.uint64) & np.uint64(numbering.mask)
    words = numbering.words(numbers)
    for word, number in zip(words.tolist(), numbers.tolist(), strict=True):
        assert sum(1 << numbering.bits[hole] for hole in free if word >> hole & 1) == number
        assert all((row & (word ^ start)).bit_count() % 2 == 0 for row in kept)
    assert numbering.numbers(words).tolist() == numbers.tolist()
    assert numbering.contains(words).all()
    assert not numbering.contains(words ^ np.uint64(1 << min(set(range(len(problem.cells))) - set(free)))).any()
