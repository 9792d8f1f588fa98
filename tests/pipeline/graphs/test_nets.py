"""Squares at numbered places: drawings, pieces and cycles of second rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace.graphs import Net, Pieces, cycled

WALLED = Net("#{2}#\n {0}{1}", {"x": "red"})
PAIRS = Pieces([(0, 1), (2, 3), (4, 5)], "ABCDEF")


def test_a_drawing_is_read_however_it_is_spaced() -> None:
    assert WALLED.text("abx") == "#x#\n ab"
    for text in ("#x#\n ab", "#x#ab", "# x #\n\na b"):
        assert WALLED.signs(text) == ["a", "b", "x"]


@pytest.mark.parametrize("text", ["", "#x#", "#x#abc", "xx#ab", "#xxab", "#x#\n a "])
def test_what_is_no_such_drawing_is_refused_with_one(text: str) -> None:
    with pytest.raises(ValueError, match=r"^3 signs are wanted, as in\n#\?#\n \?\?$"):
        WALLED.signs(text)


def test_a_picture_has_a_square_for_each_place_in_its_sign_s_colour() -> None:
    svg = WALLED.svg("abx")
    assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg" width="78" height="52">')
    assert [svg.count(f'fill="{colour}"') for colour in ("red", "white")] == [1, 2]
    [red] = [line for line in svg.splitlines() if "red" in line]
    assert red.startswith('<rect x="27" y="1" ')  # place 2, in the first line's second column


@given(st.permutations(range(3)), st.lists(st.integers(0, 1), min_size=3, max_size=3))
def test_pieces_are_read_where_they_were_put(order: list[int], turns: list[int]) -> None:
    assert PAIRS.read(PAIRS.signs(order, turns)) == (order, turns)


@pytest.mark.parametrize(("signs", "text"), [("ABCDEX", "no piece EX"), ("ABBAEF", "not each there once")])
def test_squares_that_are_no_pieces_are_refused(signs: str, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        PAIRS.read(list(signs))


@given(st.lists(st.integers(-5, 5), max_size=4))
def test_things_go_round_their_cycles_as_often_as_is_said(times: list[int]) -> None:
    cycles, things = [(0, 3, 1), (2, 4)], list("abcde")
    for number in times:
        things = cycled(things, cycles, number)
    assert things == cycled("abcde", cycles, sum(times))
    assert cycled("abcde", cycles) == list("bdeac")
