"""Single moves and their notation; what is impossible is refused with its reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.solitaire.board import BoardError
from boardspace_kernels.solitaire.play import Move, MoveError, Play, parse_solution
from tests.kernels.solitaire.boards import CENTRAL, ENGLISH, SMALL, as_set, as_word, cells
from tests.kernels.solitaire.golden import GOLDEN
from tests.naive import solitaire as naive

PLAY = Play(ENGLISH)


@given(st.data())
def test_moves_are_those_of_the_definition(data: st.DataObject) -> None:
    board = data.draw(st.sampled_from(SMALL))
    word = data.draw(st.integers(0, board.full))
    made = {tuple(board.cells[hole] for hole in move.stops): after for move, after in Play(board).moves(word)}
    expected = dict(naive.moves(cells(board), board.grid, as_set(board, word)))
    assert made == {path: as_word(board, after) for path, after in expected.items()}


@given(st.data())
def test_making_a_listed_move_leads_where_the_list_says(data: st.DataObject) -> None:
    board = data.draw(st.sampled_from(SMALL))
    word = data.draw(st.integers(0, board.full))
    play = Play(board)
    for move, after in play.moves(word):
        assert play.make(word, move) == after
        assert play.parse(play.format(move)) == move
        sweep = play.sweep(move)
        assert after == word ^ 1 << sweep.begin ^ 1 << sweep.end ^ sum(1 << hole for hole in sweep.taken)


@pytest.mark.parametrize("text", ["9==>23==>25", "9 ==> 23 ==> 25", " 9->23->25 ", "9>23>25"])
def test_a_move_may_be_written_with_several_arrows(text: str) -> None:
    assert PLAY.format(PLAY.parse(text)) == "9==>23==>25"


@pytest.mark.parametrize("text", ["", "9", "9==>", "a==>b", "9==>23=25", "-9==>23"])
def test_what_is_not_a_move_is_refused(text: str) -> None:
    with pytest.raises(MoveError, match="is not a move; write the holes"):
        PLAY.parse(text)


@pytest.mark.parametrize(
    ("move", "fault"),
    [
        ("6==>12", "no jump leads from hole 6 to hole 12"),
        ("6==>19==>32", "hole 32 is occupied"),
        ("6==>19==>6", "there is no peg on 12 to jump over from 19 to 6"),
        ("1==>3", "hole 3 is occupied"),
        ("19==>6", "hole 19 is empty"),
    ],
)
def test_an_impossible_move_is_refused_with_its_reason(move: str, fault: str) -> None:
    with pytest.raises(MoveError, match=fault):
        PLAY.make(CENTRAL.start, PLAY.parse(move))


def test_replaying_names_the_first_impossible_move() -> None:
    moves = parse_solution(PLAY, GOLDEN["english_central"]["wan"])
    assert len(PLAY.replay(CENTRAL.start, moves)) == 19
    with pytest.raises(MoveError, match=r"move 3, 1==>11: hole 1 is empty"):
        PLAY.replay(CENTRAL.start ^ 1, moves)


def test_solutions_are_read_by_line_or_comma_with_or_without_numbers() -> None:
    expected = [Move((PLAY.board.hole(6), PLAY.board.hole(19))), Move((PLAY.board.hole(10), PLAY.board.hole(12)))]
    for text in ("(1) 6==>19\n(2) 10==>12\n", "6==>19, 10==>12", "1. 6->19; 2. 10->12"):
        assert parse_solution(PLAY, text) == expected


def test_a_fault_in_a_solution_names_the_move() -> None:
    with pytest.raises(MoveError, match="move 2: 'x' is not a move"):
        parse_solution(PLAY, "6==>19, x")
    with pytest.raises(BoardError, match=r"move 2: .*has no hole 4"):
        parse_solution(PLAY, "6==>19, 4==>6")
