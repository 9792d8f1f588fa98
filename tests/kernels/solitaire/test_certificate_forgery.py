"""No certificate of a false claim passes, however it is forged.

The false claim is that triangle 15, corner to corner, needs 11 moves, or 12 (10 suffice), with a game of so many moves
that can be played. Whatever layers, symmetries, cells and words a forger then brings, the checker has to refuse.
"""

from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardspace_kernels.solitaire.certificate import (
    CertificateError,
    Claim,
    check_apart,
    check_certificate,
    check_claim,
    check_root,
    check_step,
)
from boardspace_kernels.solitaire.play import Problem
from boardspace_kernels.solitaire.search import Meeting, first_game, frontiers, meet
from tests.kernels.solitaire.boards import triangle

BOARD = triangle(5)
CORNER = Problem(BOARD, BOARD.full ^ 1, 1)
HOLES = BOARD.holes
Layers = list[np.ndarray]


@cache
def shortest() -> tuple[tuple[int, ...], ...]:
    found = meet(CORNER, 10**6)
    assert isinstance(found, Meeting)
    return tuple(move.stops for move in first_game(found))


@cache
def layers() -> tuple[Layers, Layers]:
    sides = ((CORNER.forward, CORNER.start), (CORNER.backward, CORNER.goal))
    forward, backward = ([layer.run.positions for layer in frontiers(t, CORNER.root(p))] for t, p in sides)
    return forward, backward


def claim(moves: int) -> Claim:
    """A claim that the problem needs so many moves: true for 10, false for more; chains of its game are cut."""
    game = [list(stops) for stops in shortest()]
    while len(game) < moves:
        place = max(range(len(game)), key=lambda k: len(game[k]))
        game[place : place + 1] = [game[place][:2], game[place][1:]]
    return Claim(BOARD.grid, BOARD.cells, CORNER.start, CORNER.goal, CORNER.group.tolist(), game)


def certificate(moves: int, forward: int) -> tuple[Claim, Layers, Layers]:
    """The true layers, as many as such a claim needs; they meet where it is false."""
    return (
        claim(moves),
        [*islice(layers()[0], forward + 1)],
        [*islice(layers()[1], moves - forward)],
    )


def outside(layer: np.ndarray, bit: int) -> np.ndarray:
    """The layer with a bit set that stands for no hole."""
    return layer | np.uint64(1 << bit)


def test_the_honest_certificate_passes_and_the_honest_layers_of_a_false_claim_meet() -> None:
    assert check_certificate(*certificate(10, 5)).moves == 10
    for forward in range(11):
        with pytest.raises(CertificateError, match="must not meet"):
            check_certificate(*certificate(11, forward))


@pytest.mark.parametrize("bit", [15, 16, 40, 63])
@pytest.mark.parametrize("side", [0, 1])
def test_words_with_bits_outside_the_board_do_not_stand_for_positions(bit: int, side: int) -> None:
    """The forgery that an earlier checker accepted: 11 moves, because the last forward layer met nothing."""
    of, *stacks = certificate(11, 5)
    stacks[side][-1] = outside(stacks[side][-1], bit)
    with pytest.raises(CertificateError, match="with pegs outside the board's 15 holes"):
        check_certificate(of, *stacks)


