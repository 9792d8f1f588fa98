"""Measures of a start: they are those of their definitions, in every space and of every puzzle."""

import json
import random
from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from boardspace import klotski, rush_hour, sliding_blocks
from boardspace.cli.main import cli
from boardspace.graphs import hardness as measures
from boardspace.graphs.hardness import DIGITS, Figures, Hardness, figures, hardness
from boardspace.spaces.rush_hour.notation import read
from boardspace.spaces.rush_hour.rules import RULES, groups_of
from boardspace.spec.second_rules import Rows
from boardspace_kernels.graph.walk import expected_moves
from tests.naive import hardness as naive

BOARDS = ("AAB/..B/...", "BBBCDAACDoEEDFFF", "BBBCDAACD.E.D.E.", "B..CBAACD.E.D.E.", "oxoBAAoBCDDDCEEE")


def same(
    found: Hardness, moves: Mapping[Any, Sequence[Any]], goals: set[Any], start: Any, **numbers: dict[Any, int]
) -> None:
    """Compare measures with their definitions."""
    left = naive.distances(moves, goals)
    ways = list(naive.shortest(moves, left, start))
    assert (found.moves, found.solutions, found.positions) == (left[start], len(ways), len(moves))
    levels = [{way[step] for way in ways} for step in range(left[start])]
    nearer = {here: [there for there in moves[here] if left[there] < left[here]] for here in moves}
    assert found.forced == sum(all(len(nearer[here]) == 1 for here in level) for level in levels)
    for got, choices in ((found.choices, moves), (found.leading, nearer)):
        means = [sum(len(choices[here]) for here in level) / len(level) for level in levels]
        assert got == pytest.approx(means, abs=0.00501)
    assert found.blind_ends == sum(
        left[here] > 0 and bool(moves[here]) and len(nearer[here]) == len(moves[here]) for here in moves
    )
    if "seems" in numbers:
        seems = numbers["seems"]
        assert found.detours == min(naive.rises(way, seems) for way in ways)
        assert found.lures == sum(
            seems[there] < seems[here] and left[there] >= left[here]
            for level in levels
            for here in level
            for there in moves[here]
        )
    if "as_begun" in numbers:
        assert found.returns == min(naive.rises(way, numbers["as_begun"]) for way in ways)
    assert found.walk == pytest.approx(float(naive.walk(moves, goals, start)), rel=10.0 ** (1 - DIGITS))


@pytest.mark.parametrize("text", BOARDS)
def test_boards_of_rush_hour_measure_as_their_definitions_say(text: str) -> None:
    start = read(text)
    moves = {here: list(after.values()) for here, after in groups_of(start)["step"].moves.items()}

    def seems(board: Rows) -> int:
        cells = next(row for row in board if "A" in row).partition("AA")[2]
        return len(board) * sum(cell not in ".x" for cell in cells) + len(cells)

    def places(board: Rows) -> list[int]:
        return ["".join(board).find(letter) for letter in ascii_uppercase if letter in "".join(board)]

    found = rush_hour.hardness(text)
    assert found is not None
    same(
        found,
        moves,
        {here for here in moves if RULES.solved(None, here)},
        start,
        seems={here: seems(here) for here in moves},
        as_begun={here: sum(a == b for a, b in zip(places(here), places(start), strict=True)) for here in moves},
    )


def test_graphs_of_any_kind_measure_as_their_definitions_say() -> None:
    for seed in range(30):
        draw = random.Random(seed)
        size = draw.randint(2, 40)
        joined = {(i, draw.randrange(i)) for i in range(1, size)}
        joined |= {(b, draw.randrange(b)) for b in draw.choices(range(1, size), k=draw.randint(0, size))}
        moves = {i: sorted({a + b - i for a, b in joined if i in (a, b)}) for i in range(size)}
        goals = set(draw.sample(range(size), draw.randint(1, 3) if size > 3 else 1))
        numbers = {name: {i: draw.randrange(4) for i in range(size)} for name in ("seems", "as_begun")}
        rows = np.cumsum([0, *(len(moves[i]) for i in range(size))])
        group = measures.Group(
            rows,
            np.array([j for i in range(size) for j in moves[i]], np.uint32),
            np.array([i in goals for i in range(size)]),
        )
        start = draw.randrange(size)
        columns = {name: np.array([*number.values()]) for name, number in numbers.items()}
        found = hardness(group, start, seems=columns["seems"], as_begun=columns["as_begun"])
        assert found is not None
        same(found, moves, goals, start, **numbers)
        most = max(naive.distances(moves, goals).values())
        assert figures(group, start) == Figures(size, len(goals), found.moves, found.solutions, most)


def test_the_bound_of_a_walk_holds_however_early_it_ends() -> None:
    size = 60  # a path, whose walks are long: from i it takes i (2 size - i) moves less the last one's share
    rows = np.cumsum([0, 1, *[2] * (size - 2), 1])
    ends = np.array([1, *(j for i in range(1, size - 1) for j in (i - 1, i + 1)), size - 2], np.uint32)
    exact = np.array([i * (2 * (size - 1) - i) for i in range(size)], float)
    for rounds in (1, 5, 30, 200):
        found = np.empty(size)
        bound = expected_moves(rows, ends, np.arange(size) == 0, 1e-9, rounds, found)
        assert (np.abs(found - exact) <= bound * exact + 1e-9).all()
    assert bound <= 1e-9


def asked(*arguments: str) -> Any:
    return CliRunner().invoke(cli, [*arguments])


def test_every_space_of_sliding_pieces_and_every_puzzle_is_measured() -> None:
    classic = klotski.hardness("横刀立马")
    blocks = sliding_blocks.hardness("ABB./ACDD/EEFG/HEI.", "A")
    assert classic is not None
    assert blocks is not None
    assert (classic.moves, classic.solutions, classic.positions, len(classic.choices)) == (81, 256, 25_955, 81)
    assert (blocks.moves, blocks.solutions) == (132, 73_728)
    for measured, question in (
        (classic, ("klotski", "hardness", "横刀立马")),
        (blocks, ("sliding", "hardness", "ABB./ACDD/EEFG/HEI.", "--piece", "A")),
        (rush_hour.hardness(BOARDS[1]), ("rush-hour", "hardness", BOARDS[1])),
    ):
        assert measured is not None
        assert json.loads(asked(*question, "--json").stdout) == json.loads(json.dumps(measured.document()))
        assert f"forced: {measured.forced}\n" in asked(*question).stdout
