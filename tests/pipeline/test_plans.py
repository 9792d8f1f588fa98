"""What a plan says of itself is refused where no boardspace says it, and noted where it is not of this installation."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boardspace.engine.plan import Plan, recorded_work
from boardspace.storage.records import encoded, read_record
from boardspace.verify import verify
from boardspace.verify.records import plan_notes
from tests.pipeline.publish.conftest import publish_quietly
from tests.pipeline.test_labels import finished, run_folder

__all__ = ["finished", "run_folder"]


def forge_plan(root: Path, change: Callable[[dict[str, Any]], object]) -> None:
    plan = read_record(root / "plan.json", Plan)
    assert plan is not None
    document = plan.model_dump(mode="json")
    change(document["spaces"]["toy"])
    (root / "plan.json").write_bytes(encoded(document))


@pytest.mark.parametrize(
    ("key", "value", "what"),
    [
        ("version", 99, "made by a later version of boardspace; install that"),
        ("version", -1, "versions begin with 1"),
        ("sources", "certified by NIST", "its sources are no SHA-256"),
        ("libraries", {"kissat": "proved by machine"}, "these sources name other libraries"),
    ],
)
def test_a_plan_that_no_version_wrote_is_a_fault(run_folder: Path, key: str, value: object, what: str) -> None:
    forge_plan(run_folder, lambda entry: entry.update({key: value}))
    assert any(what in fault.what for fault in verify(run_folder, "hashes").faults if fault.where == "plan.json")


def test_sources_that_are_not_those_of_this_installation_are_noted(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_quietly(finished, tmp_path / "release")
    note = "toy: the plan names other sources than this installation's; the data cannot show whether that is true"
    for root in (finished, tmp_path / "release"):
        assert note not in verify(root, "structure").notes
    monkeypatch.setattr("boardspace.engine.plan.space_sources", lambda name: "0" * 64)
    for root in (finished, tmp_path / "release"):
        result = verify(root, "structure")
        assert (result.faults, note in result.notes) == ((), True)


def test_libraries_that_are_not_here_are_noted(finished: Path) -> None:
    (work,) = recorded_work(finished)
    libraries = {**work.plan.libraries, "kissat": "proved by machine"}
    (note,) = plan_notes(replace(work, plan=work.plan.model_copy(update={"libraries": libraries})))
    assert "other libraries than this installation's (libraries.kissat: 'proved by machine' there" in note