@pytest.mark.parametrize("bit", [15, 63])
def test_every_step_refuses_such_words_by_itself(bit: int) -> None:
    of, forward, backward = certificate(10, 5)
    bad, good, none = outside(forward[2], bit), forward[2], np.empty(0, np.uint64)
    steps: list[Any] = [
        lambda: check_root(of, True, np.append(forward[0], bad)),
        lambda: check_root(of, False, np.append(backward[0], bad)),
        lambda: check_step(of, True, bad, forward[3]),
        lambda: check_step(of, True, none, bad),
        lambda: check_step(of, False, none, bad),
        lambda: check_apart(of, bad, none),
        lambda: check_apart(of, none, bad),
        lambda: check_claim(of._replace(start=of.start | 1 << bit)),
        lambda: check_claim(of._replace(goal=of.goal | 1 << bit)),
    ]
    assert len(good)
    for step in steps:
        with pytest.raises(CertificateError, match="outside the board's 15 holes"):
            step()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"start": -2}, "outside the board"),
        ({"start": True}, "holds True where an integer"),
        ({"goal": 1.0}, r"holds 1\.0 where an integer"),
        ({"cells": [[float(r), c] for r, c in BOARD.cells]}, "where an integer"),
        ({"cells": [[r, c, 0] for r, c in BOARD.cells]}, "not a set of 1 to 64 cells"),
        ({"cells": []}, "not a set of 1 to 64 cells"),
        ({"grid": "round"}, "not a set of 1 to 64 cells"),
        ({"game": [["0", 5]]}, "where an integer"),
        ({"game": [[0, -15]]}, "no jump from hole 0 to hole -15"),
        ({"symmetries": []}, "lack the identity"),
        ({"symmetries": [[*range(HOLES)], [*range(HOLES - 1)]]}, "is not a permutation"),
    ],
)
def test_claims_that_are_not_of_integers_about_a_board_are_refused(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(CertificateError, match=fault):
        check_certificate(claim(10)._replace(**change), *certificate(10, 5)[1:])


@pytest.mark.parametrize("side", [0, 1])
def test_sides_without_layers_and_layers_that_are_no_words_are_refused(side: int) -> None:
    of, *stacks = certificate(10, 5)
    with pytest.raises(CertificateError, match="has no layers"):
        check_certificate(of, *(stacks[i] if i != side else [] for i in range(2)))
    for bad in (stacks[side][1].astype(np.int64), stacks[side][1].astype(np.float64), stacks[side][1][None]):
        forged = [[*stack] for stack in stacks]
        forged[side][1] = bad
        with pytest.raises(CertificateError, match="has to be one of uint64"):
            check_certificate(of, *forged)


@st.composite
def forgeries(draw: st.DrawFn) -> tuple[Claim, Layers, Layers]:
    """A false claim with layers that a forger has worked on, a whole layer at a time; the last ones above all."""
    moves = draw(st.sampled_from([11, 12]))
    of, *stacks = certificate(moves, draw(st.integers(0, moves - 1)))
    for _ in range(draw(st.integers(1, 3))):
        stack = draw(st.sampled_from(stacks))
        place = draw(st.just(len(stack) - 1) | st.integers(0, len(stack) - 1))
        stack[place] = draw(st.sampled_from(TRICKS))(draw, stack[place])
    lie = draw(st.none() | st.sampled_from(LIES))
    return of if lie is None else lie(draw, of), stacks[0], stacks[1]


def _hide(draw: st.DrawFn, layer: np.ndarray) -> np.ndarray:
    return outside(layer, draw(st.integers(HOLES, 63)))


def _drop_what_meets(draw: st.DrawFn, layer: np.ndarray) -> np.ndarray:
    others = np.concatenate(layers()[draw(st.integers(0, 1))])
    return layer[~np.isin(layer, others)]


def _drop_some(draw: st.DrawFn, layer: np.ndarray) -> np.ndarray:
    return layer[np.random.default_rng(draw(st.integers(0, 99))).random(len(layer)) < draw(st.floats(0, 1))]


def _mirror(draw: st.DrawFn, layer: np.ndarray) -> np.ndarray:
    row = draw(st.sampled_from(BOARD.symmetries.tolist()))
    words = [sum(1 << row[h] for h in range(HOLES) if word >> h & 1) for word in layer.tolist()]
    return np.array(words, np.uint64)


def _add(draw: st.DrawFn, layer: np.ndarray) -> np.ndarray:
    words = draw(st.lists(st.integers(0, (1 << 64) - 1) | st.integers(0, BOARD.full), max_size=5))
    return np.append(layer, np.array(words, np.uint64))


def _everything(draw: st.DrawFn, layer: np.ndarray) -> np.ndarray:
    return np.arange(BOARD.full + 1, dtype=np.uint64)


def _nothing(draw: st.DrawFn, layer: np.ndarray) -> np.ndarray:
    return layer[:0]


def _shuffle(draw: st.DrawFn, layer: np.ndarray) -> np.ndarray:
    return np.random.default_rng(draw(st.integers(0, 99))).permutation(layer)


TRICKS = [_hide, _drop_what_meets, _drop_some, _mirror, _add, _everything, _nothing, _shuffle]


def _all_symmetries(draw: st.DrawFn, of: Claim) -> Claim:
    return of._replace(symmetries=BOARD.symmetries.tolist())


def _a_permutation(draw: st.DrawFn, of: Claim) -> Claim:
    return of._replace(symmetries=[*of.symmetries, draw(st.permutations(range(HOLES)))])


def _one_place_twice(draw: st.DrawFn, of: Claim) -> Claim:
    row = list(range(HOLES))
    row[draw(st.integers(1, HOLES - 1))] = 0
    return of._replace(symmetries=[*of.symmetries, row])


def _more_holes(draw: st.DrawFn, of: Claim) -> Claim:
    cells = [*of.cells, (draw(st.integers(-3, 9)), draw(st.integers(-3, 9)))]
    return of._replace(cells=cells, symmetries=[[*row, HOLES] for row in of.symmetries])


def _another_start(draw: st.DrawFn, of: Claim) -> Claim:
    return of._replace(start=of.start | 1 << draw(st.integers(HOLES, 70)))


def _another_goal(draw: st.DrawFn, of: Claim) -> Claim:
    return of._replace(goal=of.goal | 1 << draw(st.integers(HOLES, 70)))


LIES = [_all_symmetries, _a_permutation, _one_place_twice, _more_holes, _another_start, _another_goal]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(forgeries())
def test_no_forgery_of_a_false_claim_passes(forged: tuple[Claim, Layers, Layers]) -> None:
    with pytest.raises(CertificateError):
        check_certificate(*forged)
