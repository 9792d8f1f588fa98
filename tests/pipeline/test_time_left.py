"""The estimate of the time left says what it knows and names what it does not."""

from boardspace.cli.notices import TimeLeft


class Clock:
    """Seconds that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_nothing_is_told_before_the_first_shard_is_done() -> None:
    left = TimeLeft(2, Clock())
    left.cut(10, 4)
    assert str(left) == ""


def test_stages_not_yet_cut_make_it_a_lower_bound() -> None:
    clock = Clock()
    left = TimeLeft(3, clock)
    left.cut(10, 4)
    clock.now = 10.0
    left.done(2)
    assert str(left) == "at least 20 s left; 2 stages to be cut"
    left.cut(2, 0)
    assert str(left) == "at least 30 s left; 1 stage to be cut"
    left.cut(0, 0)
    assert str(left) == "about 30 s left"


def test_long_times_are_told_in_minutes_and_hours() -> None:
    clock = Clock()
    left = TimeLeft(1, clock)
    left.cut(1001, 0)
    clock.now = 1.0
    left.done(1)
    assert str(left) == "about 17 min left"
    clock.now = 20.0
    assert str(left) == "about 5.6 h left"


def test_a_stage_that_repeats_is_to_be_cut_until_a_round_has_nothing_to_do() -> None:
    clock = Clock()
    left = TimeLeft(1, clock)
    for _ in range(3):
        left.cut(1, 0, repeats=True)
        clock.now += 1.0
        left.done(1)
        assert str(left) == "1 stage to be cut"
    left.cut(0, 0, repeats=True)
    assert str(left) == ""
