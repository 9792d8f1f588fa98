"""A layer of positions that does not follow from the layer before it is found, whole or in a drawn part."""

import functools
import itertools

import numpy as np
import pytest

from boardspace.spaces.solitaire import counted_layers as steps
from boardspace.spaces.solitaire.counted_layers import Counted, Parts
from boardspace.spaces.solitaire.rules import GameByArrays, ProblemByHand
from boardspace.spec.space import Draw

NAMES = ("triangle15/corner", "english/central", "french/last_supper")
PROBLEMS = {name: ProblemByHand(name) for name in NAMES}
GAMES = {name: GameByArrays(problem, problem.symmetries) for name, problem in PROBLEMS.items()}


@functools.cache
def layers(name: str, back: bool) -> tuple[Counted, Counted]:
    """The layer after five moves, or two taken back, and the one after it, by hand."""
    problem, moves = PROBLEMS[name], 2 if back else 5
    before = {problem.word(problem.goal if back else problem.start): 1}
    found = [before]
    for _ in range(moves + 1):
        after: dict[int, int] = {}
        for word, ways in found[-1].items():
            for position, number in problem.moves(problem.position(word), back).items():
                least = problem.canonical(position)
                after[least] = after.get(least, 0) + ways * number
        found.append(after)
    one, two = (
        Counted(np.array(sorted(layer), np.uint64), np.array([layer[word] for word in sorted(layer)], np.uint64))
        for layer in found[-2:]
    )
    return one, two


EVERY = [(name, back) for name in NAMES for back in (False, True)]


def fault(name: str, back: bool, after: Counted, draw: Draw | None = None) -> str:
    draw = draw or Draw(3)
    return steps.make_step(GAMES[name], (layers(name, back)[0], after), back, draw, draw.generator()).fault


@pytest.mark.parametrize(("name", "back"), EVERY)
@pytest.mark.parametrize("rows", [1 << 20, 400])
def test_a_true_layer_has_no_fault_whole_and_in_every_drawn_part(
    name: str, back: bool, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "ROWS", rows)
    monkeypatch.setattr(steps, "AT_ONCE", 200)
    game, (before, after) = GAMES[name], layers(name, back)
    for seed in range(3):
        step = steps.make_step(game, (before, after), back, Draw(seed), Draw(seed).generator())
        assert step.fault == ""
        assert step.tried == len(after.positions) or rows == 400
    step = steps.make_step(game, (before, after), back, Draw(0, everything=True), Draw().generator())
    assert (step.fault, step.tried) == ("", len(after.positions))
    counts, longest = game.move_counts(before.positions, back)
    assert step.counts.tolist() == counts.tolist()
    assert step.longest == longest


@pytest.mark.parametrize(("name", "back"), EVERY)
def test_rows_left_out_with_their_ways_given_to_another_are_found(name: str, back: bool) -> None:
    _, after = layers(name, back)
    kept = np.arange(len(after.positions)) % 10 == 0
    ways = after.ways[kept].copy()
    ways[0] += after.ways[~kept].sum()
    assert "is not there" in fault(name, back, Counted(after.positions[kept], ways))


@pytest.mark.parametrize(("name", "back"), EVERY)
def test_rows_that_no_move_leads_to_are_found(name: str, back: bool) -> None:
    _, after = layers(name, back)
    positions = np.append(after.positions, after.positions[-1] + np.uint64(1))
    assert "no move" in fault(name, back, Counted(positions, np.append(after.ways, np.uint64(0))))


@pytest.mark.parametrize(("name", "back"), EVERY)
def test_ways_exchanged_between_rows_are_found(name: str, back: bool) -> None:
    _, after = layers(name, back)
    ways = after.ways.copy()
    other = int(np.flatnonzero(ways != ways[0])[0])
    ways[[0, other]] = ways[[other, 0]]
    assert "sequences of moves lead here" in fault(name, back, Counted(after.positions, ways))


def test_what_is_altered_in_half_of_all_rows_is_found_in_nearly_any_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "ROWS", 100)
    _, after = layers("english/central", False)
    found = [
        fault("english/central", False, Counted(after.positions, after.ways[::-1]), Draw(seed)) for seed in range(20)
    ]
    assert sum(map(bool, found)) > 10


@pytest.mark.parametrize("name", NAMES)
def test_the_images_of_a_position_are_in_its_part(name: str) -> None:
    game, random = GAMES[name], np.random.default_rng(5)
    words = random.integers(0, 1 << len(game.index), 500, dtype=np.uint64)
    parts = Parts(game, 3, random)
    assert all((parts.numbers(image) == parts.numbers(words)).all() for image in game.images(words))
    assert parts.numbers(words).max() < 8
    assert len(set(parts.numbers(words).tolist())) > 4


def test_other_draws_have_other_parts() -> None:
    game = GAMES["english/central"]
    words = np.arange(1 << 12, dtype=np.uint64)
    numbers = [Parts(game, 4, np.random.default_rng(seed)).numbers(words).tolist() for seed in range(4)]
    assert all(one != two for one, two in itertools.combinations(numbers, 2))
