"""The search of Rush Hour against the definition, and against numbers that others found."""

from collections import Counter

import numpy as np
import pytest

from boardspace_kernels.rush_hour import search
from boardspace_kernels.rush_hour.figures import BOARDS, CLASSES, GROUPS, SOLVABLE, SOLVABLE_GROUPS, STEPS
from boardspace_kernels.rush_hour.lines import LARGEST, Lines, lines
from tests.naive import rush_hour as naive

FOUR = naive.Game(4, 1)
GAMES = [
    naive.Game(3, 0),
    naive.Game(3, 1),
    FOUR,
    naive.Game(4, 0, frozenset({(2, 1)})),
    naive.Game(4, 1, frozenset({(0, 1)})),
    naive.Game(4, 1, frozenset({(1, 0), (3, 2)})),
    naive.Game(4, 1, frozenset({(1, 3)})),
]
ALL = 1
"""Groups whose farthest boards take so many steps are listed: nearly all."""


def found(tables: Lines, listed_from: int) -> list[search.Found]:
    """All labels of both sides."""
    labels = [np.arange(search.labels_of(tables, side)) for side in (0, 1)]
    return [search.search_labels(tables, side, labels[side], listed_from) for side in (0, 1)]


def covered_of(tables: Lines, code: int) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Cells that pieces in rows cover by a code, and those that pieces in columns do."""
    n, found = len(tables.kinds) // 2, (set[tuple[int, int]](), set[tuple[int, int]]())
    for line in range(2 * n):
        kind, digit = np.argwhere(tables.number[line] == (code >> 5 * (2 * n - 1 - line) & 31))[0]
        cells = [cell for cell in range(n) if tables.covered[line, kind, digit] >> cell & 1]
        found[line // n].update((line, cell) if line < n else (cell, line - n) for cell in cells)
    return found


@pytest.mark.parametrize(
    "game", [pytest.param(one, marks=pytest.mark.thorough) if one == FOUR else one for one in GAMES], ids=str
)
def test_small_boards_have_the_classes_groups_levels_and_farthest_boards_of_the_definition(game: naive.Game) -> None:
    tables = lines(game.n, game.row, tuple(sorted(game.walls)))
    every = list(naive.boards(game))
    last = {board for board in every if naive.is_last(game, board)}
    groups = naive.groups(game, last)
    steps = [naive.levels(game, group, many=True) for group in groups]
    units = [naive.levels(game, group, many=False) for group in groups]
    outs = found(tables, ALL)
    labels = outs[0].labels.sum(0) + outs[1].labels.sum(0)
    assert labels[BOARDS] == len(every)
    assert labels[CLASSES] == len({naive.class_of(game, board) for board in every})
    assert labels[GROUPS] == len(groups)
    assert labels[SOLVABLE_GROUPS] == sum(map(bool, steps))
    assert labels[SOLVABLE] == sum(len(level) for one in steps for level in one)
    for metric, by_level in enumerate((steps, units)):
        sizes = Counter[int]()
        for one in by_level:
            sizes.update({depth: len(level) for depth, level in enumerate(one)})
        depths = Counter(len(one) - 1 for one in by_level if one)
        for expected, got in (
            (sizes, outs[0].levels + outs[1].levels),
            (depths, outs[0].depths + outs[1].depths),
        ):
            assert {d: int(number) for d, number in enumerate(got[:, metric].sum(0)) if number} == dict(expected)
    expected_starts = Counter(
        (
            len(one) - 1,
            next(d for d, level in enumerate(other) if board in level),
            naive.solutions(game, one, board),
            len(group),
            len(one[0]),
            len(one[-1]),
        )
        for one, other, group in zip(steps, units, groups, strict=True)
        if len(one) > ALL
        for board in one[-1]
    )
    starts = np.concatenate([out.starts for out in outs])
    assert Counter(tuple(map(int, row[1:])) for row in starts) == expected_starts
    far = [board for one in steps if len(one) > ALL for board in one[-1]]
    lying = Counter(frozenset(c for cells, _ in b if cells[0][0] == cells[1][0] for c in cells) for b in far)
    assert Counter(frozenset(covered_of(tables, int(code))[0]) for code in starts[:, 0]) == lying
    assert len(set(starts[:, 0].tolist())) == len(starts)


def test_figures_by_pieces_add_up_to_those_of_the_labels_and_name_their_first_farthest_boards() -> None:
    tables = lines(4, 1)
    for out in found(tables, ALL):
        assert (out.figures[..., :STEPS].sum((0, 1, 2)) == out.labels[:, :STEPS].sum(0)).all()
        assert out.figures[..., STEPS].max() == out.labels[:, STEPS].max()
        for red, across, down in np.argwhere(out.figures[..., STEPS] > 1):
            code = int(out.codes[red, across, down, 0])
            side, label, kinds = search.class_of(tables, code)
            starts = search.search_listed(tables, side, [(label, kinds, 1)])
            steps = out.figures[red, across, down, STEPS] - 1
            assert [row[1] for row in starts if row[0] == code] == [steps]


def test_parts_of_labels_have_each_class_once() -> None:
    tables = lines(4, 1, ((1, 3),))
    for side in (0, 1):
        labels = np.arange(search.labels_of(tables, side))
        whole = search.search_labels(tables, side, labels, ALL)
        parts = [search.search_labels(tables, side, labels, ALL, part=(part, 3)) for part in range(3)]
        for name in ("levels", "depths"):
            assert (np.sum([getattr(part, name) for part in parts], 0) == getattr(whole, name)).all()
        assert (np.sum([part.labels[:, :STEPS] for part in parts], 0) == whole.labels[:, :STEPS]).all()
        assert (np.max([part.labels[:, STEPS] for part in parts], 0) == whole.labels[:, STEPS]).all()
        starts = np.concatenate([part.starts for part in parts])
        assert sorted(map(tuple, starts.tolist())) == sorted(map(tuple, whole.starts.tolist()))
        assert all(part.labels[:, CLASSES].any() for part in parts)


@pytest.mark.parametrize("n", range(3, LARGEST + 1))
def test_digits_of_a_kind_are_small_and_a_move_adds_the_piece_s_step(n: int) -> None:
    tables = lines(n, (n - 1) // 2)
    for line in range(2 * n):
        for kind in range(tables.kinds[line]):
            digits = np.flatnonzero(tables.covered[line, kind] >= 0)
            assert len(digits) == tables.arrangements[line, kind]
            assert tables.radix[line, kind] <= 7
            for piece in range(tables.pieces[line, kind]):
                for digit in digits:
                    cell = tables.onward[line, kind, piece, digit]
                    if cell >= 0:
                        before, after = tables.covered[line, kind, [digit, digit + tables.step[line, kind, piece]]]
                        assert after & ~before == 1 << cell
                        assert (before ^ after).bit_count() == 2


def test_all_boards_of_five_by_five_are_found() -> None:
    outs = found(lines(5, 2), 20)
    labels = outs[0].labels.sum(0) + outs[1].labels.sum(0)
    assert labels[CLASSES] == 378_426
    assert labels[BOARDS] == 11_889_592
    levels = (outs[0].levels + outs[1].levels)[:, 0].sum(0)
    assert np.flatnonzero(levels)[-1] == 20
    alone = next(kind for kind in range(16) if lines(5, 2).pieces[2, kind] == 1)
    assert sum(out.figures[alone, ..., BOARDS].sum() for out in outs) == 9_095_976
