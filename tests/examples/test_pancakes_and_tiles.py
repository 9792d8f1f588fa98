"""The pancakes and the sliding tiles of examples/: small sizes whole, the rules of all sizes compared."""

from pathlib import Path

import pytest

import boardspace
from boardspace.graphs.trying import drawn, rule_fault, try_rules
from boardspace.verify import verify
from tests.examples.conftest import Example, example

SMALL: dict[str, dict[str, object]] = {
    "pancakes": {"plain": 7, "burnt": 4},
    "tiles": {"frames": [[2, 2], [2, 3], [3, 3]]},
}
WHOLE: dict[str, dict[str, object]] = {
    "pancakes": {"plain": 11, "burnt": 9},
    "tiles": {"frames": [[2, 2], [2, 3], [2, 4], [3, 3], [3, 4]], "metrics": ["slide"]},
}


@pytest.fixture(params=list(SMALL))
def puzzle(request: pytest.FixtureRequest, plugged: None) -> Example:
    return example(request.param)


def test_kernels_and_second_rules_agree_at_every_published_size(puzzle: Example) -> None:
    for size in puzzle.puzzle.whole:
        for metric in puzzle.puzzle.moves:
            case = next(
                case
                for config in [puzzle.puzzle.config.model_validate(whole(puzzle), strict=False)]
                for case in puzzle.puzzle.cases(config)
                if case.size == size and case.metric in {metric, "slide"}
            )
            try_rules(puzzle.puzzle, case)
            assert not any(rule_fault(puzzle.puzzle, case, state) for state in drawn(puzzle.puzzle, case, 20, seed=3))


def whole(puzzle: Example) -> dict[str, object]:
    return WHOLE[puzzle.puzzle.name]


def confirmed(puzzle: Example, section: dict[str, object], folder: Path, workers: int) -> int:
    """Run a section and verify it; how many of the claims it confirms."""
    name = puzzle.puzzle.name
    datasets = boardspace.run({name: section}, folder, workers=workers)
    verdicts = [datasets[name].claims[claim].verdict for claim in puzzle.puzzle.claims]
    assert set(verdicts) <= {"confirmed", "open", "not_covered"}
    assert verify(folder, "logic").faults == ()
    return verdicts.count("confirmed")


@pytest.mark.thorough
def test_small_sizes_are_proved_and_as_published(puzzle: Example, tmp_path: Path) -> None:
    expected = {"pancakes": 7 + 4 + 1, "tiles": 3 + 1}
    assert confirmed(puzzle, SMALL[puzzle.puzzle.name], tmp_path, 0) == expected[puzzle.puzzle.name]


@pytest.mark.slow
def test_every_published_size_is_proved(puzzle: Example, tmp_path: Path) -> None:
    assert confirmed(puzzle, WHOLE[puzzle.puzzle.name], tmp_path, 2) == len(puzzle.puzzle.claims)
