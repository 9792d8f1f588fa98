"""Games for the atlas: what they hold is right, can be played to the end, and says where it ends."""

import random
from pathlib import Path
from typing import Any

from boardspace.graphs.answers import Answers
from boardspace.graphs.games import game, games
from boardspace.graphs.questions import answers

LARGE = 1 << 30
SOME: tuple[tuple[str, dict[str, int], int], ...] = (
    ("lamps", {"rows": 3, "columns": 3}, 60),
    ("lights", {"rows": 3, "columns": 3}, 60),
    ("beads", {"places": 6}, LARGE),
    ("rounds", {}, LARGE),
    ("rounds", {}, 12),
    ("numbered", {}, LARGE),
    ("numbered", {}, 12),
)


def changed(text: str, change: Any) -> str:
    """A drawing after a move, as the page has it."""
    origins, maps = change
    return "".join(maps.get(place, {}).get(text[origin], text[origin]) for place, origin in enumerate(origins))


def asked_of(name: str, size: dict[str, int]) -> Answers:
    return answers(name, size=size) if size else answers(name)


def test_every_position_has_its_moves_and_what_remains_and_a_way_to_the_end() -> None:
    for name, size, room in SOME:
        asked = asked_of(name, size)
        held = game(asked, room)
        texts, moves = held["texts"], held["moves"]
        assert [asked.parse(text) for text in texts] == [int(state) for state in held["states"]]
        assert held["starts"]
        assert moves[held["starts"][0]] == max(one for one in moves if one is not None)
        for place, state in enumerate(map(int, held["states"])):
            steps = asked.solution(state)
            assert moves[place] == (None if steps is None else len(steps)), (name, texts[place])
            there = {move: asked.text(state) for move, state in asked.moves(state).items()}
            if held["changes"] is not None:
                found = dict(zip(held["names"], (changed(texts[place], one) for one in held["changes"]), strict=True))
                assert found == there
                continue
            pairs = [held["next"][place][at : at + 2] for at in range(0, len(held["next"][place]), 2)]
            known = {held["names"][number]: texts[to] for number, to in pairs}
            assert known.items() <= there.items()
            assert (place in held["edge"]) == (len(known) < len(there))
            assert not moves[place] or any(moves[to] == moves[place] - 1 for _, to in pairs)


def test_a_large_puzzle_whose_moves_change_drawings_alike_holds_these_changes_and_all_that_is_near_the_end() -> None:
    asked = asked_of("lamps", {"rows": 3, "columns": 3})
    held = game(asked, 60)
    assert held["changes"]
    assert held["within"] >= 1
    assert len(held["texts"]) <= 60 < 512
    near = {
        state
        for state in range(512)
        if (asked.distance(state) or 0) <= held["within"] and asked.distance(state) is not None
    }
    assert near <= set(map(int, held["states"]))
    for state in random.Random(0).sample(range(512), 100):
        there = dict(zip(held["names"], (changed(asked.text(state), one) for one in held["changes"]), strict=True))
        assert there == {move: asked.text(state) for move, state in asked.moves(state).items()}


def test_a_small_puzzle_is_held_whole_and_one_that_ends_nowhere_not_at_all(run_folder: Path) -> None:
    found = {one["name"]: one for one in games("lamps", run_folder / "lamps")}
    assert {name: len(one["texts"]) for name, one in found.items() if name.endswith("2x3")}
    assert all(one["edge"] == [] and one["changes"] is None for one in found.values())
    assert list(games("steps", run_folder / "steps")) == []
