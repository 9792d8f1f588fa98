"""Arrays of positions agree with the same rules by hand, cell by cell; words are found wherever they stand."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace.spaces.solitaire.counted_layers import Counted
from boardspace.spaces.solitaire.numbering import AT_ONCE, Numbering, Positions, complements, numbers_of
from boardspace.spaces.solitaire.rules import GameByArrays, ProblemByHand, are_in, rows_of
from boardspace.spec.check import MANY, by_folders, distinct, exact
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
    counts, longest = game.move_counts(words, back)
    assert counts.tolist() == [sum(n for (_, o, _), n in expected.items() if o == i) for i in range(len(words))]
    assert longest == max(jumps for jumps, _, _ in expected)
    if not back:
        single = Counter(origin for jumps, origin, _ in expected.elements() if jumps == 1)
        assert game.jump_counts(words).tolist() == [single[i] for i in range(len(words))]


@pytest.mark.parametrize("name", ["triangle15/corner", "square4/edge"])
@pytest.mark.parametrize("back", [False, True])
def test_least_values_of_whole_moves_and_moves_of_numbers_are_those_by_hand(name: str, back: bool) -> None:
    """Over least moves from the start, or to one peg: pegs go on only where that can make a difference."""
    problem = ProblemByHand(name)
    positions = Positions(problem)
    game = GameByArrays(problem, problem.symmetries)
    levels = [np.array([positions.start], np.uint64)]
    while len(level := distinct(game.jumps_from(levels[-1]).result)):
        levels.append(level)
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
    assert rows_of(words, ascending).tolist() == [place.get(word, -1) for word in words.tolist()]
    assert are_in(words, ascending[:0]).tolist() == [False] * count


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, (1 << 64) - 1)), max_size=20))
def test_equal_positions_add_their_ways_and_totals_are_exact(rows: list[tuple[int, int]]) -> None:
    positions, ways = (np.array([row[i] for row in rows], np.uint64) for i in range(2))
    times = np.arange(len(rows)) % 7
    counted = Counted.of(positions, ways)
    assert counted.total() == sum(way for _, way in rows)
    assert counted.total(times) == sum(way * (n % 7) for n, (_, way) in enumerate(rows))
    joined = Counted.joined(*counted)
    sums = {one: sum(way for other, way in rows if other == one) for one in sorted({one for one, _ in rows})}
    assert joined.positions.tolist() == [*sums]
    assert [exact(*pair) for pair in zip(joined.ways.tolist(), joined.sizes.tolist(), strict=True)] == [*sums.values()]


@given(st.integers(0, 10**30), st.floats(-1e-13, 1e-13))
def test_a_number_is_told_by_its_residue_and_its_size(number: int, error: float) -> None:
    assert exact(number % 2**64, float(number) * (1 + error)) == number


def test_a_size_that_does_not_fit_a_residue_is_refused() -> None:
    with pytest.raises(ArithmeticError, match="no number of about"):
        exact(0, 2.0**63)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 1)), max_size=12), st.integers(1, 5))
def test_rows_of_folders_stand_together_however_they_lie_in_chunks(rows: list[tuple[str, int]], size: int) -> None:
    whole = pa.table({"name": [row[0] for row in rows], "moves": [row[1] for row in rows]})
    chunks = [whole.slice(begin, size) for begin in range(0, len(rows), size)]
    table = pa.concat_tables(chunks) if chunks else whole
    changes = [row for n, row in enumerate(rows) if not n or rows[n - 1] != row]
    if len(set(changes)) < len(changes):
        with pytest.raises(ValueError, match="do not stand together"):
            by_folders(table, ("name", "moves"))
    else:
        found = by_folders(table, ("name", "moves"))
        assert {key: part.num_rows for key, part in found.items()} == Counter(rows)


@pytest.mark.parametrize("following", [[], [(0b1011, 1)], [(0b1000101, 0), (0xF0F0F, 1)]])
def test_positions_of_a_bitmap_are_counted_by_pegs_as_one_by_one(following: list[tuple[int, int]]) -> None:
    numbering = Numbering.__new__(Numbering)
    numbering.holes, numbering._following = 40, following
    bitmap = np.random.default_rng(3).integers(0, 1 << 63, 300, dtype=np.uint64)
    for begin in (0, 77, 4096):
        expected = np.bincount(numbering.pegs(numbers_of(bitmap, begin)), minlength=41)
        assert numbering.pegs_of_bitmap(bitmap, numbering.ordered(begin, len(bitmap))).tolist() == expected.tolist()
    numbering.holes = 8
    with pytest.raises(ValueError, match="more pegs than there are holes"):
        numbering.pegs_of_bitmap(bitmap, numbering.ordered(4096, len(bitmap)))


@pytest.mark.parametrize("strays", [0, 0b100, 0b110])
def test_complements_have_all_bits_of_their_numbers_exchanged_that_are_holes(strays: int) -> None:
    words = 2 * AT_ONCE
    mask = 64 * words - 1 & ~strays
    random = np.random.default_rng(5)
    numbers = np.unique(random.integers(0, 64 * words, 999).astype(np.uint64) & np.uint64(mask))
    bitmap = np.zeros(words, np.uint64)
    np.bitwise_or.at(bitmap, (numbers >> np.uint64(6)).astype(np.int64), np.uint64(1) << (numbers & np.uint64(63)))
    found = [numbers_of(complements(bitmap, begin, mask), begin) for begin in range(0, words, AT_ONCE)]
    assert np.array_equal(np.concatenate(found), np.sort(numbers ^ np.uint64(mask)))
