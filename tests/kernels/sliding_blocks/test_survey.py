"""Classes, groups and corner puzzles against the slow searches of small trays."""

import functools
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from boardspace_kernels.sliding_blocks.corner import WAYS, choose_ways
from boardspace_kernels.sliding_blocks.enumeration import NONE, Classes, enumerate_classes, spot_of
from boardspace_kernels.sliding_blocks.frontier import count_by_sizes
from boardspace_kernels.sliding_blocks.survey import ENTRIES, NO_PUZZLE, SEARCHES, SLIDES, Survey, survey_classes
from boardspace_kernels.sliding_blocks.tray import tray
from tests.kernels.sliding_blocks.trays import SMALL, code_of, piece_of, positions
from tests.naive import sliding_blocks as naive

LONGEST_4_X_4 = (1, 4, 9, 22, 36, 51, 66, 89, 132, 81, 64, 73, 61, 25, 21)
"""By pieces: the published row, but 22 for 19 and 66 for 62."""

Class = frozenset[tuple[naive.Shape, int]]
Surveyed = dict[tuple[int, ...], tuple[Classes, Survey]]


@functools.cache
def surveyed(rows: int, columns: int) -> Surveyed:
    """Every multiset of sizes with its classes and their survey."""
    tables, found = tray(rows, columns), {}
    for sizes, packings in count_by_sizes(rows, columns).items():
        classes = enumerate_classes(tables, sizes, packings)
        found[sizes] = classes, survey_classes(tables, classes, 1, list_groups=True)
    return found


@functools.cache
def by_code(rows: int, columns: int) -> dict[int, naive.Position]:
    return {code_of(rows, columns, position): position for position in positions(rows, columns)}


@functools.cache
def naive_classes(rows: int, columns: int) -> dict[Class, list[naive.Position]]:
    return naive.by_class(positions(rows, columns))


def orbit(rows: int, columns: int, position: naive.Position) -> set[Class]:
    """The classes of the position's images."""
    images = zip(*(naive.images(rows, columns, piece) for piece in position), strict=True)
    return {naive.class_of(frozenset(image)) for image in images} if position else {frozenset()}


@pytest.mark.parametrize(("rows", "columns"), SMALL)
def test_one_class_of_each_orbit_is_found_with_all_its_positions(rows: int, columns: int) -> None:
    seen: Counter[Class] = Counter()
    for sizes, (classes, _) in surveyed(rows, columns).items():
        assert (classes.positions * classes.orbit).sum() == count_by_sizes(rows, columns)[sizes]
        for label in range(len(classes.key)):
            first, end = classes.start[label : label + 2]
            members = [by_code(rows, columns)[code] for code in classes.code[first:end].tolist()]
            if not members:
                continue
            own = naive.class_of(members[0])
            assert set(members) == set(naive_classes(rows, columns)[own])
            assert len(members) == classes.positions[label] == len(set(members))
            assert classes.orbit[label] == len(orbit(rows, columns, members[0]))
            seen.update(orbit(rows, columns, members[0]))
            for member, slots in zip(members, classes.slots[first:end].tolist(), strict=True):
                assert {piece_of(rows, columns, placement) for placement in slots} == member
    with_voids = {
        own
        for own, members in naive_classes(rows, columns).items()
        if members[0] and sum(map(len, members[0])) < rows * columns
    }
    assert set(seen) - {frozenset()} == with_voids
    assert set(seen.values()) <= {1}
    classes_of_all = sum(int(classes.orbit.sum()) for classes, _ in surveyed(rows, columns).values())
    assert classes_of_all == len(naive_classes(rows, columns))


