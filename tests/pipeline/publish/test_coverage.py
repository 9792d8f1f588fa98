"""A space with a column that nothing derives again is refused, a plug-in too."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from boardspace.release.dataset import PublishError
from boardspace.release.publish import publish
from boardspace.spec import registry
from boardspace.spec.registry import spaces
from boardspace.spec.space import Part, Space
from boardspace.verify import verify
from boardspace.verify.coverage import coverage_faults
from tests.pipeline.publish.conftest import publish_quietly
from tests.toy import SPACE as TOY


def with_part(change: Callable[[Part], Part]) -> Space:
    """The toy space with its part changed."""
    return replace(TOY, parts=(change(TOY.parts[0]),))


[CHECK] = TOY.parts[0].checks
SAYS_WHY = {"sums.ways": "nobody can count them again"}
FAULTS = {
    "no check names column ways of table sums": lambda part: replace(
        part, checks=(replace(CHECK, columns={"sums": ("sum",), "ways": ()}),)
    ),
    "no check names array ways": lambda part: replace(
        part, checks=(replace(CHECK, columns={"sums": ("sum", "ways")}),)
    ),
    "the check 'ways' names 'sums.way', and there is no such": lambda part: replace(
        part, checks=(*part.checks, replace(CHECK, columns={"sums": ("way",)}))
    ),
    "the check 'ways' names column ways of table sums, which `unchecked` says": lambda part: replace(
        part, unchecked=SAYS_WHY
    ),
    "`unchecked` names 'sums.why'": lambda part: replace(part, unchecked={"sums.why": "nobody knows of it"}),
    "`unchecked` gives no reason for column square of table squares": lambda part: replace(
        part, unchecked={"squares.square": " "}
    ),
    "2 checks are named 'ways'": lambda part: replace(part, checks=2 * part.checks),
}


def test_what_is_wrong_with_checks_is_told_for_each_column() -> None:
    for fault, change in FAULTS.items():
        assert any(found.startswith(fault) for found in coverage_faults(with_part(change))), fault
    by_reason = with_part(
        lambda part: replace(part, checks=(replace(CHECK, columns={"sums": ("sum",), "ways": ()}),), unchecked=SAYS_WHY)
    )
    assert coverage_faults(by_reason) == []


def test_a_plug_in_with_a_column_that_no_check_names_is_not_verified_and_not_published(
    run: Path, release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [first, *_] = FAULTS
    unchecked = with_part(FAULTS[first])
    found = {**spaces(), "toy": unchecked}
    for module in ("engine.plan", "verify.release_inputs", "verify.release", "verify.coverage"):
        monkeypatch.setattr(f"boardspace.{module}.space_named", found.__getitem__, raising=False)
    monkeypatch.setattr(registry, "space_named", found.__getitem__)
    for folder in (run, release):
        faults = verify(folder, "logic").faults
        assert [fault.where for fault in faults] == ["toy: columns"]
        assert faults[0].what.startswith(first)
        assert verify(folder, "structure").faults == ()
    for verified in (False, True):
        with pytest.raises(PublishError, match=first):
            publish(run, tmp_path / "release", [], lambda _: None, verified=verified)
    assert not (tmp_path / "release").exists()
    monkeypatch.undo()
    publish_quietly(run, tmp_path / "release", verified=False)
