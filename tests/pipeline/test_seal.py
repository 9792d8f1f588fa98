"""A seal is known again by its user alone, and only for the very content."""

import os
from pathlib import Path

import pytest

from boardspace.storage.seal import KEY, is_sealed, sealed


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the key."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "boardspace"


def test_a_seal_holds_for_the_content_that_it_was_made_of(home: Path) -> None:
    seal = sealed(b"one")
    assert is_sealed(b"one", seal)
    assert not is_sealed(b"two", seal)
    assert not is_sealed(b"one", "")


def test_nobody_but_the_user_may_read_the_key(home: Path) -> None:
    sealed(b"one")
    assert [path.name for path in home.iterdir()] == [KEY]
    assert (home.stat().st_mode & 0o777, (home / KEY).stat().st_mode & 0o777) == (0o700, 0o600)


def test_a_seal_of_another_key_does_not_hold(home: Path) -> None:
    seal = sealed(b"one")
    (home / KEY).unlink()
    assert not is_sealed(b"one", seal)
    sealed(b"two")
    assert not is_sealed(b"one", seal)


@pytest.mark.parametrize("place", ["", KEY])
def test_a_key_that_others_may_read_seals_nothing(home: Path, place: str) -> None:
    seal = sealed(b"one")
    (home / place).chmod(0o755)
    assert sealed(b"one") == ""
    assert not is_sealed(b"one", seal)


@pytest.mark.parametrize("content", [b"", b"short", b"long" * 100])
def test_a_key_of_another_length_seals_nothing(home: Path, content: bytes) -> None:
    sealed(b"one")
    (home / KEY).write_bytes(content)
    assert sealed(b"one") == ""


def test_a_link_in_the_place_of_the_key_seals_nothing(home: Path) -> None:
    sealed(b"one")
    (home / KEY).rename(home / "elsewhere")
    (home / KEY).symlink_to("elsewhere")
    assert sealed(b"one") == ""


def test_without_a_place_for_a_key_nothing_is_sealed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", os.devnull)
    assert sealed(b"one") == ""
    assert not is_sealed(b"one", "")