@pytest.mark.parametrize(("rows", "columns"), SMALL)
def test_groups_are_those_of_unit_moves(rows: int, columns: int) -> None:
    for classes, survey in surveyed(rows, columns).values():
        for label in range(len(classes.key)):
            codes = classes.code[classes.start[label] : classes.start[label + 1]].tolist()
            if not codes:
                continue
            groups = naive.groups(rows, columns, [by_code(rows, columns)[code] for code in codes])
            sizes = sorted(map(len, groups))
            joined = {code_of(rows, columns, p) for group in groups if len(group) > 1 for p in group}
            found = survey.classes
            assert found.groups[label] == len(groups)
            assert found.largest[label] == sizes[-1]
            assert found.joined[label] == len(joined)
            assert found.code[label] == min(joined, default=0)
            listed = survey.groups[survey.groups[:, 0] == label, 1].tolist()
            assert sorted(listed) == [size for size in sizes if size > 1]


Slide = tuple[naive.Position, frozenset[naive.Piece]]


def slides_of(rows: int, columns: int, position: naive.Position) -> Iterator[Slide]:
    """For each piece that can move, the other pieces and all places where it comes to by itself."""
    places: dict[naive.Piece, set[naive.Piece]] = {}
    for before, after in naive.steps(rows, columns, position):
        places.setdefault(before, {before}).add(after)
    return ((position - {piece}, frozenset(there)) for piece, there in places.items())


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 2), (2, 4)])
def test_the_work_of_a_survey_is_counted(rows: int, columns: int) -> None:
    """Entries of positions in slides, slides, and searches: as many as its ways take for each class with a slide."""
    for sizes, (classes, survey) in surveyed(rows, columns).items():
        entries, slides, searched = 0, set(), 0
        for first, end in pairwise(classes.start.tolist()):
            own = [by_code(rows, columns)[int(code)] for code in classes.code[first:end]]
            found = [slide for position in own for slide in slides_of(rows, columns, position)]
            entries, searched = entries + len(found), searched + bool(found)
            slides |= set(found)
        ways = -(-WAYS // min(WAYS, 64 // max(1, len(sizes))))
        assert survey.work[[ENTRIES, SLIDES, SEARCHES]].tolist() == [entries, len(slides), searched * ways]


@pytest.mark.parametrize(
    ("rows", "columns"), [pytest.param(*side, marks=pytest.mark.slow) if side == (3, 3) else side for side in SMALL]
)
def test_longest_corner_puzzles_of_every_class_and_its_images(rows: int, columns: int) -> None:
    for classes, survey in surveyed(rows, columns).values():
        longest = max((s for s in survey.classes.steps.tolist() if s != NO_PUZZLE), default=0)
        for label in range(len(classes.key)):
            if classes.start[label] == classes.start[label + 1]:
                continue
            own = by_code(rows, columns)[int(classes.code[classes.start[label]])]
            lengths: dict[naive.Marked, int] = {}
            for image in orbit(rows, columns, own):
                lengths |= naive.corner_puzzles(rows, columns, naive_classes(rows, columns)[image])
            best = max(lengths.values(), default=0)
            assert survey.classes.steps[label] == (best or NO_PUZZLE)
            puzzles = survey.puzzles
            rows_of = np.flatnonzero(puzzles.label == label).tolist()
            if best == 0:
                assert not rows_of
                continue
            assert rows_of
            assert longest >= best
            furthest: dict[tuple[Class, naive.Shape], list[naive.Marked]] = {}
            for (position, piece), steps in lengths.items():
                if steps == best:
                    kind = naive.class_of(position), naive.shape(piece)
                    furthest.setdefault(kind, []).append((position, piece))
            told = set()
            for row in rows_of:
                start = by_code(rows, columns)[int(puzzles.start[row])]
                piece = piece_of(rows, columns, int(puzzles.marked[row]))
                kind = naive.class_of(start), naive.shape(piece)
                starts = furthest[kind]
                assert (start, piece) in starts
                assert puzzles.starts[row] == len(starts)
                assert puzzles.start[row] == min(code_of(rows, columns, position) for position, _ in starts)
                assert kind not in told
                told.add(kind)
            # Up to symmetries that take the puzzle from the upper left corner to the lower right one, all are told.
            unseen = set(furthest) - told
            assert all(any(is_twin(rows, columns, one, other) for other in told) for one in unseen)


def test_ways_that_are_not_searched_on_a_square_have_the_puzzles_of_others() -> None:
    """A puzzle is a class, a start and a goal of the marked piece; its images under the eight symmetries are one."""

    def turned(g: int, piece: naive.Piece) -> naive.Piece:
        cells = [(c, r) if g & 4 else (r, c) for r, c in piece]
        return frozenset((2 - r if g & 2 else r, 2 - c if g & 1 else c) for r, c in cells)

    def puzzle(pieces: list[naive.Piece], start: int, goal: int) -> tuple[object, ...]:
        ends = [piece_of(3, 3, start), piece_of(3, 3, goal)]
        images = (
            (
                sorted(sorted(naive.shape(turned(g, piece))) for piece in pieces),
                [sorted(turned(g, end)) for end in ends],
            )
            for g in range(8)
        )
        return tuple(map(repr, min(images)))

    tables = tray(3, 3)
    for classes, _ in surveyed(3, 3).values():
        for label in np.flatnonzero(np.diff(classes.start)).tolist():
            slots = classes.slots[classes.start[label] :][:1]
            pieces = [piece_of(3, 3, placement) for placement in slots[0].tolist()]
            searched = np.zeros((WAYS, len(pieces)), np.bool_)
            choose_ways(tables, slots, searched)
            corners = tables.corner[:, slots[0]]
            ways = {
                (way, p): puzzle(pieces, corners[way, p], corners[3 - way, p])
                for way in range(WAYS)
                for p in range(len(pieces))
                if corners[way, p] != corners[3 - way, p]
            }
            assert {ways[way, p] for way, p in zip(*np.nonzero(searched), strict=True)} == set(ways.values())


def is_twin(rows: int, columns: int, one: tuple[Class, naive.Shape], other: tuple[Class, naive.Shape]) -> bool:
    """Whether a symmetry of the tray turns the class and the marked shape into the other's."""

    def turned(g: int, shape: naive.Shape) -> naive.Shape:
        return naive.shape(naive.images(rows, columns, shape)[g])

    symmetries = range(8 if rows == columns else 4)
    return any(
        frozenset((turned(g, shape), count) for shape, count in one[0]) == other[0] and turned(g, one[1]) == other[1]
        for g in symmetries
    )


@pytest.mark.slow  # the default run does it, and its claims judge it
def test_4_x_4_has_1_473_830_classes_and_longest_corner_puzzles_by_pieces() -> None:
    tables, classes_of_all, largest = tray(4, 4), 0, 0
    longest = dict.fromkeys(range(17), 0)
    for sizes, packings in count_by_sizes(4, 4).items():
        classes = enumerate_classes(tables, sizes, packings)
        steps = survey_classes(tables, classes, 1000, list_groups=False).classes.steps
        classes_of_all += int(classes.orbit.sum())
        largest = max(largest, int(classes.positions.max()))
        longest[len(sizes)] = max(longest[len(sizes)], int(steps[steps != NO_PUZZLE].max(initial=0)))
    assert classes_of_all == 1_473_830
    assert largest == 99_792
    assert tuple(longest.values()) == (0, *LONGEST_4_X_4, 0)


@pytest.mark.parametrize("own", [0, 3, 11])
def test_a_key_whose_place_is_taken_gets_the_next_free_one(own: int) -> None:
    """Places of a table of eight: the key's own, and on from there around the end."""
    table, key = np.full(8, NONE, np.int32), np.array([8 + own, 16 + own, own], np.uint64)
    for number, wanted in enumerate((own % 8, (own + 1) % 8, (own + 2) % 8)):
        assert spot_of(table, key, key[number]) == wanted
        table[wanted] = number
        assert spot_of(table, key, key[number]) == wanted


def test_two_classes_with_the_same_key_would_be_found() -> None:
    tables, sizes = tray(2, 3), (3,)
    classes = enumerate_classes(tables, sizes, count_by_sizes(2, 3)[sizes])
    mixed = classes._replace(
        key=classes.key[:1], orbit=classes.orbit[:1], positions=classes.positions[:1], start=classes.start[[0, -1]]
    )
    with pytest.raises(ArithmeticError, match="another has the same key"):
        survey_classes(tables, mixed, 1, list_groups=False)
