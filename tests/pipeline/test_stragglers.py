"""Second copies of shards that take far too long: when they are made, which copy counts, what a run gains."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest

from boardspace.engine.events import WorkerDiedError
from boardspace.engine.graph import Ended, Key, Node, Nodes
from boardspace.engine.stragglers import Speculative, Watch
from boardspace.verify import verify
from tests.pipeline.conftest import boardspace, dataset_bytes
from tests.pipeline.test_engine import Recorder

FIRST, SECOND, FINISH = ("toy/squares", 0), ("toy/squares", 1), ("toy/squares-finish", 2)
COPY = ("toy/squares-copy", 0)


class Played:
    """A graph whose nodes run and end as a test says, by a clock of its own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.added: list[tuple[Key, tuple[Any, ...], int]] = []
        self.at_work: set[Key] = set()
        self.script: list[Ended | None] = []

    def clock(self) -> float:
        return self.now

    def add(self, nodes: Nodes, priority: int) -> None:
        self.added += [(node.key, node.arguments, priority) for node in nodes]

    def running(self) -> Collection[Key]:
        return self.at_work

    def next_ended(self) -> Ended | None:
        raise AssertionError

    def next_within(self, seconds: float) -> Ended | None:
        self.now += seconds
        return self.script.pop(0)

    def stop(self) -> None:
        pass

    def cancel(self) -> None:
        pass


def played() -> tuple[Played, Speculative, Recorder]:
    """Two bundles that should take two seconds each, and the finish of their stage; both run."""
    graph, recorder = Played(), Recorder()
    speculative = Speculative(graph, recorder, Watch(graph.clock))
    bundles = [Node(key, print, (), reports=True, seconds=2.0) for key in (FIRST, SECOND)]
    speculative.add([*bundles, Node(FINISH, print, (), (FIRST, SECOND), wanted=True)], 7)
    graph.at_work = {FIRST, SECOND}
    return graph, speculative, recorder


def test_a_bundle_gets_one_copy_when_it_has_run_thrice_its_estimate_and_the_first_of_the_two_counts() -> None:
    graph, speculative, recorder = played()
    graph.script = [None, None, Ended(SECOND)]
    assert speculative.next_ended() == Ended(SECOND)
    graph.at_work = {FIRST}
    graph.script = [None] * 3 + [None] * 5 + [Ended(COPY), Ended(FIRST), Ended(FINISH, "digest")]
    assert speculative.next_ended() == Ended(FIRST)
    assert graph.added[2:] == [(COPY, (), -1), (FINISH, ([],), 7)]
    assert recorder.warnings == [
        "toy/squares: shards that should take 2.0 s have run for 7 s; a second copy of them waits for a free worker"
    ]
    assert speculative.next_ended() == Ended(FINISH, "digest")  # what the slow one says now is not counted again


def test_the_original_counts_where_it_ends_first() -> None:
    graph, speculative, _ = played()
    graph.script = [None, Ended(SECOND), *[None] * 8, Ended(FIRST), Ended(COPY), Ended(FINISH)]
    assert [speculative.next_ended() for _ in range(3)] == [Ended(SECOND), Ended(FIRST), Ended(FINISH)]
    assert graph.added[-1] == (FINISH, ([],), 7)


def test_siblings_that_took_longer_than_expected_are_waited_for_thrice_as_long() -> None:
    graph, speculative, _ = played()
    graph.script = [*[None] * 5, Ended(SECOND), *[None] * 9, Ended(FIRST)]
    assert [speculative.next_ended() for _ in range(2)] == [Ended(SECOND), Ended(FIRST)]
    assert COPY not in [key for key, _, _ in graph.added]


def test_a_copy_that_fails_is_forgotten_and_both_that_fail_are_an_error() -> None:
    graph, speculative, _ = played()
    died = WorkerDiedError("its worker died")
    graph.script = [*[None] * 8, Ended(COPY, error=died), Ended(FIRST)]
    assert speculative.next_ended() == Ended(FIRST)
    graph, speculative, _ = played()
    graph.script = [*[None] * 8, Ended(FIRST, error=died), Ended(COPY, error=died)]
    assert speculative.next_ended() == Ended(FIRST, error=died)


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_a_worker_that_stands_still_does_not_hold_up_a_run(tmp_path: Path, toy_config: Callable[..., Path]) -> None:
    trouble = {"trouble": f"stop@{tmp_path / 'stopped'}", "trouble_shard": "squares/00025"}
    config = toy_config(**trouble)
    with config.open("a") as stream:
        stream.write("[run]\nspeculative = true\n")
    done = boardspace("run", config, "--workers", 2, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "a second copy of them waits for a free worker" in done.stderr
    assert boardspace("run", config, "--workers", 0, "--out", tmp_path / "here").returncode == 0
    assert dataset_bytes(tmp_path / "out" / "toy") == dataset_bytes(tmp_path / "here" / "toy")
    assert verify(tmp_path / "out", "logic").faults == ()
