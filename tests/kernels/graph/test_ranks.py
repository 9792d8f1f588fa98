"""Words, ranks of permutations and of combinations."""

from itertools import combinations, product
from math import comb, factorial

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boardspace.graphs import ranks as plain
from boardspace_kernels.graph import ranks
from tests.naive import graph as naive


def word(things: tuple[int, ...] | list[int]) -> np.uint64:
    return np.uint64(sum(thing << 4 * place for place, thing in enumerate(things)))


def things(length: int, word: np.uint64) -> list[int]:
    return [int(word) >> 4 * place & 15 for place in range(length)]


def test_ranks_are_places_among_all_permutations() -> None:
    for length in range(1, 6):
        for rank, permutation in enumerate(naive.permutations_by_rank(length)):
            assert ranks.unrank_permutation(length, np.uint64(rank)) == word(permutation)
            assert ranks.rank_permutation(length, word(permutation)) == rank
            assert ranks.is_odd(length, word(permutation)) == naive.is_odd(permutation)


def test_even_and_odd_permutations_have_half_the_ranks() -> None:
    for length in range(2, 6):
        for odd in (False, True):
            of_parity = [p for p in naive.permutations_by_rank(length) if naive.is_odd(p) is odd]
            for rank, permutation in enumerate(of_parity):
                assert ranks.unrank_of_parity(length, np.uint64(rank), odd) == word(permutation)
                assert ranks.rank_of_parity(length, word(permutation)) == rank


@given(st.integers(1, 16).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, factorial(n) - 1))))
def test_the_ranks_of_kernels_are_those_in_plain_python(case: tuple[int, int]) -> None:
    length, rank = case
    permutation = plain.permutation(length, rank)
    assert things(length, ranks.unrank_permutation(length, np.uint64(rank))) == permutation
    assert ranks.rank_permutation(length, word(permutation)) == plain.rank_of(permutation) == rank
    assert ranks.is_odd(length, word(permutation)) == plain.is_odd(permutation)
    if length > 1:
        odd = rank % 3 == 0
        half = ranks.unrank_of_parity(length, np.uint64(rank // 2), odd)
        assert things(length, half) == plain.permutation_of_parity(length, rank // 2, odd)


@given(st.lists(st.integers(0, 15), min_size=16, max_size=16), st.integers(0, 15), st.integers(0, 15))
def test_words_are_lists_of_sixteen(items: list[int], place: int, thing: int) -> None:
    whole = word(items)
    assert ranks.nibble(whole, place) == items[place]
    assert ranks.with_nibble(whole, place, thing) == word([*items[:place], thing, *items[place + 1 :]])
    assert ranks.taken_out(whole, place) == word([*items[:place], *items[place + 1 :], 0])
    assert ranks.put_in(whole, place, thing) == word([*items[:place], thing, *items[place:-1]])
    assert ranks.reversed_prefix(whole, place) == word([*items[:place][::-1], *items[place:]])


@given(st.permutations(range(9)), st.permutations(range(9)))
def test_things_are_taken_from_where_the_source_says(items: list[int], source: list[int]) -> None:
    assert ranks.permuted(9, word(items), word(source)) == word([items[place] for place in source])


def test_twists_are_numbered_by_all_but_the_last() -> None:
    for ways in (2, 3, 4):
        found = [things(4, ranks.unrank_twists(ways, 4, np.uint64(rank))) for rank in range(ways**3)]
        assert sorted(found) == sorted(list(t) for t in product(range(ways), repeat=4) if sum(t) % ways == 0)
        for rank, twists in enumerate(found):
            assert twists == plain.twists(ways, 4, rank)
            assert ranks.rank_twists(ways, 4, word(twists)) == plain.rank_of_twists(ways, twists) == rank
            both = [sum(pair) % ways for pair in zip(twists, found[-1], strict=True)]
            assert ranks.twisted(ways, 4, word(twists), word(found[-1])) == word(both)
    assert plain.word_of([3, 0, 15]) == word([3, 0, 15])


def test_combinations_are_ranked_in_the_order_of_their_masks() -> None:
    for chosen in range(5):
        masks = sorted(sum(1 << place for place in some) for some in combinations(range(9), chosen))
        for rank, mask in enumerate(masks):
            assert ranks.rank_combination(np.uint64(mask)) == rank
            assert ranks.unrank_combination(chosen, np.uint64(rank)) == mask
    for n in range(68):
        assert [int(ranks.binomial(n, k)) for k in range(n + 1)] == [comb(n, k) for k in range(n + 1)]
    half = np.uint64(0xAAAA_AAAA_AAAA_AAAA)
    assert ranks.unrank_combination(32, ranks.rank_combination(half)) == half
    last = np.uint64(comb(64, 5) - 1)
    assert ranks.rank_combination(ranks.unrank_combination(5, last)) == last
