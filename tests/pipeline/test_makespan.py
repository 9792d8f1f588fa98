"""The time of a run with so many workers keeps to its bounds."""

from hypothesis import given
from hypothesis import strategies as st

from boardspace.cli.report.makespan import Load, makespan

SECONDS = st.lists(st.integers(0, 50).map(float), max_size=12)


def chained(parts: list[list[float]]) -> dict[str, Load]:
    """Each stage comes after the one before it."""
    return {str(i): Load([str(i - 1)] if i else [], shards, len(parts) - i) for i, shards in enumerate(parts)}


@given(st.lists(SECONDS, max_size=5), st.integers(1, 9))
def test_stages_one_after_the_other_take_what_each_takes_alone(parts: list[list[float]], workers: int) -> None:
    alone = [makespan({"stage": Load([], shards)}, workers) for shards in parts]
    assert makespan(chained(parts), workers) == sum(alone)


@given(SECONDS, st.integers(1, 9))
def test_no_stage_ends_before_its_work_or_its_dearest_shard_nor_beyond_their_sum(
    shards: list[float], workers: int
) -> None:
    least, dearest = sum(shards) / workers, max(shards, default=0.0)
    assert max(least, dearest) <= makespan({"stage": Load([], shards)}, workers) <= least + dearest


def test_one_worker_takes_all_the_work_and_a_stage_that_repeats_waits_not_for_itself() -> None:
    loads = {"a": Load([], [1, 2]), "b": Load(["a", "b"], [3]), "c": Load(["a"], [4]), "d": Load(["b", "c"], [])}
    assert (makespan(loads, 1), makespan(loads, 2), makespan(loads, 9)) == (10, 6, 6)


def test_stages_without_shards_free_those_after_them_once() -> None:
    nothing = {
        "a": Load([], []),
        "b": Load([], []),
        "c": Load(["a"], []),
        "d": Load(["a", "b"], [2]),
        "e": Load([], [5]),
    }
    assert makespan(nothing, 1) == 7
