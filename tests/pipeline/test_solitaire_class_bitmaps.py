"""Positions taken out of the bitmaps of a class that is too large to be played whole, or put into them, are found.

Fifteen holes are held to be too many here. What is altered is consistent where it can be: whole orbits are taken out,
each with the complements in the other bitmap.
"""

from collections.abc import Callable

import numpy as np
import pytest

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.numbering import numbers_of
from boardspace.spaces.solitaire.parts.classes.checks.played import PlayedClass, numbering_of, play_class
from boardspace.spaces.solitaire.parts.classes.part import BITMAPS
from boardspace.spaces.solitaire.parts.classes.vacancy import array_path, vacancies
from boardspace.spaces.solitaire.space import SPACE
from boardspace.spec.space import Draw, Outcome
from boardspace.storage.run_folder import FinishedStages
from boardspace.verify import bitmaps
from boardspace.verify.equations import all_checks
from tests.pipeline.finished import altered, finished_stages, run_of

CONFIG = """
[solitaire]
[[solitaire.classes]]
board = "triangle15"
vacancies = [1]
"""
Words = np.ndarray
Check = Callable[..., Outcome]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[SolitaireConfig, FinishedStages]:
    return finished_stages(run_of(CONFIG, tmp_path_factory.mktemp("bitmaps")), SolitaireConfig)


@pytest.fixture
def played(run: tuple[SolitaireConfig, FinishedStages], monkeypatch: pytest.MonkeyPatch) -> PlayedClass:
    monkeypatch.setattr("boardspace.spaces.solitaire.parts.classes.checks.played.MOST", 100)
    config, _ = run
    (vacancy,) = vacancies(config.classes[0], config.boards)
    found = play_class(vacancy)
    assert not found.is_whole
    return found


@pytest.fixture(params=["whole", "drawn", "by ranges", "everything"])
def check(request: pytest.FixtureRequest, run: tuple[SolitaireConfig, FinishedStages], played: PlayedClass) -> Check:
    """The check of all bits, of drawn ranges, of bitmaps that are not held, and of everything."""
    monkeypatch = request.getfixturevalue("monkeypatch")
    if request.param != "whole":
        monkeypatch.setattr(bitmaps, "RANGE", 3)
        monkeypatch.setattr(bitmaps, "WHOLE_BITS", 1 << 14)
    if request.param == "by ranges":
        monkeypatch.setattr(bitmaps, "HELD_WORDS", 1)
    draw = Draw(2, everything=request.param == "everything")
    (equation,) = (check for check in all_checks(SPACE) if check.columns.keys() == {BITMAPS.name})

    def made(flips: dict[str, Words]) -> Outcome:
        """The outcome where the bits of some numbers are the other way, by the name of the bitmap."""

        def change(stage: str, path: str, values: Words) -> Words:
            for name, numbers in flips.items():
                if path == array_path(played.vacancy, name):
                    values = values.copy()
                    places = (numbers >> np.uint64(6)).astype(int)
                    np.bitwise_xor.at(values, places, np.uint64(1) << (numbers & np.uint64(63)))
            return values

        return equation.run(run[0], altered(run[1], change), draw)

    return made


def members(run: tuple[SolitaireConfig, FinishedStages], played: PlayedClass, pegs: int) -> Words:
    """The numbers of positions of so many pegs that can be reached."""
    numbers = numbers_of(run[1].array(array_path(played.vacancy, "reachable"))[:], 0)
    return numbers[np.bitwise_count(numbering_of(played, run[1]).words(numbers)) == pegs]


def test_true_bitmaps_have_no_fault(check: Check) -> None:
    outcome = check({})
    assert outcome.fault == ""
    assert 100 < outcome.cases <= outcome.of


@pytest.mark.parametrize("pegs", [2, 6, 9])
def test_orbits_taken_out_of_reachable_and_their_complements_out_of_winning_are_found(
    check: Check, run: tuple[SolitaireConfig, FinishedStages], played: PlayedClass, pegs: int
) -> None:
    numbering = numbering_of(played, run[1])
    numbers = members(run, played, pegs)
    least = played.game.canonical(numbering.words(numbers))
    numbers = numbers[np.isin(least, np.unique(least)[::3])]
    won = set(numbers_of(run[1].array(array_path(played.vacancy, "winning"))[:], 0).tolist())
    complements = np.array([n for n in (numbers ^ np.uint64(numbering.mask)).tolist() if n in won], np.uint64)
    assert check({"reachable": numbers, "winning": complements}).fault


def test_positions_taken_out_of_winning_are_found(
    check: Check, run: tuple[SolitaireConfig, FinishedStages], played: PlayedClass
) -> None:
    won = numbers_of(run[1].array(array_path(played.vacancy, "winning"))[:], 0)
    assert (
        "winning" in check({"winning": won[np.bitwise_count(numbering_of(played, run[1]).words(won)) == 7][::4]}).fault
    )


def test_positions_put_into_reachable_are_found(
    check: Check, run: tuple[SolitaireConfig, FinishedStages], played: PlayedClass
) -> None:
    numbering = numbering_of(played, run[1])
    numbers = np.arange(64 * run[1].array(array_path(played.vacancy, "reachable")).shape[0], dtype=np.uint64)
    numbers = numbers[(numbers & ~np.uint64(numbering.mask)) == 0]
    numbers = numbers[np.bitwise_count(numbering.words(numbers)) == 8]
    others = np.setdiff1d(numbers, members(run, played, 8))
    assert "reachable" in check({"reachable": others[::4]}).fault


def test_a_bit_that_is_of_no_position_is_found(
    check: Check, run: tuple[SolitaireConfig, FinishedStages], played: PlayedClass
) -> None:
    strays = ~numbering_of(played, run[1]).mask & 7
    if not strays:
        pytest.skip("all bits are of some position")
    assert "no move leads to it" in check({"winning": np.array([strays], np.uint64)}).fault


def test_a_bitmap_of_a_length_that_no_class_has_is_told_before_it_is_read(
    run: tuple[SolitaireConfig, FinishedStages],
) -> None:
    (equation,) = (check for check in all_checks(SPACE) if check.columns.keys() == {BITMAPS.name})
    longer = altered(run[1], lambda _, path, read: np.tile(read, 2) if isinstance(read, np.ndarray) else read)
    assert "words, and moves flip bits of" in equation.run(run[0], longer, Draw(2)).fault
