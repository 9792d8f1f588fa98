"""The referee plays by the rules and names the first jump against them."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardspace_kernels.board_division.jumps import LETTERS, JumpError, Jumps, RectangleError, replay
from tests.naive import board_division as naive


def as_jumps(sequence: list[tuple[int, int, int]]) -> Jumps:
    rows, columns, directions = zip(*sequence, strict=True) if sequence else ((), (), ())
    return Jumps(np.array(rows, np.int16), np.array(columns, np.int16), np.array(directions, np.uint8))


@settings(deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_any_game_ends_where_the_naive_rules_say(m: int, n: int, data: st.DataObject) -> None:
    pegs, sequence = naive.rectangle(m, n), []
    while choices := list(naive.jumps(pegs)):
        (row, column), letter, pegs = data.draw(st.sampled_from(choices))
        sequence.append((row, column, LETTERS.index(letter)))
    assert [tuple(cell) for cell in replay(m, n, as_jumps(sequence)).tolist()] == sorted(pegs)


def test_a_jump_is_refused_exactly_where_the_naive_rules_refuse_it() -> None:
    for m, n in ((1, 2), (3, 1), (2, 3), (4, 3), (4, 4)):
        legal = {(r, c, LETTERS.index(letter)) for (r, c), letter, _ in naive.jumps(naive.rectangle(m, n))}
        for jump in product(range(-3, m + 3), range(-3, n + 3), range(5)):
            try:
                replay(m, n, as_jumps([jump]))
                accepted = True
            except JumpError:
                accepted = False
            assert accepted == (jump in legal), (m, n, jump)


@pytest.mark.parametrize(
    ("sequence", "said"),
    [
        ([(0, 1, 3), (0, 1, 3)], r"jump 2, from \(1, 2\) L, starts from a cell without a peg"),
        ([(0, 0, 3)], r"jump 1, from \(1, 1\) L, has no peg to jump over"),
        ([(0, 0, 1)], r"jump 1, from \(1, 1\) R, does not land on an empty cell"),
        ([(0, 0, 4)], r"jump 1, from \(1, 1\) 4, has no direction U, R, D or L"),
        ([(30000, -30000, 0)], r"jump 1, from \(30001, -29999\) U, starts from a cell without a peg"),
    ],
)
def test_a_jump_against_the_rules_is_named(sequence: list[tuple[int, int, int]], said: str) -> None:
    with pytest.raises(JumpError, match=said):
        replay(1, 3, as_jumps(sequence))


def test_no_jumps_leave_all_pegs() -> None:
    assert len(replay(2, 3, as_jumps([]))) == 6


def test_a_rectangle_that_does_not_exist_is_refused() -> None:
    with pytest.raises(RectangleError, match="m = 0"):
        replay(0, 3, as_jumps([]))
