"""The lock of a run in a bucket: one owner at a time, a dead one for no longer than a lease."""

import threading
import time

import pytest

from boardspace.storage import lease
from boardspace.storage.files import StorageError
from boardspace.storage.lease import leased
from tests.shared import wait_until


class Kept:
    """An object in memory, written under conditions only."""

    def __init__(self) -> None:
        self.content: bytes | None = None
        self.version = 0
        self.cut = False
        self.refused = 0

    def read(self) -> tuple[bytes, str] | None:
        self._reach()
        return None if self.content is None else (self.content, str(self.version))

    def create(self, content: bytes) -> str | None:
        self._reach()
        return None if self.content is not None else self._write(content)

    def replace(self, content: bytes, tag: str) -> str | None:
        self._reach()
        return self._write(content) if self.content is not None and tag == str(self.version) else None

    def remove(self) -> None:
        self._reach()
        self.content = None

    def _write(self, content: bytes) -> str:
        self.content, self.version = content, self.version + 1
        return str(self.version)

    def _reach(self) -> None:
        if self.cut:
            self.refused += 1
            raise StorageError("the store does not answer")


class LosesAnswers(Kept):
    """Its first put is done, but asked for again, as by a client that did not hear the answer."""

    def create(self, content: bytes) -> str | None:
        super().create(content)
        return super().create(content)


class ReplacesAll(Kept):
    """A store that does not keep to conditions."""

    def create(self, content: bytes) -> str | None:
        return self._write(content)


class Stopwatch(threading.local):
    """Seconds that a thread asked to sleep. A lease that is over by it was looked at as often as it should be, however
    busy the machine is and however long its owner's thread was kept waiting in between."""

    seconds = 0.0

    def monotonic(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)
        self.seconds += seconds


@pytest.fixture(autouse=True)
def watch(monkeypatch: pytest.MonkeyPatch) -> Stopwatch:
    """The stopwatch of all that look; an owner renews its lock four times between two looks, and has 40 looks."""
    stopwatch = Stopwatch()
    monkeypatch.setattr(lease, "time", stopwatch)
    monkeypatch.setattr(lease, "BEAT_SECONDS", 0.005)
    monkeypatch.setattr(lease, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(lease, "LEASE_SECONDS", 0.8)
    return stopwatch


def test_a_living_owner_keeps_others_out_and_gives_back_at_the_end() -> None:
    kept = Kept()
    told: list[str] = []
    with leased(kept, "s3://b/run", told.append, False):
        with pytest.raises(StorageError, match=r"s3://b/run: process \d+ on .* is writing there"):
            leased(kept, "s3://b/run", told.append, False).__enter__()
        assert "watching" in told[0]
    assert kept.content is None
    with leased(kept, "s3://b/run", told.append, False):
        pass
    assert len(told) == 1


def test_a_dead_owner_is_followed_after_a_lease(watch: Stopwatch) -> None:
    kept = Kept()
    kept.create(b'{"holder": "process 1 on gone", "token": "x"}')
    told: list[str] = []
    with leased(kept, "s3://b/run", told.append, False):
        assert watch.seconds >= 0.8
        assert "process 1 on gone" in told[0]
    assert kept.content is None


def test_a_lock_that_is_known_to_be_dead_is_broken_at_once() -> None:
    kept = Kept()
    kept.create(b"torn")
    told: list[str] = []
    with leased(kept, "s3://b/run", told.append, True):
        assert told == []


def test_an_owner_that_lost_its_lock_is_stopped_and_leaves_the_new_one_alone() -> None:
    kept = Kept()

    def hold() -> None:
        with leased(kept, "s3://b/run", print, False):
            kept._write(b'{"holder": "another", "token": "y"}')
            for _ in range(6000):
                time.sleep(0.01)

    with pytest.raises(StorageError, match="took over the lock"):
        hold()
    assert kept.content == b'{"holder": "another", "token": "y"}'


def test_an_owner_whose_way_to_the_store_was_cut_for_a_while_keeps_the_lock() -> None:
    kept = Kept()
    with leased(kept, "s3://b/run", print, False):
        kept.cut = True
        wait_until(lambda: kept.refused > 3)
        kept.cut = False
        before = kept.version
        wait_until(lambda: kept.version > before)
    assert kept.content is None


def test_an_answer_that_was_lost_does_not_lock_the_owner_out() -> None:
    with leased(LosesAnswers(), "s3://b/run", print, False):
        pass


def test_a_store_without_conditions_is_refused() -> None:
    with pytest.raises(StorageError, match="If-None-Match"):
        leased(ReplacesAll(), "s3://b/run", print, False).__enter__()


def test_of_many_that_find_a_dead_lock_one_gets_it() -> None:
    kept = Kept()
    kept.create(b'{"token": "x"}')
    exclusive = threading.Lock()
    outcomes: list[str] = []

    def contend() -> None:
        try:
            with leased(kept, "s3://b/run", lambda _: None, False):
                assert exclusive.acquire(blocking=False)
                wait_until(lambda: outcomes == ["refused"] * 3)
                exclusive.release()
                outcomes.append("held")
        except StorageError:
            outcomes.append("refused")

    threads = [threading.Thread(target=contend) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == ["refused", "refused", "refused", "held"]
