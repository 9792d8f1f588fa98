"""The layer after a layer of positions is that by hand, with the ways to each position."""

from collections import Counter

import numpy as np
import pytest

from boardspace.spaces.solitaire import rules
from boardspace.spaces.solitaire.parts.game_lengths.checks import Counted, step_from
from boardspace.spaces.solitaire.rules import GameByArrays, ProblemByHand
from tests.naive import solitaire as naive


@pytest.mark.parametrize("name", ["triangle15/corner", "english/central", "french/last_supper"])
@pytest.mark.parametrize("back", [False, True])
def test_layers_with_their_ways_are_those_by_hand(name: str, back: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "AT_ONCE", 200)
    problem = ProblemByHand(name)
    game = GameByArrays(problem, problem.symmetries)
    before = {problem.word(problem.goal if back else problem.start): 1}
    for _ in range(3 if back else 6):
        after: dict[int, int] = {}
        counts = []
        for word, ways in sorted(before.items()):
            moves = Counter(end for _, end in problem.paths(problem.position(word), back))
            counts.append(moves.total())
            for position, number in moves.items():
                least = min(map(problem.word, naive.orbit(problem.symmetries, position)))
                after[least] = after.get(least, 0) + ways * number
        layer = Counted(np.array(sorted(before), np.uint64), np.array([before[w] for w in sorted(before)], np.uint64))
        found_counts, longest, found = step_from(game, layer, back)
        assert found_counts.tolist() == counts
        assert longest == max(len(path) - 1 for w in before for path, _ in problem.paths(problem.position(w), back))
        assert dict(zip(found.positions.tolist(), found.ways.tolist(), strict=True)) == after
        assert found.positions.tolist() == sorted(after)
        before = after
